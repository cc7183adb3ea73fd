"""Shifts of single draws and of vectors: what is asked of each, and what they cost together.

Countable: the alignment reads the output through its discrete part, and real parts as what D computes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from alignkit.language.program import Place
from alignkit.noise import CHOICE
from alignkit.proving.conditions import valid_noise
from alignkit.proving.conditions.finite_choices import cost_of_draw, cost_of_single, has_weight, reads_answers
from alignkit.proving.conditions.vector_costs import CostOf, OfIndex, Selected, cost_of_family
from alignkit.proving.facts.ranges import within
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.alignment_run import Shifts
from alignkit.proving.runs.run_on_d import FamilyDraw, SymbolicDraw
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

READ_BY_SHIFTS = (
    "only one that D computes from the answers and earlier noise, in the same iteration or before the loop, may be read"
)
READ_IN_BRANCHES = "only shifts may: write the condition in the shift, `a if omega[0] > 0 else b`"


def discrete_only(
    owed: Obligations, what: str, values: Iterable[Any], place: Place, allowed: str = READ_BY_SHIFTS
) -> None:
    """Oblige terms and conditions of the alignment to mention no real part of the output that D has not computed."""
    for value in values:
        if not isinstance(value, bool) and Role.OUTPUT in owed.facts.dependencies.roles(value):
            owed.exclude("countable", place, f"{what} reads a real part of the output; {allowed}")
            return
    owed.settled("countable", place, f"{what} reads no real part of the output")


def shift_allowed(owed: Obligations, draw: SymbolicDraw, shift: Term, place: Place, given: Iterable[Any] = ()) -> None:
    """Oblige a shift to be valid noise, to have a bound on its cost, and to be countable, where ``given`` holds."""
    if reads_answers(draw):
        words = f"the weight of the aligned {draw.where} is looked at where D' draws it"
        owed.settled("valid_noise", place, words)
    elif draw.distribution is CHOICE:
        has_weight(owed, draw, shift, place, given)
    else:
        valid_noise.stays_in_support(owed, draw, shift, place, given)
    if draw.distribution.upward:
        noise = f"{draw.distribution.title} noise"
        words = f"the shift of {draw.where} is at least 0, as {noise} has no bound for shifts down"
        owed.oblige("cost", shift.compare(">=", 0), place, words, given=given)
    discrete_only(owed, f"the shift of {draw.where}", [shift], place)


def cost_of_draws(drawn: Iterable[SymbolicDraw], shifts: Shifts) -> Term:
    """What the shifts of single draws cost together: the costs of draws add."""
    return sum((cost_of_single(d, shifts) for d in drawn), Term.of(0))


def _charge_itself(draw: SymbolicDraw, charge: Term) -> Term:
    return charge


def _amounts(drawn: FamilyDraw, shifts: Shifts) -> tuple[OfIndex, CostOf]:
    """What is bounded for a vector at an index, and what it costs: its shift, or the charge for its limits itself."""
    if shifts.charging:
        return lambda index: shifts.charge(drawn.at(index), (drawn, index)), _charge_itself
    return partial(shifts.of_family, drawn), cost_of_draw


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
    # No limit reads the output.
    indices, chosen = ((), None) if shifts.charging else (tuple(named), selected)
    total = Term.of(0)
    for drawn in families:
        shifts.lengths_match(drawn)
        with owed.facts.indices.arbitrary() as index:
            shift = shifts.of_family(drawn, index)
            shift_allowed(owed, drawn.at(index), shift, place, given=[within(index, drawn.length)])
        total = total + cost_of_family(owed, drawn, *_amounts(drawn, shifts), indices, chosen, place)
    return total
