"""Sparse vector with fresh thresholds: raise each of them by 1, and each winner so that it keeps its gap."""

from alignkit import BELOW, alignment
from alignkit.mechanisms.fresh_thresholds import (
    sparse_vector_with_fresh_thresholds,
    sparse_vector_with_gap_and_fresh_thresholds,
)


@alignment(
    sparse_vector_with_fresh_thresholds,
    epsilon="eps",
    invariant="threshold_ == threshold + 1",
)
def fresh_thresholds_phi(q, q_, omega, H):
    """Theorem 4 of Lyu, Su and Li (VLDB 2017), with alignments: k thresholds and k winners are paid for."""
    return H.shift(
        first=1,
        fresh=[1 for w in omega],
        nu_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(
    sparse_vector_with_gap_and_fresh_thresholds,
    epsilon="eps",
    invariant="threshold_ == threshold + 1",
)
def gap_and_fresh_thresholds_phi(q, q_, omega, H):
    """A winner keeps its gap above the threshold that it was compared with."""
    return H.shift(
        first=1,
        fresh=[1 for w in omega],
        nu_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )
