"""From a function object to its syntax tree, as it was loaded."""

from __future__ import annotations
import __future__

import ast
import inspect
import linecache
import tokenize
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from operator import attrgetter
from types import CodeType
from typing import Any

from alignkit.errors import LanguageError
from alignkit.language.program import Source

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_NAMES_AND_STEPS = attrgetter("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount")

_MOST_LEVELS = 200

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_ScopeNode = _FunctionNode | ast.ClassDef


def read_source(function: Callable[..., Any]) -> tuple[ast.FunctionDef, Source]:
    """The definition of a plain Python function and where it stands.

    Raises LanguageError where the source cannot be had (typed at a prompt, made by exec, a lambda) or is no
    longer what was loaded.
    """
    if not inspect.isfunction(function):
        raise LanguageError(
            f"{function!r} is not a plain Python function",
            hint="decorate a function written with `def`",
        )
    code = function.__code__
    file, line = code.co_filename, code.co_firstlineno
    refusal = partial(LanguageError, file=file, line=line)
    if code.co_name == "<lambda>":
        raise refusal("a lambda cannot be a mechanism or an alignment", hint="write a function with `def`")
    linecache.checkcache(file)
    lines = tuple(linecache.getlines(file, function.__globals__))
    if not lines and _is_undecodable(file):
        raise refusal(
            f"the source of {function.__name__} is not UTF-8 text",
            hint="save the file as UTF-8, or name its encoding in the first line: # -*- coding: latin-1 -*-",
        )
    if not lines:
        raise refusal(
            f"the source of {function.__name__} cannot be read",
            hint="put the function into a .py file; a function typed at a prompt or made by exec has no source",
        )
    source, text = Source(file, lines), "".join(lines)
    key, flags = (line, code.co_name), code.co_flags & _FUTURES
    definition, around = _definitions(text, file).get(key, (None, ()))
    if definition is None or not any(_same_code(loaded, code) for loaded in _compiled(definition, text, file, flags)):
        raise refusal(
            f"the source of {function.__name__} has changed since it was loaded",
            source=source.text(line),
            hint="import it again in a new process; if that does not help, delete the folder __pycache__ beside it",
        )
    if not isinstance(definition, ast.FunctionDef):
        raise LanguageError(
            "`async` is not in the language",
            file=file,
            line=definition.lineno,
            source=source.text(definition.lineno),
            hint="write a plain function or generator",
        )
    _refuse_mangled(definition, around, source)
    _refuse_long_numbers(definition, source)
    refuse_deep_nesting(definition, source)
    return definition, source


def _refuse_mangled(definition: ast.FunctionDef, around: tuple[_ScopeNode, ...], source: Source) -> None:
    """LanguageError for a name that Python changes because it stands in a class."""
    if not any(isinstance(scope, ast.ClassDef) for scope in around):
        return
    for node in ast.walk(definition):
        match node:
            case ast.Name(id=str(name)) | ast.Attribute(attr=str(name)):
                pass
            case ast.arg(arg=str(name)) | ast.keyword(arg=str(name)):
                pass
            case _:
                continue
        if name.startswith("__") and not name.endswith("__"):
            raise source.place(node).error(
                f"Python reads `{name}` as another name inside a class",
                "write the function outside the class, or begin the name with one underscore",
            )


def names_around(function: Callable[..., Any]) -> dict[str, str]:
    """The names that functions and classes around a definition bind, each with the innermost one that does.

    Empty for a function of a module, and for one whose source cannot be had.
    """
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or "." not in code.co_qualname:
        return {}
    text = "".join(linecache.getlines(code.co_filename, getattr(function, "__globals__", None)))
    _, around = _definitions(text, code.co_filename).get((code.co_firstlineno, code.co_name), (None, ()))
    return {name: scope.name for scope in around for name in _bound(scope)}


def _refuse_long_numbers(definition: ast.FunctionDef, source: Source) -> None:
    """LanguageError for a number, such as a hexadecimal one, of more digits than Python writes out."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            try:
                str(node.value)
            except ValueError:
                raise source.place(node).error(
                    "a number has more digits than Python writes out", "write a smaller number, or a parameter"
                ) from None


def refuse_deep_nesting(tree: ast.AST, source: Source) -> None:
    """LanguageError for a part that lies so deep within others that reading it would take too many calls."""
    level = [tree]
    for _ in range(_MOST_LEVELS):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    for node in level:
        if isinstance(node, ast.stmt | ast.expr):
            raise source.place(node).error(
                f"the program is nested too deeply: this lies within {_MOST_LEVELS} other parts, as each term of a sum "
                "lies within those that follow it",
                "give parts of it names of their own, or write a loop or a list",
            )


def _is_undecodable(file: str) -> bool:
    """Whether the text of a file cannot be decoded; Python runs such a file where a comment alone is at fault."""
    try:
        with tokenize.open(file) as text:
            text.read()
    except (UnicodeDecodeError, SyntaxError):
        return True
    except OSError:
        return False
    return False


@lru_cache(maxsize=64)
def _definitions(text: str, file: str) -> dict[tuple[int, str], tuple[_FunctionNode, tuple[_ScopeNode, ...]]]:
    """Each definition of a file, by its first line and its name, with what stands around it, the outermost first.

    A decorated definition is also found by the lines of its further decorators and of its `def`: a notebook of marimo
    that is run as a script compiles its functions without the decorator `@app.function`.
    """
    try:
        tree = syntax_tree(text, file)
    except SyntaxError:
        return {}
    definitions = {}
    waiting: list[tuple[ast.AST, tuple[_ScopeNode, ...]]] = [(tree, ())]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, _FunctionNode):
            for line in _lines(node):
                definitions[line, node.name] = node, around
        if isinstance(node, _ScopeNode):
            around += (node,)
        # Expressions hold no definitions.
        waiting += [(child, around) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]
    return definitions


def _lines(node: _FunctionNode) -> list[int]:
    """The lines at which the decorators of a definition stand, and that of its `def`; the first is where it begins."""
    return sorted([*(decorator.lineno for decorator in node.decorator_list), node.lineno])


def parsed(text: str, file: str = "<unknown>", mode: str = "exec") -> Any:
    """`ast.parse`, up to three times more where a tree that another thread makes at the same time has upset it.

    CPython counts the depth of all trees in one place, and raises SystemError where it then finds another number.
    """
    for _ in range(3):
        with suppress(SystemError):
            return ast.parse(text, file, mode)
    return ast.parse(text, file, mode)


@lru_cache(maxsize=64)
def syntax_tree(text: str, file: str) -> ast.Module:
    """The syntax tree of a file's text, which nobody may change; raises what `ast.parse` does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python has given its warnings at the import
        return parsed(text, file)  # type: ignore[no-any-return]


def _bound(scope: _ScopeNode) -> set[str]:
    """The names that a function or a class binds itself."""
    bound: set[str] = set()
    elsewhere: set[str] = set()
    waiting: list[ast.AST] = [*scope.body]
    if not isinstance(scope, ast.ClassDef):
        waiting += [node for node in ast.walk(scope.args) if isinstance(node, ast.arg)]
    waiting += getattr(scope, "type_params", [])
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Global):
            elsewhere.update(node.names)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        else:  # the name of a definition, a caught error, a type parameter or a pattern; that of `type` is a Name
            name = getattr(node, "name", None)
            bound |= {name} if isinstance(name, str) else set()
        if not isinstance(node, _ScopeNode | ast.Lambda | ast.arg):
            waiting += ast.iter_child_nodes(node)
    return bound - elsewhere


def _compiled(node: _FunctionNode, text: str, file: str, flags: int) -> Iterator[CodeType | None]:
    """The code of a definition where it stands, and then that of the definition at the top of a module.

    A notebook of marimo holds its cells as functions, and a run as a script compiles their bodies as modules: a name
    that belongs to the cell in the file is a global name there.
    """
    key = _lines(node)[0], node.name
    yield _codes(text, file, flags).get(key)
    yield _codes_of(ast.Module([node], []), file, flags).get(key)


@lru_cache(maxsize=64)
def _codes(text: str, file: str, flags: int) -> dict[tuple[int, str], CodeType]:
    return _codes_of(text, file, flags)


def _codes_of(program: str | ast.Module, file: str, flags: int) -> dict[tuple[int, str], CodeType]:
    codes = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        waiting = [compile(program, file, "exec", flags=flags, dont_inherit=True)]
    while waiting:
        for constant in waiting.pop().co_consts:
            if isinstance(constant, CodeType):
                codes[constant.co_firstlineno, constant.co_name] = constant
                waiting.append(constant)
    return codes


def _same_code(one: CodeType | None, other: CodeType) -> bool:
    if one is None or _NAMES_AND_STEPS(one) != _NAMES_AND_STEPS(other):
        return False
    return _same_constant(one.co_consts, other.co_consts)


def _same_constant(one: Any, other: Any) -> bool:
    """Equal and of one type: 1, 1.0 and True are three constants, and so are 0.0 and -0.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, CodeType):
        return _same_code(one, other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same_constant, one, other))
    return repr(one) == repr(other) if isinstance(one, float | complex) else bool(one == other)
