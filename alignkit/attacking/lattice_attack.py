"""The search for a loss where noise is on a lattice: the laws on two databases, and the output they differ in most.

The largest loss of two laws is that of a single output, so that no event is searched for, only inputs are.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.cases import AttackCase, in_turns, settings, simplest_first, sizes_to_try, varied
from alignkit.attacking.climbing import LEAST_PROBABILITY, Effort
from alignkit.attacking.closed_forms.lattice_laws import LatticeLaw
from alignkit.errors import AlignkitError, InternalError, OutOfTime
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
    """Groups of cases without an event; none where no law is computed."""

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
    ways = telling_patterns(adjacency, parts, count, len(parts))

    def split(way: Pattern) -> int:
        """How many equal answers move apart."""
        pairs = itertools.combinations(zip(answers, way, strict=True), 2)
        return sum(one[0] == other[0] and one[1] != other[1] for one, other in pairs)

    # Those first where equal answers move alike, and of these those where more of them move.
    ways = sorted(source.sample(ways, len(ways)), key=lambda way: (split(way), -sum(map(abs, way))))
    most = _CASES if count <= 3 else _CASES // 2
    return [private.moved(way) for way in ways[:most]]
