"""The noise of an exact run: every draw exact, from random bits taken in blocks.

Looking up many draws at once: exact inversion of a distribution function, by words of random bits.

A uniform U in [0, 1) is written in binary, and its bits are drawn as they are needed. The value is the number of k
with F(k) <= U. A first word of bits confines U to [word, word + 1) · 2^−width, and every F(k) is known to lie in
[low, low + 2) · 2^−width (``Digit.bounds``). Where word < low, U < F(k) for certain; where word > low + 1, U > F(k).
Otherwise, with a probability of about 2 thresholds · 2^−width, more bits of U and closer bounds of the F(k) are taken
until every comparison is certain. So the value that comes out is the one that a U of infinitely many bits would give,
whatever the width: its law is exactly that of F. A table holds no probability, only where a look-up stops.

Exact samplers of geometric and discrete Laplace noise, for a ratio of neighbouring probabilities.

The ratio of neighbouring probabilities of a geometric distribution, and certain bounds on its powers.

All arithmetic is on whole numbers that stand for multiples of 2^−bits, rounded outwards.

The laws that exact samplers look up: a digit of a geometric variable, by bounds on its distribution function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from alignkit.errors import InputError
from alignkit.noise.bits import Bits, base2, nearest_base2
from alignkit.noise.cut_laplace import CUT_DISCRETE_LAPLACE, checked_lattice_bounds
from alignkit.noise.discrete_laplace import DISCRETE_LAPLACE
from alignkit.noise.distribution import Distribution
from alignkit.noise.distribution_parameters import RATE
from alignkit.noise.exact_sampling.randomness import RandomBits, Words
from alignkit.noise.noise_source import DISTRIBUTIONS, Noise
from alignkit.plain_enclosures import exp_bounds

# A public parameter of more bits than this is refused: products of such numbers take long, then all of the memory.
MOST_BITS = 2**16


@dataclass(frozen=True)
class ExponentialRatio:
    """e^(−rate), for a rational rate > 0."""

    rate: Fraction

    def __post_init__(self) -> None:
        if self.rate <= 0:
            raise InputError(f"the rate of exact noise must be above 0, not {self.rate}")
        _check_size(self.rate, "the scale, in steps of the lattice,")

    def power(self, exponent: int, bits: int) -> tuple[int, int]:
        """Whole numbers around 2^bits · ratio^exponent, the closer the more bits.

        >>> ExponentialRatio(Fraction(1)).power(1, 20), int(2**20 / 2.718281828)
        ((385749, 385750), 385749)
        """
        return exp_bounds(self.rate * exponent, bits)


@dataclass(frozen=True)
class RationalRatio:
    """A rational number strictly between 0 and 1: the base of geometric noise of base 2."""

    base: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.base < 1:
            raise InputError(
                f"the base of exact noise must lie strictly between 0 and 1, and {_shown(self.base)} does not; "
                "write a rate above 0"
            )
        _check_size(self.base, "the base")

    def power(self, exponent: int, bits: int) -> tuple[int, int]:
        """Whole numbers around 2^bits · ratio^exponent, the closer the more bits.

        >>> RationalRatio(Fraction(1, 3)).power(2, 20), 2**20 // 9
        ((116508, 116509), 116508)
        """
        work = bits + 2 * exponent.bit_length() + 8
        scaled = self.base.numerator << work
        low, high = scaled // self.base.denominator, -(-scaled // self.base.denominator)
        one = 1 << work
        power_low = power_high = one
        while exponent:
            if exponent & 1:
                power_low, power_high = (power_low * low) >> work, _up(power_high * high, work)
            low, high = (low * low) >> work, _up(high * high, work)
            exponent >>= 1
        return power_low >> (work - bits), _up(power_high, work - bits)


GeometricRatio = ExponentialRatio | RationalRatio
"""A number strictly between 0 and 1."""


def powers(first: tuple[int, int], count: int, bits: int) -> list[tuple[int, int]]:
    """Whole numbers around 2^bits · r^j for j = 1, …, count, from those for j = 1: each by one product.

    >>> powers(RationalRatio(Fraction(1, 2)).power(1, 8), 3, 8)
    [(128, 128), (64, 64), (32, 32)]
    """
    low, high = first
    bounds = []
    for _ in range(count):
        bounds.append((low, high))
        low, high = (low * first[0]) >> bits, _up(high * first[1], bits)
    return bounds


def _up(value: int, bits: int) -> int:
    """value / 2^bits, rounded up."""
    return -(-value >> bits)


def _check_size(value: Fraction, what: str) -> None:
    size = value.numerator.bit_length() + value.denominator.bit_length()
    if size > MOST_BITS:
        raise InputError(
            f"{what} is a fraction of {size} bits, more than exact noise computes with ({MOST_BITS}); "
            "write a simpler privacy parameter"
        )


def _shown(value: Fraction) -> str:
    size = value.numerator.bit_length() + value.denominator.bit_length()
    return str(value) if size < 200 else f"a fraction of {size} bits"


# The largest place of a digit. Each digit has a table, of as many bits as its place needs.
MOST_PLACE_BITS = 300


@dataclass(frozen=True)
class Digit:
    """P(x) ∝ ratio^(place · x) for x = 0, …, cells − 1 (``last``: for all x >= 0).

    A geometric variable G, with P(G = x) ∝ ratio^x, written to a base t has independent digits: ratio^(Σ d_j t^j) is
    the product of the (ratio^(t^j))^(d_j). The digit before t^j is a Digit with place t^j and t cells, and what stands
    before all of them, G // t^j, is geometric itself: a Digit that is the ``last``.
    """

    ratio: GeometricRatio
    place: int
    cells: int
    last: bool

    @property
    def thresholds(self) -> int:
        """How many values F(0), F(1), … of the distribution function are looked up."""
        return self.cells if self.last else self.cells - 1

    def bounds(self, k: int, bits: int) -> tuple[int, int]:
        """Whole numbers low, high with low <= 2^bits · F(k) < high + 1, and high <= low + 1.

        >>> from fractions import Fraction
        >>> from alignkit.noise.exact_sampling.drawing import RationalRatio
        >>> third = Digit(RationalRatio(Fraction(1, 3)), place=1, cells=2, last=False)
        >>> third.bounds(0, 8), 256 * 3 / 4  # F(0) = (1 - 1/3) / (1 - 1/9)
        ((191, 192), 192.0)
        """
        return self._shares(lambda work: [self.ratio.power(self.place * (k + 1), work)], bits)[0]

    def table(self, bits: int) -> list[int]:
        """The lower bound of every threshold, where the upper is at most 1 more: see ``bounds``."""
        shares = self._shares(lambda work: powers(self.ratio.power(self.place, work), self.thresholds, work), bits)
        return [low for low, _ in shares]

    def _shares(self, tails: Callable[[int], list[tuple[int, int]]], bits: int) -> list[tuple[int, int]]:
        """Bounds on 2^bits · (1 − r) / (1 − w), at most 1 apart, for several r = ratio^(place · (k + 1)).

        w is ratio^(place · cells), or 0 for the last digit. ``tails(work)`` are bounds on 2^work · r.
        """
        extra = 16 + self.cells.bit_length()
        while True:
            work = bits + extra
            whole = (0, 0) if self.last else self.ratio.power(self.place * self.cells, work)
            shares = [_share(tail, whole, work, bits) for tail in tails(work)]
            if all(high <= low + 1 for low, high in shares):
                return shares
            extra *= 2


def _share(tail: tuple[int, int], whole: tuple[int, int], work: int, bits: int) -> tuple[int, int]:
    """Bounds on 2^bits · (1 − r) / (1 − w), of bounds on 2^work · r and 2^work · w."""
    one = 1 << work
    above_low, above_high = max(0, one - tail[1]), one - tail[0]
    if whole[1] == 0:
        return above_low >> (work - bits), above_high >> (work - bits)
    below_low, below_high = one - whole[1], one - whole[0]
    low = (above_low << bits) // below_high
    most = 1 << bits
    high = (above_high << bits) // below_low if below_low > 0 else 2 * most
    return low, high


def split_into_digits(ratio: GeometricRatio, cells: int = 1024) -> tuple[Digit, ...]:
    """The digits of a geometric variable, the lowest first, each of at most ``cells`` cells.

    There are so many that the last one is ``cells`` or more with a probability of at most 2^−40. The last one has fewer
    cells where fewer are enough for that.
    """
    if cells < 2:
        raise ValueError(f"a digit has at least 2 cells, not {cells}")
    digits = []
    place = 1
    while not _rare(ratio, place * cells):
        if place.bit_length() > MOST_PLACE_BITS:
            raise InputError(
                f"the scale of the noise is more than 2**{MOST_PLACE_BITS} steps of the lattice, which takes more "
                "precision than exact noise computes with; write a coarser lattice or a larger privacy parameter"
            )
        digits.append(Digit(ratio, place, cells, last=False))
        place *= cells
    enough = cells
    while enough > 1 and _rare(ratio, place * (enough // 2)):
        enough //= 2
    digits.append(Digit(ratio, place, enough, last=True))
    return tuple(digits)


def _rare(ratio: GeometricRatio, exponent: int) -> bool:
    """Whether ratio^exponent is at most 2^−40; near that, either answer will do."""
    return ratio.power(exponent, 64)[1] <= 1 << 24


@dataclass(frozen=True)
class Table:
    """A digit, with the lower bounds of its thresholds for words of ``width`` bits.

    >>> from fractions import Fraction
    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> from alignkit.noise.exact_sampling.drawing import RationalRatio
    >>> half = Table.of(Digit(RationalRatio(Fraction(1, 2)), place=1, cells=64, last=True))
    >>> half.draw(8, SeededBits(1))
    [0, 2, 3, 0, 2, 0, 0, 0]
    """

    digit: Digit
    width: int
    thresholds: Words = field(repr=False)

    @classmethod
    def of(cls, digit: Digit, width: int = 64) -> Table:
        return cls(digit, width, np.array(digit.table(width), dtype=np.uint64))

    def draw(self, count: int, source: RandomBits) -> list[int]:
        """``count`` independent values of the digit."""
        if not len(self.thresholds):
            return [0] * count  # a digit with one value
        words = source.words(count, self.width)
        positions = np.searchsorted(self.thresholds, words, side="right")
        # Wraps round where no threshold is at or below the word; looking closer at such a word does no harm.
        near = words - self.thresholds[positions - 1] <= 1
        if self.digit.last:
            near |= positions == len(self.thresholds)
        values: list[int] = positions.tolist()
        for i in np.flatnonzero(near).tolist():
            values[i] = self._settled(int(words[i]), source)
        return values

    def _settled(self, word: int, source: RandomBits) -> int:
        """The value for a U that begins with the word; beyond the table, the value of a fresh U on top.

        A geometric variable that is known to be at least c exceeds it by a geometric variable of the same law.
        """
        value = self._inverted(word, source)
        beyond = len(self.thresholds)
        total = 0
        while self.digit.last and value == beyond:
            total += beyond
            value = self._inverted(source.bits(self.width), source)
        return total + value

    def _inverted(self, word: int, source: RandomBits) -> int:
        """The number of thresholds at or below the U that begins with the word."""
        bits = self.width
        low, high = 0, len(self.thresholds)
        while low < high:
            middle = (low + high) // 2
            least, most = self.digit.bounds(middle, bits)
            if word < least:
                high = middle
            elif word > most:
                low = middle + 1
            else:
                word = word << self.width | source.bits(self.width)
                bits += self.width
        return low


@dataclass(frozen=True)
class Geometric:
    """P(x) = (1 − ratio) ratio^x on x = 0, 1, 2, …

    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> from alignkit.noise.exact_sampling.drawing import ExponentialRatio
    >>> geometric = Geometric.of(ExponentialRatio(Fraction(1, 20)))
    >>> geometric.draw(6, SeededBits(1)), geometric.bits_per_draw
    ([8, 29, 47, 8, 27, 5], 64)
    """

    tables: tuple[Table, ...]

    @classmethod
    def of(cls, ratio: GeometricRatio, cells: int = 1024, width: int = 64) -> Geometric:
        """``cells`` and ``width`` change what is tabulated, not the law."""
        return cls(tuple(Table.of(digit, width) for digit in split_into_digits(ratio, cells)))

    @property
    def bits_per_draw(self) -> int:
        """The number of random bits that a draw takes, but for a probability of about 2^−40 of taking more."""
        return sum(table.width for table in self.tables if len(table.thresholds))

    def draw(self, count: int, source: RandomBits) -> list[int]:
        """``count`` independent values."""
        lowest, *others = self.tables
        values = lowest.draw(count, source)
        for table in others:
            place = table.digit.place
            values = [v + place * d for v, d in zip(values, table.draw(count, source), strict=True)]
        return values


@dataclass(frozen=True)
class DiscreteLaplace:
    """P(x) = (1 − ratio) / (1 + ratio) · ratio^|x| on all whole numbers: the difference of two geometric variables.

    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> from alignkit.noise.exact_sampling.drawing import ExponentialRatio
    >>> noise = DiscreteLaplace.of(ExponentialRatio(Fraction(1, 20)))
    >>> noise.draw(6, SeededBits(1)), noise.bits_per_draw
    ([7, -45, 40, -15, -10, -8], 128)
    """

    side: Geometric

    @classmethod
    def of(cls, ratio: GeometricRatio, cells: int = 1024, width: int = 64) -> DiscreteLaplace:
        return cls(Geometric.of(ratio, cells, width))

    @property
    def bits_per_draw(self) -> int:
        """The number of random bits that a draw takes, but for a probability of about 2^−39 of taking more."""
        return 2 * self.side.bits_per_draw

    def draw(self, count: int, source: RandomBits) -> list[int]:
        """``count`` independent values."""
        up = self.side.draw(count, source)
        return [a - b for a, b in zip(up, self.side.draw(count, source), strict=True)]


@dataclass(frozen=True)
class OnLattice:
    """Multiples of the lattice: what a sampler of whole numbers gives, times that."""

    counts: Geometric | DiscreteLaplace
    lattice: int | Fraction

    @property
    def bits_per_draw(self) -> int:
        return self.counts.bits_per_draw

    def draw(self, count: int, source: RandomBits) -> list[int] | list[int | Fraction]:
        """``count`` independent values."""
        counts = self.counts.draw(count, source)
        return counts if self.lattice == 1 else [c * self.lattice for c in counts]


@dataclass(frozen=True)
class Between:
    """Draws of a law that lie between two bounds, drawn again while they do not.

    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> sampler(CUT_DISCRETE_LAPLACE, (-2, 1, 3, 1)).draw(8, SeededBits(1))
    [1, -2, -1, -2, 0, 0, -1, 0]
    """

    law: OnLattice
    low: Fraction
    high: Fraction

    def draw(self, count: int, source: RandomBits) -> list[int | Fraction]:
        """``count`` independent values."""
        found: list[int | Fraction] = []
        while len(found) < count:
            found += [x for x in self.law.draw(count, source) if self.low <= x <= self.high]
        return found[:count]


# Where a scale is as many times the distance of the bounds, nearly all draws would be drawn again.
MOST_DRAWN_AGAIN = 1000

FIRST_BLOCK = 16
LARGEST_BLOCK = 1024

# Roots are found by bisection, a digit at a time.
MOST_ROOT_BITS = 2**13


def base_of(rate: Fraction | Bits, lattice: Fraction) -> Fraction:
    """2^(−rate · lattice), a fraction below 1; InputError, with the nearest rate, where it is none.

    >>> base_of(Fraction(2), Fraction(3, 2))
    Fraction(1, 8)
    """
    bits = rate if isinstance(rate, Bits) else rate + base2(1, 1) * 0
    factors, roots = bits.whole_powers(lattice)
    size = sum(
        abs(exponent) * (base.numerator.bit_length() + base.denominator.bit_length()) for base, exponent in factors
    )
    if size > (MOST_BITS if roots == 1 else MOST_ROOT_BITS):
        raise InputError(
            f"2**(-rate * lattice) takes a fraction of {size} bits, more than exact noise computes with; "
            "write eta = base2(x, y, z) with smaller x, y and z"
        )
    try:
        return bits.power(lattice)
    except InputError as problem:
        x, y, z = nearest_base2(float(bits * lattice))
        raise InputError(
            f"{problem}; the nearest rate with 16 bits is base2({x}, {y}, {z})"
            + ("" if lattice == 1 else f" / {lattice}")
        ) from None


def samplable(distribution: Distribution) -> bool:
    """Whether there is an exact sampler of the distribution.

    >>> from alignkit.noise import DISCRETE_LAPLACE, LAPLACE
    >>> samplable(DISCRETE_LAPLACE), samplable(LAPLACE)
    (True, False)
    """
    return distribution.geometric_steps or distribution is CUT_DISCRETE_LAPLACE


def sampler(distribution: Distribution, parameters: tuple[Any, ...]) -> OnLattice | Between:
    """The exact sampler of a distribution for its parameters, defaults filled in.

    Raises InputError for a distribution over ideal reals, and for parameters that are not exact numbers above 0 or
    need more precision than there is memory for.

    >>> from alignkit.noise import GEOMETRIC
    >>> sampler(GEOMETRIC, (Fraction(1, 2), 1)).bits_per_draw
    64
    """
    if not samplable(distribution):
        why = ": it is noise over ideal reals" if distribution.support.continuous else ""
        raise InputError(
            f"noise.{distribution.name} has no exact sampler{why}; draw noise.discrete_laplace or noise.geometric"
        )
    if distribution is CUT_DISCRETE_LAPLACE:
        low, high, *rest = parameters
        law = sampler(DISCRETE_LAPLACE, tuple(rest))
        checked_lattice_bounds(low, high, *rest)
        if any(isinstance(bound, float) for bound in (low, high)):
            raise InputError(f"noise.{distribution.name}: bounds are exact numbers; write an int or a Fraction")
        if rest[0] > MOST_DRAWN_AGAIN * (high - low):
            raise InputError(f"noise.{distribution.name}: the bounds are too close for the scale; write larger ones")
        assert isinstance(law, OnLattice)
        return Between(law, Fraction(low), Fraction(high))
    exact = []
    for value, parameter in zip(parameters, distribution.parameters, strict=True):
        allowed = isinstance(value, int | Fraction) or (parameter is RATE and isinstance(value, Bits))
        if isinstance(value, bool) or not allowed:
            raise InputError(
                f"noise.{distribution.name}: {parameter.name} is {value!r}, which is not an exact number; "
                "write an int or a Fraction"
            )
        if value <= 0:
            raise InputError(f"noise.{distribution.name}: {parameter.name} is {value}; write a number above 0")
        exact.append(Bits(value.parts) if isinstance(value, Bits) else Fraction(value))
    return exact_sampler(distribution, *exact)


# Tables take longer to compute than a run takes; they are constants of the public parameters.
@lru_cache(maxsize=64)
def exact_sampler(distribution: Distribution, scale_or_rate: Any, lattice: Fraction) -> OnLattice:
    """The sampler for exact parameters, which were checked; its tables are kept."""
    ratio: GeometricRatio
    if distribution.base == 2:
        ratio = RationalRatio(base_of(scale_or_rate, lattice))
    else:
        ratio = ExponentialRatio(lattice / scale_or_rate)
    counts = Geometric.of(ratio) if distribution.support.one_sided else DiscreteLaplace.of(ratio)
    return OnLattice(counts, int(lattice) if lattice.denominator == 1 else lattice)


class ExactNoise(Noise):
    """Noise from random bits, exact to the last bit. Made for one run, for which it holds draws taken in advance.

    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> noise = ExactNoise(SeededBits(1))
    >>> noise.discrete_laplace(20), noise.geometric(3, Fraction(1, 2))
    (-19, Fraction(3, 2))
    """

    def __init__(self, source: RandomBits) -> None:
        self._source = source
        self._distribution: Distribution | None = None
        self._parameters: tuple[Any, ...] = ()
        self._block: Block
        self._blocks: dict[tuple[Distribution, tuple[Any, ...]], Block] = {}
        self._values: list[Any] = []

    def draw(self, distribution: Distribution, *parameters: Any) -> Any:
        """One value: an int, or a Fraction on a lattice of fractions."""
        # Mostly it is the same draw as the last, and quickly recognised: tuples compare their items by identity first.
        if distribution is not self._distribution or parameters != self._parameters:
            self._switch(distribution, parameters)
        values = self._values
        if not values:
            self._block.fill(self._source)
        return values.pop()

    def many(self, name: str, count: int, *parameters: Any) -> list[Any]:
        """``count`` values of the distribution of that name, in one call.

        >>> from alignkit.noise.exact_sampling.randomness import SeededBits
        >>> len(ExactNoise(SeededBits(1)).many("geometric", 50, 3))
        50
        """
        self._switch(DISTRIBUTIONS[name], parameters)
        values = self._values
        if len(values) < count:
            self._block.fill(self._source, count - len(values))
        taken = values[-count:]
        del values[-count:]
        return taken

    def _switch(self, distribution: Distribution, parameters: tuple[Any, ...]) -> None:
        bound = distribution.bind(*parameters)
        key = distribution, bound
        if key not in self._blocks:
            self._blocks[key] = Block(sampler(distribution, bound))
        self._distribution, self._parameters = distribution, parameters
        self._block = self._blocks[key]
        self._values = self._block.values


class Block:
    """Draws of one law, taken in advance: first 16, then twice as many each time up to 1024, or as many as are needed.

    So the number of random bits that a run takes depends on which draws it makes, and when.
    """

    def __init__(self, law: OnLattice | Between) -> None:
        self.values: list[Any] = []
        self._law = law
        self._size = FIRST_BLOCK

    def fill(self, source: RandomBits, needed: int = 1) -> None:
        self.values.extend(self._law.draw(max(self._size, needed), source))
        self._size = min(2 * self._size, LARGEST_BLOCK)
