"""The alignment of Noisy Max, tried on mechanisms it does not fit."""

from alignkit import alignment
from alignkit.mechanisms.noisy_max_broken import noisy_max_with_half_the_noise, noisy_max_with_maximum


@alignment(noisy_max_with_maximum, epsilon="eps", expect="refuted")
def maximum_phi(q, q_, omega, H):
    """The shift that keeps the winner ahead changes the maximum that is released."""
    best, maximum = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])


@alignment(noisy_max_with_half_the_noise, epsilon="eps", expect="refuted")
def half_the_noise_phi(q, q_, omega, H):
    """Right for counting queries; here the winner's shift may be 2, which costs 2 eps."""
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
