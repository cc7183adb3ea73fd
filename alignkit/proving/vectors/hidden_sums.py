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
from alignkit.proving.vectors.summing import added_up
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


def hidden_sum(
    context: SymbolicContext, family: Family, node: Builtin, where: Where, at_hand: Term | None, words: str
) -> Term:
    """The sum that is made ``where`` a run is, in the iteration ``at_hand`` of a loop.

    Unsupported, with ``words``, where answers alone decide it: it would be another number on D′.
    """
    path, iteration = where
    with context.facts.indices.arbitrary() as index, context.elements.looking():
        item = added_up(family, index, node)
    decided_by = context.facts.dependencies.roles(item)
    if Role.PRIVATE in decided_by and not decided_by & {Role.NOISE, Role.STATE}:
        raise context.unsupported(words, node.place)
    *outer, last = iteration or (None,)
    counted = {atom.key for i in (index, *iteration) for atom in Term.of(i).within}
    nested = any(isinstance(i, Term) and i != at_hand for i in outer)
    if nested or context.facts.indices.arbitrary_in(item) - counted:
        raise context.unsupported("a sum of noisy items in more than one list or loop of symbolic length", node.place)
    calls = "".join(f", in call {site}" for site in path)
    name = f"sum of line {node.place.line}, column {node.place.column}{calls}" + "".join(f"[{i}]" for i in outer)
    if isinstance(last, Term):
        return Term.of(Element(name, last, Role.NOISE, item.integer, called=True))
    name += "" if last is None else f"[{last}]"
    return Term.of(Symbol(name, Role.NOISE, item.integer, called=True))


def oblige_same_sum(context: SymbolicContext, of_d: Family, family: Family, node: Builtin) -> None:
    """Oblige D′ to add up what D adds up."""
    owed, place = context.owed, node.place
    same = op.compare("==", Term.of(of_d.length), family.length, place)
    owed.lemma("same_output", same, place, "as many items are added up on D and on D'")
    index = owed.facts.indices.fresh("index of what is added up")
    inside = within(index, of_d.length)
    with context.under(inside), context.elements.looking():
        one, other = (added_up(items, index, node) for items in (of_d, family))
    goal = owed.facts.path.guarded(op.compare("==", one, other, place))
    owed.oblige("same_output", goal, place, "each item that is added up is the same on D and D'", given=[inside])

