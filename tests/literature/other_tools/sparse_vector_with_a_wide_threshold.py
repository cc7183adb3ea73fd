"""Sparse vector with one threshold, whose noise grows with the number of winners as if it were redrawn."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def sparse_vector(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 * c / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 * c / eps)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            count += 1
            if count >= c:
                break
        else:
            yield BELOW


@alignment(sparse_vector, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
