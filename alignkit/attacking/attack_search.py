"""The search of an attack: climbs from many starts, in turns, here or on an executor.

The search for a loss where noise is on a lattice: the laws on two databases, and the output they differ in most.

The largest loss of two laws is that of a single output, so that no event is searched for, only inputs are.
"""

from __future__ import annotations

import itertools
import math
import pickle
import random
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.cases import (
    AttackCase,
    KnownInputs,
    cases_nearby,
    cases_without_event,
    in_turns,
    settings,
    simplest_first,
    sizes_to_try,
    starting_cases,
    varied,
)
from alignkit.attacking.climbing import LEAST_PROBABILITY, CaseSpace, Climb, Effort
from alignkit.attacking.closed_forms.covering import cover
from alignkit.attacking.closed_forms.lattice_laws import LatticeLaw, on_lattice
from alignkit.errors import AlignkitError, InputError, InternalError, OutOfTime, Unsupported
from alignkit.laws.computing import output_as_written
from alignkit.limits import NEVER, Deadline
from alignkit.output_events import Event
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import Pattern, PrivateAnswers, telling_patterns
from alignkit.running.mechanism_decorator import Mechanism

# What a law is worth in evaluations of events, for each of its outputs, where there is one answer; the more of them
# there are, the more paths lead to each.
WORK = 0.5

# About as many outputs as that has a law for each answer.
_OUTPUTS = 4

# How many shapes of answers a size and setting has, and how many changes each.
_CASES = 8


def lattice_starts(aim: AttackAim, given: Mapping[str, Any], source: random.Random) -> Iterator[list[AttackCase]]:
    """Groups of cases without an event: where noise is on a lattice, or a delta is claimed."""

    def groups(*, simple: bool) -> Iterator[list[AttackCase]]:
        yield from in_turns(
            _groups(aim.adjacency, private, source)
            for first in settings(aim.mechanism, given)
            for private in varied(aim, given, first, source, simple=simple)
        )

    return simplest_first(aim, groups(simple=True), groups(simple=False))


def why_no_law(mechanism: Mechanism, given: Mapping[str, Any], deadline: Deadline = NEVER) -> str | None:
    """Why no law is computed on the smallest inputs; None where one is."""
    problem = "no law is computed"
    for size in sizes_to_try(mechanism):
        for private in itertools.islice(settings(mechanism, given, (size,)), 2):
            still = (Fraction(0),) * len(private.places)
            try:
                LatticeLaw.of(mechanism, private.witness(still, still).values, deadline=deadline)
            except AlignkitError as error:
                problem = str(error)
            else:
                return None
    return problem


def best_output(aim: AttackAim, group: tuple[AttackCase, ...], effort: Effort) -> tuple[AttackCase, float] | None:
    """The case and output with the largest loss, in either direction, among all cases of a group, with its worth.

    The cases of a group have the same answers on D.
    """
    best: tuple[AttackCase, float] | None = None
    chances = _chances(aim.mechanism, group[0].inputs.values, effort)
    for case in group if chances is not None else ():
        if not effort.left:
            break
        chances_ = _chances(aim.mechanism, case.inputs.values_, effort)
        if chances is None or chances_ is None:
            continue
        for way, one, other in ((case, chances, chances_), (_reversed(case), chances_, chances)):
            for output, chance in one.items():
                chance_ = other.get(output, 0.0)
                if chance < LEAST_PROBABILITY or (best is not None and chance_ >= chance):
                    continue
                option = replace(way, event=Event(output_as_written(output)))
                loss = math.log(chance / chance_) if chance_ else math.inf
                worth = aim.share(loss, option.inputs.values, option.event)
                if best is None or worth > best[1]:
                    best = option, worth
    return best


def _chances(mechanism: Mechanism, arguments: Mapping[str, Any], effort: Effort) -> dict[Any, float] | None:
    """The probabilities of the outputs on some inputs; None where they are not computed."""
    answers = sum(len(arguments[name]) if kind.vector else 1 for name, kind in mechanism.private.items())
    if effort.work < WORK * _OUTPUTS * answers**3:
        effort.work = 0  # it would take more than is left
        return None
    try:
        chances = LatticeLaw.of(mechanism, arguments, deadline=effort.deadline).estimates()
    except InternalError:
        raise
    except OutOfTime:
        return None  # the search ends
    except AlignkitError:
        effort.work -= WORK
        return None
    effort.work -= WORK * len(chances) * answers**2
    return chances


def _reversed(case: AttackCase) -> AttackCase:
    """D and D′ the other way round."""
    answers = tuple(a + c for a, c in zip(case.answers, case.changes, strict=True))
    return replace(case, answers=answers, changes=tuple(-c for c in case.changes))


def _groups(adjacency: Adjacency, private: PrivateAnswers, source: random.Random) -> Iterator[list[AttackCase]]:
    """Answers alike, in steps up and down, and at random; each with changes of some of them, up or down."""
    bounds = private.bounds
    half = len(bounds) // 2
    steps = [tuple(way * bound * i for i, bound in enumerate(bounds)) for way in (1, 0, -1)]
    halves = [tuple(2 * bound if (i < half) == first else Fraction(0) for i, bound in enumerate(bounds))
              for first in (True, False)]  # fmt: skip
    shapes = [*halves, *steps] if len(bounds) > 3 else [*steps, *halves]
    shapes += [tuple(bound * source.randint(-3, 3) for bound in bounds) for _ in range(_CASES - len(shapes))]
    for answers in dict.fromkeys(shapes):
        group = [AttackCase(private, answers, change) for change in _changes(adjacency, answers, private, source)]
        if group:
            yield group


def _changes(
    adjacency: Adjacency, answers: tuple[Fraction, ...], private: PrivateAnswers, source: random.Random
) -> list[tuple[Fraction, ...]]:
    """As far as adjacency allows: each way for few answers, some of them for many."""
    count = len(answers)
    single = adjacency in (Adjacency.ONE, Adjacency.L1)
    parts = [[i] for i in range(count)] if single else [[0], [1], [2], list(range(3, count))][:count]
    ways = telling_patterns(adjacency.at(private.public), parts, count, len(parts))

    def split(way: Pattern) -> int:
        """How many equal answers move apart."""
        pairs = itertools.combinations(zip(answers, way, strict=True), 2)
        return sum(one[0] == other[0] and one[1] != other[1] for one, other in pairs)

    # Those first where equal answers move alike, and of these those where more of them move.
    ways = sorted(source.sample(ways, len(ways)), key=lambda way: (split(way), -sum(map(abs, way))))
    most = _CASES if count <= 3 else _CASES // 2
    return [private.moved(way) for way in ways[:most]]


# How many cases are remembered, to climb on from.
KEPT = 12

# A climb from a new start, and one that goes on from a case that was reached: its work, and the most answers.
SHORT, LONG = (60, 5), (1200, 12)

# The same where noise is on a lattice, for all cases of a start.
LATTICE = (400, 5)

# How many new starts come before any climb goes on.
FIRST = 6

# How often a climb from a new start is followed by one that goes on, and how often that one goes on from the best case
# so far. Otherwise it goes on from the best new start, since the way up from the best case may end below others.
AGAIN, BEST = 0.6, 0.6

# How many climbs wait in an executor at a time.
AHEAD = 16

Progress = Callable[[str], None]


@dataclass(frozen=True)
class ClimbTask:
    """One climb, from the best of some cases that share their parameters and event.

    It ends when its work is spent, after so many seconds, or at a time of day: it may have waited for its turn. The
    public parameters that are ``given`` stay as they are; ``by_parameters`` nothing but the others changes.
    """

    aim: AttackAim
    group: tuple[AttackCase, ...]
    seed: int
    work: float
    seconds: float
    until: float
    longest: int
    given: frozenset[str]
    by_parameters: bool = False


@dataclass(frozen=True)
class Reached:
    """Where a climb got, what that is worth, what it spent, whether no step leads higher, and whether it was short.

    The worth is -inf where no event of its cases has a probability; ``unknown`` says why some event has no closed form.
    ``event`` is known where a delta is looked for on a lattice: it comes from the laws.
    """

    case: AttackCase
    worth: float
    spent: float
    top: bool
    short: bool
    unknown: str = ""
    event: Event | None = None


def climb(task: ClimbTask, deadline: Deadline | None = None) -> Reached | None:
    """Run one climb; None where none of its cases can be evaluated. A ``deadline`` stands for the task's own times."""
    end = Deadline.after(min(task.seconds, task.until - time.time())) if deadline is None else deadline
    try:
        return _climb(task, Effort(task.work, end))
    except OutOfTime:
        return None


def _climb(task: ClimbTask, effort: Effort) -> Reached | None:
    without_event = task.aim.delta is not None
    if on_lattice(task.aim.mechanism) and not without_event:
        best = best_output(task.aim, task.group, effort)
        return None if best is None else Reached(*best, task.work - effort.work, top=True, short=True)
    try:
        distances = telling_distances(task.aim.mechanism, task.group[0], effort.deadline)
    except Unsupported as problem:  # where an event is given, it has been covered before
        return Reached(task.group[0], -math.inf, len(task.group), top=True, short=True, unknown=str(problem))
    short = task.longest != LONG[1]
    space = CaseSpace(task.aim, distances, task.longest, not short, task.given, task.by_parameters)
    climbing = Climb(space, effort, random.Random(task.seed))
    # What it takes to look at one direction of a case serves the other, where no event belongs to it.
    ratings = [
        (climbing.value(way), climbing.ways_differ(way), -i, way)
        for i, case in enumerate(task.group)
        if effort.left
        for way in ((case, _reversed(case)) if without_event else (case,))
    ]
    if not ratings:
        return None
    *_, start = max(ratings, key=lambda rating: rating[:3])
    case, worth, top = climbing.up(start)
    spent = task.work - effort.work
    if worth == -math.inf:
        spent = len(task.group)  # even where a look at the cases took no work
    by_law = without_event and on_lattice(task.aim.mechanism) and worth > 0
    event = climbing.excess.worst_event(case) if by_law else None
    return Reached(case, worth, spent, top and not short, short and not task.by_parameters, climbing.unknown, event)


def telling_distances(mechanism: Mechanism, case: AttackCase, deadline: Deadline) -> tuple[Fraction, ...]:
    """Distances that matter: the sensitivity, and the scales of the noise."""
    distances = {Fraction(kind.bound_where_it_holds(case.public)) for kind in mechanism.private.values()}
    for path in () if on_lattice(mechanism) else cover(mechanism, case.inputs.values, case.event, deadline).templates:
        distances |= {parameters[0] for _, parameters in path.noise.values()}
    return tuple(sorted(distances))


@dataclass
class AttackSearch:
    """Climbs from many starts, in turns: short ones from where nobody has been, longer ones from the best so far."""

    aim: AttackAim
    given: Mapping[str, Any]  # the public parameters that are fixed
    seed: int
    effort: Effort
    first: Deadline = NEVER  # until when there must be something to climb from
    enough: float = math.inf  # a loss of this share of the claim ends the search
    near: KnownInputs | None = None  # inputs that are known to matter, to climb from first
    best: list[Reached] = field(default_factory=list)
    fresh: list[Reached] = field(default_factory=list)  # the best new starts from which no climb has gone on
    gone_on: set[Any] = field(default_factory=set)
    compared: set[Any] = field(default_factory=set)  # the cases that were compared at other public parameters
    started: bool = False  # whether there was anything to climb from
    late: bool = False  # whether nothing was found to climb from in time
    unknown: str = ""  # why some events that were met have no closed form

    def run(self, executor: Executor | None, progress: Progress | None) -> bool:
        """Search until the effort is spent; whether Ctrl-C ended it before."""
        climbs = 0
        try:
            for reached in self._here() if executor is None else self._on(executor):
                climbs += 1
                if reached is not None:
                    self._keep(reached)
                if progress is not None:
                    progress(f"{climbs} climbs; {self._so_far()}")
                worth = self.best[0].worth if self.best else -math.inf
                if worth >= self.enough or (self.unknown and worth <= 0 and self.first.passed):
                    break
        except KeyboardInterrupt:
            return True
        except OutOfTime:
            self.late = not self.started
        return False

    @property
    def problem(self) -> str:
        """Why there is nothing to climb from."""
        if self.late:
            return "not all of its paths were listed in time"
        if on_lattice(self.aim.mechanism):
            return why_no_law(self.aim.mechanism, self.given) or "no output differs"
        for private in settings(self.aim.mechanism, self.given):
            for case in cases_without_event(self.aim, private)[:1]:
                try:
                    cover(self.aim.mechanism, case.inputs.values, case.event)
                except AlignkitError as problem:
                    return str(problem)
        return "no event has a closed form"

    def _keep(self, reached: Reached) -> None:
        self.unknown = self.unknown or reached.unknown
        if reached.worth == -math.inf:
            return
        self.best = _with(self.best, reached)
        if reached.short:
            self.fresh = _with(self._waiting(self.fresh), reached)

    def _so_far(self) -> str:
        if not self.best:
            return "no event found yet"
        worth = self.best[0].worth
        what = "loss" if self.aim.delta is None else "delta"
        return f"largest {what} so far about {worth:.3g}" + (" of the claim" if self.aim.expression is not None else "")

    def _tasks(self) -> Iterator[ClimbTask]:
        """What to climb next; ends where nothing can be attacked."""
        new = 0
        for turn in itertools.count():
            source = random.Random(f"{self.seed} {turn}")
            any_group = False
            for group in self._starts(source):
                any_group = self.started = True
                yield self._task(tuple(group), LATTICE if on_lattice(self.aim.mechanism) else SHORT, source)
                new += 1
                if new <= 2:
                    yield from self._at_other_parameters(source)
                waiting = self._waiting(self.best)
                if waiting and new >= FIRST and source.random() < AGAIN:
                    others = self._waiting(self.fresh) or waiting
                    again = waiting[0] if source.random() < BEST else others[0]
                    self.gone_on.add(again.case.key)
                    yield self._task((again.case,), LONG, source)
                    yield from self._at_other_parameters(source)
            if not any_group:
                return

    def _at_other_parameters(self, source: random.Random) -> Iterator[ClimbTask]:
        """The best case at other public parameters, while that leads higher; a claim makes the losses comparable.

        Where losses of laws are looked for, the starts have various parameters, and no climb goes on from them.
        """
        laws = on_lattice(self.aim.mechanism) and self.aim.delta is None
        if self.aim.expression is None or laws or not self.aim.searched(self.given):
            return
        while self.best and self.best[0].case.key not in self.compared:
            case = self.best[0].case
            self.compared.add(case.key)
            yield replace(self._task((case,), SHORT, source), by_parameters=True)

    def _waiting(self, some: list[Reached]) -> list[Reached]:
        """The cases from which another climb may start: none has, and some step may lead higher."""
        return [reached for reached in some if not reached.top and reached.case.key not in self.gone_on]

    def _starts(self, source: random.Random) -> Iterator[list[AttackCase]]:
        """Groups of cases to climb from: those near the known inputs, then any; in turns where parameters are free."""
        nearby = iter(()) if self.near is None else cases_nearby(self.aim, self.near, self._until)
        both = [nearby, self._anywhere(source)]
        return in_turns(both) if self.aim.searched(self.given) else itertools.chain(*both)

    def _anywhere(self, source: random.Random) -> Iterator[list[AttackCase]]:
        if not on_lattice(self.aim.mechanism) and self.aim.delta is None:
            return starting_cases(self.aim, self.given, source, self._until, self._shows_loss)
        if on_lattice(self.aim.mechanism) and why_no_law(self.aim.mechanism, self.given, self._until()) is not None:
            return iter(())
        return lattice_starts(self.aim, self.given, source)

    def _shows_loss(self) -> bool:
        return bool(self.best) and self.best[0].worth > 0

    def _until(self) -> Deadline:
        return self.effort.deadline if self.started else self.first

    def _task(self, group: tuple[AttackCase, ...], limits: tuple[int, int], source: random.Random) -> ClimbTask:
        work, longest = limits
        spend = min(self.effort.work, work)
        left = self.effort.deadline.left
        return ClimbTask(
            self.aim, group, source.randrange(2**32), spend, left, time.time() + left, longest, frozenset(self.given)
        )

    def _here(self) -> Iterator[Reached | None]:
        for task in self._tasks():
            if not self.effort.left:
                return
            reached = climb(task, self.effort.deadline)
            self.effort.work -= len(task.group) if reached is None else reached.spent
            yield reached

    def _on(self, executor: Executor) -> Iterator[Reached | None]:
        """Climbs on an executor, taken in the order in which they were sent: which come next is no matter of speed."""
        tasks = self._tasks()
        waiting: deque[Future[Reached | None]] = deque()
        try:
            while True:
                if self.effort.left:
                    waiting.extend(_sent(executor, task) for task in itertools.islice(tasks, AHEAD - len(waiting)))
                if not waiting:
                    return
                left = self.effort.deadline.left
                done, _ = wait([waiting[0]], None if math.isinf(left) else left)
                if not done:
                    return  # what still runs ends by itself
                reached = _returned(waiting.popleft())
                self.effort.work -= 1 if reached is None else reached.spent
                yield reached
        finally:
            for future in waiting:
                future.cancel()


def _with(some: list[Reached], reached: Reached) -> list[Reached]:
    """The best few of some cases and another, the best first; of those that differ by rounding alone the older one."""
    others = [other for other in some if other.case.key != reached.case.key]
    return sorted([*others, reached], key=lambda one: -round(one.worth, 9))[:KEPT]


def _sent(executor: Executor, task: ClimbTask) -> Future[Reached | None]:
    try:
        return executor.submit(climb, task)
    except (pickle.PicklingError, TypeError) as problem:
        raise InputError(f"the executor's workers cannot be sent the mechanism: {problem}") from None


def _returned(future: Future[Reached | None]) -> Reached | None:
    try:
        return future.result()
    except pickle.PicklingError as problem:
        raise InputError(f"the executor's workers cannot be sent the mechanism: {problem}") from None
