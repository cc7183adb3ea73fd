"""What runs cost at most: directed runs at several settings of the public parameters, exact.

Nothing here is sound: a run that was not tried may cost more. What is seen guides the search for an expression of
the worst case, which is then proved or not, and shows where a proved one is attained.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError, InternalError, OutOfTime
from alignkit.interpreting.values import Coordinate
from alignkit.language.parameters import Proportion
from alignkit.limits import Deadline
from alignkit.noise import Distribution
from alignkit.refuting.candidates import Candidate, GuessingContext, convicts, costs_nearby, replayed
from alignkit.refuting.pairs import Values, centre
from alignkit.refuting.shrinking import without
from alignkit.running.adjacency import Adjacency
from alignkit.running.aligned import Trial, as_vector, attempt, confirm
from alignkit.running.alignment import Alignment
from alignkit.running.replaying import evaluate

# Counts are tried up to here, and a setting gets so many runs.
COUNTS = (1, 2, 3, 4)
RUNS = 56
# So many runs start anew; those after them keep this share of the dearest run's noise.
WAYS = 8
KEPT = 0.7
# So many of those that start anew are tried with the noise that was dearest at the setting before.
AGAIN = 4
LONGEST = 9


@dataclass(frozen=True)
class Dearest:
    """The dearest run seen at one setting of the public parameters, and the largest claim seen there.

    Only runs count whose cost stays about the same where their noise is moved a little.

    ``ratio`` is the largest cost over claim of any run there, None where every claim was 0 or below.
    """

    setting: Values
    candidate: Candidate
    cost: Fraction
    claim: Fraction
    ratio: Fraction | None


@dataclass
class Directed:
    """What directed runs saw: the dearest at each setting where one has an exact cost, the lines that gave output,
    the runs that broke nothing, and a candidate that breaks the proof, if there is one."""

    dearest: list[Dearest] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)
    passed: list[tuple[Candidate, Trial]] = field(default_factory=list)
    found: Candidate | None = None


def directed(alignment: Alignment, *, seed: int = 0, seconds: float = 5.0) -> Directed:
    """Runs at every setting; they end with the first that breaks the proof."""
    deadline = Deadline.after(seconds)
    result = Directed()
    before: dict[Coordinate, Any] = {}
    for number, setting in enumerate(_settings(alignment)):
        source = random.Random(1000 * seed + number)
        climb = _Climb(alignment, setting, _size(alignment, setting, number), source, result, before, deadline)
        climb.run()
        if result.found is not None:
            break
        if climb.best is not None:
            result.dearest.append(climb.summary())
            before = climb.best.noise
    return result


def lines_reached(
    alignment: Alignment, lines: frozenset[int], *, seed: int = 0, seconds: float = 5.0
) -> set[int]:
    """The lines at which runs of D alone give output, until all of ``lines`` were seen or the runs are over.

    A line may take much noise, up here and down there: it is made up anew for each run.
    """
    deadline = Deadline.after(seconds)
    seen: set[int] = set()
    for number, setting in enumerate(_settings(alignment)):
        source, size = random.Random(1000 * seed + number), _size(alignment, setting, number)
        for run in range(RUNS):
            if lines <= seen or deadline.passed:
                return seen
            values, _ = _pair(alignment, setting, size, source, run)
            context = _FarContext(alignment, source, {}, KEPT, seen)
            context.tick = deadline.check
            try:
                found = evaluate(alignment.mechanism, values, context)
            except InputError:
                continue
            except OutOfTime:
                return seen
            if found.defined and not alignment.mechanism.program.is_generator:
                seen.add((found.place or alignment.mechanism.program.place).line)
    return seen


def _settings(alignment: Alignment) -> Iterator[Values]:
    """Public parameters: counts from 1 up, then another value of each of the others, beside some counts."""
    for setting in _chosen(alignment):
        yield alignment.mechanism.on_lattices(setting)


def _chosen(alignment: Alignment) -> Iterator[Values]:
    public = alignment.mechanism.public
    base = {n: kind.sample_values()[0] for n, kind in public.items() if not kind.vector}
    counts = [n for n, kind in public.items() if kind.integer]
    for number in COUNTS if counts else (1,):
        yield {**base, **dict.fromkeys(counts, number)}
    for name in counts[1:]:
        yield {**base, **dict.fromkeys(counts, 2), name: 1}
        yield {**base, **dict.fromkeys(counts, 2), name: 3}
    for name, kind in public.items():
        if kind.integer or not kind.positive:
            continue
        for number, value in enumerate(kind.sample_values()[1:] if isinstance(kind, Proportion) else [Fraction(2)]):
            for beside in (2, 3) if isinstance(kind, Proportion) and counts else (2 + number,):
                yield {**base, **dict.fromkeys(counts, beside), name: value}


class _Climb:
    """Runs at one setting, each after the first few a variation of the dearest so far."""

    def __init__(
        self,
        alignment: Alignment,
        setting: Values,
        size: int,
        source: random.Random,
        result: Directed,
        before: dict[Coordinate, Any],
        deadline: Deadline,
    ) -> None:
        self.alignment = alignment
        self.deadline = deadline
        self.before = before
        self.setting = setting
        self.size = size
        self.source = source
        self.result = result
        self.best: Trial | None = None
        self.candidate: Candidate | None = None
        self.claim = Fraction(0)
        self.ratio: Fraction | None = None

    def run(self) -> None:
        """Runs until the claim is reached, the number of runs, or the time."""
        for number in range(RUNS):
            if self.deadline.passed:
                return
            try:
                trial = self._trial(number)
            except OutOfTime:
                return
            if self.result.found is not None:
                return
            if self._reached(trial, number):
                return

    def _reached(self, trial: Trial | None, number: int) -> bool:
        """Whether the claim is reached: one that depends on the output at its largest, every way having been gone."""
        if self.alignment.ex_post:
            return number >= WAYS and self.best is not None and self.best.cost == self.claim
        return trial is not None and trial is self.best and bool(trial.cost == trial.claim)

    def summary(self) -> Dearest:
        assert self.best is not None
        assert self.candidate is not None
        return Dearest(self.setting, self.candidate, Fraction(self.best.cost), self.claim, self.ratio)

    def _trial(self, number: int) -> Trial | None:
        # What was dear at the setting before often is at this one.
        known, kept = (self.before, 1.0) if number < AGAIN else ({}, KEPT)
        values, values_ = _pair(self.alignment, self.setting, self.size, self.source, number)
        if number >= WAYS and self.best is not None and self.candidate is not None:
            # A third of the time only the noise varies, a third some of the changes too.
            if number % 3:
                values, values_ = dict(self.candidate.values), dict(self.candidate.values_)
            if number % 3 == 2 and self.alignment.adjacency is Adjacency.EACH:
                values_ |= _varied(self.alignment, values, values_, self.source)
            known = self.best.noise
        context = _FarContext(self.alignment, self.source, known, kept, self.result.lines)
        context.tick = self.deadline.check
        try:
            trial = attempt(self.alignment, values, values_, context)
        except InputError:
            return None
        if not self.alignment.mechanism.program.is_generator and trial.run.defined:
            self.result.lines.add((trial.run.place or self.alignment.mechanism.program.place).line)
        candidate = Candidate(values, values_, as_vector(trial.run))
        if trial.violation is not None:
            if trial.run.defined and convicts(self.alignment, candidate, self.deadline) is not None:
                self.result.found = candidate
            return None
        if trial.run.defined:
            self.result.passed.append((candidate, trial))
        if not trial.close:
            self._note(trial, candidate)
        return trial

    def _note(self, trial: Trial, candidate: Candidate) -> None:
        if not isinstance(trial.cost, int | Fraction) or not isinstance(trial.claim, int | Fraction):
            return
        ratio = Fraction(trial.cost) / Fraction(trial.claim) if trial.claim > 0 else None
        best = self.best
        dearer = best is None or (trial.cost, -len(trial.run.drawn)) > (best.cost, -len(best.run.drawn))
        tighter = ratio is not None and (self.ratio is None or ratio > self.ratio)
        if not dearer and not tighter and trial.claim <= self.claim:
            return
        if not costs_nearby(self.alignment, candidate, trial, self.deadline):
            return
        self.claim = max(self.claim, Fraction(trial.claim))
        if ratio is not None:
            self.ratio = max(self.ratio or Fraction(0), ratio)
        if dearer:
            self.best, self.candidate = trial, candidate


class _FarContext(GuessingContext):
    """A run whose noise is some of another run's, and else far out."""

    def __init__(
        self,
        alignment: Alignment,
        source: random.Random,
        known: dict[Coordinate, Any],
        kept: float,
        lines: set[int],
    ) -> None:
        self.kept = kept
        up = source.choice((0.75, 0.5, 1.0))
        super().__init__(alignment, lambda d, a: _far(source, d, a, up), lines)
        self.source = source
        self.known = known

    def noise_at(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...]) -> Any:
        value = self.known.get(where)
        if value is None or not distribution.contains(value, *arguments):
            return super().noise_at(where, distribution, arguments)
        if self.source.random() < self.kept:
            return value
        # Rather to the other side of a test than to another number on the same.
        return _far(self.source, distribution, arguments, 0.2 if value > 0 else 0.8)


def _far(source: random.Random, distribution: Distribution, arguments: tuple[Any, ...], up: float) -> Any:
    """Noise many times its scale away from 0, up or down, so that one side of each test is clear."""
    size = max(Fraction(arguments[0]), Fraction(1)) * source.randint(8, 60)
    if not distribution.support.continuous:
        # What is clamped costs most where it is not: within a few steps of the answers.
        size = Fraction(arguments[-1]) * source.randint(0, source.choice((2, 60)))
    if distribution.support.one_sided:
        return size if source.random() < up else Fraction(0)
    return size if source.random() < up else -size


def _size(alignment: Alignment, setting: Values, number: int) -> int:
    """How many queries a setting gets: enough for twice its counts, and not as many each time."""
    counts = [int(setting[n]) for n, kind in alignment.mechanism.public.items() if kind.integer]
    return min(LONGEST, 1 + 2 * max(counts or [1]) + number % 2)


def _pair(alignment: Alignment, setting: Values, size: int, source: random.Random, run: int) -> tuple[Values, Values]:
    """All answers alike on D and moved as far as adjacency allows: down, up, in turn, or each its own way."""
    mechanism = alignment.mechanism
    values: Values = {n: int(v) if mechanism.public[n].integer else v for n, v in setting.items()}
    values |= {n: (Fraction(0),) * size for n, kind in mechanism.public.items() if kind.vector}
    values_ = dict(values)
    level = centre(alignment, source)
    for name, query in mechanism.private.items():
        bound = Fraction(mechanism.sensitivity(name, values))
        step = mechanism.lattice(name, values)
        bound = bound // step * step if step else bound
        changes = _changes(alignment.adjacency, size if query.vector else 1, bound, source, run)
        values[name] = (level,) * size if query.vector else level
        values_[name] = tuple(level + d for d in changes) if query.vector else level + changes[0]
    return values, values_


def _changes(adjacency: Adjacency, size: int, bound: Fraction, source: random.Random, run: int) -> list[Fraction]:
    """All down, all up, none; or one, or some in one direction, or each in its own, as adjacency allows."""
    way = (-bound, bound, Fraction(0), bound * source.choice((1, -1)))[run % 4]
    if adjacency in (Adjacency.ONE, Adjacency.L1):
        only = source.randrange(size)
        return [way if i == only else Fraction(0) for i in range(size)]
    if run % 4 < 3:
        return [way] * size
    if adjacency is Adjacency.MONOTONE:
        return [way * source.choice((0, 1)) for _ in range(size)]
    return [way * source.choice((1, -1)) for _ in range(size)]


def _varied(alignment: Alignment, values: Values, values_: Values, source: random.Random) -> Values:
    """The answers of D′, some of them changed the other way."""
    return {
        n: tuple(2 * x - y if source.random() > KEPT else y for x, y in zip(values[n], values_[n], strict=True))
        for n, kind in alignment.mechanism.private.items()
        if kind.vector
    }


def trimmed(alignment: Alignment, candidate: Candidate, cost: Fraction) -> tuple[Candidate, Trial]:
    """The candidate with the queries left out that do not change the cost, confirmed by Python itself."""
    best = candidate
    trial = replayed(alignment, best)
    vectors = [n for n, kind in alignment.mechanism.parameters.items() if kind.vector]
    size = len(candidate.values[vectors[0]]) if vectors else 0
    for position in range(size - 1, -1, -1):
        if len(best.values[vectors[0]]) == 1:
            break
        smaller = without(best, vectors, position)
        again = replayed(alignment, smaller)
        if again is None or again.violation is not None or again.cost != cost:
            continue
        if costs_nearby(alignment, smaller, again):
            best, trial = Candidate(smaller.values, smaller.values_, as_vector(again.run)), again
    if trial is None or trial.cost != cost:
        raise InternalError("a run that attains the worst case does not replay")
    confirm(alignment, best.values, best.values_, trial)
    return best, trial
