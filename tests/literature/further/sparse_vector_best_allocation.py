"""Sparse vector with a budget that is split as 1 to a public ratio, at best (2 c)^(2/3)."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Positive, Queries, Reals, alignment, mechanism


@mechanism
def sparse_vector(q: Queries, T: Reals, ratio: Positive, c: Count, eps: Epsilon, noise: Noise):
    eps1 = eps / (1 + ratio)
    eps2 = eps - eps1
    rho = noise.laplace(1 / eps1)
    count = 0
    for q_i, T_i in zip(q, T):
        nu_i = noise.laplace(2 * c / eps2)
        if q_i + nu_i >= T_i + rho:
            yield ABOVE
            count += 1
            if count == c:
                break
        else:
            yield BELOW


@alignment(sparse_vector, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
