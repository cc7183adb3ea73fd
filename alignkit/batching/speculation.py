"""Several iterations of a loop at once.

An iteration depends on those before it by the names that they assign, and by their jumps. All iterations of a block are
run as if none before them changed such a name or jumped. Up to the first that does, this is what happens one by one,
and up to it the block counts; its noise from there on is thrown away, unseen by anything that is kept. The law of the
outputs is therefore that of iterations one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alignkit.batching.arithmetic_on_columns import compared
from alignkit.batching.batch_values import Items, Part, by_arrays, items_of, merged, taken, varies
from alignkit.batching.bookkeeping import Kept, keep_books, without_books
from alignkit.batching.columns import Array, NumberColumn
from alignkit.batching.comparisons import is_numeric
from alignkit.batching.frames import ITERATION, Anchor, Frame
from alignkit.batching.leaving import BROKE, LIVE, RETURNED, Leavers
from alignkit.batching.unsupported import Unbatched
from alignkit.batching.walks import Walk
from alignkit.errors import AlignkitError
from alignkit.interpreting.operations import DIVISIONS
from alignkit.language import program
from alignkit.language.program import Expression, For, Statement, assigned, target_names, walk
from alignkit.noise import CHOICE

SHORTEST = 8
"""Shorter loops are run one iteration after another."""

_FEWEST, _PLACES = 2**11, 2**17
"""A block has about so many places at least, since it takes a while to begin; and at most, for the cache."""

_SAFE = (
    program.Constant, program.Name, program.Negate, program.Not, program.Connective, program.Compare, program.Choice,
    program.Sequence,
)  # fmt: skip
_SAFE_STATEMENTS = (program.Assign, program.If, program.Yield, program.Return, program.Break, program.Pass)


def allowed(walker: Walk, node: For, base: Frame) -> bool:
    """Whether blocks are worth while, and no iteration can be undefined, which only those that happen may be."""
    carried = {name for name in assigned(node.body) if _value(base, name) is not None}
    if any(carried & set(target_names(s.target)) for s in node.body if isinstance(s, program.Assign)):
        return False  # every iteration changes a name that the next may read
    own = assigned((node,))
    return all(_safe_statement(walker, s, base, own) for s in node.body)


def _safe_statement(walker: Walk, node: Statement, base: Frame, own: frozenset[str]) -> bool:
    if not isinstance(node, _SAFE_STATEMENTS):
        return False
    if isinstance(node, program.If):
        inner = all(_safe_statement(walker, s, base, own) for s in (*node.then, *node.other))
        return inner and _safe(walker, node.test, base, own)
    value = getattr(node, "value", None)
    return value is None or _safe(walker, value, base, own)


def _safe(walker: Walk, node: Expression, base: Frame, own: frozenset[str]) -> bool:
    """Whether the expression has a value in every iteration."""
    if isinstance(node, program.Draw):
        if node.distribution is CHOICE:
            return False
        return all(_positive(_alike(walker, a, base, own)) for a in node.arguments)
    if _alike(walker, node, base, own) is not None:
        return True
    if isinstance(node, program.Arithmetic):
        divides = node.operator in DIVISIONS and not _nonzero(_alike(walker, node.right, base, own))
        return not divides and all(_safe(walker, x, base, own) for x in (node.left, node.right))
    if isinstance(node, program.Builtin):
        several = node.function in ("min", "max") and len(node.arguments) > 1
        if node.function != "abs" and not several:
            return False
    elif not isinstance(node, _SAFE):
        return False
    return all(_safe(walker, x, base, own) for x in program.children(node))


def _alike(walker: Walk, node: Expression, base: Frame, own: frozenset[str]) -> Any:
    """The value of an expression that is the same in all runs and iterations; None where it may have none such."""
    for inside in walk(node):
        if isinstance(inside, program.Name) and (inside.name in own or varies(_value(base, inside.name))):
            return None
        if isinstance(inside, program.Draw | program.Call | program.Comprehension):
            return None
    try:
        value = walker.value(node, base)
    except (AlignkitError, ArithmeticError, LookupError, ValueError, Unbatched):
        return None
    return None if varies(value) else value


def _positive(value: Any) -> bool:
    return value is not None and is_numeric(value) and bool(value > 0)


def _nonzero(value: Any) -> bool:
    return value is not None and is_numeric(value) and bool(value != 0)


def _value(frame: Frame, name: str) -> Any:
    try:
        return frame.get(name)
    except KeyError:
        return None


class Blocks:
    """A loop that is run by blocks; each run goes on from where its last block counted."""

    def __init__(self, walker: Walk, node: For, base: Frame, columns: Any, length: int) -> None:
        self.walker, self.node, self.base, self.columns, self.length = walker, node, base, columns, length
        self.carried = sorted(name for name in assigned(node.body) if _value(base, name) is not None)
        self.leavers = Leavers(base, self.carried)
        self.places = np.arange(base.size)
        self.position = np.zeros(base.size, dtype=np.int64)
        self.state = {name: base.get(name) for name in self.carried}
        self.books = without_books(node.body, frozenset(self.carried), assigned((node,)))
        self.iterations, self.events = 64.0, 1.0
        self.first = True

    def run(self) -> Array:
        while len(self.places):
            self._block()
        return self.leavers.finish()

    def _width(self) -> int:
        """How many iterations: few where events are frequent, since each throws away the rest of its row."""
        runs = len(self.places)
        wanted = max(1, int(self.iterations / (2 * self.events)), _FEWEST // runs)
        # Recorded noise must not belong to an iteration that the loop does not have.
        done = self.position.max() if self.walker.noise.records else self.position.min()
        return int(min(wanted, max(1, _PLACES // runs), self.length - done))

    def _block(self) -> None:
        walker, width, runs = self.walker, self._width(), len(self.places)
        base = self.base.scope() if runs == self.base.size else self.base.below(self.places)
        base.local = dict(self.state)
        anchor = Anchor(runs * width, self.base.anchor.usual)
        block = base.spread(width, anchor)
        block.safe = True
        walker.bind(self.node.target, self._items(width), block, block.local, self.node.place)
        if walker.noise.records:
            self._name_iterations(block, width)
        gone = walker.block(self.node.body if self.books is None else self.books.body, block)
        room = np.minimum(width, self.length - self.position)
        kept = self._up_to_the_first_event(base, block, gone, room)
        if self.books is not None:
            left = kept.codes
            kept = keep_books(
                walker, self.books, base, anchor.noted, width, kept.count, self.state, first=self.first
            )  # fmt: skip
            kept.codes[kept.codes == LIVE] = left[kept.codes == LIVE]
            self.first = False
        self._keep(anchor, kept.count, width)
        self._go_on(kept, int(np.count_nonzero(kept.count < room)))

    def _up_to_the_first_event(self, base: Frame, block: Frame, gone: Array | None, room: Array) -> Kept:
        """What counts if an iteration that changes a name, or jumps, is the last that does."""
        width = block.shape[1]
        changed = [
            _changed(base.local[name], block.local[name]) for name in self.carried if name in block.local
        ]  # fmt: skip
        codes = np.zeros(len(room), dtype=np.int8)
        if gone is None and not any(each.any() for each in changed):
            return Kept(room, codes, self.state)
        event = np.zeros(block.shape, dtype=bool) if gone is None else gone.reshape(block.shape) != LIVE
        for each in changed:
            event = event | each
        event &= np.arange(width) < room[:, None]
        rows = np.nonzero(event.any(axis=1))[0]
        first = event[rows].argmax(axis=1)
        count, at, state = room.copy(), rows * width + first, dict(self.state)
        count[rows] = first + 1
        if gone is not None:
            codes[rows] = gone[at]
        everyone = np.arange(len(room))
        for name in self.carried:
            if name in block.local:
                new = Part(rows, taken(block.local[name], block.shape, at))
                state[name] = merged(room.shape, [Part(everyone, self.state[name]), new])
        return Kept(count, codes, state)

    def _items(self, width: int) -> Any:
        start = int(self.position[0])
        together = bool((self.position == start).all())
        everyone = len(self.places) == self.base.size
        if together:
            def select(array: Array) -> Array:
                part = array[:, start : start + width]
                return part if everyone or len(array) == 1 else part[self.places]
        else:
            at = np.minimum(self.position[:, None] + np.arange(width), self.length - 1)

            def select(array: Array) -> Array:
                return np.asarray(array[0][at] if len(array) == 1 else array[self.places[:, None], at])
        return by_arrays(self.columns, select)

    def _name_iterations(self, block: Frame, width: int) -> None:
        outer = block.get(ITERATION)
        index = NumberColumn.of_counts(self.position[:, None] + np.arange(width), whole=True)
        block.local[ITERATION] = items_of([*(outer.values if isinstance(outer, Items) else outer), index])

    def _keep(self, anchor: Anchor, count: Array, width: int) -> None:
        """Hand on what the iterations that count have put out and returned."""
        above = self.base.anchor
        target = self.base.rows[self.places]
        start, each = above.lengths[target], anchor.common_length
        if each is None:
            lengths = anchor.lengths.reshape(-1, width) * (np.arange(width) < count[:, None])
            before = np.cumsum(lengths, axis=1) - lengths
            above.add(target, lengths.sum(axis=1))
        else:
            above.add(target, each * count)
        for rows, position, value in anchor.emitted:
            owner, column = np.divmod(rows, width)
            kept = np.nonzero(column < count[owner])[0]
            if len(kept) < len(rows):
                value = taken(value, rows.shape, kept)
                owner, column, position = owner[kept], column[kept], position[kept]
            earlier = column * each if each is not None else before[owner, column]
            above.emitted.append((target[owner], start[owner] + earlier + position, value))
        for part in anchor.returned:
            owner, column = np.divmod(part.at, width)
            kept = np.nonzero(column < count[owner])[0]
            if len(kept):
                above.returned.append(Part(target[owner[kept]], taken(part.value, part.at.shape, kept)))

    def _go_on(self, kept: Kept, events: int) -> None:
        """Each run with the values after its last iteration; those at the end leave."""
        runs, over = len(self.places), self.position + kept.count >= self.length
        self.position, self.state = self.position + kept.count, dict(kept.state)
        self.iterations = self.iterations / 2 + int(kept.count.sum())
        self.events = self.events / 2 + events
        leave = over | (kept.codes != LIVE)
        if leave.any():
            go, stay = np.nonzero(leave)[0], np.nonzero(~leave)[0]
            values = {name: taken(v, (runs,), go) for name, v in self.state.items()}
            self.leavers.add(self.places[go], values, np.where(kept.codes[go] == RETURNED, RETURNED, BROKE))
            self.state = {name: taken(v, (runs,), stay) for name, v in self.state.items()}
            self.places, self.position = self.places[stay], self.position[stay]


def _changed(old: Any, new: Any) -> Array:
    """Where a name has another value than before, by place."""
    spread = by_arrays(old, lambda array: array[:, None])
    if not varies(old) and not varies(new):
        return np.array(not (old is new or (type(old) is type(new) and old == new)))
    if is_numeric(old) and is_numeric(new):
        return compared("!=", spread, new)
    if isinstance(old, bool | np.ndarray) and isinstance(new, bool | np.ndarray):
        return np.asarray(spread != new)
    return np.array(True)
