"""Sparse vector with numeric answers: the released answer needs noise of its own, and its share of the budget."""

from alignkit import BELOW, alignment
from alignkit.mechanisms.sparse_numeric import (
    sparse_numeric,
    sparse_numeric_as_printed,
    sparse_numeric_by_shares,
    sparse_without_numbers,
)


@alignment(sparse_numeric_as_printed, epsilon="eps", expect="refuted")
def phi_as_printed(q, q_, omega, H, delta):
    """Theorem 3 of Roth's lecture: raise the threshold by delta for the losers, keep each number by q_i - q'_i.

    A number just above the threshold lies below it once it is raised.
    """
    return H.shift(eta=delta, nu_i=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_without_numbers, epsilon="3 * eps / 2")
def without_numbers_phi(q, q_, omega, H, delta):
    """Raise the threshold by delta, and each winner by delta + q_i - q'_i; this costs eps / 2 and eps."""
    return H.shift(eta=delta, nu_i=[delta + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_without_numbers, epsilon="eps", expect="refuted")
def without_numbers_phi_as_printed(q, q_, omega, H, delta):
    """The claim of Theorem 3 of Roth's lecture: the noise is enough for half of what its winners may cost."""
    return H.shift(eta=delta, nu_i=[delta + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_without_numbers, epsilon="eps", adjacency="monotone")
def without_numbers_monotone_phi(q, q_, omega, H, delta):
    """For counting queries the printed noise suffices: where answers fall, the threshold stays."""
    up = delta if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=up, nu_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_numeric, epsilon="eps")
def phi(q, q_, omega, H, delta):
    """Raise the threshold, keep each winner above it, and keep its released answer by its own noise."""
    return H.shift(
        eta=delta,
        nu_i=[delta + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
        xi_i=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(sparse_numeric_by_shares, epsilon="eps0 + eps1 + eps2")
def by_shares_phi(q, q_, omega, H, delta):
    """Raise the threshold, keep each winner above it, and keep its released answer by its own noise."""
    return H.shift(
        eta=delta,
        nu_i=[delta + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
        xi_i=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )
