"""Finite choices: the outcome that the alignment gives on D′ has a weight above 0, and what it costs to move there.

A run on D takes one outcome of a single choice on each path; in a vector of choices each is one of the outcomes. The
shift leads to an outcome on D′, and costs ln(w / w′) for the weights w and w′ of the two; the weights are public. A
shift that does not read its own draw is one-to-one for each output and each earlier noise, as on a lattice. In a vector
it may read its own draw where no two outcomes are moved to one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.language.program import Place
from alignkit.noise import CHOICE
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.run_on_d import FamilyDraw, SymbolicDraw, in_support
from alignkit.symbolic.atoms import Special, Symbol
from alignkit.symbolic.formulas import conjunction, implies
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


def possible_outcomes(weights: Sequence[Any]) -> list[int]:
    """The outcomes whose weights are not plainly 0."""
    return [i for i, weight in enumerate(weights) if Term.of(weight).compare(">", 0) is not False]


OF_A_WEIGHT = "is an outcome of a weight above 0"


def has_weight(
    owed: Obligations, draw: SymbolicDraw, shift: Term, place: Place, given: Iterable[Any] = ()
) -> None:
    """Oblige the outcome on D′ to be one with a weight above 0, where ``given`` holds."""
    goal = in_support(_on_d(draw) + shift, CHOICE, draw.arguments)
    owed.oblige("valid_noise", goal, place, f"the aligned {draw.where} {OF_A_WEIGHT}", given=given)


def cost_of_draw(draw: SymbolicDraw, shift: Term) -> Term:
    """What a shift of a draw costs by its distribution; of a choice, by its outcomes on both runs."""
    if draw.distribution is not CHOICE:
        return Term.of(draw.distribution.cost(shift, *draw.arguments))
    on_d, weights, total = _on_d(draw), draw.arguments, Term.of(0)
    possible = possible_outcomes(weights)
    for i, j in itertools.product(possible if draw.outcome is None else [draw.outcome], possible):
        way = conjunction((on_d.compare("==", i), (on_d + shift).compare("==", j)))
        total = Term.of(op.choose(way, _log_ratio(Term.of(weights[i]), Term.of(weights[j])), total))
    return total


def _on_d(draw: SymbolicDraw) -> Term:
    """The outcome on D: one of this path, or in a vector any."""
    return draw.value if draw.outcome is None else Term.of(draw.outcome)


def but_for_its_own(drawn: FamilyDraw, shift: Term, index: Term) -> Term:
    """A shift of a vector at an index, with the draw there put out of sight where it is a choice.

    That the shift is one-to-one in its own draw is then to be obliged (`one_to_one_in_its_own`). Each draw has an
    unknown of its own: whether one shift reads noise must not be told by the outcome of another.
    """
    if drawn.distribution is not CHOICE:
        return shift
    own = _own(drawn, index)
    return Term.of(substitute(shift, {own: Term.of(Symbol(f"outcome of {own.key}", Role.UNKNOWN))}))


def one_to_one_in_its_own(drawn: FamilyDraw, shift: Term, index: Term) -> Iterator[tuple[Any, str]]:
    """That no two outcomes of a choice in a vector are moved to one, whatever else the shift reads."""
    own = _own(drawn, index)
    if drawn.distribution is not CHOICE or but_for_its_own(drawn, shift, index) == shift:
        return
    weights = drawn.arguments(index)
    for i, j in itertools.combinations(possible_outcomes(weights), 2):
        one, other = (substitute(shift, {own: Term.of(k)}) + k for k in (i, j))
        both = conjunction(tuple(Term.of(weights[k]).compare(">", 0) for k in (i, j)))
        yield implies(both, one.compare("!=", other)), f"outcomes {i} and {j} of {drawn.key} are not moved to one"


def _own(drawn: FamilyDraw, index: Term) -> Any:
    (own,) = drawn.value(index).atoms()
    return own


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
