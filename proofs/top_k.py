"""Noisy Top-K: only the noise of the selected moves, so that they keep their gaps to the best of the losers."""

from alignkit import alignment
from alignkit.mechanisms.top_k import noisy_top_k, noisy_top_k_with_gap


@alignment(noisy_top_k, epsilon="eps")
def phi(q, q_, omega, H):
    """Raise each of the selected by 1 + q_i - q'_i: they keep their order, and no loser can catch up."""
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(noisy_top_k, epsilon="eps / 2", adjacency="monotone")
def monotone_phi(q, q_, omega, H):
    """Where the answers rise the selected make up for the losers, where they fall for their own fall."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=[up + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(noisy_top_k_with_gap, epsilon="eps")
def gap_phi(q, q_, omega, H):
    """Equation (3) of the VLDB Journal paper: the selected keep their lead over the best of the losers."""
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
    """Equation (4) of the VLDB 2020 paper as printed: its second maximum is over the selected.

    So is it in the sentence after it. Its words, the proof of Lemma 12 and Equation (3) of the VLDB Journal paper mean
    the losers. Transcription doubtful: a superscript c, for the complement, may be lost in the text it was taken from.
    """
    selected = {j for j, gap in omega}
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i in selected)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    return H.shift(eta=[q[i] - q_[i] + after - before if i in selected else 0 for i in range(len(q))])
