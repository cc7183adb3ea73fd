"""Loops whose iterations do not depend on what earlier ones counted, but for when the loop ends.

The statements that keep the books (``count += 1``, ``if cost > budget: break``) are taken out of the body. The rest
runs in all iterations of a block at once, and notes at which places it came by such a statement. The statements
themselves are then run at those places alone, in the order of each run's iterations. Up to the one that ends the loop,
all of this is what happens one iteration after another, on the same noise.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alignkit.batching.batch_values import Part, merged, taken
from alignkit.batching.columns import Array
from alignkit.batching.frames import Frame
from alignkit.batching.leaving import LIVE
from alignkit.batching.walks import Walk
from alignkit.language import program
from alignkit.language.program import Statement, assigned, walk


@dataclass(frozen=True)
class Noted:
    """A statement that keeps the books, taken out of a loop's body."""

    statement: Statement


@dataclass(frozen=True)
class Books:
    """A loop's body without its bookkeeping, but for ``end``: the ``if …: break`` to which every iteration comes."""

    body: tuple[Any, ...]
    end: Statement | None


def without_books(body: tuple[Statement, ...], carried: frozenset[str], own: frozenset[str]) -> Books | None:
    """The body without its bookkeeping; None where something else depends on that.

    ``carried`` are the names that outlive an iteration, ``own`` all names that the loop assigns.
    """
    made = _Split(carried, own).statements(body, last=True)
    if made is None:
        return None
    rest = tuple(each for each in made if not isinstance(each, Noted))
    always = [each.statement for each in made if isinstance(each, Noted)]
    if not always:
        return Books(rest, None)
    if len(always) > 1 or not isinstance(made[-1], Noted) or assigned((always[0],)):
        return None
    return Books(rest, always[0])


@dataclass(frozen=True)
class _Split:
    carried: frozenset[str]
    own: frozenset[str]

    def statements(self, nodes: tuple[Statement, ...], *, last: bool) -> tuple[Any, ...] | None:
        made = []
        for i, node in enumerate(nodes):
            one = self.statement(node, last=last and i + 1 == len(nodes))
            if one is None:
                return None
            made.append(one)
        return tuple(made)

    def statement(self, node: Statement, *, last: bool) -> Any:
        """The statement without its bookkeeping; None where something else depends on that."""
        if self._keeps_books(node):
            jumps = any(isinstance(each, program.Break) for each in walk(node))
            return Noted(node) if last or not jumps else None
        if isinstance(node, program.If):
            if self._reads(node.test, self.carried):
                return None
            then = self.statements(node.then, last=last)
            other = self.statements(node.other, last=last)
            return None if then is None or other is None else dataclasses.replace(node, then=then, other=other)
        if isinstance(node, program.Assign) and self.carried & set(program.target_names(node.target)):
            return None
        return None if self._reads(node, self.carried) else node

    def _keeps_books(self, node: Statement) -> bool:
        """Whether a statement changes names that outlive the iteration, or ends the loop, by such names alone."""
        if isinstance(node, program.Assign):
            return isinstance(node.target, str) and node.target in self.carried and self._steady(node.value)
        if isinstance(node, program.If):
            inner = (*node.then, *node.other)
            books = all(isinstance(each, program.Break) or self._keeps_books(each) for each in inner)
            return books and self._steady(node.test) and self._reads(node.test, self.carried)
        return False

    def _steady(self, node: Any) -> bool:
        """Whether an expression reads no name that an iteration has for itself, and draws nothing."""
        moves = (program.Draw, program.Call, program.Comprehension)
        return not self._reads(node, self.own - self.carried) and not any(isinstance(x, moves) for x in walk(node))

    @staticmethod
    def _reads(node: Any, names: frozenset[str]) -> bool:
        return any(isinstance(each, program.Name) and each.name in names for each in walk(node))


@dataclass(frozen=True)
class Kept:
    """How many iterations each run does, how it leaves, and the values of the names afterwards."""

    count: Array
    codes: Array
    state: Mapping[str, Any]


def keep_books(
    walker: Walk, books: Books, base: Frame, noted: Sequence[tuple[Statement, Array]], width: int, room: Array,
    state: Mapping[str, Any], *, first: bool,
) -> Kept:  # fmt: skip
    """Run the bookkeeping of a block, which has a row for each run of the base and ``width`` iterations.

    ``noted`` has the places of the block, flattened; ``room`` says how many iterations each run may do. ``first`` says
    that the block is the first of the loop, where the end is tested before anything changes.
    """
    runs = len(room)
    kept = Kept(room.copy(), np.zeros(runs, dtype=np.int8), dict(state))
    statements, rows, columns, which = _in_order(noted, books.end, width, room, first=first)
    if not len(rows):
        return kept
    heads = np.nonzero(np.diff(rows, prepend=-1))[0]
    ends = np.append(heads[1:], len(rows))
    here, local = rows[heads], {name: taken(value, (runs,), rows[heads]) for name, value in state.items()}
    parts = {name: [Part(np.arange(runs), value)] for name, value in state.items()}
    while len(heads):
        frame = base.below(here)
        frame.local = dict(local)
        gone = _run_noted(walker, statements, which[heads], frame)
        kept.count[here[gone != LIVE]] = columns[heads[gone != LIVE]] + 1
        kept.codes[here] = gone
        heads = heads + 1
        done = (gone != LIVE) | (heads == ends)
        local = {name: frame.local[name] for name in local}
        if done.any():
            go, stay = np.nonzero(done)[0], np.nonzero(~done)[0]
            for name, value in local.items():
                parts[name].append(Part(here[go], taken(value, here.shape, go)))
            local = {name: taken(value, here.shape, stay) for name, value in local.items()}
            here, heads, ends = here[stay], heads[stay], ends[stay]
    return dataclasses.replace(kept, state={name: merged((runs,), listed) for name, listed in parts.items()})


def _in_order(
    noted: Sequence[tuple[Statement, Array]], end: Statement | None, width: int, room: Array, *, first: bool
) -> tuple[list[Statement], Array, Array, Array]:
    """The statements, and run by run the places: rows, columns, and the statements there, as bits of a number."""
    at = [places for _, places in noted]
    if first and end is not None:
        at.append(np.arange(len(room)) * width)
    found = np.unique(np.concatenate(at)) if len(at) > 1 else np.sort(at[0]) if at else np.zeros(0, dtype=np.int64)
    rows, columns = np.divmod(found, width)
    within = columns < room[rows]
    found, rows, columns = found[within], rows[within], columns[within]
    which = np.zeros(len(found), dtype=np.int64)
    for i, (_, places) in enumerate(noted):
        which |= np.isin(found, places, assume_unique=True).astype(np.int64) << i
    statements = [statement for statement, _ in noted]
    if end is not None:
        which |= 1 << len(statements)
        statements.append(end)
    return statements, rows, columns, which


def _run_noted(walker: Walk, statements: Sequence[Statement], which: Array, frame: Frame) -> Array:
    """Run the statements that each run has come by; which runs leave, and how."""
    left = np.zeros(len(which), dtype=np.int8)
    for i, statement in enumerate(statements):
        at = np.nonzero(which >> i & 1)[0]
        if not len(at):
            continue
        if len(at) == len(which):
            gone = walker.block((statement,), frame)
        else:
            below = frame.below(at)
            gone = walker.block((statement,), below)
            frame.merge([below])
        if gone is not None:
            left[at] = np.maximum(left[at], gone)
    return left
