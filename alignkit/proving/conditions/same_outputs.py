"""Same output: D′ puts out what D put out, in tags, indices, real parts and lengths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from alignkit.errors import Parted
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family, FilteredList, is_condition, is_number
from alignkit.language.program import Place
from alignkit.language.tags import Tag
from alignkit.proving.facts.ranges import within
from alignkit.proving.runs.aligned_run import AlignedRunContext
from alignkit.proving.runs.grown_lists import GrownList
from alignkit.proving.runs.lemma_calls import Chunk, Opaque
from alignkit.symbolic.terms import Term


def match(context: AlignedRunContext, expected: Any, value: Any, place: Place, what: str = "the output") -> None:
    """Oblige ``value``, put out by D′, to equal ``expected``, put out by D. Parted where the two plainly differ.

    ``what`` is said to be the same.
    """
    owed = context.owed
    if isinstance(expected, tuple) and isinstance(value, tuple) and len(expected) == len(value):
        for one, other in _as_selected(context, list(zip(expected, value, strict=True))):
            match(context, one, other, place, what)
        return
    if isinstance(expected, Chunk) and isinstance(value, Chunk):
        expected, value = expected.values, value.values
    if isinstance(expected, Opaque | Family) and expected is value:
        owed.oblige("same_output", True, place, "what the call gives is the same on D'")
        return
    if isinstance(expected, GrownList) and isinstance(value, GrownList) and expected.name == value.name:
        return match_items(context, expected, value, place)
    if isinstance(expected, FilteredList) and isinstance(value, FilteredList):
        return _match_filtered(context, expected.family, value.family, place)
    if is_condition(value):
        value = context.decide(value, place)
    if is_number(expected) and is_number(value):
        same = op.compare("==", expected, value, place)
        part = "whole number in" if Term.of(expected).integer else "real part of"
        owed.lemma("same_output", same, place, f"the {part} {what} is the same on D'")
    elif isinstance(expected, Family) and isinstance(value, Family):
        same = op.compare("==", Term.of(expected.length), value.length, place)
        owed.lemma("same_output", same, place, f"{what} has the same length on D'")
        index = owed.facts.indices.fresh(f"index of {what}")
        inside = within(index, expected.length)
        with context.under(inside):
            equal = op.equal(expected.element(index), value.element(index), place)
        owed.oblige("same_output", equal, place, f"each item of {what} is the same on D'", given=[inside])
    elif expected is value and (expected is None or isinstance(expected, Tag | bool)):
        owed.oblige("same_output", True, place, "the tag is the same on D'")
    else:
        raise Parted("same_output", f"D gives {_shown(expected)}, but D' gives {_shown(value)}", place)


def _as_selected(context: AlignedRunContext, pairs: list[tuple[Any, Any]]) -> Iterable[tuple[Any, Any]]:
    """The pairs of parts, with positions that D has selected in the order in which it did: a later may read an earlier.
    """
    order = {index.key: number for number, index in enumerate(context.facts.indices.selected)}
    ranks = [order.get(one.key) if isinstance(one, Term) else None for one, _ in pairs]
    in_order = iter(sorted((rank, n) for n, rank in enumerate(ranks) if rank is not None))
    return [pair if rank is None else pairs[next(in_order)[1]] for pair, rank in zip(pairs, ranks, strict=True)]


def _match_filtered(context: AlignedRunContext, expected: Family, value: Family, place: Place) -> None:
    """Oblige filters to let the same items pass on D′ as on D, each of them the same."""
    owed = context.owed
    same = op.compare("==", Term.of(expected.length), value.length, place)
    owed.lemma("same_output", same, place, "as many items are filtered on D'")
    index = owed.facts.indices.fresh("index of the output")
    inside = within(index, expected.length)
    with context.under(inside):
        passes = _passes(expected, index)
        alike = op.equal(passes, _passes(value, index), place)
    owed.oblige("same_output", alike, place, "the filter lets the same items pass on D'", given=[inside])
    given = [condition for condition in (inside, passes) if condition is not True]
    with context.under(inside), context.under(passes):
        equal = op.equal(expected.element(index), value.element(index), place)
    owed.oblige("same_output", equal, place, "each item of the output is the same on D'", given=given)


def _passes(family: Family, index: Term) -> Any:
    """Whether the filters let the item at an index pass."""
    assert family.admits is not None
    return family.admits(index)


def match_items(context: AlignedRunContext, expected: GrownList, value: GrownList, place: Place) -> None:
    """Oblige D′ to append to a list what D has appended to it."""
    if len(expected.items) != len(value.items):
        words = f"D appends {len(expected.items)} items to {expected.name}, but D' {len(value.items)}"
        raise Parted("same_output", words, place)
    for one, other in zip(expected.items, value.items, strict=True):
        match(context, one, other, place)


def _shown(value: Any) -> str:
    if isinstance(value, Tag | bool):
        return str(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))}{',' * (len(value) == 1)})"
    return "nothing" if value is None else op.kind(value)
