"""Sparse vector with geometric noise: every shift is a whole number, and none is below 0."""

from alignkit import BELOW, alignment
from alignkit.mechanisms.adaptive_sparse_vector import MIDDLE, TOP
from alignkit.mechanisms.geometric_sparse_vector import (
    adaptive_sparse_vector_geometric,
    adaptive_sparse_vector_geometric_in_steps,
    adaptive_sparse_vector_geometric_in_steps_monotone,
    adaptive_sparse_vector_geometric_monotone,
    sparse_vector_with_gap_geometric,
    sparse_vector_with_gap_geometric_in_steps,
    sparse_vector_with_gap_geometric_monotone,
)


@alignment(sparse_vector_with_gap_geometric, epsilon="eps")
def geometric_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper, for whole-numbered answers."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap_geometric_in_steps, epsilon="eps")
def geometric_in_steps_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper, for whole-numbered answers."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap_geometric_monotone, epsilon="eps", adjacency="monotone")
def geometric_monotone_phi(q, q_, omega, H):
    """Footnote 5 of the VLDB Journal paper: if answers fall, the threshold stays and a winner moves by q_i - q'_i."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(adaptive_sparse_vector_geometric, epsilon="eps")
def adaptive_geometric_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper: shifts that one of a winner's two noises which made it win."""
    return H.shift(
        eta=1,
        xi_i=[1 + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[1 + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )


@alignment(adaptive_sparse_vector_geometric_monotone, epsilon="eps", adjacency="monotone")
def adaptive_geometric_monotone_phi(q, q_, omega, H):
    """Footnote 5 of the VLDB Journal paper: if answers fall, the threshold stays and a winner moves by q_i - q'_i."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(
        eta=up,
        xi_i=[up + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[up + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )


@alignment(adaptive_sparse_vector_geometric_in_steps, epsilon="eps")
def adaptive_in_steps_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper, for whole-numbered answers."""
    return H.shift(
        eta=1,
        xi_i=[1 + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[1 + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )


@alignment(adaptive_sparse_vector_geometric_in_steps_monotone, epsilon="eps", adjacency="monotone")
def adaptive_in_steps_monotone_phi(q, q_, omega, H):
    """Footnote 5 of the VLDB Journal paper: if answers fall, the threshold stays and a winner moves by q_i - q'_i."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(
        eta=up,
        xi_i=[up + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[up + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )
