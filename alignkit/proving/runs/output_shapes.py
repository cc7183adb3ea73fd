"""What the outputs of a program look like: which are tags, numbers, Booleans or tuples of these.

An alignment may ask whether another iteration's output is a tag; whether it may also compute with that output, or take
a part of it, depends on which outputs there can be. A shape that does not allow it must be excluded by the tags that
the alignment has asked for.

Which outputs name the iteration that gave them: `yield i` in a loop that counts its iterations by i.

Where every number at one place of the outputs is the iteration of that output plus a constant, the outputs tell which
iterations gave one, even if some iterations give none: `i in omega`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.interpreting.values import is_condition, is_number
from alignkit.language.tags import Tag
from alignkit.symbolic.formulas import Unknown, conjunction
from alignkit.symbolic.terms import Term

Path = tuple[int, ...]

# By the place of a number in an output: how far that number lies from the iteration. None: it is no such number.
Offsets = tuple[tuple[Path, int | None], ...]


def offsets(outputs: Iterable[Any], iteration: Term) -> Offsets:
    """How far the numbers of an iteration's outputs lie from the iteration."""
    return tuple((path, _offset(number, iteration)) for output in outputs for path, number in numbers_in(output, ()))


def told(each: Iterable[Offsets]) -> dict[Path, int]:
    """The places at which every number is the iteration plus one constant, with that constant."""
    found: dict[Path, set[int | None]] = {}
    for path, offset in (pair for one in each for pair in one):
        found.setdefault(path, set()).add(offset)
    single = ((path, next(iter(ways))) for path, ways in found.items() if len(ways) == 1)
    return {path: offset for path, offset in single if offset is not None}


def keep(told_at: Mapping[Path, int], found: Offsets) -> bool:
    """Whether the numbers of some outputs are what they are taken to be."""
    return all(offset == told_at[path] for path, offset in found if path in told_at)


def _offset(number: Any, iteration: Term) -> int | None:
    difference = (Term.of(number) - iteration).constant
    return None if difference is None or difference != int(difference) else int(difference)


def numbers_in(output: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """The numbers in an output at the place ``path``, each with its own place."""
    if isinstance(output, tuple):
        for index, part in enumerate(output):
            yield from numbers_in(part, (*path, index))
    elif is_number(output):
        yield path, output


class Simple(enum.Enum):
    """A shape without parts that is no tag."""

    NUMBER = "a number"
    WHOLE = "a whole number"
    BOOLEAN = "a Boolean"
    NOTHING = "nothing"
    OTHER = "neither"  # a list of symbolic length


Shape = Tag | Simple | tuple[Any, ...]  # of Shapes


def shape(value: Any) -> Shape:
    """The shape of an output."""
    if isinstance(value, tuple):
        return tuple(shape(part) for part in value)
    if isinstance(value, Tag):
        return value
    if value is None:
        return Simple.NOTHING
    if is_condition(value):
        return Simple.BOOLEAN
    if is_number(value):
        return Simple.WHOLE if isinstance(value, int) or getattr(value, "integer", False) else Simple.NUMBER
    return Simple.OTHER


@dataclass(frozen=True)
class Shapes:
    """The shapes that an output may have: one of the alternatives, or any at all where these are None."""

    alternatives: tuple[Shape, ...] | None
    _at: dict[tuple[int, ...], tuple[Shape, ...]] = field(default_factory=dict, repr=False, compare=False)

    @staticmethod
    def of(shapes: Iterable[Shape]) -> Shapes:
        """These shapes, each of them once."""
        return Shapes(tuple(dict.fromkeys(shapes)))

    def __or__(self, other: Shapes) -> Shapes:
        if self.alternatives is None or other.alternatives is None:
            return Shapes(None)
        return Shapes.of((*self.alternatives, *other.alternatives))

    def admit(self, value: Any) -> bool:
        """Whether an output has one of the shapes."""
        return self.alternatives is None or shape(value) in self.alternatives

    def at(self, path: tuple[int, ...]) -> tuple[Shape, ...]:
        """The shapes of a part, where there is one."""
        if path not in self._at:
            parts = (_part(whole, path) for whole in self.alternatives or ())
            self._at[path] = tuple(dict.fromkeys(part for part in parts if part is not None))
        return self._at[path]

    def where(self, name: str, path: tuple[int, ...], fits: Callable[[Shape], bool]) -> Any:
        """A condition on the tags of the output ``name`` under which its part at ``path`` is there and fits.

        Each shape that does not fit is excluded by the tags that an output of that shape has, and does not have.
        """
        if self.alternatives is None:
            return False
        parts = ((whole, _part(whole, path)) for whole in self.alternatives)
        misfits = (whole for whole, part in parts if part is None or not fits(part))
        return conjunction(tuple(op.negation(self.matched(name, whole)) for whole in misfits))

    def told_by_tags(self, path: tuple[int, ...], fits: Callable[[Shape], bool]) -> bool:
        """Whether the tags of an output tell whether its part at ``path`` is there and fits."""
        parts = [(whole, _part(whole, path)) for whole in self.alternatives or ()]
        fitting = {self._answers(whole) for whole, part in parts if part is not None and fits(part)}
        others = {self._answers(whole) for whole, part in parts if part is None or not fits(part)}
        return self.alternatives is not None and not fitting & others

    def matched(self, name: str, whole: Shape) -> Any:
        """The answers to all questions about tags, for an output of this shape."""
        questions = ((is_tag(part_name(name, path), tag), yes) for path, tag, yes in self._answers(whole))
        return conjunction(tuple(question if yes else ~question for question, yes in questions))

    def _answers(self, whole: Shape) -> tuple[tuple[tuple[int, ...], Tag, bool], ...]:
        """For an output of this shape, the answer to whether a part is a tag, for all parts and tags that there are."""
        paths = sorted({path for alternative in self.alternatives or () for path in _paths(alternative)})
        tags = ((path, sorted({t for t in self.at(path) if isinstance(t, Tag)}, key=str)) for path in paths)
        return tuple((path, tag, _part(whole, path) is tag) for path, listed in tags for tag in listed)


def part_name(name: str, path: tuple[int, ...]) -> str:
    """The name of a part of an output."""
    return name + "".join(f"[{index}]" for index in path)


def is_tag(name: str, tag: Tag) -> Unknown:
    """Whether an output, or a part of one, is a tag."""
    return Unknown(f"{name} is {tag}")


def _part(whole: Shape, path: tuple[int, ...]) -> Shape | None:
    """The shape of a part; None where a shape has no such part."""
    for index in path:
        if not isinstance(whole, tuple) or not -len(whole) <= index < len(whole):
            return None
        whole = whole[index]
    return whole


def _paths(whole: Shape) -> list[tuple[int, ...]]:
    """The paths to all parts of a shape that have no parts themselves."""
    if not isinstance(whole, tuple):
        return [()]
    return [(index, *path) for index, part in enumerate(whole) for path in _paths(part)]
