"""Sums, counts and running totals: the noise makes up for what the sum has changed by."""

from alignkit import ABOVE, alignment, clamp
from alignkit.mechanisms.sums import (
    clipped_sum,
    noisy_average,
    noisy_count,
    noisy_counter,
    noisy_sum,
    prefix_sums,
    sliding_windows,
    smart_sum,
    sparse_totals,
)


@alignment(noisy_sum, epsilon="eps", adjacency="l1")
def sum_phi(q, q_, H):
    """The sum changes by at most as much as the answers do together."""
    return H.shift(e=sum(q) - sum(q_))


@alignment(clipped_sum, epsilon="eps", adjacency="l1")
def clipped_phi(q, q_, low, width, H):
    """Clipping brings no two answers further apart."""
    high = low + width
    return H.shift(e=sum(clamp(x, low, high) for x in q) - sum(clamp(x, low, high) for x in q_))


@alignment(noisy_count, epsilon="eps", adjacency="one")
def count_phi(q, q_, T, H):
    """One answer changes, so the count changes by at most 1, whatever the sensitivity."""
    return H.shift(e=sum(1 for x in q if x > T) - sum(1 for x in q_ if x > T))


@alignment(noisy_count, epsilon="eps", adjacency="l1", expect="refuted")
def count_l1_phi(q, q_, T, H):
    """Many small changes may move many answers over the threshold."""
    return H.shift(e=sum(1 for x in q if x > T) - sum(1 for x in q_ if x > T))


@alignment(noisy_average, epsilon="eps", adjacency="l1")
def average_phi(q, q_, H):
    """The average changes by at most delta / n."""
    return H.shift(e=(sum(q) - sum(q_)) / len(q))


@alignment(prefix_sums, epsilon="eps", adjacency="l1")
def prefix_phi(q, q_, H):
    """Each draw makes up for its own answer."""
    return H.shift(eta_i=[q[i] - q_[i] for i in range(len(q))])


@alignment(noisy_counter, epsilon="len(omega) * eps", adjacency="l1")
def counter_phi(q, q_, H):
    """Every sum is paid for anew."""
    return H.shift(e=[sum(q[j] - q_[j] for j in range(i + 1)) for i in range(len(q))])


@alignment(sliding_windows, epsilon="eps", adjacency="l1")
def windows_phi(q, q_, w, H):
    """Each answer is in at most w windows."""
    return H.shift(e=[sum(q[j] - q_[j] for j in range(max(0, i + 1 - w), i + 1)) for i in range(len(q))])


@alignment(smart_sum, epsilon="2 * eps", adjacency="l1")
def smart_phi(q, q_, M, H):
    """Each answer is paid for once in its own place, and once where its block ends."""
    n = len(q)
    changes = [sum(q[j] - q_[j] for j in range(max(0, i + 1 - M), i + 1)) for i in range(n)]
    return H.shift(eta_i=[q[i] - q_[i] for i in range(n)], xi_i=changes)


@alignment(sparse_totals, epsilon="eps", adjacency="l1")
def sparse_phi(q, q_, omega, H):
    """The sum so far changes by at most 1 as a single answer does."""
    change = [sum(q[j] - q_[j] for j in range(i + 1)) for i in range(len(q))]
    return H.shift(eta=1, eta_i=[1 + change[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
