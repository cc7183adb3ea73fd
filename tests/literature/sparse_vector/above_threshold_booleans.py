"""AboveThreshold, which yields False up to the first answer above the threshold, and then True."""

from alignkit import Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def above_threshold(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for q_i in q:
        nu_i = noise.laplace(4 / eps)
        if q_i + nu_i >= T + rho:
            yield True
            break
        else:
            yield False


@alignment(above_threshold, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if w is True else 0 for i, w in enumerate(omega)])
