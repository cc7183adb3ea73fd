"""The ratio of neighbouring probabilities of a geometric distribution, and certain bounds on its powers.

All arithmetic is on whole numbers that stand for multiples of 2^−bits, rounded outwards.

The laws that exact samplers look up: a digit of a geometric variable, by bounds on its distribution function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from alignkit.errors import InputError
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
        >>> from alignkit.noise.exact_sampling.ratios import RationalRatio
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
