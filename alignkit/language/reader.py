"""From a function's source to the typed program; whatever lies outside the language is an error here.

Statements of the language, from Python's syntax tree.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import itertools
import math
import numbers
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count
from types import FunctionType
from typing import Any

from alignkit.language import calls, expressions, functions, hints, program
from alignkit.language.calls import read_yield_from
from alignkit.language.hints import did_you_mean
from alignkit.language.kinds import Callee
from alignkit.language.program import Expression, Function, Place, Return, Source, Statement, walk
from alignkit.language.scope import Scope, instead_of_change, read_target, refuse_noise
from alignkit.language.source_code import parsed, read_source
from alignkit.language.tags import Tag
from alignkit.noise import DRAWS

# What is refused, and what to write instead; by name, since some are newer than the oldest Python.
REFUSED: dict[str, tuple[str, str]] = {
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
        case ast.While():
            return _while(node, scope)
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


def _while(node: ast.While, scope: Scope) -> Statement:
    """A `while` that counts up to a fixed end, read as the `for` over a range that does the same; others are refused.

    ``while i < end and rest:`` adds a whole number of at least 1 to i in every iteration, and changes no name of
    ``end``: so no more than end - i iterations begin, and after as many i is no longer below the end. Where the last
    statement adds 1 and no other assigns i, its values are those of the range, of which it becomes the variable.
    """
    place = scope.place(node)
    if node.orelse:
        raise scope.place(node.orelse[0]).error("`while … else` is not in the language", "put the code after the loop")
    tests = node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And) else [node.test]
    plain = (ast.Compare, ast.Name, ast.Constant, ast.cmpop, ast.Load)
    # What may have no value beyond the end must not come before it: it would be asked once more.
    before = list(itertools.takewhile(lambda test: all(isinstance(n, plain) for n in ast.walk(test)), tests))
    found = ((test, _counted(test, node.body, scope)) for test in tests[: len(before) + 1])
    counting, read = next(((test, read) for test, read in found if read is not None), (None, None))
    if read is None:
        again = f"for _ in range(N):, and in it first: if not ({ast.unparse(node.test)}): break"
        raise place.error(
            "`while` is not in the language, unless it counts up to a fixed end, as `while i < n:` with `i += 1` does",
            f"use `for` over the queries or over range(…), which always ends: {again}; N bounds the rounds",
        )
    name, end, in_step = read
    start = program.Name(place, name)
    over = program.Builtin(place, "range", (start, end))
    others = [test for test in tests if test is not counting or not in_step]
    body = read_block(node.body[:-1] if in_step else node.body, scope)
    for test in reversed(others):
        at = scope.place(test)
        leave = program.Not(at, expressions.read_expression(test, scope))
        body = (program.If(at, leave, (program.Break(at),), ()), *body)
    target = name if in_step else expressions.unused_name(node, scope)
    return program.For(place, target, over, body or (program.Pass(place),), scope.site())


def _counted(test: ast.expr, body: list[ast.stmt], scope: Scope) -> tuple[str, Expression, bool] | None:
    """The name that a test compares with the end of a count, and that end; whether it is counted by its last statement.

    None where the test or the body is of another form.
    """
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt() | ast.LtE() as op], comparators=[end]):
            pass
        case ast.Compare(left=end, ops=[ast.Gt() | ast.GtE() as op], comparators=[ast.Name(id=name)]):
            pass
        case _:
            return None
    steps = [step for step in map(functools.partial(_step, name), body) if step]
    stored = [n.id for part in body for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    fixed = {n.id for n in ast.walk(end) if isinstance(n, ast.Name)}
    if name not in scope.local or not steps or stored.count(name) != len(steps) or fixed & {name, *stored}:
        return None
    last = expressions.read_expression(end, scope)
    if isinstance(op, ast.LtE | ast.GtE):
        last = program.Arithmetic(last.place, "+", last, program.Constant(last.place, 1))
    return name, last, len(steps) == 1 and _step(name, body[-1]) == 1


def _step(name: str, statement: ast.stmt) -> int:
    """By how much a statement raises a name, where it says so by a whole number; else 0."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=target), op=ast.Add(), value=ast.Constant(value=int() as step)):
            pass
        case ast.Assign(
            targets=[ast.Name(id=target)],
            value=ast.BinOp(left=ast.Name(id=read), op=ast.Add(), right=ast.Constant(value=int() as step)),
        ) if read == target:
            pass
        case _:
            return 0
    return step if target == name and not isinstance(step, bool) and step > 0 else 0


BUILTINS: dict[int, tuple[str, Any]] = {
    id(function): (name, function)  # held, since another object may get the identity of one that is gone
    for module, names in (
        (builtins, ("min", "max", "abs", "sum", "len", "enumerate", "zip", "range", "any", "all", "round")),
        (functions, ("largest", "clamp", "sqrt", "exp", "exp2", "power", "log", "floor", "ceil", "lattice_points")),
        (math, ("floor", "ceil")),
    )
    for name in names
    if (function := getattr(module, name)).__module__ in (module.__name__, "alignkit")
}

NAMES = frozenset(name for name, _ in BUILTINS.values())

TAGS = ("ABOVE", "BELOW")


class Reader:
    """Reads one function and the functions that it calls, and numbers their sites (draws, calls and loops)."""

    def __init__(self, function: Callable[..., Any], *, noise: str | None, hidden: str | None = None) -> None:
        self.python = function
        self.noise = noise
        self.hidden = hidden  # the name of H in an alignment
        self.sites: Iterator[int] = count()
        self.calling: tuple[FunctionType, ...] = ()
        self.definitions: dict[int, tuple[ast.FunctionDef, Source, Signature]] = {}
        self.names: dict[FunctionType, dict[str, Any]] = {}  # what names stand for in each function, looked up once
        self.programs: dict[tuple[FunctionType, frozenset[str]], Function] = {}

    def read(self) -> Function:
        """The program; LanguageError for whatever lies outside the language."""
        try:
            return self.function(self.python, frozenset((self.noise,) if self.noise else ()), self.hidden)
        except RecursionError:
            pass
        raise self.signature().place.error(
            "the program is nested too deeply: functions call functions that call functions, and so on",
            "write fewer functions, or a loop",
        )

    def signature(self) -> Signature:
        """The function's parameters, each with its place; the body is not read."""
        return self._definition(self.python)[2]

    def _definition(self, python: Callable[..., Any]) -> tuple[ast.FunctionDef, Source, Signature]:
        """A function's definition with its signature, looked for once."""
        if id(python) not in self.definitions:  # not every object has a hash
            definition, source = read_source(python)
            self.definitions[id(python)] = definition, source, _signature(definition, source)
        return self.definitions[id(python)]

    def function(
        self, python: Callable[..., Any], noise_names: frozenset[str], noise_vector: str | None = None
    ) -> Function:
        definition, source, signature = self._definition(python)
        assert isinstance(python, FunctionType)
        if python in self.calling:
            raise signature.place.error(
                f"{python.__name__} calls itself", "recursion is not in the language; write a loop"
            )
        body = definition.body if ast.get_docstring(definition, clean=False) is None else definition.body[1:]
        parameters = tuple(signature.parameters)
        local = frozenset(parameters) | _assigned(body)
        names = self.names.setdefault(python, {})
        scope = _FunctionScope(source, local, noise_names, noise_vector, self, python, names, parameters, body)
        self.calling += (python,)
        try:
            read = read_block(body, scope)
        finally:
            self.calling = self.calling[:-1]
        is_generator = inspect.isgeneratorfunction(python)
        for node in walk(*read):
            if is_generator and isinstance(node, Return) and node.value is not None:
                raise node.place.error("a generator returns a value", "yield it, and end with a bare `return`")
        return Function(
            name=python.__name__,
            parameters=parameters,
            body=read,
            place=signature.place,
            is_generator=is_generator,
            globals_read=tuple(sorted(scope.globals_read.items())),
            code=python.__code__,
            python=python,
        )

    def helper(self, python: FunctionType, noise_names: frozenset[str]) -> Function:
        """The program of a function that is called; read once for each way noise is passed to it."""
        key = (python, noise_names)
        if key not in self.programs:
            self.programs[key] = self.function(python, noise_names)
        return self.programs[key]


@dataclass(frozen=True)
class Signature:
    """The place of a function, its parameters in order with their places, and their annotations as text."""

    place: Place
    parameters: Mapping[str, Place]
    annotations: Mapping[str, str]


def _signature(definition: ast.FunctionDef, source: Source) -> Signature:
    arguments = definition.args
    odd = [*arguments.posonlyargs, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    for argument in odd:
        if argument is not None:
            raise source.place(argument).error(
                f"`{argument.arg}` is not a plain parameter",
                "give every parameter a plain name: no *args, **kwargs, / or *",
            )
    annotations = {a.arg: ast.unparse(a.annotation) for a in arguments.args if a.annotation is not None}
    places = {a.arg: source.place(a) for a in arguments.args}
    return Signature(source.place(definition), places, annotations)


@lru_cache(maxsize=256)
def names_in(annotation: str) -> tuple[str, ...]:
    """The names that an annotation uses, those in quoted parts of it included."""
    return tuple(_names_in(annotation))


def _names_in(annotation: str) -> Iterator[str]:
    try:
        tree = parsed(annotation.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _names_in(node.value)


def texts_in(annotation: str) -> Iterator[str]:
    """The annotation, then the quoted type inside it and so on, each spelt as `ast.unparse` does."""
    try:
        tree = parsed(annotation.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return
    yield ast.unparse(tree)
    node: ast.expr | None = tree.body
    while isinstance(node, ast.Subscript):
        node = next(iter(node.slice.elts), None) if isinstance(node.slice, ast.Tuple) else node.slice
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from texts_in(node.value)


@dataclass(frozen=True)
class _FunctionScope(Scope):
    """The names of the function being read: which are its own, and what the others stand for."""

    reader: Reader
    python: FunctionType
    globals_read: dict[str, Any]
    parameters: tuple[str, ...]
    body: list[ast.stmt]

    @cached_property
    def counted(self) -> frozenset[str]:
        """What only loops and comprehensions bind, and these to positions, by ``range(n)`` or ``enumerate(…)``."""
        nodes = [node for part in self.body for node in ast.walk(part)]
        bound = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        positions: Counter[str] = Counter()
        for node in nodes:
            match node:
                case (
                    ast.For(target=target, iter=ast.Call(func=ast.Name(id="range" | "enumerate") as over, args=args))
                    | ast.comprehension(
                        target=target, iter=ast.Call(func=ast.Name(id="range" | "enumerate") as over, args=args)
                    )
                ):
                    pass
                case _:
                    continue
            match None if over.id in self.local else self.builtin(over), args, target:
                case "range", [_] | [ast.Constant(value=0 | 1), _], ast.Name(id=name):
                    positions[name] += 1
                case "enumerate", [_], ast.Tuple(elts=[ast.Name(id=name), _]):
                    positions[name] += 1
        return frozenset(n for n, times in positions.items() if bound[n] == times and n not in self.parameters)

    def site(self) -> int:
        return next(self.reader.sites)

    def helper(self, python: FunctionType, noise: frozenset[str]) -> Function:
        return self.reader.helper(python, noise)

    def resolve(self, node: ast.Name) -> Any:
        """The value of a name that is not local; LanguageError where it has none."""
        if node.id in self.globals_read:
            return self.globals_read[node.id]
        value = lookup(self.python, node.id)
        if value is MISSING and any(node.id == python.__name__ for python in self.reader.calling):
            raise self.place(node).error(
                f"`{node.id}` calls itself", "recursion is not in the language; write a loop, as in for i in range(k)"
            )
        if value is MISSING:
            raise self.place(node).error(f"`{node.id}` is not defined here", self._instead_of_unknown(node.id))
        self.globals_read[node.id] = value
        return value

    def _instead_of_unknown(self, name: str) -> str:
        """The hint for a name that has no value."""
        if name in NAMES or name in TAGS:
            return f"import it at the top of the file: from alignkit import {name}"
        if name in DRAWS and self.noise_names:
            return f"draw from the noise parameter: eta = {min(self.noise_names)}.{name}(…)"
        if self.noise_vector and (name == "omega" or name.endswith("_")):
            return f"add it to the alignment's parameters: def {self.python.__name__}(…, {name}, …)"
        if self.noise_vector:
            return (
                f"a draw is read as {self.noise_vector}.{name}; a parameter of the mechanism must be a parameter of "
                "the alignment too"
            )
        tag = f' as a tag, {name} = Tag("{name}"),' if len(name) > 1 and name.isupper() else ""
        hint = f"define it above,{tag} or make it a parameter; names are looked up when the mechanism is defined"
        return did_you_mean(name, [*self.local, *TAGS]) + hint

    def builtin(self, node: ast.Name) -> str | None:
        return function_of_the_language(self.resolve(node))

    def mechanism(self, node: ast.Name) -> Callee | None:
        value = self.resolve(node)
        if not isinstance(value, Callee):
            return None
        value.ensure_current()  # it is read again, as a part of this function
        return value

    def function(self, node: ast.Name) -> FunctionType:
        value = self.resolve(node)
        if not isinstance(value, FunctionType):
            raise self.place(node).error(
                f"`{node.id}` is {_what(value)}, not a function of the language",
                hints.FUNCTIONS.get(
                    getattr(value, "__name__", ""),
                    f"call {', '.join(sorted(NAMES))} or your own functions",
                ),
            )
        if (value.__module__ or "").split(".")[0] in sys.stdlib_module_names - {"__main__"}:
            raise self.place(node).error(
                f"`{node.id}` comes from {value.__module__}, which is not in the language",
                hints.FUNCTIONS.get(
                    value.__name__, "write the computation out; if it is random, draw from the noise parameter instead"
                ),
            )
        return value

    def constant(self, node: ast.Name) -> Tag:
        value = self.resolve(node)
        if type(value) is Tag:
            if Tag(value.name) is not value:
                raise self.place(node).error(
                    f"`{node.id}` is a second tag of the name {value.name}", f'write {node.id} = Tag("{value.name}")'
                )
            return value
        if isinstance(value, Tag):
            raise self.place(node).error(
                f"`{node.id}` is of the class {type(value).__name__}, which may say itself what is equal to it",
                f'write {node.id} = Tag("{value.name}")',
            )
        if isinstance(value, numbers.Number):
            raise self.place(node).error(
                f"`{node.id}` is a number from outside the function",
                "a proof cannot rest on a value that may change: make it a parameter or a local",
            )
        raise self.place(node).error(
            f"`{node.id}` is {_what(value)}, which is not a value of the language",
            "use parameters, locals, and tags such as ABOVE and BELOW",
        )


MISSING = object()


def function_of_the_language(value: Any) -> str | None:
    """The name of the function of the language that a value is, if it is one."""
    return BUILTINS.get(id(value), (None,))[0]


def lookup(python: FunctionType, name: str) -> Any:
    """The value that a global or closed-over name has now; MISSING where it has none."""
    if python.__closure__ and name in python.__code__.co_freevars:
        cell = python.__closure__[python.__code__.co_freevars.index(name)]
        try:
            return cell.cell_contents
        except ValueError:
            return MISSING
    if name in python.__globals__:
        return python.__globals__[name]
    known: dict[str, Any] = python.__builtins__  # its module may have replaced them
    return known.get(name, MISSING)


def _assigned(body: list[ast.stmt]) -> frozenset[str]:
    """The names a function binds itself, comprehension variables left out."""
    names: set[str] = set()
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp | ast.Lambda):
            continue
        waiting.extend(ast.iter_child_nodes(node))
    return frozenset(names)


def _what(value: Any) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if callable(value):
        return f"the function {getattr(value, '__name__', value)!s}"
    if inspect.ismodule(value):
        return f"the module {value.__name__}"
    return f"a value of type {type(value).__name__}"
