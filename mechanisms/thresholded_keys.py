"""Keys that are released where their noisy count passes a threshold, as four libraries do it, and as textbooks do.

docs/thresholded_keys.md names repositories, commits and lines. Each mechanism draws for every key of a public list. A
key that is not in the database has the count 0, gives NOTHING, and changes nothing else. The budget eps is that of one
key: one over the scale of its noise.
"""

from typing import Annotated

from alignkit import Count, Epsilon, Lattice, Noise, Positive, Proportion, Queries, Query, Sensitivity, Tag, ceil
from alignkit import floor, log, mechanism

NOTHING = Tag("NOTHING")

WholeCount = Annotated[Query, Lattice(1)]
WholeCounts = Annotated[Queries, Lattice(1)]


@mechanism
def opendp_threshold(q: WholeCounts, tau: Count, eps: Epsilon, noise: Noise):
    """OpenDP's make_laplace_threshold since 286ce37ce, as of bc6e18b86: discrete noise, kept at tau and above."""
    for q_i in q:
        x = noise.discrete_laplace(1 / eps)
        if q_i > 0 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def opendp_group_by(q: WholeCounts, tau: Count, eps: Epsilon, noise: Noise):
    """OpenDP's make_private_group_by as of bc6e18b86: discrete noise, kept above tau."""
    for q_i in q:
        x = noise.discrete_laplace(1 / eps)
        if q_i > 0 and q_i + x > tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def opendp_threshold_of_floats(
    q: Annotated[Queries, Sensitivity("d")], d: Positive, tau: Positive, eps: Epsilon, noise: Noise
):
    """OpenDP's make_laplace_threshold before 286ce37ce: values that need not be whole, kept at tau and above."""
    for q_i in q:
        x = noise.laplace(1 / eps)
        if q_i > 0 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def tumult_partition_selection(
    q: Annotated[Queries, Sensitivity(2), Lattice(1)], tau: Count, eps: Epsilon, noise: Noise
):
    """Tumult Core's GeometricPartitionSelection as of 1dc7b93; two rows may be added to a key or taken from it."""
    for q_i in q:
        x = noise.discrete_laplace(1 / eps)
        if q_i > 0 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def google_selection(q: WholeCounts, p: Count, a: Proportion, eps: Epsilon, noise: Noise):
    """Google's LaplacePartitionSelection as of b5b0286e, which PyDP and PipelineDP call; p is the pre-threshold."""
    for q_i in q:
        x = noise.laplace(1 / eps)
        if q_i >= p and q_i + x > p + log(1 / (2 * a)) / eps:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def google_selection_above_one_half(q: WholeCounts, a: Proportion, eps: Epsilon, noise: Noise):
    """The other threshold of LaplacePartitionSelection, which it takes where delta, not a, is above 1/2."""
    for q_i in q:
        x = noise.laplace(1 / eps)
        if q_i > 0 and q_i + x > 1 + log(2 * (1 - a)) / eps:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def google_count_before(q: WholeCount, a: Proportion, eps: Epsilon, noise: Noise):
    """Google's Count.ThresholdedResult in Go before d51eedc: the noise is rounded, and the threshold rounded down."""
    x = noise.laplace(1 / eps)
    tau = 1 + log(1 / (2 * a)) / eps
    if q > 0 and round(q + x) >= floor(tau):
        return round(q + x)
    return NOTHING


@mechanism
def google_count_after(q: WholeCount, a: Proportion, eps: Epsilon, noise: Noise):
    """The same as of b5b0286e: the threshold is rounded up, and the noise to the nearest whole number."""
    x = noise.laplace(1 / eps)
    tau = 1 + log(1 / (2 * a)) / eps
    if q > 0 and round(q + x) >= ceil(tau):
        return round(q + x)
    return NOTHING


@mechanism
def google_count_mended(q: WholeCount, a: Proportion, eps: Epsilon, noise: Noise):
    """What would do: the threshold is raised by 1/2 before it is rounded up, for the rounded noise."""
    x = noise.laplace(1 / eps)
    tau = 1 + log(1 / (2 * a)) / eps
    if q > 0 and round(q + x) >= ceil(tau + 1 / 2):
        return round(q + x)
    return NOTHING


@mechanism
def stability_histogram(q: Queries, d: Proportion, eps: Epsilon, noise: Noise):
    """The textbook's stability-based histogram, with the threshold 1 + 2 log(2 / d) / eps."""
    for q_i in q:
        x = noise.laplace(2 / eps)
        if q_i > 0 and q_i + x >= 1 + 2 * log(2 / d) / eps:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def stability_histogram_of_two(a: Query, b: Query, d: Proportion, eps: Epsilon, noise: Noise):
    """The two keys that differ where the row of one person is another: one loses the row, and one gains it."""
    x = noise.laplace(2 / eps)
    y = noise.laplace(2 / eps)
    tau = 1 + 2 * log(2 / d) / eps
    return (
        a + x if a > 0 and a + x >= tau else NOTHING,
        b + y if b > 0 and b + y >= tau else NOTHING,
    )


@mechanism
def key_with_retries(q: Query, tau: Positive, k: Count, eps: Epsilon, noise: Noise):
    """A key that is tried up to k times, with fresh noise, until its noisy count passes the threshold."""
    for i in range(k):
        x = noise.laplace(1 / eps)
        if q > 0 and q + x >= tau:
            return (i, q + x)
    return NOTHING
