"""Adaptive sparse vector: raise the threshold, and the noise that decided for each winner."""

from alignkit import alignment
from alignkit.mechanisms.adaptive_sparse_vector import MIDDLE, TOP, adaptive_sparse_vector_2020


@alignment(adaptive_sparse_vector_2020, epsilon="eps", invariant="cost <= eps - 2 * eps2")
def phi_2020(q, q_, omega, H):
    """Equation (5) of the VLDB 2020 paper: of a winner's two noises, the one that made it a winner."""
    return H.shift(
        eta=1,
        xi_i=[1 + q[i] - q_[i] if w[0] is TOP else 0 for i, w in enumerate(omega)],
        eta_i=[1 + q[i] - q_[i] if w[0] is MIDDLE else 0 for i, w in enumerate(omega)],
    )
