"""What D's run and that of D′ make of lists that they put out: longer ones in a loop, and filtered ones."""

from __future__ import annotations

from typing import Any

from alignkit.interpreting.values import Family, FilteredList
from alignkit.language.program import Comprehension, Place
from alignkit.proving.runs.grown_lists import GrownList
from alignkit.proving.vectors.selecting import SelectingContext


class ListMakingContext(SelectingContext):
    """A run of the mechanism, which may append to lists and filter them."""

    def joined(self, parts: list[tuple[Any, ...] | Family], place: Place) -> Family:
        first, *rest = parts
        appended = [item for part in rest if isinstance(part, tuple) for item in part]
        if isinstance(first, GrownList) and all(isinstance(part, tuple) for part in rest):
            return first.extended(tuple(self.appended(item, place) for item in appended))
        return super().joined(parts, place)

    def appended(self, item: Any, place: Place) -> Any:
        """An item that is appended to a list, as the run keeps it."""
        return item

    def filtered(self, made: Family, node: Comprehension) -> FilteredList:
        return FilteredList(self.family(made, node))
