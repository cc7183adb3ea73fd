"""Symbolic numbers that Python computes with: sums of products of unknowns, in one normal form.

A ``Number`` behaves as a number does in a user's function. Comparing two gives a ``Comparison``, and asking whether
that is true asks the ``World`` that the unknowns belong to, which then goes one way or the other. What is constant is
an ordinary ``int`` or ``Fraction``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol


class NotExaminedError(Exception):
    """What the second program does not cover; its words say what."""


class UndefinedError(Exception):
    """A run that Python would end with an error, because of what the numbers are that it is ``about``."""

    def __init__(self, words: str, *about: Any) -> None:
        super().__init__(words)
        self.about = about


class World(Protocol):
    """Where unknowns live: what decides comparisons, and what is known of signs."""

    def decide(self, comparison: Comparison) -> bool:
        """Go one way where a run depends on a comparison."""

    def is_positive(self, number: Number) -> bool:
        """Whether a number is above 0 for all inputs, by what is known of them."""

    def inverse(self, number: Number) -> Unknown:
        """The unknown that is 1 divided by a sum."""

    def is_not_zero(self, number: Number) -> bool:
        """What a number is where a condition is expected."""

    def number_of(self, value: Any) -> Any:
        """What stands for a value that meets a number, and is none of those here."""

    def array_operation(self, operation: Any, method: str, inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """What an operation on arrays gives that meets a number."""


@dataclass(eq=False, frozen=True)
class Unknown:
    """An unknown number: drawn (``noise``), an answer or its change (``private``), or public; an integer if ``whole``.

    ``continuous`` noise has a density, and ``step`` is how many outputs were given before it was drawn. ``denominator``
    is the sum that an unknown is 1 divided by, ``exponent`` the base and the product whose power it is; ``of`` is what
    it is another function of.
    """

    name: str
    order: int
    world: World = field(repr=False)
    positive: bool = False
    whole: bool = False
    noise: bool = False
    private: bool = False
    continuous: bool = False
    unbounded: bool = False
    step: int = 0
    denominator: Number | None = field(default=None, repr=False)
    exponent: tuple[int, Any] | None = field(default=None, repr=False)
    of: Any = field(default=None, repr=False)

    @property
    def inside(self) -> Any:
        """What it is a function of; None where it is unknown by itself."""
        return (
            self.exponent[1] if self.exponent is not None else self.of if self.denominator is None else self.denominator
        )

    # Sets of unknowns have the same order in every run, and so have the solver's questions.
    def __hash__(self) -> int:
        return self.order


# A product of unknowns, each with its exponent, in the order of the unknowns.
Product = tuple[tuple[Unknown, int | Fraction], ...]


def times(one: Product, other: Product) -> Product:
    """The product of two products."""
    exponents = dict(one)
    for unknown, exponent in other:
        exponents[unknown] = exponents.get(unknown, 0) + exponent
    return tuple(sorted(((u, e) for u, e in exponents.items() if e), key=lambda part: part[0].order))


def plain(value: Any) -> Any:
    """A value as the numbers here are: a float is the decimal that it prints as."""
    if isinstance(value, float):
        return tidy(Fraction(repr(value)))
    return value


def tidy(value: Fraction | int) -> Fraction | int:
    """An int where a fraction is whole, so that it can count and index."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def made(terms: Mapping[Product, Fraction | int]) -> Any:
    """The number with these terms: a plain one where no unknown is left."""
    kept = {product: factor for product, factor in terms.items() if factor}
    if not kept:
        return 0
    if len(kept) == 1 and () in kept:
        return tidy(kept[()])
    return Number(kept)


def terms_of(value: Any) -> dict[Product, Fraction | int] | None:
    """The terms of a number; None where the value is none."""
    if isinstance(value, Number):
        return value.terms
    value = plain(value)
    if isinstance(value, Comparison):
        value = bool(value)
    if isinstance(value, int | Fraction):
        return {(): value} if value else {}
    return None


class Number:
    """A sum of products of unknowns with rational factors; not constant."""

    __slots__ = ("_key", "terms")

    def __init__(self, terms: dict[Product, Fraction | int]) -> None:
        self.terms = terms
        self._key: frozenset[Any] | None = None

    @property
    def key(self) -> frozenset[Any]:
        """A value that is the same for equal numbers."""
        if self._key is None:
            self._key = frozenset(self.terms.items())
        return self._key

    @property
    def unknowns(self) -> set[Unknown]:
        """The unknowns in it, those inside inverses and powers included."""
        found: set[Unknown] = set()
        for product in self.terms:
            for unknown, _ in product:
                found.add(unknown)
                found |= unknowns_of(unknown.inside)
        return found

    @property
    def world(self) -> World:
        """The world of its unknowns."""
        return next(product[0][0].world for product in self.terms if product)

    def _terms_of(self, other: Any) -> dict[Product, Fraction | int] | None:
        known = isinstance(other, Number | int | Fraction | Comparison)
        return terms_of(other if known else self.world.number_of(other))

    def __add__(self, other: Any) -> Any:
        terms = self._terms_of(other)
        if terms is None:
            return NotImplemented
        total = dict(self.terms)
        for product, factor in terms.items():
            total[product] = total.get(product, 0) + factor
        return made(total)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return Number({product: -factor for product, factor in self.terms.items()})

    def __pos__(self) -> Any:
        return self

    def __sub__(self, other: Any) -> Any:
        terms = self._terms_of(other)
        return NotImplemented if terms is None else self + made({p: -f for p, f in terms.items()})

    def __rsub__(self, other: Any) -> Any:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Any:
        terms = self._terms_of(other)
        if terms is None:
            return NotImplemented
        total: dict[Product, Fraction | int] = {}
        for one, factor in self.terms.items():
            for other_, factor_ in terms.items():
                product = times(one, other_)
                total[product] = total.get(product, 0) + factor * factor_
        return made(total)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        terms = self._terms_of(other)
        return NotImplemented if terms is None else divided(self, made(terms))

    def __rtruediv__(self, other: Any) -> Any:
        terms = self._terms_of(other)
        return NotImplemented if terms is None else divided(made(terms), self)

    def __pow__(self, exponent: Any) -> Any:
        if type(exponent) is not int or abs(exponent) > 64:
            raise NotExaminedError("a power with an exponent that is no small whole number")
        total: Any = 1
        for _ in range(abs(exponent)):
            total = total * self
        return divided(1, total) if exponent < 0 else total

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __lt__(self, other: Any) -> Any:
        return compared(other, self, ">")

    def __gt__(self, other: Any) -> Any:
        return compared(self, other, ">")

    def __le__(self, other: Any) -> Any:
        return compared(other, self, ">=")

    def __ge__(self, other: Any) -> Any:
        return compared(self, other, ">=")

    def __eq__(self, other: Any) -> Any:
        # Of what is no number its own comparison decides: a length, say, is not compared.
        return compared(self, other, "==")

    def __ne__(self, other: Any) -> Any:
        return not (self == other)

    def __hash__(self) -> int:
        raise NotExaminedError("a set or a dictionary of numbers that are not known")

    def __bool__(self) -> bool:
        return self.world.is_not_zero(self)

    # As Python's fractions ask of a number, and numpy of what is no number of its own.
    imag = 0
    real = property(lambda self: self)

    def __array_ufunc__(self, operation: Any, method: str, *inputs: Any, **named: Any) -> Any:
        return self.world.array_operation(operation, method, inputs, named)

    def _unsupported(self, *_: Any) -> Any:
        raise NotExaminedError("rounding, a remainder, or an index or a count that is not known")

    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __round__ = __floor__ = __ceil__ = __trunc__ = _unsupported
    __int__ = __float__ = __index__ = __divmod__ = __rpow__ = _unsupported

    def __repr__(self) -> str:
        return shown(self)


@dataclass(eq=False)
class Comparison:
    """Whether ``number`` is > 0, >= 0 or == 0, asked of its world when Python asks for a truth value."""

    number: Number
    relation: str

    def __bool__(self) -> bool:
        return self.number.world.decide(self)

    def __eq__(self, other: object) -> bool:
        return bool(self) == (bool(other) if isinstance(other, Comparison) else other)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Any) -> Any:
        return int(bool(self)) + other

    def __mul__(self, other: Any) -> Any:
        return int(bool(self)) * other

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other: Any) -> Any:
        return int(bool(self)) - other

    def __rsub__(self, other: Any) -> Any:
        return other - int(bool(self))


def compared(one: Any, other: Any, relation: str) -> Any:
    """Whether one number is above, at least, or equal to another: a truth value, or what will be asked."""
    for value, sign in ((one, 1), (other, -1)):
        if isinstance(value, float) and math.isinf(value):
            return relation != "==" and value * sign > 0
    difference = one.__sub__(other) if isinstance(one, Number) else other.__rsub__(one)
    if difference is NotImplemented:
        return NotImplemented
    if isinstance(difference, Number):
        return Comparison(difference, relation)
    return {">": difference > 0, ">=": difference >= 0, "==": difference == 0}[relation]


class Near:
    """A number between two fractions: what a run on plain numbers knows of one that is irrational.

    Where the two do not tell how a comparison goes, the run is given up, since rounding would decide it.
    """

    __slots__ = ("high", "low")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, low: Fraction, high: Fraction) -> None:
        self.low, self.high = low, high

    @staticmethod
    def of(value: Any) -> Near:
        """A plain number with itself at both ends."""
        value = plain(value)
        if isinstance(value, Near):
            return value
        if not isinstance(value, int | Fraction):
            raise NotExaminedError(f"arithmetic on {type(value).__name__}")
        return Near(Fraction(value), Fraction(value))

    @property
    def sign(self) -> int:
        """-1, 0 or 1, where the ends tell it."""
        if self.low > 0 or self.high < 0 or self.low == self.high:
            return (self.low > 0) - (self.high < 0)
        raise NotExaminedError("numbers that rounding does not tell apart")

    def __add__(self, other: Any) -> Near:
        other = Near.of(other)
        return Near(self.low + other.low, self.high + other.high)

    def __neg__(self) -> Near:
        return Near(-self.high, -self.low)

    def __sub__(self, other: Any) -> Near:
        return self + -Near.of(other)

    def __rsub__(self, other: Any) -> Near:
        return Near.of(other) + -self

    def __mul__(self, other: Any) -> Near:
        other = Near.of(other)
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Near(min(ends), max(ends))

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> Near:
        other = Near.of(other)
        if other.sign == 0:
            raise UndefinedError("a division by 0")
        return self * Near(1 / other.high, 1 / other.low)

    def __rtruediv__(self, other: Any) -> Near:
        return Near.of(other) / self

    def __abs__(self) -> Near:
        ends = abs(self.low), abs(self.high)
        return Near(min(ends) if self.low * self.high > 0 else Fraction(0), max(ends))

    def __lt__(self, other: Any) -> bool:
        return bool((self - other).sign < 0)

    def __gt__(self, other: Any) -> bool:
        return bool((self - other).sign > 0)

    def __le__(self, other: Any) -> bool:
        return bool((self - other).sign <= 0)

    def __ge__(self, other: Any) -> bool:
        return bool((self - other).sign >= 0)

    def __eq__(self, other: object) -> bool:
        return (self - other).sign == 0


def unknowns_of(value: Any) -> set[Unknown]:
    """The unknowns in a value, in lists of values too."""
    if isinstance(value, Number):
        return value.unknowns
    if isinstance(value, list | tuple):
        return set().union(*map(unknowns_of, value))
    return set()


def divided(one: Any, other: Any) -> Any:
    """One number divided by another, exactly, as every division of a user's function is computed."""
    one, other = plain(one), plain(other)
    if isinstance(one, Near) or isinstance(other, Near):
        return one / other
    for value in (one, other):
        if terms_of(value) is None:
            raise NotExaminedError(f"a division of {type(value).__name__}")
    if not isinstance(other, Number):
        if other == 0:
            raise UndefinedError("a division by 0")
        return one * Fraction(1, 1) * (1 / Fraction(other)) if isinstance(one, Number) else tidy(Fraction(one) / other)
    known = len(other.terms) == 1 and all(unknown.positive for unknown, _ in next(iter(other.terms)))
    if not known and not other.world.is_positive(other) and other == 0:
        raise UndefinedError("a division by 0", other)
    return one * inverse(other)


def inverse(number: Number) -> Any:
    """1 divided by a number that is not 0. Only of a sum is that a new unknown, and 1 divided by that is the sum."""
    common = content(number)
    rest = number * made({tuple((u, -e) for u, e in common): 1})
    flipped: Any = 1
    for unknown, exponent in common:
        if unknown.denominator is not None and exponent > 0:
            flipped = flipped * unknown.denominator ** int(exponent)
        else:
            flipped = flipped * made({((unknown, -exponent),): 1})
    if not isinstance(rest, Number):
        return flipped * (1 / Fraction(rest))
    factor = leading(rest)
    rest = rest * (1 / Fraction(factor))
    if rest.world.is_positive(-rest):
        factor, rest = -factor, -rest
    return flipped * (1 / Fraction(factor)) * made({((rest.world.inverse(rest), 1),): 1})


def content(number: Number) -> Product:
    """The unknowns that divide every term, with the least exponent of each."""
    products = list(number.terms)
    shared = dict(products[0])
    for product in products[1:]:
        exponents = dict(product)
        for unknown in list(shared):
            if unknown not in exponents:
                shared[unknown] = min(shared[unknown], 0)
            else:
                shared[unknown] = min(shared[unknown], exponents[unknown])
        for unknown, exponent in exponents.items():
            if exponent < 0 and unknown not in shared:
                shared[unknown] = exponent
    return tuple(sorted(((u, e) for u, e in shared.items() if e), key=lambda part: part[0].order))


def leading(number: Number) -> Fraction | int:
    """The factor of the first term, in an order that does not depend on the signs."""
    return number.terms[min(number.terms, key=lambda p: (-len(p), [(u.order, e) for u, e in p]))]


def cleared(number: Any) -> Any:
    """A number with the same sign: without common positive factors, and without positive denominators."""
    while isinstance(number, Number):
        inverses = {u: e for p in number.terms for u, e in p if u.denominator is not None and u.positive and e > 0}
        if inverses:
            unknown = max(inverses, key=lambda u: u.order)
            most = max(int(dict(p).get(unknown, 0)) for p in number.terms)
            total: Any = 0
            for product, factor in number.terms.items():
                exponent = int(dict(product).get(unknown, 0))
                rest = tuple((u, e) for u, e in product if u is not unknown)
                denominator: Any = unknown.denominator
                total = total + made({rest: factor}) * denominator ** (most - exponent)
            number = total
            continue
        common = tuple((u, -e) for u, e in content(number) if u.positive)
        return number * made({common: 1}) if common else number
    return number


def shown(value: Any) -> str:
    """A number as text."""
    if not isinstance(value, Number):
        return str(value)
    parts = []
    for product, factor in value.terms.items():
        names = [u.name if e == 1 else f"{u.name}**({e})" for u, e in product]
        parts.append("*".join([str(factor), *names] if factor != 1 or not names else names))
    return " + ".join(parts)


def substituted(value: Any, values: Mapping[Unknown, Any]) -> Any:
    """A number with unknowns replaced; those that others are functions of may not be among them."""
    if not isinstance(value, Number):
        return value
    total: Any = 0
    for product, factor in value.terms.items():
        term: Any = factor
        for unknown, exponent in product:
            if unknown not in values and unknowns_of(unknown.inside) & values.keys():
                raise NotExaminedError("what is replaced in a denominator, an exponent or a function")
            if unknown in values and exponent > 0 and exponent == int(exponent):
                term = term * values[unknown] ** int(exponent)
            elif unknown in values:
                raise NotExaminedError("a division by noise")
            else:
                term = term * made({((unknown, exponent),): 1})
        total = total + term
    return total


def same(one: Any, other: Any) -> bool:
    """Whether two numbers are equal by their normal form alone."""
    if isinstance(one, Number) and isinstance(other, Number):
        return one.key == other.key
    return not isinstance(one, Number) and not isinstance(other, Number) and one == other


def product_of(values: Iterable[Any]) -> Any:
    """The product of numbers."""
    total: Any = 1
    for value in values:
        total = total * value
    return total
