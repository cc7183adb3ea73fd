"""The arithmetic of the exact samplers, exhaustively on words of a few bits.

A sampler that reads its bits from a list is run on every list of so many bits. What came out before the list was used
up has certainly that much of the probability: never more than the law gives it, and, as the lists grow longer, all of
it. Both together leave no other law.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from alignkit.noise.exact_sampling.drawing import (
    Digit,
    DiscreteLaplace,
    ExponentialRatio,
    Geometric,
    RationalRatio,
    Table,
    powers,
    split_into_digits,
)
from alignkit.plain_enclosures import exp_bounds


class UsedUp(Exception):
    """More bits were asked for than there are."""


class Listed:
    """The bits of a list, then no more."""

    def __init__(self, listed):
        self.listed, self.consumed = listed, 0

    def bits(self, count):
        if self.consumed + count > len(self.listed):
            raise UsedUp
        value = 0
        for bit in self.listed[self.consumed : self.consumed + count]:
            value = 2 * value + bit
        self.consumed += count
        return value

    def words(self, count, width=64):
        return np.array([self.bits(width) for _ in range(count)], dtype=np.uint64)


def certain(draw, length):
    """The probability that each value comes out of at most so many bits; and that nothing does."""
    found = Counter()
    waiting = [()]
    left = Fraction(0)
    while waiting:
        listed = waiting.pop()
        try:
            source = Listed(listed)
            found[draw(source)] += Fraction(1, 2 ** len(listed))
            assert source.consumed == len(listed)
        except UsedUp:
            if len(listed) == length:
                left += Fraction(1, 2**length)
            else:
                waiting += [(*listed, 0), (*listed, 1)]
    return found, left


def assert_law(draw, law, length, most_left):
    """No value has more than its probability, and hardly any probability is left over."""
    found, left = certain(draw, length)
    assert sum(found.values()) + left == 1
    assert left <= most_left
    for value, probability in found.items():
        assert probability <= law(value), value
    return found


BASES = [Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), Fraction(5, 8), Fraction(7, 9), Fraction(1, 100)]


# Words of one bit decide little, so that nearly every draw looks closer; words of six take two for two digits.
@pytest.mark.parametrize("base", BASES, ids=str)
@pytest.mark.parametrize(("cells", "width", "length"), [(4, 1, 14), (1024, 3, 12), (1024, 6, 12)])
def test_geometric_with_words_of_few_bits(base, cells, width, length):
    geometric = Geometric.of(RationalRatio(base), cells=cells, width=width)
    found = assert_law(lambda s: geometric.draw(1, s)[0], lambda x: (1 - base) * base**x, length, Fraction(1, 2))
    assert 0 in found


@pytest.mark.parametrize("base", BASES, ids=str)
def test_a_table_leaves_less_over_with_every_word(base):
    """All of a digit's law is reached: what is undecided after a few words is what its thresholds' words weigh."""
    table = Table.of(Digit(RationalRatio(base), place=1, cells=4, last=False), 4)
    total = 1 - base**4
    law = {x: (1 - base) * base**x / total for x in range(4)}
    for words in (1, 2, 3):
        found, left = certain(lambda s: table.draw(1, s)[0], 4 * words)
        assert left <= Fraction(2 * 3, 16**words)
        assert all(0 <= law[x] - found[x] <= left for x in law)


@pytest.mark.parametrize("base", BASES, ids=str)
@pytest.mark.parametrize("cells", [1, 2, 3])
def test_values_beyond_the_table(base, cells):
    """A table so short that most values lie beyond it: what exceeds it has the same law again."""
    geometric = Geometric((Table.of(Digit(RationalRatio(base), place=1, cells=cells, last=True), 3),))
    found = assert_law(lambda s: geometric.draw(1, s)[0], lambda x: (1 - base) * base**x, 12, Fraction(7, 8))
    assert base < Fraction(1, 2) or max(found) > cells


@pytest.mark.parametrize("base", BASES, ids=str)
@pytest.mark.parametrize("last", [True, False])
def test_tables_that_are_as_loose_as_they_may_be(base, last):
    """A threshold may be noted one too low; then the words at it and above it look closer."""
    digit = Digit(RationalRatio(base), place=1, cells=3, last=last)
    loose = np.array([max(t - 1, 0) for t in digit.table(3)], dtype=np.uint64)
    total = 1 if last else 1 - base**3
    assert_law(
        lambda s: Table(digit, 3, loose).draw(1, s)[0], lambda x: (1 - base) * base**x / total, 12, Fraction(7, 8)
    )


@pytest.mark.parametrize("base", [Fraction(1, 2), Fraction(1, 3)], ids=str)
def test_discrete_laplace_with_words_of_few_bits(base):
    noise = DiscreteLaplace.of(RationalRatio(base), width=2)
    normal = (1 - base) / (1 + base)
    found = assert_law(lambda s: noise.draw(1, s)[0], lambda x: normal * base ** abs(x), 12, Fraction(1, 2))
    assert found[0] > 0
    assert all(found[x] == found[-x] for x in range(3))


@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(3), Fraction(7, 5)])
def test_base_e_with_words_of_few_bits(rate):
    geometric = Geometric.of(ExponentialRatio(rate), width=4)

    def most(x):
        low, _ = exp_bounds(rate * (x + 1), 80)
        _, high = exp_bounds(rate * x, 80)
        return Fraction(high - low, 2**80)

    assert_law(lambda s: geometric.draw(1, s)[0], most, 12, Fraction(1, 2))


@pytest.mark.parametrize("base", BASES, ids=str)
@pytest.mark.parametrize("cells", [2, 8])
@pytest.mark.parametrize("place", [1, 3])
@pytest.mark.parametrize("last", [True, False])
def test_thresholds_enclose_the_distribution_function(base, cells, place, last):
    digit = Digit(RationalRatio(base), place, cells, last)
    r = base**place
    for bits in (1, 6, 64, 100):
        table = digit.table(bits)
        assert len(table) == digit.thresholds
        for k in range(digit.thresholds):
            value = 2**bits * (1 - r ** (k + 1)) / (1 if last else 1 - r**cells)
            low, high = digit.bounds(k, bits)
            assert low <= value < high + 1 <= low + 2
            assert table[k] <= value < table[k] + 2


@pytest.mark.parametrize("base", BASES, ids=str)
def test_digits_multiply_to_the_law(base):
    """Written to a base, a geometric variable has independent digits."""
    cells = 4
    parts = split_into_digits(RationalRatio(base), cells)
    assert [d.place for d in parts] == [cells**j for j in range(len(parts))]
    assert [d.last for d in parts] == [False] * (len(parts) - 1) + [True]
    for x in range(40):
        product, rest = Fraction(1), x
        for digit in parts:
            r = base**digit.place
            value = rest if digit.last else rest % cells
            rest //= cells
            product *= r**value * (1 - r) / (1 if digit.last else 1 - r**cells)
        assert product == (1 - base) * base**x


@pytest.mark.parametrize("bits", [1, 8, 64, 200])
@pytest.mark.parametrize(
    "x", [Fraction(0), Fraction(1, 10**30), Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(40), Fraction(10**6)]
)
def test_bounds_of_the_exponential_function(x, bits):
    """Against the series, summed exactly until its rest is known to be small."""
    low, high = exp_bounds(x, bits)
    assert 0 <= low <= high
    assert high - low <= 3
    if x <= 40:
        total, term = Fraction(0), Fraction(1)
        for i in itertools.count(1):
            total += term
            term *= -x / i
            if i > 2 * x and abs(term) < Fraction(1, 2**260):
                break
        assert low <= 2**bits * (total + abs(term))
        assert 2**bits * (total - abs(term)) <= high
    else:
        assert low == 0
    assert low / 2**bits <= math.exp(-x) + 1e-12
    assert math.exp(-x) - 1e-12 <= high / 2**bits


@pytest.mark.parametrize("base", BASES, ids=str)
def test_powers_one_after_the_other_and_at_once(base):
    ratio = RationalRatio(base)
    for j, (low, high) in enumerate(powers(ratio.power(1, 70), 20, 70), 1):
        assert low <= 2**70 * base**j <= high
        closer = ratio.power(j, 70)
        assert closer[0] <= 2**70 * base**j <= closer[1]
        assert closer[1] - closer[0] <= 2
