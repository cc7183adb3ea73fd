"""Online mechanisms: those that can be asked query by query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from alignkit.language.program import (
    Builtin,
    Comprehension,
    Draw,
    Expression,
    For,
    Name,
    Place,
    Statement,
    assigned,
    walk,
)
from alignkit.running.mechanism_program import MechanismProgram


@dataclass(frozen=True)
class Offline:
    """Why a mechanism cannot be asked question by question, and where this shows."""

    words: str
    place: Place


def chosen_along(mechanism: MechanismProgram) -> frozenset[str]:
    """The public lists that the stream of answers is zipped with: their items may be chosen with the questions."""
    streams = [s for s in mechanism.program.body if isinstance(s, For) and _reads(s.iterable, mechanism.private)]
    return frozenset(n.name for s in streams for n in walk(s.iterable) if isinstance(n, Name)) & set(mechanism.public)


def not_online(mechanism: MechanismProgram) -> Offline | None:
    """Why a mechanism is not online; None where it is.

    It is online if it is a generator that ends with one loop over all its private answers, possibly numbered or zipped
    with public lists, and reads these lists nowhere else.
    """
    return next(_reasons(mechanism), None)


def _reasons(mechanism: MechanismProgram) -> Iterator[Offline]:
    body, place, private = mechanism.program.body, mechanism.program.place, mechanism.private
    if not mechanism.program.is_generator:
        yield Offline("the mechanism returns its whole output instead of yielding an output for each answer", place)
    for name, kind in private.items():
        if not kind.vector:
            yield Offline(f"{name} is an answer to a question that is asked before the first one", place)
    if not body or not isinstance(body[-1], For) or not _reads(body[-1].iterable, private):
        yield Offline("the mechanism does not end with a loop over its answers", place)
        return
    stream = body[-1]
    if any(not isinstance(n, Name | Builtin) or (isinstance(n, Builtin) and n.function not in ("enumerate", "zip"))
           for n in walk(stream.iterable)):  # fmt: skip
        yield Offline("the loop over the answers may use enumerate and zip only", stream.iterable.place)
    along = [n.name for n in walk(stream.iterable) if isinstance(n, Name)]
    for name in private:
        if along.count(name) != 1:
            words = f"the loop reads {name} {along.count(name)} times; it must read all private answers once"
            yield Offline(words, place)
    own = set(along)
    elsewhere = [n for n in walk(*body) if isinstance(n, Name) and n.name in own]
    inside = {id(n) for n in walk(stream.iterable)}
    for node in elsewhere:
        if id(node) not in inside:
            yield Offline(f"{node.name} is read outside of the loop's head, so not answer by answer", node.place)
    for name in sorted(own & assigned(body)):
        yield Offline(f"{name} is assigned, and then is not what the analyst asked", place)
    yield from _other_loops(body, stream)
    drawn = sum(isinstance(n, Draw) for n in walk(*body))
    if drawn != len(mechanism.draws):
        yield Offline("noise is drawn inside a function that the mechanism calls", place)


def _other_loops(body: tuple[Statement, ...], stream: For) -> Iterator[Offline]:
    for node in walk(*body):
        if isinstance(node, For) and node is not stream:
            yield Offline("there is another loop beside the one over the answers", node.place)
        if isinstance(node, Comprehension) and isinstance(node.element, Draw):
            yield Offline("a list of noise is drawn", node.place)


def _reads(expression: Expression, names: Iterable[str]) -> bool:
    return any(isinstance(n, Name) and n.name in names for n in walk(expression))
