"""The typed program, which the reader makes of a function's source, and on which everything else works.

Nodes compare by identity: one place in the source is one node.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, dataclass_transform

from alignkit.errors import LanguageError
from alignkit.language.tags import Tag
from alignkit.noise import Distribution

# A node of which Python says where it stands.
SyntaxNode = ast.expr | ast.stmt | ast.arg | ast.keyword


@dataclass(frozen=True)
class Source:
    """Where a function was read: its file and the file's lines."""

    file: str
    lines: tuple[str, ...] = field(repr=False)

    def text(self, line: int) -> str:
        """The text of a line, counted from 1."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""

    def place(self, node: SyntaxNode) -> Place:
        """Where a node of Python's syntax tree stands; a function's place begins at its `def`."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset + 1
        first = self.text(node.lineno)
        last = first if end_line == node.lineno else self.text(end_line)
        return Place(self, node.lineno, _characters(first, node.col_offset), end_line, _characters(last, end))


def _characters(text: str, column: int) -> int:
    """A column in characters, which carets count in, of one in UTF-8 bytes, which `ast` counts in."""
    return min(column, len(text)) if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))


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


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
@dataclass(frozen=True, eq=False)
class Node:
    """A node of the program. Every kind of node is a frozen dataclass, without a decorator of its own."""

    place: Place = field(repr=False)

    field_names: ClassVar[tuple[str, ...]] = ("place",)

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, eq=False)(cls)
        cls.field_names = tuple(attribute.name for attribute in fields(cls))

    # Nodes never change, and the prover asks for what is below them on every path.

    @cached_property
    def children(self) -> tuple[Any, ...]:
        """The nodes directly below; a call's function is not below it."""
        below: list[Any] = []
        for name in self.field_names:
            value = getattr(self, name)
            if isinstance(value, Node):
                below.append(value)
            elif isinstance(value, tuple):
                below += [part for part in value if isinstance(part, Node)]
        return tuple(below)

    @cached_property
    def below(self) -> tuple[Any, ...]:
        """Everything below the node, in source order."""
        found: list[Any] = []
        waiting = list(reversed(self.children))
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += reversed(node.children)
        return tuple(found)


# A name, or a tuple of targets.
Target = str | tuple["Target", ...]


class Expression(Node):
    """What has a value."""


class Constant(Expression):
    value: int | Fraction | bool | Tag
    decimal: bool = False  # written with a point: a float to Python


class Name(Expression):
    name: str


class Arithmetic(Expression):
    operator: str  # + - * /
    left: Expression
    right: Expression


class Negate(Expression):
    operand: Expression


class Not(Expression):
    operand: Expression


class Connective(Expression):
    operator: str  # and, or
    operands: tuple[Expression, ...]


class Compare(Expression):
    """One comparison; a chained one is a Connective of these."""

    operator: str  # < <= > >= == != is, is not, in, not in
    left: Expression
    right: Expression


class Choice(Expression):
    """``then if test else other``."""

    test: Expression
    then: Expression
    other: Expression


class Builtin(Expression):
    function: str
    arguments: tuple[Expression, ...]


class Call(Expression):
    """A call of another function of the language."""

    function: Function
    arguments: tuple[Expression, ...]
    site: int


class MechanismCall(Call):
    """A call of another mechanism, whose body is ``function``; its value is a list where the mechanism yields."""

    mechanism: Any = field(repr=False)


class Item(Expression):
    """``sequence[index]``."""

    sequence: Expression
    index: Expression


class Sequence(Expression):
    """A tuple or list display."""

    items: tuple[Expression, ...]
    is_list: bool = False


class Joined(Expression):
    """``[a, *values, b]``: sequences one after the other; a display of single items is one of them."""

    parts: tuple[Expression, ...]
    is_list: bool = False


class IndexSet(Expression):
    """A set display."""

    items: tuple[Expression, ...]


class Comprehension(Expression):
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
        inside = walk(*self.element.arguments)
        depends = any(isinstance(n, Call) or (isinstance(n, Name) and n.name in own) for n in inside)
        return None if depends else self.element


class Draw(Expression):
    """One fresh draw of noise: the whole right side of an assignment, or the element of a list there."""

    name: str  # the variable it is assigned to
    source: str  # the variable that holds the noise source
    distribution: Distribution
    arguments: tuple[Expression, ...]
    site: int


class NoiseValue(Expression):
    """``H.eta`` in an alignment."""

    name: str


class NamedShift(Node):
    """``eta=…`` in a ShiftExpression: the draw of this name moves by the value."""

    name: str
    value: Expression


class LimitForm(StrEnum):
    """How a limit keeps noise from its value, by the method that states it."""

    BELOW = "below"
    ABOVE = "above"
    DISTINCT = "distinct"


class NamedLimit(Node):
    """``eta=…`` in ``.below(…)``, ``.above(…)``, ``.distinct(…)`` after a shift: else the alignment need not be right.

    Wherever ``given`` is not 0, the draw of this name is below the value, or above it, or its sum with the value is
    none of the other such sums of its list.
    """

    name: str
    form: LimitForm
    value: Expression
    given: Expression


class ShiftExpression(Expression):
    """``H.shift(eta=…)``: what an alignment returns, with its limits if there are any."""

    shifts: tuple[NamedShift, ...]
    limits: tuple[NamedLimit, ...] = ()


class Statement(Node):
    """What stands in the body of a function, of a loop or of a branch."""


class Assign(Statement):
    target: Target
    value: Expression
    augmented: bool = False


class If(Statement):
    test: Expression
    then: tuple[Statement, ...]
    other: tuple[Statement, ...]


class For(Statement):
    target: Target
    iterable: Expression
    body: tuple[Statement, ...]
    site: int


class Yield(Statement):
    value: Expression


class YieldFrom(Statement):
    """``yield from other(…)``: the outputs of another mechanism, one by one."""

    value: MechanismCall


class Return(Statement):
    value: Expression | None


class Break(Statement):
    """Leaves the loop around it."""


class Pass(Statement):
    """Does nothing."""


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
    python: Any = field(default=None, repr=False)


def target_names(target: Target) -> Iterator[str]:
    """The names a target binds."""
    if isinstance(target, str):
        yield target
    else:
        for part in target:
            yield from target_names(part)


def children(node: Node) -> tuple[Any, ...]:
    """The nodes directly below a node; a call's function is not below it."""
    return node.children


def walk(*nodes: Node) -> Iterator[Any]:
    """The nodes and everything below them, in source order."""
    for node in nodes:
        yield node
        yield from node.below


def assigned(statements: tuple[Statement, ...]) -> frozenset[str]:
    """The names that the statements may assign, loop variables included."""
    binding = (node for node in walk(*statements) if isinstance(node, Assign | For))
    return frozenset(name for node in binding for name in target_names(node.target))


def output_lines(function: Function) -> frozenset[int]:
    """The lines at which a mechanism gives its output; for the end of a function, the line of its definition."""
    kind = Yield | YieldFrom if function.is_generator else Return
    lines = {node.place.line for node in walk(*function.body) if isinstance(node, kind)}
    if not function.is_generator and not _returns(function.body):
        lines.add(function.place.line)
    return frozenset(lines)


def _returns(statements: tuple[Statement, ...]) -> bool:
    """Whether every way through the statements ends with ``return``."""
    return any(
        isinstance(node, Return) or (isinstance(node, If) and _returns(node.then) and _returns(node.other))
        for node in statements
    )
