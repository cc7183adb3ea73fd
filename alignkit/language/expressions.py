"""Expressions of the language, from Python's syntax tree."""

from __future__ import annotations

import ast
import sys
from fractions import Fraction
from types import FunctionType
from typing import TYPE_CHECKING, Any

from alignkit.language.program import (
    Arithmetic,
    Builtin,
    Call,
    Choice,
    Compare,
    Comprehension,
    Connective,
    Constant,
    Draw,
    Expression,
    IndexSet,
    Item,
    Name,
    Negate,
    NoiseValue,
    Not,
    Sequence,
    Shift,
    Target,
)
from alignkit.noise import DISTRIBUTIONS

if TYPE_CHECKING:
    from alignkit.language.reader import Scope

OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}

ARITY: dict[str, tuple[int, int]] = {
    "abs": (1, 1), "sum": (1, 1), "len": (1, 1), "enumerate": (1, 1), "range": (1, 2), "any": (1, 1), "all": (1, 1),
    "largest": (2, 2), "clamp": (3, 3), "sqrt": (1, 1), "exp": (1, 1), "min": (1, 99), "max": (1, 99), "zip": (1, 99),
}  # fmt: skip

UNKNOWN: dict[type[ast.expr], tuple[str, str]] = {
    ast.Lambda: ("`lambda`", "write a function with `def`"),
    ast.Dict: ("a dict", "use a tuple or a list"),
    ast.DictComp: ("a dict comprehension", "use a list comprehension"),
    ast.JoinedStr: ("an f-string", "outputs are numbers, tags, tuples and lists"),
    ast.Await: ("`await`", "write a plain function"),
    ast.NamedExpr: ("`:=`", "assign on a line of its own"),
    ast.Starred: ("`*` unpacking", "write the arguments out"),
    ast.Slice: ("a slice", "use a comprehension over indices"),
    ast.YieldFrom: ("`yield from`", "yield the values in a loop"),
    ast.Yield: ("`yield` inside an expression", "yield on a line of its own"),
}


def read(node: ast.expr, scope: Scope) -> Expression:
    """The expression; a draw is refused here, since it may only be a whole right side."""
    place = scope.place(node)
    match node:
        case ast.Constant():
            return _constant(node, scope)
        case ast.Name(id=name):
            if name in scope.noise_names or name == scope.reader.noise_vector:
                raise place.error(f"`{name}` cannot be used as a value", "draw from it, or pass it to a function")
            return Name(place, name) if name in scope.local else Constant(place, scope.constant(node))
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) not in OPERATORS:
                raise place.error(
                    f"`{ast.unparse(node)}`: this operator is not in the language", "use + - * and /"
                )
            return Arithmetic(place, OPERATORS[type(op)], read(left, scope), read(right, scope))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return Negate(place, read(operand, scope))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return read(operand, scope)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return Not(place, read(operand, scope))
        case ast.BoolOp(op=op, values=values):
            word = "and" if isinstance(op, ast.And) else "or"
            return Connective(place, word, tuple(read(v, scope) for v in values))
        case ast.Compare():
            return _comparison(node, scope)
        case ast.IfExp(test=test, body=then, orelse=other):
            return Choice(place, read(test, scope), read(then, scope), read(other, scope))
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return Sequence(place, tuple(read(item, scope) for item in items))
        case ast.Set(elts=items):
            return IndexSet(place, tuple(read(item, scope) for item in items))
        case ast.ListComp():
            return read_comprehension(node, "list", scope)
        case ast.GeneratorExp():
            return read_comprehension(node, "generator", scope)
        case ast.SetComp():
            return read_comprehension(node, "set", scope)
        case ast.Subscript(value=sequence, slice=index) if not isinstance(index, ast.Slice):
            return Item(place, read(sequence, scope), read(index, scope))
        case ast.Subscript():
            raise place.error("a slice is not in the language", "use a comprehension over indices")
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == scope.reader.noise_vector:
            return NoiseValue(place, name)
        case ast.Attribute():
            raise place.error(
                f"`{ast.unparse(node)}`: attributes are not in the language", "use parameters and locals"
            )
        case ast.Call():
            return _call(node, scope)
    what, hint = UNKNOWN.get(type(node), (f"`{ast.unparse(node)}`", "see the language page of the docs"))
    raise place.error(f"{what} is not in the language", hint)


def is_draw(node: ast.expr, scope: Scope) -> bool:
    """Whether the expression draws noise: ``noise.laplace(…)``."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in scope.noise_names
    )


def read_draw(node: ast.expr, name: str, scope: Scope) -> Draw:
    """The draw that is assigned to ``name``."""
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    place = scope.place(node)
    distribution = DISTRIBUTIONS.get(node.func.attr)
    if distribution is None:
        raise place.error(
            f"`{node.func.attr}` is not a known noise distribution", "use one of " + ", ".join(DISTRIBUTIONS)
        )
    given: list[ast.expr | None] = list(node.args)
    names = [p.name for p in distribution.parameters]
    given += [None] * (len(names) - len(given))
    for keyword in node.keywords:
        if keyword.arg not in names or given[names.index(keyword.arg)] is not None:
            raise place.error(f"{node.func.attr} takes {', '.join(names)}", f"not {keyword.arg!r}")
        given[names.index(keyword.arg)] = keyword.value
    if len(given) > len(names):
        raise place.error(f"{node.func.attr} takes {', '.join(names)}", f"not {len(given)} arguments")
    arguments: list[Expression] = []
    for parameter, value in zip(distribution.parameters, given, strict=True):
        if value is not None:
            arguments.append(read(value, scope))
        elif parameter.default is not None:
            arguments.append(Constant(place, parameter.default))
        else:
            raise place.error(f"{node.func.attr} needs its {parameter.name}", f"{node.func.attr}({parameter.name})")
    owner = node.func.value
    assert isinstance(owner, ast.Name)
    return Draw(place, name, owner.id, distribution, tuple(arguments), next(scope.reader.sites))


def read_comprehension(
    node: ast.ListComp | ast.GeneratorExp | ast.SetComp, form: str, scope: Scope, draw: str | None = None
) -> Comprehension:
    """A comprehension of one `for`; with ``draw``, its element is the draw of that name."""
    place = scope.place(node)
    if len(node.generators) != 1 or node.generators[0].is_async:
        raise place.error("a comprehension with more than one `for`", "use one `for`, or a loop")
    clause = node.generators[0]
    iterable = read(clause.iter, scope)
    target = _names(clause.target, scope)
    outer = scope.local
    scope.local = outer | frozenset(_flat(target))
    try:
        filters = tuple(read(f, scope) for f in clause.ifs)
        element = read_draw(node.elt, draw, scope) if draw else read(node.elt, scope)
    finally:
        scope.local = outer
    return Comprehension(place, form, element, target, iterable, filters)


def _names(node: ast.expr, scope: Scope) -> Target:
    if isinstance(node, ast.Name):
        if node.id in scope.noise_names or node.id == scope.reader.noise_vector:
            raise scope.place(node).error(f"`{node.id}` is the noise and cannot be assigned", "choose another name")
        return node.id
    if isinstance(node, ast.Tuple):
        return tuple(_names(part, scope) for part in node.elts)
    raise scope.place(node).error("this cannot be a loop variable", "use a name or a tuple of names")


def _flat(target: Target) -> tuple[str, ...]:
    return (target,) if isinstance(target, str) else tuple(n for part in target for n in _flat(part))


def _constant(node: ast.Constant, scope: Scope) -> Constant:
    place = scope.place(node)
    value = node.value
    if isinstance(value, bool | int):
        return Constant(place, value)
    if isinstance(value, float):
        if value in (float("inf"), float("-inf")) or value != value:
            raise place.error("a number that is not finite", "use a finite number")
        return Constant(place, Fraction(repr(value)), decimal=True)
    what = "a string" if isinstance(value, str) else f"`{value!r}`"
    raise place.error(f"{what} is not in the language", 'outputs are numbers and tags: NAME = Tag("NAME") above')


def _comparison(node: ast.Compare, scope: Scope) -> Expression:
    place = scope.place(node)
    operands = [read(x, scope) for x in (node.left, *node.comparators)]
    links: list[Expression] = [
        Compare(place, COMPARISONS[type(op)], left, right)
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False)
    ]
    return links[0] if len(links) == 1 else Connective(place, "and", tuple(links))


def _call(node: ast.Call, scope: Scope) -> Expression:
    place = scope.place(node)
    if is_draw(node, scope):
        raise place.error(
            "noise is drawn inside a larger expression",
            "a draw must be the whole right side of an assignment, or the element of a list: eta = noise.laplace(…)",
        )
    if isinstance(node.func, ast.Attribute):
        return _method(node, node.func, scope)
    if not isinstance(node.func, ast.Name):
        raise place.error(f"`{ast.unparse(node.func)}` cannot be called", "call functions by their name")
    if node.func.id in scope.local:
        raise place.error(f"`{node.func.id}` is a variable, not a function", "call functions defined in the file")
    name = scope.builtin(node.func)
    if node.keywords:
        raise place.error(
            f"keyword arguments are not in the language (`{node.keywords[0].arg}`)", "pass arguments by position"
        )
    if name is not None:
        low, high = ARITY[name]
        if not low <= len(node.args) <= high:
            raise place.error(f"{name} takes {low if low == high else f'{low} to {high}'} arguments", "see the docs")
        return Builtin(place, name, tuple(read(a, scope) for a in node.args))
    return _helper(node, scope.resolve(node.func), scope)


def _helper(node: ast.Call, function: Any, scope: Scope) -> Call:
    place = scope.place(node)
    name = ast.unparse(node.func)
    if not isinstance(function, FunctionType):
        raise place.error(
            f"`{name}` is not a function of the language",
            "call min, max, abs, sum, len, range, enumerate, zip, largest, clamp, sqrt, exp, or your own functions",
        )
    if (function.__module__ or "").split(".")[0] in sys.stdlib_module_names:
        raise place.error(
            f"`{name}` comes from {function.__module__}, which is not in the language",
            "write the computation out; if it is random, draw from the noise parameter instead",
        )
    code = function.__code__
    if len(node.args) != code.co_argcount:
        raise place.error(f"{name} takes {code.co_argcount} arguments, not {len(node.args)}", "pass all, by position")
    passed = frozenset(
        parameter
        for parameter, a in zip(code.co_varnames, node.args, strict=False)
        if isinstance(a, ast.Name) and a.id in scope.noise_names
    )
    called = scope.reader.helper(function, passed)
    if called.is_generator:
        raise place.error(f"{name} is a generator", "a function that is called returns its value")
    arguments = tuple(
        Name(scope.place(a), a.id)
        if isinstance(a, ast.Name) and a.id in scope.noise_names
        else read(a, scope)
        for a in node.args
    )
    return Call(place, called, arguments, next(scope.reader.sites))


def _method(node: ast.Call, function: ast.Attribute, scope: Scope) -> Expression:
    place = scope.place(node)
    owner = function.value
    if isinstance(owner, ast.Name) and owner.id == scope.reader.noise_vector:
        if function.attr != "shift" or node.args or any(k.arg is None for k in node.keywords):
            raise place.error("H has noise values and H.shift(name=…)", "return H.shift(eta=1)")
        shifts = tuple((str(k.arg), read(k.value, scope)) for k in node.keywords)
        return Shift(place, shifts, tuple(scope.place(k) for k in node.keywords))
    text = ast.unparse(function)
    root = text.split(".")[0]
    hint = "a mechanism draws from its noise parameter: eta = noise.laplace(…)"
    if root not in ("random", "np", "numpy"):
        hint = "call functions of the language by their name"
        if function.attr in ("append", "add", "extend", "update", "pop", "sort", "remove", "insert"):
            hint = "values do not change in place: build a new value, for example with a comprehension"
    raise place.error(f"`{text}(…)` is not in the language", hint)
