"""Systems of constraints u - v <= a: whether they can be met, and which of them the others imply."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from alignkit.arithmetic.exponential_pieces import Number

Node = TypeVar("Node", bound=Hashable)


def closure(bounds: Mapping[tuple[Node, Node], Number]) -> dict[Node, dict[Node, Number]]:
    """The least a for every u - v <= a that follows, reflexive ones included: shortest paths (Floyd and Warshall).

    From u - v <= a and v - w <= b follows u - w <= a + b, and by Farkas' lemma nothing follows in another way.

    >>> closure({("x", "y"): 1, ("y", "z"): 2})["x"]["z"]
    3
    """
    nodes = {node for pair in bounds for node in pair}
    least: dict[Node, dict[Node, Number]] = {u: {} for u in nodes}
    for (u, v), a in bounds.items():
        least[u][v] = min(a, least[u].get(v, a))
    for middle in nodes:
        onwards = list(least[middle].items())
        for u in nodes:
            first = least[u].get(middle)
            if first is None:
                continue
            row = least[u]
            for w, a in onwards:
                known = row.get(w)
                if known is None or first + a < known:
                    row[w] = first + a
    return least


def reduced(bounds: Mapping[tuple[Node, Node], Number]) -> dict[tuple[Node, Node], Number] | None:
    """The bounds that the others do not imply, or None where all hold on a set of measure zero at most.

    A bound u - v <= a is left out if u - w <= b and w - v <= c follow, with b + c <= a, for a w that is neither.
    All such may be left out at once. There being no cycle of total <= 0 (on one, u - u <= 0 or less follows: the
    constraints contradict each other, or each of the cycle holds with equality, which continuous noise does not meet),
    a shortest path from u to w cannot use the bound itself, for it would go u, v, w and on to v, more than a by a
    cycle. So the bound follows from two shorter stretches of a simple path, those from theirs, and in the end from
    bounds that are kept; were two to need each other, putting one path into the other would close such a cycle again.

    >>> reduced({("x", "y"): 0, ("y", "z"): 0, ("x", "z"): 0})
    {('x', 'y'): 0, ('y', 'z'): 0}
    >>> reduced({("x", "y"): 1, ("y", "x"): -1})
    """
    least = closure(bounds)
    if any(u in row and row[u] <= 0 for u, row in least.items()):
        return None
    kept = {}
    for (u, v), a in bounds.items():
        row = least[u]
        if not any(w not in (u, v) and v in least[w] and b + least[w][v] <= a for w, b in row.items()):
            kept[u, v] = a
    return kept
