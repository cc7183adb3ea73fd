"""Vectors of draws: what is asked of their shifts, and what these cost."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from alignkit.proving.aligning import AligningContext, Shifts
from alignkit.proving.conditions import countable, family_cost, one_to_one, valid_noise
from alignkit.proving.conditions.family_cost import Selected
from alignkit.proving.events import FamilyDraw, within
from alignkit.symbolic.terms import Term

if TYPE_CHECKING:
    from alignkit.proving.trial import Trial


def cost_of_vectors(trial: Trial, shifts: Shifts, named: Iterable[Term], selected: Selected | None) -> Term:
    """A bound on what the shifts of all vectors cost, and the obligations on them; ``named`` is in family_cost."""
    indices, total = tuple(named), Term.of(0)
    for drawn in trial.run.families:
        _is_valid(trial, drawn, shifts)
        shift = partial(shifts.of_family, drawn)
        total = total + family_cost.of_family(trial.ledger, drawn, shift, indices, selected, trial.place)
    return total


def in_two_ranks(trial: Trial, shifts: Shifts, context: AligningContext) -> None:
    """Oblige the vectors, and the single draws beside them, to have an order."""
    families = {f.key: (f, partial(shifts.of_family, f)) for f in trial.run.families}
    singles = {d.value.key: shifts.of(d) for d in trial.run.drawn}
    one_to_one.two_ranks(trial.ledger, families, singles, context.conditions, trial.place)


def vectors_before(trial: Trial, shifts: Shifts, context: AligningContext, outputs: Term) -> Term:
    """The same for vectors drawn before a loop, whose outputs may name what was selected from them."""
    if not trial.run.families:
        return Term.of(0)
    in_two_ranks(trial, shifts, context)
    ranking = next(iter(trial.stream.named.values()), None)
    selected = None if ranking is None else Selected(ranking, outputs)
    return cost_of_vectors(trial, shifts, (), selected)


def _is_valid(trial: Trial, drawn: FamilyDraw, shifts: Shifts) -> None:
    shifts.lengths_match(drawn)
    with trial.ledger.arbitrary() as index:
        shift = shifts.of_family(drawn, index)
        valid_noise.stays_in_support(
            trial.ledger, drawn.key, drawn.distribution, drawn.arguments(index), drawn.value(index), shift,
            trial.place, given=[within(index, drawn.length)],
        )  # fmt: skip
        countable.discrete_only(trial.ledger, f"the shift of {drawn.key}", [shift], trial.place)
