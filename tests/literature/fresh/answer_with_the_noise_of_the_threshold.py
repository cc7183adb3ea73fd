"""The first answer above a noisy threshold is told with the noise that the threshold has had.

Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential Privacy, PVLDB 2017, the fault of their
Algorithm 3, that noise which decided a comparison is told, here with the noise of the threshold.
"""

from alignkit import BELOW, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def answer_with_noise_of_threshold(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    for q_i in q:
        eta_i = noise.laplace(4 / eps)
        if q_i + eta_i >= T + eta:
            yield q_i + eta
            break
        yield BELOW


@alignment(answer_with_noise_of_threshold, epsilon="eps", expect="refuted")
def phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
