"""The user's own function with exact arithmetic.

Python divides two whole numbers to a float and reads 0.1 as a float. Where a program does either, its source
is compiled once more with those two read exactly; where it does neither, the function itself is already exact
on Fractions and is returned as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from types import FunctionType
from typing import Any

from alignkit.language.source import read_source


def exact_function(python: Callable[..., Any], *, inexact: bool) -> Callable[..., Any]:
    """The function to run where results must be exact."""
    if not inexact:
        return python
    return _recompiled(python, {})


def divide(left: Any, right: Any) -> Any:
    """``left / right``, a Fraction for two whole numbers."""
    if isinstance(left, int) and isinstance(right, int):
        return Fraction(left, right)
    return left / right


class _Exactly(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return _call("__alignkit_divide__", [node.left, node.right], node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div) and isinstance(node.target, ast.Name):
            left = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
            value = _call("__alignkit_divide__", [left, node.value], node)
            return ast.copy_location(ast.Assign([node.target], value), node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, float):
            text = ast.copy_location(ast.Constant(repr(node.value)), node)
            return _call("__alignkit_fraction__", [text], node)
        return node


def _call(name: str, arguments: list[ast.expr], at: ast.AST) -> ast.expr:
    call = ast.Call(ast.Name(name, ast.Load()), arguments, [])
    return ast.fix_missing_locations(ast.copy_location(call, at))


def _recompiled(python: Callable[..., Any], done: dict[Any, Callable[..., Any]]) -> Callable[..., Any]:
    if python in done:
        return done[python]
    definition, source = read_source(python)
    assert isinstance(python, FunctionType)
    changed = _Exactly().visit(ast.parse(ast.unparse(definition)).body[0])
    changed.decorator_list = []
    changed.returns = None
    for argument in changed.args.args:
        argument.annotation = None
    changed.args.defaults = []
    captured: dict[str, Any] = {"__alignkit_divide__": divide, "__alignkit_fraction__": Fraction}
    for name, value in _reached(python).items():
        captured[name] = _recompiled(value, done) if _is_helper(value) else value
    outer = ast.parse("def outer(): pass").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.args.args = [ast.arg(name) for name in captured]
    outer.body = [changed, ast.Return(ast.Name(definition.name, ast.Load()))]
    module = ast.fix_missing_locations(ast.Module([outer], []))
    scratch: dict[str, Any] = {}
    exec(compile(module, source.file, "exec", dont_inherit=True), python.__globals__, scratch)
    done[python] = scratch["outer"](**captured)
    return done[python]


def _reached(python: FunctionType) -> dict[str, Any]:
    """What the function reaches by name that has to be passed on: closed-over values and its own helpers."""
    found = {}
    for name, cell in zip(python.__code__.co_freevars, python.__closure__ or (), strict=True):
        found[name] = cell.cell_contents
    for name in _names(python.__code__):
        if _is_helper(python.__globals__.get(name)):
            found[name] = python.__globals__[name]
    return found


def _names(code: Any) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            names |= _names(constant)
    return names


def _is_helper(value: Any) -> bool:
    return isinstance(value, FunctionType) and not (value.__module__ or "").startswith("alignkit.language")


