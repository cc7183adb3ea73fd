"""Exact samplers of geometric and discrete Laplace noise, for a ratio of neighbouring probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from alignkit.noise.exact_sampling.geometric_digits import split_into_digits
from alignkit.noise.exact_sampling.lookup_tables import Table
from alignkit.noise.exact_sampling.randomness import RandomBits
from alignkit.noise.exact_sampling.ratios import GeometricRatio


@dataclass(frozen=True)
class Geometric:
    """P(x) = (1 − ratio) ratio^x on x = 0, 1, 2, …

    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> from alignkit.noise.exact_sampling.ratios import ExponentialRatio
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
    >>> from alignkit.noise.exact_sampling.ratios import ExponentialRatio
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
