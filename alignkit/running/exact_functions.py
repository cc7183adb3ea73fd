"""The user's own function with exact arithmetic, and with the names it uses as they were when it was read.

A function is read where it is defined, with all that it uses, and compiled where it is first run.

Python divides two whole numbers to a float and reads 0.1 as a float. The function's source is compiled once more
with those two read exactly, and with powers as the products that they are read as, which differ from Python's in the
last bit of a float; its lines stay the same, so that a debugger and a traceback point to the user's file.
Every name from outside is bound to what it stood for when the function was read: rebinding a global later does
not make a run differ from what was proved.

The names of what exact source calls in the place of operators and constants of Python.
"""

from __future__ import annotations

import ast
import functools
import inspect
import operator
import warnings
from collections.abc import Callable, Mapping, Sized
from dataclasses import dataclass, field
from fractions import Fraction
from types import FunctionType
from typing import Any

from alignkit.language.kinds import Callee
from alignkit.language.program import Call, Function, MechanismCall, Source, walk
from alignkit.language.reader import function_of_the_language
from alignkit.language.source_code import read_source
from alignkit.noise import DISTRIBUTIONS


def own_name(word: object) -> str:
    """A name for something generated. It has a space, so that no name in a user's source is the same."""
    return f"alignkit {word}"


DIVIDE, DRAWS, EXACT, FUNCTION, POWER = map(own_name, ("divide", "draws", "exact", "function", "power"))


def called(name: str, arguments: list[ast.expr], at: ast.AST) -> ast.Call:
    """A call of the function of a name, at the place of another node."""
    call = ast.Call(ast.Name(name, ast.Load()), arguments, [])
    ast.copy_location(call, at)
    ast.copy_location(call.func, at)
    return call


def copied(tree: Any) -> Any:
    """A copy of a syntax tree by its fields.

    All of Python's trees share nodes such as ``Load()``. IPython's tracebacks attach trees of their own to these nodes,
    and copy.deepcopy would copy them again at every such node.
    """
    if isinstance(tree, list):
        return [copied(item) for item in tree]
    if not isinstance(tree, ast.AST):
        return tree
    fields = {name: copied(value) for name, value in ast.iter_fields(tree)}
    return ast.copy_location(type(tree)(**fields), tree)


@dataclass(frozen=True, eq=False)
class FunctionAsRead:
    """A function as it was when it was read: its definition, and what the names in it stood for.

    ``values`` are those of its names from outside, but for the functions that it calls, the ``helpers``.
    """

    python: FunctionType
    definition: ast.FunctionDef = field(repr=False)
    source: Source = field(repr=False)
    values: Mapping[str, Any] = field(repr=False)
    helpers: Mapping[str, FunctionAsRead] = field(repr=False)
    mechanisms: frozenset[str] = field(default=frozenset(), repr=False)  # of the helpers

    def compiled(self, *, at_once: bool = False) -> Callable[..., Any]:
        """The function to run where results must be exact; the functions it calls are exact too.

        With ``at_once`` a list of draws with the same parameters, ``[noise.laplace(1 / eps) for q_i in q]``, is taken
        from the noise in one call, ``noise.many``: for runs of many draws.
        """
        return _recompiled(self, {}, at_once)


def function_as_read(program: Function) -> FunctionAsRead:
    """The function that was read as a program, with those that it calls: what it will run whatever is replaced later.

    >>> from alignkit.mechanisms.sparse_vector import sparse_vector
    >>> function_as_read(sparse_vector.program).compiled().__name__
    'sparse_vector'
    """
    return _read(program, {})


def _read(program: Function, read: dict[Any, FunctionAsRead]) -> FunctionAsRead:
    """The function, and those that it calls; ``read`` holds all that have been met already."""
    python = program.python
    if python in read:
        return read[python]
    definition, source = read_source(python)
    nodes = (node for statement in program.body for node in walk(statement))
    called = {node.function.python: node.function for node in nodes if isinstance(node, Call | MechanismCall)}
    # No name is looked up once more: what it stands for is what the program was made of.
    found = dict(program.globals_read)
    helpers = {name: _read(called[_function(value)], read) for name, value in found.items() if _is_helper(value)}
    mechanisms = frozenset(name for name in helpers if isinstance(found[name], Callee))
    values = {name: value for name, value in found.items() if name not in helpers}
    read[python] = FunctionAsRead(python, definition, source, values, helpers, mechanisms)
    return read[python]


def divide(left: Any, right: Any) -> Any:
    """``left / right``, a Fraction for two whole numbers.

    >>> divide(1, 3), divide(1.0, 4)
    (Fraction(1, 3), 0.25)
    """
    one, other = type(left), type(right)
    if (one is int or one is Fraction) and (other is int or other is Fraction):
        return _quotient(left.numerator, left.denominator, right.numerator, right.denominator)
    if isinstance(left, int) and isinstance(right, int):
        return Fraction(left, right)
    return left / right


@functools.lru_cache(maxsize=1024)  # a loop divides the same public numbers again and again
def _quotient(left: int, left_part: int, right: int, right_part: int) -> Fraction:
    return Fraction(left * right_part, left_part * right)


def _multiplied(base: Any, exponent: int) -> Any:
    """``base ** exponent`` for an exponent of at least 1, as the product that it is read as."""
    return functools.reduce(operator.mul, [base] * exponent)


class _Exactly(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return called(DIVIDE, [node.left, node.right], node)
        if isinstance(node.op, ast.Pow):
            return called(POWER, [node.left, node.right], node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div) and isinstance(node.target, ast.Name):
            left = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
            value = called(DIVIDE, [left, node.value], node)
            return ast.copy_location(ast.Assign([node.target], value), node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, float):
            text = ast.copy_location(ast.Constant(repr(node.value)), node)
            return called(EXACT, [text], node)
        return node


class _AtOnce(ast.NodeTransformer):
    """Lists of draws whose parameters are the same for every item."""

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.generic_visit(node)
        (over, *others), draw = node.generators, node.elt
        if others or over.ifs or not isinstance(over.iter, ast.Name) or not isinstance(draw, ast.Call) or draw.keywords:
            return node
        if not isinstance(draw.func, ast.Attribute) or draw.func.attr not in DISTRIBUTIONS:
            return node
        bound = {n.id for n in ast.walk(over.target) if isinstance(n, ast.Name)}
        if bound & {n.id for a in draw.args for n in ast.walk(a) if isinstance(n, ast.Name)}:
            return node
        # A function, since the parameters are not computed where there is no item.
        nothing = ast.arguments([], [], None, [], [], None, [])
        parameters = ast.Lambda(nothing, ast.Tuple(draw.args, ast.Load()))
        name = ast.Constant(draw.func.attr)
        return called(DRAWS, [draw.func.value, name, parameters, over.iter], node)


def _draw_many(noise: Any, name: str, parameters: Callable[[], tuple[Any, ...]], items: Sized) -> list[Any]:
    """A draw for each item, all from one distribution with the same parameters."""
    drawn: list[Any] = noise.many(name, len(items), *parameters()) if len(items) else []
    return drawn


def _recompiled(
    function: FunctionAsRead, recompiled: dict[FunctionType, Callable[..., Any]], at_once: bool
) -> Callable[..., Any]:
    """The function with its changes, and those that it calls; ``recompiled`` holds all that have them already."""
    python = function.python
    if python in recompiled:
        return recompiled[python]
    changed = _Exactly().visit(copied(function.definition))
    if at_once:
        changed = _AtOnce().visit(changed)
    # Python would bind the function's own name where it may stand for another function in its body.
    changed.name = FUNCTION
    changed.decorator_list = []
    changed.returns = None
    for argument in changed.args.args:
        argument.annotation = None
    changed.args.defaults = []
    changed.type_params = []
    helpers = {name: _recompiled(helper, recompiled, at_once) for name, helper in function.helpers.items()}
    for name in function.mechanisms & helpers.keys():
        if inspect.isgeneratorfunction(function.helpers[name].python):
            helpers[name] = _as_list(helpers[name])
    captured = {DIVIDE: divide, EXACT: Fraction, DRAWS: _draw_many, POWER: _multiplied, **function.values, **helpers}
    outer = ast.parse("def outer(): pass").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.args.args = [ast.arg(name) for name in captured]
    outer.body = [changed, ast.Return(ast.Name(FUNCTION, ast.Load()))]
    module = ast.fix_missing_locations(ast.Module([outer], []))
    scratch: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python has given its warnings at the import
        code = compile(module, function.source.file, "exec", dont_inherit=True)
    # The names that were read are all that it knows: it sees neither the module nor built-in functions.
    exec(code, {"__builtins__": {}, "__name__": python.__module__}, scratch)
    exact: FunctionType = scratch["outer"](**captured)
    name, full_name = function.definition.name, python.__code__.co_qualname
    exact.__code__ = exact.__code__.replace(co_name=name, co_qualname=full_name)  # for tracebacks
    exact.__name__, exact.__qualname__, exact.__doc__ = python.__name__, python.__qualname__, python.__doc__
    recompiled[python] = exact
    return exact


def _as_list(generator: Callable[..., Any]) -> Callable[..., list[Any]]:
    """What a mechanism that yields gives to another mechanism."""
    return lambda *arguments: list(generator(*arguments))


def _function(helper: Any) -> Any:
    return helper.python if isinstance(helper, Callee) else helper


def _is_helper(value: Any) -> bool:
    if isinstance(value, Callee):
        return True
    return isinstance(value, FunctionType) and function_of_the_language(value) is None
