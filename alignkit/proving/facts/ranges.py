"""Sequences of symbolic length: which indices are in range, and sequences one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family, is_condition, is_number
from alignkit.language.program import Place
from alignkit.symbolic.atoms import Conditional
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.terms import Term


def within(index: Term, length: Any) -> Any:
    """``0 <= index < length``."""
    return conjunction((index.compare(">=", 0), index.compare("<", length)))


def either_way(length: Term) -> Iterator[Any]:
    """For each condition that decides a length: that it holds or its opposite does.

    The solver knows nothing of whole numbers, and between the two it sees a gap.
    """
    for atom in length.atoms():
        if isinstance(atom, Conditional):
            yield op.any_of([atom.condition, op.negation(atom.condition)])


def belongs(family: Family, index: Term) -> Any:
    """Whether an index belongs to the family: in range, and admitted by its filters."""
    in_range = within(index, family.length)
    return in_range if family.admits is None else conjunction((in_range, family.admits(index)))


def concatenated(parts: list[tuple[Any, ...] | Family], place: Place) -> Family:
    """Sequences one after the other."""
    made = Family(Term.of(0), _nothing)
    for part in reversed(parts):
        if isinstance(part, Family):
            made = _before(part, made, place)
        else:
            for item in reversed(part):
                made = _first(item, made, place)
    return Family(made.length, cache(made.element))


def _nothing(index: Any) -> Term:
    """The item function of an empty sequence, which no index in range ever asks."""
    return Term.of(0)


def _first(item: Any, rest: Family, place: Place) -> Family:
    def element(index: Any) -> Any:
        at = Term.of(index)
        if rest.element is _nothing:
            return item
        return _choose(at.compare("==", 0), lambda: item, lambda: rest.element(at - 1), place)

    return Family(Term.of(rest.length) + 1, element)


def _before(part: Family, rest: Family, place: Place) -> Family:
    length = Term.of(part.length)
    if rest.element is _nothing:
        return part

    def element(index: Any) -> Any:
        at = Term.of(index)
        return _choose(at.compare("<", length), lambda: part.element(at), lambda: rest.element(at - length), place)

    return Family(length + rest.length, element)


def _choose(condition: Any, then: Any, other: Any, place: Place) -> Any:
    if isinstance(condition, bool):
        return then() if condition else other()
    one, two = then(), other()
    if (is_number(one) and is_number(two)) or (is_condition(one) and is_condition(two)):
        return op.choose(condition, one, two)
    raise Unsupported("a list of symbolic length whose items are not all numbers", place)
