"""The discrete Laplace mechanism: the noise makes up for the change of each answer, a multiple of the lattice."""

from alignkit import alignment
from alignkit.mechanisms.discrete_laplace import discrete_laplace_mechanism, discrete_laplace_mechanism_base2


@alignment(discrete_laplace_mechanism, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    """As for Laplace noise: the noise makes up for the change of each answer."""
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@alignment(discrete_laplace_mechanism_base2, eta="eta * delta")
def base2_phi(q, q_, H):
    """The noise makes up for the change of the answer."""
    return H.shift(xi=q - q_)
