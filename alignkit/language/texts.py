"""Expressions given as text beside a program: a claim such as "eps / 2", an invariant such as "count <= k"."""

from __future__ import annotations

import ast
from collections.abc import Collection
from itertools import count
from typing import Any

from alignkit.language import expressions
from alignkit.language.program import Constant, Expression, Name, Place, Source, walk
from alignkit.language.reader import BUILTINS, place_of

_NAMES = frozenset(BUILTINS.values())


def read_text(text: str, names: Collection[str], what: str, at: Place) -> Expression:
    """The expression a text stands for, over the given names; LanguageError points into the text."""
    source = Source(f"{at.source.file}:{at.line} ({what})", (text,))
    whole = Place(source, 1, 0, 1, len(text))
    try:
        tree = ast.parse(text.strip() or "?", mode="eval")
    except SyntaxError as problem:
        raise whole.error(f"the {what} is not an expression: {problem.msg}", "write for example eps / 2") from None
    read = expressions.read(tree.body, _TextScope(source, frozenset(names), what))  # type: ignore[arg-type]
    for node in walk(read):
        if not isinstance(node, Name | Constant) and type(node).__name__ in ("Draw", "Shift", "NoiseValue"):
            raise whole.error(f"noise does not belong in the {what}", "use parameters only")
    return read


class _TextScope:
    """The part of a reader's scope that expressions need, for a text that stands alone."""

    noise_names: frozenset[str] = frozenset()

    def __init__(self, source: Source, local: frozenset[str], what: str) -> None:
        self.source = source
        self.local = local
        self.what = what
        self.reader = _NoReader()

    def place(self, node: ast.AST) -> Place:
        return place_of(node, self.source)

    def builtin(self, node: ast.Name) -> str | None:
        return node.id if node.id in _NAMES else None

    def resolve(self, node: ast.Name) -> Any:
        raise self.place(node).error(
            f"the {self.what} names `{node.id}`, which is not known here",
            f"it may use {', '.join(sorted(self.local))}",
        )

    constant = resolve


class _NoReader:
    noise_vector = None
    sites = count()
