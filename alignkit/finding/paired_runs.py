"""Paired runs: a run on D with affine noise numbers, and what D′ must keep so that its run takes the same way.

Along one way through the program every comparison and every real output is affine in the noise. The run on D decides
each comparison by the noise that it is given, and writes it down. The run on D′ is led the same way; wherever it
compares, or gives a number out, it states a demand on the shifts s: a linear form of them is at least, or equal to, a
bound. Where the form of the noise is the same on both, the noise itself cancels, and the demand holds for all noise on
this way.

What is computed from a noisy number otherwise than by + and by known factors, such as a rounded one, is computed from
its value on D; the number is then to be the same on D′, which may be more than need be.
"""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import NoisePath, NoisyNumber
from alignkit.errors import Unsupported
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.exploring import Choices
from alignkit.interpreting.operations import COMPARE
from alignkit.interpreting.values import Coordinate, Environment, Members, Signal
from alignkit.language.program import Builtin, Place, Statement
from alignkit.noise import Distribution
from alignkit.results import Witness
from alignkit.running.binding import exact_arguments
from alignkit.running.mechanism_decorator import Mechanism

# Irrational public numbers are rounded: a proposal may be wrong, and `check` decides.
_LARGEST_DENOMINATOR = 10**6

# What comes of a demand that keeps a selection as it is.
_SELECTED = "selects the same"

Pick = Callable[[Coordinate, Distribution, tuple[Fraction, ...]], Fraction]
"""The noise of a draw, by its coordinate, distribution and the distribution's parameters."""


class AnotherWay(Exception):
    """Raised where the run on D′ cannot take the way of the run on D."""


@dataclass(frozen=True)
class Drawn:
    """One draw of a run: where, from what, and how many outputs had come before it."""

    where: Coordinate
    distribution: Distribution
    arguments: tuple[Fraction, ...]
    outputs_before: int
    place: Place


@dataclass(frozen=True)
class Demand:
    """What is asked of the shifts: Σ factor · shift >= bound, or == bound.

    ``words`` and ``place`` say why, and ``aim`` in short what comes of it. ``needed`` is whether D′ goes another way
    where it is not met.
    """

    factors: Mapping[str, Fraction]
    bound: Fraction
    words: str
    place: Place
    aim: str
    equal: bool = False
    needed: bool = True

    @property
    def code(self) -> str:
        """The line of the program that asks for it."""
        return self.place.source.text(self.place.line).strip()


@dataclass(frozen=True)
class PairedRun:
    """Adjacent inputs with noise, the output, and the demands of one way through the program.

    ``units`` says for a draw, by its key, how much of it makes up for a change of 1 of the answer that it is added to.
    ``given`` are the shifts, by key, of draws that the runs were made with: D′ goes its own way by them, and no demand
    speaks of them.
    """

    witness: Witness
    noise: Mapping[str, Fraction]
    output: Any
    drawn: tuple[Drawn, ...]
    demands: tuple[Demand, ...]
    units: Mapping[str, Fraction]
    given: Mapping[str, Fraction] = field(default_factory=dict)
    loose: bool = False  # whether some of the way was left open, so that D' may go another one

    @property
    def strict(self) -> bool:
        """Whether D' goes the way of D, and every demand is needed for that."""
        return not self.loose and all(demand.needed for demand in self.demands)


@dataclass(frozen=True)
class _Comparison:
    difference: NoisyNumber
    symbol: str
    holds: bool

    @property
    def sign(self) -> int:
        """Which way the difference may go: 1 up, -1 down, 0 where the comparison is of equality."""
        if self.symbol in ("==", "!="):
            return 0
        return 1 if (self.symbol in (">", ">=")) == self.holds else -1


@dataclass(frozen=True)
class _Selection:
    values: Sequence[NoisyNumber]
    chosen: tuple[int, ...]


@dataclass(frozen=True)
class _Pinned:
    number: NoisyNumber


_Step = _Comparison | _Selection | _Pinned


@dataclass(eq=False)
class _KnownNoise(NoisePath):
    """A run whose noise is known, but kept as unknowns in its numbers."""

    noise: dict[str, Fraction]

    def value(self, number: NoisyNumber) -> Fraction:
        """The number, with the noise put in."""
        return sum((factor * self.noise[name] for name, factor in number.parts.items()), Fraction(number.offset))

    def lift(self, value: Any) -> NoisyNumber:
        return value if isinstance(value, NoisyNumber) else NoisyNumber(self, {}, Fraction(value))

    def rational(self, number: NoisyNumber) -> Fraction | None:
        return None if number.parts else Fraction(number.offset)

    def concrete(self, number: NoisyNumber) -> Fraction:
        return self.pinned(number) if number.parts else Fraction(number.offset)

    @abstractmethod
    def pinned(self, number: NoisyNumber) -> Fraction:
        """The value of a number on D, which is to be the same on D′."""

    def reciprocal(self, number: NoisyNumber) -> NoisyNumber:
        return self.lift(1 / self.concrete(number))

    def product_of_unknowns(self) -> Unsupported:
        return Unsupported("a product of two numbers with noise")

    def assume_at_least(self, one: NoisyNumber, other: NoisyNumber, *, strictly: bool = False) -> None:
        raise NotImplementedError  # selections decide for themselves

    def by_value(self, values: Sequence[NoisyNumber], positions: Sequence[int]) -> list[int]:
        """Positions in the order of their values, the largest first; ties go to the lower position."""
        return sorted(positions, key=lambda i: (-self.value(values[i]), i))


@dataclass(eq=False)
class _OnD(_KnownNoise):
    """The run on D."""

    steps: list[_Step] = field(default_factory=list)

    def pinned(self, number: NoisyNumber) -> Fraction:
        self.steps.append(_Pinned(number))
        return self.value(number)

    def compare(self, difference: NoisyNumber, symbol: str) -> bool:
        holds = COMPARE[symbol](self.value(difference), 0)
        if difference.parts:
            self.steps.append(_Comparison(difference, symbol, holds))
        return holds

    def select_largest(self, values: Sequence[NoisyNumber], k: int) -> tuple[int, ...]:
        chosen = tuple(self.by_value(values, range(len(values)))[:k])
        self.steps.append(_Selection(values, chosen))
        return chosen


@dataclass(eq=False)
class _OnDPrime(_KnownNoise):
    """The run on D′, which is led the way of the run on D. ``named`` are the positions that D's output names.

    A selection must be the same as far as the output names it. Of the rest D′ takes its own largest, as if no noise but
    that of the named moved.
    """

    steps: Iterator[_Step]
    named: frozenset[int]
    drawn: Mapping[str, Coordinate]  # the draws, by their names
    place: Place  # of the statement that is run
    loose: bool = False  # whether D' may go another way than D, which no demand keeps it from
    demands: list[Demand] = field(default_factory=list)
    pairs: list[tuple[NoisyNumber, NoisyNumber]] = field(default_factory=list)  # of one number, on D and on D′

    def compare(self, difference: NoisyNumber, symbol: str) -> bool:
        if not difference.parts:
            return COMPARE[symbol](difference.offset, 0)
        step = next(self.steps, None)
        if not isinstance(step, _Comparison) or step.symbol != symbol:
            raise AnotherWay
        if step.sign and not self._of_losers(difference):
            words = f"this is {str(step.holds).lower()} on D and must be so on D'"
            self.keep(step.difference, difference, words, f"stays {str(step.holds).lower()}", step.sign)
        return step.holds

    def _of_losers(self, difference: NoisyNumber) -> bool:
        """Whether draws at several positions are compared, none of which the output names.

        Their order may change: what is selected in a loop must be ahead of whichever is the best of them. Demands that
        the winner is ahead of D's best are enough to propose from.
        """
        positions = {self.drawn[name].index for name in difference.parts}
        unnamed = all(len(at) == 1 and at[0] not in self.named for at in positions)
        found = bool(self.named) and len(positions) > 1 and unnamed
        self.loose |= found
        return found

    def pinned(self, number: NoisyNumber) -> Fraction:
        step = next(self.steps, None)
        if not isinstance(step, _Pinned):
            raise AnotherWay
        self.same(step.number, number, "what is computed from the number must be the same", needed=False)
        return self.value(step.number)

    def same(self, before: NoisyNumber, after: NoisyNumber, words: str, *, needed: bool = True) -> None:
        """Demand that a number is the same on both."""
        self.pairs.append((before, after))
        bound = self.value(before) - self.value(after)
        self.demands.append(
            Demand(after.parts, bound, words, self.place, "gives the same number", equal=True, needed=needed)
        )

    def keep(self, before: NoisyNumber, after: NoisyNumber, words: str, aim: str, sign: int = 1) -> None:
        """Demand that a number does not fall below (``sign`` 1) or rise above (-1) what it is compared with."""
        self.pairs.append((before, after))
        bound = before.offset - after.offset if before.parts == after.parts else -self.value(after)
        factors = {n: sign * f for n, f in after.parts.items()}
        self.demands.append(Demand(factors, sign * bound, words, self.place, aim))

    def select_largest(self, values: Sequence[NoisyNumber], k: int) -> tuple[int, ...]:
        step = next(self.steps, None)
        if not isinstance(step, _Selection) or len(step.values) != len(values):
            raise AnotherWay
        self.pairs += zip(step.values, values, strict=True)
        kept = list(itertools.takewhile(self.named.__contains__, step.chosen))
        rest = self.by_value(values, [i for i in range(len(values)) if i not in kept])
        for one, other in itertools.pairwise(kept):
            words = f"position {one} is ahead of {other} on D and must be so on D'"
            self.keep(step.values[one] - step.values[other], values[one] - values[other], words, _SELECTED)
        if kept and len(kept) == len(step.chosen):
            for other in rest:
                words = f"position {kept[-1]} is selected on D, not {other}, and must be so on D'"
                before, after = (of[kept[-1]] - of[other] for of in (step.values, values))
                self.keep(before, after, words, _SELECTED)
        elif kept and rest:
            lead = values[kept[-1]] - values[rest[0]]
            words = f"position {kept[-1]} is ahead of all that the output does not name"
            self.demands.append(Demand(lead.parts, -self.value(lead), words, self.place, _SELECTED))
        return (*kept, *rest[: k - len(kept)])


class _PlacedEvaluator(Evaluator):
    """An evaluator that tells the run on D′ which statement it is at."""

    context: _AffineContext

    def statement(self, node: Statement, names: Environment) -> Signal:
        if isinstance(self.context.path, _OnDPrime):
            self.context.path.place = node.place
        return super().statement(node, names)


class _AffineContext(Context):
    """A run on known noise that keeps its numbers affine in it; ``given`` noise, by key, is a number plus a shift."""

    counts_on = False

    def __init__(
        self, mechanism: Mechanism, path: _KnownNoise, pick: Pick | None, given: Mapping[str, Fraction]
    ) -> None:
        super().__init__(mechanism.keys)
        self.path = path
        self.pick = pick
        self.given = given
        self.drawn: list[Drawn] = []
        self.places: list[Place] = []  # where the outputs so far were put out

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        exact = tuple(self.path.concrete(self.path.lift(a)) for a in arguments)
        name = str(where)
        if name not in self.path.noise:
            if self.pick is None:
                raise AnotherWay
            self.path.noise[name] = self.pick(where, distribution, exact)
        self.drawn.append(Drawn(where, distribution, exact, len(self.places), place))
        if where.key in self.given:
            return self.path.noise[name] + self.given[where.key]
        return NoisyNumber(self.path, {name: Fraction(1)}, Fraction(0))

    def emit(self, value: Any, place: Place) -> Any:
        self.places.append(place)
        return value

    def special(self, function: str, value: Any) -> Any:
        number = float(self.path.concrete(self.path.lift(value)))
        try:
            return Fraction(_SPECIAL[function](number)).limit_denominator(_LARGEST_DENOMINATOR)
        except (ValueError, OverflowError):
            raise Unsupported(f"{function} of {number:g}") from None

    def largest(self, family: Any, k: Any, node: Builtin) -> Any:
        if not isinstance(family, tuple) or not isinstance(k, int):
            raise self.unsupported("largest(values, k), unless k and the length of the list are fixed", node.place)
        return self.path.select_largest([self.path.lift(x) for x in family], k)


_SPECIAL: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "log": math.log,
    "exp": math.exp,
    "exp2": lambda x: 2.0**x,
    "round": round,
    "floor": math.floor,
    "ceil": math.ceil,
}


@dataclass(frozen=True)
class FollowedRun:
    """The run on D: which way it went, by which decisions, with which output."""

    noise: Mapping[str, Fraction]
    output: Any
    drawn: tuple[Drawn, ...]
    steps: tuple[_Step, ...]

    @property
    def way(self) -> tuple[Any, ...]:
        """What tells ways through the program apart."""
        decided = (step for step in self.steps if not isinstance(step, _Pinned))
        return tuple(step.chosen if isinstance(step, _Selection) else step.holds for step in decided)


def follow_d(
    mechanism: Mechanism, values: Mapping[str, Any], pick: Pick, given: Collection[str] = ()
) -> FollowedRun:
    """Run on D with noise as it is picked; the draws with ``given`` keys are plain numbers.

    Raises AlignkitError where the run is not defined or not affine.
    """
    path = _OnD(Choices(), {})
    context = _AffineContext(mechanism, path, pick, dict.fromkeys(given, Fraction(0)))
    output = _run(mechanism, values, context)
    return FollowedRun(path.noise, output, tuple(context.drawn), tuple(path.steps))


def lead_along(
    mechanism: Mechanism, witness: Witness, run: FollowedRun, given: Mapping[str, Fraction] | None = None
) -> PairedRun:
    """Lead the run on D′ the way of a run on D. Raises AnotherWay where it cannot go there or must differ in output."""
    given = given or {}
    named = frozenset(positions_in(run.output))
    places = {str(drawn.where): drawn.where for drawn in run.drawn}
    path = _OnDPrime(Choices(), dict(run.noise), iter(run.steps), named, places, mechanism.program.place)
    context = _AffineContext(mechanism, path, None, given)
    output = _run(mechanism, witness.values_, context)
    if mechanism.program.is_generator:
        if len(run.output) != len(output):
            raise AnotherWay
        for one, other, place in zip(run.output, output, context.places, strict=True):
            path.place = place
            _same_outputs(one, other, path)
    else:
        _same_outputs(run.output, output, path)
    units = _units(mechanism, witness, path)
    return PairedRun(witness, run.noise, run.output, run.drawn, tuple(path.demands), units, given, path.loose)


def with_given(mechanism: Mechanism, pair: PairedRun, given: Mapping[str, Fraction]) -> PairedRun:
    """The same pair of runs where some draws move by given shifts. Raises as `follow_d` and `lead_along` do."""
    run = follow_d(mechanism, pair.witness.values, lambda where, *_: pair.noise[str(where)], given)
    return replace(lead_along(mechanism, pair.witness, run, given), units=pair.units)


def positions_in(output: Any) -> Iterator[int]:
    """The whole numbers that an output holds without noise: positions, mostly."""
    if isinstance(output, Members):
        yield from positions_in(output.items)
    elif isinstance(output, tuple):
        for part in output:
            yield from positions_in(part)
    elif isinstance(output, int) and not isinstance(output, bool):
        yield output


def _run(mechanism: Mechanism, values: Mapping[str, Any], context: _AffineContext) -> Any:
    evaluator = _PlacedEvaluator(context)
    arguments = mechanism.environment(exact_arguments(mechanism, values))
    returned = evaluator.call(mechanism.program, tuple(arguments.values()))
    return tuple(evaluator.outputs) if mechanism.program.is_generator else returned


def _same_outputs(one: Any, other: Any, path: _OnDPrime) -> None:
    if isinstance(one, NoisyNumber) or isinstance(other, NoisyNumber):
        if not all(isinstance(x, NoisyNumber | int | Fraction) for x in (one, other)):
            raise AnotherWay
        path.same(path.lift(one), path.lift(other), "the number that is put out must be the same")
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for part, part_ in zip(one, other, strict=True):
            _same_outputs(part, part_, path)
    elif one != other:
        raise AnotherWay


def _units(mechanism: Mechanism, witness: Witness, path: _OnDPrime) -> dict[str, Fraction]:
    """For each draw, how much of it makes up for a change of 1 of the answer beside it, where a number shows that."""
    units: dict[str, Fraction] = {}
    for before, after in path.pairs:
        positions = {path.drawn[name].index[0] for name in after.parts if len(path.drawn[name].index) == 1}
        change = _change(mechanism, witness, positions)
        if before.parts == after.parts and change:
            moved = abs((after.offset - before.offset) / change)
            for name, factor in after.parts.items():
                if moved:
                    units.setdefault(path.drawn[name].key, moved / abs(factor))
    return units


def _change(mechanism: Mechanism, witness: Witness, positions: set[Any]) -> Fraction | None:
    """The change of the one answer at a position, or of the one answer there is; None where that is not clear."""
    for name, kind in mechanism.private.items():
        one, other = witness.values[name], witness.values_[name]
        if not kind.vector:
            return Fraction(other) - Fraction(one)
        if len(positions) == 1 and (position := next(iter(positions))) < len(one):
            return Fraction(other[position]) - Fraction(one[position])
    return None
