"""Budget Distribution, for one window: an answer that differs from the last release gets half of what is left."""

from alignkit import Epsilon, Noise, Queries, Tag, alignment, mechanism

SAME = Tag("SAME")


@mechanism
def budget_distribution(q: Queries, eps: Epsilon, noise: Noise):
    last = 0
    left = eps / 2
    for q_i in q:
        theta_i = noise.laplace(2 * len(q) / eps)
        share = left / 2
        if abs(q_i - last) + theta_i > 1 / share:
            eta_i = noise.laplace(1 / share)
            last = q_i + eta_i
            left -= share
            yield last
        else:
            yield SAME


@alignment(budget_distribution, epsilon="eps")
def phi(q, q_, omega, H):
    last = 0
    tests = []
    for i, w in enumerate(omega):
        tests = [*tests, abs(q[i] - last) - abs(q_[i] - last)]
        if w is not SAME:
            last = w
    return H.shift(theta_i=tests, eta_i=[q[i] - q_[i] for i in range(len(omega))])
