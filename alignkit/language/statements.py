"""Statements of the language, from Python's syntax tree."""

from __future__ import annotations

import ast

from alignkit.language import calls, expressions, program
from alignkit.language.mechanism_calls import read_yield_from
from alignkit.language.program import Statement
from alignkit.language.scope import Scope, instead_of_change, read_target, refuse_noise

# What is refused, and what to write instead; by name, since some are newer than the oldest Python.
REFUSED: dict[str, tuple[str, str]] = {
    "While": ("`while`", "use `for` over the queries or over range(…), which always ends"),
    "Try": ("`try`", "use `if` to exclude the bad case before it happens"),
    "TryStar": ("`try`", "use `if` to exclude the bad case before it happens"),
    "With": ("`with`", "a mechanism does no input or output"),
    "Raise": ("`raise`", "end the run with `return`, or yield a tag"),
    "Assert": ("`assert`", "give the parameter a type that excludes the bad case"),
    "Global": ("`global`", "pass the value as a parameter; a mechanism changes nothing outside itself"),
    "Nonlocal": ("`nonlocal`", "pass the value as a parameter; a mechanism changes nothing outside itself"),
    "Import": ("`import` inside a function", "import at the top of the file"),
    "ImportFrom": ("`import` inside a function", "import at the top of the file"),
    "FunctionDef": ("a function inside a function", "define it at the top level of the file"),
    "AsyncFunctionDef": ("a function inside a function", "define it at the top level of the file"),
    "ClassDef": ("a class inside a function", "use tuples"),
    "Delete": ("`del`", "leave it out: a name keeps its value"),
    "Continue": ("`continue`", "put the rest of the body under `else`"),
    "Match": ("`match`", "use if / elif / else"),
    "AnnAssign": ("an annotation of anything but a plain name", "annotate a plain name, or leave the annotation out"),
    "TypeAlias": ("`type`", "leave it out"),
}


def read_block(body: list[ast.stmt], scope: Scope) -> tuple[Statement, ...]:
    """The statements of a block."""
    return tuple(_statement(node, scope) for node in body)


def _statement(node: ast.stmt, scope: Scope) -> Statement:
    place = scope.place(node)
    match node:
        case ast.Assign(targets=[target], value=value):
            name = target.id if isinstance(target, ast.Name) else None
            return program.Assign(place, read_target(target, scope), expressions.read_right_side(value, name, scope))
        case ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value, simple=1):
            # The annotation is for type checkers: Python does not evaluate it either.
            return program.Assign(place, read_target(target, scope), expressions.read_right_side(value, name, scope))
        case ast.AnnAssign(value=None):
            raise place.error("a declaration without a value is not in the language", "give the name its value here")
        case ast.Assign():
            raise place.error("a chained assignment is not in the language", "assign one name per line")
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
            operator = expressions.OPERATORS.get(type(op))
            if operator is None:
                kind = type(op).__name__
                raise place.error(
                    "this augmented assignment is not in the language",
                    "use += -= *= or /=" + (", or x = power(x, n)" if kind == "Pow" else ""),
                )
            refuse_noise(name, node, scope)
            left = program.Name(scope.place(node.target), name)
            right = expressions.read_expression(value, scope)
            return program.Assign(place, name, program.Arithmetic(place, operator, left, right), augmented=True)
        case ast.AugAssign(target=target) | ast.Delete(targets=[ast.Subscript() | ast.Attribute() as target]):
            raise place.error("values cannot be changed in place", instead_of_change(target, scope))
        case ast.If(test=test, body=then, orelse=other):
            condition = expressions.read_expression(test, scope)
            return program.If(place, condition, read_block(then, scope), read_block(other, scope))
        case ast.For(target=target, iter=iterable, body=inner, orelse=other):
            if other:
                raise scope.place(other[0]).error("`for … else` is not in the language", "put the code after the loop")
            read = read_target(target, scope)
            over = expressions.read_iterable(iterable, scope)
            return program.For(place, read, over, read_block(inner, scope), scope.site())
        case ast.Expr(value=ast.Yield(value=value)):
            if value is None:
                raise place.error("`yield` without a value", "yield a tag such as BELOW")
            return program.Yield(place, expressions.read_right_side(value, None, scope))
        case ast.Expr(value=ast.YieldFrom() as source):
            return read_yield_from(source, scope)
        case ast.Expr(value=ast.Constant(value=str())):
            return program.Pass(place)
        case ast.Expr(value=ast.Call() as call):
            if not calls.is_draw(call, scope):
                expressions.read_right_side(call, None, scope)  # its own error says more
            raise place.error("the value of this call is not used", "assign it to a name, or remove it")
        case ast.Expr(value=value):
            expressions.read_expression(value, scope)
            raise place.error("the value of this expression is not used", "assign it to a name, or remove it")
        case ast.Return(value=value):
            if value is None:
                return program.Return(place, None)
            if calls.is_shift(value, scope):
                return program.Return(place, calls.read_shift(value, scope))
            return program.Return(place, expressions.read_right_side(value, None, scope))
        case ast.Break():
            return program.Break(place)
        case ast.Pass():
            return program.Pass(place)
    kind = type(node).__name__
    what, hint = REFUSED.get(kind, (f"`{kind.lower()}`", "use assignments, for, if, yield, return and break"))
    raise place.error(f"{what} is not in the language", hint)
