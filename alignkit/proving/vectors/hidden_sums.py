"""Sums whose items noise or the state of a loop decides: each is one unknown number, the same on D and D′.

That it is the same is obliged where D′ makes the sum: both lists have one length, and at one arbitrary index one item
(docs/theory/loops.md). The number goes by where it is made, the index of the item at hand included, and counts as what
a call gives: no shift, no scale and no argument about null sets may rest on it.
"""

from __future__ import annotations

from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family, Where
from alignkit.language.program import Builtin
from alignkit.proving.facts.ranges import within
from alignkit.proving.symbolic_context import SymbolicContext
from alignkit.proving.vectors.summing import body_of
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.summation import summand
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


def hidden_sum(context: SymbolicContext, family: Family, node: Builtin, where: Where, at_hand: Term | None) -> Term:
    """The sum that is made ``where`` a run is, in the iteration ``at_hand`` of a loop."""
    path, iteration = where
    body = _item(context, family, node)
    *outer, last = iteration or (None,)
    counted = {atom.key for index in iteration for atom in Term.of(index).within}
    nested = any(isinstance(index, Term) and index != at_hand for index in outer)
    if nested or context.facts.indices.arbitrary_in(body) - counted:
        raise context.unsupported("a sum of noisy items in more than one list or loop of symbolic length", node.place)
    calls = "".join(f", in call {site}" for site in path)
    name = f"sum of line {node.place.line}, column {node.place.column}{calls}" + "".join(f"[{i}]" for i in outer)
    if isinstance(last, Term):
        return Term.of(Element(name, last, Role.NOISE, body.integer, called=True))
    name += "" if last is None else f"[{last}]"
    return Term.of(Symbol(name, Role.NOISE, body.integer, called=True))


def oblige_same_sum(context: SymbolicContext, of_d: Family, family: Family, node: Builtin) -> None:
    """Oblige D′ to add up what D adds up."""
    owed, place = context.owed, node.place
    same = op.compare("==", Term.of(of_d.length), family.length, place)
    owed.lemma("same_output", same, place, "as many items are added up on D and on D'")
    index = owed.facts.indices.fresh("index of what is added up")
    inside = within(index, of_d.length)
    with context.under(inside):
        one, other = (summand(_item(context, items, node), index) for items in (of_d, family))
    goal = owed.facts.path.guarded(op.compare("==", one, other, place))
    owed.oblige("same_output", goal, place, "each item that is added up is the same on D and D'", given=[inside])


def _item(context: SymbolicContext, family: Family, node: Builtin) -> Term:
    """What is added up, as a term in BOUND."""
    with context.facts.indices.arbitrary() as index, context.elements.looking():
        return body_of(family, index, node)
