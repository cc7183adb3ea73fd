"""What of a program is known before it draws any noise: expressions of its parameters alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from alignkit.language.program import (
    Arithmetic,
    Assign,
    Builtin,
    Call,
    Choice,
    Compare,
    Comprehension,
    Connective,
    Constant,
    Expression,
    For,
    Function,
    IndexSet,
    Item,
    Joined,
    Name,
    Negate,
    Node,
    Not,
    Sequence,
    children,
    target_names,
    walk,
)

_PURE = (
    Arithmetic, Builtin, Call, Choice, Compare, Connective, Constant, IndexSet, Item, Joined, Name, Negate, Not,
    Sequence,
)  # fmt: skip
LAZY = ("range", "enumerate", "zip")


@dataclass
class Front:
    """The expressions that are computed in front of a run, in order, and the names that stand for some of them.

    Each is computed whether or not the run comes to it; where that fails, the run is made by the evaluator.
    """

    nodes: list[Expression] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)  # by the identity of a node
    names: dict[str, int] = field(default_factory=dict)


def find_front(function: Function, noise: str) -> Front:
    """The largest parts of a program that depend on its parameters only."""
    front = Front()
    times = Counter(_assigned(function))
    known = {name for name in function.parameters if name != noise and not times[name]}
    for statement in function.body:
        if isinstance(statement, Assign) and _is_front(statement.value, known, listed=True):
            parts = _parts(statement)
            if len(parts) == len(set(target_names(statement.target))) and all(times[name] == 1 for name in parts):
                front.names |= {name: _add(front, value) for name, value in parts.items()}
                known |= parts.keys()
                continue
        _collect(front, statement, known)
    return front


def _parts(statement: Assign) -> dict[str, Expression]:
    """What each name of an assignment is assigned; none where that is not written out."""
    target, value = statement.target, statement.value
    if isinstance(target, str):
        return {target: value}
    if not isinstance(value, Sequence) or len(value.items) != len(target):
        return {}
    return {name: item for name, item in zip(target, value.items, strict=True) if isinstance(name, str)}


def _add(front: Front, node: Expression) -> int:
    front.places[id(node)] = len(front.nodes)
    front.nodes.append(node)
    return front.places[id(node)]


def _collect(front: Front, node: Node, known: set[str]) -> None:
    stays = isinstance(node, Name | Constant | Sequence) or (isinstance(node, Builtin) and node.function in LAZY)
    if isinstance(node, Expression) and not stays and _is_front(node, known, listed=False):
        _add(front, node)
        return
    for child in children(node):
        _collect(front, child, known - set(_bound(node)))


def _bound(node: Node) -> Iterator[str]:
    """The names that mean something else inside a comprehension."""
    return target_names(node.target) if isinstance(node, Comprehension) else iter(())


def _is_front(node: Expression, known: set[str], *, listed: bool) -> bool:
    """Whether an expression is known before the run; ``listed`` allows lists of as many items as a range has."""
    if isinstance(node, Name):
        return node.name in known
    if isinstance(node, Comprehension):
        known = known | set(target_names(node.target))
    elif not isinstance(node, _PURE) or (isinstance(node, Builtin) and node.function == "range" and not listed):
        return False
    return all(_is_front(child, known, listed=listed) for child in children(node))


def _assigned(function: Function) -> Iterator[str]:
    for node in walk(*function.body):
        if isinstance(node, Assign | For):
            yield from target_names(node.target)
