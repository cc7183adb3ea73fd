"""Alignments of selections and measurements in released code: what was claimed, and what holds."""

from alignkit import ABOVE, alignment
from alignkit.mechanisms.in_the_wild_selection import (
    conditional_counts_after,
    conditional_counts_before,
    gumbel_max,
    gumbel_max_inverted,
    jam_selection_after,
    jam_selection_before,
    mwem_measurement_after,
    mwem_measurement_before,
    prefix_sum_threshold,
    regression_shares_after,
    regression_shares_before,
    sum_of_squares_both_bounds,
    sum_of_squares_lower_bound,
)


@alignment(mwem_measurement_before, epsilon="eps", expect="refuted")
def mwem_measurement_before_phi_as_claimed(q, q_, H):
    """The noise makes up for the change of the query, at a cost of eps for each dimension."""
    return H.shift(e=q - q_)


@alignment(mwem_measurement_before, epsilon="dimensions * eps")
def mwem_measurement_before_phi(q, q_, H):
    """What holds: the division by the dimensions multiplies the loss by them."""
    return H.shift(e=q - q_)


@alignment(mwem_measurement_after, epsilon="eps")
def mwem_measurement_after_phi(q, q_, H):
    """The noise makes up for the change of the query."""
    return H.shift(e=q - q_)


@alignment(jam_selection_before, epsilon="eps", expect="refuted")
def jam_before_phi_as_claimed(e, e_, p, p_, omega, H):
    """A score may change by 4, and the chosen one makes up for its own change and for that of the others."""
    return H.shift(
        g=[4 + (e[i] - p[i]) - (e_[i] - p_[i]) if i == omega else 0 for i in range(len(e))]
    )


@alignment(jam_selection_before, epsilon="2 * eps")
def jam_before_phi(e, e_, p, p_, omega, H):
    """What holds: with half the noise that the scores need, the loss is twice the claim."""
    return H.shift(
        g=[4 + (e[i] - p[i]) - (e_[i] - p_[i]) if i == omega else 0 for i in range(len(e))]
    )


@alignment(jam_selection_after, epsilon="eps")
def jam_after_phi(e, e_, p, p_, omega, H):
    """The same shift, with noise for a sensitivity of 4."""
    return H.shift(
        g=[4 + (e[i] - p[i]) - (e_[i] - p_[i]) if i == omega else 0 for i in range(len(e))]
    )


@alignment(gumbel_max_inverted, epsilon="eps")
def gumbel_max_inverted_phi(u, u_, omega, delta, H):
    """Raises the reported item by delta and by the rise of its score: privacy does not see the direction."""
    return H.shift(g=[delta + u_[i] - u[i] if i == omega else 0 for i in range(len(u))])


@alignment(gumbel_max, epsilon="eps")
def gumbel_max_phi(u, u_, omega, delta, H):
    """Raises the reported item by delta and by the fall of its score."""
    return H.shift(g=[delta + u[i] - u_[i] if i == omega else 0 for i in range(len(u))])


@alignment(prefix_sum_threshold, epsilon="3 * d * eps", adjacency="monotone")
def prefix_sum_phi(s, s_, t, t_, d, omega, H):
    """Raises the threshold above every loser: by d where sums rise, by its own fall where they fall."""
    falls = t_ < t or any(w is ABOVE and s_[i] < s[i] for i, w in enumerate(omega))
    level = 0 if falls else d
    return H.shift(
        eta=level + t - t_,
        e_i=[level + s[i] - s_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
    )


@alignment(conditional_counts_before, epsilon="eps", adjacency="l1", expect="refuted")
def conditional_counts_before_phi(q, q_, H):
    """Each count makes up for its change, at rows times half the cost that was meant."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(conditional_counts_before, epsilon="rows * delta / 2 * eps", adjacency="l1")
def conditional_counts_before_bound_phi(q, q_, H):
    """What holds: the loss grows with the number of rows."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(conditional_counts_after, epsilon="delta * eps", adjacency="l1")
def conditional_counts_after_phi(q, q_, H):
    """eps if a row is added or removed (delta = 1), and 2 eps if a row is replaced (delta = 2)."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(sum_of_squares_lower_bound, epsilon="eps", expect="refuted")
def lower_bound_phi_as_claimed(s, s_, H):
    """One record may change the sum by the square of the upper bound."""
    return H.shift(e=s - s_)


@alignment(sum_of_squares_lower_bound, epsilon="largest_square / (lower * lower) * eps")
def lower_bound_phi(s, s_, H):
    """What holds: the loss grows as the lower bound goes to 0."""
    return H.shift(e=s - s_)


@alignment(sum_of_squares_both_bounds, epsilon="eps")
def both_bounds_phi(s, s_, H):
    """The noise makes up for the largest change."""
    return H.shift(e=s - s_)


@alignment(regression_shares_before, epsilon="eps", expect="refuted")
def regression_before_phi_as_claimed(x, x_, y, y_, z, z_, H):
    """The share of the means is spent twice."""
    return H.shift(e=x - x_, f=y - y_, g=z - z_)


@alignment(regression_shares_before, epsilon="(1 + share) * eps")
def regression_before_phi(x, x_, y, y_, z, z_, H):
    """What holds: the share once more than the claim."""
    return H.shift(e=x - x_, f=y - y_, g=z - z_)


@alignment(regression_shares_after, epsilon="eps")
def regression_after_phi(x, x_, y, y_, z, z_, H):
    """Half of the share for each mean."""
    return H.shift(e=x - x_, f=y - y_, g=z - z_)
