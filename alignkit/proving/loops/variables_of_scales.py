"""Which variables of a loop the scales of its draws are made of."""

from __future__ import annotations

from collections.abc import Iterable

from alignkit.language.program import Assign, Draw, Expression, For, Name, target_names, walk


def read_by_scales(loop: For, changed: Iterable[str]) -> tuple[str, ...]:
    """The changed variables that scales of draws in the loop read, in their arguments or by what these are made of."""
    nodes = list(walk(*loop.body))
    read = _names(argument for node in nodes if isinstance(node, Draw) for argument in node.arguments)
    assignments = [node for node in nodes if isinstance(node, Assign) and not isinstance(node.value, Draw)]
    while True:
        further = _names(node.value for node in assignments if read & set(target_names(node.target))) - read
        if not further:
            return tuple(name for name in changed if name in read)
        read |= further


def _names(expressions: Iterable[Expression]) -> set[str]:
    return {node.name for expression in expressions for node in walk(expression) if isinstance(node, Name)}
