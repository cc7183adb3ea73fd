"""Noisy max, and then AboveThreshold on other answers."""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Real, alignment, largest, mechanism


@mechanism
def both(q: Queries, s: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    (best,) = largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], 1)
    yield best
    rho = noise.laplace(2 / eps)
    for s_i in s:
        nu_i = noise.laplace(4 / eps)
        if s_i + nu_i >= T + rho:
            yield ABOVE
            break
        else:
            yield BELOW


@alignment(both, epsilon="2 * eps")
def phi(q, q_, s, s_, omega, H):
    return H.shift(
        eta=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))],
        rho=1,
        nu_i=[1 + s[i] - s_[i] if omega[1 + i] is ABOVE else 0 for i in range(len(omega) - 1)],
    )
