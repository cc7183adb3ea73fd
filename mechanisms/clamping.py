"""Noisy numbers kept in a range of finitely many: what may be clamped, and what may not."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Positive, Queries, Real, clamp, mechanism


@mechanism
def sparse_vector_clamped_last(q: Queries, T: Real, w: Positive, c: Count, eps: Epsilon, noise: Noise):
    """Clamps the noisy threshold and the noisy answers to one public range, after the noise (Ilvento, Section 2).

    A threshold far above the range is clamped to its end whatever its noise, and no longer hides the answers.
    """
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = noise.laplace(1 / eps1)
    threshold = clamp(T + rho, -w, w)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * c / eps2)
        if clamp(q_i + nu_i, -w, w) >= threshold:
            yield ABOVE
            count = count + 1
            if count >= c:
                break
        else:
            yield BELOW


@mechanism
def sparse_vector_clamped_first(q: Queries, T: Real, w: Positive, c: Count, eps: Epsilon, noise: Noise):
    """Clamps the answers alone, before the noise; clamped answers change by no more than the answers do."""
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = noise.laplace(1 / eps1)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * c / eps2)
        if clamp(q_i, -w, w) + nu_i >= T + rho:
            yield ABOVE
            count = count + 1
            if count >= c:
                break
        else:
            yield BELOW


@mechanism
def sparse_vector_clamped_about_answers(q: Queries, w: Positive, c: Count, eps: Epsilon, noise: Noise):
    """Clamps the threshold's noise to within w of each answer (Algorithm 2 of Ilvento, Laplace noise, threshold 0)."""
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = noise.laplace(1 / eps1)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * c / eps2)
        if nu_i >= clamp(rho, q_i - w, q_i + w) - q_i:
            yield ABOVE
            count = count + 1
            if count >= c:
                break
        else:
            yield BELOW
