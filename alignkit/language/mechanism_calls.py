"""Calls of mechanisms, and ``yield from``, from Python's syntax tree."""

from __future__ import annotations

import ast
from types import FunctionType

from alignkit.language import expressions, program
from alignkit.language.callees import Callee
from alignkit.language.scope import Scope


def read_mechanism_call(node: ast.Call, called: Callee, scope: Scope, *, noise: bool) -> program.MechanismCall:
    """Read the call of a mechanism, which must stand where noise may be drawn; LanguageError where it does not fit."""
    assert isinstance(node.func, ast.Name)
    name, place = node.func.id, scope.place(node)
    names = called.program.parameters
    usage = f"{name}({', '.join(names)})"
    if scope.noise_vector:
        raise place.error(
            f"an alignment does not call the mechanism {name}",
            "the noise of a call is moved by its lemma: @alignment(…, lemmas=[…]) takes an alignment of the callee",
        )
    if node.keywords:
        raise scope.place(node.keywords[0]).error(
            "keyword arguments are not in the language", f"pass arguments by position: {usage}"
        )
    if any(isinstance(a, ast.Starred) for a in node.args):
        raise place.error("`*` unpacking is not in the language", f"write the arguments out: {usage}")
    if len(node.args) != len(names):
        raise place.error(f"{name} takes {len(names)} arguments, not {len(node.args)}", f"write {usage}")
    for argument, parameter in zip(node.args, names, strict=True):
        is_noise = isinstance(argument, ast.Name) and argument.id in scope.noise_names
        if is_noise != (parameter == called.noise_name):
            what = "takes the noise" if parameter == called.noise_name else "does not take the noise"
            raise scope.place(argument).error(
                f"{name} {what} as its parameter `{parameter}`", f"pass the arguments in order: {usage}"
            )
    if not noise:
        raise place.error(
            f"the mechanism {name} is called inside a larger expression",
            f"assign it first, on a line of its own: x = {usage}",
        )
    python = called.python
    assert isinstance(python, FunctionType)
    function = scope.helper(python, frozenset({called.noise_name}))
    arguments = tuple(
        program.Name(scope.place(a), ast.unparse(a))
        if parameter == called.noise_name
        else expressions.read_expression(a, scope)
        for a, parameter in zip(node.args, names, strict=True)
    )
    return program.MechanismCall(place, function, arguments, scope.site(), called)


def read_yield_from(node: ast.YieldFrom, scope: Scope) -> program.YieldFrom:
    """Read ``yield from other(…)``, where ``other`` is a mechanism that yields its outputs."""
    place = scope.place(node)
    value = expressions.read_right_side(node.value, None, scope)
    if not isinstance(value, program.MechanismCall):
        raise place.error(
            "`yield from` anything but the call of a mechanism is not in the language", "yield the values in a loop"
        )
    if not value.function.is_generator:
        raise place.error(
            f"{value.function.name} returns one value", f"yield it: x = {value.function.name}(…), then yield x"
        )
    return program.YieldFrom(place, value)
