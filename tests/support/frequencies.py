"""Pearson's chi-square test of frequencies, at an error rate of 1e-6."""

from __future__ import annotations

import math
from collections import Counter

# What a normal variable exceeds with probability 1e-6.
Z = 4.753424


def critical(freedom):
    """What chi-square of so many degrees of freedom exceeds with probability 1e-6 (Wilson, Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + Z * math.sqrt(spread)) ** 3


def chi_square(draws, law):
    """Pearson's statistic and its critical value; values that are expected less than 20 times are put together."""
    counts = Counter(draws)
    n = len(draws)
    statistic, cells, rest, others = 0.0, 0, 1.0, n
    for value, probability in law.items():
        expected = n * probability
        if expected < 20:
            continue
        statistic += (counts[value] - expected) ** 2 / expected
        rest -= probability
        others -= counts[value]
        cells += 1
    if n * rest >= 20:
        statistic += (others - n * rest) ** 2 / (n * rest)
        cells += 1
    return statistic, critical(cells - 1)
