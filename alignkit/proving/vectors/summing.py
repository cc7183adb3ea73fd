"""Sums over sequences of symbolic length, as running sums; how far they may change is obliged where they are made.

Claims that sum up public lists, as terms: a sum is a running sum over the whole list.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from alignkit.errors import Undefined, Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Family, Where, is_number
from alignkit.language.program import Builtin, Place
from alignkit.proving.facts.known_sums import Twins, counts_change, of_items, plain_rate, twins
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.obligation import Obligations
from alignkit.proving.symbolic_context import DefinedContext
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.symbolic.atoms import Conditional, Element, Symbol
from alignkit.symbolic.formulas import And
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.summation import BOUND, BOUND_SYMBOL, NotASum, general, running_sums, sum_of_items
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role

# From a body with more ways through its conditions than this no rate is read off.
MOST_WAYS = 16


def total_of(owed: Obligations, family: Family, node: Builtin) -> Term:
    """The sum of a sequence of symbolic length. Raises NotASum where its items depend on more than answers."""
    facts = owed.facts
    with facts.indices.arbitrary() as index, facts.elements.looking():
        item = added_up(family, index, node)
        if facts.dependencies.selects_by(index, item):
            raise NotASum(frozenset({Role.INDEX}))  # it would be one position for all items
        body = at_bound(item, index)
    summed = sum_of_items(body, Term.of(family.length), partial(_on_path, facts))
    for each in running_sums([summed]):
        oblige_rate(owed, each.body, node.place)
    return summed


def body_of(family: Family, index: Term, node: Builtin) -> Term:
    """What a sequence adds up, as a term in BOUND; it is looked at at ``index``, which stands for any."""
    return at_bound(added_up(family, index, node), index)


def at_bound(item: Term, index: Term) -> Term:
    """An item at an index that stands for any, as a term in BOUND."""
    (symbol,) = index.atoms()
    return substitute(item, {symbol: BOUND})  # type: ignore[no-any-return]


def added_up(family: Family, index: Term, node: Builtin) -> Term:
    """The item of a sequence that is added up, 0 where a filter does not let it pass."""
    element = family.element(index)
    if not is_number(element):
        raise node.place.error(f"sum of {op.kind(element)}", "give it numbers")
    admitted = True if family.admits is None else family.admits(index)
    return Term.of(op.choose(admitted, Term.of(element), Term.of(0)))


def _on_path(facts: Facts, condition: Any) -> Any:
    """True where a condition is part of what the path has assumed, whatever guards there are; else the condition."""
    if isinstance(condition, bool) or facts.indices.arbitrary_in(condition):
        return condition
    assumed = (part for f in facts.path.assumed for part in (f.parts if isinstance(f, And) else (f,)))
    return any(part.key == condition.key for part in assumed) or condition


def oblige_rate(owed: Obligations, body: Term, place: Place) -> None:
    """Oblige a body over the answers of D′ to change by at most a rate for each unit by which its answer changes.

    It is obliged for any values of the body's parameters, so that it is known of them all.
    Nothing is asked where sums of the body are known exactly, or where there is no candidate for a rate.
    """
    facts = owed.facts
    inputs = facts.inputs
    if inputs.bounded or inputs.adjacency is Adjacency.ONE or counts_change(inputs, body):
        return
    body, free = general(body)
    pair = None if body.key in facts.rates else twins(inputs, body)
    if pair is None or len(pair.vectors) != 1 or plain_rate(inputs, pair) is not None:
        return
    rate, step, spread = _steepest(facts, pair), inputs.least_change(pair.vectors[0]), _spread(pair)
    if rate is None and spread is not None and step is not None:
        rate = spread / step
    elif rate is None and spread is not None:
        _oblige_spread(owed, pair, spread, place)
    if rate is None or any(one in rate.within for one in free):
        return
    index = facts.indices.fresh("index of an answer that is summed")
    one, other = inputs.element_pair(pair.vectors[0], index)
    apart = abs(pair.item_apart(index))
    words = f"what is summed changes by at most {rate} for each unit by which an answer changes"
    owed.oblige("cost", apart.compare("<=", rate * abs(other - one)), place, words)
    facts.rates[body.key] = rate


def _spread(pair: Twins) -> Term | None:
    """How far the items of a body that is one of a few numbers, such as 1 and 0, lie apart; None where it is others."""
    ways = list(itertools.islice(_ways(pair.body_), MOST_WAYS + 1))
    numbers = [way.constant for way in ways if way.constant is not None]
    return None if len(numbers) < len(ways) or len(ways) > MOST_WAYS else Term.of(max(numbers) - min(numbers))


def _oblige_spread(owed: Obligations, pair: Twins, spread: Term, place: Place) -> None:
    """Oblige the items of a body to lie so far apart at most."""
    facts, key = owed.facts, of_items(pair.body_.key)
    if key in facts.rates:
        return
    index = facts.indices.fresh("index of an answer that is summed")
    apart = abs(pair.item_apart(index))
    owed.oblige("cost", apart.compare("<=", spread), place, f"what is summed changes by at most {spread} an answer")
    facts.rates[key] = spread


def _steepest(facts: Facts, pair: Twins) -> Term | None:
    """The greatest slope of a body in its answer, of those that all items share; None where there is none."""
    _, other = facts.inputs.element_pair(pair.vectors[0], BOUND)
    slopes: dict[str, Term] = {}
    for number, way in enumerate(_ways(pair.body_)):
        if number == MOST_WAYS:
            return None
        raised = substitute(way, {_atom(other): other + 1})
        slope = abs(raised - way)
        if not roles(slope) <= {Role.PUBLIC, Role.INDEX}:
            return None
        slopes[slope.key] = slope
    alike = [slope for slope in slopes.values() if BOUND_SYMBOL not in slope.within]
    steepest = Term.of(op.maximum(alike or [Term.of(0)]))
    return None if steepest == Term.of(0) else steepest


def _ways(body: Term) -> Iterator[Term]:
    """What is left of a body in each case that it distinguishes."""
    inner = next((atom for atom in atoms_within(body) if isinstance(atom, Conditional)), None)
    if inner is None:
        yield body
        return
    for way in (inner.then, inner.other):
        try:
            left = substitute(body, {inner: way})
        except ZeroDivisionError:
            continue
        yield from _ways(left)


def _atom(term: Term) -> Element:
    (atom,) = term.atoms()
    assert isinstance(atom, Element)
    return atom


class ClaimContext(DefinedContext):
    """Evaluates a claim outside a run."""

    _around = 0  # the sums around the one at hand, each with an item of its own

    def reduce(self, function: str, family: Family, node: Builtin, where: Where) -> Any:
        if function != "sum":
            return super().reduce(function, family, node, where)
        item = Term.of(Symbol(f"item {self._around} of a claim", Role.INDEX, integer=True))
        self._around += 1
        try:
            return sum_of_items(body_of(family, item, node), Term.of(family.length))
        except NotASum:
            raise self.unsupported("a sum of more than public values in a claim", node.place) from None
        finally:
            self._around -= 1


def claim_of_sums(alignment: AlignmentProgram, inputs: Inputs) -> Term | None:
    """A claim as a term; None where it has no value outside a run, as where it reads the output."""
    if alignment.ex_post:
        return None
    with suppress(Undefined, Unsupported):
        return Term.of(Evaluator(ClaimContext({})).number(alignment.claim_expression, dict(inputs.values)))
    return None
