"""Lists that a loop makes longer: `out = [*out, x]`, and nothing else, is done to them in its body.

At the head of the loop such a list is one that both runs have made alike; only its length can be spoken of, what is
appended to it, and whether it has a number among its items, which is an unknown that both runs share. That D′ appends
what D appends is obliged of every iteration, as it is of outputs.

What D's run and that of D′ make of lists that they put out: longer ones in a loop, and filtered ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family, FilteredList
from alignkit.language.program import (
    Assign,
    Comprehension,
    For,
    Joined,
    Name,
    Place,
    Sequence,
    assigned,
    target_names,
    walk,
)
from alignkit.proving.vectors.selections import SelectingContext
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

READS_GROWN = "an item is read of a list that the loop makes longer"


@dataclass(frozen=True, eq=False)
class GrownList(Family):
    """A list of the loop at its head, or later: with ``items`` appended since."""

    name: str = ""
    items: tuple[Any, ...] = ()

    def extended(self, items: tuple[Any, ...]) -> GrownList:
        """The list with further items."""
        return replace(self, length=self.length + len(items), items=(*self.items, *items))


def length_at_head(name: str) -> Symbol:
    """The length of a list at the head of the loop."""
    return Symbol(name_of_length(name), Role.STATE, integer=True)


def name_of_length(name: str) -> str:
    """What the length of a list is called."""
    return f"len({name})"


def at_head(name: str) -> GrownList:
    """A list at the head of the loop."""
    return GrownList(Term.of(length_at_head(name)), _unread, name=name)


def grown_in(loop: For) -> frozenset[str]:
    """The names of the lists that the body of a loop makes longer, and does nothing else to."""
    assignments = [node for node in walk(*loop.body) if isinstance(node, Assign)]
    growing = {node.target for node in assignments if isinstance(node.target, str) and _grows(node)}
    other = {name for node in assignments if not _grows(node) for name in target_names(node.target)}
    bound = {name for node in walk(loop) if isinstance(node, For) for name in target_names(node.target)}
    return frozenset(growing - other - bound) & assigned((loop,))


def lists_within(value: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], GrownList]]:
    """The lists that a value is, or has among its parts."""
    if isinstance(value, GrownList):
        yield path, value
    elif isinstance(value, tuple):
        for index, part in enumerate(value):
            yield from lists_within(part, (*path, index))


def _grows(node: Assign) -> bool:
    value = node.value
    if not isinstance(value, Joined) or not isinstance(node.target, str):
        return False
    first, *rest = value.parts
    return isinstance(first, Name) and first.name == node.target and all(isinstance(part, Sequence) for part in rest)


def _unread(index: Any) -> Any:
    raise Unsupported(READS_GROWN)


def _had_at_head(grown: GrownList, number: Term) -> Any:
    """Whether a whole number is an item of the list at the head: the same on both runs, which have one list there."""
    return Term.of(Element(f"copies in {grown.name}", number, Role.STATE, integer=True)).compare(">=", 1)


class ListGrowingContext(SelectingContext):
    """A run that may append to lists in a loop, and filter lists."""

    def joined(self, parts: list[tuple[Any, ...] | Family], place: Place) -> Family:
        first, *rest = parts
        appended = [item for part in rest if isinstance(part, tuple) for item in part]
        if isinstance(first, GrownList) and all(isinstance(part, tuple) for part in rest):
            return first.extended(tuple(self.appended(item, place) for item in appended))
        return super().joined(parts, place)

    def appended(self, item: Any, place: Place) -> Any:
        """An item that is appended to a list, as the run keeps it."""
        return item

    def filtered(self, made: Family, node: Comprehension) -> FilteredList:
        return FilteredList(self.family(made, node))


class ListMakingContext(ListGrowingContext):
    """A run of the mechanism, which may look up numbers in lists that it makes longer."""

    def member(self, value: Any, family: Family, place: Place) -> Any:
        if not isinstance(family, GrownList):
            return super().member(value, family, place)
        number = Term.of(value)
        if not number.integer:
            words = "`in` looks up a number that may not be whole in a list that the loop makes longer"
            raise self.unsupported(words, place)
        return op.any_of([_had_at_head(family, number), *(op.equal(number, item, place) for item in family.items)])
