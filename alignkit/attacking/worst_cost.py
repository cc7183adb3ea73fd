"""What runs cost at most: directed runs at several settings of the public parameters, exact.

Nothing here is sound: a run that was not tried may cost more. What is seen guides the search for an expression of
the worst case, which is then proved or not, and shows where a proved one is attained.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.attacking.candidates import Candidate, GuessingContext, convicts, replayed
from alignkit.attacking.pairs import Values, centre
from alignkit.attacking.shrinking import without
from alignkit.errors import InputError, InternalError
from alignkit.language.parameters import Proportion
from alignkit.noise import Distribution
from alignkit.running.adjacency import Adjacency
from alignkit.running.aligned import Trial, as_vector, attempt, confirm
from alignkit.running.alignment import Alignment

# Counts are tried up to here, and a setting gets so many runs.
COUNTS = (1, 2, 3, 4)
RUNS = 24
LONGEST = 9


@dataclass(frozen=True)
class Dearest:
    """The dearest run seen at one setting of the public parameters, and the largest claim seen there.

    ``ratio`` is the largest cost over claim of any run there, None where every claim was 0 or below.
    """

    setting: Values
    candidate: Candidate
    cost: Fraction
    claim: Fraction
    ratio: Fraction | None


def dearest(alignment: Alignment, *, seed: int = 0, seconds: float = 5.0) -> list[Dearest]:
    """The dearest run at each setting, for settings at which some run has an exact cost."""
    until = time.monotonic() + seconds
    found = []
    for number, setting in enumerate(_settings(alignment)):
        one = _at(alignment, setting, random.Random(1000 * seed + number), until)
        if one is not None:
            found.append(one)
    return found


def _settings(alignment: Alignment) -> Iterator[Values]:
    """Public parameters: counts from 1 up, then another value of each of the others, beside some counts."""
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


def _at(alignment: Alignment, setting: Values, source: random.Random, until: float) -> Dearest | None:
    best: Trial | None = None
    candidate: Candidate | None = None
    claim, ratio = Fraction(0), None
    for run in range(RUNS):
        if time.monotonic() > until:
            break
        values, values_ = _pair(alignment, setting, source, run)
        trial = _run(alignment, values, values_, source, run)
        if trial is None or not isinstance(trial.cost, int | Fraction) or not isinstance(trial.claim, int | Fraction):
            continue
        claim = max(claim, Fraction(trial.claim))
        if trial.claim > 0:
            ratio = max(ratio or Fraction(0), Fraction(trial.cost) / Fraction(trial.claim))
        if best is None or (trial.cost, -len(trial.run.drawn)) > (best.cost, -len(best.run.drawn)):
            best, candidate = trial, Candidate(values, values_, as_vector(trial.run))
        if not alignment.ex_post and trial.cost == trial.claim:
            break
    if best is None or candidate is None:
        return None
    return Dearest(setting, candidate, Fraction(best.cost), claim, ratio)


def _run(alignment: Alignment, values: Values, values_: Values, source: random.Random, run: int) -> Trial | None:
    """The trial of a pair on noise far out; InternalError where it breaks what was proved."""
    winning = (Fraction(3, 4), Fraction(1, 2), Fraction(1))[run // 4 % 3]

    def far(distribution: Distribution, arguments: tuple[Any, ...]) -> Any:
        return _far(source, distribution, arguments, winning)

    try:
        trial = attempt(alignment, values, values_, GuessingContext(alignment, far, set()))
    except InputError:
        return None
    if trial.violation is None:
        return trial
    candidate = Candidate(values, values_, as_vector(trial.run))
    if convicts(alignment, candidate) is not None:
        raise InternalError(f"proved, and yet a run breaks the proof: {trial.violation.words}")
    return None


def _far(source: random.Random, distribution: Distribution, arguments: tuple[Any, ...], winning: Fraction) -> Any:
    """Noise many times its scale away from 0, up or down, so that one side of each test is clear."""
    size = max(Fraction(arguments[0]), Fraction(1)) * source.randint(8, 60)
    if not distribution.support.continuous:
        size = Fraction(arguments[-1]) * source.randint(0, 60)
    if distribution.support.one_sided:
        return size if source.random() < winning else size / size.denominator * 0
    return size if source.random() < winning else -size


def _pair(alignment: Alignment, setting: Values, source: random.Random, run: int) -> tuple[Values, Values]:
    """All answers alike on D and moved as far as adjacency allows: down, up, in turn, or each its own way."""
    mechanism = alignment.mechanism
    size = min(LONGEST, 1 + 2 * max([int(setting[n]) for n, kind in mechanism.public.items() if kind.integer] or [1]))
    values: Values = {n: int(v) if mechanism.public[n].integer else v for n, v in setting.items()}
    values |= {n: (Fraction(0),) * size for n, kind in mechanism.public.items() if kind.vector}
    values_ = dict(values)
    level = centre(alignment, source)
    for name, query in mechanism.private.items():
        bound = Fraction(mechanism.sensitivity(name, values))
        if query.lattice is not None:
            bound = bound // Fraction(query.lattice) * Fraction(query.lattice)
        changes = _changes(alignment.adjacency, size if query.vector else 1, bound, source, run)
        values[name] = (level,) * size if query.vector else level
        values_[name] = tuple(level + d for d in changes) if query.vector else level + changes[0]
    return values, values_


def _changes(adjacency: Adjacency, size: int, bound: Fraction, source: random.Random, run: int) -> list[Fraction]:
    way = bound if run % 4 == 1 else -bound
    if adjacency in (Adjacency.ONE, Adjacency.L1):
        only = source.randrange(size)
        return [way if i == only else Fraction(0) for i in range(size)]
    if adjacency is Adjacency.MONOTONE:
        # A winner that stays while the losers move costs most where all move together.
        return [way if run % 4 < 2 or source.random() < 0.5 else Fraction(0) for _ in range(size)]
    if run % 4 < 2:
        return [way] * size
    return [bound * source.choice((1, -1)) for _ in range(size)]


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
        if again is not None and again.violation is None and again.cost == cost:
            best, trial = Candidate(smaller.values, smaller.values_, as_vector(again.run)), again
    if trial is None or trial.cost != cost:
        raise InternalError("a run that attains the worst case does not replay")
    confirm(alignment, best.values, best.values_, trial)
    return best, trial
