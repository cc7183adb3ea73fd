"""A function's source changed so that what a loop does not change is computed once, before the loop.

Sampling spends its time in loops over the queries, most of it in arithmetic of Fractions that gives the same number in
every iteration. For each loop, and each list or other comprehension, these move in front of it:

* expressions whose names the loop does not assign;
* the conversion to a float of a number that the loop adds to a float, and of one that it compares with a float;
* the check of the parameters of a draw.

A comparison such as ``cost > eps - eps1``, whose names change in some iterations only, is evaluated again only when
they have changed. The values are the same to the last bit. Where anything fails in front of a loop, the loop runs as it
was written, so that an error arises where it would have, or not at all.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from alignkit.errors import AlignkitError
from alignkit.noise import DISTRIBUTIONS
from alignkit.running.exact_source import DIVIDE, EXACT, called, copied, own_name
from alignkit.running.float_inference import ARITHMETIC, FloatNames, drawn_from, float_names, operands
from alignkit.running.float_operands import as_float, ceiling, floor

_NEVER, _FAILURES = own_name("never"), own_name("failures")
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def _scale(noise: Any, name: str, *parameters: Any) -> Any:
    return noise.scale(DISTRIBUTIONS[name], *parameters)


def _standard(noise: Any, name: str) -> Any:
    return noise.standard(DISTRIBUTIONS[name])


def _on_lattice(noise: Any, name: str, *parameters: Any) -> Any:
    return noise.on_lattice(DISTRIBUTIONS[name], *parameters)


def _name(function: Callable[..., Any]) -> str:
    return own_name(function.__name__)


HELPERS: dict[str, Any] = {
    _NEVER: object(),
    _FAILURES: (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError, AlignkitError),
    **{_name(f): f for f in (as_float, ceiling, floor, _scale, _standard, _on_lattice)},
}
"""What a changed function calls, by the names that it uses for them."""

# What decides as an exact number does, where a float stands on the left and where on the right.
_BOUNDS: dict[type[ast.cmpop], tuple[Callable[..., Any], Callable[..., Any]]] = {
    ast.GtE: (ceiling, floor),
    ast.Lt: (ceiling, floor),
    ast.LtE: (floor, ceiling),
    ast.Gt: (floor, ceiling),
}


def before_loops(function: ast.FunctionDef, pure: Iterable[str]) -> ast.FunctionDef:
    """The function, changed in place. ``pure`` has the names of functions that always give the same for the same."""
    function.body = _Statements(float_names(function), frozenset([*pure, DIVIDE, EXACT])).changed(function.body)
    return function


class _Statements:
    """The statements of one function; the names made for it are numbered."""

    def __init__(self, floats: FloatNames, pure: frozenset[str]) -> None:
        self.floats = floats
        self.pure = pure
        self.numbers = itertools.count(1)

    def changed(self, block: list[ast.stmt]) -> list[ast.stmt]:
        return [new for statement in block for new in self._statement(statement)]

    def _statement(self, statement: ast.stmt) -> list[ast.stmt]:
        if isinstance(statement, ast.For):
            return self._loop(statement)
        if isinstance(statement, ast.If):
            statement.body, statement.orelse = self.changed(statement.body), self.changed(statement.orelse)
        elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return | ast.Expr):
            return self._comprehensions(statement)
        return [statement]

    def _loop(self, loop: ast.For) -> list[ast.stmt]:
        as_written = copied(loop)
        moving = _Moving(self, changes=_stored(loop), each_time=frozenset(_stored_each_time(loop)))
        loop.body = self.changed([moving.visit(statement) for statement in loop.body])
        return moving.guarded(loop, as_written)

    def _comprehensions(self, statement: ast.stmt) -> list[ast.stmt]:
        as_written = copied(statement)
        moving = _Moving(self, changes=_stored(statement))
        for node in ast.walk(statement):
            if isinstance(node, _COMPREHENSIONS):
                moving.change_items(node)
        return moving.guarded(statement, as_written)


class _Moving(ast.NodeTransformer):
    """What moves in front of one loop; its ``changes`` are the names that the loop assigns.

    Comparisons are remembered where ``each_time`` has the names that change in every iteration.
    """

    def __init__(self, within: _Statements, changes: frozenset[str], each_time: frozenset[str] | None = None) -> None:
        self.within = within
        self.changes = changes
        self.each_time = each_time
        self.moved: list[ast.stmt] = []
        self.known: dict[str, str] = {}

    def guarded(self, loop: ast.stmt, as_written: ast.stmt) -> list[ast.stmt]:
        """The statement after what moved; as it was written where that fails."""
        if not self.moved:
            return [loop]
        failed = self._new_name()
        assign = [self._assign(failed, ast.Constant(value)) for value in (True, False)]
        handler = ast.ExceptHandler(ast.Name(_FAILURES, ast.Load()), None, [assign[0]])
        choice = ast.If(ast.Name(failed, ast.Load()), [as_written], [loop])
        new = [ast.Try([*self.moved, assign[1]], [handler], [], []), choice]
        return [ast.fix_missing_locations(ast.copy_location(each, loop)) for each in new]

    def change_items(self, node: ast.expr) -> None:
        """Change the items and the conditions of a comprehension; what it goes through is computed once in any case."""
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, self.visit(value))
        for generator in cast(Any, node).generators:
            generator.ifs = [self.visit(condition) for condition in generator.ifs]

    def visit(self, node: ast.AST) -> Any:
        if not isinstance(node, ast.expr):
            return self.generic_visit(node)
        if isinstance(node, (*_COMPREHENSIONS, ast.Lambda)):
            return self._without_memory(node)
        if self._stays(node):
            return node if isinstance(node, ast.Name | ast.Constant) else self._before(node)
        name = drawn_from(node)
        if name is not None:
            return self._draw(cast(ast.Call, node), name)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._comparison(node)
        if operands(node) is not None:
            return self._arithmetic(node)
        return self.generic_visit(node)

    def _without_memory(self, node: ast.expr) -> Any:
        """The node, in which comparisons are not remembered: it has names of its own."""
        each_time, self.each_time = self.each_time, None
        node = cast(ast.expr, self.generic_visit(node))
        self.each_time = each_time
        return node

    def _stays(self, node: ast.expr) -> bool:
        """Whether the loop does not change an expression that computes with numbers."""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Name):
            return node.id not in self.changes
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.USub | ast.UAdd) and self._stays(node.operand)
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ARITHMETIC) and self._stays(node.left) and self._stays(node.right)
        if isinstance(node, ast.Compare):
            plain = len(node.ops) == 1 and isinstance(node.ops[0], _COMPARISONS)
            return plain and self._stays(node.left) and self._stays(node.comparators[0])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            name = node.func.id
            return name in self.within.pure and name not in self.changes and all(map(self._stays, node.args))
        return False

    def _draw(self, node: ast.Call, name: str) -> ast.expr:
        source = cast(ast.Attribute, node.func).value
        if node.keywords or not all(map(self._stays, [source, *node.args])):
            return cast(ast.expr, self.generic_visit(node))
        named: list[ast.expr] = [source, ast.Constant(name)]
        if not DISTRIBUTIONS[name].by_scale:
            drawing = self._before(called(_name(_on_lattice), [*named, *node.args], node))
            return ast.copy_location(ast.Call(drawing, [], []), node)
        scale = self._before(called(_name(_scale), [*named, *node.args], node))
        drawing = self._before(called(_name(_standard), named, node))
        value = ast.copy_location(ast.Call(drawing, [], []), node)
        return ast.copy_location(ast.BinOp(scale, ast.Mult(), value), node)

    def _arithmetic(self, node: ast.expr) -> ast.expr:
        left, right = cast(tuple[ast.expr, ast.expr], operands(node))
        is_float = self.within.floats.is_float
        left_, right_ = is_float(left), is_float(right)
        new_left = self._met(as_float, left) if right_ and not left_ else self.visit(left)
        new_right = self._met(as_float, right) if left_ and not right_ else self.visit(right)
        if isinstance(node, ast.BinOp):
            node.left, node.right = new_left, new_right
        elif left_ or right_:  # the quotient of two whole numbers alone needs the exact division
            return ast.copy_location(ast.BinOp(new_left, ast.Div(), new_right), node)
        else:
            cast(ast.Call, node).args = [new_left, new_right]
        return node

    def _comparison(self, node: ast.Compare) -> ast.expr:
        left, right, bounds = node.left, node.comparators[0], _BOUNDS.get(type(node.ops[0]))
        left_, right_ = self.within.floats.is_float(left), self.within.floats.is_float(right)
        node.left = self._met(bounds[1], left) if bounds and right_ and not left_ else self.visit(left)
        node.comparators = [self._met(bounds[0], right) if bounds and left_ and not right_ else self.visit(right)]
        return node if left_ or right_ else self._remembered(node)

    def _met(self, conversion: Callable[..., Any], node: ast.expr) -> ast.expr:
        """An operand that meets a float, converted before the loop where the loop does not change it."""
        if isinstance(node, ast.Constant) or not self._stays(node):
            return cast(ast.expr, self.visit(node))
        return self._before(called(_name(conversion), [node], node))

    def _remembered(self, node: ast.Compare) -> ast.expr:
        """A comparison with its last outcome, which holds while its names stand for the same values."""
        sides = [node.left, node.comparators[0]]
        if self.each_time is None or not isinstance(node.ops[0], _COMPARISONS):
            return node
        if not all(isinstance(side, ast.Name | ast.Constant) for side in sides):
            return node
        names = [side.id for side in sides if isinstance(side, ast.Name) and side.id in self.changes]
        if len(names) != 1 or names[0] in self.each_time:
            return node
        last, outcome = self._new_name(), self._new_name()
        self.moved += [self._assign(last, ast.Name(_NEVER, ast.Load())), self._assign(outcome, ast.Constant(False))]
        same = ast.Compare(ast.Name(names[0], ast.Load()), [ast.Is()], [ast.Name(last, ast.Load())])
        kept: list[ast.expr] = [
            ast.NamedExpr(ast.Name(last, ast.Store()), side)
            if isinstance(side, ast.Name) and side.id == names[0]
            else side
            for side in sides
        ]
        compared = ast.Compare(kept[0], node.ops, kept[1:])
        anew = ast.NamedExpr(ast.Name(outcome, ast.Store()), compared)
        return ast.copy_location(ast.IfExp(same, ast.Name(outcome, ast.Load()), anew), node)

    def _before(self, node: ast.expr) -> ast.expr:
        """A name for the value of an expression before the loop."""
        key = ast.dump(node)
        if key not in self.known:
            self.known[key] = self._new_name()
            self.moved.append(self._assign(self.known[key], node))
        return ast.copy_location(ast.Name(self.known[key], ast.Load()), node)

    def _new_name(self) -> str:
        return own_name(next(self.within.numbers))

    def _assign(self, name: str, value: ast.expr) -> ast.stmt:
        return ast.Assign([ast.Name(name, ast.Store())], value)


def _stored(node: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _stored_each_time(loop: ast.For) -> Iterator[str]:
    """The names that an iteration of the loop, or of one in it, assigns whichever way it goes."""
    for inner in ast.walk(loop):
        if not isinstance(inner, ast.For):
            continue
        yield from _stored(inner.target)
        for statement in inner.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
                yield from _stored(statement)
