"""Sparse vector in other shapes of output: the alignments are those of the tags, and ask the output by its indices."""

from alignkit import alignment
from alignkit.mechanisms.output_shapes import (
    NOTHING,
    above_threshold_index,
    first_above_with_gap,
    numeric_or_zero,
    winners_as_list,
    winners_one_by_one,
)


@alignment(above_threshold_index, epsilon="eps")
def index_phi(q, q_, omega, H):
    """Raise the threshold by 1, and the answer whose index is returned by 1 + q_i - q'_i."""
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(first_above_with_gap, epsilon="eps")
def index_and_gap_phi(q, q_, omega, H):
    """Raise the threshold by 1, and the answer whose index is returned so that it keeps its gap."""
    return H.shift(
        rho=1,
        nu=[1 + q[i] - q_[i] if omega is not NOTHING and i == omega[0] else 0 for i in range(len(q))],
    )


@alignment(winners_as_list, epsilon="eps")
def list_phi(q, q_, omega, H):
    """Raise the threshold by 1, and each answer whose index is in the list by 1 + q_i - q'_i."""
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(winners_one_by_one, epsilon="eps")
def one_by_one_phi(q, q_, omega, H):
    """Raise the threshold by 1, and each answer whose index was yielded so that it keeps its gap."""
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i in {j for j, gap in omega} else 0 for i in range(len(q))])


@alignment(numeric_or_zero, epsilon="eps")
def zero_phi(q, q_, omega, H):
    """A winner yields 0 with probability 0, so that every output that is not 0 is a winner's."""
    return H.shift(
        rho=1,
        nu=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)],
        upsilon=[q[i] - q_[i] for i in range(len(q))],
    )
