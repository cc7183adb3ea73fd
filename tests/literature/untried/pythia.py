"""Pythia (Kotsogiannis, Machanavajjhala, Hay and Miklau, SIGMOD 2017), with one feature and two algorithms."""

from alignkit import Epsilon, Noise, Queries, Real, Tag, alignment, mechanism

CELLS = Tag("CELLS")
UNIFORM = Tag("UNIFORM")


@mechanism
def pythia(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Choose an algorithm by the noisy number of cells in use, then run it with the other half of the budget."""
    z = noise.laplace(2 / eps)
    if sum(1 for x in q if x > 0) + z >= T:
        yield CELLS
        for q_i in q:
            e = noise.laplace(2 / eps)
            yield q_i + e
    else:
        yield UNIFORM
        t = noise.laplace(2 / eps)
        yield (sum(q) + t) / len(q)


@alignment(pythia, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(
        z=sum(1 for x in q if x > 0) - sum(1 for x in q_ if x > 0),
        e=[q[i] - q_[i] for i in range(len(q))],
        t=sum(q) - sum(q_),
    )
