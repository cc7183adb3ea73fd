"""Sparse vectors asked by analysts who choose each query after seeing the outputs so far."""

from alignkit import BELOW, alignment
from alignkit.mechanisms.adaptive_sparse_vector import TOP, adaptive_sparse_vector, adaptive_sparse_vector_monotone
from alignkit.mechanisms.discrete_sparse_vector import discrete_sparse_vector_with_gap
from alignkit.mechanisms.fresh_thresholds import sparse_vector_with_gap_and_fresh_thresholds
from alignkit.mechanisms.geometric_sparse_vector import (
    adaptive_sparse_vector_geometric_in_steps,
    adaptive_sparse_vector_geometric_in_steps_monotone,
    sparse_vector_with_gap_geometric,
    sparse_vector_with_gap_geometric_in_steps,
    sparse_vector_with_gap_geometric_monotone,
)
from alignkit.mechanisms.measured_close_calls import CLOSE, sparse_vector_measuring_close_calls
from alignkit.mechanisms.sparse_numeric import sparse_numeric
from alignkit.mechanisms.sparse_vector import (
    sparse_vector,
    sparse_vector_monotone,
    sparse_vector_with_gap,
    sparse_vector_with_gap_exponential,
    sparse_vector_with_gap_exponential_monotone,
    sparse_vector_with_gap_monotone,
)
from alignkit.proofs.discrete_sparse_vector import moved


@alignment(sparse_vector, epsilon="eps", queries="adaptive")
def online_phi(q, q_, omega, H):
    """Equation (2) of the VLDB 2020 paper: raise the threshold by 1, and each winner by 1 + q_i - q'_i."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_monotone, epsilon="eps", adjacency="monotone", queries="adaptive")
def online_monotone_phi(q, q_, omega, H, direction):
    """If answers fall, the threshold stays and a winner moves by q_i - q'_i; the direction is known beforehand."""
    up = 1 if direction > 0 else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap, epsilon="eps", queries="adaptive")
def online_gap_phi(q, q_, omega, H):
    """Equation (2) of the VLDB 2020 paper; it reads no answer and no gap of a later step."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap_monotone, epsilon="eps", adjacency="monotone", queries="adaptive")
def online_monotone_gap_phi(q, q_, omega, H, direction):
    """If answers fall, the threshold stays and a winner moves by q_i - q'_i; the direction is known beforehand."""
    up = 1 if direction > 0 else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(
    sparse_vector_with_gap_monotone, epsilon="eps", adjacency="monotone", queries="adaptive", expect="undecided"
)
def monotone_gap_phi_by_later_answers(q, q_, omega, H):
    """The alignment for fixed queries reads the direction off all answers, those to queries not yet asked included."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap_exponential, epsilon="eps", queries="adaptive")
def online_exponential_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper: no shift is negative, so that one-sided noise stays possible."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap_exponential_monotone, epsilon="eps", adjacency="monotone", queries="adaptive")
def online_exponential_monotone_phi(q, q_, omega, H, direction):
    """No shift is negative in either direction."""
    up = 1 if direction > 0 else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(adaptive_sparse_vector, epsilon="eps", queries="adaptive")
def online_adaptive_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper: shifts that one of a winner's two noises which made it win."""
    return H.shift(
        eta=1,
        xi_i=[1 + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[1 + q[i] - q_[i] if w[0] is not TOP and w[0] is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(adaptive_sparse_vector_monotone, epsilon="eps", adjacency="monotone", queries="adaptive")
def online_adaptive_monotone_phi(q, q_, omega, H, direction):
    """If answers fall, the threshold stays and a winner moves by q_i - q'_i; the direction is known beforehand."""
    up = 1 if direction > 0 else 0
    return H.shift(
        eta=up,
        xi_i=[up + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[up + q[i] - q_[i] if w[0] is not TOP and w[0] is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(sparse_numeric, epsilon="eps", queries="adaptive")
def online_numeric_phi(q, q_, omega, H, delta):
    """Raise the threshold, keep each winner above it, and keep its released answer by its own noise."""
    return H.shift(
        eta=delta,
        nu_i=[delta + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
        xi_i=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(sparse_vector_with_gap_geometric, epsilon="eps", queries="adaptive")
def online_geometric_phi(q, q_, omega, H):
    """Whole-numbered answers: there are countably many outputs, so any proof for fixed queries will do."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_with_gap_geometric_monotone, epsilon="eps", adjacency="monotone", queries="adaptive")
def online_geometric_monotone_phi(q, q_, omega, H):
    """With countably many outputs the direction may even be read off all answers."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(discrete_sparse_vector_with_gap, eta="eta1 + eta2", queries="adaptive")
def online_discrete_gap_phi(q, q_, omega, H, delta, w):
    """The alignment of Section 5 of Ilvento's paper, whose answers lie on a lattice."""
    return H.shift(
        rho=delta,
        nu_i=[moved(q[i], q_[i], w, delta, H.rho) if a is not BELOW else 0 for i, a in enumerate(omega)],
    )


@alignment(
    sparse_vector_with_gap_and_fresh_thresholds,
    epsilon="eps",
    queries="adaptive",
    invariant="threshold_ == threshold + 1",
)
def online_fresh_thresholds_phi(q, q_, omega, H):
    """A threshold that is drawn anew is raised by 1 like the first one."""
    return H.shift(
        first=1,
        fresh=[1 for w in omega],
        nu_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(sparse_vector_with_gap_geometric_in_steps, epsilon="eps", queries="adaptive")
def online_geometric_in_steps_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper: each shift reads its own answer and output only."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(adaptive_sparse_vector_geometric_in_steps, epsilon="eps", queries="adaptive")
def online_adaptive_in_steps_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper: shifts that one of a winner's two noises which made it win."""
    return H.shift(
        eta=1,
        xi_i=[1 + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[1 + q[i] - q_[i] if w[0] is not TOP and w[0] is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(
    adaptive_sparse_vector_geometric_in_steps_monotone, epsilon="eps", adjacency="monotone", queries="adaptive"
)
def online_adaptive_in_steps_monotone_phi(q, q_, omega, H, direction):
    """If answers fall, the threshold stays and a winner moves by q_i - q'_i; the direction is known beforehand."""
    up = 1 if direction > 0 else 0
    return H.shift(
        eta=up,
        xi_i=[up + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[up + q[i] - q_[i] if w[0] is not TOP and w[0] is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(sparse_vector_measuring_close_calls, epsilon="eps", queries="adaptive")
def online_close_calls_phi(q, q_, omega, H):
    """Raise the threshold, keep each winner's gap, and keep each measurement by its own noise."""
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w[0] is not BELOW else 0 for i, w in enumerate(omega)],
        e_i=[q[i] - q_[i] if w[0] is CLOSE else 0 for i, w in enumerate(omega)],
    )
