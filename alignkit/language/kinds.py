"""Kinds of values: whole numbers, numbers, Booleans, tags, sequences; and the kinds inferred for a program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

NUMBERS = ("int", "real")

_WORDS = {
    "int": "a whole number",
    "real": "a number",
    "bool": "a Boolean",
    "tag": "a tag",
    "none": "nothing",
    "set": "a set of indices",
    "noise": "the noise",
    "mixed": "a value of varying kind",
    "no item": "an item of a list that is empty",
    "unclear": "a value that may be a set of indices",
}


@dataclass(frozen=True)
class Kind:
    """A kind, by its name; the parts of a vector are the kind of its elements, those of a tuple the kind of each.

    >>> print(vector(REAL), "of", vector(REAL).parts[0])
    a sequence of a number
    """

    name: str
    parts: tuple[Kind, ...] = ()

    def __str__(self) -> str:
        return _WORDS.get(self.name, "a sequence")

    @property
    def is_number(self) -> bool:
        return self.name in NUMBERS

    @property
    def is_sequence(self) -> bool:
        return self.name in ("tuple", "vector")


INT, REAL, BOOL, TAG = Kind("int"), Kind("real"), Kind("bool"), Kind("tag")
NONE, SET, NOISE = Kind("none"), Kind("set"), Kind("noise")
MIXED = Kind("mixed")  # anything but a set
NO_ITEM = Kind("no item")  # what a list without items has for an item: no kind is known of it
UNCLEAR = Kind("unclear")  # anything
SHIFT = Kind("shift")  # what an alignment returns

Names = dict[str, Kind]


def vector(of: Kind) -> Kind:
    """A list of elements of one kind."""
    return Kind("vector", (of,))


def join(one: Kind, other: Kind) -> Kind:
    """The kind of a value that is of one kind or the other.

    >>> join(INT, REAL) == REAL, join(INT, TAG) == MIXED, join(INT, SET) == UNCLEAR
    (True, True, True)
    """
    if one == other:
        return one
    if one.is_number and other.is_number:
        return REAL
    if {one.name, other.name} & {"set", "unclear"}:
        return UNCLEAR
    if one.name == other.name and len(one.parts) == len(other.parts) and one.parts:
        return Kind(one.name, tuple(join(a, b) for a, b in zip(one.parts, other.parts, strict=True)))
    if one.is_sequence and other.is_sequence:
        return vector(joined((*one.parts, *other.parts)))
    return MIXED


def joined(kinds: Iterable[Kind]) -> Kind:
    """The kind of a value that is of one of the kinds; NO_ITEM where there are none."""
    listed = list(kinds)
    return reduce(join, listed) if listed else NO_ITEM


def may_be_output(kind: Kind) -> bool:
    """Whether a value of the kind may be yielded or returned by a mechanism: no part of it may be a set."""
    return kind.name not in ("set", "unclear", "noise", "shift") and all(map(may_be_output, kind.parts))


@dataclass(frozen=True)
class Kinds:
    """The kinds that were inferred for a program.

    ``at_loop``: by the site of each loop, the kinds of the names that have a value at its head, on every visit.
    ``output``: the kind of a mechanism's output.
    """

    at_loop: Mapping[int, Names]
    output: Kind
