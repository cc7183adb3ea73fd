"""How runs leave a block or a loop, and with which values of its names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from alignkit.batching.batch_values import Part, merged, taken
from alignkit.batching.columns import Array
from alignkit.batching.frames import Frame

LIVE, BROKE, RETURNED = 0, 1, 2


class Leavers:
    """The runs that have left a loop so far, each with the values of the names that the loop may have changed."""

    def __init__(self, base: Frame, names: Iterable[str]) -> None:
        self.base = base
        self.parts: dict[str, list[Part]] = {name: [] for name in names}
        self.codes = np.zeros(base.size, dtype=np.int8)

    def add(self, places: Array, values: Mapping[str, Any], codes: Array) -> None:
        """Runs at places of the base that leave with these values."""
        if not len(places):
            return
        self.codes[places] = np.where(codes == RETURNED, RETURNED, LIVE)
        for name, parts in self.parts.items():
            value = values[name] if name in values else taken(self.base.get(name), self.base.shape, places)
            parts.append(Part(places, value))

    def finish(self) -> Array:
        """Give the names their values after the loop; returns which runs have returned."""
        for name, parts in self.parts.items():
            if parts:
                self.base.local[name] = merged(self.base.shape, parts)
        return self.codes
