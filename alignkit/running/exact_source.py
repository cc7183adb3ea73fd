"""The names of what exact source calls in the place of operators and constants of Python."""

from __future__ import annotations

import ast
from typing import Any


def own_name(word: object) -> str:
    """A name for something generated. It has a space, so that no name in a user's source is the same."""
    return f"alignkit {word}"


DIVIDE, DRAWS, EXACT, FUNCTION = map(own_name, ("divide", "draws", "exact", "function"))


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
