"""Noise as a tape of cells, and the rules by which a function and a mechanism read the same tape.

A cell is noise of unit scale, independent of all others. A function's draw reads the cell of its place in the program
and of how often that place was met; a mechanism's draw reads cells by a rule that is fixed before any run, so that
both are functions of one tape. Where a mechanism's draw has another distribution than the cell, it is made of one or
several cells by a formula under which it has its own.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from alignkit.confirming.normal_forms import Near, NotExaminedError, same

SYMMETRIC = ("laplace", "logistic", "normal", "discrete_laplace")
# What a cell holds that is no noise of unit scale: it depends on a parameter.
PARAMETRIC = ("geometric", "discrete_laplace", "permutation")

# A cell: where in the function, and how often that place was met before.
Cell = tuple[Any, int]


class CutError(Exception):
    """A run that draws, or decides, more often than is followed: a loop without bound."""


class RuleError(Exception):
    """A rule by which the mechanism would not have the noise that it asks for."""


@dataclass(frozen=True)
class NoiseDraw:
    """Noise that a sampler draws: ``location + scale * unit``, or a geometric number or a permutation.

    ``parameter`` is the ratio of successive probabilities of geometric noise, or the length of a permutation.
    ``size`` is the shape of an array of independent draws, ``read`` what is made of the value: a choice, say, is read
    from a uniform number.
    """

    family: str
    scale: Any = 1
    location: Any = 0
    parameter: Any = None
    size: Any = None
    read: Callable[[Any], Any] = field(default=lambda value: value, repr=False)

    def __str__(self) -> str:
        if self.parameter is not None:
            return f"{self.family}({self.parameter})"
        return f"{self.family}(scale={self.scale}, location={self.location})"

    @staticmethod
    def laplace(scale: Any = 1, location: Any = 0, size: Any = None) -> NoiseDraw:
        """What a sampler of Laplace noise draws."""
        return NoiseDraw("laplace", scale, location, size=size)

    @staticmethod
    def exponential(scale: Any = 1, size: Any = None) -> NoiseDraw:
        """What a sampler of exponential noise draws."""
        return NoiseDraw("exponential", scale, size=size)

    @staticmethod
    def gumbel(scale: Any = 1, location: Any = 0, size: Any = None) -> NoiseDraw:
        """What a sampler of Gumbel noise draws."""
        return NoiseDraw("gumbel", scale, location, size=size)

    @staticmethod
    def logistic(scale: Any = 1, location: Any = 0, size: Any = None) -> NoiseDraw:
        """What a sampler of logistic noise draws."""
        return NoiseDraw("logistic", scale, location, size=size)

    @staticmethod
    def geometric(ratio: Any, size: Any = None) -> NoiseDraw:
        """What a sampler of geometric noise from 0 on draws: each number is ``ratio`` times as likely as the last."""
        return NoiseDraw("geometric", parameter=ratio, size=size)

    @staticmethod
    def discrete_laplace(ratio: Any, read: Callable[[Any], Any] = lambda value: value, size: Any = None) -> NoiseDraw:
        """What a sampler of two-sided geometric noise draws, of which ±(k + 1) is ``ratio`` times as likely as ±k.

        ``read`` is what the sampler makes of the noise: added to an answer and cut off at 0, say.
        """
        return NoiseDraw("discrete_laplace", parameter=ratio, size=size, read=read)

    @staticmethod
    def uniform(low: Any = 0, high: Any = 1, size: Any = None) -> NoiseDraw:
        """What a sampler of uniform numbers draws."""
        return NoiseDraw("uniform", high - low, low, size=size)

    @staticmethod
    def bernoulli(probability: Any, size: Any = None) -> NoiseDraw:
        """What a sampler of a coin draws: True with this probability."""
        return NoiseDraw("uniform", size=size, read=lambda u: bool(u < probability))


class Numbers(Protocol):
    """What the formulas of noise are computed with: symbolic numbers, or floats."""

    def log(self, value: Any) -> Any:
        """The natural logarithm."""

    def cos(self, value: Any) -> Any:
        """The cosine."""

    def unit(self, family: str, cell: Any) -> Any:
        """The noise of unit scale in a cell."""

    def outcome(self, kind: str, cell: Any, parameter: Any) -> Any:
        """The permutation or the geometric number in a cell."""


@dataclass(frozen=True)
class CellFormula:
    """How noise of one distribution is made of cells that hold others."""

    name: str
    cells: tuple[str, ...]
    value: Callable[..., Any]


def _laplace_of_uniform(numbers: Numbers, u: Any) -> Any:
    return -numbers.log(2 - 2 * u) if u >= Fraction(1, 2) else numbers.log(2 * u)


def _signed(numbers: Numbers, u: Any, x: Any) -> Any:
    return x if u >= Fraction(1, 2) else -x


def _laplace_of_cosines(numbers: Numbers, a: Any, b: Any, c: Any, d: Any) -> Any:
    return numbers.log(1 - a) * numbers.cos(math.pi * b) + numbers.log(1 - c) * numbers.cos(math.pi * d)


def chosen(u: Any, weights: Sequence[Any]) -> int:
    """The choice that a uniform number makes: the first index at which the sum of the weights exceeds its share."""
    total, so_far = sum(weights), 0
    for i, weight in enumerate(weights[:-1]):
        so_far = so_far + weight
        if so_far > u * total:
            return i
    return len(weights) - 1


# The first formula of a family is its own cell.
FORMULAS: Mapping[str, tuple[CellFormula, ...]] = {
    "laplace": (
        CellFormula("itself", ("laplace",), lambda numbers, x: x),
        CellFormula("the inverse of its distribution function", ("uniform",), _laplace_of_uniform),
        CellFormula("exponential noise with a sign", ("uniform", "exponential"), _signed),
        CellFormula("exponential noise with a sign", ("exponential", "uniform"), lambda n, x, u: _signed(n, u, x)),
        CellFormula("the difference of two exponentials", ("exponential", "exponential"), lambda n, x, y: x - y),
        CellFormula("two logarithms with cosines", ("uniform",) * 4, _laplace_of_cosines),
    ),
    "exponential": (
        CellFormula("itself", ("exponential",), lambda numbers, x: x),
        CellFormula("-log(1 - u)", ("uniform",), lambda n, u: -n.log(1 - u)),
        CellFormula("-log(u)", ("uniform",), lambda n, u: -n.log(u)),
    ),
    "gumbel": (
        CellFormula("itself", ("gumbel",), lambda numbers, x: x),
        CellFormula("-log(-log(u))", ("uniform",), lambda n, u: -n.log(-n.log(u))),
        CellFormula("-log(x), x exponential", ("exponential",), lambda n, x: -n.log(x)),
    ),
    "logistic": (
        CellFormula("itself", ("logistic",), lambda numbers, x: x),
        CellFormula("log(u / (1 - u))", ("uniform",), lambda n, u: n.log(u) - n.log(1 - u)),
    ),
    "geometric": (CellFormula("itself", ("geometric",), lambda numbers, x: x),),
    "discrete_laplace": (
        CellFormula("itself", ("discrete_laplace",), lambda numbers, x: x),
        CellFormula("the difference of two geometrics", ("geometric", "geometric"), lambda n, x, y: x - y),
    ),
    "choice": (
        CellFormula("itself", ("uniform",), lambda numbers, u: u),
        CellFormula("1 less it", ("uniform",), lambda numbers, u: 1 - u),
        CellFormula("a permutation's first", ("permutation",), lambda numbers, order: order[0]),
    ),
}


@dataclass(frozen=True)
class CellReading:
    """How one name of a mechanism reads the tape: by which formula, from which places, with a sign.

    ``by_iteration`` counts a place's cells by the iteration of the mechanism's loop; else by how often the name was
    drawn before. Without places the name has cells of its own, which the function does not read.
    """

    formula: CellFormula | None
    places: tuple[int, ...] = ()
    sign: int = 1
    by_iteration: bool = False


@dataclass(frozen=True)
class Rule:
    """By what rule a mechanism reads the noise of a function, the same for every input and all noise.

    In order: its t-th draw reads the function's t-th, by ``formula``. Else each name reads places of its own.
    """

    in_order: CellFormula | None = None
    names: Mapping[str, CellReading] = field(default_factory=dict)
    sign: int = 1

    def told(self, places: Sequence[DrawPlace]) -> str:
        """The rule in words."""
        negated = ", with its sign changed" if self.sign < 0 else ""
        if self.in_order is not None:
            return "its draws read the function's in their order" + _by(self.in_order) + negated
        parts = []
        for name, reading in self.names.items():
            if reading.formula is None:
                parts.append(f"{name}: noise of its own")
                continue
            where = ", ".join(places[place].told for place in reading.places)
            sign = ", with its sign changed" if reading.sign < 0 else ""
            parts.append(f"{name}: {where}{_by(reading.formula)}{sign}")
        return "; ".join(parts)


def _by(formula: CellFormula) -> str:
    return "" if formula.name == "itself" else f" ({formula.name})"


@dataclass(frozen=True)
class DrawPlace:
    """A place of a function at which noise is drawn: the calls that lead to it, what is drawn, and its line."""

    calls: Any
    family: str
    told: str


@dataclass
class Tape:
    """What one run of a function has drawn, and the numbers that cells hold. Runs that share a tape share its cells."""

    numbers: Numbers
    rule: Rule
    places: list[DrawPlace]
    most: int = 40
    names: dict[str, str] = field(default_factory=dict)
    met: dict[Any, int] = field(default_factory=dict)
    drawn: int = 0
    # Cells that the mechanism has read: noise that it reads twice would not be independent.
    used: set[Any] = field(default_factory=set)

    def begin(self) -> None:
        """Start a run."""
        self.met, self.drawn, self.used = {}, 0, set()

    def read(self, calls: Any, told: str, draw: NoiseDraw) -> Any:
        """The value of one draw of the function, at the place to which the calls lead."""
        place = next((i for i, p in enumerate(self.places) if (p.calls, p.family) == (calls, draw.family)), None)
        if place is None:
            place = len(self.places)
            self.places.append(DrawPlace(calls, draw.family, told))
        count = self._next(place)
        cell = (place, count) if self.rule.in_order is None else (draw.family, self._next(draw.family))
        return self._value(draw, cell)

    def _next(self, key: Any) -> int:
        count = self.met.get(key, 0)
        self.met[key] = count + 1
        self.drawn += 1
        if self.drawn > 8 * self.most:
            raise CutError(f"more than {self.most} draws")
        return count

    def _value(self, draw: NoiseDraw, cell: Any) -> Any:
        if draw.family in PARAMETRIC:
            return draw.read(self.numbers.outcome(draw.family, cell, draw.parameter))
        return draw.read(draw.location + draw.scale * self.numbers.unit(draw.family, cell))

    def of_mechanism(self, name: str, rounds: tuple[int, ...], family: str, parameter: Any = None) -> Any:
        """The noise of unit scale, or the outcome, of one draw of the mechanism.

        The parameter is as in ``NoiseDraw``; that of a choice is its weights.
        """
        self.names[name] = family
        formula, cells, sign = self._cells(name, rounds, family)
        for kind, cell in zip(formula.cells, cells, strict=True):
            if (kind, cell) in self.used:
                raise RuleError(f"{name} reads noise that was read before")
            self.used.add((kind, cell))
        by_order = family == "choice" and formula.cells == ("permutation",)
        if by_order and not all(same(weight, parameter[0]) for weight in parameter):
            raise RuleError(f"{name} chooses by weights, and the first of a permutation does not")
        values = [
            self.numbers.outcome(kind, cell, len(parameter) if family == "choice" else parameter)
            if kind in PARAMETRIC else self.numbers.unit(kind, cell)
            for kind, cell in zip(formula.cells, cells, strict=True)
        ]  # fmt: skip
        value = formula.value(self.numbers, *values)
        if family == "choice" and formula.cells == ("uniform",):
            return chosen(value, parameter)
        return -value if sign < 0 else value

    def _cells(self, name: str, rounds: tuple[int, ...], family: str) -> tuple[CellFormula, list[Any], int]:
        count = self._next(("mechanism", name))
        formulas = FORMULAS.get(family, ())
        if not formulas:
            raise NotExaminedError(f"noise.{family}")
        if self.rule.in_order is not None:
            formula = self.rule.in_order if self.rule.in_order in formulas else formulas[0]
            in_order = [(kind, self._next(("mechanism", kind, "in order"))) for kind in formula.cells]
            return formula, in_order, self.rule.sign if family in SYMMETRIC else 1
        reading = self.rule.names.get(name)
        if reading is None or reading.formula is None:
            return formulas[0], [(f"own {name}", count, i) for i in range(len(formulas[0].cells))], 1
        number = rounds[-1] if reading.by_iteration and rounds else count
        cells = [
            (place, number * reading.places.count(place) + reading.places[:i].count(place))
            for i, place in enumerate(reading.places)
        ]
        return reading.formula, cells, reading.sign


def rules(draws: Mapping[str, str], places: Sequence[DrawPlace], most: int = 400) -> Iterator[Rule]:
    """All rules for a mechanism that draws these families by name, the simplest first."""
    families = set(draws.values())
    if not families:
        yield Rule()
        return
    found = {place.family for place in places}
    made = 0
    by_name = [list(_readings(family, places)) for family in draws.values()]
    orders = []
    if len(families) == 1:
        (family,) = families
        for formula in FORMULAS.get(family, ()):
            if set(formula.cells) <= found:
                orders += [Rule(formula, sign=s) for s in ((1, -1) if family in SYMMETRIC else (1,))]
    elif families and all(FORMULAS[family][0].cells[0] in found for family in families):
        orders = [Rule(FORMULAS[next(iter(families))][0])]
    yield from orders[:1]
    for choice in itertools.product(*by_name):
        used = [place for reading in choice for place in set(reading.places)]
        if len(used) != len(set(used)):
            continue
        made += 1
        if made > most:
            break
        yield Rule(names=dict(zip(draws, choice, strict=True)))
    yield from orders[1:]


def _readings(family: str, places: Sequence[DrawPlace]) -> Iterator[CellReading]:
    signs = (1, -1) if family in SYMMETRIC else (1,)
    for formula in FORMULAS.get(family, ()):
        width = len(formula.cells)
        for chosen in itertools.combinations_with_replacement(range(len(places)), width):
            if tuple(places[i].family for i in chosen) != formula.cells:
                continue
            if len(set(chosen)) not in (1, width):
                continue
            for sign in signs:
                for by_iteration in (False, True):
                    yield CellReading(formula, chosen, sign, by_iteration)
    yield CellReading(None)


@dataclass
class FloatNumbers:
    """Cells that hold floats: those given, and else such as a generator with a fixed seed would draw.

    What a cell holds depends on its name alone, so that cells which only one side reads differ from all others.
    """

    seed: int
    given: Mapping[Any, Any] = field(default_factory=dict)
    held: dict[Any, Any] = field(default_factory=dict)

    def log(self, value: Any) -> float:
        return math.log(value)

    def cos(self, value: Any) -> float:
        return math.cos(value)

    def uniform(self, family: str, cell: Any) -> float:
        """A number in (0, 1) that belongs to a cell."""
        digest = hashlib.blake2b(repr((self.seed, family, cell)).encode(), digest_size=8).digest()
        return float((struct.unpack("<Q", digest)[0] >> 12) + 0.5) / 2**52

    def unit(self, family: str, cell: Any) -> float:
        key = (family, cell)
        if key not in self.held:
            self.held[key] = float(self.given[key]) if key in self.given else _quantile(family, self.uniform(*key))
        return float(self.held[key])

    def outcome(self, kind: str, cell: Any, parameter: Any) -> Any:
        key = (kind, cell)
        if key in self.given:
            self.held[key] = self.given[key]
            return self.given[key]
        if kind == "permutation":
            self.held[key] = sorted(range(parameter), key=lambda i: self.uniform(kind, (cell, i)))
            return self.held[key]
        if kind == "discrete_laplace":
            up, down = (self.outcome("geometric", (*cell, side), parameter) for side in ("up", "down"))
            self.held[key] = up - down
            return self.held[key]
        if kind == "geometric":
            u = self.uniform(kind, cell)
            # One uniform number gives the geometric numbers of all ratios.
            ratio = float(parameter if not isinstance(parameter, Near) else parameter.low)
            if not 0 <= ratio < 1:
                raise ValueError("p <= 0, p > 1 or p contains NaNs")
            key = (kind, (*cell, ratio))
            if key in self.given:
                self.held[key] = self.given[key]
                return self.given[key]
            self.held[key] = math.floor(math.log(u) / math.log(ratio)) if ratio else 0
            return self.held[key]
        raise NotExaminedError(f"noise in a cell of {kind}")


def _quantile(family: str, u: float) -> float:
    match family:
        case "laplace":
            return -math.log(2 - 2 * u) if u >= 0.5 else math.log(2 * u)
        case "exponential":
            return -math.log(u)
        case "gumbel":
            return -math.log(-math.log(u))
        case "logistic":
            return math.log(u / (1 - u))
        case "normal":
            import statistics

            return statistics.NormalDist().inv_cdf(u)
    return u
