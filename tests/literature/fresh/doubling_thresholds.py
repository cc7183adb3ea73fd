"""A stream's running total is held against a threshold that doubles whenever it is passed.

Henzinger, Sricharan and Steiner, Differentially Private Data Structures under Continual Observation for Histograms and
Related Queries, 2023: the stream is cut where the noisy total passes a growing threshold. At most k thresholds.
"""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Positive, Queries, alignment, mechanism


@mechanism
def doubling_thresholds(q: Queries, start: Positive, k: Count, eps: Epsilon, noise: Noise):
    tau = noise.laplace(2 / eps)
    total = 0
    threshold = start
    passed = 0
    for q_i in q:
        total += q_i
        mu_i = noise.laplace(4 * k / eps)
        if total + mu_i >= threshold + tau:
            yield ABOVE
            threshold = 2 * threshold
            passed += 1
            if passed >= k:
                break
        else:
            yield BELOW


@alignment(doubling_thresholds, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(
        tau=1,
        mu_i=[1 + sum(q[j] - q_[j] for j in range(i + 1)) if w is ABOVE else 0 for i, w in enumerate(omega)],
    )
