"""What a call of a mechanism gives where nothing is known of it but its kind: one value, the same on D and D′."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Family
from alignkit.language.kinds import Kind
from alignkit.language.tags import Tag
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import Unknown
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


@dataclass(frozen=True, eq=False)
class Opaque:
    """A value of which nothing is known: it may be put out, and nothing else."""

    name: str

    def is_tag(self, tag: Tag) -> Any:
        raise Unsupported(f"which tag {self.name} is; a call that is used by its lemma gives an unknown value")


@dataclass(frozen=True, eq=False)
class Chunk:
    """All outputs of a mechanism that was called, put out one by one; nothing is known of their ``number``."""

    values: Any

    @property
    def number(self) -> Term:
        """How many there are."""
        if isinstance(self.values, Opaque):
            return Term.of(Symbol(f"len({self.values.name})", Role.INDEX, integer=True, called=True))
        return Term.of(self.values.length)


def outputs_in(values: Iterable[Any]) -> Term:
    """How many outputs there are among values that were put out, each of which may be all that a call gives."""
    return sum((value.number if isinstance(value, Chunk) else Term.of(1) for value in values), Term.of(0))


def value_of_kind(kind: Kind, name: str, tags: list[Tag], decide: Callable[[Any], bool]) -> Any:
    """A value of the kind, named ``name``; ``decide`` says which way an unknown condition goes on this path.

    Numbers that are not whole have the role of noise: the scale of a draw may not depend on them, nor may a shift.
    """
    match kind.name:
        case "int":
            return Term.of(Symbol(name, Role.INDEX, integer=True, called=True))
        case "real":
            return Term.of(Symbol(name, Role.NOISE, called=True))
        case "bool":
            return Unknown(name)
        case "none":
            return None
        case "tag" if tags:
            return next((tag for tag in tags[:-1] if decide(Unknown(f"{name} is {tag}"))), tags[-1])
        case "tuple":
            return tuple(value_of_kind(part, f"{name}[{i}]", tags, decide) for i, part in enumerate(kind.parts))
        case "vector" if kind.parts[0].is_number:
            whole = kind.parts[0].name == "int"
            role = Role.INDEX if whole else Role.NOISE
            length = Term.of(Symbol(f"len({name})", Role.INDEX, integer=True, called=True))
            return Family(length, lambda index: Term.of(Element(name, Term.of(index), role, whole, called=True)))
    return Opaque(name)


def from_a_call(atom: Any) -> bool:
    """Whether an atom is a number that a call gave."""
    return isinstance(atom, Symbol | Element) and atom.called


def tags_within(value: Any) -> Iterator[Tag]:
    """The tags in a value."""
    if isinstance(value, tuple):
        for part in value:
            yield from tags_within(part)
    elif isinstance(value, Tag):
        yield value


UNKNOWN_OUTPUTS = "the alignment reads omega, of which calls give parts that are not known; leave the parameter out"


def is_unknown(value: Any) -> bool:
    """Whether a value, or a part of it, is one of which nothing is known."""
    if isinstance(value, tuple):
        return any(map(is_unknown, value))
    return isinstance(value, Opaque | Chunk)
