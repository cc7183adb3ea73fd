"""Sparse vector that measures close calls: a winner keeps its gap, and a measurement keeps its number."""

from alignkit import BELOW, alignment
from alignkit.mechanisms.measured_close_calls import CLOSE, sparse_vector_measuring_close_calls


@alignment(sparse_vector_measuring_close_calls, epsilon="eps")
def close_calls_phi(q, q_, omega, H):
    """Equation (2) of the VLDB Journal paper; the noise of a measurement makes up for the change of its answer."""
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w[0] is not BELOW else 0 for i, w in enumerate(omega)],
        e_i=[q[i] - q_[i] if w[0] is CLOSE else 0 for i, w in enumerate(omega)],
    )
