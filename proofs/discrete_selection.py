"""Selections under ties: identities and the gaps between them keep their proofs; a gap to a loser needs a delta."""

from alignkit import alignment
from alignkit.mechanisms.discrete_selection import (
    noisy_max_discrete,
    noisy_max_with_gap_discrete,
    noisy_max_with_gap_of_two_discrete,
    noisy_top_k_discrete,
    noisy_top_k_with_gap_discrete,
    noisy_top_k_with_inner_gaps_discrete,
    noisy_two_discrete,
)


@alignment(noisy_max_discrete, epsilon="eps")
def max_phi(q, q_, omega, H):
    """Raise the winner by 1 + q_i - q'_i: it leads the others by no less, and still wins the ties that it won."""
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(noisy_top_k_discrete, epsilon="eps")
def top_k_phi(q, q_, omega, H):
    """Raise each selected answer by 1 + q_i - q'_i: all keep their order, and still win the ties that they won."""
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(noisy_top_k_discrete, epsilon="eps / 2", adjacency="monotone")
def monotone_top_k_phi(q, q_, omega, H):
    """If the answers rise, the selected ones make up for the losers; if they fall, for their own fall."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=[up + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(noisy_max_with_gap_discrete, epsilon="eps", expect="refuted")
def max_gap_phi(q, q_, omega, H):
    """Equation (3) of the VLDB 2020 paper. If the winner ties, another loser may win the tie on D'."""
    best, gap = omega
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i != best)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i != best)
    return H.shift(eta=[q[i] - q_[i] + after - before if i == best else 0 for i in range(len(q))])


@alignment(noisy_top_k_with_gap_discrete, epsilon="eps", expect="refuted")
def top_k_gap_phi(q, q_, omega, H):
    """Equation (3) of the VLDB Journal paper. If the last selected answer ties, another loser may win the tie on D'."""
    selected = {j for j, gap in omega}
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    return H.shift(eta=[q[i] - q_[i] + after - before if i in selected else 0 for i in range(len(q))])


@alignment(
    noisy_max_with_gap_discrete,
    epsilon="eps",
    delta="len(q) * (len(q) - 1) / 2 * (1 - exp(-eps / 2)) / (1 + exp(-eps / 2))",
)
def max_gap_without_ties_phi(q, q_, omega, H):
    """Equation (3) of the VLDB 2020 paper, where no two noisy answers are equal: delta pays for a tie of each pair."""
    best, gap = omega
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i != best)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i != best)
    return H.shift(eta=[q[i] - q_[i] + after - before if i == best else 0 for i in range(len(q))]).distinct(eta=q)


@alignment(
    noisy_top_k_with_gap_discrete,
    epsilon="eps",
    delta="len(q) * (len(q) - 1) / 2 * (1 - exp(-eps / (2 * k))) / (1 + exp(-eps / (2 * k)))",
)
def top_k_gap_without_ties_phi(q, q_, omega, H):
    """Equation (3) of the VLDB Journal paper, where no two noisy answers are equal."""
    selected = {j for j, gap in omega}
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    shifts = [q[i] - q_[i] + after - before if i in selected else 0 for i in range(len(q))]
    return H.shift(eta=shifts).distinct(eta=q)


@alignment(noisy_top_k_with_inner_gaps_discrete, epsilon="eps")
def inner_gaps_phi(q, q_, omega, H):
    """Raise each selected answer by 1 + q_i - q'_i: their noisy answers all rise by 1, so that no gap changes."""
    selected = {j for j, lead in omega}
    return H.shift(eta=[1 + q[i] - q_[i] if i in selected else 0 for i in range(len(q))])


@alignment(noisy_top_k_with_inner_gaps_discrete, epsilon="eps / 2", adjacency="monotone")
def monotone_inner_gaps_phi(q, q_, omega, H):
    """If the answers rise, the selected ones make up for the losers; if they fall, for their own fall."""
    selected = {j for j, lead in omega}
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=[up + q[i] - q_[i] if i in selected else 0 for i in range(len(q))])


@alignment(noisy_two_discrete, epsilon="eps")
def two_phi(q, q_, omega, H):
    """Raise each of the two by 1 + q_i - q'_i, so that the gap between them does not change."""
    best, second, gap = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best or i == second else 0 for i in range(len(q))])


@alignment(noisy_max_with_gap_of_two_discrete, epsilon="eps", lemmas=[two_phi])
def gap_of_two_phi(H):
    """The call pays for both selections; the gap is what it says of the two."""
    return H.shift()
