"""AboveThreshold, and then AboveThreshold once more on the same answers."""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def above_threshold(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for q_i in q:
        nu_i = noise.laplace(4 / eps)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            break
        else:
            yield BELOW


@alignment(above_threshold, epsilon="eps")
def phi_once(q, q_, omega, H):
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


@mechanism
def twice(q: Queries, T: Real, S: Real, eps: Epsilon, noise: Noise):
    yield from above_threshold(q, T, eps, noise)
    yield from above_threshold(q, S, eps, noise)


@alignment(twice, epsilon="2 * eps", lemmas=[phi_once])
def phi(H):
    return H.shift()
