"""Vectors of draws: what is asked of their shifts, and what these cost."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from alignkit.errors import Unsupported
from alignkit.proving.aligning import AligningContext, Shifts
from alignkit.proving.conditions import cost, countable, family_cost, one_to_one, pieces, valid_noise
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


def by_pieces(trial: Trial, shifts: Shifts) -> list[pieces.Volume]:
    """What the general theorem asks of each piece; the pieces whose volume changes."""
    volumes = pieces.volumes(
        trial.ledger,
        [(d, shifts.of(d)) for d in trial.run.drawn],
        [(f, partial(shifts.of_family, f)) for f in trial.run.families],
        trial.place,
    )
    trial.record.one_to_one = pieces.PAID if volumes else pieces.UNIT
    return volumes


def vectors_before(trial: Trial, shifts: Shifts, context: AligningContext, pieced: bool) -> Term:
    """The same for vectors drawn before a loop, whose outputs may name what was selected from them."""
    if not trial.run.families:
        return Term.of(0)
    from alignkit.proving.trial import Part

    # Every way to the loop is taken for what follows it too; once is enough, and once to see whether it will do.
    if trial.part in (Part.HEAD, Part.REST) and not pieced:
        in_two_ranks(trial, shifts, context)
    if trial.part is Part.HEAD:
        return Term.of(0)
    if trial.part is Part.REST and pieced and by_pieces(trial, shifts):
        raise Unsupported("noise that is stretched, before a loop", trial.place)
    ranking = next(iter(trial.stream.named.values()), None)
    selected = None if ranking is None else Selected(ranking, trial.stream.length)
    return cost_of_vectors(trial, shifts, (), selected)


def _is_valid(trial: Trial, drawn: FamilyDraw, shifts: Shifts) -> None:
    shifts.lengths_match(drawn)
    with trial.ledger.arbitrary() as index:
        shift = shifts.of_family(drawn, index)
        inside = [within(index, drawn.length)]
        valid_noise.stays_in_support(
            trial.ledger, drawn.key, drawn.distribution, drawn.arguments(index), drawn.value(index), shift,
            trial.place, given=inside,
        )  # fmt: skip
        cost.has_bound(trial.ledger, drawn.key, drawn.distribution, shift, trial.place, given=inside)
        countable.discrete_only(trial.ledger, f"the shift of {drawn.key}", [shift], trial.place)
