"""Expressions of the language, from Python's syntax tree."""

from __future__ import annotations

import ast
import itertools
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from alignkit.language import calls, hints, program
from alignkit.language.functions import MOST_FACTORS
from alignkit.language.program import Expression, Place, target_names
from alignkit.language.scope import Scope, read_target

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}

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

# What is refused, and what to write instead.
REFUSED: dict[type[ast.expr], tuple[str, str]] = {
    ast.Lambda: ("`lambda`", "write a function with `def` at the top level of the file"),
    ast.Dict: ("a dict", "use a tuple or a list"),
    ast.DictComp: ("a dict comprehension", "use a list comprehension"),
    ast.JoinedStr: ("an f-string", "outputs are numbers, tags, tuples and lists"),
    ast.Await: ("`await`", "write a plain function"),
    ast.NamedExpr: ("`:=`", "assign on a line of its own"),
    ast.Starred: ("`*` unpacking here", "unpack in lists only: [a, *values]"),
    ast.Slice: ("a slice among other indices", "write one slice: q[:k]"),
    ast.YieldFrom: ("`yield from` inside an expression", "write it on a line of its own"),
    ast.Yield: ("`yield` inside an expression", "yield on a line of its own"),
    ast.GeneratorExp: (
        "a generator expression outside sum, min, max, any and all",
        "write a list, with square brackets",
    ),
}


def read_expression(node: ast.expr, scope: Scope) -> Expression:
    """Read a value. Noise is refused here: only a whole right side may draw it (`read_right_side`)."""
    place = scope.place(node)
    match node:
        case ast.Constant():
            return _constant(node, scope)
        case ast.Name(id=name):
            if name in scope.noise_names or name == scope.noise_vector:
                raise place.error(f"`{name}` cannot be used as a value", _of_noise(name, scope))
            return program.Name(place, name) if name in scope.local else program.Constant(place, scope.constant(node))
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as n)) if (
            1 <= n <= MOST_FACTORS and not isinstance(n, bool)
        ):
            product = read_expression(left, scope)
            for _ in range(n - 1):
                product = program.Arithmetic(place, "*", product, read_expression(left, scope))
            return product
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) not in OPERATORS:
                raise place.error(
                    f"`{ast.unparse(node)}`: this operator is not in the language",
                    hints.OPERATORS.get(type(op).__name__, "use + - * and /"),
                )
            operands = read_expression(left, scope), read_expression(right, scope)
            return program.Arithmetic(place, OPERATORS[type(op)], *operands)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return program.Negate(place, read_expression(operand, scope))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return program.Not(place, read_expression(operand, scope))
        case ast.UnaryOp():
            raise place.error(
                f"`{ast.unparse(node)}`: this operator is not in the language", "leave it out, or use - or `not`"
            )
        case ast.BoolOp(op=op, values=values):
            word = "and" if isinstance(op, ast.And) else "or"
            return program.Connective(place, word, tuple(read_expression(v, scope) for v in values))
        case ast.Compare():
            return _comparison(node, scope)
        case ast.IfExp(test=test, body=then, orelse=other):
            return program.Choice(place, *(read_expression(part, scope) for part in (test, then, other)))
        case ast.Tuple(elts=items) | ast.List(elts=items):
            is_list = isinstance(node, ast.List)
            if any(isinstance(item, ast.Starred) for item in items):
                return _joined(items, place, scope, is_list=is_list)
            return program.Sequence(place, tuple(read_expression(item, scope) for item in items), is_list)
        case ast.Set(elts=items):
            return program.IndexSet(place, tuple(read_expression(item, scope) for item in items))
        case ast.ListComp():
            return read_comprehension(node, "list", scope)
        case ast.SetComp():
            return read_comprehension(node, "set", scope)
        case ast.Subscript(slice=ast.Slice()):
            return _slice(node, scope)
        case ast.Subscript(value=sequence, slice=index):
            return program.Item(place, read_expression(sequence, scope), read_expression(index, scope))
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == scope.noise_vector:
            if name == "shift":
                raise place.error("H.shift is not called", "return H.shift(eta=1)")
            return program.NoiseValue(place, name)
        case ast.Attribute():
            hint = hints.ATTRIBUTES.get(node.attr, "use parameters and locals")
            if isinstance(node.value, ast.Name) and node.value.id in scope.noise_names:
                hint = f"call it: eta = {node.value.id}.laplace(…)"
            raise place.error(f"`{ast.unparse(node)}`: attributes are not in the language", hint)
        case ast.Call():
            return calls.read_call(node, scope)
    what, hint = REFUSED.get(
        type(node), (f"`{ast.unparse(node)}`", "expressions are arithmetic, comparisons, calls and comprehensions")
    )
    if isinstance(node, ast.Dict) and scope.noise_vector:
        hint = f"return {scope.noise_vector}.shift(eta=1), with a name for each draw that is shifted"
    raise place.error(f"{what} is not in the language", hint)


def _slice(node: ast.Subscript, scope: Scope) -> Expression:
    """``v[low:high]``, as what Python means by it: the items from ``low`` to ``high``, both clipped to the list."""
    place, cut = scope.place(node), node.slice
    assert isinstance(cut, ast.Slice)
    if cut.step is not None:
        example = f"[v[i] for i in range(len(v)) if i % {ast.unparse(cut.step)} == 0]"
        raise place.error("a slice with a step is not in the language", f"write it as a comprehension: {example}")
    if not isinstance(node.value, ast.Name | ast.Attribute | ast.Subscript) or _cuts(node.value):
        raise place.error("a slice of a list that has no name is not in the language", "assign the list first: v = …")
    name = unused_name(node, scope)

    def length() -> Expression:
        return program.Builtin(place, "len", (read_expression(node.value, scope),))

    def clipped(end: ast.expr | None, otherwise: Expression, *, first: bool = False) -> Expression:
        """A position of a slice: from 0 on it is at most the length, below 0 it counts from the end.

        The ``first`` one need not be cut off at the length, since no range from there on has numbers.
        """
        if end is None:
            return otherwise
        within = read_expression(end, scope)
        if not first:
            within = program.Builtin(place, "min", (within, length()))
        if isinstance(end, ast.Constant) or _at_least_0(end, scope):
            return within
        zero = program.Constant(place, 0)
        added = program.Arithmetic(place, "+", read_expression(end, scope), length())
        from_end = program.Builtin(place, "max", (added, zero))
        if isinstance(end, ast.UnaryOp) and isinstance(end.op, ast.USub) and isinstance(end.operand, ast.Constant):
            return from_end if end.operand.value else within
        return program.Choice(place, program.Compare(place, ">=", read_expression(end, scope), zero), within, from_end)

    ends = clipped(cut.lower, program.Constant(place, 0), first=True), clipped(cut.upper, length())
    item = program.Item(place, read_expression(node.value, scope), program.Name(place, name))
    return program.Comprehension(place, "list", item, name, program.Builtin(place, "range", ends), ())


def unused_name(node: ast.AST, scope: Scope) -> str:
    """A name for a variable that the program does not have: neither the function nor the part of it has this name."""
    read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | scope.local
    return next(x + str(n or "") for n in range(len(read) + 1) for x in "ijk" if x + str(n or "") not in read)


def _at_least_0(node: ast.expr, scope: Scope) -> bool:
    """Whether an expression is a number of at least 0 by how it is written, wherever it is whole."""
    match node:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int(value)):
            return value >= 0
        case ast.Name(id=name):
            return name in scope.counted
        case ast.BinOp(op=ast.Add() | ast.Mult() | ast.FloorDiv() | ast.Mod(), left=left, right=right):
            return _at_least_0(left, scope) and _at_least_0(right, scope)
        case ast.Call(func=ast.Name(id=name) as function, args=args, keywords=[]) if name not in scope.local:
            known = [_at_least_0(x, scope) for x in args]
            match scope.builtin(function):
                case "len":
                    return True
                case "max":
                    return len(known) > 1 and any(known)
                case "min":
                    return len(known) > 1 and all(known)
    return False


def _cuts(node: ast.expr) -> bool:
    return isinstance(node, ast.Subscript) and (isinstance(node.slice, ast.Slice) or _cuts(node.value))


def _of_noise(name: str, scope: Scope) -> str:
    if name == scope.noise_vector:
        return f"end with return {name}.shift(eta=…); a draw is read as {name}.eta"
    return "draw from it, or pass it to a function of your own"


def read_iterable(node: ast.expr, scope: Scope) -> Expression:
    """Read what is iterated on the spot: only here are range, zip and enumerate allowed."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return calls.read_call(node, scope, iterated=True)
    return read_expression(node, scope)


def read_right_side(node: ast.expr, name: str | None, scope: Scope) -> Expression:
    """Read a value that is assigned (to a single name), yielded or returned: the only place where noise may be drawn.

    A draw is the whole right side of an assignment, or the element of a list there. So is a call of a function that
    draws, which may also be the whole value that is yielded or returned.
    """
    if name is not None and calls.is_draw(node, scope):
        return calls.read_draw(node, name, scope)
    if isinstance(node, ast.Call) and calls.passes_noise(node, scope):
        return calls.read_call(node, scope, noise=True)
    if name is not None and isinstance(node, ast.ListComp):
        return read_comprehension(node, "list", scope, draw=name)
    return read_expression(node, scope)


def read_comprehension(
    node: ast.ListComp | ast.GeneratorExp | ast.SetComp, form: str, scope: Scope, draw: str | None = None
) -> program.Comprehension:
    """Read a comprehension of one `for`; where ``draw`` is given, its element may be a draw of that name."""
    place = scope.place(node)
    if len(node.generators) != 1:
        raise place.error("a comprehension with more than one `for` is not in the language", "use one, or a loop")
    clause = node.generators[0]
    if clause.is_async:
        raise place.error("`async` is not in the language", "write a plain `for`")
    iterable = read_iterable(clause.iter, scope)
    target = read_target(clause.target, scope)
    inside = replace(scope, local=scope.local | frozenset(target_names(target)))
    filters = tuple(read_expression(f, inside) for f in clause.ifs)
    if draw is not None and calls.is_draw(node.elt, inside):
        element: Expression = calls.read_draw(node.elt, draw, inside)
    elif draw is not None and isinstance(node.elt, ast.Call) and calls.passes_noise(node.elt, inside):
        element = calls.read_call(node.elt, inside, noise=True)
    else:
        element = read_expression(node.elt, inside)
    return program.Comprehension(place, form, element, target, iterable, filters)


def _joined(items: list[ast.expr], place: Place, scope: Scope, *, is_list: bool) -> program.Joined:
    """Read a display with unpacked sequences; each run of single items between them becomes a sequence too."""
    parts: list[Expression] = []
    for starred, run in itertools.groupby(items, lambda item: isinstance(item, ast.Starred)):
        if starred:
            parts += [read_expression(item.value, scope) for item in run if isinstance(item, ast.Starred)]
        else:
            parts.append(program.Sequence(place, tuple(read_expression(item, scope) for item in run)))
    return program.Joined(place, tuple(parts), is_list)


def _constant(node: ast.Constant, scope: Scope) -> program.Constant:
    place = scope.place(node)
    value = node.value
    if isinstance(value, bool | int):
        return program.Constant(place, value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise place.error("a number that is not finite", "use a finite number")
        if not _as_written(place, value):
            raise place.error(
                f"Python rounds this number to {value!r}", f"write {value!r}, or a fraction of two whole numbers"
            )
        return program.Constant(place, Fraction(repr(value)), decimal=True)
    if value is None:
        raise place.error("`None` is not in the language", "use a tag for this case, such as `return BELOW`")
    what = "a string" if isinstance(value, str) else f"`{value!r}`"
    raise place.error(
        f"{what} is not in the language", 'outputs are numbers and tags: NAME = Tag("NAME") at the top of the file'
    )


def _as_written(place: Place, value: float) -> bool:
    """Whether a float prints as the decimal that was written: the program is read as it is written."""
    written = place.source.text(place.line)[place.column : place.end_column]
    try:
        return not written or Decimal(written) == Decimal(repr(value))
    except ArithmeticError:
        return False


def _comparison(node: ast.Compare, scope: Scope) -> Expression:
    place = scope.place(node)
    operands = [read_expression(x, scope) for x in (node.left, *node.comparators)]
    links: list[Expression] = [
        program.Compare(place, COMPARISONS[type(op)], left, right)
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False)
    ]
    return links[0] if len(links) == 1 else program.Connective(place, "and", tuple(links))
