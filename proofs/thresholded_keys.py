"""Alignments of keys that are released above a threshold: what the libraries state, and what holds.

A key that one of the two databases lacks is left out by it, whatever the noise. So the noise stays as it is, and must
stay below what the other one needs to release the key; delta pays for the rest.
"""

from alignkit import alignment, ceil, floor, log
from alignkit.mechanisms.thresholded_keys import (
    google_count_after,
    google_count_before,
    google_count_mended,
    google_selection,
    google_selection_above_one_half,
    key_with_retries,
    opendp_group_by,
    opendp_threshold,
    opendp_threshold_of_floats,
    stability_histogram,
    stability_histogram_of_two,
    tumult_partition_selection,
)


@alignment(
    opendp_threshold,
    epsilon="eps",
    delta="exp(-eps * tau) / (1 + exp(-eps))",
    adjacency="one",
    expect="undecided",
)
def opendp_threshold_phi_as_stated(q, q_, H, tau):
    """The tail above the threshold, though tau itself is released too: the true delta is exp(eps) times as large."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(
    opendp_threshold, epsilon="eps", delta="exp(-eps * (tau - 1)) / (1 + exp(-eps))", adjacency="one"
)
def opendp_threshold_phi(q, q_, H, tau):
    """What holds for one key, and is attained: the tail from the threshold on."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(
    opendp_threshold,
    epsilon="len(q) * eps",
    delta="len(q) * (exp(-eps * (tau - 1)) / (1 + exp(-eps)))",
    adjacency="each",
)
def opendp_threshold_of_each_phi(q, q_, H, tau):
    """What holds for a person who is in every key of the list."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(opendp_group_by, epsilon="eps", delta="exp(-eps * tau) / (1 + exp(-eps))", adjacency="one")
def opendp_group_by_phi(q, q_, H, tau):
    """The same tail as above is right where the threshold itself is not released."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau + 1 - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(
    opendp_group_by, epsilon="len(q) * eps", delta="len(q) * (exp(-eps * tau) / (1 + exp(-eps)))", adjacency="each"
)
def opendp_group_by_each_phi(q, q_, H, tau):
    """For a person in every key; with the probability that independent keys all stay hidden a little less would do."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau + 1 - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(
    opendp_threshold_of_floats, epsilon="d * eps", delta="d * exp(-eps * (tau - d)) / 2", adjacency="l1", expect="undecided"
)
def opendp_floats_phi_as_stated(q, q_, H, d, tau):
    """The distance d may be shared by many new keys: n of d / n each, so that the true delta comes near 1."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(opendp_threshold_of_floats, epsilon="d * eps", delta="exp(-eps * (tau - d)) / 2", adjacency="one")
def opendp_floats_phi(q, q_, H, d, tau):
    """What holds if one key has all of the change; the stated delta is d times this, too small for d below 1."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(
    opendp_threshold, epsilon="eps", delta="exp(-eps * (tau - 1)) / (1 + exp(-eps))", adjacency="one"
)
def tumult_phi(q, q_, H, tau):
    """Tumult's delta for one row, 1 - CDF(tau - 2), is the tail from tau - 1 on."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(
    tumult_partition_selection, epsilon="2 * eps", delta="2 * exp(-eps * (tau - 3)) / (1 + exp(-eps))", adjacency="one"
)
def tumult_two_rows_phi(q, q_, H, tau):
    """Tumult's delta for two rows is 2 exp(2 eps) times that for one row; half as much holds for groups of rows."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(google_selection, epsilon="eps", delta="a", adjacency="one")
def google_selection_phi(q, q_, H, p, a, eps):
    """One key, which has p people on one side and p - 1 on the other if it is new."""
    new = [(x < p) != (y < p) for x, y in zip(q, q_)]
    return H.shift(x=[0 if f else x - y for f, x, y in zip(new, q, q_)]).below(
        x=[p + log(1 / (2 * a)) / eps - max(x, y) if f else None for f, x, y in zip(new, q, q_)]
    )


@alignment(google_selection, epsilon="len(q) * eps", delta="len(q) * a", adjacency="each")
def google_selection_of_each_phi(q, q_, H, p, a, eps):
    """n keys of one person, with the sum of their deltas."""
    new = [(x < p) != (y < p) for x, y in zip(q, q_)]
    return H.shift(x=[0 if f else x - y for f, x, y in zip(new, q, q_)]).below(
        x=[p + log(1 / (2 * a)) / eps - max(x, y) if f else None for f, x, y in zip(new, q, q_)]
    )


@alignment(
    google_selection_above_one_half, epsilon="len(q) * eps", delta="len(q) * a", adjacency="each", expect="undecided"
)
def google_selection_above_one_half_phi_as_stated(q, q_, H, a, eps):
    """The threshold is for a above 1/2; below, a new key is released with probability 1 / (4 (1 - a)), more than a."""
    new = [(x <= 0) != (y <= 0) for x, y in zip(q, q_)]
    return H.shift(x=[0 if f else x - y for f, x, y in zip(new, q, q_)]).below(
        x=[1 + log(2 * (1 - a)) / eps - max(x, y) if f else None for f, x, y in zip(new, q, q_)]
    )


@alignment(google_selection_above_one_half, epsilon="eps", delta="1 / (4 * (1 - a))", adjacency="one")
def google_selection_above_one_half_phi(q, q_, H, a, eps):
    """What holds of one key for a below 1/2, and is no claim for a of 3/4 and more."""
    new = [(x <= 0) != (y <= 0) for x, y in zip(q, q_)]
    return H.shift(x=[0 if f else x - y for f, x, y in zip(new, q, q_)]).below(
        x=[1 + log(2 * (1 - a)) / eps - max(x, y) if f else None for f, x, y in zip(new, q, q_)]
    )


@alignment(google_count_before, epsilon="eps", delta="a", expect="undecided")
def google_count_before_phi_as_stated(q, q_, H, a, eps):
    """Rounded down, the threshold is up to 1 too low, and for rounded noise another 1/2."""
    new = (q <= 0) != (q_ <= 0)
    tau = floor(1 + log(1 / (2 * a)) / eps)
    return H.shift(x=0 if new else q - q_).below(x=tau - 1 / 2 - max(q, q_) if new else None)


@alignment(google_count_before, epsilon="eps", delta="a * exp(3 * eps / 2)")
def google_count_before_phi(q, q_, H, a, eps):
    """What holds: up to exp(3 eps / 2) times the stated delta."""
    new = (q <= 0) != (q_ <= 0)
    tau = floor(1 + log(1 / (2 * a)) / eps)
    return H.shift(x=0 if new else q - q_).below(x=tau - 1 / 2 - max(q, q_) if new else None)


@alignment(google_count_after, epsilon="eps", delta="a", expect="undecided")
def google_count_after_phi_as_stated(q, q_, H, a, eps):
    """Noise from tau - 3/2 on is rounded to tau - 1 and releases the key; the stated delta is the tail from tau - 1 on."""
    new = (q <= 0) != (q_ <= 0)
    tau = ceil(1 + log(1 / (2 * a)) / eps)
    return H.shift(x=0 if new else q - q_).below(x=tau - 1 / 2 - max(q, q_) if new else None)


@alignment(google_count_after, epsilon="eps", delta="a * exp(eps / 2)")
def google_count_after_phi(q, q_, H, a, eps):
    """What holds: up to exp(eps / 2) times the stated delta, which is attained where the threshold is whole."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=1 + log(1 / (2 * a)) / eps - 1 / 2 - max(q, q_) if new else None)


@alignment(google_count_mended, epsilon="eps", delta="a")
def google_count_mended_phi(q, q_, H, a, eps):
    """With 1/2 more the stated delta holds."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=1 + log(1 / (2 * a)) / eps - max(q, q_) if new else None)


@alignment(stability_histogram, epsilon="eps / 2", delta="d / 4", adjacency="one")
def stability_histogram_phi(q, q_, H, d, eps):
    """A row that is added changes one key; the threshold allows for twice two such keys."""
    new = [(x <= 0) != (y <= 0) for x, y in zip(q, q_)]
    return H.shift(x=[0 if f else x - y for f, x, y in zip(new, q, q_)]).below(
        x=[1 + 2 * log(2 / d) / eps - max(x, y) if f else None for f, x, y in zip(new, q, q_)]
    )


@alignment(stability_histogram_of_two, epsilon="eps", delta="d")
def stability_histogram_of_two_phi(a, a_, b, b_, H, d, eps):
    """A row that is replaced changes two keys, and the textbook's claim holds with d / 2 for delta."""
    tau = 1 + 2 * log(2 / d) / eps
    new_a = (a <= 0) != (a_ <= 0)
    new_b = (b <= 0) != (b_ <= 0)
    return H.shift(x=0 if new_a else a - a_, y=0 if new_b else b - b_).below(
        x=tau - max(a, a_) if new_a else None, y=tau - max(b, b_) if new_b else None
    )


@alignment(key_with_retries, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2", expect="refuted")
def key_with_retries_phi_as_one(q, q_, H, omega, tau, k):
    """Each try costs: that a key was not released before says how large its count is."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=[0 if new else q - q_ for i in range(k)]).below(
        x=[tau - max(q, q_) if new else None for i in range(k)]
    )


@alignment(key_with_retries, epsilon="k * eps", delta="k * exp(-eps * (tau - 1)) / 2")
def key_with_retries_phi(q, q_, H, tau, k):
    """k tries cost k times as much, and pass the threshold with k times the probability at most."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=[0 if new else q - q_ for i in range(k)]).below(
        x=[tau - max(q, q_) if new else None for i in range(k)]
    )
