"""Clamping: the alignment of the sparse vector survives where clamped numbers still move with the answers."""

from alignkit import BELOW, alignment, clamp
from alignkit.mechanisms.clamping import (
    sparse_vector_clamped_about_answers,
    sparse_vector_clamped_first,
    sparse_vector_clamped_last,
)


@alignment(sparse_vector_clamped_last, epsilon="eps", expect="refuted")
def clamped_last_phi(q, q_, omega, H):
    """At the ends of the range neither the threshold nor an answer moves as far as its noise."""
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_clamped_first, epsilon="eps", invariant="privacy_cost <= eps1 + count * eps2 / c")
def clamped_first_phi(q, q_, omega, H, w):
    """Raise the threshold by 1, and each winner by 1 plus the fall of its clamped answer."""
    return H.shift(
        rho=1,
        nu_i=[1 + clamp(q[i], -w, w) - clamp(q_[i], -w, w) if a is not BELOW else 0 for i, a in enumerate(omega)],
    )


@alignment(sparse_vector_clamped_about_answers, epsilon="eps")
def about_answers_phi(q, q_, omega, H):
    """Raise the threshold by 1; the clamped distance to an answer then rises by 1 + q_i - q'_i at most."""
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
