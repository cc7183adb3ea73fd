"""Sparse as it is printed: the threshold is drawn again after the last winner too, and this alignment pays for it."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def sparse(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    sigma = 2 * c / eps
    rho = noise.laplace(sigma)
    threshold = T + rho
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * sigma)
        if q_i + nu_i >= threshold:
            yield ABOVE
            count += 1
            fresh = noise.laplace(sigma)
            threshold = T + fresh
        else:
            yield BELOW
        if count >= c:
            break


@alignment(sparse, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        rho=1,
        nu_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
        fresh=[1 for w in omega],
    )
