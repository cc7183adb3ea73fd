"""What runs cost at most: exact runs at several settings of the public parameters, directed towards the dearest.

No proof rests on this: a run that was not tried may cost more. The runs guide the search for an expression of the
worst case, which is then proved or not, and show where a proved one is attained.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

from alignkit.errors import InputError, InternalError, OutOfTime
from alignkit.interpreting.values import Coordinate
from alignkit.language.parameters import Proportion
from alignkit.limits import Deadline
from alignkit.noise import CHOICE, Distribution
from alignkit.refuting.convicting import GuessingContext, convicts, costs_nearby, replayed
from alignkit.refuting.shrinking import without_query
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import level_pair
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.both_runs import AlignedRun, run_both
from alignkit.running.exact_confirmation import confirm_run
from alignkit.running.replaying import by_name, run_program

Values = dict[str, Any]

# The counts that are tried, and the number of runs at each setting.
COUNTS = (1, 2, 3, 4)
RUNS = 56
# The number of runs that start anew; those after them keep this share of the dearest run's noise.
WAYS = 8
KEPT = 0.7
# The number of those runs that take the noise that was dearest at the setting before.
AGAIN = 4
# How often noise that is far out lies above 0, as a share; a run takes one of these.
UPWARD = (0.75, 0.5, 1.0)
# The most queries at any setting.
LONGEST = 9


@dataclass(frozen=True)
class DearestRun:
    """The dearest run at one setting of the public parameters, and the largest claim of any run there.

    Only runs count whose cost stays about the same where their noise is moved a little. ``ratio`` is the largest ratio
    of a run's cost to its claim there, None where every claim was 0 or below.
    """

    witness: Witness
    cost: Fraction
    claim: Fraction
    ratio: Fraction | None

    @property
    def setting(self) -> Values:
        """The public parameters, and the lengths of the vectors."""
        lengths = {f"len({n})": len(v) for n, v in self.witness.values.items() if isinstance(v, tuple)}
        return {**self.witness.public, **lengths}


@dataclass
class DirectedRuns:
    """The outcome of directed runs: the settings that were tried, the dearest run at each where one has an exact cost,
    the lines that gave output, the runs that broke nothing, and a candidate that breaks the proof, if there is one."""

    settings: list[Values] = field(default_factory=list)
    dearest: list[DearestRun] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)
    passed: list[tuple[Witness, AlignedRun]] = field(default_factory=list)
    candidate: Witness | None = None


def run_directed(alignment: Alignment, *, seed: int = 0, seconds: float = 5.0) -> DirectedRuns:
    """Runs at every setting; they end with the first that breaks the proof."""
    deadline = Deadline.after(seconds)
    result = DirectedRuns()
    before: dict[Coordinate, Any] = {}
    for setting, size, source in _settings(alignment, seed):
        climb = _Climb(alignment, setting, size, source, result, before, deadline)
        result.settings.append(setting)
        climb.run()
        if result.candidate is not None:
            break
        if climb.dearest is not None:
            result.dearest.append(climb.summary())
            before = climb.dearest[1].run.noise
    return result


def lines_reached(
    alignment: Alignment, lines: frozenset[int], *, seed: int = 0, seconds: float = 5.0
) -> set[int]:
    """The lines at which runs of D alone give output, until all of ``lines`` are among them or the runs are over.

    A line may take much noise, up here and down there: it is made up anew for each run. The last of many branches
    takes one draw that goes up and others that go down.
    """
    deadline = Deadline.after(seconds)
    one_up = 1 / (1 + len(alignment.mechanism.draws))
    reached: set[int] = set()
    for setting, size, source in _settings(alignment, seed):
        for number in range(RUNS):
            if lines <= reached or deadline.passed:
                return reached
            inputs = _pair(alignment, setting, size, source, number)
            context = _FarContext(alignment, source, {}, KEPT, reached, deadline, (*UPWARD, one_up))
            try:
                context.note_return(run_program(alignment.mechanism, inputs.values, context))
            except InputError:
                continue
            except OutOfTime:
                return reached
    return reached


def _settings(alignment: Alignment, seed: int) -> Iterator[tuple[Values, int, random.Random]]:
    """Public parameters, each time with a number of queries and a source of random numbers.

    There are enough queries for twice the counts, an odd number and an even one in turn.
    """
    counts = [n for n, kind in alignment.mechanism.public.items() if kind.integer]
    for number, setting in enumerate(map(alignment.mechanism.domain.on_lattices, _public_parameters(alignment))):
        size = 1 + 2 * max((int(setting[n]) for n in counts), default=1) + number % 2
        yield setting, min(LONGEST, size), random.Random(1000 * seed + number)


def _public_parameters(alignment: Alignment) -> Iterator[Values]:
    """Counts from 1 up, then another value of each of the other parameters, beside some counts."""
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
        share = isinstance(kind, Proportion)
        values = kind.sample_values()[1:] if share else [Fraction(2)]
        for value, count in product(values, (2, 3) if share and counts else (2,)):
            yield {**base, **dict.fromkeys(counts, count), name: value}


@dataclass
class _Climb:
    """Runs at one setting: a few fresh ones, then variations of the dearest run so far.

    ``before`` is the noise that was dearest at the setting before.
    """

    alignment: Alignment
    setting: Values
    size: int
    source: random.Random
    result: DirectedRuns
    before: dict[Coordinate, Any]
    deadline: Deadline
    dearest: tuple[Witness, AlignedRun] | None = None
    claim: Fraction = Fraction(0)
    ratio: Fraction | None = None

    def run(self) -> None:
        """Runs until the claim is reached, the number of runs, or the time."""
        for number in range(RUNS):
            try:
                self.deadline.check()
                trial = self._trial(number)
            except OutOfTime:
                return
            if self.result.candidate is not None or self._reaches_claim(trial, number):
                return

    def _reaches_claim(self, trial: AlignedRun | None, number: int) -> bool:
        """Whether the dearest run costs the claim, the largest one where it is ex-post and all fresh runs are made."""
        if self.dearest is None:
            return False
        best = self.dearest[1]
        if self.alignment.ex_post:
            return number >= WAYS and bool(best.cost == self.claim)
        return trial is best and bool(trial.cost == trial.claim)

    def summary(self) -> DearestRun:
        """The dearest run, once there is one."""
        assert self.dearest is not None
        witness, best = self.dearest
        return DearestRun(witness, Fraction(best.cost), self.claim, self.ratio)

    def _trial(self, number: int) -> AlignedRun | None:
        # What was dear at the setting before often is at this one.
        noise, kept = (self.before, 1.0) if number < AGAIN else ({}, KEPT)
        inputs = _pair(self.alignment, self.setting, self.size, self.source, number)
        if number >= WAYS and self.dearest is not None:
            witness, best = self.dearest
            # A third of the time only the noise varies, a third some of the changes too.
            if number % 3:
                inputs = witness
            if number % 3 == 2 and self.alignment.adjacency is Adjacency.EACH:
                inputs = _varied(inputs, self.source)
            noise = best.run.noise
        context = _FarContext(self.alignment, self.source, noise, kept, self.result.lines, self.deadline)
        try:
            trial = run_both(self.alignment, inputs, context)
        except InputError:
            return None
        context.note_return(trial.run)
        witness = inputs.with_noise(trial.run.H)
        if trial.violation is not None:
            if trial.run.defined and convicts(self.alignment, witness, self.deadline) is not None:
                self.result.candidate = witness
            return None
        if trial.outside is not None:
            return None
        self.result.passed.append((witness, trial))
        if not trial.close:
            self._note(trial, witness)
        return trial

    def _note(self, trial: AlignedRun, witness: Witness) -> None:
        """Note a run that is dearer than those before, or has a larger claim, or comes closer to its claim."""
        if not isinstance(trial.cost, int | Fraction) or not isinstance(trial.claim, int | Fraction):
            return
        ratio = Fraction(trial.cost) / Fraction(trial.claim) if trial.claim > 0 else None
        best = None if self.dearest is None else self.dearest[1]
        dearer = best is None or (trial.cost, -len(trial.run.drawn)) > (best.cost, -len(best.run.drawn))
        tighter = ratio is not None and (self.ratio is None or ratio > self.ratio)
        if not dearer and not tighter and trial.claim <= self.claim:
            return
        if not costs_nearby(self.alignment, witness, trial, self.deadline):
            return
        self.claim = max(self.claim, Fraction(trial.claim))
        if tighter:
            self.ratio = ratio
        if dearer:
            self.dearest = witness, trial


class _FarContext(GuessingContext):
    """A run whose noise is some of another run's, and else far out."""

    def __init__(
        self,
        alignment: Alignment,
        source: random.Random,
        noise: dict[Coordinate, Any],
        kept: float,
        lines: set[int],
        deadline: Deadline,
        upward: Sequence[float] = UPWARD,
    ) -> None:
        up = source.choice(upward)
        super().__init__(alignment, lambda d, a: _far(source, d, a, up), lines, deadline)
        self.source = source
        self.other_noise = noise
        self.kept = kept

    def noise_at(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...]) -> Any:
        value = self.other_noise.get(where)
        if value is None or not distribution.contains(value, *arguments):
            return super().noise_at(where, distribution, arguments)
        if self.source.random() < self.kept:
            return value
        # Rather to the other side of a test than to another number on the same.
        return _far(self.source, distribution, arguments, 0.2 if value > 0 else 0.8)


def _far(source: random.Random, distribution: Distribution, arguments: tuple[Any, ...], up: float) -> Any:
    """Noise many times its scale away from 0, up or down, so that one side of each test is clear."""
    if distribution is CHOICE:
        return source.choice([i for i, weight in enumerate(arguments[0]) if weight > 0])
    size = max(Fraction(arguments[0]), Fraction(1)) * source.randint(8, 60)
    if not distribution.support.continuous:
        # What is clamped costs most where it is not: within a few steps of the answers.
        size = Fraction(arguments[-1]) * source.randint(0, source.choice((2, 60)))
    if distribution.support.one_sided:
        return size if source.random() < up else Fraction(0)
    return distribution.possible(size if source.random() < up else -size, *arguments)


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
    best, trial = witness, replayed(alignment, witness)
    vectors = [n for n, kind in alignment.mechanism.parameters.items() if kind.vector]
    size = len(witness.values[vectors[0]]) if vectors else 0
    for position in reversed(range(size)):
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
    best, trial = _without_ties(alignment, best, trial)
    confirm_run(alignment, best, trial)
    return best.with_noise(trial.run.H)


def _without_ties(alignment: Alignment, witness: Witness, trial: AlignedRun) -> tuple[Witness, AlignedRun]:
    """The witness with no two equal draws of continuous noise, which most often tie answers that are alike too.

    A draw stays where the cost would be another one without its tie.
    """
    seen: set[Any] = set()
    for drawn in trial.run.drawn:
        noise = dict(trial.run.noise)
        continuous = drawn.distribution.support.continuous
        steps = [Fraction(n, part) for part in (1, 10) for n in range(1, 10)] if continuous else []
        for step in steps if drawn.value in seen else ():
            noise[drawn.where] = drawn.value + step
            moved = witness.with_noise(by_name(noise))
            again = replayed(alignment, moved)
            if again is None or again.violation is not None or drawn.value + step in seen:
                continue
            if (again.cost, again.claim) == (trial.cost, trial.claim):
                if costs_nearby(alignment, moved, again):
                    witness, trial = moved, again
                break
        seen.add(noise[drawn.where])
    return witness, trial
