"""Shifts of single draws and of vectors: what is asked of each, and what they cost together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from alignkit.language.program import Place
from alignkit.proving.conditions import countable, valid_noise
from alignkit.proving.conditions.vector_costs import Selected, cost_of_family
from alignkit.proving.facts.ranges import within
from alignkit.proving.path_obligations import Obligations
from alignkit.proving.runs.alignment_run import Shifts
from alignkit.proving.runs.run_events import FamilyDraw, SymbolicDraw
from alignkit.symbolic.terms import Term


def shift_allowed(owed: Obligations, draw: SymbolicDraw, shift: Term, place: Place, given: Iterable[Any] = ()) -> None:
    """Oblige a shift to be valid noise, to have a bound on its cost, and to be countable, where ``given`` holds."""
    valid_noise.stays_in_support(owed, draw, shift, place, given)
    if draw.distribution.upward:
        noise = f"{draw.distribution.title} noise"
        words = f"the shift of {draw.where} is at least 0: {noise} has no bound for shifts down"
        owed.oblige("cost", shift.compare(">=", 0), place, words, given=given)
    countable.discrete_only(owed, f"the shift of {draw.where}", [shift], place)


def cost_of_draws(drawn: Iterable[SymbolicDraw], shifts: Shifts) -> Term:
    """What the shifts of single draws cost together: the costs of draws add."""
    return sum((Term.of(d.distribution.cost(shifts.of(d), *d.arguments)) for d in drawn), Term.of(0))


def cost_of_vectors(
    owed: Obligations,
    families: Iterable[FamilyDraw],
    shifts: Shifts,
    named: Iterable[Term],
    selected: Selected | None,
    place: Place,
) -> Term:
    """A bound on what the shifts of vectors cost, with the obligations on each shift, at an arbitrary index.

    ``named`` are indices that the output names one by one, ``selected`` is a selection that it names as a whole.
    """
    indices, total = tuple(named), Term.of(0)
    for drawn in families:
        shifts.lengths_match(drawn)
        with owed.facts.indices.arbitrary() as index:
            shift = shifts.of_family(drawn, index)
            shift_allowed(owed, drawn.at(index), shift, place, given=[within(index, drawn.length)])
        total = total + cost_of_family(owed, drawn, partial(shifts.of_family, drawn), indices, selected, place)
    return total
