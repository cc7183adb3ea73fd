"""The laws that exact samplers look up: a digit of a geometric variable, by bounds on its distribution function."""

from __future__ import annotations

from dataclasses import dataclass

from alignkit.errors import InputError
from alignkit.noise.exact_sampling.ratios import GeometricRatio, powers

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
        extra = 16
        while True:
            work = bits + extra
            reached = self.ratio.power(self.place * (k + 1), work)
            whole = (0, 0) if self.last else self.ratio.power(self.place * self.cells, work)
            low, high = _share(reached, whole, work, bits)
            if high <= low + 1:
                return low, high
            extra *= 2

    def table(self, bits: int) -> list[int]:
        """The lower bound of every threshold, where the upper is at most 1 more: see ``bounds``."""
        extra = 16
        while True:
            work = bits + extra + self.cells.bit_length()
            step = _Power(self.ratio, self.place)
            reached = powers(step, self.thresholds, work)
            whole = (0, 0) if self.last else self.ratio.power(self.place * self.cells, work)
            found = [_share(r, whole, work, bits) for r in reached]
            if all(high <= low + 1 for low, high in found):
                return [low for low, _ in found]
            extra *= 2


@dataclass(frozen=True)
class _Power:
    """A power of a ratio, as a ratio."""

    ratio: GeometricRatio
    place: int

    def power(self, exponent: int, bits: int) -> tuple[int, int]:
        return self.ratio.power(self.place * exponent, bits)


def _share(reached: tuple[int, int], whole: tuple[int, int], work: int, bits: int) -> tuple[int, int]:
    """Bounds on 2^bits · (1 − r) / (1 − w), of bounds on 2^work · r and 2^work · w."""
    one = 1 << work
    above_low, above_high = max(0, one - reached[1]), one - reached[0]
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
    found = []
    place = 1
    while not _rare(ratio, place * cells):
        if place.bit_length() > MOST_PLACE_BITS:
            raise InputError(
                f"the scale of the noise is more than 2**{MOST_PLACE_BITS} steps of the lattice, which takes more "
                "precision than exact noise computes with; write a coarser lattice or a larger privacy parameter"
            )
        found.append(Digit(ratio, place, cells, last=False))
        place *= cells
    enough = cells
    while enough > 1 and _rare(ratio, place * (enough // 2)):
        enough //= 2
    found.append(Digit(ratio, place, enough, last=True))
    return tuple(found)


def _rare(ratio: GeometricRatio, exponent: int) -> bool:
    """Whether ratio^exponent is at most 2^−40; near that, either answer will do."""
    return ratio.power(exponent, 64)[1] <= 1 << 24
