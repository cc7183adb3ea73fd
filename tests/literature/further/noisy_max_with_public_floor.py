"""Noisy max that names nobody if every noisy answer lies below a public floor, which has no noise of its own."""

from alignkit import BELOW, Epsilon, Noise, Queries, Real, largest, mechanism


@mechanism
def noisy_max_with_floor(q: Queries, floor: Real, eps: Epsilon, noise: Noise):
    e = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + e_i for q_i, e_i in zip(q, e)]
    if max(noisy) < floor:
        return BELOW
    (best,) = largest(noisy, 1)
    return best
