"""Facts that hold at every index, instantiated where it matters: the solver sees no quantifier.

A fact is instantiated at the indices at which the arrays it speaks of are looked at, and at those that were selected.
Three kinds go one after the other, since each may bring in indices for the next: facts at every rank of a ranking,
facts at every position (and at every two), and facts on single values that bring in no further index.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.symbolic.terms import Element, Role, Symbol, Term, atoms_within

# The index at which a family is looked at to see what its elements mention.
PROBE = Term.of(Symbol("index that is looked at", Role.INDEX, integer=True))
_OTHER = Term.of(Symbol("other index that is looked at", Role.INDEX, integer=True))


class Kind(enum.Enum):
    """What a fact holds at every one of."""

    RANK = "rank"
    POSITION = "position"
    PAIR = "two positions"
    VALUE = "value"


@dataclass(eq=False)
class Universal:
    """A fact; called with an index (with two, for a pair), it gives the instance.

    Where it is ``about`` arrays, it matters only to questions that look at one of them.
    """

    kind: Kind
    holds: Callable[..., Any]
    about: frozenset[str] = frozenset()
    known: dict[tuple[Term, ...], Any] = field(default_factory=dict)
    _arrays: frozenset[str] | None = None

    def at(self, *indices: Term) -> Any:
        """The instance at an index, or at two."""
        if indices not in self.known:
            self.known[indices] = self.holds(*indices)
        return self.known[indices]

    @property
    def arrays(self) -> frozenset[str]:
        """The arrays that the fact looks at, at its own index; none where it cannot be told."""
        if self._arrays is None:
            instance = self.holds(PROBE, _OTHER) if self.kind is Kind.PAIR else self.holds(PROBE)
            own = (a for a in atoms_within(instance) if isinstance(a, Element) and a.index == PROBE)
            self._arrays = frozenset(_base(a) for a in own)
        return self._arrays


class _Neighbourhood:
    """Indices, and those next to them: a list that is joined from others has its items at shifted indices."""

    def __init__(self, indices: Iterable[Term]) -> None:
        self.reach: dict[str, tuple[Fraction, Fraction]] = {}
        for index in indices:
            base, number = self._apart(index)
            low, high = self.reach.get(base, (number, number))
            self.reach[base] = (min(low, number), max(high, number))

    def holds(self, index: Term) -> bool:
        """Whether an index is one of them, or next to one."""
        base, number = self._apart(index)
        if base not in self.reach:
            return False
        low, high = self.reach[base]
        return low - 1 <= number <= high + 1

    @staticmethod
    def _apart(index: Term) -> tuple[str, Fraction]:
        number = index.parts.get((), Fraction(0))
        return (index - number).key, number


class Universals:
    """The universal facts of one path."""

    def __init__(self) -> None:
        self.facts: list[Universal] = []
        self.of_pairs = True  # whether facts of two positions are told
        self._arrays: dict[str, tuple[tuple[str, Term], ...]] = {}

    def add(self, kind: Kind, holds: Callable[..., Any], about: frozenset[str] = frozenset()) -> None:
        """One more fact."""
        self.facts.append(Universal(kind, holds, about))

    @contextmanager
    def without_pairs(self) -> Iterator[None]:
        """Facts of two positions are left out for a while."""
        outer, self.of_pairs = self.of_pairs, False
        try:
            yield
        finally:
            self.of_pairs = outer

    def instances(self, formulas: list[Any], selected: list[Term]) -> list[Any]:
        """The facts at the indices that the formulas look at, and at those that were selected."""
        found: dict[tuple[Universal, tuple[Term, ...]], Any] = {}
        of_positions = (Kind.POSITION, Kind.PAIR) if self.of_pairs else (Kind.POSITION,)
        for kinds in ((Kind.RANK,), of_positions, (Kind.VALUE,)):
            facts = [fact for fact in self.facts if fact.kind in kinds]
            if not facts:
                continue
            looked_at = self._looked_at([*formulas, *found.values()])
            # One fact may have another array looked at, at an index that is there already, or next to one that is.
            there = _Neighbourhood([*(i for indices in looked_at.values() for i in indices.values()), *selected])
            new = self._of(facts, looked_at, selected, there)
            while new.keys() - found.keys():
                found |= new
                looked_at = self._looked_at([*formulas, *found.values()])
                new = self._of(facts, looked_at, selected, there)
        return list(found.values())

    def _looked_at(self, formulas: list[Any]) -> dict[str, dict[str, Term]]:
        """For each array the indices at which formulas look at it."""
        found: dict[str, dict[str, Term]] = {}
        for formula in formulas:
            if isinstance(formula, bool):
                continue
            if formula.key not in self._arrays:
                elements = (a for a in atoms_within(formula) if isinstance(a, Element) and a.index.integer)
                self._arrays[formula.key] = tuple((_base(element), element.index) for element in elements)
            for array, index in self._arrays[formula.key]:
                found.setdefault(array, {})[index.key] = index
        return found

    def _of(
        self,
        facts: list[Universal],
        looked_at: dict[str, dict[str, Term]],
        selected: list[Term],
        there: _Neighbourhood,
    ) -> dict[tuple[Universal, tuple[Term, ...]], Any]:
        found = {}
        for fact in facts:
            if fact.about and not fact.about & looked_at.keys():
                continue
            indices = {} if fact.kind is Kind.RANK else {index.key: index for index in selected}
            for array in fact.arrays or looked_at:
                indices |= {key: index for key, index in looked_at.get(array, {}).items() if there.holds(index)}
            size = 2 if fact.kind is Kind.PAIR else 1
            for each in itertools.combinations(indices.values(), size):
                found[fact, each] = fact.at(*each)
        return found


def _base(element: Element) -> str:
    """The array's name; the answers have one name for D and D′."""
    return array_name(element.array.removesuffix("'"), element.role)


def array_name(array: str, role: Role) -> str:
    """What tells an array from those of other roles."""
    return role.prefix + array
