"""A counter for a stream without an end: after 1, 2, 4, 8, … answers it adds the noisy sum of those since.

Chan, Shi and Song, Private and Continual Release of Statistics, ICALP 2010, the Logarithmic Mechanism.
"""

from alignkit import BELOW, Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def logarithmic_counter(q: Queries, eps: Epsilon, noise: Noise):
    beta = 0
    since = 0
    mark = 1
    for i, q_i in enumerate(q):
        since += q_i
        if i + 1 == mark:
            e_i = noise.laplace(1 / eps)
            beta = beta + since + e_i
            since = 0
            mark = 2 * mark
            yield beta
        else:
            yield BELOW


@alignment(logarithmic_counter, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(
        e_i=[
            sum(q[j] - q_[j] for j in range((i + 1) // 2, i + 1)) if w is not BELOW else 0
            for i, w in enumerate(omega)
        ]
    )
