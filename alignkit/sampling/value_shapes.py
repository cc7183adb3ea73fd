"""Shapes: what is known of a value before a program runs, by which the text of a sampler is written.

A number is a FLOAT, WHOLE (an int), EXACT (an int or a Fraction), or any NUMBER; a Boolean a TRUTH. A scalar whose kind
varies is ANY. A tuple is a `Tuple` of shapes, a list an `Items`. NOTHING is known to have no value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.language.tags import Tag
from alignkit.noise import Bits

FLOAT, WHOLE, EXACT, NUMBER, TRUTH, TAG = "float", "whole", "exact", "number", "truth", "tag"
ANY, NONE, BITS, NOISE, NOTHING, MIXED = "any", "none", "bits", "noise", "nothing", "mixed"

NUMBERS = frozenset({WHOLE, EXACT, FLOAT, NUMBER})
SCALARS = NUMBERS | {TRUTH, TAG, ANY}


@dataclass(frozen=True)
class Tuple:
    """A sequence of a known length."""

    parts: tuple[Shape, ...]


@dataclass(frozen=True)
class Items:
    """A sequence of any length, or of any but 0; ``distinct`` for a set, whose length is that of its distinct items."""

    item: Shape
    filled: bool = False
    distinct: bool = False


Shape = str | Tuple | Items


class Floats(list[float]):
    """A list that is known to hold floats only."""


def common_shape(one: Shape, other: Shape) -> Shape:
    """The shape of a value that has one shape or the other.

    >>> common_shape(WHOLE, EXACT), common_shape(FLOAT, EXACT), common_shape(FLOAT, TAG)
    ('exact', 'number', 'any')
    """
    if one == other or other == NOTHING:
        return one
    if one == NOTHING:
        return other
    if isinstance(one, str) and isinstance(other, str):
        if {one, other} == {WHOLE, EXACT}:
            return EXACT
        if one in NUMBERS and other in NUMBERS:
            return NUMBER
        return ANY if one in SCALARS and other in SCALARS else MIXED
    if isinstance(one, str) or isinstance(other, str):
        return MIXED
    if isinstance(one, Tuple) and isinstance(other, Tuple) and len(one.parts) == len(other.parts):
        return Tuple(tuple(map(common_shape, one.parts, other.parts)))
    if is_set(one) != is_set(other):
        return MIXED
    return Items(common_shape(item_of(one), item_of(other)), is_filled(one) and is_filled(other), is_set(one))


def common_shape_of(shapes: Iterable[Shape]) -> Shape:
    """The shape of a value that has one of the shapes."""
    found: Shape = NOTHING
    for shape in shapes:
        found = common_shape(found, shape)
    return found


def is_set(shape: Shape) -> bool:
    return isinstance(shape, Items) and shape.distinct


def item_of(shape: Shape) -> Shape:
    """The shape of the items of a sequence."""
    if isinstance(shape, Tuple):
        return common_shape_of(shape.parts)
    return shape.item if isinstance(shape, Items) else shape if shape == NOTHING else MIXED


def is_filled(shape: Shape) -> bool:
    """Whether a sequence is known to have an item."""
    return bool(shape.parts) if isinstance(shape, Tuple) else isinstance(shape, Items) and shape.filled


def shape_of(value: Any) -> Shape:
    """The shape of a value that is known before a run.

    >>> shape_of([1, Fraction(1, 2)]), shape_of(Floats([1.5])).item, shape_of((1.5, True)).parts
    (Items(item='exact', filled=True, distinct=False), 'float', ('float', 'truth'))
    """
    plain = _PLAIN.get(type(value))
    if plain is not None:
        return plain
    if type(value) is Floats:
        return Items(FLOAT, bool(value))
    if isinstance(value, tuple):
        return Tuple(tuple(map(shape_of, value)))
    if isinstance(value, list | set | frozenset):
        distinct = not isinstance(value, list)
        return Items(common_shape_of({shape_of(item) for item in value}), bool(value), distinct)
    return TAG if isinstance(value, Tag) else NONE if value is None else MIXED


_PLAIN: dict[type, Shape] = {float: FLOAT, int: WHOLE, Fraction: EXACT, bool: TRUTH, Bits: BITS, Tag: TAG}

