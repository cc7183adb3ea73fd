"""The events of a symbolic run: draws and outputs, and that D′ parts from D."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from alignkit.interpreting.values import Coordinate
from alignkit.language.program import Place
from alignkit.noise import Distribution
from alignkit.symbolic.atoms import Element
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

# The arguments of a vector of draws, at an index.
ArgumentsAt = Callable[[Any], tuple[Any, ...]]


@dataclass(frozen=True)
class ComparedStep:
    """A condition that D′ decides as D did, or a number that it puts out as D did, for a reader of the proof.

    ``other`` is what D put out, None for a condition. Nothing is decided by it.
    """

    place: Place
    shown: Any
    other: Any = None


@dataclass(frozen=True)
class SymbolicDraw:
    """One coordinate drawn on D: its value is a symbol.

    A finite choice has its weights for arguments, and the ``outcome`` that this path takes.
    """

    where: Coordinate
    distribution: Distribution
    arguments: tuple[Any, ...]
    value: Term
    place: Place
    outcome: int | None = None


@dataclass(frozen=True)
class FamilyDraw:
    """A vector of coordinates drawn by one comprehension of symbolic length."""

    key: str
    distribution: Distribution
    arguments: ArgumentsAt = field(repr=False)
    length: Term
    place: Place

    def value(self, index: Term) -> Term:
        """The coordinate at an index."""
        return Term.of(Element(self.key, index, Role.NOISE))

    def at(self, index: Term) -> SymbolicDraw:
        """The draw of the coordinate at an index, which goes by the name of the vector."""
        arguments = self.arguments(index)
        return SymbolicDraw(Coordinate(self.key), self.distribution, arguments, self.value(index), self.place)


@dataclass(frozen=True)
class Emitted:
    """One output with the place that emitted it."""

    value: Any
    place: Place


