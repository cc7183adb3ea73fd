"""What a mechanism's parameters may be: private query answers, and public numbers with their ranges.

A parameter's type is its annotation: the class itself (``q: Queries``), with metadata where it says more
(``q: Annotated[Queries, Sensitivity(100)]``), or an instance (``q: Queries(sensitivity=100)``).

What may stand beside a parameter's type in ``Annotated``: the sensitivity of answers, and their lattice.
"""

from __future__ import annotations

import ast
import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from alignkit.arguments import column, fraction, shown
from alignkit.errors import InputError, described
from alignkit.noise.bits import Bits, read_base2
from alignkit.noise.lattice import is_multiple
from alignkit.public_names import public

Number = int | float | Fraction

# A number above 0, or the name of a public parameter.
DeclaredNumber = int | Fraction | str


@dataclass(frozen=True, repr=False)
class NamedMultiple:
    """A number above 0, other than 1, times the public parameter ``name``: the sensitivity ``"2 * delta"``."""

    factor: int | Fraction
    name: str

    def __str__(self) -> str:
        return f"{self.factor} * {self.name}"

    def __repr__(self) -> str:
        return repr(str(self))


@dataclass(frozen=True)
class LocalSensitivity:
    """A sensitivity that holds of a pair where the condition ``where`` does, on D or on D′; elsewhere there is none."""

    value: DeclaredNumber | NamedMultiple
    where: str

    def __str__(self) -> str:
        return f"{self.value} where {self.where}"


def declared_sensitivity(value: Any) -> DeclaredNumber | NamedMultiple:
    """The sensitivity of a declaration: as `declared_number` reads it, or a number above 0 times a parameter.

    >>> declared_sensitivity("2 * delta"), declared_sensitivity("delta / 4"), declared_sensitivity("delta * 1")
    ('2 * delta', '1/4 * delta', 'delta')
    """
    if isinstance(value, NamedMultiple):
        return value
    product = _product(value) if isinstance(value, str) else None
    if product is None:
        return declared_number(value, "sensitivity")
    factor = declared_number(product[0], "the factor of a sensitivity")
    assert not isinstance(factor, str)
    return product[1] if factor == 1 else NamedMultiple(factor, product[1])


def _product(text: str) -> tuple[Fraction, str] | None:
    """The number and the name of a product such as ``2 * delta``, ``delta * 0.5`` or ``delta / 3``; else None."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match node:
        case ast.BinOp(left=number, op=ast.Mult(), right=ast.Name(id=name)):
            inverted = False
        case ast.BinOp(left=ast.Name(id=name), op=ast.Mult() | ast.Div() as op, right=number):
            inverted = isinstance(op, ast.Div)
        case _:
            return None
    try:
        factor = fraction(ast.get_source_segment(text.strip(), number) or "")
        return 1 / factor if inverted else factor, name
    except (ValueError, ZeroDivisionError):
        return None


def exact(value: Any, name: str) -> int | Fraction:
    """The number as an exact one; a float means the decimal it prints as (0.7 is 7/10).

    >>> exact(0.7, "eps"), exact("1/3", "eps"), exact(2, "k")
    (Fraction(7, 10), Fraction(1, 3), 2)
    """
    number = plain_number(value, name)
    if isinstance(number, float):
        return Fraction(repr(number))
    return number


def plain_number(value: Any, name: str) -> Number:
    """The value as a finite int, Fraction or float; InputError, with the name, where it is none.

    >>> plain_number("1/3", "eps"), plain_number(0.25, "q[0]"), plain_number(Fraction(4, 2), "k")
    (Fraction(1, 3), 0.25, 2)
    """
    try:
        return _plain_number(value, name)
    except InputError:
        raise
    except Exception as problem:
        raise _unreadable(value, name, problem) from problem


def _unreadable(value: Any, name: str, problem: Exception) -> InputError:
    """The refusal of a value whose own methods fail."""
    return InputError(f"{name} is of type {type(value).__name__}, and cannot be read: {described(problem)}")


def _plain_number(value: Any, name: str) -> Number:
    if getattr(value, "ndim", 0) != 0:
        raise InputError(f"{name} must be one number, not an array of {math.prod(value.shape)}")
    if hasattr(value, "item") and callable(value.item):
        value = value.item()
    if isinstance(value, bool):
        raise InputError(f"{name} must be a number, not {value!r}")
    if isinstance(value, int):
        return int.__int__(value)  # a subclass may have another repr, which fingerprints would take
    if isinstance(value, Fraction):
        if type(value) is not Fraction:  # a subclass may say itself what it is
            value = Fraction(*map(int.__int__, Fraction.as_integer_ratio(value)))
        return value if value.denominator != 1 else int(value)
    if isinstance(value, str):
        try:
            value = fraction(value)
        except ValueError:
            raise InputError(f"{name} must be a number such as 3, 0.7 or 1/3, not {shown(value)}") from None
        return _plain_number(value, name)
    if isinstance(value, Decimal) and value.is_finite():
        return _plain_number(str(value), name)
    if isinstance(value, float | Decimal):
        if isinstance(value, Decimal) or not math.isfinite(value):
            raise InputError(f"{name} must be a finite number, not {value!r}")
        return float.__pos__(value)  # of a subclass, the plain float
    raise InputError(f"{name} must be a number, not {type(value).__name__} {shown(value)}")


def declared_number(value: Any, what: str) -> DeclaredNumber:
    """The sensitivity or lattice of a declaration: a number above 0, or a parameter's name; InputError otherwise.

    ``what`` is the word for it in messages.

    >>> declared_number("delta", "sensitivity"), declared_number(0.5, "lattice")
    ('delta', Fraction(1, 2))
    """
    if isinstance(value, str) and value.isidentifier():
        return str.__str__(value)
    try:
        number = exact(value, what)
    except InputError:
        if not isinstance(value, str):
            raise
        raise InputError(
            f"{what} must be a number such as 3, 0.7 or 1/3, or the name of a public parameter, not {shown(value)}"
        ) from None
    if number <= 0:
        raise InputError(f"{what} must be above 0, not {shown(value)}")
    return number


_ABOVE_0 = (">", 0)
_COMPARE = {">": operator.gt, "<": operator.lt}


class ParameterType(ABC):
    """What the values of a parameter are; each subclass is a dataclass of what a declaration may say.

    ``lattice`` is γ where every value is a multiple of γ: a number above 0 or the name of a public parameter.
    ``bounds`` and ``integer`` hold of every number, and a list has at least ``shortest`` of them.
    """

    lattice: DeclaredNumber | None
    private = False
    vector = False
    integer = False
    bounds: tuple[tuple[str, int], ...] = ()
    shortest = 0
    describes: str

    def __post_init__(self) -> None:
        if self.lattice is not None:
            object.__setattr__(self, "lattice", declared_number(self.lattice, "lattice"))

    @property
    def positive(self) -> bool:
        """Whether every number is above 0."""
        return _ABOVE_0 in self.bounds

    @abstractmethod
    def read(self, value: Any, name: str) -> Any:
        """The value, or the tuple of values, as this type has it; InputError where it does not fit."""

    def sample_values(self) -> tuple[Fraction, ...]:
        """Values of one number that are likely to show a flaw, the simplest first: the search tries them."""
        return tuple(Fraction(x) for x in (0, 1, -1, 2, 10))

    def values_to_search(self) -> tuple[Fraction, ...]:
        """The sample values, then fractions and large numbers, for a search that compares the parameter's values."""
        further = (Fraction(1, 2), Fraction(1, 10), Fraction(10), Fraction(100))
        return tuple(dict.fromkeys((*self.sample_values(), *filter(self._within, further))))

    def _within(self, number: Fraction | int) -> bool:
        """Whether a number lies between the bounds."""
        return all(_COMPARE[symbol](number, bound) for symbol, bound in self.bounds)


@public
@dataclass(frozen=True)
class Real(ParameterType):
    """A public real number."""

    lattice: DeclaredNumber | None = None

    describes = "a number"
    requirement = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lattice is not None and type(self) not in (Real, Positive):
            name = type(self).__name__
            raise InputError(f"{name} has no lattice: write {name} alone; Real, Positive, Reals, Query and Queries may")

    def read(self, value: Any, name: str) -> Any:
        """The value as an exact number of this type; InputError where it is not one."""
        number = exact(value, name)
        if not self._within(number) or (self.integer and number != int(number)):
            raise InputError(f"{name} must {self.requirement}, not {shown(value)}")
        return int(number) if self.integer else number


@public
@dataclass(frozen=True)
class Positive(Real):
    """A public real number above 0: a scale, a sensitivity."""

    bounds = (_ABOVE_0,)
    describes = "a number above 0"
    requirement = "be above 0"

    def sample_values(self) -> tuple[Fraction, ...]:
        return (Fraction(1), Fraction(2), Fraction(1, 2))


@public
@dataclass(frozen=True)
class Epsilon(Positive):
    """The privacy loss budget ε > 0."""

    describes = "a privacy loss budget above 0"


@public
@dataclass(frozen=True)
class Eta(Positive):
    """The privacy loss budget η > 0 in base 2: dP_D <= 2^η dP_D′ (Ilvento, Definition 2.2).

    Its values are numbers, or `base2(x, y, z)` where 2^η has to be computed exactly, as in a release.
    """

    describes = "a base-2 privacy loss budget above 0"

    def read(self, value: Any, name: str) -> Any:
        if isinstance(value, str) and value.strip().startswith("base2"):
            value = read_base2(value)
        if isinstance(value, Bits):
            if value.sign <= 0:
                raise InputError(f"{name} must be above 0, not {value}")
            return value
        return super().read(value, name)


@public
@dataclass(frozen=True)
class Proportion(Real):
    """A public real number strictly between 0 and 1, such as a share of the budget."""

    bounds = (_ABOVE_0, ("<", 1))
    describes = "a number strictly between 0 and 1"
    requirement = "lie strictly between 0 and 1"

    def sample_values(self) -> tuple[Fraction, ...]:
        return (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4))


@public
@dataclass(frozen=True)
class Count(Real):
    """A public whole number, at least 1."""

    integer = True
    bounds = (_ABOVE_0,)
    describes = "a whole number, at least 1"
    requirement = "be a whole number, at least 1"

    def sample_values(self) -> tuple[Fraction, ...]:
        return (Fraction(1), Fraction(2), Fraction(3))

    def values_to_search(self) -> tuple[Fraction, ...]:
        """The sample values, and 10: a loop of a hundred rounds may have too many paths."""
        return (*self.sample_values(), Fraction(10))


@public
@dataclass(frozen=True)
class Reals(ParameterType):
    """A public vector of real numbers, such as a threshold for each query."""

    lattice: DeclaredNumber | None = None

    vector = True
    describes = "a list of numbers"

    def read(self, value: Any, name: str) -> Any:
        return tuple(exact(x, f"{name}[{i}]") for i, x in enumerate(_sequence(value, name)))


@public
@dataclass(frozen=True)
class Query(ParameterType):
    """A private query answer: one real number that may change by up to ``sensitivity``.

    ``sensitivity`` is a number above 0, the name of a public parameter, or a number above 0 times one; or one of these
    that holds under a condition only.
    """

    sensitivity: DeclaredNumber | NamedMultiple | LocalSensitivity = 1
    lattice: DeclaredNumber | None = None

    private = True
    describes = "a query answer"

    def __post_init__(self) -> None:
        if not isinstance(self.sensitivity, LocalSensitivity):
            object.__setattr__(self, "sensitivity", declared_sensitivity(self.sensitivity))
        elif self.vector:
            raise InputError("a sensitivity that holds under a condition is that of one answer, a Query")
        super().__post_init__()

    @property
    def local(self) -> LocalSensitivity | None:
        """The sensitivity, if it holds under a condition only."""
        return self.sensitivity if isinstance(self.sensitivity, LocalSensitivity) else None

    @property
    def declared_bound(self) -> DeclaredNumber | NamedMultiple:
        """The sensitivity as it is declared, without the condition under which it holds."""
        return self.sensitivity.value if isinstance(self.sensitivity, LocalSensitivity) else self.sensitivity

    def bound(self, values: Mapping[str, Any]) -> Any:
        """The sensitivity where the public parameters have these values, which may be numbers or terms.

        InputError where it holds under a condition only: whoever asks takes it for one that always holds.
        """
        if self.local is not None:
            raise InputError(f"a sensitivity that holds under a condition, {self.local}, is not covered here")
        return self.bound_where_it_holds(values)

    def bound_where_it_holds(self, values: Mapping[str, Any]) -> Any:
        """The same of a sensitivity that may hold under a condition only."""
        declared = self.declared_bound
        if isinstance(declared, NamedMultiple):
            return declared.factor * values[declared.name]
        return values[declared] if isinstance(declared, str) else declared

    def read(self, value: Any, name: str) -> Any:
        """The answer, floats left as floats; InputError where it is not finite."""
        return plain_number(value, name)


@public
@dataclass(frozen=True)
class Queries(Query):
    """The private query answers (q_1, …, q_n), each a real number that may change by up to ``sensitivity``."""

    vector = True
    shortest = 1
    describes = "a list of query answers"

    def read(self, value: Any, name: str) -> Any:
        answers = _sequence(value, name)
        if not _are_plain(answers):
            answers = tuple(super(Queries, self).read(x, f"{name}[{i}]") for i, x in enumerate(answers))
        if len(answers) < self.shortest:
            raise InputError(f"{name} is empty; give at least one query answer")
        return answers


def _are_plain(values: tuple[Any, ...]) -> bool:
    """Whether all values are ints and finite floats, and so need no reading one by one."""
    kinds = set(map(type, values))
    if kinds == {int, float}:  # an int may be too large for a float
        values = tuple([x for x in values if type(x) is float])
    return kinds <= {int, float} and (float not in kinds or all(map(math.isfinite, values)))


def check_multiple(value: Any, lattice: Any, name: str) -> None:
    """Raise InputError unless the number, or each of a list, is a multiple of the lattice."""
    if isinstance(value, tuple) and Fraction(lattice).numerator == 1 and set(map(type, value)) == {int}:
        return  # every whole number is a multiple of 1/m
    listed = list(enumerate(value)) if isinstance(value, tuple) else [(None, value)]
    for i, number in listed:
        if not is_multiple(number, lattice):
            place = name if i is None else f"{name}[{i}]"
            raise InputError(f"{place} must be a multiple of {shown(lattice)}, not {shown(number)}")


def _sequence(value: Any, name: str) -> tuple[Any, ...]:
    """The items of a list, or of anything like it; InputError where it is none."""
    try:
        return tuple(_iterable(value, name))
    except InputError:
        raise
    except Exception as problem:
        raise _unreadable(value, name, problem) from problem


def _iterable(value: Any, name: str) -> Iterable[Any]:
    read = any(hasattr(value, method) for method in ("__iter__", "to_numpy", "__array__"))
    if isinstance(value, str | bytes | set | frozenset) or not read:
        raise InputError(f"{name} must be a list of numbers, not {shown(value)}")
    return column(value, name)


@public
@dataclass(frozen=True)
class Sensitivity:
    """By how much a private answer may change between adjacent databases: ``Annotated[Queries, Sensitivity(2)]``.

    ``value`` is in the units of the answers: an exact number above 0 (an int, a Fraction, a text such as ``"1/3"``;
    a float means the decimal that it prints as), or the name of a public parameter of type Positive, for a proof that
    holds for every sensitivity, or a number above 0 times such a parameter (``"2 * delta"``, ``"delta / 2"``). Without
    it the sensitivity is 1. It belongs to Query and Queries alone. Raises InputError for anything else.

    ``where`` is a condition on single answers and public numbers. The answer, a Query, then changes by at most
    ``value`` between adjacent databases of which one meets the condition, and by anything between others: the distance
    to a database of larger local sensitivity is such an answer (Dwork and Lei, STOC 2009, propose-test-release).

    >>> Sensitivity("delta"), Sensitivity(0.5), Sensitivity("delta * 2")
    (Sensitivity('delta'), Sensitivity('1/2'), Sensitivity('2 * delta'))
    >>> Sensitivity(1, where="distance > 0")
    Sensitivity(1, where='distance > 0')
    >>> Sensitivity(0)
    Traceback (most recent call last):
    ...
    alignkit.InputError: sensitivity must be above 0, not 0
    """

    value: int | float | Fraction | str | NamedMultiple
    where: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", declared_sensitivity(self.value))
        if self.where is not None and not isinstance(self.where, str):
            raise InputError(f"where must be a condition in a string, such as 'd > 0', not {shown(self.where)}")
        if self.where is not None and "#" in self.where:
            raise InputError("where has a comment in it; leave out what begins with #")
        if self.where is not None:
            object.__setattr__(self, "where", " ".join(self.where.split()))

    def __repr__(self) -> str:
        number = self.value if isinstance(self.value, int) else str(self.value)
        return f"{type(self).__name__}({number!r}{'' if self.where is None else f', where={self.where!r}'})"

    @property
    def declared(self) -> DeclaredNumber | NamedMultiple | LocalSensitivity:
        """What the type of the answer says of it."""
        assert not isinstance(self.value, float)
        return self.value if self.where is None else LocalSensitivity(self.value, self.where)


@public
@dataclass(frozen=True)
class Lattice:
    """The spacing γ of a parameter's values, which are all multiples of it: ``Annotated[Queries, Lattice(1)]``.

    ``value`` is in the units of the values: an exact number above 0 (an int, a Fraction, a text such as ``"1/3"``;
    a float means the decimal that it prints as), or the name of a public parameter of type Positive. Real, Positive,
    Reals, Query and Queries may have one. Raises InputError for anything else.

    >>> Lattice("gamma"), Lattice("1/4")
    (Lattice(value='gamma'), Lattice(value=Fraction(1, 4)))
    """

    value: int | float | Fraction | str

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", declared_number(self.value, "lattice"))
