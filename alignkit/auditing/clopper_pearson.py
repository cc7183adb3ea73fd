"""Certified one-sided confidence bounds on a binomial probability, and on the loss ln p/p′ of two of them.

Source: Clopper and Pearson, Biometrika 26 (1934). Of n independent runs, k hit an event of probability p. The lower
bound is the largest p at which k hits or more would still have probability ``error`` at most, the upper bound the
smallest at which k hits or fewer would.

Any p at which that tail is at most ``error`` bounds from the right side, so the search for the best p may be as
careless as it likes: only the tail must be bounded from above, and ``_log_tail`` does that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from functools import lru_cache

import numpy as np

from alignkit.errors import InputError

# Enough for summands up to 10^14 (of 10^12 samples) with 26 digits after the point. ``ln`` of a Decimal is correctly
# rounded.
_DIGITS = Context(prec=40, Emin=-(10**8), Emax=10**8)
_HALF_LOG_TWO_PI = Decimal(
    "0.918938533204672741780329736405617639861397473637783412817151540482765695927260397694743298"
)
_STIRLING = tuple(Decimal(a) / Decimal(b) for a, b in ((1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188)))
_EXACT_FACTORIALS = 64
_MOST_TERMS = 2**22
_CLOSE = 1e-10  # where the search for p ends

# What _log_tail adds to its result. It covers Stirling's remainder (under 691 / 360360 / 64^11 < 10^-22, three times),
# the Decimal roundings (under 10^-40), and the sum of at most 2^22 positive floats: its j-th term is a product of j
# ratios of at most 4 roundings each, hence off by a factor of at most (1 + 2^-53)^(4 j) < 1 + 2 * 10^-9.
_MARGIN = Decimal("1e-8")


def lower(hits: int, samples: int, error: float) -> float:
    """What a probability is at least after so many hits; too high with probability ``error`` at most.

    >>> lower(0, 10, 0.01), round(lower(10, 10, 0.01), 6) == round(0.01 ** (1 / 10), 6)
    (0.0, True)
    """
    _check(hits, samples, error)
    if hits == 0:
        return 0.0
    goal = _log(error)
    low, high = 0.0, hits / samples
    while _apart(low, high):
        middle = (low + high) / 2 if low else high / 16
        p = Decimal(middle)
        if _log_tail(hits, samples, p, _one_minus(p)) <= goal:
            low = middle
        else:
            high = middle
    return low


def upper(hits: int, samples: int, error: float) -> float:
    """What a probability is at most after so many hits; too low with probability ``error`` at most.

    >>> upper(10, 10, 0.01), 0.369 < upper(0, 10, 0.01) < 0.37
    (1.0, True)
    """
    _check(hits, samples, error)
    if hits == samples:
        return 1.0
    goal = _log(error)
    low, high = hits / samples, 1.0
    while _apart(low, high):
        middle = high / 16 if not low else math.sqrt(low * high) if high > 4 * low else (low + high) / 2
        p = Decimal(middle)
        if _log_tail(samples - hits, samples, _one_minus(p), p) <= goal:
            high = middle
        else:
            low = middle
    return high


@dataclass(frozen=True)
class LossBound:
    """What ln p/p′ is at least, by what p is at least (``low``) and p′ at most (``high``)."""

    loss: float
    low: float
    high: float


def loss_bound(hits: int, hits_: int, samples: int, error: float) -> LossBound:
    """Bound ln p/p′ from below after ``hits`` and ``hits_`` in so many runs of either side.

    Each of the two probabilities is bounded at half the error. The loss is at least 0, and finite: from samples alone
    nothing is known to be impossible.

    >>> bound = loss_bound(600, 100, 1000, 1e-6)
    >>> bound.low < 0.6, bound.high > 0.1, bound.loss < 1.8
    (True, True, True)
    """
    low, high = lower(hits, samples, error / 2), upper(hits_, samples, error / 2)
    if low <= high:
        return LossBound(0.0, low, high)
    with localcontext(_DIGITS):
        exact = (Decimal(low) / Decimal(high)).ln()
    return LossBound(max(0.0, math.nextafter(float(exact), -math.inf)), low, high)


def _log_tail(k: int, n: int, p: Decimal, q: Decimal) -> Decimal:
    """An upper bound on ln P(Bin(n, p) >= k), for k >= n p and q = 1 - p: the first term and the sum of ratios."""
    with localcontext(_DIGITS):
        first = _log_choose(n, k)
        first += (k * p.ln() if k else 0) + ((n - k) * q.ln() if n > k else 0)
        return first + Decimal(_ratio_sum(k, n, float(p / q))).ln() + _MARGIN


def _ratio_sum(k: int, n: int, odds: float) -> float:
    """1 + b(k+1)/b(k) + b(k+2)/b(k) + … for the binomial probabilities b, and a bound on what is left out.

    The ratios b(j+1)/b(j) = (n-j)/(j+1) odds fall with j, so that what follows the last term t is at most
    t r/(1-r) where r < 1 is the next ratio.
    """
    total, term, start, block = 1.0, 1.0, k, 1024
    while start < n:
        j = np.arange(start, min(start + block, n), dtype=np.float64)
        terms = term * np.cumprod((n - j) / (j + 1) * odds)
        total += float(terms.sum())
        term = float(terms[-1])
        start += len(j)
        ratio = (n - start) / (start + 1) * odds
        if ratio < 1:
            rest = term * ratio / (1 - ratio)
            if rest <= 1e-14 * total or start - k >= _MOST_TERMS:
                return total + 1.001 * rest
        block *= 2
    return total


def _log_choose(n: int, k: int) -> Decimal:
    return _log_factorial(n) - _log_factorial(k) - _log_factorial(n - k)


@lru_cache(maxsize=64)
def _log_factorial(n: int) -> Decimal:
    """ln n!: Stirling's series, whose remainder is smaller than the first term left out."""
    with localcontext(_DIGITS):
        if n < _EXACT_FACTORIALS:
            return Decimal(math.factorial(n)).ln()
        x = Decimal(n)
        series = sum((c / x ** (2 * i + 1) for i, c in enumerate(_STIRLING)), Decimal(0))
        return x * x.ln() - x + x.ln() / 2 + _HALF_LOG_TWO_PI + series


def _log(error: float) -> Decimal:
    with localcontext(_DIGITS):
        return Decimal(error).ln()


def _one_minus(p: Decimal) -> Decimal:
    with localcontext(_DIGITS):
        return 1 - p


def _apart(low: float, high: float) -> bool:
    """Whether the search goes on: p and 1 - p are both to be known closely."""
    return high - low > _CLOSE * min(high, 1 - low) and math.nextafter(low, 1.0) < high


def _check(hits: int, samples: int, error: float) -> None:
    if not 0 < error < 1:
        raise InputError(f"error is {error!r}; it is a probability above 0 and below 1, such as 1e-6")
    if not 0 <= hits <= samples or samples < 1:
        raise InputError(f"{hits} hits of {samples} samples; hits are 0 or more, and no more than the samples")
