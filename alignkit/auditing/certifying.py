"""Certifying events that were chosen before: fresh samples of both sides, counted, and Clopper-Pearson bounds.

The error is shared among all that is looked at: among the events, and among the checkpoints at which a bound is made,
fixed before the first sample is drawn. So the best bound of all of them fails with probability ``error`` at most, also
where the samples stop early, at whichever checkpoint.

Certified one-sided confidence bounds on a binomial probability, and on the loss ln p/p′ of two of them.

Source: Clopper and Pearson, Biometrika 26 (1934). Of n independent runs, k hit an event of probability p. The lower
bound is the largest p at which k hits or more would still have probability ``error`` at most, the upper bound the
smallest at which k hits or fewer would.

The probability of k hits or more is the regularised incomplete beta function I_p(k, n - k + 1), of which flint gives a
certified enclosure. Any p at which that is at most ``error`` bounds from the right side, so that the search for the
best p may be as careless as it likes.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from alignkit.arithmetic.enclosures import ends, float_above, float_below, log_below, precision
from alignkit.auditing.batches import Sampling, batch_sizes, count_hits
from alignkit.auditing.event_refinement import Goal
from alignkit.auditing.outputs import check_kinds
from alignkit.errors import InputError
from alignkit.output_events import ANY_OUTPUT, Event
from alignkit.results import CertifiedLoss, Method, Witness

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


# A bound is made after a 64th (where samples are many), a 16th and a quarter of them, so that an interrupted attack has
# one to show.
_CHECKPOINTS = (64, 16, 4, 1)
_EARLY_SHARE = 1 / 12
_PARTS, _FEW_PARTS, _FEW_SAMPLES = 64, 16, 2**16


@dataclass(frozen=True)
class ChosenEvent:
    """An event and a pair of inputs with its number: the loss is that of the first against the second, or backwards."""

    event: Event
    pair: tuple[Any, Any]
    number: int = 0
    backwards: bool = False


def certify_by_samples(
    sampling: Sampling, choices: Sequence[ChosenEvent], samples: int, phase: int
) -> Generator[CertifiedLoss, None, None]:
    """The best bound at each checkpoint, by so many samples; the choices are of one pair and share its samples."""
    events = tuple(choice.event for choice in choices)
    sizes = batch_sizes(samples, _FEW_PARTS if samples < _FEW_SAMPLES else _PARTS)
    stops = sorted({math.ceil(len(sizes) / part) for part in _CHECKPOINTS})
    shares = [sampling.error * _EARLY_SHARE] * (len(stops) - 1)
    shares.append(sampling.error - sum(shares))
    batches = sampling.batches(choices[0].pair, sizes, phase, choices[0].number)
    counts = np.zeros((2, len(sizes), len(events)), dtype=np.int64)
    kinds: set[str] = set()
    results = sampling.results(count_hits, ((batch, events) for batch in batches))
    for i, (batch, result) in enumerate(zip(batches, results, strict=True)):
        counts[i % 2, i // 2] = result.hits
        kinds |= result.kinds
        sampling.check_fresh(batch, result.digests)
        done = i // 2 + 1
        if i % 2 == 0 or done not in stops:
            continue
        check_kinds(kinds, sampling.name)
        _check_independent(counts[:, :done], sizes[:done], sampling.name)
        total = sum(sizes[:done])
        share = shares[stops.index(done)] / len(choices)
        # All of them were given a share, so any may be looked at; the one that promises most is.
        totals = counts[:, :done].sum(axis=1)
        hits, hits_ = np.where([choice.backwards for choice in choices], totals[::-1], totals)
        chosen = int(np.argmax(Goal(total, total, total, share, sampling.epsilon).score(hits, hits_)))
        bound = loss_bound(int(hits[chosen]), int(hits_[chosen]), total, share)
        sampling.report(f"{total} of {samples} samples of each side: the loss is at least {bound.loss:.4g}")
        choice = choices[chosen]
        yield CertifiedLoss(
            bound.loss,
            Method.SAMPLED,
            choice.event,
            _witness(choice.pair[::-1] if choice.backwards else choice.pair),
            bound.low,
            bound.high,
            error=sampling.error,
            samples=total,
        )


def concluded(
    best: CertifiedLoss | None,
    *,
    pair: tuple[Any, Any],
    error: float,
    claim: float | None,
    parameters: Mapping[str, Any] | None,
    notes: tuple[str, ...],
    delta: float | None = None,
) -> CertifiedLoss:
    """The best bound, or, where nothing better is certified, that the loss is at least 0."""
    if best is None or best.loss <= 0:
        samples = 0 if best is None else best.samples
        best = CertifiedLoss(0.0, Method.SAMPLED, ANY_OUTPUT, _witness(pair), error=error, samples=samples)
    witness = replace(best.witness, public=dict(parameters or {}))
    return replace(best, witness=witness, claim=claim, claimed_delta=delta, notes=notes)


def _witness(pair: tuple[Any, Any]) -> Witness:
    """Two inputs as the bound keeps them: an array as a tuple, so that bounds can be compared."""
    return Witness({}, *(_tuples(data.tolist()) if isinstance(data, np.ndarray) else data for data in pair))


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _check_independent(counts: np.ndarray[Any, Any], sizes: Sequence[int], name: str) -> None:
    """Raise InputError where batches differ by far more than independent runs would: Pearson's chi-squared statistic.

    A draw that all runs of a batch share makes every one of them right and their count worthless. What is left alone
    here is no licence: independence stays an assumption.
    """
    n = np.array(sizes, dtype=np.float64)
    if len(n) < 8:
        return
    for side in counts:
        for hits in side.T:
            p = hits.sum() / n.sum()
            if p * (1 - p) * n.min() < 5:
                continue
            statistic = float((((hits - n * p) ** 2) / (n * p * (1 - p))).sum())
            # Independent runs exceed d + 2 sqrt(d x) + 2 x with probability e^-x about; x = 60 is never.
            d = len(n) - 1
            if statistic > 2 * (d + 2 * math.sqrt(60 * d) + 120):
                raise InputError(
                    f"the runs of {name} are not independent: batches of them differ by far more than chance allows; "
                    "does it share a draw among the runs of one call, or remember earlier runs?"
                )
