"""Adaptive sparse vector: raise the threshold, and the noise that decided for each winner."""

from alignkit import alignment
from alignkit.mechanisms.adaptive_sparse_vector import (
    FIRST,
    MIDDLE,
    SECOND,
    THIRD,
    TOP,
    adaptive_sparse_vector,
    adaptive_sparse_vector_2020,
    adaptive_sparse_vector_exponential,
    adaptive_sparse_vector_exponential_monotone,
    adaptive_sparse_vector_many_branches,
    adaptive_sparse_vector_monotone,
)


@alignment(adaptive_sparse_vector_2020, epsilon="eps")
def phi_2020(q, q_, omega, H):
    """Equation (5) of the VLDB 2020 paper: of a winner's two noises, the one that made it a winner."""
    return H.shift(
        eta=1,
        xi_i=[1 + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[1 + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )


@alignment(adaptive_sparse_vector, epsilon="eps")
def phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper: shifts that one of a winner's two noises which made it win."""
    return H.shift(
        eta=1,
        xi_i=[1 + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[1 + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )


@alignment(adaptive_sparse_vector_monotone, epsilon="eps", adjacency="monotone")
def monotone_phi(q, q_, omega, H):
    """Footnote 5 of the VLDB Journal paper: if answers fall, the threshold stays and a winner moves by q_i - q'_i."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(
        eta=up,
        xi_i=[up + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[up + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )


@alignment(adaptive_sparse_vector_exponential, epsilon="eps")
def exponential_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper: no shift is negative, so that one-sided noise stays possible."""
    return H.shift(
        eta=1,
        xi_i=[1 + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[1 + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )


@alignment(adaptive_sparse_vector_exponential_monotone, epsilon="eps", adjacency="monotone")
def exponential_monotone_phi(q, q_, omega, H):
    """Footnote 5 of the VLDB Journal paper, for one-sided noise: no shift is negative in either direction."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(
        eta=up,
        xi_i=[up + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[up + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )


@alignment(adaptive_sparse_vector_exponential_monotone, epsilon="eps", adjacency="monotone", expect="refuted")
def exponential_monotone_phi_as_printed(q, q_, omega, H):
    """Equation (2), which Section 5.2 of the VLDB Journal paper states for both the full and the halved noise.

    With half the noise a winner whose answer falls by 1 moves by 2 and costs twice its share.
    """
    return H.shift(
        eta=1,
        xi_i=[1 + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[1 + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )


@alignment(adaptive_sparse_vector_many_branches, epsilon="eps")
def many_branches_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper, extended to a winner's three noises."""
    return H.shift(
        eta=1,
        zeta_i=[1 + q[i] - q_[i] if w[0] is FIRST else 0 for i, w in enumerate(omega)],
        xi_i=[1 + q[i] - q_[i] if w[0] is SECOND else 0 for i, w in enumerate(omega)],
        eta_i=[1 + q[i] - q_[i] if w[0] is THIRD else 0 for i, w in enumerate(omega)],
    )
