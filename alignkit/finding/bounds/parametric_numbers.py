"""Numbers that depend on the public parameters: rational functions, with a sign where it is the same everywhere.

A region says what each parameter may be: above 0, strictly between 0 and 1, or any real number. A sign is told only if
it is shown for the whole region, so that a run on such numbers is a run for every value of the parameters.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from alignkit.errors import Unsupported
from alignkit.finding.public_expressions import product_text
from alignkit.interpreting.operations import COMPARE

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class SignUnknown(Unsupported):
    """Raised where the sign of a public number differs over the region, or was not shown."""


class Range(enum.Enum):
    """What a parameter may be."""

    POSITIVE = "above 0"
    SHARE = "strictly between 0 and 1"
    REAL = "any real number"


@dataclass(frozen=True)
class ParameterRegion:
    """The parameters by name with their ranges; ``whole`` are those that are whole numbers."""

    ranges: Mapping[str, Range]
    whole: frozenset[str] = frozenset()

    @cached_property
    def ring(self) -> fmpq_mpoly_ctx:
        """The polynomials in the parameters; flint needs one variable at least."""
        return fmpq_mpoly_ctx.get([f"x{i}" for i in range(max(1, len(self.ranges)))], Ordering.lex)

    def symbol(self, name: str) -> PublicNumber:
        """A parameter as a number."""
        return PublicNumber(self, self.ring.gen(list(self.ranges).index(name)), self.ring.constant(1))

    def constant(self, value: int | Fraction) -> PublicNumber:
        """A number that does not depend on the parameters."""
        number = fmpq(value.numerator, value.denominator)
        return PublicNumber(self, self.ring.constant(number), self.ring.constant(1))

    def sign(self, polynomial: fmpq_mpoly) -> int | None:
        """1, -1 or 0 where that is the sign on the whole region; None where that was not shown."""
        terms = {tuple(map(int, m)): c for m, c in polynomial.to_dict().items()}
        for i, range_ in enumerate(self.ranges.values()):
            if range_ is Range.SHARE:
                terms = _in_odds(terms, i)
            elif range_ is Range.REAL and any(m[i] for m in terms):
                return None
        # Every product of powers is above 0 now.
        signs = {c > 0 for c in terms.values() if c != 0}
        if len(signs) == 2:
            return None
        return 0 if not signs else 1 if signs.pop() else -1


def _in_odds(terms: Mapping[tuple[int, ...], fmpq], i: int) -> dict[tuple[int, ...], fmpq]:
    """The terms of (1 + t)^d · polynomial, where the i-th variable, of degree d, is 1/(1 + t) with t > 0."""
    degree = max((m[i] for m in terms), default=0)
    spread: dict[tuple[int, ...], fmpq] = {}
    for monomial, coefficient in terms.items():
        left = degree - monomial[i]
        for k in range(left + 1):
            moved = (*monomial[:i], k, *monomial[i + 1 :])
            spread[moved] = spread.get(moved, fmpq(0)) + coefficient * comb(left, k)
    return spread


@dataclass(frozen=True, eq=False)
class PublicNumber:
    """One polynomial in the public parameters over another.

    >>> region = ParameterRegion({"eps": Range.POSITIVE, "theta": Range.SHARE})
    >>> eps, theta = region.symbol("eps"), region.symbol("theta")
    >>> (eps - theta * eps).compare(">", 0), str((eps * eps + eps) / (3 * eps + 3))
    (True, 'eps / 3')
    """

    region: ParameterRegion = field(repr=False)
    above: fmpq_mpoly
    below: fmpq_mpoly

    def _lifted(self, other: Any) -> PublicNumber | None:
        if isinstance(other, PublicNumber):
            return other
        if isinstance(other, int | Fraction) and not isinstance(other, bool):
            return self.region.constant(other)
        return None

    def _over(self, above: fmpq_mpoly, below: fmpq_mpoly) -> PublicNumber:
        """A fraction in lowest terms, whose denominator has the leading coefficient 1."""
        if not below.is_one():
            common = above.gcd(below)
            if not common.is_one():
                above, below = above / common, below / common
            leading = below.leading_coefficient()
            if leading != 1:
                above, below = above / leading, below / leading
        return PublicNumber(self.region, above, below)

    def __add__(self, other: Any) -> Any:
        right = self._lifted(other)
        if right is None:
            return NotImplemented
        if self.below == right.below:
            return self._over(self.above + right.above, self.below)
        return self._over(self.above * right.below + right.above * self.below, self.below * right.below)

    __radd__ = __add__

    def __neg__(self) -> PublicNumber:
        return PublicNumber(self.region, -self.above, self.below)

    def __sub__(self, other: Any) -> Any:
        right = self._lifted(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: Any) -> Any:
        right = self._lifted(other)
        return NotImplemented if right is None else right + -self

    def __mul__(self, other: Any) -> Any:
        right = self._lifted(other)
        if right is None:
            return NotImplemented
        return self._over(self.above * right.above, self.below * right.below)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        right = self._lifted(other)
        if right is None:
            return NotImplemented
        if not right:
            raise ZeroDivisionError("a division by 0")
        return self._over(self.above * right.below, self.below * right.above)

    def __rtruediv__(self, other: Any) -> Any:
        right = self._lifted(other)
        return NotImplemented if right is None else right / self

    def __pow__(self, exponent: int) -> PublicNumber:
        if exponent < 0:
            return 1 / self**-exponent  # type: ignore[no-any-return]
        return PublicNumber(self.region, self.above**exponent, self.below**exponent)

    power = __pow__

    def __abs__(self) -> PublicNumber:
        return -self if self.compare("<", 0) else self

    def __bool__(self) -> bool:
        """Whether it is 0 nowhere. Raises SignUnknown where it may be 0 at some parameters and not at others."""
        return self.sign() != 0

    def __eq__(self, other: object) -> bool:
        """Whether two numbers are the same at all parameters."""
        right = self._lifted(other)
        return NotImplemented if right is None else not (self - right).above

    __hash__ = None  # type: ignore[assignment]

    def sign(self) -> int:
        """1, -1 or 0, the sign on the whole region. Raises SignUnknown where that was not shown."""
        above, below = self.region.sign(self.above), self.region.sign(self.below)
        if above is None or not below:
            raise SignUnknown(f"the sign of {self} may depend on the public parameters")
        return above * below

    def compare(self, symbol: str, other: Any) -> bool:
        """Whether ``self symbol other`` on the whole region. Raises SignUnknown where that was not shown."""
        right = self._lifted(other)
        if right is None:
            return bool(other.compare(_FLIPPED.get(symbol, symbol), self))
        return COMPARE[symbol]((self - right).sign(), 0)

    def positive_part(self) -> PublicNumber:
        """A number that is at least this one and at least 0, if no parameter of any sign is in it."""
        sign = self.region.sign(self.below)
        if not sign:
            raise SignUnknown(f"the sign of 1 over {self.below} may depend on the public parameters")
        kept = {m: c for m, c in self.above.to_dict().items() if c * sign > 0}
        return self._over(self.region.ring.from_dict(kept), self.below)

    @property
    def parameters(self) -> set[str]:
        """The parameters that it depends on."""
        used = [m for polynomial in (self.above, self.below) for m in self._terms(polynomial)]
        return {name for i, name in enumerate(self.region.ranges) if any(m[i] for m in used)}

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole number wherever the ``whole`` parameters are."""
        if not self.below.is_one():
            return False
        whole = [name in self.region.whole for name in self.region.ranges]
        return all(
            c.q == 1 and all(isinteger or not e for isinteger, e in zip(whole, m, strict=False))
            for m, c in self.above.to_dict().items()
        )

    def __str__(self) -> str:
        above, below = self._terms(self.above), self._terms(self.below)
        if len(below) == 1:
            # One product of powers is below: each summand is over it.
            under, factor = next(iter(below.items()))
            over = {tuple(e - f for e, f in zip(m, under, strict=True)): c / factor for m, c in above.items()}
            return self._text(over)
        scale = lcm(*(c.denominator for c in (*above.values(), *below.values())))
        one, other = (self._text({m: c * scale for m, c in terms.items()}) for terms in (above, below))
        return f"{one if len(above) == 1 else f'({one})'} / ({other})"

    __repr__ = __str__

    def _terms(self, polynomial: fmpq_mpoly) -> dict[tuple[int, ...], Fraction]:
        size = len(self.region.ranges)
        items = polynomial.to_dict().items()
        return {tuple(map(int, m))[:size]: Fraction(int(c.p), int(c.q)) for m, c in items}

    def _text(self, terms: Mapping[tuple[int, ...], Fraction]) -> str:
        text = ""
        for exponents, c in sorted(terms.items(), key=lambda term: (term[1] < 0, sum(map(abs, term[0])))):
            powers = tuple((n, e) for n, e in zip(self.region.ranges, exponents, strict=True) if e)
            sign = " - " if c < 0 else " + "
            text += f"{sign if text else sign.strip(' +')}{product_text(abs(c), powers)}"
        return text or "0"


Number = Any
"""A Fraction or a PublicNumber."""


def sign_of(value: Number) -> int:
    """The sign of a number, on the whole region where it depends on parameters."""
    return value.sign() if isinstance(value, PublicNumber) else (value > 0) - (value < 0)


def is_whole(value: Number) -> bool:
    """Whether a number is whole."""
    return value.is_whole if isinstance(value, PublicNumber) else Fraction(value).denominator == 1


def positive_part(value: Number) -> Number:
    """A number that is at least this one and at least 0."""
    return value.positive_part() if isinstance(value, PublicNumber) else max(Fraction(value), Fraction(0))


def largest_of(values: Iterable[Number]) -> Number:
    """The largest of one or more numbers."""
    best = None
    for value in values:
        best = value if best is None or sign_of(value - best) > 0 else best
    assert best is not None
    return best
