"""The Laplace mechanism and the noisy threshold test."""

from alignkit import ABOVE, alignment
from alignkit.mechanisms.laplace import laplace_mechanism, noisy_threshold_test


@alignment(laplace_mechanism, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    """Example 1 of the VLDB 2020 paper: the noise makes up for the change of each answer."""
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@alignment(noisy_threshold_test, epsilon="eps")
def threshold_phi(omega, H):
    """Example 2 of the VLDB 2020 paper: two local alignments, one for each output."""
    return H.shift(eta=100 if omega[0] is ABOVE else -100)


@alignment(noisy_threshold_test, epsilon="eps", expect="refuted")
def threshold_phi_as_printed(omega, H):
    """Example 2 of the VLDB 2020 paper, as its last display combines the two: with 1 instead of 100."""
    return H.shift(eta=1 if omega[0] is ABOVE else -1)
