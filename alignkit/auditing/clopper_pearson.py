"""Certified one-sided confidence bounds on a binomial probability, and on the loss ln p/p′ of two of them.

Source: Clopper and Pearson, Biometrika 26 (1934). Of n independent runs, k hit an event of probability p. The lower
bound is the largest p at which k hits or more would still have probability ``error`` at most, the upper bound the
smallest at which k hits or fewer would.

The probability of k hits or more is the regularised incomplete beta function I_p(k, n - k + 1), of which flint gives a
certified enclosure. Any p at which that is at most ``error`` bounds from the right side, so that the search for the
best p may be as careless as it likes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from alignkit.arithmetic.enclosures import ends, float_above, float_below, log_below, precision
from alignkit.errors import InputError

# How far below ln error the search may end and where it aims, and how many steps it takes at most.
_CLOSE = 4e-9
_AIM = 1e-9
_MOST_STEPS = 100

# With how many bits a tail is computed first, how many of them must be right, and with how many at most.
_BITS, _KNOWN_BITS, _MOST_BITS = 64, 36, 10**5


def probability_lower_bound(hits: int, samples: int, error: float) -> float:
    """What a probability is at least after so many hits; too high with probability ``error`` at most.

    >>> lower = probability_lower_bound
    >>> lower(0, 10, 0.01), round(lower(10, 10, 0.01), 6) == round(0.01 ** (1 / 10), 6)
    (0.0, True)
    """
    _check(hits, samples, error)
    if hits == 0:
        return 0.0
    exponent = _largest_exponent(hits, samples, error)
    with precision(_BITS):
        least = ends(arb(exponent).exp())[0]
    return float_below(min(least, Fraction(hits, samples)))


def probability_upper_bound(hits: int, samples: int, error: float) -> float:
    """What a probability is at most after so many hits; too low with probability ``error`` at most.

    >>> upper = probability_upper_bound
    >>> upper(10, 10, 0.01), 0.369 < upper(0, 10, 0.01) < 0.37
    (1.0, True)
    """
    _check(hits, samples, error)
    if hits == samples:
        return 1.0
    exponent = _largest_exponent(samples - hits, samples, error)
    with precision(_BITS):
        most = ends(-arb(exponent).expm1())[1]
    return float_above(max(most, Fraction(hits, samples)))


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
    low, high = (
        probability_lower_bound(hits, samples, error / 2),
        probability_upper_bound(hits_, samples, error / 2),
    )
    if low <= high:
        return LossBound(0.0, low, high)
    return LossBound(max(0.0, log_below(Fraction(low) / Fraction(high))), low, high)


def _largest_exponent(hits: int, samples: int, error: float) -> float:
    """A float s such that so many hits or more have probability ``error`` at most where p = e^s; nearly the largest.

    By Newton's method for g(s) = ln P(hits or more), which is to be ln error or hardly less. The density of s,
    p^k (1-p)^(n-k) over a constant, has a logarithm that is concave in s, and so has its integral (Prékopa): g is
    concave, and increases. So a step along a tangent never goes beyond the solution, and from the first one on the
    search only comes closer from below. That a candidate is right is certified by its tail alone.
    """
    k, others = hits, samples - hits
    share = hits / samples
    near = share - math.sqrt(share * (1 - share) / samples * max(0.0, -2 * math.log(error)))
    best, s = -math.inf, math.log(near) if near > share / 2 else math.log(share)
    for _ in range(_MOST_STEPS):
        tail = _tail(k, others, s)
        with precision(_BITS):
            if tail <= arb(error):
                best = max(best, s)
            # The density of s at its value here, over the tail: the slope of g.
            density = k * arb(s) - arb(k).lgamma() - arb(others + 1).lgamma() + arb(samples + 1).lgamma()
            if others:
                density += others * (-arb(s).expm1()).log()
            missing = float(arb(error).log() - tail.log())
            step = (missing - _AIM) / float((density - tail.log()).exp())
        if (best == s and (missing <= _CLOSE or s + step <= s)) or not s + step < 0:
            break
        s += step
    return best


def _tail(k: int, others: int, s: float) -> arb:
    """P(k hits or more of k + others) where p = e^s, closely enough, at whatever precision that takes."""
    bits = _BITS
    while True:
        with precision(bits):
            tail = arb(s).exp().beta_lower(k, others + 1, 1) if s < 0 else arb(1)
            if tail.rel_accuracy_bits() >= _KNOWN_BITS:
                return tail
        bits *= 2
        if bits > _MOST_BITS:
            raise ArithmeticError(f"the tail of {k + others} samples takes more than {_MOST_BITS} bits")


def _check(hits: int, samples: int, error: float) -> None:
    if not 0 < error < 1:
        raise InputError(f"error is {error!r}; it must be a probability above 0 and below 1, such as 1e-6")
    if not 0 <= hits <= samples or samples < 1:
        raise InputError(f"{hits} hits of {samples} samples; hits are 0 or more, and no more than the samples")
