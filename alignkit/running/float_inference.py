"""Which names of a function hold floats in every run: continuous noise, and what is computed with it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeGuard, cast

from alignkit.noise import DISTRIBUTIONS
from alignkit.running.exact_source import DIVIDE, DRAWS

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult)


@dataclass(frozen=True)
class FloatNames:
    """Names of floats, and names of lists of floats."""

    numbers: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()

    def is_float(self, node: ast.expr) -> bool:
        """Whether an expression is a float whenever it has a value. A float and any other number make a float."""
        if isinstance(node, ast.Name):
            return node.id in self.numbers
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.USub | ast.UAdd) and self.is_float(node.operand)
        pair = operands(node)
        return _draws_float(node) if pair is None else self.is_float(pair[0]) or self.is_float(pair[1])

    def is_list(self, node: ast.expr) -> bool:
        """Whether an expression is a list of floats whenever it has a value."""
        if isinstance(node, ast.Name):
            return node.id in self.lists
        if isinstance(node, ast.ListComp):
            return self.is_float(node.elt)
        return is_call(node, DRAWS) and _by_scale(cast(ast.Constant, node.args[1]).value)

    def iterates(self, over: ast.expr) -> ast.expr:
        """A stand-in for one item of what a loop goes through."""
        if is_call(over, "zip"):
            return ast.Tuple([self.iterates(a) for a in over.args], ast.Load())
        if is_call(over, "enumerate") and len(over.args) == 1:
            return ast.Tuple([ast.Constant(0), self.iterates(over.args[0])], ast.Load())
        return _FLOAT if self.is_list(over) else ast.Constant(0)


def float_names(function: ast.FunctionDef) -> FloatNames:
    """The names that hold floats, or lists of them, wherever the function assigns them."""
    parameters = {argument.arg for argument in function.args.args}
    found = FloatNames()
    while True:
        numbers: dict[str, bool] = {}
        lists: dict[str, bool] = {}
        for target, value in _assignments(function, found):
            for name, part in _parts(target, value):
                numbers[name] = numbers.get(name, True) and part is not None and found.is_float(part)
                lists[name] = lists.get(name, True) and part is not None and found.is_list(part)
        more = FloatNames(
            frozenset(name for name, holds in numbers.items() if holds and name not in parameters),
            frozenset(name for name, holds in lists.items() if holds and name not in parameters),
        )
        if more == found:
            return found
        found = more


def operands(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The two operands of a sum, difference, product or quotient."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ARITHMETIC):
        return node.left, node.right
    if is_call(node, DIVIDE):
        return node.args[0], node.args[1]
    return None


def is_call(node: ast.expr, name: str) -> TypeGuard[ast.Call]:
    """Whether an expression calls the function of a name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def drawn_from(node: ast.expr) -> str | None:
    """The distribution that an expression draws from; None where it does not draw."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in DISTRIBUTIONS:
        return node.func.attr
    return None


def _draws_float(node: ast.expr) -> bool:
    name = drawn_from(node)
    return name is not None and _by_scale(name)


def _by_scale(name: Any) -> bool:
    return name in DISTRIBUTIONS and DISTRIBUTIONS[name].by_scale


# Stands for any float: a draw.
_FLOAT = ast.Call(ast.Attribute(ast.Name("noise", ast.Load()), "laplace", ast.Load()), [], [])


def _assignments(function: ast.FunctionDef, found: FloatNames) -> Iterator[tuple[ast.expr, ast.expr]]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            yield from zip(node.targets, itertools.repeat(node.value))
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr):
            if node.value is not None:
                yield node.target, node.value
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target, ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            yield node.target, found.iterates(node.iter)


def _parts(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    """Each name of a target with what it is assigned; None where that is not seen."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        values = value.elts if isinstance(value, ast.Tuple) else []
        seen = len(values) == len(target.elts)
        for i, part in enumerate(target.elts):
            yield from _parts(part, values[i] if seen else None)
    elif isinstance(target, ast.Starred):
        yield from _parts(target.value, None)
