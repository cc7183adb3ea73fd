"""Sequences that list the positions of a ranking, rank by rank."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from alignkit.interpreting.values import Family
from alignkit.language.program import Place
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.symbolic_context import SymbolicContext
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

# The rank at which a sequence is looked at to see whether it lists a ranking.
ANY_RANK = Term.of(Symbol("rank that is looked at", Role.INDEX, integer=True))

# In how many parts of an output's items a position is looked for.
LONGEST_ITEM = 4


def listed(facts: Facts, family: Family, part: int | None = None) -> tuple[Ranking, Term] | None:
    """The ranking whose positions a sequence lists, rank by rank, and the rank it starts at.

    Where the items are tuples, ``part`` is the part of them that is looked at.
    """
    if family.admits is not None:
        return None
    with facts.elements.looking():
        element = family.element(ANY_RANK)
    if part is not None:
        element = element[part] if isinstance(element, tuple) and part < len(element) else None
    return position_listed(facts, element, ANY_RANK)


def position_listed(facts: Facts, element: Any, rank: Term) -> tuple[Ranking, Term] | None:
    """The ranking whose position at ``rank`` plus a number an element is, and that number."""
    if not isinstance(element, Term):
        return None
    for ranking in facts.rankings:
        for atom in element.atoms():
            if isinstance(atom, Element) and atom.array == ranking.positions and element == Term.of(atom):
                start = atom.index - rank
                if start.constant is not None and start.constant >= 0:
                    return ranking, start
    return None


def is_listed(context: SymbolicContext, family: Family, position: Any, place: Place) -> Any:
    """Whether a position stands in a sequence that lists the positions of a ranking."""
    found = listed(context.facts, family)
    if found is None:
        raise context.unsupported("`in` for a sequence of symbolic length that does not list selected positions", place)
    if not Term.of(position).integer:
        raise context.unsupported("`in` looks up a number that may not be whole in a list of indices", place)
    ranking, start = found
    end = start + Term.of(family.length)
    # Beyond the last rank there is nothing to list: D's own run is undefined there.
    if not context.elements.revisiting:
        context.oblige(end.compare("<=", ranking.values.length), place, "a listed rank may be out of range")
    return ranking.among(Term.of(position), start, end)


def revealed(facts: Facts, outputs: Iterable[Any], ranking: Ranking) -> Term | None:
    """How many of the ranking's first positions the outputs name; None where they name none."""
    for value in outputs:
        if isinstance(value, tuple):
            inner = revealed(facts, value, ranking)
            if inner is not None:
                return inner
        if not isinstance(value, Family):
            continue
        for part in (None, *range(LONGEST_ITEM)):
            found = listed(facts, value, part)
            if found is not None and found[0] is ranking and found[1] == Term.of(0):
                return Term.of(value.length)
    return None
