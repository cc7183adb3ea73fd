"""A mechanism whose alignment changes volumes: what the general theorem is for.

The theorem is Theorem 8 of the VLDB Journal extension (Theorem 4 of the VLDB 2020 paper); the mechanism is ours.
Alignments that are one-to-one without being acyclic are those of one-sided Noisy Max and Top-K with Gap.
"""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Query, clamp, mechanism


@mechanism
def one_sided_threshold_test(q: Query, eps: Epsilon, noise: Noise):
    """Does exponential noise reach the answer, clamped to [1, 2]?"""
    level = clamp(q, 1, 2)
    eta = noise.exponential(1 / eps)
    if eta >= level:
        yield ABOVE
    else:
        yield BELOW
