"""Symbolic runs that select: extrema, the largest values, and whether a position was selected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alignkit.interpreting.values import Family
from alignkit.language.program import Builtin, Place
from alignkit.proving.facts.ranges import concatenated
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.path_obligations import Obligations
from alignkit.proving.symbolic_context import SymbolicContext
from alignkit.proving.vectors.named_positions import is_listed
from alignkit.proving.vectors.rankings import rank_values
from alignkit.proving.vectors.selections import select_extremum, select_largest, select_largest_of_few
from alignkit.proving.vectors.summing import total_of
from alignkit.symbolic.summation import NotASum
from alignkit.symbolic.trees import Role

# What the items of a sum may not depend on, in words.
_DEPENDS_ON = {
    Role.NOISE: "noise",
    Role.STATE: "what a loop changes",
    Role.INDEX: "the position in a list or loop around it",
    Role.OUTPUT: "the output",
}
_MORE = "more than answers and public values"


class SelectingContext(SymbolicContext):
    """A symbolic run, with the rankings that it has made."""

    def __init__(self, owed: Obligations, keys: Mapping[tuple[tuple[int, ...], int], str]) -> None:
        super().__init__(owed, keys)
        self.rankings: list[Ranking] = []

    def over(self) -> None:
        super().over()
        self.rankings.clear()

    def reduce(self, function: str, family: Family, node: Builtin) -> Any:
        if function in ("max", "min"):
            return select_extremum(self, function, family, node)
        if function == "sum":
            return self.sum(family, node)
        raise self.unsupported(f"{function} over a sequence of symbolic length", node.place)

    def sum(self, family: Family, node: Builtin) -> Any:
        try:
            return total_of(self.owed, family, node)
        except NotASum as problem:
            cause = next((words for role, words in _DEPENDS_ON.items() if role in problem.depends_on), _MORE)
            words = f"a sum over a sequence of symbolic length whose items depend on {cause}"
            raise self.unsupported(words, node.place) from None

    def largest(self, family: Any, k: Any, node: Builtin) -> Any:
        count = self.whole(k, node.place)
        if isinstance(family, tuple) and isinstance(k, int):
            return select_largest_of_few(self, family, k, node)
        if isinstance(k, int):
            return select_largest(self, family, k, node)
        if not isinstance(family, Family):
            called = "largest(values, k) of a list of fixed length, with a k that is not a number"
            raise self.unsupported(called, node.place)
        return self.ranked(rank_values(self, family, count, node))

    def ranked(self, ranking: Ranking) -> Family:
        """The first positions of a ranking that this run has made."""
        self.rankings.append(ranking)
        return ranking.first(ranking.count)

    def joined(self, parts: list[tuple[Any, ...] | Family], place: Place) -> Family:
        if any(isinstance(part, Family) and part.admits is not None for part in parts):
            raise self.unsupported("a list that is joined with a filtered list", place)
        return concatenated(parts, place)

    def member(self, value: Any, family: Family, place: Place) -> Any:
        return is_listed(self, family, value, place)
