"""What the indices that a mechanism puts out count: the items, or a list that holds more than them."""

from __future__ import annotations

from collections.abc import Sequence

from alignkit.language.pretty_printing import pretty_expression
from alignkit.language.program import Assign, Joined, Name, walk
from alignkit.language.program import Sequence as Display
from alignkit.running.mechanism_decorator import Mechanism


def longer_list(mechanism: Mechanism, items: Sequence[str]) -> tuple[str, ...] | None:
    """Name the entries of the list that a mechanism makes of its queries and something else.

    In ``[T, *q]`` index 0 is T, and index 1 the first item. The tuple is empty where the entries have no names. None
    stands for a program that joins no lists, so that its indices count the items.
    """
    nodes = list(walk(*mechanism.program.body))
    grown = {id(node.value) for node in nodes if isinstance(node, Assign) and _grows(node)}
    lists = [node for node in nodes if isinstance(node, Joined) and id(node) not in grown]
    if not lists:
        return None
    names: list[str] = []
    for part in lists[0].parts:
        if isinstance(part, Display):
            names += map(pretty_expression, part.items)
        elif isinstance(part, Name) and part.name in mechanism.private:
            names += items
        else:
            return ()
    return tuple(names) if len(lists) == 1 else ()


def _grows(node: Assign) -> bool:
    """Whether a list gets further items, as in ``out = [*out, i]``."""
    if not isinstance(node.value, Joined):
        return False
    starred = [part for part in node.value.parts if not isinstance(part, Display)]
    return all(isinstance(part, Name) and part.name == node.target for part in starred)
