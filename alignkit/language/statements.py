"""Statements of the language, from Python's syntax tree."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from alignkit.language import expressions
from alignkit.language.program import (
    Arithmetic,
    Assign,
    Break,
    Expression,
    For,
    If,
    Name,
    Pass,
    Return,
    Statement,
    Target,
    Yield,
)

if TYPE_CHECKING:
    from alignkit.language.reader import Scope

HINTS: dict[type[ast.stmt], tuple[str, str]] = {
    ast.While: ("`while`", "use `for` over the queries or over range(…), which always ends"),
    ast.Try: ("`try`", "test for the bad case with `if` before it happens"),
    ast.With: ("`with`", "a mechanism does no input or output"),
    ast.Raise: ("`raise`", "let the run end with `return`, or emit a tag"),
    ast.Assert: ("`assert`", "give the parameter a type that excludes the bad case"),
    ast.Global: ("`global`", "pass the value as a parameter; a mechanism changes nothing outside itself"),
    ast.Nonlocal: ("`nonlocal`", "pass the value as a parameter; a mechanism changes nothing outside itself"),
    ast.Import: ("`import` inside a mechanism", "import at the top of the file"),
    ast.ImportFrom: ("`import` inside a mechanism", "import at the top of the file"),
    ast.FunctionDef: ("a function inside a mechanism", "define it at the top level of the file"),
    ast.ClassDef: ("a class inside a mechanism", "use tuples"),
    ast.Delete: ("`del`", "leave the name alone"),
    ast.Continue: ("`continue`", "put the rest of the body under `else`"),
    ast.Match: ("`match`", "use if / elif / else"),
    ast.AnnAssign: ("an annotated assignment", "leave the annotation out"),
}


def read_block(body: list[ast.stmt], scope: Scope, loops: int = 0) -> tuple[Statement, ...]:
    """The statements of a block."""
    return tuple(_statement(node, scope, loops) for node in body)


def _statement(node: ast.stmt, scope: Scope, loops: int) -> Statement:
    place = scope.place(node)
    match node:
        case ast.Assign(targets=[target], value=value):
            return _assign(target, value, node, scope)
        case ast.Assign():
            raise place.error("a chained assignment", "assign one name a line")
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
            operator = expressions.OPERATORS.get(type(op))
            if operator is None:
                raise place.error("this augmented assignment is not in the language", "use += -= *= or /=")
            _refuse_noise(name, node, scope)
            left = Name(scope.place(node.target), name)
            right = expressions.read(value, scope)
            return Assign(place, name, Arithmetic(place, operator, left, right), augmented=True)
        case ast.AugAssign() | ast.Delete(targets=[ast.Subscript()]):
            raise place.error("values do not change in place", "build a new value and assign it to a name")
        case ast.If(test=test, body=then, orelse=other):
            condition = expressions.read(test, scope)
            return If(place, condition, read_block(then, scope, loops), read_block(other, scope, loops))
        case ast.For(target=target, iter=iterable, body=inner, orelse=other):
            if other:
                raise scope.place(other[0]).error("`for … else`", "put the code after the loop")
            read = _target(target, scope)
            over = expressions.read(iterable, scope)
            return For(place, read, over, read_block(inner, scope, loops + 1), next(scope.reader.sites))
        case ast.Expr(value=ast.Yield(value=value)):
            if value is None:
                raise place.error("`yield` without a value", "yield a tag such as BELOW")
            return Yield(place, expressions.read(value, scope))
        case ast.Expr(value=ast.Constant(value=str())):
            return Pass(place)
        case ast.Expr():
            raise place.error("an expression whose value is not used", "assign it to a name, yield it, or remove it")
        case ast.Return(value=value):
            return Return(place, None if value is None else expressions.read(value, scope))
        case ast.Break():
            return Break(place)
        case ast.Pass():
            return Pass(place)
    what, hint = HINTS.get(type(node), (f"`{type(node).__name__.lower()}`", "see the language page of the docs"))
    raise place.error(f"{what} is not in the language", hint)


def _assign(target: ast.expr, value: ast.expr, node: ast.stmt, scope: Scope) -> Assign:
    read = _target(target, scope)
    name = target.id if isinstance(target, ast.Name) else None
    return Assign(scope.place(node), read, _right_side(value, name, scope))


def _right_side(value: ast.expr, name: str | None, scope: Scope) -> Expression:
    """A right side, the only place where noise may be drawn: whole, or as the element of a list."""
    if name is not None and expressions.is_draw(value, scope):
        return expressions.read_draw(value, name, scope)
    if name is not None and isinstance(value, ast.ListComp) and expressions.is_draw(value.elt, scope):
        return expressions.read_comprehension(value, "list", scope, draw=name)
    return expressions.read(value, scope)


def _target(node: ast.expr, scope: Scope) -> Target:
    match node:
        case ast.Name(id=name):
            _refuse_noise(name, node, scope)
            return name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return tuple(_target(part, scope) for part in parts)
        case ast.Starred():
            raise scope.place(node).error("a starred target", "name every part")
        case ast.Subscript() | ast.Attribute():
            raise scope.place(node).error(
                "values do not change in place", "build a new value and assign it to a name"
            )
    raise scope.place(node).error("this cannot be assigned to", "assign to a name")


def _refuse_noise(name: str, node: ast.AST, scope: Scope) -> None:
    if name in scope.noise_names or name == scope.reader.noise_vector:
        raise scope.place(node).error(f"`{name}` is the noise and cannot be assigned", "choose another name")
