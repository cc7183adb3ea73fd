"""Sparse vector: raise the threshold by the sensitivity, and each winner so that it keeps its gap."""

from alignkit import BELOW, alignment
from alignkit.mechanisms.sparse_vector import (
    sparse_vector,
    sparse_vector_many_thresholds,
    sparse_vector_monotone,
    sparse_vector_with_gap,
    sparse_vector_with_gap_by_theta,
    sparse_vector_with_gap_exponential,
    sparse_vector_with_gap_exponential_monotone,
    sparse_vector_with_gap_monotone,
)


@alignment(sparse_vector, epsilon="eps")
def phi(q, q_, omega, H):
    """Equation (2) of the VLDB 2020 paper: raise the threshold by 1, and each winner by 1 + q_i - q'_i."""
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(sparse_vector_with_gap, epsilon="eps")
def gap_phi(q, q_, omega, H):
    """Equation (2) of the VLDB 2020 paper: raise the threshold by 1, and each winner by 1 + q_i - q'_i."""
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(sparse_vector_with_gap_by_theta, epsilon="eps")
def theta_phi(q, q_, omega, H):
    """Equation (2) of the VLDB 2020 paper; the budget is split by theta."""
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(sparse_vector_many_thresholds, epsilon="eps")
def many_thresholds_phi(q, q_, omega, H, delta):
    """Equation (2) of the VLDB 2020 paper, with sensitivity delta."""
    return H.shift(
        rho=delta,
        nu_i=[delta + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(sparse_vector_monotone, epsilon="eps", adjacency="monotone")
def monotone_phi(q, q_, omega, H):
    """Footnote 5 of the VLDB Journal paper: if answers fall, the threshold stays and a winner moves by q_i - q'_i."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap_monotone, epsilon="eps", adjacency="monotone")
def monotone_gap_phi(q, q_, omega, H):
    """Footnote 5 of the VLDB Journal paper: if answers fall, the threshold stays and a winner moves by q_i - q'_i."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap_exponential, epsilon="eps")
def exponential_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper: no shift is negative, so that one-sided noise stays possible."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap_exponential_monotone, epsilon="eps", adjacency="monotone")
def exponential_monotone_phi(q, q_, omega, H):
    """Footnote 5 of the VLDB Journal paper, for one-sided noise: no shift is negative in either direction."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap_exponential_monotone, epsilon="eps", adjacency="monotone", expect="refuted")
def exponential_monotone_phi_as_printed(q, q_, omega, H):
    """Equation (2), which Section 5.2 of the VLDB Journal paper states for both the full and the halved noise.

    With half the noise a winner whose answer falls by 1 moves by 2 and costs twice its share.
    """
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
