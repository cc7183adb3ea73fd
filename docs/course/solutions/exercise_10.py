"""Exercise 10: a number that stays the same does not stay above a threshold that rises; so step 2 is wrong.

With noise of its own, a number of k costs 1 / (2 k / eps) at most, eps / 2 in all. Threshold and tests cost eps / 4
each.
"""

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def sparse(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T, and roughly what are they? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(2 * k / eps)
        if q_i + eta_i >= T + eta:
            yield q_i + eta_i
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(sparse, epsilon="eps", expect="refuted")
def as_published(q, q_, omega, H):
    """Raise the threshold by 1 for the losers, and keep each number that is released."""
    return H.shift(
        eta=1,
        eta_i=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


wrong_step = 2


@mechanism
def mended(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T, and roughly what are they? Ends after k that do."""
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(8 * k / eps)
        xi_i = noise.laplace(2 * k / eps)
        if q_i + eta_i >= T + eta:
            yield q_i + xi_i
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(mended, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
        xi_i=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )
