"""Composition: a call costs the claim of its lemma, and the alignment moves the mechanism's own draws only."""

from alignkit import alignment
from alignkit.mechanisms.composition import (
    count_one_by_one,
    count_with_noise,
    histogram_in_parts,
    noisy_histogram,
    select_and_measure_in_rounds,
    select_then_measure,
    sparse_vector_called_twice,
    sparse_vector_then_count,
    threshold_from_count,
    winner_then_sparse_vector,
)
from alignkit.proofs.noisy_max import phi as noisy_max_phi
from alignkit.proofs.sparse_vector import phi as sparse_vector_phi


@alignment(count_with_noise, epsilon="eps")
def count_phi(x, x_, H):
    """The noise makes up for the change."""
    return H.shift(e=x - x_)


@alignment(noisy_histogram, epsilon="eps", adjacency="one")
def histogram_phi(q, q_, H):
    """The noise of the count that changes makes up for it."""
    return H.shift(e=[x - y for x, y in zip(q, q_)])


@alignment(sparse_vector_called_twice, epsilon="eps", lemmas=[sparse_vector_phi])
def twice_phi(H):
    """The claims of the two calls add up."""
    return H.shift()


@alignment(sparse_vector_then_count, epsilon="eps", lemmas=[sparse_vector_phi])
def then_count_phi(x, x_, H):
    """Half the budget for the call, half for the answer."""
    return H.shift(e=x - x_)


@alignment(threshold_from_count, epsilon="eps", lemmas=[count_phi, sparse_vector_phi])
def threshold_phi(H):
    """The threshold is the same on both runs once the first call has given it."""
    return H.shift()


@alignment(winner_then_sparse_vector, epsilon="eps", lemmas=[noisy_max_phi, sparse_vector_phi])
def winner_phi(H):
    """The claims of two calls of different mechanisms add up."""
    return H.shift()


@alignment(select_then_measure, epsilon="eps", lemmas=[noisy_max_phi])
def measure_phi(q, q_, omega, H):
    """The selection is a call; the noise of the measurement makes up for the change of what was selected."""
    best, value = omega
    return H.shift(e=q[best] - q_[best])


@alignment(select_then_measure, epsilon="eps")
def measure_inlined_phi(q, q_, omega, H):
    """The same with the call as a part of the mechanism: the winner's noise is moved here."""
    best, value = omega
    eta = [1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))]
    return H.shift(noisy_max_eta=eta, e=q[best] - q_[best])


@alignment(select_and_measure_in_rounds, epsilon="eps", lemmas=[noisy_max_phi])
def rounds_phi(q, q_, omega, H):
    """Every round pays for its call and for its measurement."""
    return H.shift(e=[q[best] - q_[best] for best, value in omega])


@alignment(histogram_in_parts, epsilon="eps", adjacency="one", lemmas=[histogram_phi])
def parts_phi(H):
    """The count that changes is in one of the two parts; the other call costs nothing."""
    return H.shift()


@alignment(count_one_by_one, epsilon="eps", adjacency="one", lemmas=[count_phi])
def one_by_one_phi(H):
    """Only the call with the count that changes costs anything."""
    return H.shift()


@alignment(select_and_measure_in_rounds, epsilon="eps / k", lemmas=[noisy_max_phi], expect="refuted")
def one_round_phi(q, q_, omega, H):
    """Refuted: what one round costs is not enough for k rounds."""
    return H.shift(e=[q[best] - q_[best] for best, value in omega])


@alignment(histogram_in_parts, epsilon="eps", lemmas=[histogram_phi], expect="refuted")
def parts_each_phi(H):
    """Refuted: where every count may change, neither call is free, and neither fits its lemma."""
    return H.shift()
