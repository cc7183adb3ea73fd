"""From a function object to its syntax tree, as it was loaded."""

from __future__ import annotations
import __future__

import ast
import inspect
import linecache
import tokenize
import warnings
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

from alignkit.errors import LanguageError
from alignkit.language.program import Source

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


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
    file = code.co_filename
    if code.co_name == "<lambda>":
        raise LanguageError(
            "a lambda cannot be a mechanism or an alignment",
            file=file,
            line=code.co_firstlineno,
            hint="write a function with `def`",
        )
    linecache.checkcache(file)
    lines = tuple(linecache.getlines(file, function.__globals__))
    if not lines and _is_undecodable(file):
        raise LanguageError(
            f"the source of {function.__name__} is not UTF-8 text",
            file=file,
            line=code.co_firstlineno,
            hint="save the file as UTF-8, or name its encoding in the first line: # -*- coding: latin-1 -*-",
        )
    if not lines:
        raise LanguageError(
            f"the source of {function.__name__} cannot be read",
            file=file,
            line=code.co_firstlineno,
            hint="put the function into a .py file; a function typed at a prompt or made by exec has no source",
        )
    source = Source(file, lines)
    definition = _definitions("".join(lines), file).get((code.co_firstlineno, code.co_name))
    if definition is None or not _same_code(_compiled("".join(lines), file, code), code):
        raise LanguageError(
            f"the source of {function.__name__} has changed since it was loaded",
            file=file,
            line=code.co_firstlineno,
            source=source.text(code.co_firstlineno),
            hint="import it again in a new process",
        )
    if not isinstance(definition, ast.FunctionDef):
        raise LanguageError(
            "`async` is not in the language",
            file=file,
            line=definition.lineno,
            source=source.text(definition.lineno),
            hint="write a plain function or generator",
        )
    return definition, source


def names_around(function: Callable[..., Any]) -> dict[str, str]:
    """The names that functions and classes around a definition bind, each with the innermost one that does.

    Empty for a function of a module, and for one whose source cannot be had.
    """
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or "." not in code.co_qualname:
        return {}
    text = "".join(linecache.getlines(code.co_filename, getattr(function, "__globals__", None)))
    return dict(_around(text, code.co_filename).get((code.co_firstlineno, code.co_name), ()))


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
def _definitions(text: str, file: str) -> dict[tuple[int, str], ast.FunctionDef | ast.AsyncFunctionDef]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python has given its warnings at the import
            tree = ast.parse(text, file)
    except SyntaxError:
        return {}
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found[first, node.name] = node
    return found


@lru_cache(maxsize=64)
def _around(text: str, file: str) -> dict[tuple[int, str], tuple[tuple[str, str], ...]]:
    """For each definition the names that the functions and classes around it bind, from the outermost one inwards."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, file)
    except SyntaxError:
        return {}
    found = {}
    waiting: list[tuple[ast.AST, tuple[tuple[str, str], ...]]] = [(tree, ())]
    while waiting:
        node, known = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.name] = known
        if isinstance(node, _SCOPES):
            known += tuple((name, node.name) for name in sorted(_bound(node)))
        waiting += [(child, known) for child in ast.iter_child_nodes(node)]
    return found


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _bound(scope: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> set[str]:
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
        if not isinstance(node, (*_SCOPES, ast.Lambda, ast.arg)):
            waiting += ast.iter_child_nodes(node)
    return bound - elsewhere


@lru_cache(maxsize=64)
def _codes(text: str, file: str, flags: int) -> dict[tuple[int, str], CodeType]:
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        waiting = [compile(text, file, "exec", flags=flags, dont_inherit=True)]
    while waiting:
        for constant in waiting.pop().co_consts:
            if isinstance(constant, CodeType):
                found[constant.co_firstlineno, constant.co_name] = constant
                waiting.append(constant)
    return found


def _compiled(text: str, file: str, like: CodeType) -> CodeType | None:
    return _codes(text, file, like.co_flags & _FUTURES).get((like.co_firstlineno, like.co_name))


def _same_code(one: CodeType | None, other: CodeType) -> bool:
    if one is None:
        return False
    alike = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount")
    return all(getattr(one, each) == getattr(other, each) for each in alike) and _same_constant(
        one.co_consts, other.co_consts
    )


def _same_constant(one: Any, other: Any) -> bool:
    """Equal and of one type: 1, 1.0 and True are three constants, and so are 0.0 and -0.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, CodeType):
        return _same_code(one, other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same_constant, one, other))
    return bool(one == other) if isinstance(one, frozenset) else repr(one) == repr(other)
