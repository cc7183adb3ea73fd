"""Alignments that are one-to-one by pieces: the shift of a coordinate may depend on that coordinate itself."""

from alignkit import ABOVE, alignment, clamp
from alignkit.mechanisms.general_theorem import one_sided_max_with_gap, one_sided_threshold_test


def levels(q, q_, eta, best):
    """The best of the losers on D, on D', and where D' is to have it so that the winner keeps its lead."""
    before = max(q[j] + eta[j] for j in range(len(q)) if j != best)
    after = max(q_[j] + eta[j] for j in range(len(q)) if j != best)
    return before, after, max(after, before + q_[best] - q[best])


@alignment(one_sided_max_with_gap, epsilon="eps")
def one_sided_gap_phi(q, q_, omega, H):
    """Nothing is lowered: either the winner is raised or D's best loser is.

    Which loser that is depends on the noise of all of them, its own included, so that no order will do.
    """
    best, gap = omega
    before, after, level = levels(q, q_, H.eta, best)
    return H.shift(
        eta=[
            q[i] - q_[i] + level - before if i == best or (after < level and q[i] + H.eta[i] == before) else 0
            for i in range(len(q))
        ]
    )


@alignment(one_sided_max_with_gap, epsilon="eps / 2", adjacency="monotone")
def one_sided_monotone_gap_phi(q, q_, omega, H):
    """The same, for counting queries."""
    best, gap = omega
    before, after, level = levels(q, q_, H.eta, best)
    return H.shift(
        eta=[
            q[i] - q_[i] + level - before if i == best or (after < level and q[i] + H.eta[i] == before) else 0
            for i in range(len(q))
        ]
    )


@alignment(one_sided_threshold_test, epsilon="max(eps, log(2))")
def contracted_phi(q, q_, omega, H):
    """Noise above the level moves with it; noise in [0, level) is stretched or contracted onto [0, level').

    Contracting costs no shift, but the logarithm of 1 / |det J| = level / level' <= 2.
    """
    level, level_ = clamp(q, 1, 2), clamp(q_, 1, 2)
    return H.shift(eta=level_ - level if omega[0] is ABOVE else H.eta * (level_ / level - 1))
