"""Discrete sparse vector: raise the threshold; a winner keeps its lead over the threshold clamped around it."""

from alignkit import BELOW, alignment, clamp
from alignkit.mechanisms.discrete_sparse_vector import (
    discrete_sparse_vector,
    discrete_sparse_vector_with_bounded_gap,
    discrete_sparse_vector_with_gap,
)


@alignment(discrete_sparse_vector, eta="eta")
def phi(omega, H, delta):
    """Theorem 3.3 of Ilvento's paper as an alignment: the threshold rises by delta, a winner's noise by 2 delta."""
    return H.shift(rho=delta, nu_i=[2 * delta if w is not BELOW else 0 for w in omega])


def moved(q, q_, w, delta, rho):
    """What keeps the lead of an answer over the threshold that is clamped around it."""
    return q - q_ + clamp(rho + delta, q_ - w, q_ + w) - clamp(rho, q - w, q + w)


@alignment(discrete_sparse_vector_with_gap, eta="eta1 + eta2")
def gap_phi(q, q_, omega, H, delta, w):
    """The alignment of Section 5 of Ilvento's paper."""
    return H.shift(
        rho=delta,
        nu_i=[moved(q[i], q_[i], w, delta, H.rho) if a is not BELOW else 0 for i, a in enumerate(omega)],
    )


@alignment(discrete_sparse_vector_with_bounded_gap, eta="eta1 + eta2")
def bounded_gap_phi(q, q_, omega, H, delta, w):
    """The alignment of Section 5 of Ilvento's paper."""
    return H.shift(
        rho=delta,
        nu_i=[moved(q[i], q_[i], w, delta, H.rho) if a is not BELOW else 0 for i, a in enumerate(omega)],
    )
