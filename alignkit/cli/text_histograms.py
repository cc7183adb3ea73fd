"""Histograms as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

_BARS = 20
# The numbers beyond these shares of all share a bar at each end, so that a heavy tail leaves room for the rest.
_TAIL = 0.005
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LEAST_ROOM = 8


@dataclass(frozen=True)
class HistogramBar:
    """So many numbers of at least ``low`` and below ``high``; None is an end without a bound."""

    low: float | None
    high: float | None
    count: int


@dataclass(frozen=True)
class Histogram:
    """Bars in order, and whether all numbers are whole."""

    bars: tuple[HistogramBar, ...]
    whole: bool


def histogram_of(numbers: np.ndarray[Any, Any]) -> Histogram:
    """Sort numbers into some 20 intervals of one width, which is 1, 2 or 5 times a power of 10.

    The intervals of whole numbers have a whole width. The first and last may have no bound. Numbers that are not
    finite are left out.

    >>> [bar.count for bar in histogram_of(np.array([1.0, 2.0, 2.0])).bars]
    [1, 2]
    """
    ordered = np.sort(np.asarray(numbers, dtype=float))
    ordered = ordered[np.isfinite(ordered)]
    if not len(ordered):
        return Histogram((), whole=False)
    tail = int(len(ordered) * _TAIL)
    first, last = Fraction(float(ordered[tail])), Fraction(float(ordered[-1 - tail]))
    whole = bool((ordered == np.floor(ordered)).all())
    width = _round_width((last - first) / _BARS, whole=whole)
    steps = range(math.floor(first / width), math.floor(last / width) + 2)
    # Bounds such as 0.3 are the floats that are nearest to them, as the outputs on a lattice are.
    bounds = [float(step * width) for step in steps]
    places = np.searchsorted(bounds, ordered, side="right")
    counts = np.bincount(places, minlength=len(bounds) + 1).tolist()
    ends = [None, *bounds, None]
    bars = [HistogramBar(low, high, n) for low, high, n in zip(ends[:-1], ends[1:], counts, strict=True)]
    return Histogram(tuple(b for b in bars if b.count or not (b.low is None or b.high is None)), whole)


def _round_width(least: Fraction, *, whole: bool) -> Fraction:
    """The least width of the form 1, 2 or 5 times a power of 10 that is at least ``least``."""
    if least <= 0 or (whole and least <= 1):
        return Fraction(1)
    power = Fraction(10) ** math.floor(_log10(least))
    return next((factor * power for factor in (1, 2, 5, 10) if factor * power >= least), 20 * power)


def _log10(value: Fraction) -> float:
    return math.log10(value.numerator) - math.log10(value.denominator)


def draw_histogram(histogram: Histogram, width: int, *, blocks: bool) -> list[str]:
    """One line for each bar, at most ``width`` characters where that leaves room for bars.

    >>> draw_histogram(histogram_of(np.array([1.0, 2.0, 2.0, 2.0, 2.0])), 14, blocks=False)
    ['1  ##        1', '2  ########  4']
    """
    labels = _labels(histogram)
    counts = [str(bar.count) for bar in histogram.bars]
    label, digits = max(map(len, labels), default=0), max(map(len, counts), default=0)
    room = max(_LEAST_ROOM, width - label - digits - 4)
    most = max((bar.count for bar in histogram.bars), default=1)
    drawn = [_drawn(bar.count / most * room, blocks=blocks) for bar in histogram.bars]
    return [
        f"{text.rjust(label)}  {line.ljust(room)}  {count.rjust(digits)}"
        for text, line, count in zip(labels, drawn, counts, strict=True)
    ]


def _drawn(length: float, *, blocks: bool) -> str:
    """A bar of that length; one that is not empty is at least as long as can be seen."""
    if not blocks:
        return "#" * max(round(length), int(length > 0))
    eighths = max(round(length * 8), int(length > 0))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _labels(histogram: Histogram) -> list[str]:
    digits = _digits(histogram.bars)
    return [_label(bar, digits, whole=histogram.whole) for bar in histogram.bars]


def _digits(bars: Sequence[HistogramBar]) -> int:
    """The digits after the point that the bounds need."""
    width = next((bar.high - bar.low for bar in bars if bar.low is not None and bar.high is not None), 1.0)
    return max(0, -math.floor(math.log10(width) + 1e-6)) if width else 0


def _label(bar: HistogramBar, digits: int, *, whole: bool) -> str:
    if bar.high is None:
        return f"{_number(bar.low or 0.0, digits)} or more"
    high = bar.high - 1 if whole else bar.high
    if bar.low is None:
        return f"{_number(high, digits)} or less" if whole else f"below {_number(high, digits)}"
    if bar.low == high:
        return _number(high, digits)
    return f"{_number(bar.low, digits)} to {_number(high, digits)}"


def _number(value: float, digits: int) -> str:
    """A bound of a bar with so many digits after the point, or with a power of 10 where that is shorter."""
    return f"{value:.{digits}f}" if abs(value) < 1e15 and digits < 10 else f"{value:.9g}"
