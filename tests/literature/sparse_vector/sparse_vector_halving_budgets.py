"""Each winner halves the budget of the tests that follow, so that there is no bound on the winners."""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def sparse_vector(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    share = eps / 4
    for q_i in q:
        nu_i = noise.laplace(2 / share)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            share = share / 2
        else:
            yield BELOW


@alignment(sparse_vector, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
