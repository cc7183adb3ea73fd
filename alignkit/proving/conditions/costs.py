"""Cost: what the shifts of single draws cost; the costs of draws add."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from alignkit.language.program import Place
from alignkit.noise import Distribution
from alignkit.proving.path_obligations import Obligations
from alignkit.proving.runs.alignment_run import Shifts
from alignkit.proving.runs.run_events import SymbolicDraw
from alignkit.symbolic.terms import Term


def cost_of_draws(drawn: Iterable[SymbolicDraw], shifts: Shifts) -> Term:
    """What the shifts of single draws cost together."""
    return sum((Term.of(d.distribution.cost(shifts.of(d), *d.arguments)) for d in drawn), Term.of(0))


def has_bound(
    owed: Obligations, key: str, distribution: Distribution, shift: Term, place: Place, given: Iterable[Any] = ()
) -> None:
    """Oblige a shift to be one that the distribution's cost is a bound for: up, where it is for shifts up only."""
    if distribution.upward:
        words = f"the shift of {key} is at least 0: {distribution.title} noise has no bound for shifts down"
        owed.oblige("cost", shift.compare(">=", 0), place, words, given=given)
