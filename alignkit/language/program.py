"""The typed program, which the reader makes of a function's source, and on which everything else works.

Nodes compare by identity: one place in the source is one node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from alignkit.errors import LanguageError
from alignkit.language.tags import Tag
from alignkit.noise import Distribution


@dataclass(frozen=True)
class Source:
    """Where a function was read: its file and the file's lines."""

    file: str
    lines: tuple[str, ...] = field(repr=False)

    def text(self, line: int) -> str:
        """The text of a line, counted from 1."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""


@dataclass(frozen=True)
class Place:
    """A stretch of source; lines count from 1, columns from 0."""

    source: Source = field(repr=False)
    line: int
    column: int
    end_line: int
    end_column: int

    def error(self, problem: str, hint: str = "") -> LanguageError:
        """The error at this place, with its caret."""
        text = self.source.text(self.line)
        end = self.end_column if self.end_line == self.line else len(text.rstrip())
        return LanguageError(
            problem,
            file=self.source.file,
            line=self.line,
            column=self.column,
            source=text.replace("\t", " "),  # the caret stands below its column
            width=end - self.column,
            hint=hint,
        )


@dataclass(frozen=True, eq=False)
class Node:
    place: Place = field(repr=False)


# Expressions


@dataclass(frozen=True, eq=False)
class Constant(Node):
    value: int | Fraction | bool | Tag
    decimal: bool = False  # written with a point: a float to Python


@dataclass(frozen=True, eq=False)
class Name(Node):
    name: str


@dataclass(frozen=True, eq=False)
class Arithmetic(Node):
    operator: str  # + - * /
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class Negate(Node):
    operand: Expression


@dataclass(frozen=True, eq=False)
class Not(Node):
    operand: Expression


@dataclass(frozen=True, eq=False)
class Connective(Node):
    operator: str  # and, or
    operands: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Compare(Node):
    """One comparison; a chained one is a Connective of these."""

    operator: str  # < <= > >= == != is, is not, in, not in
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class Choice(Node):
    """``then if test else other``."""

    test: Expression
    then: Expression
    other: Expression


@dataclass(frozen=True, eq=False)
class Builtin(Node):
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Call(Node):
    """A call of another function of the language."""

    function: Function
    arguments: tuple[Expression, ...]
    site: int


@dataclass(frozen=True, eq=False)
class Item(Node):
    """``sequence[index]``."""

    sequence: Expression
    index: Expression


@dataclass(frozen=True, eq=False)
class Sequence(Node):
    """A tuple or list display."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Joined(Node):
    """``[a, *values, b]``: sequences one after the other; a display of single items is one of them."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class IndexSet(Node):
    """A set display."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Comprehension(Node):
    form: str  # list, generator, set
    element: Expression
    target: Target
    iterable: Expression
    filters: tuple[Expression, ...]

    @cached_property
    def steady_draw(self) -> Draw | None:
        """The element, where it is a draw that depends on the item neither by its arguments nor by its source."""
        own = set(target_names(self.target))
        if not isinstance(self.element, Draw) or self.element.source in own:
            return None
        inside = [node for argument in self.element.arguments for node in walk(argument)]
        depends = any(isinstance(n, Call) or (isinstance(n, Name) and n.name in own) for n in inside)
        return None if depends else self.element


@dataclass(frozen=True, eq=False)
class Draw(Node):
    """One fresh draw of noise: the whole right side of an assignment, or the element of a list there."""

    name: str  # the variable it is assigned to
    source: str  # the variable that holds the noise source
    distribution: Distribution
    arguments: tuple[Expression, ...]
    site: int


@dataclass(frozen=True, eq=False)
class NoiseValue(Node):
    """``H.eta`` in an alignment."""

    name: str


@dataclass(frozen=True, eq=False)
class ShiftExpression(Node):
    """``H.shift(eta=…)``: what an alignment returns."""

    shifts: tuple[tuple[str, Expression], ...]
    places: tuple[Place, ...]


Expression = (
    Constant
    | Name
    | Arithmetic
    | Negate
    | Not
    | Connective
    | Compare
    | Choice
    | Builtin
    | Call
    | Item
    | Sequence
    | Joined
    | IndexSet
    | Comprehension
    | Draw
    | NoiseValue
    | ShiftExpression
)

# A name, or a tuple of targets.
Target = str | tuple["Target", ...]

# Statements


@dataclass(frozen=True, eq=False)
class Assign(Node):
    target: Target
    value: Expression
    augmented: bool = False


@dataclass(frozen=True, eq=False)
class If(Node):
    test: Expression
    then: tuple[Statement, ...]
    other: tuple[Statement, ...]


@dataclass(frozen=True, eq=False)
class For(Node):
    target: Target
    iterable: Expression
    body: tuple[Statement, ...]
    site: int


@dataclass(frozen=True, eq=False)
class Yield(Node):
    value: Expression


@dataclass(frozen=True, eq=False)
class Return(Node):
    value: Expression | None


@dataclass(frozen=True, eq=False)
class Break(Node):
    pass


@dataclass(frozen=True, eq=False)
class Pass(Node):
    pass


Statement = Assign | If | For | Yield | Return | Break | Pass


@dataclass(frozen=True, eq=False)
class Function:
    """A function of the language as it was read."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Statement, ...]
    place: Place = field(repr=False)
    is_generator: bool = False
    globals_read: tuple[tuple[str, Any], ...] = field(default=(), repr=False)
    code: Any = field(default=None, repr=False)


def target_names(target: Target) -> Iterator[str]:
    """The names a target binds."""
    if isinstance(target, str):
        yield target
    else:
        for part in target:
            yield from target_names(part)


def children(node: Any) -> Iterator[Any]:
    """The nodes directly below a node; a call's function is not below it."""
    for each in fields(node):
        value = getattr(node, each.name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            for part in value:
                if isinstance(part, Node):
                    yield part
                elif isinstance(part, tuple):
                    yield from (x for x in part if isinstance(x, Node))


def walk(node: Any) -> Iterator[Any]:
    """The node and everything below it, in source order."""
    yield node
    for child in children(node):
        yield from walk(child)


def assigned(statements: tuple[Statement, ...]) -> frozenset[str]:
    """The names that the statements may assign, loop variables included."""
    names: set[str] = set()
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, Assign | For):
                names.update(target_names(node.target))
    return frozenset(names)


def output_lines(function: Function) -> frozenset[int]:
    """The lines at which a mechanism gives its output; for the end of a function, the line of its definition."""
    kind = Yield if function.is_generator else Return
    found = {node.place.line for statement in function.body for node in walk(statement) if isinstance(node, kind)}
    if not function.is_generator and not _returns(function.body):
        found.add(function.place.line)
    return frozenset(found)


def _returns(statements: tuple[Statement, ...]) -> bool:
    """Whether every way through the statements ends with ``return``."""
    return any(
        isinstance(each, Return) or (isinstance(each, If) and _returns(each.then) and _returns(each.other))
        for each in statements
    )
