"""Runs on D that stand on the border of their comparisons: where a small change of the noise would change the output.

A border run is a noise vector H and a direction v, such that D gives one output for all noise near H on v's side: at
H + t·v for small t > 0, and about each of these points. What holds there holds at H in the limit. The noise is solved
for: each comparison is to be 0 at H, and the draw in it that comes last is chosen so.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import NoisyNumber, plus, times
from alignkit.finding.bounds.parametric_numbers import Number, is_whole, positive_part, sign_of
from alignkit.finding.bounds.public_runs import NoiseComparison, NothingForced, PublicPath, Special, run_on, sum_of
from alignkit.finding.paired_runs import Drawn
from alignkit.interpreting.exploring import Choices
from alignkit.interpreting.operations import COMPARE
from alignkit.running.mechanism_decorator import Mechanism


@dataclass(frozen=True)
class Way:
    """Which way a run on D is to go.

    ``chain`` says for each output which of the comparisons before it is the first to hold, its last entry for all that
    follow. ``after`` is whether those behind that one hold; ``backwards`` whether selections name high positions first.
    Each comparison leaves its border ``growth`` times as fast as the one before it, which decides those that the noise
    on the border of others leaves open.
    """

    chain: tuple[int, ...]
    after: bool = False
    backwards: bool = False
    growth: Fraction = Fraction(1)

    def holds(self, output: int, number: int) -> bool:
        """Whether a comparison before an output holds; both are counted from 0."""
        first = self.chain[min(output, len(self.chain) - 1)]
        return number == first or (number > first and self.after)


@dataclass(frozen=True)
class _Solved:
    """A draw as a linear form in draws that are free yet, with a direction."""

    parts: Mapping[str, Any]
    offset: Number
    direction: Number


@dataclass(frozen=True, eq=False)
class BorderRun:
    """A run on D: the noise, the direction in which D goes on giving the output, and the decisions on the way.

    ``selections`` are the values that the program selects among; ``most`` is how many comparisons come before an output
    at most.
    """

    values: Mapping[str, Any]
    noise: Mapping[str, Number]
    direction: Mapping[str, Number]
    output: Any
    drawn: Mapping[str, Drawn]
    decisions: tuple[tuple[int, int], ...]
    selections: tuple[Sequence[NoisyNumber], ...]
    most: int

    def value(self, number: NoisyNumber) -> Number:
        """A number, with this noise put in."""
        return sum_of(f * self.noise[name] for name, f in number.parts.items()) + number.offset


def border_run(mechanism: Mechanism, values: Mapping[str, Any], special: Special, way: Way) -> BorderRun:
    """Run on D down a way, and put the noise on the border of every comparison.

    Raises NothingForced, or another AlignkitError, where that fails, or was not shown for all public parameters.
    """
    path = _BorderPath(Choices(), way=way)
    output = run_on(mechanism, values, path, special)
    noise, direction = path.noise()
    return BorderRun(
        values, noise, direction, output, path.drawn, tuple(path.decisions), tuple(path.selections), path.most
    )


@dataclass(eq=False, kw_only=True)
class _BorderPath(PublicPath):
    way: Way
    solved: dict[str, _Solved] = field(default_factory=dict)
    decisions: list[tuple[int, int]] = field(default_factory=list)
    selections: list[Sequence[NoisyNumber]] = field(default_factory=list)
    outputs: int = 0
    met: int = 0
    most: int = 0
    pace: Fraction = Fraction(1)

    def emit(self, value: Any) -> None:
        self.outputs, self.met = self.outputs + 1, 0

    def decide(self, difference: NoisyNumber, symbol: str) -> bool:
        wanted = self.way.holds(self.outputs, self.met)
        self.met += 1
        self.most = max(self.most, self.met)
        holds = self.settle(difference, symbol, wanted)
        self.decisions.append((0 if holds else 1, 2))
        return holds

    def settle(self, difference: NoisyNumber, symbol: str, wanted: bool) -> bool:
        """Put the difference on the border by a free draw, if there is one; return which way the comparison goes."""
        left = self._reduced(difference)
        free = [name for name in self.drawn if name in left.parts]
        if not free:
            return self._goes(difference, symbol, left.offset, left.direction)
        name = free[-1]
        factor = left.parts[name]
        border, direction = self._border(NoiseComparison(difference, symbol, wanted), name)
        if self.on_lattice(name) and sign_of(left.direction):
            raise NothingForced("noise on a lattice depends on continuous noise")
        rest = {n: -f / factor for n, f in left.parts.items() if n != name}
        towards = Fraction(0)
        if direction:
            self.pace *= self.way.growth
            towards = (direction * self.pace - left.direction) / factor
        self.solved[name] = _Solved(rest, (border - left.offset) / factor, towards)
        for other, known in self.solved.items():
            if name in known.parts:
                self.solved[other] = self._reduced(NoisyNumber(self, known.parts, known.offset), known.direction)
        return wanted

    def _border(self, comparison: NoiseComparison, name: str) -> tuple[Number, int]:
        """The value next to the border on the wanted side, and the direction away from the border."""
        if not self.on_lattice(name):
            return Fraction(0), comparison.direction
        spacing = self.drawn[name].arguments[-1]
        return (comparison.direction * spacing if comparison.strict else Fraction(0)), 0

    def _goes(self, difference: NoisyNumber, symbol: str, value: Number, direction: Number) -> bool:
        """Which way a comparison goes about the noise."""
        side = sign_of(value) or sign_of(direction)
        if not side and not all(map(self.on_lattice, difference.parts)):
            raise NothingForced("a comparison stays on its border")
        return COMPARE[symbol](side, 0)

    def _reduced(self, number: NoisyNumber, direction: Number = Fraction(0)) -> _Solved:
        """A number in terms of the free draws, with the direction that it has besides theirs."""
        parts: Mapping[str, Any] = {}
        offset = number.offset
        for name, factor in number.parts.items():
            known = self.solved.get(name)
            if known is None:
                parts = plus(parts, {name: factor})
                continue
            parts = plus(parts, times(known.parts, factor))
            offset, direction = offset + factor * known.offset, direction + factor * known.direction
        return _Solved(parts, offset, direction)

    def select_largest(self, values: Sequence[NoisyNumber], k: int) -> tuple[int, ...]:
        self.selections.append(values)
        left = list(range(len(values)))
        chosen = []
        for _ in range(k):
            at = len(left) - 1 if self.way.backwards else 0
            self.decisions.append((at, len(left)))
            chosen.append(left.pop(at))
        for one, other in [*itertools.pairwise(chosen), *((chosen[-1], other) for other in left)]:
            difference, symbol = values[one] - values[other], ">" if one > other else ">="
            if not difference.parts:
                if not COMPARE[symbol](sign_of(difference.offset), 0):
                    raise NothingForced("numbers without noise are selected in another order")
                continue
            if not self.settle(difference, symbol, wanted=True):
                raise NothingForced("the selection is another one")
            self.compared.append(NoiseComparison(difference, symbol, holds=True))
        return tuple(chosen)

    def noise(self) -> tuple[dict[str, Number], dict[str, Number]]:
        """The noise with its direction, checked: it is in the support, and every comparison goes as it was decided."""
        free = self._free_draws()
        noise: dict[str, Number] = {}
        direction: dict[str, Number] = {}
        for name in self.drawn:
            known = self.solved.get(name)
            if known is None:
                noise[name], direction[name] = free[name], Fraction(0)
            else:
                noise[name] = sum_of(f * free[n] for n, f in known.parts.items()) + known.offset
                direction[name] = known.direction
            self._check_support(name, noise[name], direction[name])
        for step in self.compared:
            parts = step.difference.parts
            value = sum_of(f * noise[n] for n, f in parts.items()) + step.difference.offset
            towards = sum_of(f * direction[n] for n, f in parts.items())
            if self._goes(step.difference, step.symbol, value, towards) != step.holds:
                raise NothingForced("the run goes another way")
        return noise, direction

    def _free_draws(self) -> dict[str, Number]:
        """Values of the draws that no comparison has fixed: so large that one-sided noise stays above 0."""
        bounded = [s for name, s in self.solved.items() if self.drawn[name].distribution.support.one_sided]
        needed = sum_of(positive_part(-s.offset) for s in bounded)
        values: dict[str, Number] = {}
        for name, drawn in self.drawn.items():
            if name in self.solved:
                continue
            unit = drawn.arguments[-1] if self.on_lattice(name) else Fraction(1)
            if any(name in s.parts for s in bounded):
                values[name] = needed + unit
            else:
                values[name] = unit if drawn.distribution.support.one_sided else Fraction(0)
        return values

    def _check_support(self, name: str, value: Number, direction: Number) -> None:
        drawn = self.drawn[name]
        if self.on_lattice(name) and (sign_of(direction) or not is_whole(value / drawn.arguments[-1])):
            raise NothingForced("the border lies beside the lattice")
        if drawn.distribution.support.one_sided:
            side = sign_of(value) or sign_of(direction)
            if side < 0 or (side == 0 and not self.on_lattice(name)):
                raise NothingForced("the border lies outside the support")


def ways(most: int, outputs: int, *, selects: bool) -> Iterator[Way]:
    """The ways to try, where at most so many comparisons come before an output, of which there are so many.

    ``selects`` is whether the program has selections.
    """
    firsts = range(most + 1)
    plain = [Way((one,), after=after) for one in firsts for after in (False, True)]
    for one, other in itertools.permutations(firsts, 2):
        plain += [Way((one, other)), Way((one,) * max(1, outputs - 1) + (other,))]
    yield from plain
    if selects:
        for way, backwards, growth in itertools.product(plain, (False, True), (Fraction(4), Fraction(1, 4))):
            yield replace(way, backwards=backwards, growth=growth)
