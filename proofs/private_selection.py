"""Private selection from private candidates: an alignment pays for every round, the bound that is printed does not."""

from alignkit import alignment
from alignkit.mechanisms.private_selection import (
    hard_stop_in_all_rounds,
    private_selection_as_printed,
    private_selection_in_all_rounds,
)


@alignment(
    private_selection_as_printed,
    epsilon="2 * eps0 + eps1 if gamma * eps0 * T >= 2 else T * eps1",
    expect="refuted",
)
def selection_phi_as_printed(q, q_, r, r_, H):
    """The last round alone makes up for its score, so that a pair that failed on D may pass on D'."""
    return H.shift(
        e=[(q - q_ if i == 0 else r - r_) if j == len(H.i) - 1 else 0 for j, i in enumerate(H.i)],
    )


@alignment(private_selection_in_all_rounds, epsilon="T * eps1")
def selection_phi(q, q_, r, r_, H):
    """Each round makes up for the score of its candidate."""
    return H.shift(e=[q - q_ if i == 0 else r - r_ for i in H.i])


@alignment(hard_stop_in_all_rounds, epsilon="T * eps1")
def hard_stop_phi(q, q_, r, r_, H):
    """The same, and the coins between equal scores stay as they are."""
    return H.shift(e=[q - q_ if i == 0 else r - r_ for i in H.i])
