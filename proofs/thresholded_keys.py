"""Alignments of keys that are released above a threshold: what the libraries claim, and what holds.

A key that one of two databases lacks is left out there, whatever the noise. So the noise of a new key stays as it is,
and must stay below what the other database needs to release the key; delta pays for the rest. In
docs/thresholded_keys.md each claim stands beside the delta that is true.
"""

from alignkit import ABOVE, alignment, log
from alignkit.mechanisms.thresholded_keys import (
    google_count_after,
    google_count_before,
    google_count_mended,
    google_selection,
    google_selection_for_large_delta,
    key_with_retries,
    opendp_group_by,
    opendp_threshold,
    opendp_threshold_of_floats,
    sparse_vector_with_cut_noise,
    stability_histogram,
    stability_histogram_of_two,
    truncated_selection,
    tumult_partition_selection,
    tumult_partition_selection_of_two_rows,
)


@alignment(
    opendp_threshold, epsilon="eps", delta="exp(-eps * tau) / (1 + exp(-eps))", adjacency="one", expect="refuted"
)
def opendp_phi_as_claimed(q, q_, H, tau):
    """The tail above tau, though tau itself is released: the true delta is exp(eps) times as much."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(opendp_threshold, epsilon="eps", delta="exp(-eps * (tau - 1)) / (1 + exp(-eps))", adjacency="one")
def opendp_phi(q, q_, H, tau):
    """What holds of a person in one key, and is attained: the tail from tau - 1 on."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(
    opendp_threshold, epsilon="len(q) * eps", delta="len(q) * exp(-eps * (tau - 1)) / (1 + exp(-eps))", adjacency="each"
)
def opendp_each_phi(q, q_, H, tau):
    """What holds of a person in every key of the list."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(opendp_group_by, epsilon="eps", delta="exp(-eps * tau) / (1 + exp(-eps))", adjacency="one")
def opendp_group_by_phi(q, q_, H, tau):
    """The delta that is too small above is right here, where tau itself is not released."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau + 1 - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(
    opendp_group_by, epsilon="len(q) * eps", delta="len(q) * exp(-eps * tau) / (1 + exp(-eps))", adjacency="each"
)
def opendp_group_by_each_phi(q, q_, H, tau):
    """n keys; that of independent keys none is released, which OpenDP states, has a slightly smaller delta."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau + 1 - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(
    opendp_threshold_of_floats,
    epsilon="d * eps",
    delta="d * exp(-eps * (tau - d)) / 2",
    adjacency="l1",
    expect="refuted",
)
def opendp_floats_phi_as_claimed(q, q_, H, d, tau):
    """The distance d may be shared by n new keys of d / n each; the true delta has 1 as its limit."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(
    opendp_threshold_of_floats,
    epsilon="d * eps",
    delta="d * exp(-eps * (tau - d)) / 2",
    adjacency="one",
    expect="refuted",
)
def opendp_floats_one_key_phi_as_claimed(q, q_, H, d, tau):
    """Even if one key has all of the change, the factor d is wrong for d below 1."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(opendp_threshold_of_floats, epsilon="d * eps", delta="exp(-eps * (tau - d)) / 2", adjacency="one")
def opendp_floats_one_key_phi(q, q_, H, d, tau):
    """What holds, and is attained, if one key has all of the change."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(tumult_partition_selection, epsilon="eps", delta="exp(-eps * (tau - 1)) / (1 + exp(-eps))", adjacency="one")
def tumult_phi(q, q_, H, tau):
    """Tumult's 1 - CDF(tau - 2) is the tail from tau - 1 on."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(
    tumult_partition_selection_of_two_rows,
    epsilon="2 * eps",
    delta="2 * exp(-eps * (tau - 3)) / (1 + exp(-eps))",
    adjacency="one",
)
def tumult_two_rows_phi(q, q_, H, tau):
    """Tumult's delta for two rows is 2 exp(2 eps) times that for one, and more than is needed."""
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(google_selection, epsilon="eps", delta="a", adjacency="one")
def google_selection_phi(q, q_, H, p, a, eps):
    """A new key has p people on one side, and p - 1 on the other."""
    new = [(x <= p - 1) != (y <= p - 1) for x, y in zip(q, q_)]
    return H.shift(x=[0 if f else x - y for f, x, y in zip(new, q, q_)]).below(
        x=[p + log(1 / (2 * a)) / eps - max(x, y) if f else None for f, x, y in zip(new, q, q_)]
    )


@alignment(google_selection, epsilon="len(q) * eps", delta="len(q) * a", adjacency="each")
def google_selection_each_phi(q, q_, H, p, a, eps):
    """n keys of one person, with the sum of their deltas."""
    new = [(x <= p - 1) != (y <= p - 1) for x, y in zip(q, q_)]
    return H.shift(x=[0 if f else x - y for f, x, y in zip(new, q, q_)]).below(
        x=[p + log(1 / (2 * a)) / eps - max(x, y) if f else None for f, x, y in zip(new, q, q_)]
    )


@alignment(
    google_selection_for_large_delta, epsilon="len(q) * eps", delta="len(q) * a", adjacency="each", expect="refuted"
)
def google_large_delta_phi_as_claimed(q, q_, H, a, eps):
    """Where a is below 1/2, a new key is released with probability 1 / (4 (1 - a)), which is more than a."""
    new = [(x <= 0) != (y <= 0) for x, y in zip(q, q_)]
    return H.shift(x=[0 if f else x - y for f, x, y in zip(new, q, q_)]).below(
        x=[1 + log(2 * (1 - a)) / eps - max(x, y) if f else None for f, x, y in zip(new, q, q_)]
    )


@alignment(google_count_before, epsilon="eps", delta="a", expect="refuted")
def google_count_before_phi_as_claimed(q, q_, H, a, eps):
    """The threshold is up to 1 too low, and the noise is rounded up by up to 1/2."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=log(1 / (2 * a)) / eps - 1 / 2 - max(q, q_) if new else None)


@alignment(google_count_before, epsilon="eps", delta="a * exp(3 * eps / 2)")
def google_count_before_phi(q, q_, H, a, eps):
    """What holds: exp(3 eps / 2) times the delta that is claimed."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=log(1 / (2 * a)) / eps - 1 / 2 - max(q, q_) if new else None)


@alignment(google_count_after, epsilon="eps", delta="a", expect="refuted")
def google_count_after_phi_as_claimed(q, q_, H, a, eps):
    """The noise is rounded up by up to 1/2, for which the threshold does not allow."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=log(1 / (2 * a)) / eps + 1 / 2 - max(q, q_) if new else None)


@alignment(google_count_after, epsilon="eps", delta="a * exp(eps / 2)")
def google_count_after_phi(q, q_, H, a, eps):
    """What holds: exp(eps / 2) times the delta that is claimed, attained where the threshold is whole."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=log(1 / (2 * a)) / eps + 1 / 2 - max(q, q_) if new else None)


@alignment(google_count_mended, epsilon="eps", delta="a")
def google_count_mended_phi(q, q_, H, a, eps):
    """With 1/2 more the claim holds."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=1 + log(1 / (2 * a)) / eps - max(q, q_) if new else None)


@alignment(stability_histogram, epsilon="eps / 2", delta="d / 4", adjacency="one")
def stability_histogram_phi(q, q_, H, d, eps):
    """A row that is added changes one key, and the textbooks allow for two keys and then some."""
    new = [(x <= 0) != (y <= 0) for x, y in zip(q, q_)]
    return H.shift(x=[0 if f else x - y for f, x, y in zip(new, q, q_)]).below(
        x=[1 + 2 * log(2 / d) / eps - max(x, y) if f else None for f, x, y in zip(new, q, q_)]
    )


@alignment(stability_histogram_of_two, epsilon="eps", delta="d / 2")
def stability_histogram_of_two_phi(a, a_, b, b_, H, d, eps):
    """A row that is replaced changes two keys; the textbooks claim d, and d / 2 holds."""
    tau = 1 + 2 * log(2 / d) / eps
    new_a = (a <= 0) != (a_ <= 0)
    new_b = (b <= 0) != (b_ <= 0)
    return H.shift(x=0 if new_a else a - a_, y=0 if new_b else b - b_).below(
        x=tau - max(a, a_) if new_a else None, y=tau - max(b, b_) if new_b else None
    )


@alignment(key_with_retries, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2", expect="refuted")
def key_with_retries_phi_as_of_one_try(q, q_, H, tau, k):
    """Each try that fails says that the count is not large, and a new key has k chances."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=[0 if new else q - q_ for i in range(k)]).below(
        x=[tau - max(q, q_) if new else None for i in range(k)]
    )


@alignment(key_with_retries, epsilon="k * eps", delta="k * exp(-eps * (tau - 1)) / 2")
def key_with_retries_phi(q, q_, H, tau, k):
    """k tries cost k times as much."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=[0 if new else q - q_ for i in range(k)]).below(
        x=[tau - max(q, q_) if new else None for i in range(k)]
    )


@alignment(
    truncated_selection,
    epsilon="eps",
    delta="(1 - exp(-eps)) * exp(-eps * m) / (1 + exp(-eps) - 2 * exp(-eps * (m + 1)))",
    adjacency="one",
)
def truncated_selection_phi(q, q_, H, m):
    """Every key moves by its change, and noise at the end of its range cannot."""
    return (
        H.shift(x=[a - b for a, b in zip(q, q_)])
        .below(x=[m if a > b else None for a, b in zip(q, q_)])
        .above(x=[-m if a < b else None for a, b in zip(q, q_)])
    )


@alignment(
    truncated_selection,
    epsilon="len(q) * eps",
    delta="len(q) * (1 - exp(-eps)) * exp(-eps * m) / (1 + exp(-eps) - 2 * exp(-eps * (m + 1)))",
    adjacency="each",
)
def truncated_selection_each_phi(q, q_, H, m):
    """n keys of one person."""
    return (
        H.shift(x=[a - b for a, b in zip(q, q_)])
        .below(x=[m if a > b else None for a, b in zip(q, q_)])
        .above(x=[-m if a < b else None for a, b in zip(q, q_)])
    )


@alignment(
    sparse_vector_with_cut_noise,
    epsilon="eps",
    delta="len(q) * (exp(eps / 2) - 1) / (2 * (exp(A * eps / 4) - 1))",
)
def sparse_vector_with_cut_noise_phi(q, q_, omega, H, A):
    """A winner moves by up to 2, for which its noise must leave room; noise decides who wins, so all are charged."""
    return H.shift(eta=1, x=[1 + a - b if w is ABOVE else 0 for w, a, b in zip(omega, q, q_)]).below(
        x=[A - 2 for a in q]
    )
