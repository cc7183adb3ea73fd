"""StructureFirst with two bins: where to cut is chosen first, then the sums on both sides are measured."""

from alignkit import Epsilon, Noise, Queries, alignment, largest, mechanism


def imbalance(q):
    n = len(q)
    return [abs(sum(q[j] for j in range(i)) - sum(q[j] for j in range(i, n))) for i in range(n)]


@mechanism
def structure_first(q: Queries, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    g = [noise.gumbel(2 / eps1) for q_i in q]
    (cut,) = largest([g_i - u for u, g_i in zip(imbalance(q), g)], 1)
    e = noise.laplace(1 / eps2)
    f = noise.laplace(1 / eps2)
    return cut, sum(q[j] for j in range(cut)) + e, sum(q[j] for j in range(cut, len(q))) + f


@alignment(structure_first, epsilon="eps1 + eps2", adjacency="one")
def phi(q, q_, omega, H):
    before = imbalance(q)
    after = imbalance(q_)
    cut = omega[0]
    return H.shift(
        g=[1 + after[i] - before[i] if i == cut else 0 for i in range(len(q))],
        e=sum(q[j] - q_[j] for j in range(cut)),
        f=sum(q[j] - q_[j] for j in range(cut, len(q))),
    )
