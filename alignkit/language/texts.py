"""Expressions given as text beside a program: a claim such as "eps / 2", an invariant such as "count <= k"."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass
from types import FunctionType
from typing import NoReturn

from alignkit.language import expressions
from alignkit.language.hints import did_you_mean
from alignkit.language.program import Expression, Function, Place, Source
from alignkit.language.reader import NAMES
from alignkit.language.scope import Scope
from alignkit.language.source_code import parsed, refuse_deep_nesting

# What the condition under which a sensitivity holds is called in messages.
WHERE = "condition on a sensitivity"


def read_text(text: str, names: Collection[str], what: str, at: Place) -> Expression:
    """The expression a text stands for, over the given names; LanguageError points into the text.

    ``what`` says in messages what the text is, and ``at`` where it was given.
    """
    stripped = text.strip()
    source = Source(f"{at.source.file}:{at.line} ({what})", tuple(stripped.splitlines()) or ("",))
    try:
        tree = parsed(stripped, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        column = max(0, (getattr(problem, "offset", None) or 1) - 1)
        line = getattr(problem, "lineno", None) or 1
        words = getattr(problem, "msg", None) or str(problem)
        whole = Place(source, line, column, line, max(column + 1, len(source.text(line))))
        example = {"invariant": "count <= k", WHERE: "d > 0"}.get(what, "eps / 2")
        raise whole.error(f"the {what} is not an expression: {words}", f"write for example {example}") from None
    refuse_deep_nesting(tree, source)
    return expressions.read_expression(tree.body, _TextScope(source, frozenset(names), frozenset(), None, what))


@dataclass(frozen=True)
class _TextScope(Scope):
    """The scope of a text that stands alone: it knows parameters, and the functions of the language."""

    what: str

    def builtin(self, node: ast.Name) -> str | None:
        return node.id if node.id in NAMES else None

    def constant(self, node: ast.Name) -> NoReturn:
        raise self.place(node).error(
            f"the {self.what} uses `{node.id}`, which is not available here",
            f"{did_you_mean(node.id, self.local)}it may use {', '.join(sorted(self.local))}"
            if self.local
            else "no names may be used here",
        )

    def function(self, node: ast.Name) -> FunctionType:
        self.constant(node)

    def helper(self, python: FunctionType, noise: frozenset[str]) -> Function:
        raise AssertionError("a claim or an invariant cannot call your own functions")

    def site(self) -> int:
        return 0
