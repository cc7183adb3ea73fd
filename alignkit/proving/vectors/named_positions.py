"""Positions of a ranking that sequences and outputs name, rank by rank.

A loop over what was selected gives its outputs in the order of the selection. That the output of iteration i names
the position at rank i is guessed from one arbitrary iteration of D, and obliged of every iteration that is run; the
alignment may then know what the whole output names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Naming:
    """Part ``part`` of the i-th output is the position at rank i of the ``ranking``-th ranking that its run made.

    ``part`` is None where the output is the position itself.
    """

    part: int | None
    ranking: int


def part_of(output: Any, part: int | None) -> Any:
    """A part of an output, or the whole of it; None where there is no such part."""
    if part is None:
        return output
    return output[part] if isinstance(output, tuple) and part < len(output) else None


def parts_of(item: Any) -> dict[int | None, Any]:
    """The parts of an item by their numbers; by None the item itself, where it has none."""
    return dict(enumerate(item)) if isinstance(item, tuple) else {None: item}


def positions_named(facts: Facts, rankings: Sequence[Ranking], output: Any, iteration: Term) -> frozenset[Naming]:
    """The positions that the output of an arbitrary iteration names."""
    named = _named_by(facts, output, iteration).items()
    return frozenset(Naming(part, rankings.index(ranking)) for part, ranking in named if ranking in rankings)


def listed(facts: Facts, family: Family) -> dict[int | None, Ranking]:
    """The rankings whose first positions a sequence lists, by the part of its items that is the position."""
    return _named_by(facts, _item(facts, family), ANY_RANK)


def revealed(facts: Facts, outputs: Iterable[Any], ranking: Ranking) -> Term | None:
    """How many of the ranking's first positions the outputs name; None where they name none."""
    for value in outputs:
        if isinstance(value, tuple):
            inner = revealed(facts, value, ranking)
            if inner is not None:
                return inner
        if isinstance(value, Family) and ranking in listed(facts, value).values():
            return Term.of(value.length)
    return None


def is_listed(context: SymbolicContext, family: Family, position: Any, place: Place) -> Any:
    """Whether a position stands in a sequence that lists the positions of a ranking."""
    first = _position(context.facts, _item(context.facts, family), ANY_RANK)
    if first is None:
        raise context.unsupported("`in` for a sequence of symbolic length that does not list selected positions", place)
    if not Term.of(position).integer:
        raise context.unsupported("`in` looks up a number that may not be whole in a list of indices", place)
    ranking, start = first
    end = start + Term.of(family.length)
    # Beyond the last rank there is nothing to list: D's own run is undefined there.
    if not context.elements.revisiting:
        context.oblige(end.compare("<=", ranking.values.length), place, "a listed rank may be out of range")
    return ranking.among(Term.of(position), start, end)


def _item(facts: Facts, family: Family) -> Any:
    """The item of a sequence at any rank; None where filters decide what is listed at all."""
    if family.admits is not None:
        return None
    with facts.elements.looking():
        return family.element(ANY_RANK)


def _named_by(facts: Facts, item: Any, rank: Term) -> dict[int | None, Ranking]:
    """The rankings whose positions at ``rank`` the parts of an item are, by part; by None for the item itself."""
    named = ((part, _position(facts, value, rank)) for part, value in parts_of(item).items())
    return {part: name[0] for part, name in named if name is not None and name[1] == Term.of(0)}


def _position(facts: Facts, value: Any, rank: Term) -> tuple[Ranking, Term] | None:
    """The ranking whose position at ``rank`` plus a number a value is, and that number."""
    if not isinstance(value, Term):
        return None
    for ranking in facts.rankings:
        for atom in value.atoms():
            if isinstance(atom, Element) and atom.array == ranking.positions and value == Term.of(atom):
                start = atom.index - rank
                if start.constant is not None and start.constant >= 0:
                    return ranking, start
    return None
