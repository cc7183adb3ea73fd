"""Base-2 privacy parameters, exact: eta = -z log2(x / 2**y), whose powers 2**(-eta t) are fractions.

Base-2 privacy says dP_D <= 2**eta dP_D'; eta bits are eta ln 2 in natural units (Ilvento, "Implementing the sparse
vector technique and variants", Definition 2.2 and the text after it).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from typing import Any

from alignkit.arguments import shown
from alignkit.errors import InputError
from alignkit.formatting import full_text
from alignkit.public_names import public

_HALF = Fraction(1, 2)

# Larger powers are not computed: they take long, then all of the memory.
_MOST_BITS = 2**20


@public
@total_ordering
@dataclass(frozen=True, eq=False)
class Bits:
    """An exact sum of rational multiples of -log2(b), each b a fraction between 0 and 1; made by `base2`.

    It is added to and compared with numbers of its kind and rational ones, and multiplied and divided by rational
    ones. Comparisons are exact.

    >>> eta = base2(3, 2, 2)  # -2 log2(3/4)
    >>> eta / 2 == base2(3, 2, 1), eta > Fraction(83, 100), round(float(eta), 4)
    (True, True, 0.8301)
    >>> (eta / 2).power(3), (eta + 1).power(1)
    (Fraction(27, 64), Fraction(9, 32))
    """

    parts: tuple[tuple[Fraction, Fraction], ...]
    """Each base b with its factor r, which is not 0: the sum of r * -log2(b)."""

    @classmethod
    def of(cls, parts: Iterable[tuple[Fraction, Fraction]]) -> Bits:
        """The sum of factors of -log2 of bases, given as (base, factor) in any order."""
        collected: dict[Fraction, Fraction] = {}
        for base, factor in parts:
            collected[base] = collected.get(base, Fraction(0)) + factor
        return cls(tuple(sorted((b, r) for b, r in collected.items() if r)))

    def power(self, times: Any = 1) -> Fraction:
        """2**(-self * times), exactly. Raises InputError where it is not a fraction.

        >>> base2(1, 1, 1).power(Fraction(1, 2))
        Traceback (most recent call last):
        ...
        alignkit.InputError: 2**(-1/2 * 1) is not a fraction; with eta = 1 = -1 * log2(1/2**1), give an eta whose z is a multiple of 2
        """  # noqa: E501
        factors, roots = self.whole_powers(Fraction(times))
        result = _product(factors, f"computing 2**(-{shown(Fraction(times))} * {self})")
        above, below = _root(result.numerator, roots), _root(result.denominator, roots)
        if above is None or below is None:
            raise InputError(
                f"2**(-{shown(Fraction(times))} * {self}) is not a fraction; with eta = {self.written}, "
                f"give an eta whose z is a multiple of {shown(roots)}"
            )
        return Fraction(above, below)

    def whole_powers(self, times: Fraction | int = 1) -> tuple[list[tuple[Fraction, int]], int]:
        """Bases with whole exponents, whose powers' product is 2**(-self * times * n); and n, the least there is."""
        exponents = [(base, factor * times) for base, factor in self.parts]
        least = math.lcm(*(exponent.denominator for _, exponent in exponents))
        return [(base, int(exponent * least)) for base, exponent in exponents], least

    @property
    def sign(self) -> int:
        """-1, 0 or 1. Raises InputError where the powers to compare are too large to compute."""
        rises = {factor > 0 for _, factor in self.parts}
        if len(rises) < 2:  # each -log2(base) is above 0
            return 0 if not rises else 1 if True in rises else -1
        factors, _ = self.whole_powers()
        product = _product(factors, f"comparing {self}")
        return (product < 1) - (product > 1)

    @property
    def written(self) -> str:
        """The number, and the logarithms that it is a sum of."""
        terms = []
        for base, factor in self.parts:
            exponent = base.denominator.bit_length() - 1
            two = f"{full_text(base.numerator)}/2**{exponent}" if base.denominator == 2**exponent else full_text(base)
            terms.append(f"{full_text(-factor)} * log2({two})")
        total = " + ".join(terms) or "0"
        return f"{self} = {total}" if str(self) != total else total

    def __str__(self) -> str:
        if len(self.parts) == 1 and self.parts[0][0] == _HALF:
            return full_text(self.parts[0][1])
        return " + ".join(f"{full_text(-factor)}*log2({full_text(base)})" for base, factor in self.parts) or "0"

    def __float__(self) -> float:
        return math.fsum(float(r) * (math.log2(b.denominator) - math.log2(b.numerator)) for b, r in self.parts)

    def __add__(self, other: Any) -> Bits:
        right = _lift(other)
        return NotImplemented if right is None else Bits.of([*self.parts, *right.parts])

    __radd__ = __add__

    def __neg__(self) -> Bits:
        return Bits(tuple((base, -factor) for base, factor in self.parts))

    def __sub__(self, other: Any) -> Bits:
        right = _lift(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: Any) -> Bits:
        right = _lift(other)
        return NotImplemented if right is None else right - self

    def __mul__(self, other: Any) -> Bits:
        if isinstance(other, bool) or not isinstance(other, int | Fraction):
            return NotImplemented
        return Bits.of((base, factor * other) for base, factor in self.parts)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Bits:
        if isinstance(other, bool) or not isinstance(other, int | Fraction):
            return NotImplemented
        return self * (1 / Fraction(other))

    def __abs__(self) -> Bits:
        return self if self.sign >= 0 else -self

    def __eq__(self, other: object) -> bool:
        right = _lift(other)
        return NotImplemented if right is None else (self - right).sign == 0

    def __lt__(self, other: Any) -> bool:
        right = _lift(other)
        return NotImplemented if right is None else (self - right).sign < 0

    def __hash__(self) -> int:
        # Equal sums may be written over different bases: only a number that is 1, 2, … bits has a hash to share.
        return hash(Bits)


@public
def base2(x: int, y: int, z: int | Fraction = 1) -> Bits:
    """The base-2 privacy parameter eta = -z log2(x / 2**y), for which 2**(-eta) = (x / 2**y)**z is a fraction.

    Raises InputError, naming the nearest that is valid, unless x, y and z are whole numbers above 0 and x < 2**y.

    >>> print(base2(1, 1), float(base2(7, 3)) < 0.2)
    1 True
    >>> base2(9, 3)
    Traceback (most recent call last):
    ...
    alignkit.InputError: base2(9, 3, 1) has the base 9/2**3 >= 1, which gives no privacy loss above 0; the nearest is base2(7, 3, 1)
    """  # noqa: E501
    written = f"base2({', '.join(map(shown, (x, y, z)))})"
    for name, value in (("x", x), ("y", y), ("z", z)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InputError(
                f"{written}: {name} must be a whole number above 0, since "
                f"eta = -z log2(x / 2**y); {_nearest_whole(x, y, z)}"
            )
    if x >= 2**y:
        raise InputError(
            f"{written} has the base {shown(x)}/2**{y} >= 1, which gives no privacy loss above 0; "
            f"the nearest is base2({shown(2**y - 1)}, {y}, {shown(z)})"
        )
    return Bits.of([(Fraction(x, 2**y), Fraction(z))])


def read_base2(text: str) -> Bits:
    """The parameter that is written "base2(x, y, z)", as on a command line.

    >>> print(read_base2("base2(1, 1, 2)"))
    2
    """
    call = re.fullmatch(r"\s*base2\(([^()]*)\)\s*", text)
    parts = [] if call is None else [p.strip() for p in call[1].split(",")]
    if len(parts) not in (2, 3) or not all(p.isdecimal() for p in parts):
        raise InputError(f"{text!r} is not of the form base2(x, y, z), such as base2(3, 2, 1)")
    return base2(*map(int, parts))


def nearest_base2(eta: float | Fraction | str, bits: int = 16) -> tuple[int, int, int]:
    """x, y and z with -z log2(x / 2**y) nearest to eta among those with y = ``bits`` and z = 1.

    >>> nearest_base2(0.7, 8)
    (158, 8, 1)
    """
    wanted = float(Fraction(eta))
    most = 2**bits
    return min(max(round(most * 2.0**-wanted), 1), most - 1), bits, 1


def _nearest_whole(x: Any, y: Any, z: Any) -> str:
    try:
        nearest = [max(1, round(float(value))) for value in (x, y, z)]
    except (TypeError, ValueError, OverflowError):
        return "write base2(3, 2, 1), say"
    nearest[0] = min(nearest[0], 2 ** min(nearest[1], 64) - 1)
    return f"the nearest is base2({', '.join(map(shown, nearest))})"


def _lift(value: Any) -> Bits | None:
    """A number of bits as Bits; None where it is neither Bits nor rational."""
    if isinstance(value, Bits):
        return value
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return None
    return Bits.of([(_HALF, Fraction(value))])


def _product(factors: Iterable[tuple[Fraction, int]], doing: str) -> Fraction:
    """The product of bases with whole exponents; InputError where it is too large, saying what ``doing`` it is for."""
    factors = list(factors)
    size = sum(abs(exponent) * (b.numerator * b.denominator).bit_length() for b, exponent in factors)
    if size > _MOST_BITS:
        raise InputError(f"{doing} takes fractions of {shown(size)} bits; use smaller x, y and z")
    return math.prod((base**exponent for base, exponent in factors), start=Fraction(1))


def _root(number: int, degree: int) -> int | None:
    """The whole root of a whole number above 0; None where it has none."""
    if degree == 1 or number == 1:
        return number
    if number.bit_length() <= degree:
        return None  # it is below 2**degree
    low, high = 1, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
    return low if low**degree == number else None
