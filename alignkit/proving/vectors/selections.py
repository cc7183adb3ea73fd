"""Selections over a sequence of symbolic length: the maximum, and the k largest in order.

What is selected is named by new indices. Ground facts about these indices say that they are selected, together with
one universal fact, which is instantiated at the indices that occur; the solver sees no quantifier.
Ties go to the lowest index, as in Python.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family, is_number
from alignkit.language.program import Builtin
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranges import belongs
from alignkit.proving.symbolic_context import SymbolicContext
from alignkit.symbolic.formulas import conjunction, disjunction, implies
from alignkit.symbolic.terms import Term

# So many positions of a selection are told apart one by one, each from each.
MOST_BY_RANK = 100


SELECTED = "what max, min and largest select"


def select_extremum(context: SymbolicContext, function: str, family: Family, node: Builtin) -> Any:
    """The maximum or minimum: the value at a new index that no other index beats."""
    facts, place = context.facts, node.place
    key = _identity(context, function, family)
    if facts.elements.revisiting:
        # The facts about a selection are stated where it is first made, under the conditions there.
        if key not in context.extrema:
            raise context.unsupported(f"a {function} that differs from element to element", place)
        return family.element(context.extrema[key])
    candidates = [Term.of(0)]
    if family.admits is not None:
        ends = [r.at(at) for r in facts.rankings for at in (Term.of(0), r.count - 1)]
        candidates += [*facts.indices.selected, *ends, Term.of(1), Term.of(2)]
    not_empty = disjunction(tuple(belongs(family, c) for c in candidates))
    context.require(not_empty, place, f"{function} needs a sequence that is not empty", known=False)
    earlier = context.extrema.get(key)
    if earlier is not None:
        facts.assume(belongs(family, earlier), FactOrigin.SCHEMA, SELECTED)
        return family.element(earlier)
    index = facts.indices.select(f"arg{function}")
    context.extrema[key] = index
    facts.dependencies.note(index, family, on_d=context.on_d)
    best = family.element(index)
    if not is_number(best):
        raise place.error(f"{function} of {op.kind(best)}", "give it numbers")
    facts.assume(belongs(family, index), FactOrigin.SCHEMA, SELECTED)
    strict = _no_ties(context, family)
    relation = ("<" if function == "max" else ">") + ("" if strict else "=")

    def beaten(i: Term) -> Any:
        among = belongs(family, i)
        other = conjunction((among, i.compare("!=", index))) if strict else among
        return implies(other, op.compare(relation, family.element(i), best, place))

    facts.universal(beaten, FactOrigin.SCHEMA, SELECTED)
    return best


def _no_ties(context: SymbolicContext, family: Family) -> bool:
    """Whether two elements at different fixed indices are equal with probability 0 only."""
    with context.facts.indices.arbitrary() as one, context.facts.indices.arbitrary() as other:
        first, second = family.element(one), family.element(other)
    return is_number(first) and context.strictly(Term.of(first) - second, (one, other))


def select_largest(context: SymbolicContext, family: Family, k: int, node: Builtin) -> tuple[Term, ...]:
    """The indices of the k largest, in order."""
    facts, place = context.facts, node.place
    if family.admits is not None:
        raise context.unsupported("largest over a filtered sequence", place)
    if facts.elements.revisiting:
        raise context.unsupported("largest inside a sequence of symbolic length", place)
    if k > MOST_BY_RANK:
        raise context.unsupported(f"largest(values, k) with a number above {MOST_BY_RANK}; make k a parameter", place)
    context.require(k >= 1, place, f"largest(values, {k}) needs a k of at least 1")
    context.require(family.length.compare(">=", k), place, f"largest needs at least {k} values")
    indices = tuple(facts.indices.select("best" if rank == 0 else f"best {rank + 1}") for rank in range(k))
    for index in indices:
        facts.assume(belongs(family, index), FactOrigin.SCHEMA, SELECTED)
        facts.dependencies.note(index, family, on_d=context.on_d)
    for one, other in itertools.combinations(indices, 2):
        facts.assume(one.compare("!=", other), FactOrigin.SCHEMA, SELECTED)
    for one, other in itertools.pairwise(indices):
        facts.assume(_beats(context, family, one, other), FactOrigin.SCHEMA, SELECTED)
    last = indices[-1]

    def beaten(index: Term) -> Any:
        other = conjunction((belongs(family, index), *(index.compare("!=", i) for i in indices)))
        return implies(other, _beats(context, family, last, index))

    facts.universal(beaten, FactOrigin.SCHEMA, SELECTED)
    return indices


def _beats(context: SymbolicContext, family: Family, one: Term, other: Term) -> Any:
    """``one`` comes before ``other`` in the order of ``largest``; the two indices are different."""
    lead = family.element(one) - family.element(other)
    return comes_first(family, one, other, context.strictly(lead, (one, other)))


def comes_first(values: Family, one: Term, other: Term, strict: bool) -> Any:
    """Whether, of two different positions, ``one`` has the greater value, or the same and is the lower one.

    ``strict`` is that the two values are not the same.
    """
    lead = values.element(one) - values.element(other)
    ahead = lead.compare(">", 0)
    if strict:
        return ahead
    return disjunction((ahead, conjunction((lead.compare("==", 0), one.compare("<", other)))))


def select_largest_of_few(context: SymbolicContext, values: tuple[Any, ...], k: int, node: Builtin) -> tuple[int, ...]:
    """The indices of the k largest of a sequence whose length is a number, one path for each outcome."""
    remaining = list(range(len(values)))
    chosen = []
    for _ in range(k):
        best = remaining[0]
        for candidate in remaining[1:]:
            if context.decide(op.compare(">", values[candidate], values[best], node.place), node.place):
                best = candidate
        chosen.append(best)
        remaining.remove(best)
    return tuple(chosen)


def _identity(context: SymbolicContext, function: str, family: Family) -> str:
    """A text that is equal for families that are the same sequence, element by element."""
    with context.facts.indices.arbitrary() as index, context.under(belongs(family, index)):
        element = family.element(index)
        admits = True if family.admits is None else family.admits(index)
    # The family's own index goes by one name however deep it is nested; one that it captured keeps its own.
    own = re.compile(re.escape(index.key) + r"(?!\d)")
    return own.sub("#own index", f"{function} {family.length!r} {element!r} {admits!r}")
