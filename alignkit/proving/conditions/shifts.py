"""Vectors of draws: what is asked of their shifts at an arbitrary index, and what all of them cost."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from alignkit.language.program import Place
from alignkit.proving.conditions import costs, countable, valid_noise
from alignkit.proving.conditions.vector_costs import Selected, cost_of_family
from alignkit.proving.facts.ranges import within
from alignkit.proving.path_obligations import Obligations
from alignkit.proving.runs.alignment_run import Shifts
from alignkit.proving.runs.run_events import FamilyDraw
from alignkit.proving.runs.run_on_d import RunContext
from alignkit.symbolic.terms import Term


def cost_of_vectors(
    owed: Obligations, run: RunContext, shifts: Shifts, named: Iterable[Term], selected: Selected | None, place: Place
) -> Term:
    """A bound on what the shifts of all vectors cost, with the obligations on them.

    ``named`` are indices that the output names one by one, ``selected`` is a selection that it names as a whole.
    """
    indices, total = tuple(named), Term.of(0)
    for drawn in run.families:
        _allowed(owed, drawn, shifts, place)
        total = total + cost_of_family(owed, drawn, partial(shifts.of_family, drawn), indices, selected, place)
    return total


def _allowed(owed: Obligations, drawn: FamilyDraw, shifts: Shifts, place: Place) -> None:
    """Oblige the shift at an arbitrary index to be valid noise, to have a bound on its cost, and to be countable."""
    shifts.lengths_match(drawn)
    with owed.facts.indices.arbitrary() as index:
        shift = shifts.of_family(drawn, index)
        inside = [within(index, drawn.length)]
        valid_noise.stays_in_support(
            owed, drawn.key, drawn.distribution, drawn.arguments(index), drawn.value(index), shift, place, given=inside
        )
        costs.has_bound(owed, drawn.key, drawn.distribution, shift, place, given=inside)
        countable.discrete_only(owed, f"the shift of {drawn.key}", [shift], place)
