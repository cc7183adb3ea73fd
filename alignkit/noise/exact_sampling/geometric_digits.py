"""The laws that exact samplers look up: a digit of a geometric variable, by bounds on its distribution function."""

from __future__ import annotations

from collections.abc import Callable
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
