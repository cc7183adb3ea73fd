"""Keys that are released where their noisy count passes a threshold, as four libraries and the textbooks do it.

Each mechanism draws for every key of a public list. A key that is not in the database has the count 0, gives NOTHING,
and changes nothing else. The budget eps is that of one key, one over the scale of its noise: the library's budget
divided by the number of keys that one person may be in. docs/thresholded_keys.md says what the model leaves out.

The sources, each at the commit that is named first:

* opendp/opendp bc6e18b86, in `rust/src`: `measurements/noise_threshold/mod.rs` lines 100-115 (what is kept),
  `measurements/noise_threshold/distribution/laplace/mod.rs` lines 135-178 (delta), `accuracy/tail_bounds/mod.rs` lines
  47-69 (the tail), `measurements/make_private_lazyframe/group_by/mod.rs` lines 152-157 and 288-301; before commit
  286ce37ce `measurements/laplace_threshold/mod.rs` lines 83-159.
* opendp/tumult-core 1dc7b93, `src/tmlt/core/measurements/spark_measurements.py` lines 552-587.
* google/differential-privacy b5b0286e, `cc/algorithms/partition-selection.h` lines 309-356 and 388-405,
  `go/dpagg/count.go` lines 194-209, `go/noise/laplace_noise.go` lines 119-130 and 226-233,
  `java/main/com/google/privacy/differentialprivacy/Count.java` lines 211-239 and `LaplaceNoise.java` lines 144-157;
  before commit d51eedc `go/dpagg/count.go` line 193.
* OpenMined/PipelineDP ec6e56e, `pipeline_dp/partition_selection.py` lines 33-48 and 102-138, and OpenMined/PyDP
  a840a97, `src/bindings/PyDP/algorithms/partition_selection_strategies.cpp`: both call Google's C++.
"""

from typing import Annotated

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Lattice,
    Noise,
    Positive,
    Proportion,
    Queries,
    Query,
    Real,
    Sensitivity,
    Tag,
    ceil,
    floor,
    log,
    mechanism,
)

NOTHING = Tag("NOTHING")

WholeCount = Annotated[Query, Lattice(1)]
WholeCounts = Annotated[Queries, Lattice(1)]
Whole = Annotated[Real, Lattice(1)]


@mechanism
def opendp_threshold(q: WholeCounts, tau: Whole, eps: Epsilon, noise: Noise):
    """OpenDP's make_laplace_threshold since commit 286ce37ce: discrete noise, kept at tau and above."""
    for q_i in q:
        x = noise.discrete_laplace(1 / eps)
        if q_i > 0 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def opendp_group_by(q: WholeCounts, tau: Whole, eps: Epsilon, noise: Noise):
    """OpenDP's group_by over private keys in a lazy frame: discrete noise, kept above tau."""
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
    """OpenDP's make_laplace_threshold before commit 286ce37ce: values that need not be whole, kept from tau on."""
    for q_i in q:
        x = noise.laplace(1 / eps)
        if q_i > 0 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def tumult_partition_selection(q: WholeCounts, tau: Whole, eps: Epsilon, noise: Noise):
    """Tumult Core's GeometricPartitionSelection, for databases that differ in one row."""
    for q_i in q:
        x = noise.discrete_laplace(1 / eps)
        if q_i > 0 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def tumult_partition_selection_of_two_rows(
    q: Annotated[Queries, Sensitivity(2), Lattice(1)], tau: Whole, eps: Epsilon, noise: Noise
):
    """The same for databases that differ in two rows, both of one key."""
    for q_i in q:
        x = noise.discrete_laplace(1 / eps)
        if q_i > 0 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def google_selection(q: WholeCounts, p: Count, a: Proportion, eps: Epsilon, noise: Noise):
    """Google's LaplacePartitionSelection in C++, which PyDP and PipelineDP call.

    The delta of one key is a, and fewer than p people, the pre-threshold, never release a key.
    """
    for q_i in q:
        x = noise.laplace(1 / eps)
        if q_i > p - 1 and q_i + x > p + log(1 / (2 * a)) / eps:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def google_selection_for_large_delta(q: WholeCounts, a: Proportion, eps: Epsilon, noise: Noise):
    """The other threshold of LaplacePartitionSelection: it is taken where the delta of all keys is above 1/2."""
    for q_i in q:
        x = noise.laplace(1 / eps)
        if q_i > 0 and q_i + x > 1 + log(2 * (1 - a)) / eps:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def google_count_before(q: WholeCount, a: Proportion, eps: Epsilon, noise: Noise):
    """Google's Count.ThresholdedResult in Go before commit d51eedc: the threshold is cut down to a whole number.

    Rounding is to the nearest whole number; floor(x + 1/2) is that but for a tie, which has probability 0.
    """
    x = noise.laplace(1 / eps)
    if q > 0 and floor(q + x + 1 / 2) >= floor(1 + log(1 / (2 * a)) / eps):
        return floor(q + x + 1 / 2)
    return NOTHING


@mechanism
def google_count_after(q: WholeCount, a: Proportion, eps: Epsilon, noise: Noise):
    """Count.ThresholdedResult in Go since commit d51eedc, and in Java: the threshold is rounded up."""
    x = noise.laplace(1 / eps)
    if q > 0 and floor(q + x + 1 / 2) >= ceil(1 + log(1 / (2 * a)) / eps):
        return floor(q + x + 1 / 2)
    return NOTHING


@mechanism
def google_count_mended(q: WholeCount, a: Proportion, eps: Epsilon, noise: Noise):
    """What would do: the threshold is raised by 1/2 before it is rounded up."""
    x = noise.laplace(1 / eps)
    if q > 0 and floor(q + x + 1 / 2) >= ceil(3 / 2 + log(1 / (2 * a)) / eps):
        return floor(q + x + 1 / 2)
    return NOTHING


@mechanism
def stability_histogram(q: Queries, d: Proportion, eps: Epsilon, noise: Noise):
    """The textbooks' histogram by stability: noise of scale 2 / eps, and the threshold 1 + 2 log(2 / d) / eps."""
    for q_i in q:
        x = noise.laplace(2 / eps)
        if q_i > 0 and q_i + x >= 1 + 2 * log(2 / d) / eps:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def stability_histogram_of_two(a: Query, b: Query, d: Proportion, eps: Epsilon, noise: Noise):
    """The two keys that differ where a person's row is replaced: one key loses a row, and another one gains it."""
    tau = 1 + 2 * log(2 / d) / eps
    x = noise.laplace(2 / eps)
    y = noise.laplace(2 / eps)
    return (
        a + x if a > 0 and a + x >= tau else NOTHING,
        b + y if b > 0 and b + y >= tau else NOTHING,
    )


@mechanism
def key_with_retries(q: Query, tau: Positive, k: Count, eps: Epsilon, noise: Noise):
    """A key is tried until its noisy count passes the threshold, and given up after k tries."""
    for i in range(k):
        x = noise.laplace(1 / eps)
        if q > 0 and q + x >= tau:
            return (i, q + x)
    return NOTHING


@mechanism
def truncated_selection(q: WholeCounts, m: Count, eps: Epsilon, noise: Noise):
    """Discrete noise that is cut off at m either way, kept above m: a key that is not there never passes.

    For the delta that this has, Google's optimal selection keeps a key with the same probability at every count.
    """
    for q_i in q:
        x = noise.discrete_laplace(1 / eps, within=m)
        if q_i + x > m:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def sparse_vector_with_cut_noise(q: Queries, T: Real, A: Positive, eps: Epsilon, noise: Noise):
    """Sparse vector for one winner: the noise of each answer is cut off at A either way, and that of T is not."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        x = noise.laplace(4 / eps, within=A)
        if q_i + x >= T + eta:
            yield ABOVE
            break
        else:
            yield BELOW
