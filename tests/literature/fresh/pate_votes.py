"""PATE: the teachers vote on one example after another, and the label with the most noisy votes is told.

Papernot, Abadi, Erlingsson, Goodfellow and Talwar, Semi-supervised Knowledge Transfer for Deep Learning from Private
Training Data, ICLR 2017, the noisy-max aggregation. The votes on all examples stand in one list.
"""

from alignkit import Count, Noise, Positive, Queries, alignment, largest, mechanism


@mechanism
def pate_votes(n: Queries, classes: Count, gamma: Positive, noise: Noise):
    for r in range(len(n) // classes):
        e = [noise.laplace(1 / gamma) for c in range(classes)]
        (label,) = largest([n[r * classes + c] + e[c] for c in range(classes)], 1)
        yield label


@alignment(pate_votes, epsilon="2 * gamma * (len(n) // classes)")
def phi(n, n_, classes, omega, H):
    return H.shift(
        e=[
            [1 + n[r * classes + c] - n_[r * classes + c] if c == label else 0 for c in range(classes)]
            for r, label in enumerate(omega)
        ]
    )
