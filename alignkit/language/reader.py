"""From a function's source to the typed program; whatever lies outside the language is an error here."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterator
from itertools import count
from types import FunctionType
from typing import Any

from alignkit.language import functions, statements
from alignkit.language.program import Function, Place, Source
from alignkit.language.source import read_source
from alignkit.language.tags import Tag

BUILTINS: dict[int, str] = {
    id(getattr(builtins, name)): name
    for name in ("min", "max", "abs", "sum", "len", "enumerate", "zip", "range", "any", "all")
} | {id(getattr(functions, name)): name for name in ("largest", "clamp", "sqrt", "exp")}

FORBIDDEN_PARAMETERS = "give every parameter a plain name; *args, **kwargs and keyword-only are not in the language"


class Reader:
    """Reads one function, and through it the functions it calls; hands out the numbers of sites."""

    def __init__(self, function: Callable[..., Any], *, noise: str | None, hidden: str | None = None) -> None:
        self.python = function
        self.noise_names = frozenset({noise} if noise else ())
        self.noise_vector = hidden  # the name of H in an alignment
        self.sites: Iterator[int] = count()
        self.calling: tuple[FunctionType, ...] = ()
        self.known: dict[tuple[FunctionType, frozenset[str]], Function] = {}

    def read(self) -> Function:
        return self.function(self.python, self.noise_names)

    def function(self, python: Callable[..., Any], noise_names: frozenset[str]) -> Function:
        definition, source = read_source(python)
        assert isinstance(python, FunctionType)
        arguments = definition.args
        place = place_of(definition, source)
        if arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg:
            raise place.error("a parameter that is not a plain name", FORBIDDEN_PARAMETERS)
        if python in self.calling:
            raise place.error(f"{python.__name__} calls itself", "recursion is not in the language; write a loop")
        parameters = tuple(a.arg for a in arguments.args)
        body = definition.body
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:] if isinstance(body[0].value.value, str) else body
        scope = Scope(self, python, source, frozenset(parameters) | _assigned(body), noise_names)
        self.calling += (python,)
        try:
            read = statements.read_block(body, scope)
        finally:
            self.calling = self.calling[:-1]
        return Function(
            name=python.__name__,
            parameters=parameters,
            body=read,
            place=place,
            is_generator=inspect.isgeneratorfunction(python),
            globals_read=tuple(sorted(scope.globals_read.items())),
        )

    def helper(self, python: FunctionType, noise_names: frozenset[str]) -> Function:
        """The program of a function that is called; read once for each way noise is passed to it."""
        key = (python, noise_names)
        if key not in self.known:
            self.known[key] = self.function(python, noise_names)
        return self.known[key]


class Scope:
    """The names of the function being read: which are its own, and what the others stand for."""

    def __init__(
        self,
        reader: Reader,
        python: FunctionType,
        source: Source,
        local: frozenset[str],
        noise_names: frozenset[str],
    ) -> None:
        self.reader = reader
        self.python = python
        self.source = source
        self.local = local
        self.noise_names = noise_names
        self.globals_read: dict[str, Any] = {}

    def place(self, node: ast.AST) -> Place:
        return place_of(node, self.source)

    def resolve(self, node: ast.Name) -> Any:
        """What a name that is not local stands for; the error where it stands for nothing usable."""
        found = lookup(self.python, node.id)
        if found is MISSING:
            raise self.place(node).error(
                f"`{node.id}` is not defined here",
                "define it above, or make it a parameter; functions are looked up when the mechanism is defined",
            )
        self.globals_read[node.id] = found
        return found

    def builtin(self, node: ast.Name) -> str | None:
        """The name of the language's own function that a name stands for, if it does."""
        if node.id in self.local:
            return None
        return BUILTINS.get(id(self.resolve(node)))

    def constant(self, node: ast.Name) -> Tag:
        """The tag that a global name stands for; anything else is an error."""
        found = self.resolve(node)
        if isinstance(found, Tag):
            return found
        if isinstance(found, int | float) or hasattr(found, "numerator"):
            raise self.place(node).error(
                f"`{node.id}` is a global number",
                "a proof cannot rest on a global that may change: make it a parameter or a local",
            )
        raise self.place(node).error(
            f"`{node.id}` is {_what(found)}, which is not in the language",
            "use parameters, locals, tags such as ABOVE and BELOW, and functions of the language",
        )


MISSING = object()


def lookup(python: FunctionType, name: str) -> Any:
    """What Python would find for a global or closed-over name now; MISSING where nothing."""
    if python.__closure__ and name in python.__code__.co_freevars:
        cell = python.__closure__[python.__code__.co_freevars.index(name)]
        try:
            return cell.cell_contents
        except ValueError:
            return MISSING
    if name in python.__globals__:
        return python.__globals__[name]
    return getattr(builtins, name, MISSING)


def place_of(node: ast.AST, source: Source) -> Place:
    """Where a node stands. A function's place is its `def` line."""
    line: int = node.lineno  # type: ignore[attr-defined]
    column: int = node.col_offset  # type: ignore[attr-defined]
    end_line, end_column = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", column + 1)
    # ast counts columns in UTF-8 bytes, carets in characters.
    text = source.text(line).encode()
    characters = len(text[:column].decode(errors="ignore"))
    end = source.text(end_line).encode()
    return Place(source, line, characters, end_line, len(end[:end_column].decode(errors="ignore")))


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
    return f"a {type(value).__name__}"
