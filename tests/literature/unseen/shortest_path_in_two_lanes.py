"""Shortest paths with private weights: Sealfon, Shortest Paths and Distances with Differential Privacy, PODS 2016.

At each stage a road leads from either of two lanes to either of two; aa, ab, ba and bb are the weights of the roads.
What is put out is where the shortest way to each lane comes from.
"""

from alignkit import Epsilon, Noise, Queries, Tag, alignment, mechanism

FROM_A = Tag("FROM_A")
FROM_B = Tag("FROM_B")


@mechanism
def shortest_path(aa: Queries, ab: Queries, ba: Queries, bb: Queries, eps: Epsilon, noise: Noise):
    a: float = 0
    b: float = 0
    for aa_i, ab_i, ba_i, bb_i in zip(aa, ab, ba, bb):
        e_aa = noise.laplace(1 / eps)
        e_ab = noise.laplace(1 / eps)
        e_ba = noise.laplace(1 / eps)
        e_bb = noise.laplace(1 / eps)
        a_by_a = a + aa_i + e_aa
        a_by_b = b + ba_i + e_ba
        b_by_a = a + ab_i + e_ab
        b_by_b = b + bb_i + e_bb
        to_a = FROM_A if a_by_a <= a_by_b else FROM_B
        to_b = FROM_A if b_by_a <= b_by_b else FROM_B
        yield to_a, to_b
        a = min(a_by_a, a_by_b)
        b = min(b_by_a, b_by_b)


@alignment(shortest_path, epsilon="eps", adjacency="l1")
def phi(aa, aa_, ab, ab_, ba, ba_, bb, bb_, omega, H):
    """Every noisy weight stays the same."""
    n = len(omega)
    return H.shift(
        e_aa=[aa[i] - aa_[i] for i in range(n)],
        e_ab=[ab[i] - ab_[i] for i in range(n)],
        e_ba=[ba[i] - ba_[i] for i in range(n)],
        e_bb=[bb[i] - bb_[i] for i in range(n)],
    )
