"""AboveThreshold, and then a noisy histogram of the same answers."""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def both(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for q_i in q:
        nu_i = noise.laplace(4 / eps)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            break
        else:
            yield BELOW
    for q_i in q:
        xi_i = noise.laplace(1 / eps)
        yield q_i + xi_i


@alignment(both, epsilon="2 * eps", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(
        rho=1,
        nu_i=[1 + q[i] - q_[i] if omega[i] is ABOVE else 0 for i in range(len(H.nu_i))],
        xi_i=[q[i] - q_[i] for i in range(len(q))],
    )
