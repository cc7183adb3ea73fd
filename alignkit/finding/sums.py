"""Sums of answers whose change a shift may be: those that a program writes, and the sum of all answers.

Other numbers that a program computes of private parameters alone, such as a clamped answer, are found here too.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeGuard

from alignkit.running.mechanism_decorator import Mechanism

# Functions whose value changes by no more than a bound if the answers do.
_SUMMING = ("sum", "clamp", "max", "min")


def sums_of_answers(mechanism: Mechanism) -> tuple[str, ...]:
    """Expressions of the private and public parameters alone that hold a sum of answers, as source text.

    Of nested ones the largest is taken, such as `sum(q) / n`. The sum of each vector of answers is always among them,
    since a loop may add it up.
    """
    vectors = [name for name, kind in mechanism.private.items() if kind.vector]
    return tuple(dict.fromkeys([*numbers_written(mechanism), *(f"sum({name})" for name in vectors)]))


def on_the_neighbour(mechanism: Mechanism, text: str) -> str:
    """The same expression for D′: each private parameter has its name with an underscore."""
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in mechanism.private:
            node.id += "_"
    return ast.unparse(tree)


def helpers_of(mechanism: Mechanism, names: set[str]) -> dict[str, Any]:
    """The functions among these names that the mechanism's own module has."""
    known = mechanism.python.__globals__
    return {name: known[name] for name in sorted(names) if inspect.isfunction(known.get(name))}


def value_of(mechanism: Mechanism, text: str, values: Mapping[str, Any], public: Mapping[str, Any]) -> Fraction | None:
    """The value of such an expression; None where it has none."""
    names = {**mechanism.python.__globals__, **public, **values}
    try:
        return Fraction(eval(text, names))
    except (ArithmeticError, AttributeError, IndexError, LookupError, NameError, TypeError, ValueError):
        return None


def numbers_written(mechanism: Mechanism) -> tuple[str, ...]:
    """Expressions of the private and public parameters alone that add up or clamp answers, as source text."""
    return tuple(dict.fromkeys(_expressions(mechanism)))


def _expressions(mechanism: Mechanism) -> Iterator[str]:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(mechanism.python)))
    except (OSError, TypeError, SyntaxError):
        return
    function = tree.body[0]
    if isinstance(function, ast.FunctionDef):
        named = _Named(mechanism, function)
        for statement in function.body:
            yield from _added_up(mechanism, statement)
            yield from _largest(mechanism, named.visit(statement))


def _added_up(mechanism: Mechanism, loop: ast.stmt) -> Iterator[str]:
    """What a loop adds to a variable in each iteration, as a sum: `sum(clamp(x, 0, 1) for x in q)`."""
    if not isinstance(loop, ast.For):
        return
    for statement in loop.body:
        if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
            added: ast.expr = statement.value
        elif (
            isinstance(statement, ast.Assign)
            and isinstance(statement.value, ast.BinOp)
            and isinstance(statement.value.op, ast.Add)
            and ast.unparse(statement.value.left) == ast.unparse(statement.targets[0])
        ):
            added = statement.value.right
        else:
            continue
        items = {inner.id for inner in ast.walk(loop.target) if isinstance(inner, ast.Name)}
        if not any(isinstance(inner, ast.Name) and inner.id in items for inner in ast.walk(added)):
            continue  # the program counts something
        each = ast.parse(f"sum({ast.unparse(added)} for {ast.unparse(loop.target)} in {ast.unparse(loop.iter)})")
        yield from _largest(mechanism, each)


class _Named(ast.NodeTransformer):
    """Puts what a name stands for in its place, where it is assigned once and holds no noise."""

    def __init__(self, mechanism: Mechanism, function: ast.FunctionDef) -> None:
        stored = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        self.known: dict[str, ast.expr] = {}
        for statement in function.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                name, value = statement.targets[0].id, self.visit(statement.value)
                if stored.count(name) == 1 and _parameters_only(mechanism, value):
                    self.known[name] = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.known.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def _largest(mechanism: Mechanism, node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.expr) and _stands_alone(mechanism, node):
        yield ast.unparse(node)
        return
    for child in ast.iter_child_nodes(node):
        yield from _largest(mechanism, child)


def _stands_alone(mechanism: Mechanism, node: ast.expr) -> bool:
    """Whether an expression is a number that sums up or bounds answers and names nothing that a run computes."""
    summing = any(isinstance(n, ast.Name) and n.id in _SUMMING for n in ast.walk(node))
    answers = any(isinstance(n, ast.Name) and n.id in mechanism.private for n in ast.walk(node))
    return not isinstance(node, ast.Compare | ast.BoolOp) and summing and answers and _parameters_only(mechanism, node)


def _parameters_only(mechanism: Mechanism, node: ast.expr) -> bool:
    """Whether an expression names parameters, its own variables and functions only, and draws no noise."""
    names = [inner for inner in ast.walk(node) if isinstance(inner, ast.Name)]
    own = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    functions = {inner.func.id for inner in ast.walk(node) if isinstance(inner, ast.Call) and _is_name(inner.func)}
    return {name.id for name in names} <= {*own, *functions, *mechanism.private, *mechanism.public}


def _is_name(node: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)
