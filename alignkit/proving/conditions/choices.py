"""Finite choices: the outcome that the alignment gives on D′ has a weight above 0, and what it costs to move there.

A run on D takes one outcome on each path. The shift leads to an outcome on D′, and costs ln(w / w′) for the weights w
and w′ of the two; the weights are public. A shift that does not read its own draw is one-to-one for each output and
each earlier noise, as on a lattice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.language.program import Place
from alignkit.proving.path_obligations import Obligations
from alignkit.proving.runs.run_events import SymbolicDraw
from alignkit.symbolic.formulas import conjunction, disjunction
from alignkit.symbolic.terms import Special, Term


def possible_outcomes(weights: Sequence[Any]) -> list[int]:
    """The outcomes whose weights are not plainly 0."""
    return [i for i, weight in enumerate(weights) if Term.of(weight).compare(">", 0) is not False]


def has_weight(owed: Obligations, draw: SymbolicDraw, shift: Term, place: Place) -> None:
    """Oblige the outcome on D′ to be one with a weight above 0."""
    aligned, weights = _aligned(draw, shift), draw.arguments
    goal = disjunction(
        tuple(
            conjunction((aligned.compare("==", i), Term.of(weights[i]).compare(">", 0)))
            for i in possible_outcomes(weights)
        )
    )
    owed.oblige("valid_noise", goal, place, f"the aligned {draw.where} is an outcome of a weight above 0")


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
