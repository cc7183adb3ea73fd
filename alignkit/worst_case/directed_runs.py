"""What runs cost at most: directed runs at several settings of the public parameters, exact.

Nothing here is sound: a run that was not tried may cost more. What is seen guides the search for an expression of
the worst case, which is then proved or not, and shows where a proved one is attained.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError, InternalError, OutOfTime
from alignkit.interpreting.values import Coordinate
from alignkit.language.parameters import Proportion
from alignkit.limits import Deadline
from alignkit.noise import Distribution
from alignkit.refuting.convicting import GuessingContext, convicts, costs_nearby, replayed
from alignkit.refuting.shrinking import without_query
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import level_pair
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.both_runs import AlignedRun, run_both
from alignkit.running.confirming import confirm
from alignkit.running.replaying import run_program

Values = dict[str, Any]

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
class DearestRun:
    """The dearest run seen at one setting of the public parameters, and the largest claim seen there.

    Only runs count whose cost stays about the same where their noise is moved a little.

    ``ratio`` is the largest cost over claim of any run there, None where every claim was 0 or below.
    """

    setting: Values
    witness: Witness
    cost: Fraction
    claim: Fraction
    ratio: Fraction | None


@dataclass
class DirectedRuns:
    """What directed runs saw: the dearest at each setting where one has an exact cost, the lines that gave output,
    the runs that broke nothing, and a candidate that breaks the proof, if there is one."""

    dearest: list[DearestRun] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)
    passed: list[tuple[Witness, AlignedRun]] = field(default_factory=list)
    found: Witness | None = None


def run_directed(alignment: Alignment, *, seed: int = 0, seconds: float = 5.0) -> DirectedRuns:
    """Runs at every setting; they end with the first that breaks the proof."""
    deadline = Deadline.after(seconds)
    result = DirectedRuns()
    before: dict[Coordinate, Any] = {}
    for number, setting in enumerate(_settings(alignment)):
        source = random.Random(1000 * seed + number)
        climb = _Climb(alignment, setting, _size(alignment, setting, number), source, result, before, deadline)
        climb.run()
        if result.found is not None:
            break
        if climb.best is not None:
            result.dearest.append(climb.summary())
            before = climb.best.run.noise
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
            inputs = _pair(alignment, setting, size, source, run)
            context = _FarContext(alignment, source, {}, KEPT, seen)
            context.tick = deadline.check
            try:
                found = run_program(alignment.mechanism, inputs.values, context)
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
        result: DirectedRuns,
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
        self.best: AlignedRun | None = None
        self.witness: Witness | None = None
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

    def _reached(self, trial: AlignedRun | None, number: int) -> bool:
        """Whether the claim is reached: one that depends on the output at its largest, every way having been gone."""
        if self.alignment.ex_post:
            return number >= WAYS and self.best is not None and self.best.cost == self.claim
        return trial is not None and trial is self.best and bool(trial.cost == trial.claim)

    def summary(self) -> DearestRun:
        assert self.best is not None
        assert self.witness is not None
        return DearestRun(self.setting, self.witness, Fraction(self.best.cost), self.claim, self.ratio)

    def _trial(self, number: int) -> AlignedRun | None:
        # What was dear at the setting before often is at this one.
        known, kept = (self.before, 1.0) if number < AGAIN else ({}, KEPT)
        inputs = _pair(self.alignment, self.setting, self.size, self.source, number)
        if number >= WAYS and self.best is not None and self.witness is not None:
            # A third of the time only the noise varies, a third some of the changes too.
            if number % 3:
                inputs = self.witness
            if number % 3 == 2 and self.alignment.adjacency is Adjacency.EACH:
                inputs = _varied(inputs, self.source)
            known = self.best.run.noise
        context = _FarContext(self.alignment, self.source, known, kept, self.result.lines)
        context.tick = self.deadline.check
        try:
            trial = run_both(self.alignment, inputs, context)
        except InputError:
            return None
        if not self.alignment.mechanism.program.is_generator and trial.run.defined:
            self.result.lines.add((trial.run.place or self.alignment.mechanism.program.place).line)
        witness = inputs.with_noise(trial.run.H)
        if trial.violation is not None:
            if trial.run.defined and convicts(self.alignment, witness, self.deadline) is not None:
                self.result.found = witness
            return None
        if trial.run.defined:
            self.result.passed.append((witness, trial))
        if not trial.close:
            self._note(trial, witness)
        return trial

    def _note(self, trial: AlignedRun, witness: Witness) -> None:
        if not isinstance(trial.cost, int | Fraction) or not isinstance(trial.claim, int | Fraction):
            return
        ratio = Fraction(trial.cost) / Fraction(trial.claim) if trial.claim > 0 else None
        best = self.best
        dearer = best is None or (trial.cost, -len(trial.run.drawn)) > (best.cost, -len(best.run.drawn))
        tighter = ratio is not None and (self.ratio is None or ratio > self.ratio)
        if not dearer and not tighter and trial.claim <= self.claim:
            return
        if not costs_nearby(self.alignment, witness, trial, self.deadline):
            return
        self.claim = max(self.claim, Fraction(trial.claim))
        if ratio is not None:
            self.ratio = max(self.ratio or Fraction(0), ratio)
        if dearer:
            self.best, self.witness = trial, witness


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


def _pair(alignment: Alignment, setting: Values, size: int, source: random.Random, run: int) -> Witness:
    """Adjacent inputs at a setting, with all answers alike on D."""
    mechanism = alignment.mechanism
    public: Values = {n: int(v) if mechanism.public[n].integer else v for n, v in setting.items()}
    public |= {n: (Fraction(0),) * size for n, kind in mechanism.public.items() if kind.vector}
    return level_pair(mechanism, alignment.adjacency, public, size, source, run)


def _varied(inputs: Witness, source: random.Random) -> Witness:
    """The inputs with some answers changed the other way on D′."""
    q_ = dict(inputs.q_)
    for name, answers in inputs.q.items():
        if isinstance(answers, tuple):
            pairs = zip(answers, q_[name], strict=True)
            q_[name] = tuple(2 * x - y if source.random() > KEPT else y for x, y in pairs)
    return replace(inputs, q_=q_)


def without_idle_queries(alignment: Alignment, witness: Witness, cost: Fraction) -> Witness:
    """The witness without the queries that do not change the cost, with the noise drawn, confirmed by Python itself."""
    best = witness
    trial = replayed(alignment, best)
    vectors = [n for n, kind in alignment.mechanism.parameters.items() if kind.vector]
    size = len(witness.values[vectors[0]]) if vectors else 0
    for position in range(size - 1, -1, -1):
        if len(best.values[vectors[0]]) == 1:
            break
        smaller = without_query(best, vectors, position)
        again = replayed(alignment, smaller)
        if again is None or again.violation is not None or again.cost != cost:
            continue
        if costs_nearby(alignment, smaller, again):
            best, trial = smaller.with_noise(again.run.H), again
    if trial is None or trial.cost != cost:
        raise InternalError("a run that attains the worst case does not replay")
    confirm(alignment, best, trial)
    return best.with_noise(trial.run.H)
