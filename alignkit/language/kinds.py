"""Kinds of values: whole numbers, numbers, Booleans, tags, sequences; and the kinds inferred for a program.

A mechanism that another one calls: what the language needs to know of it, and the kind of what it gives.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from alignkit.language import program

if TYPE_CHECKING:
    from alignkit.language.parameters import ParameterType


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
    if one == other or other == NO_ITEM:
        return one
    if one == NO_ITEM:
        return other
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


class Callee(ABC):
    """What the language needs to know of a mechanism that is called: mechanisms derive from it."""

    python: Any
    program: program.Function
    parameters: Mapping[str, ParameterType]
    noise_name: str
    kinds: Kinds

    @abstractmethod
    def ensure_current(self) -> None:
        """Raise LanguageError where the mechanism, or what it uses, is no longer what was read."""


def kind_of_call(node: program.MechanismCall, given: list[Kind]) -> Kind:
    """The kind of what a mechanism gives, a list where it yields; LanguageError where an argument does not fit."""
    called: Callee = node.mechanism
    for argument, kind, parameter in zip(node.arguments, given, called.program.parameters, strict=True):
        if parameter == called.noise_name:
            continue
        declared = called.parameters[parameter]
        fits = kind.is_number
        wanted = "a number"
        if declared.vector:
            wanted = "a list of numbers"
            fits = kind.is_sequence and all(part.is_number for part in kind.parts)
        elif declared.integer:
            wanted, fits = "a whole number", kind == INT
        if not fits:
            words = f"{called.program.name} takes {wanted} for `{parameter}`, and this is {kind}"
            raise argument.place.error(words, f"give {wanted}")
    return called.kinds.output
