"""The k largest by peeling: noisy max among those that are left, with fresh noise, k times."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def peeling(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    chosen = []
    for r in range(k):
        rest = [i for i in range(len(q)) if i not in chosen]
        e = [noise.laplace(2 * k / eps) for i in rest]
        (best,) = largest([q[i] + e_i for i, e_i in zip(rest, e)], 1)
        chosen = [*chosen, rest[best]]
        yield rest[best]


@alignment(peeling, epsilon="eps")
def phi(q, q_, omega, H):
    chosen = []
    shifts = []
    for w in omega:
        rest = [i for i in range(len(q)) if i not in chosen]
        shifts = [*shifts, [1 + q[i] - q_[i] if i == w else 0 for i in rest]]
        chosen = [*chosen, w]
    return H.shift(e=shifts)
