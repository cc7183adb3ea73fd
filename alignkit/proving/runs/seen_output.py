"""The output as the alignment sees it while the run that makes it is still symbolic.

Tags, whole numbers and public values are seen as they are. A real part is a symbol of its own, which shows wherever an
alignment lets it into a shift. In an arbitrary iteration of a loop only that iteration's output is known; every
question about another one is an unknown, the same for the whole run. To compute with another output, or to take a part
of it, obliges that its shape allows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Family
from alignkit.language.program import Place
from alignkit.language.tags import Tag
from alignkit.proving.runs.output_shapes import Shape, Shapes, Simple, is_tag, part_name
from alignkit.proving.symbolic_context import SymbolicContext
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import Unknown
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Role


def seen(value: Any, name: str = "omega") -> Any:
    """An output as the alignment may see it: real parts become symbols of their own."""
    if isinstance(value, tuple):
        return tuple(seen(part, f"{name}[{i}]") for i, part in enumerate(value))
    if isinstance(value, Family):
        return Family(value.length, lambda i: _seen_item(value, Term.of(i), name))
    if _is_discrete(value):
        return value
    return Term.of(Symbol(name, Role.OUTPUT))


def _seen_item(family: Family, index: Term, name: str) -> Any:
    return _seen_part(family.element(index), index, name)


def _seen_part(item: Any, index: Term, name: str) -> Any:
    if isinstance(item, tuple):
        return tuple(_seen_part(part, index, f"{name}[.][{i}]") for i, part in enumerate(item))
    if isinstance(item, Family):
        raise Unsupported("the alignment reads a list of lists of symbolic length")
    return item if _is_discrete(item) else Term.of(Element(name, index, Role.OUTPUT))


@dataclass(frozen=True)
class Reading:
    """An alignment that reads the output; ``place`` stands for all of the alignment."""

    context: SymbolicContext
    place: Place

    def oblige(self, condition: Any, words: str) -> None:
        """Oblige that what the alignment reads is defined; ``words`` say what must hold."""
        self.context.oblige(condition, self.place, _INDICES.sub(lambda index: "ijlm"[int(index[1]) % 4], words))


# Indices that stand for any, by how deep they are nested; a reader would call them i, j, l and m.
_INDICES = re.compile(re.escape(Role.INDEX.prefix) + r"any index (\d+)")


class OtherOutput:
    """The output of an iteration that is not the one at hand, or the part of it at ``path``.

    It stands for a number wherever it is used as one, which obliges that it is one.
    """

    def __init__(
        self,
        whole: str,
        shapes: Shapes,
        reading: Reading,
        known: Mapping[int | None, Term] | None = None,
        path: tuple[int, ...] = (),
    ) -> None:
        self.whole = whole
        self.shapes = shapes
        self.reading = reading
        self.known = known or {}
        self.path = path

    @property
    def name(self) -> str:
        return part_name(self.whole, self.path)

    def is_tag(self, tag: Tag) -> Unknown:
        return is_tag(self.name, tag)

    def part(self, index: Any) -> Any:
        """One part of it, which obliges that it is a tuple with such a part."""
        if not isinstance(index, int):
            raise Unsupported(f"the alignment takes a part of {self.name} by an index that is not a fixed number")
        self._oblige(lambda shape: _long(shape) > index >= -_long(shape), f"{self.name} has a part [{index}]")
        lengths = {_long(shape) for shape in self.shapes.at(self.path)} - {0}
        at = index + lengths.pop() if index < 0 and len(lengths) == 1 else index
        return self.known[at] if at in self.known and not self.path else self._at((*self.path, at))

    def parts(self, count: int) -> tuple[Any, ...]:
        """All of its parts, which obliges that it is a tuple of so many."""
        self._oblige(lambda shape: _long(shape) == count, f"{self.name} has {count} parts")
        return tuple(self.part(index) for index in range(count))

    def as_term(self) -> Term:
        """Its real part, as a number."""
        self._oblige(lambda shape: shape is Simple.NUMBER, f"{self.name} is a number")
        return Term.of(Symbol(self.name, Role.OUTPUT))

    def plain(self) -> Any:
        """This output, or an unknown Boolean in its place where it cannot be anything but a Boolean."""
        if set(self.shapes.at(self.path)) == {Simple.BOOLEAN}:
            return Unknown(self.name)
        return self

    def _at(self, path: tuple[int, ...]) -> Any:
        return OtherOutput(self.whole, self.shapes, self.reading, path=path).plain()

    def _oblige(self, fits: Callable[[Shape], bool], words: str) -> None:
        self.reading.oblige(self.shapes.where(self.whole, self.path, fits), words)

    def compare(self, relation: str, other: Any) -> Any:
        return self.as_term().compare(relation, other)

    def __add__(self, other: Any) -> Term:
        return Term.of(self.as_term() + other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Term:
        return Term.of(self.as_term() - other)

    def __rsub__(self, other: Any) -> Term:
        return Term.of(other - self.as_term())

    def __mul__(self, other: Any) -> Term:
        return Term.of(self.as_term() * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Term:
        return Term.of(self.as_term() / other)

    def __rtruediv__(self, other: Any) -> Term:
        return Term.of(other / self.as_term())

    def __neg__(self) -> Term:
        return -self.as_term()

    def __abs__(self) -> Term:
        return abs(self.as_term())

    def sqrt(self) -> Term:
        return self.as_term().sqrt()

    def exp(self) -> Term:
        return self.as_term().exp()

    def log(self) -> Term:
        return self.as_term().log()


def _long(shape: Shape) -> int:
    """How many parts a shape has; a shape without parts has none."""
    return len(shape) if isinstance(shape, tuple) else 0


def _is_discrete(value: Any) -> bool:
    """Whether an output is seen in full through its discrete part."""
    if isinstance(value, Tag | bool | int) or not isinstance(value, Term):
        return True
    return value.integer or roles(value) <= {Role.PUBLIC}
