"""Noisy Top-K: only the noise of the selected moves, so that they keep their gaps to the best of the losers."""

from alignkit import alignment
from alignkit.mechanisms.top_k import (
    noisy_top_k,
    noisy_top_k_exponential,
    noisy_top_k_with_gap,
    noisy_top_k_with_gap_exponential,
)


@alignment(noisy_top_k, epsilon="eps")
def phi(q, q_, omega, H):
    """Raise each selected answer by 1 + q_i - q'_i: all keep their order, and no loser can catch up."""
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(noisy_top_k, epsilon="eps / 2", adjacency="monotone")
def monotone_phi(q, q_, omega, H):
    """If the answers rise, the selected ones make up for the losers; if they fall, for their own fall."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=[up + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(noisy_top_k_with_gap, epsilon="eps")
def gap_phi(q, q_, omega, H):
    """Equation (3) of the VLDB Journal paper: the selected answers keep their lead over the best loser."""
    selected = {j for j, gap in omega}
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    return H.shift(eta=[q[i] - q_[i] + after - before if i in selected else 0 for i in range(len(q))])


@alignment(noisy_top_k_with_gap, epsilon="eps / 2", adjacency="monotone")
def monotone_gap_phi(q, q_, omega, H):
    """Equation (3) of the VLDB Journal paper, for counting queries."""
    selected = {j for j, gap in omega}
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    return H.shift(eta=[q[i] - q_[i] + after - before if i in selected else 0 for i in range(len(q))])


@alignment(noisy_top_k_with_gap, epsilon="eps", expect="refuted")
def gap_phi_as_printed(q, q_, omega, H):
    """Equation (4) of the VLDB 2020 paper as printed: its second maximum is over the selected answers.

    So is it in the sentence after it. Its words, the proof of Lemma 12 and Equation (3) of the VLDB Journal paper mean
    the losers. Transcription doubtful: a superscript c, for the complement, may be lost in the text it was taken from.
    """
    selected = {j for j, gap in omega}
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i in selected)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    return H.shift(eta=[q[i] - q_[i] + after - before if i in selected else 0 for i in range(len(q))])


@alignment(noisy_top_k_exponential, epsilon="eps")
def exponential_phi(q, q_, omega, H):
    """Raise each selected answer by 1 + q_i - q'_i, which is never below 0."""
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(noisy_top_k_exponential, epsilon="eps / 2", adjacency="monotone")
def monotone_exponential_phi(q, q_, omega, H):
    """If the answers rise, the selected ones make up for the losers; if they fall, for their own fall."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=[up + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


def levels(q, q_, eta, selected):
    """The best of the losers on D, on D', and where D' is to have it so that no noise need be lowered."""
    before = max(q[i] + eta[i] for i in range(len(q)) if i not in selected)
    after = max(q_[i] + eta[i] for i in range(len(q)) if i not in selected)
    return before, after, max(after, before + max(q_[i] - q[i] for i in range(len(q)) if i in selected))


@alignment(noisy_top_k_with_gap_exponential, epsilon="eps")
def exponential_gap_phi(q, q_, omega, H):
    """Nothing is lowered: where the selected answers would have to be, the best loser on D is raised.

    Equations (4) and (5) of the VLDB Journal paper raise the best of the losers on D' there, which forgets its noise.
    """
    selected = {j for j, gap in omega}
    before, after, level = levels(q, q_, H.eta, selected)
    return H.shift(
        eta=[
            q[i] - q_[i] + level - before if i in selected or (after < level and q[i] + H.eta[i] == before) else 0
            for i in range(len(q))
        ]
    )


@alignment(noisy_top_k_with_gap_exponential, epsilon="eps / 2", adjacency="monotone")
def monotone_exponential_gap_phi(q, q_, omega, H):
    """The same, for counting queries."""
    selected = {j for j, gap in omega}
    before, after, level = levels(q, q_, H.eta, selected)
    return H.shift(
        eta=[
            q[i] - q_[i] + level - before if i in selected or (after < level and q[i] + H.eta[i] == before) else 0
            for i in range(len(q))
        ]
    )


@alignment(noisy_top_k_with_gap_exponential, epsilon="eps", expect="refuted")
def exponential_gap_phi_as_printed(q, q_, omega, H):
    """Equations (4) and (5) of the VLDB Journal paper, with delta the least shift of the selected answers.

    Lemma 6 calls them acyclic. Where delta < 0 the best of the losers on D' is moved to the best of the losers on D and
    a constant, whatever its own noise is: two noise vectors come to one.
    """
    selected = {j for j, gap in omega}
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    delta = min(q[i] - q_[i] + after - before for i in range(len(q)) if i in selected)
    lift = max(-delta, 0)
    return H.shift(
        eta=[
            q[i] - q_[i] + after - before + lift if i in selected else lift if q_[i] + H.eta[i] == after else 0
            for i in range(len(q))
        ]
    )
