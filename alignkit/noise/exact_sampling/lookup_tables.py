"""Looking up many draws at once: exact inversion of a distribution function, by words of random bits.

A uniform U in [0, 1) is written in binary, and its bits are drawn as they are needed. The value is the number of k
with F(k) <= U. A first word of bits confines U to [word, word + 1) · 2^−width, and every F(k) is known to lie in
[low, low + 2) · 2^−width (``Digit.bounds``). Where word < low, U < F(k) for certain; where word > low + 1, U > F(k).
Otherwise, with a probability of about 2 thresholds · 2^−width, more bits of U and closer bounds of the F(k) are taken
until every comparison is certain. So the value that comes out is the one that a U of infinitely many bits would give,
whatever the width: its law is exactly that of F. A table holds no probability, only where a look-up stops.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from alignkit.noise.exact_sampling.geometric_digits import Digit
from alignkit.noise.exact_sampling.randomness import RandomBits, Words


@dataclass(frozen=True)
class Table:
    """A digit, with the lower bounds of its thresholds for words of ``width`` bits.

    >>> from fractions import Fraction
    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> from alignkit.noise.exact_sampling.ratios import RationalRatio
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
