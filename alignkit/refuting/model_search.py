"""The bounded search: few queries and small counts, all else symbolic; the solver's models become candidates.

Every model describes a run that can be reached, so that it must replay. It seeds the counterexample; a tie, or
an irrational number that was rounded, is moved off by trying noise close by.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from alignkit.errors import InputError, LanguageError, OutOfTime, TooManyDigits, TooManyPaths, Unsupported
from alignkit.proving.deciding import Decider
from alignkit.proving.planned_runs import told_by_draws
from alignkit.proving.stages.single_runs import whole_run
from alignkit.proving.symbolic_inputs import Inputs, bounded
from alignkit.proving.symbolic_trial import Exploration, Record
from alignkit.refuting.collisions import MOST, collision, read_model
from alignkit.refuting.convicting import convicts, replayed
from alignkit.refuting.counterexamples import Collision
from alignkit.results import Witness
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.symbolic.solver import Outcome

SIZES = tuple(range(1, MOST + 1))
COUNTS = (1, 2)

# The most questions to the solver; those of the size at hand are put to their end.
MOST_QUESTIONS = 250


@dataclass(frozen=True)
class BoundedSearch:
    """A candidate that convicts, or two noise vectors that collide, if there is one.

    ``reached`` says up to where the search got, in words; it is empty where not even the smallest size was settled.
    ``suspicious`` says that the solver has a model of some failure: numbers that are on no lattice, or that break what
    is sufficient for a proof and not necessary. A counterexample may be near.
    """

    violation: Witness | Collision | None
    reached: str
    suspicious: bool


def bounded_search(alignment: AlignmentProgram, decider: Decider) -> BoundedSearch:
    """Search for few queries and small counts, the smallest first."""
    if alignment.lemmas:
        return BoundedSearch(None, "", suspicious=False)  # what a call gives is not known to the solver
    reached = ""
    suspicious = False
    counts = [name for name, kind in alignment.mechanism.public.items() if kind.integer]
    vectors = any(kind.vector for kind in alignment.mechanism.parameters.values())
    until = decider.queries + MOST_QUESTIONS
    try:
        for size, chosen in product(SIZES if vectors else (1,), product(COUNTS, repeat=len(counts))):
            if decider.queries > until:
                raise OutOfTime("it had put as many questions as it may")
            inputs = bounded(alignment.mechanism, alignment.adjacency, size, dict(zip(counts, chosen, strict=True)))
            exploration = Exploration(alignment, inputs, decider.remaining)
            records = exploration.records(whole_run)
            if all(record.trace is None for record in records):
                continue  # so few queries that the program is not defined
            ordered: list[bool] = []
            holds = True
            for candidate in _candidates(alignment, inputs, records, decider, ordered):
                holds = False
                suspicious |= candidate is not None
                if candidate is not None and convicts(alignment, candidate):
                    return BoundedSearch(candidate, reached, True)
            if not all(ordered):
                holds = False
                pair = collision(exploration, decider)
                if pair is not None:
                    return BoundedSearch(pair, reached, True)
            if holds:
                shown = [f"n = {size}" if vectors else "", *(f"{n} = {v}" for n, v in zip(counts, chosen, strict=True))]
                reached = ", ".join(x for x in shown if x) or "all inputs"
            elif all(ordered):
                break
    except (Unsupported, TooManyPaths, TooManyDigits, OutOfTime, LanguageError, InputError) as problem:
        return BoundedSearch(None, f"{reached} (then: {problem})" if reached else "", suspicious)
    return BoundedSearch(None, reached, suspicious)


def _candidates(
    alignment: AlignmentProgram, inputs: Inputs, records: Sequence[Record], decider: Decider, ordered: list[bool]
) -> Iterator[Witness | None]:
    """A candidate for each obligation that fails; None for one that fails without a usable model.

    ``ordered`` collects whether the noise has an order; where it has none, no model of a single run explains why.
    """
    asked_before: set[Any] = set()
    for record in records:
        for obligation in record.obligations:
            if obligation.key in asked_before:
                continue
            asked_before.add(obligation.key)
            decided = decider.decide(obligation)
            if obligation.condition == "one_to_one":
                ordered.append(decided.holds)
                continue
            if decided.holds:
                continue
            if decided.answer.outcome is not Outcome.POSSIBLE:
                yield None
                continue
            yield from _near(alignment, read_model(alignment, inputs, decided.answer.model))
    ordered += (decider.decide(obligation).holds for obligation in told_by_draws(records, allowed=True))


def _near(alignment: AlignmentProgram, candidate: Witness) -> Iterator[Witness]:
    """The candidate itself, then some with the noise a little off."""
    yield candidate
    source = random.Random(0)
    if replayed(alignment, candidate) is None:
        return
    for scale in (Fraction(1, 10), Fraction(1, 2)):
        for _ in range(6):
            yield candidate.with_noise({name: _off(value, scale, source) for name, value in candidate.H.items()})


def _off(value: Any, scale: Fraction, source: random.Random) -> Any:
    if isinstance(value, tuple):
        return tuple(_off(x, scale, source) for x in value)
    return value + scale * Fraction(source.randint(-10, 10), 10)
