"""Runs whose noise is unknown and whose public parameters may be symbols: what the runs for lower bounds share.

Values of the public parameters for lower bounds: counts are numbers, everything else a symbol or a number.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import NoisePath, NoisyNumber
from alignkit.errors import AlignkitError, Unsupported
from alignkit.finding.bounds.parametric_numbers import Number, ParameterRegion, PublicNumber, Range, is_whole, sign_of
from alignkit.finding.paired_runs import Drawn
from alignkit.interpreting import operations as op
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.operations import COMPARE
from alignkit.interpreting.values import Coordinate
from alignkit.language.parameters import NamedMultiple, ParameterType, Proportion, Real, Reals
from alignkit.language.program import Builtin, Place
from alignkit.noise import Distribution
from alignkit.running.adjacent_pairs import large_constants, largest_change
from alignkit.running.binding import exact_arguments
from alignkit.running.mechanism_decorator import Mechanism

_LARGEST_DENOMINATOR = 10**6

Special = Callable[[str, Any], Number]
"""sqrt, exp, exp2 or log, by its name, of a public number."""


class NothingForced(AlignkitError):
    """Raised where a run forces nothing, or nothing that was shown."""


def rounded_special(function: str, value: Any) -> Fraction:
    """sqrt, exp, exp2 or log of a number, rounded: for runs that are not relied on."""
    try:
        return Fraction(op.special(function, value)).limit_denominator(_LARGEST_DENOMINATOR)
    except (ValueError, OverflowError):
        raise Unsupported(f"{function} of {value}") from None


@dataclass(frozen=True)
class NoiseComparison:
    """A comparison of a number with 0, and whether it holds."""

    difference: NoisyNumber
    symbol: str
    holds: bool

    @property
    def direction(self) -> int:
        """1 where the difference must not fall below 0, -1 where it must not rise above."""
        return 1 if (self.symbol in (">", ">=")) == self.holds else -1

    @property
    def strict(self) -> bool:
        """Whether the difference must not be 0."""
        return (self.symbol in (">", "<")) == self.holds


@dataclass(eq=False)
class PublicPath(NoisePath):
    """A run with numbers that are affine in unknown noise."""

    drawn: dict[str, Drawn] = field(default_factory=dict)
    compared: list[NoiseComparison] = field(default_factory=list)

    def lift(self, value: Any) -> NoisyNumber:
        if isinstance(value, NoisyNumber):
            return value
        # A quotient of two ints would be a float.
        return NoisyNumber(self, {}, Fraction(value) if isinstance(value, int) else value)

    def rational(self, number: NoisyNumber) -> Any:
        return None if number.parts else number.offset

    def concrete(self, number: NoisyNumber) -> Any:
        if number.parts:
            raise Unsupported("a power of noise")
        return number.offset

    def reciprocal(self, number: NoisyNumber) -> NoisyNumber:
        return self.lift(1 / self.concrete(number))

    def product_of_unknowns(self) -> Unsupported:
        return Unsupported("a product of two numbers with noise")

    def compare(self, difference: NoisyNumber, symbol: str) -> bool:
        if not difference.parts:
            return COMPARE[symbol](sign_of(difference.offset), 0)
        if symbol in ("==", "!="):
            raise NothingForced("noise is compared for equality")
        holds = self.decide(difference, symbol)
        self.compared.append(NoiseComparison(difference, symbol, holds))
        return holds

    def decide(self, difference: NoisyNumber, symbol: str) -> bool:
        """Which way a comparison of noise with 0 goes."""
        raise NotImplementedError

    def assume_at_least(self, one: NoisyNumber, other: NoisyNumber, *, strictly: bool = False) -> None:
        raise NotImplementedError  # the paths decide selections for themselves

    def emit(self, value: Any) -> None:
        """Called with every output of a generator."""

    def on_lattice(self, name: str) -> bool:
        """Whether a draw falls on a lattice."""
        return not self.drawn[name].distribution.support.continuous

    def step(self, number: NoisyNumber) -> Number | None:
        """A number of which this one is a multiple, whatever the noise is; None where none was shown.

        All noise in it is on one lattice then.
        """
        if not all(map(self.on_lattice, number.parts)):
            return None
        spacings = [self.drawn[name].arguments[-1] for name in number.parts]
        if any(sign_of(spacing - spacings[0]) for spacing in spacings):
            return None
        multiples = (*number.parts.values(), number.offset / spacings[0])
        return spacings[0] if all(map(is_whole, multiples)) else None


class PublicContext(Context):
    """A run on public numbers that leaves the noise unknown."""

    counts_on = False

    def __init__(self, mechanism: Mechanism, path: PublicPath, special: Special) -> None:
        super().__init__(mechanism.keys)
        self.path = path
        self._special = special
        self._emitted = 0

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        exact = tuple(self.path.concrete(self.path.lift(a)) for a in arguments)
        self.path.drawn[str(where)] = Drawn(where, distribution, exact, self._emitted, place)
        return NoisyNumber(self.path, {str(where): Fraction(1)}, Fraction(0))

    def emit(self, value: Any, place: Place) -> Any:
        self._emitted += 1
        self.path.emit(value)
        return value

    def special(self, function: str, value: Any) -> Any:
        return self._special(function, self.path.concrete(self.path.lift(value)))

    def largest(self, family: Any, k: Any, node: Builtin) -> Any:
        if not isinstance(family, tuple) or not isinstance(k, int):
            raise self.unsupported("largest(values, k), unless k and the length of the list are fixed", node.place)
        return self.path.select_largest([self.path.lift(x) for x in family], k)


def run_on(mechanism: Mechanism, values: Mapping[str, Any], path: PublicPath, special: Special) -> Any:
    """Run a mechanism down a path; return its output, of a generator all of its outputs."""
    evaluator = Evaluator(PublicContext(mechanism, path, special))
    arguments = mechanism.environment(exact_arguments(mechanism, values))
    returned = evaluator.call(mechanism.program, tuple(arguments.values()))
    return tuple(evaluator.outputs) if mechanism.program.is_generator else returned


def sum_of(terms: Iterator[Number]) -> Number:
    """The sum of numbers."""
    total: Number = Fraction(0)
    for term in terms:
        total = total + term
    return total


# Values of counts: all of them for one count, the first and one other for each of several.
_COUNTS = (1, 2, 3)

# Values of other parameters in runs on numbers: unlike one another, so that few expressions are equal by accident.
_POSITIVE = tuple(map(Fraction, ("1", "3/2", "4/5", "5/4", "2/3")))
_SHARES = tuple(map(Fraction, ("1/3", "2/5", "3/7")))

# Symbols for irrational numbers.
_SPARE_POSITIVE, _SPARE_SHARES = ("root 1", "root 2", "root 3"), ("power 1", "power 2", "power 3")


@dataclass(frozen=True)
class PublicSetting:
    """The public parameters, what sqrt, exp and log are of them, and how many answers each vector has."""

    values: Mapping[str, Any]
    special: Special
    size: int

    def level(self, mechanism: Mechanism, name: str, position: int | None) -> Number:
        """An answer of D: at the public number that answers are compared with, where that is plain."""
        lattice = mechanism.domain.lattices.get(name)
        reals = [n for n, kind in mechanism.public.items() if type(kind) in (Real, Reals)]
        if len(reals) == 1 and (lattice is None or mechanism.domain.lattices.get(reals[0]) == lattice):
            threshold = self.values[reals[0]]
            return threshold[position or 0] if isinstance(threshold, tuple) else threshold
        constants = large_constants(mechanism)
        return constants[0] if constants else Fraction(0)



def sensitivity(mechanism: Mechanism, name: str, values: Mapping[str, Any]) -> Number:
    """How far an answer may change; on a lattice the largest multiple of it that the sensitivity allows."""
    declared = mechanism.private[name].sensitivity
    lattice = mechanism.domain.lattices.get(name)
    if isinstance(declared, str | NamedMultiple):
        return mechanism.private[name].bound(values)  # a multiple of the lattice, where there is one
    if isinstance(lattice, str):
        raise Unsupported("a sensitivity that is a number, on a lattice that is none")
    return largest_change(mechanism, name, {})


def count_settings(mechanism: Mechanism) -> Iterator[dict[str, int]]:
    """Values of the counts."""
    names = [name for name, kind in mechanism.public.items() if kind.integer]
    if len(names) < 2:
        for value in _COUNTS[: 3 if names else 1]:
            yield dict.fromkeys(names, value)
        return
    for name in (None, *names):
        yield {n: 2 if n == name else 1 for n in names}


def number_of_answers(counts: Mapping[str, int]) -> int:
    """One answer more than a program can name."""
    return max(counts.values(), default=1) + 1


def numbers(mechanism: Mechanism, counts: Mapping[str, int]) -> dict[str, Any]:
    """A number for each public parameter."""
    size = number_of_answers(counts)
    positive, shares = itertools.cycle(_POSITIVE), itertools.cycle(_SHARES)
    values: dict[str, Any] = {}
    for name, kind in mechanism.public.items():
        if kind.integer:
            values[name] = counts[name]
        else:
            chosen = {Range.POSITIVE: positive, Range.SHARE: shares}.get(range_of(kind))
            value = Fraction(0) if chosen is None else next(chosen)
            values[name] = (value,) * size if kind.vector else value
    return mechanism.domain.on_lattices(values)


def range_of(kind: ParameterType) -> Range:
    """What a parameter that is no count may be."""
    if isinstance(kind, Proportion):
        return Range.SHARE
    return Range.POSITIVE if kind.positive else Range.REAL


def in_symbols(mechanism: Mechanism, counts: Mapping[str, int]) -> PublicSetting:
    """A setting in which every parameter but the counts is a symbol.

    A parameter on a lattice is a whole number of its steps. Raises Unsupported where a lattice is none of the
    parameters, and no whole number.
    """
    size = number_of_answers(counts)
    ranges: dict[str, Range] = {}
    whole: set[str] = set()
    for name, kind in mechanism.public.items():
        if kind.integer:
            continue
        symbol = _symbol(mechanism, name)
        for each in [f"{symbol}[{i}]" for i in range(size)] if kind.vector else [symbol]:
            ranges[each] = range_of(kind)
            if _lattice(mechanism, name) is not None:
                whole.add(each)
    region = _with_spares(ranges, whole)

    def value(name: str, kind: ParameterType) -> Any:
        if kind.integer:
            return counts[name]
        symbol = _symbol(mechanism, name)
        if kind.vector:
            return tuple(region.symbol(f"{symbol}[{i}]") * _step(mechanism, name, region) for i in range(size))
        return region.symbol(symbol) * _step(mechanism, name, region)

    values = {name: value(name, kind) for name, kind in mechanism.public.items()}
    return PublicSetting(values, _Specials(region), size)


def _lattice(mechanism: Mechanism, name: str) -> int | Fraction | str | None:
    """The lattice of a parameter; None for one that is itself the step of its lattice, and may have any value."""
    lattice = mechanism.domain.lattices.get(name)
    return None if lattice == name else lattice


def _symbol(mechanism: Mechanism, name: str) -> str:
    lattice = _lattice(mechanism, name)
    if lattice in (None, 1):
        return name
    return f"({name} / {lattice})" if isinstance(lattice, int | str) else f"({name} / ({lattice}))"


def _step(mechanism: Mechanism, name: str, region: ParameterRegion) -> Number:
    lattice = _lattice(mechanism, name)
    if isinstance(lattice, str):
        return region.symbol(lattice)
    return Fraction(1) if lattice is None else Fraction(lattice)


def in_numbers(mechanism: Mechanism, counts: Mapping[str, int]) -> PublicSetting:
    """A setting of numbers, where sqrt, exp and log are symbols for what is known of them."""
    return PublicSetting(numbers(mechanism, counts), _Specials(_with_spares({}, set())), number_of_answers(counts))


def _with_spares(ranges: Mapping[str, Range], whole: set[str]) -> ParameterRegion:
    spare = {**dict.fromkeys(_SPARE_POSITIVE, Range.POSITIVE), **dict.fromkeys(_SPARE_SHARES, Range.SHARE)}
    return ParameterRegion({**ranges, **spare}, frozenset(whole))


def is_irrational(number: Number) -> bool:
    """Whether symbols for sqrt, exp or log are in a number."""
    return isinstance(number, PublicNumber) and not number.parameters.isdisjoint({*_SPARE_POSITIVE, *_SPARE_SHARES})


@dataclass
class _Specials:
    """sqrt, exp and log as symbols: of these is used only that they are above 0, or below 1 too."""

    region: ParameterRegion
    known: list[tuple[str, Number, Number]] = field(default_factory=list)
    used: dict[tuple[str, ...], int] = field(default_factory=dict)

    def __call__(self, function: str, value: Any) -> Number:
        for name, argument, result in self.known:
            if name == function and not argument - value:
                return result
        result = self._fresh(function, sign_of(value), sign_of(value - 1) if function == "log" else 0)
        self.known.append((function, value, result))
        return result

    def _fresh(self, function: str, sign: int, above_one: int) -> Number:
        if function in ("round", "floor", "ceil"):
            raise Unsupported(f"{function} of a number that is not known")
        if function == "sqrt":
            return Fraction(0) if sign == 0 else self._spare(_SPARE_POSITIVE)
        if function == "log":
            size = self._spare(_SPARE_POSITIVE) if above_one else Fraction(0)
            return above_one * size
        if sign == 0:
            return Fraction(1)
        # A power above 1 is 1 over one below 1.
        power = self._spare(_SPARE_SHARES)
        return power if sign < 0 else 1 / power

    def _spare(self, names: tuple[str, ...]) -> Number:
        used = self.used.get(names, 0)
        if used == len(names):
            raise Unsupported("too many irrational numbers")
        self.used[names] = used + 1
        return self.region.symbol(names[used])
