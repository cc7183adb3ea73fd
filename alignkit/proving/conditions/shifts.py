"""Shifts of single draws and of vectors: what is asked of each, and what they cost together.

Finite choices: the outcome that the alignment gives on D′ has a weight above 0, and what it costs to move there.

A run on D takes one outcome on each path. The shift leads to an outcome on D′, and costs ln(w / w′) for the weights w
and w′ of the two; the weights are public. A shift that does not read its own draw is one-to-one for each output and
each earlier noise, as on a lattice.

Countable: the alignment reads the output through its discrete part, and real parts as what D computes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.language.program import Place
from alignkit.noise import CHOICE
from alignkit.proving.conditions import valid_noise
from alignkit.proving.conditions.vector_costs import Selected, cost_of_family
from alignkit.proving.facts.ranges import within
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.alignment_run import Shifts
from alignkit.proving.runs.run_on_d import FamilyDraw, SymbolicDraw
from alignkit.symbolic.formulas import conjunction, disjunction
from alignkit.symbolic.terms import Special, Term
from alignkit.symbolic.trees import Role


def possible_outcomes(weights: Sequence[Any]) -> list[int]:
    """The outcomes whose weights are not plainly 0."""
    return [i for i, weight in enumerate(weights) if Term.of(weight).compare(">", 0) is not False]


OF_A_WEIGHT = "is an outcome of a weight above 0"


def has_weight(owed: Obligations, draw: SymbolicDraw, shift: Term, place: Place) -> None:
    """Oblige the outcome on D′ to be one with a weight above 0."""
    aligned, weights = _aligned(draw, shift), draw.arguments
    goal = disjunction(
        tuple(
            conjunction((aligned.compare("==", i), Term.of(weights[i]).compare(">", 0)))
            for i in possible_outcomes(weights)
        )
    )
    owed.oblige("valid_noise", goal, place, f"the aligned {draw.where} {OF_A_WEIGHT}")


def cost_of_choice(draw: SymbolicDraw, shift: Term) -> Term:
    """ln(w / w′) of this path, where the outcome on D′ is possible; elsewhere any number."""
    assert draw.outcome is not None
    aligned, weights, total = _aligned(draw, shift), draw.arguments, Term.of(0)
    for i in possible_outcomes(weights):
        cost = _log_ratio(Term.of(weights[draw.outcome]), Term.of(weights[i]))
        total = Term.of(op.choose(aligned.compare("==", i), cost, total))
    return total


def _aligned(draw: SymbolicDraw, shift: Term) -> Term:
    assert draw.outcome is not None
    return shift + draw.outcome


def _log_ratio(weight: Term, other: Term) -> Term:
    """ln(weight / other) of two numbers above 0; the exponential of x counts x."""
    ratio = weight / other
    if len(ratio.parts) != 1:
        return ratio.log()
    ((monomial, factor),) = ratio.parts.items()
    if factor <= 0 or not all(atom.positive for atom, _ in monomial):
        return ratio.log()
    total = Term.of(factor).log()
    for atom, power in monomial:
        if isinstance(atom, Special) and atom.function == "exp":
            total = total + atom.of * power
        else:
            total = total + Term.of(atom).log() * power
    return total


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
    if draw.distribution is CHOICE:
        has_weight(owed, draw, shift, place)
    else:
        valid_noise.stays_in_support(owed, draw, shift, place, given)
    if draw.distribution.upward:
        noise = f"{draw.distribution.title} noise"
        words = f"the shift of {draw.where} is at least 0, as {noise} has no bound for shifts down"
        owed.oblige("cost", shift.compare(">=", 0), place, words, given=given)
    discrete_only(owed, f"the shift of {draw.where}", [shift], place)


def cost_of_draws(drawn: Iterable[SymbolicDraw], shifts: Shifts) -> Term:
    """What the shifts of single draws cost together: the costs of draws add."""
    return sum((_cost_of_draw(d, shifts.of(d)) for d in drawn), Term.of(0))


def _cost_of_draw(draw: SymbolicDraw, shift: Term) -> Term:
    if draw.distribution is CHOICE:
        return cost_of_choice(draw, shift)
    return Term.of(draw.distribution.cost(shift, *draw.arguments))


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
