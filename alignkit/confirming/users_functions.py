"""The user's own functions, made to run on symbolic numbers.

Python itself is the evaluator. The syntax tree is changed for three things only: divisions are exact and decimals are
fractions; every iteration is counted; and a noise source that is handed on, or drawn from, knows the place. Names from
alignkit are replaced by what this room brings. The code that is changed must first compile to what runs.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import textwrap
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from alignkit.confirming.normal_forms import NotExaminedError, divided
from alignkit.confirming.worlds import Functions

DISTRIBUTIONS = {
    "laplace", "exponential", "geometric", "discrete_laplace", "geometric_base2", "discrete_laplace_base2", "gumbel",
    "logistic", "choice",
}  # fmt: skip

_OUTER = "__around"
# What Python's own functions may be given here; the others meet a symbolic number by an error of their own.
_SAFE = {
    "abs", "all", "any", "bool", "dict", "enumerate", "frozenset", "int", "len", "list", "max", "min", "pow",
    "range", "reversed", "round", "set", "sorted", "sum", "tuple", "zip",
}  # fmt: skip


# What runs the call of a mechanism: the mechanism, its function, and the arguments.
Caller: TypeAlias = Callable[[Any, Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]


class Mark:
    """A tag of an output."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


class Names:
    """What the names in users' functions stand for in one world."""

    def __init__(self, functions: Functions, call: Caller) -> None:
        self._functions = functions
        self._call = call
        self._marks: dict[str, Mark] = {}
        self._made: dict[int, tuple[Any, Any]] = {}
        self._namespaces: list[dict[str, Any]] = []
        self._parts: dict[Any, Callable[..., Any]] = {}

    def function(self, python: Any) -> Callable[..., Any]:
        """A user's function, to run on symbolic numbers."""
        return self._translated(python, python.__name__)  # type: ignore[no-any-return]

    def in_part(self, python: Any, part_of: Callable[[Any], ast.FunctionDef]) -> Callable[..., Any]:
        """A part of a user's function, made once."""
        key = part_of.__name__, python
        if key not in self._parts:
            self._parts[key] = self.compiled(python, part_of(python))
        return self._parts[key]

    def close(self) -> None:
        """Let go of the functions, each of which stands among the names that it reads."""
        for names in self._namespaces:
            names.clear()
        self._made.clear()
        self._parts.clear()
        self._call = _closed

    def _translated(self, value: Any, name: str) -> Any:
        if id(value) in self._made:
            return self._made[id(value)][1]
        kind = type(value)
        if value is None or kind in (bool, int, str, Fraction):
            return value
        if kind is float:
            return Fraction(repr(value))
        if kind in (tuple, list):
            return kind(self._translated(part, name) for part in value)
        if kind.__name__ == "Tag" and kind.__module__.split(".")[0] == "alignkit":
            return self._marks.setdefault(value.name, Mark(value.name))
        if kind is FunctionType or callable(getattr(value, "__wrapped__", None)):
            language = vars(sys.modules["alignkit.language.functions"]).values()
            if any(function is value for function in language):
                own = getattr(self._functions, value.__name__, None)
                if own is None:
                    raise NotExaminedError(f"the function {value.__name__}")
                return own
            if kind is FunctionType:
                return self.compiled(value, tree_of(value), keep=True)
        if hasattr(value, "python") and hasattr(value, "draws"):
            return self._mechanism(value)
        if getattr(builtins, name, None) is value and name in _SAFE:
            return value
        raise NotExaminedError(f"the name `{name}`, which stands for a {kind.__name__}")

    def _mechanism(self, mechanism: Any) -> Callable[..., Any]:
        def calling(*arguments: Any, **named: Any) -> Any:
            return self._call(mechanism, self.function(mechanism.python), arguments, named)

        self._made[id(mechanism)] = mechanism, calling
        return calling

    rewriting: type[Rewriting]
    # What the rewritten code finds under the names of Python's own functions, and under those of its own.
    own: Mapping[str, Any] = {"__divided": divided, "__decimal": Fraction, "__counted": enumerate}

    def compiled(self, python: FunctionType, tree: ast.FunctionDef, *, keep: bool = False) -> FunctionType:
        """A function, or a part of one, that finds around it what a user's function finds; kept if it is the whole."""
        replaced = python.__globals__.get("__builtins__", builtins)
        if replaced is not builtins and replaced is not builtins.__dict__:
            raise NotExaminedError("built-in functions that a module replaces")
        code = compile(self.rewriting(tree).module(_around(tree, python)), f"<{python.__name__}>", "exec")
        names: dict[str, Any] = {"__builtins__": builtins.__dict__, "__at": _at, **self.own}
        self._namespaces.append(names)
        found: dict[str, Any] = {}
        exec(code, names, found)
        cells = (cell.cell_contents for cell in python.__closure__ or ())
        closure = dict(zip(python.__code__.co_freevars, cells, strict=True))
        made: FunctionType = found[_OUTER](*closure)
        if keep:
            self._made[id(python)] = python, made
        for cell, name in zip(made.__closure__ or (), made.__code__.co_freevars, strict=True):
            cell.cell_contents = self._translated(closure[name], name)
        for name in _names_in(python.__code__):
            if name in python.__globals__:
                names[name] = self._translated(python.__globals__[name], name)
            elif hasattr(builtins, name) and name not in _SAFE and name in _globals_in(python.__code__):
                raise NotExaminedError(f"the function {name}")
        made.__defaults__ = tuple(self._translated(value, "a default") for value in python.__defaults__ or ()) or None
        made.__kwdefaults__ = {n: self._translated(v, n) for n, v in (python.__kwdefaults__ or {}).items()} or None
        return made


def _closed(*_: Any) -> Any:
    raise NotExaminedError("a call after the end of a run")


def _at(value: Any, *place: Any) -> Any:
    at = getattr(value, "at_place", None)
    return value if at is None else at(*place)


def tree_of(python: FunctionType) -> ast.FunctionDef:
    try:
        text = textwrap.dedent(inspect.getsource(python))
        module = ast.parse(text)
    except (OSError, TypeError, SyntaxError, IndentationError):
        raise NotExaminedError(f"the source of {python.__name__} cannot be read") from None
    tree = module.body[0]
    if len(module.body) != 1 or not isinstance(tree, ast.FunctionDef):
        raise NotExaminedError(f"the source of {python.__name__} is not one function")
    tree.decorator_list = []
    tree.returns = None
    tree.args.defaults = [ast.Constant(None) for _ in tree.args.defaults]
    tree.args.kw_defaults = [d and ast.Constant(None) for d in tree.args.kw_defaults]
    for argument in [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs, tree.args.vararg, tree.args.kwarg]:
        if argument is not None:
            argument.annotation = None
    for node in ast.walk(tree):
        names = [node.id] if isinstance(node, ast.Name) else [node.attr] if isinstance(node, ast.Attribute) else []
        if any(name.startswith("__") for name in names):
            raise NotExaminedError(f"the name `{names[0]}`")
        if isinstance(node, ast.While | ast.Global | ast.Nonlocal | ast.Import | ast.ImportFrom | ast.Try | ast.With):
            raise NotExaminedError(f"a statement `{type(node).__name__.lower()}`")
    compiled = compile(ast.fix_missing_locations(_around(tree, python)), "<as read>", "exec")
    inner = next(c for c in compiled.co_consts if isinstance(c, CodeType))
    if not _same(next(c for c in inner.co_consts if isinstance(c, CodeType)), python.__code__):
        raise NotExaminedError(f"the source of {python.__name__} is not what runs")
    return tree


def _around(tree: ast.FunctionDef, python: FunctionType) -> ast.Module:
    """The function inside another one, whose parameters are the names that it takes from around it."""
    arguments = [ast.arg(arg=name) for name in python.__code__.co_freevars]
    outer = ast.FunctionDef(
        name=_OUTER,
        args=ast.arguments(posonlyargs=[], args=arguments, kwonlyargs=[], kw_defaults=[], defaults=[]),
        body=[tree, ast.Return(ast.Name(tree.name, ast.Load()))],
        decorator_list=[],
    )
    return ast.fix_missing_locations(ast.Module(body=[outer], type_ignores=[]))


def _same(one: CodeType, other: CodeType) -> bool:
    """Whether two code objects do the same."""

    def parts(code: CodeType) -> Any:
        constants = [c if not isinstance(c, CodeType) else None for c in code.co_consts]
        return (code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
                code.co_argcount, code.co_flags & 0x2F, [(type(c), repr(c)) for c in constants])  # fmt: skip

    inner, inner_ = ([c for c in code.co_consts if isinstance(c, CodeType)] for code in (one, other))
    return parts(one) == parts(other) and len(inner) == len(inner_) and all(map(_same, inner, inner_))


def _names_in(code: CodeType) -> set[str]:
    return set(code.co_names).union(*(_names_in(c) for c in code.co_consts if isinstance(c, CodeType)))


def _globals_in(code: CodeType) -> set[str]:
    import dis

    own = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return own.union(*(_globals_in(c) for c in code.co_consts if isinstance(c, CodeType)))


class Rewriting(ast.NodeTransformer):
    """Makes divisions exact, counts iterations, and tells noise sources where they are."""

    def __init__(self, tree: ast.FunctionDef) -> None:
        arguments = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
        self._parameters = {argument.arg for argument in arguments}
        self._counters: list[str] = []
        self._made = 0
        self._target = ""

    def module(self, module: ast.Module) -> ast.Module:
        """The module with its function rewritten."""
        return ast.fix_missing_locations(self.visit(module))  # type: ignore[no-any-return]

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if type(node.value) is float:
            return called("__decimal", ast.Constant(repr(node.value)))
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return called("__divided", node.left, node.right) if isinstance(node.op, ast.Div) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if isinstance(node.op, ast.Div) and isinstance(node.target, ast.Name):
            value = ast.BinOp(ast.Name(node.target.id, ast.Load()), ast.Div(), node.value)
            return self.visit_Assign(ast.Assign([node.target], value))
        if not isinstance(node.target, ast.Name):
            raise NotExaminedError("an assignment to a part of a value")
        self.generic_visit(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        target = node.targets[0]
        for one in node.targets:
            if not all(isinstance(part, ast.Name | ast.Tuple | ast.expr_context) for part in ast.walk(one)):
                raise NotExaminedError("an assignment to a part of a value")
        before = self._target
        self._target = target.id if isinstance(target, ast.Name) and len(node.targets) == 1 else ""
        self.generic_visit(node)
        self._target = before
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None or not isinstance(node.target, ast.Name):
            raise NotExaminedError("a declaration without a value")
        return self.visit_Assign(ast.Assign([node.target], node.value, lineno=node.lineno))

    def visit_For(self, node: ast.For) -> ast.stmt:
        node.iter = self.visit(node.iter)
        counter = self._counter()
        node.target = ast.Tuple([ast.Name(counter, ast.Store()), node.target], ast.Store())
        node.iter = called("__counted", node.iter)
        self._counters.append(counter)
        node.body = [self.visit(statement) for statement in node.body]
        self._counters.pop()
        node.orelse = [self.visit(statement) for statement in node.orelse]
        return node

    def _comprehension(self, node: Any) -> Any:
        made = []
        for generator in node.generators:
            generator.iter = self.visit(generator.iter)
            counter = self._counter()
            generator.target = ast.Tuple([ast.Name(counter, ast.Store()), generator.target], ast.Store())
            generator.iter = called("__counted", generator.iter)
            self._counters.append(counter)
            made.append(counter)
            generator.ifs = [self.visit(condition) for condition in generator.ifs]
        for part in ("elt", "key", "value"):
            if hasattr(node, part):
                setattr(node, part, self.visit(getattr(node, part)))
        del self._counters[len(self._counters) - len(made) :]
        return node

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _comprehension

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function, place = node.func, (node.lineno, node.col_offset)
        drawn = isinstance(function, ast.Attribute) and function.attr in DISTRIBUTIONS
        if drawn and isinstance(function.value, ast.Name) and function.value.id in self._parameters:  # type: ignore[attr-defined]
            node.func.value = self._placed(function.value, place, self._target)  # type: ignore[attr-defined]
            before, self._target = self._target, ""
            node.args = [self.visit(argument) for argument in node.args]
            node.keywords = [self.visit(keyword) for keyword in node.keywords]
            self._target = before
            return node
        node.args = [self._argument(argument, place) for argument in node.args]
        for keyword in node.keywords:
            keyword.value = self._argument(keyword.value, place)
        node.func = self.visit(function)
        return node

    def _argument(self, argument: ast.expr, place: tuple[int, int]) -> ast.expr:
        if isinstance(argument, ast.Name) and argument.id in self._parameters:
            return self._placed(argument, place, "")
        return self.visit(argument)  # type: ignore[no-any-return]

    def _placed(self, name: ast.Name, place: tuple[int, int], target: str) -> ast.expr:
        counters = ast.Tuple([ast.Name(counter, ast.Load()) for counter in self._counters], ast.Load())
        return called("__at", name, ast.Constant(f"{place[0]}:{place[1]}"), ast.Constant(target), counters)

    def _counter(self) -> str:
        self._made += 1
        return f"__round{self._made}"


Names.rewriting = Rewriting


def called(name: str, *arguments: ast.expr) -> ast.Call:
    """The call of a function by its name."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
