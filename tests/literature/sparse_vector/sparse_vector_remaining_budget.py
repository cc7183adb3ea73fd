"""A winner pays from a budget, and the stream ends when the rest is too small."""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def sparse_vector(q: Queries, T: Real, eps: Epsilon, share: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    left = eps / 2
    for q_i in q:
        if left < share:
            break
        nu_i = noise.laplace(2 / share)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            left = left - share
        else:
            yield BELOW


@alignment(sparse_vector, epsilon="eps", invariant=["privacy_cost <= eps - left", "left >= 0"])
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
