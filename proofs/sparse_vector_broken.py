"""The alignment of the sparse vector, tried on mechanisms it does not fit; and alignments that do not fit it."""

from alignkit import BELOW, alignment
from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap, sparse_vector_with_gap_monotone
from alignkit.mechanisms.sparse_vector_broken import (
    sparse_vector_of_chen,
    sparse_vector_of_lee_and_clifton,
    sparse_vector_of_stoddard,
    sparse_vector_with_answer,
    sparse_vector_with_little_noise,
    sparse_vector_with_public_gap,
    sparse_vector_without_bound,
    sparse_vector_without_break,
    sparse_vector_without_query_noise,
)


@alignment(sparse_vector_without_bound, epsilon="eps", expect="refuted")
def without_bound_phi(q, q_, omega, H):
    """Every winner costs; nothing bounds their number."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_without_query_noise, epsilon="eps", expect="refuted")
def without_query_noise_phi(H):
    """Raising the threshold keeps the losers below; no winner can be kept above."""
    return H.shift(eta=1)


@alignment(sparse_vector_with_little_noise, epsilon="eps", expect="refuted")
def little_noise_phi(q, q_, omega, H):
    """Right for k = 1; each further winner costs eps / 2 more."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_answer, epsilon="eps", expect="refuted")
def answer_phi(q, q_, omega, H):
    """The shift that keeps a winner above changes the answer that is released."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_public_gap, epsilon="eps", expect="refuted")
def public_gap_phi(q, q_, omega, H):
    """The shift that keeps a winner above changes its gap to the public threshold."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_without_break, epsilon="eps", expect="refuted")
def without_break_phi(q, q_, omega, H):
    """Every winner costs; counting them does not bound their number."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_of_lee_and_clifton, epsilon="eps", expect="refuted")
def lee_and_clifton_phi_as_claimed(q, q_, omega, H, delta):
    """Each winner costs 3 eps / 2, the first one too."""
    return H.shift(rho=delta, nu_i=[delta + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_of_lee_and_clifton, epsilon="(1 + 6 * c) / 4 * eps")
def lee_and_clifton_phi(q, q_, omega, H, delta):
    """The claim of Lyu, Su and Li's survey, instead of eps: eps / 4, and 6 eps / 4 for each winner."""
    return H.shift(rho=delta, nu_i=[delta + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_of_stoddard, epsilon="eps", expect="refuted")
def stoddard_phi(H, delta):
    """Raising the threshold keeps the losers below; no winner can be kept above."""
    return H.shift(rho=delta)


@alignment(sparse_vector_of_chen, epsilon="eps", expect="refuted")
def chen_phi(q, q_, omega, H, delta):
    """Right if no answer comes out above; each winner costs eps, and nothing bounds their number."""
    return H.shift(rho=delta, nu_i=[delta + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap, epsilon="eps", expect="refuted")
def short_shift_phi(omega, H):
    """Raises a winner by 1 whatever its answer does, so that the gap changes."""
    return H.shift(eta=1, eta_i=[1 if w is not BELOW else 0 for w in omega])


@alignment(sparse_vector_with_gap, epsilon="eps", expect="refuted")
def lowered_threshold_phi(q, q_, omega, H):
    """Moves the threshold the wrong way: a loser may come out above."""
    return H.shift(eta=-1, eta_i=[-1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap_monotone, epsilon="eps", adjacency="monotone", expect="refuted")
def monotone_by_equation_2_phi(q, q_, omega, H):
    """Equation (2) for counting queries in either direction: with half the noise, a winner that falls costs double."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
