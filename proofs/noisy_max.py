"""Noisy Max: only the winner's noise moves."""

from alignkit import alignment
from alignkit.mechanisms.noisy_max import (
    noisy_max,
    noisy_max_exponential,
    noisy_max_with_gap,
    noisy_max_with_gap_exponential,
)


@alignment(noisy_max, epsilon="eps")
def phi(q, q_, omega, H):
    """Raise the winner by 1 + q_i - q'_i, so that no loser can catch up."""
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(noisy_max, epsilon="eps / 2", adjacency="monotone")
def monotone_phi(q, q_, omega, H):
    """If the answers rise, the winner makes up for the losers; if they fall, for its own fall."""
    up = 1 if q_[omega] >= q[omega] else 0
    return H.shift(eta=[up + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


def runner_up_change(q, q_, eta, best):
    """By how much the best of the losers is larger on D' than on D."""
    before = max(q[i] + eta[i] for i in range(len(q)) if i != best)
    after = max(q_[i] + eta[i] for i in range(len(q)) if i != best)
    return after - before


@alignment(noisy_max_with_gap, epsilon="eps")
def gap_phi(q, q_, omega, H):
    """Equation (3) of the VLDB 2020 paper: the winner keeps its lead over the best loser."""
    best, gap = omega
    change = runner_up_change(q, q_, H.eta, best)
    return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])


@alignment(noisy_max_with_gap, epsilon="eps / 2", adjacency="monotone")
def monotone_gap_phi(q, q_, omega, H):
    """Equation (3) of the VLDB 2020 paper, for counting queries."""
    best, gap = omega
    change = runner_up_change(q, q_, H.eta, best)
    return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])


@alignment(noisy_max_exponential, epsilon="eps")
def exponential_phi(q, q_, omega, H):
    """Raise the winner by 1 + q_i - q'_i, which is never below 0."""
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(noisy_max_exponential, epsilon="eps / 2", adjacency="monotone")
def monotone_exponential_phi(q, q_, omega, H):
    """If the answers rise, the winner makes up for the losers; if they fall, for its own fall."""
    up = 1 if q_[omega] >= q[omega] else 0
    return H.shift(eta=[up + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


def levels(q, q_, eta, best):
    """The best of the losers on D, on D', and where D' is to have it so that the winner keeps its lead."""
    before = max(q[j] + eta[j] for j in range(len(q)) if j != best)
    after = max(q_[j] + eta[j] for j in range(len(q)) if j != best)
    return before, after, max(after, before + q_[best] - q[best])


@alignment(noisy_max_with_gap_exponential, epsilon="eps")
def exponential_gap_phi(q, q_, omega, H):
    """Nothing is lowered: either the winner or the best loser on D is raised.

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


@alignment(noisy_max_with_gap_exponential, epsilon="eps / 2", adjacency="monotone")
def monotone_exponential_gap_phi(q, q_, omega, H):
    """The same, for counting queries."""
    best, gap = omega
    before, after, level = levels(q, q_, H.eta, best)
    return H.shift(
        eta=[
            q[i] - q_[i] + level - before if i == best or (after < level and q[i] + H.eta[i] == before) else 0
            for i in range(len(q))
        ]
    )
