"""Privacy parameters left open: numbers that are linear in them, and what 2 or e to such a number is.

Each open parameter has a base of its own, 2^(-eta) or e^(-eps), taken to a fraction fine enough that every exponent
that occurs is whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import plus, times
from alignkit.arithmetic.laurent_polynomials import LaurentPolynomial
from alignkit.arithmetic.rational_functions import RationalFunction
from alignkit.errors import Unsupported
from alignkit.formatting import full_text
from alignkit.interpreting.operations import COMPARE
from alignkit.noise import Bits

# Polynomials are not factored with larger ones.
_LARGEST_EXPONENT = 2**31


class Finer(Exception):
    """An exponent is not whole: a base must be taken to a smaller fraction."""

    def __init__(self, bases: Bases) -> None:
        self.bases = bases
        super().__init__(f"finer bases are needed: {bases.words()}")


@dataclass(frozen=True)
class Bases:
    """The open parameters by name, each with the unit of its cost ("e" or 2), and the fineness of each base.

    >>> Bases({"eta": 2}, {"eta": 3}).words()
    'B = 2^(-eta/3)'
    """

    units: Mapping[str, Any]
    fineness: Mapping[str, int] = field(default_factory=dict)

    def symbol(self, name: str) -> str:
        """What the base of a parameter is called."""
        return "B" if len(self.units) == 1 else f"B_{name}"

    def words(self) -> str:
        """Which base is which."""
        over = {name: f"{name}/{full_text(n)}" for name, n in self.fineness.items() if n != 1}
        return ", ".join(f"{self.symbol(name)} = {unit}^(-{over.get(name, name)})" for name, unit in self.units.items())

    def one(self) -> RationalFunction:
        """The probability 1."""
        size = len(self.units)
        return RationalFunction(LaurentPolynomial.of({(0,) * size: 1}, size))

    def monomial(self, exponents: Mapping[str, Fraction]) -> RationalFunction:
        """The product of 2^(-name · exponent), or e^(…), over the names."""
        scaled = [exponents.get(name, Fraction(0)) * self.fineness.get(name, 1) for name in self.units]
        if any(e.denominator != 1 for e in scaled):
            fine = [self.fineness.get(name, 1) * e.denominator for name, e in zip(self.units, scaled, strict=True)]
            raise Finer(Bases(self.units, dict(zip(self.units, fine, strict=True))))
        return RationalFunction(LaurentPolynomial.of({tuple(int(e) for e in scaled): 1}, len(self.units)))

    def show(self, ratio: RationalFunction) -> str:
        """A ratio as text, cancelled and factored."""
        if ratio.largest_exponent > _LARGEST_EXPONENT:
            return "a ratio whose exponents are too large to be written out"
        import sympy

        symbols = [sympy.Symbol(self.symbol(name), positive=True) for name in self.units]

        def expression(polynomial: LaurentPolynomial) -> Any:
            return sympy.Add(
                *(
                    sympy.Rational(c.numerator, c.denominator)
                    * sympy.Mul(*(s**e for s, e in zip(symbols, m, strict=True)))
                    for m, c in polynomial.terms.items()
                )
            )

        whole = expression(ratio.polynomial)
        for factor, power in ratio.factors.items():
            whole *= expression(factor) ** power
        return str(sympy.factor(sympy.cancel(whole))).replace("**", "^")


@dataclass(frozen=True, eq=False)
class Rate:
    """A linear form in the open parameters plus a number; or 1 over such a form, where ``inverted``."""

    bases: Bases = field(repr=False)
    form: Mapping[str, Fraction]
    constant: Fraction = Fraction(0)
    inverted: bool = False

    def lift(self, other: Any) -> Rate:
        if isinstance(other, Rate):
            return other
        if isinstance(other, bool) or not isinstance(other, int | Fraction):
            raise Unsupported(f"{other!r}, combined with an open privacy parameter, is not an exact number")
        return Rate(self.bases, {}, Fraction(other))

    @property
    def known(self) -> Fraction | None:
        """The number, where no open parameter is in it."""
        if self.form:
            return None
        return 1 / self.constant if self.inverted else self.constant

    def _linear(self) -> Rate:
        """The same number, not inverted; Unsupported where that is not linear."""
        if self.inverted and self.form:
            raise Unsupported("a sum with 1 over a privacy parameter that is left open")
        return Rate(self.bases, {}, 1 / self.constant) if self.inverted else self

    def __add__(self, other: Any) -> Rate:
        one, two = self._linear(), self.lift(other)._linear()
        return Rate(self.bases, plus(one.form, two.form), one.constant + two.constant)

    __radd__ = __add__

    def __neg__(self) -> Rate:
        return self * -1

    def __sub__(self, other: Any) -> Rate:
        return self + -self.lift(other)

    def __rsub__(self, other: Any) -> Rate:
        return self.lift(other) + -self

    def __mul__(self, other: Any) -> Rate:
        right = self.lift(other)
        factor = right.known
        if factor is None:
            if self.known is None:
                raise Unsupported("a product of two privacy parameters that are left open")
            return right * self.known
        if factor == 0:
            return self.lift(0)
        scale = 1 / factor if self.inverted else factor
        return Rate(self.bases, times(self.form, scale), self.constant * scale, self.inverted)

    __rmul__ = __mul__

    def inverse(self) -> Rate:
        """1 / self."""
        return Rate(self.bases, self.form, self.constant, not self.inverted)

    def __truediv__(self, other: Any) -> Rate:
        return self * self.lift(other).inverse()

    def __rtruediv__(self, other: Any) -> Rate:
        return self.lift(other) * self.inverse()

    def __abs__(self) -> Rate:
        return -self if self.compare("<", 0) else self

    def compare(self, symbol: str, other: Any) -> bool:
        """Whether ``self symbol other`` for all values above 0 of what is open; Unsupported where that varies."""
        right = self.lift(other)
        # 1/x has the sign of x.
        one = Rate(self.bases, self.form, self.constant) if right.known == 0 else self - right
        numbers = [*one.form.values(), one.constant]
        if all(x >= 0 for x in numbers):
            sign = int(any(numbers))
        elif all(x <= 0 for x in numbers):
            sign = -1
        else:
            raise Unsupported("a comparison depends on a privacy parameter that is left open; give it a value")
        return COMPARE[symbol](sign, 0)

    def raised(self, unit: Any) -> RationalFunction:
        """``unit`` to this number: 2 to it, or e to it."""
        one = self._linear()
        wrong = [name for name in one.form if self.bases.units[name] != unit]
        if wrong:
            raise Unsupported(f"{unit} to a power with {wrong[0]}, whose unit is {self.bases.units[wrong[0]]}")
        return self.bases.monomial({name: -c for name, c in one.form.items()}) * known_power(unit, one.constant)

    def exp2(self) -> RationalFunction:
        return self.raised(2)

    def exp(self) -> RationalFunction:
        return self.raised("e")


def known_power(unit: Any, exponent: Any) -> Fraction:
    """2 or e to an exact number, where that is rational; Unsupported elsewhere."""
    if isinstance(exponent, Bits) and unit == 2:
        return (-exponent).power()
    if exponent == 0:
        return Fraction(1)
    if unit == 2 and not isinstance(exponent, Bits) and Fraction(exponent).denominator == 1:
        return Fraction(2) ** int(exponent)
    raise Unsupported(f"{unit}^({exponent}) is not rational; leave the privacy parameter open")
