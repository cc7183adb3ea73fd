"""A median among public points, by the exponential mechanism with the noise of utilities that move in one direction."""

from alignkit import Epsilon, Noise, Queries, Reals, alignment, largest, mechanism


def distance(x, T):
    return [abs(sum(1 for v in x if v <= t) - len(x) / 2) for t in T]


@mechanism
def median_of_rows(x: Queries, T: Reals, eps: Epsilon, noise: Noise):
    g = [noise.gumbel(1 / eps) for t in T]
    (best,) = largest([g_t - u for u, g_t in zip(distance(x, T), g)], 1)
    return best


@alignment(median_of_rows, epsilon="eps", adjacency="one")
def phi(x, x_, T, omega, H):
    before = distance(x, T)
    after = distance(x_, T)
    return H.shift(g=[1 + after[i] - before[i] if i == omega else 0 for i in range(len(T))])
