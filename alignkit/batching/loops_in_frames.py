"""Loops: one iteration after another, in the runs that have not left; or several at once, where that is the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from alignkit.batching import speculation
from alignkit.batching.batch_values import Items, ItemTable, items_of, taken
from alignkit.batching.columns import Array
from alignkit.batching.comprehensions_of_tables import in_arrays
from alignkit.batching.frames import ITERATION, Frame
from alignkit.batching.leaving import BROKE, RETURNED, Leavers
from alignkit.batching.sequences import item_at, sequence
from alignkit.batching.walks import Walk
from alignkit.language.program import For, assigned

_ITEMS = "[items]"  # what a loop goes over, as a name that no program has


def loop(walker: Walk, node: For, frame: Frame) -> Array | None:
    """Run a loop. Gives back which runs have returned within it."""
    items = walker.value(node.iterable, frame)
    base = frame.flat()
    left = _in_blocks(walker, node, items, frame, base)
    if left is None:
        if base is not frame:
            base = frame.flat()
            items = taken(items, frame.shape, np.arange(frame.size))
        left = _one_by_one(walker, node, items, base)
    if base is not frame:
        frame.merge([base])
    return left if (left == RETURNED).any() else None


def _in_blocks(walker: Walk, node: For, items: Any, frame: Frame, base: Frame) -> Array | None:
    """The loop by blocks of iterations; None where that might not be the same."""
    if base is not frame or not isinstance(items, ItemTable | tuple):
        return None
    length = items.length if isinstance(items, ItemTable) else len(items)
    if length < speculation.SHORTEST or not speculation.allowed(walker, node, base):
        return None
    columns = in_arrays(items, base)
    if columns is None:
        return None
    return speculation.Blocks(walker, node, base, columns, length).run()


def _one_by_one(walker: Walk, node: For, items: Any, base: Frame) -> Array:
    if not isinstance(items, ItemTable):
        items = items_of(sequence(items, base, node.place))
    length = items.length if isinstance(items, ItemTable) else len(items.values if isinstance(items, Items) else items)
    names = [name for name in assigned(node.body) if _has(base, name)]
    leavers = Leavers(base, names)
    scope = base.scope()
    scope.local[_ITEMS] = items
    outer = base.get(ITERATION) if walker.noise.records else ()
    current, places = scope, np.arange(base.size)
    for index in range(length):
        over = current.get(_ITEMS)
        if isinstance(over, ItemTable):
            item = item_at(over, index, current)
        else:
            item = (over.values if isinstance(over, Items) else over)[index]
        walker.bind(node.target, item, current, current.local, node.place)
        if walker.noise.records:
            current.local[ITERATION] = items_of([*(outer.values if isinstance(outer, Items) else outer), index])
        gone = walker.block(node.body, current)
        if gone is None:
            continue
        go, stay = np.nonzero(gone)[0], np.nonzero(gone == 0)[0]
        leavers.add(places[go], {n: taken(v, current.shape, go) for n, v in current.local.items()}, gone[go])
        places = places[stay]
        if not len(places):
            break
        below = scope.below(places)
        below.local = {n: taken(v, current.shape, stay) for n, v in current.local.items() if n != _ITEMS}
        current = below
    if len(places):
        leavers.add(places, current.local, np.full(len(places), BROKE, dtype=np.int8))
    return leavers.finish()


def _has(frame: Frame, name: str) -> bool:
    try:
        frame.get(name)
    except KeyError:
        return False
    return True
