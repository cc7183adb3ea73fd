"""Runs whose noise is unknown and whose public parameters may be symbols: what the runs for lower bounds share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import NoisePath, NoisyNumber
from alignkit.errors import AlignkitError, Unsupported
from alignkit.finding.bounds.parametric_numbers import Number, is_whole, sign_of
from alignkit.finding.paired_runs import Drawn
from alignkit.interpreting import operations as op
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.operations import COMPARE
from alignkit.interpreting.values import Coordinate
from alignkit.language.program import Builtin, Place
from alignkit.noise import Distribution
from alignkit.running.binding import evaluator_arguments, exact_arguments
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
    arguments = evaluator_arguments(mechanism, exact_arguments(mechanism, values))
    returned = evaluator.call(mechanism.program, tuple(arguments.values()))
    return tuple(evaluator.outputs) if mechanism.program.is_generator else returned


def sum_of(terms: Iterator[Number]) -> Number:
    """The sum of numbers."""
    total: Number = Fraction(0)
    for term in terms:
        total = total + term
    return total
