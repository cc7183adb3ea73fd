"""The order of a sequence's values on one run, given by two arrays: ranks by position, and positions by rank.

Universal facts about the two arrays, stated where the ranking is made, say which order it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from alignkit.interpreting.values import Family
from alignkit.language.program import Builtin
from alignkit.proving.facts.ranges import within
from alignkit.symbolic.atoms import Element
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


@dataclass(frozen=True, eq=False)
class Ranking:
    """The order of the values of a sequence on one run; its first ``count`` positions were asked for."""

    name: str
    values: Family = field(repr=False)
    count: Term
    node: Builtin = field(repr=False)

    @property
    def positions(self) -> str:
        """The name of the array of positions, which is indexed by ranks."""
        return f"position in {self.name}"

    @property
    def ranks(self) -> str:
        """The name of the array of ranks, which is indexed by positions."""
        return f"rank in {self.name}"

    def at(self, rank: Any) -> Term:
        """The position at a rank."""
        return Term.of(Element(self.positions, Term.of(rank), Role.INDEX, integer=True))

    def rank(self, position: Any) -> Term:
        """The rank of a position, from 0."""
        return Term.of(Element(self.ranks, Term.of(position), Role.INDEX, integer=True))

    def inside(self, position: Term) -> Any:
        """Whether an index is a position of the sequence at all."""
        return within(position, self.values.length)

    def among(self, position: Term, start: Term, end: Term) -> Any:
        """Whether an index is a position whose rank is one of ``start``, …, ``end`` - 1."""
        rank = self.rank(position)
        from_start = True if start == Term.of(0) else rank.compare(">=", start)  # no rank lies below 0
        return conjunction((self.inside(position), from_start, rank.compare("<", end)))

    def first(self, count: Any) -> Family:
        """The first positions in order."""
        return Family(Term.of(count), self.at)
