"""Sparse vector: raise the threshold by the sensitivity, and each winner so that it keeps its gap."""

from alignkit import BELOW, alignment
from alignkit.mechanisms.sparse_vector import (
    sparse_vector,
    sparse_vector_many_thresholds,
    sparse_vector_with_gap,
    sparse_vector_with_gap_by_theta,
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
