"""Facts that hold at every index, instantiated where it matters: the solver sees no quantifier.

A fact is instantiated at the indices at which the arrays it speaks of are looked at, and at those that were selected.
Three kinds go one after the other, since each may bring in indices for the next: facts at every rank of a ranking,
facts at every position (and at every two), and facts on single values that bring in no further index.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
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


class Universals:
    """The universal facts of one path."""

    def __init__(self) -> None:
        self.facts: list[Universal] = []

    def add(self, kind: Kind, holds: Callable[..., Any], about: frozenset[str] = frozenset()) -> None:
        """One more fact."""
        self.facts.append(Universal(kind, holds, about))

    def instances(self, formulas: list[Any], selected: list[Term]) -> list[Any]:
        """The facts at the indices that the formulas look at, and at those that were selected."""
        found: dict[tuple[Universal, tuple[Term, ...]], Any] = {}
        for kinds in ((Kind.RANK,), (Kind.POSITION, Kind.PAIR), (Kind.VALUE,)):
            facts = [fact for fact in self.facts if fact.kind in kinds]
            if not facts:
                continue
            looked_at = _looked_at([*formulas, *found.values()])
            # One fact may have another array looked at, at an index that is there already; no index is added.
            there = {key for indices in looked_at.values() for key in indices} | {index.key for index in selected}
            new = self._of(facts, looked_at, selected, there)
            while new.keys() - found.keys():
                found |= new
                looked_at = _looked_at([*formulas, *found.values()])
                new = self._of(facts, looked_at, selected, there)
        return list(found.values())

    def _of(
        self, facts: list[Universal], looked_at: dict[str, dict[str, Term]], selected: list[Term], there: set[str]
    ) -> dict[tuple[Universal, tuple[Term, ...]], Any]:
        found = {}
        for fact in facts:
            if fact.about and not fact.about & looked_at.keys():
                continue
            indices = {} if fact.kind is Kind.RANK else {index.key: index for index in selected}
            for array in fact.arrays or looked_at:
                indices |= {key: index for key, index in looked_at.get(array, {}).items() if key in there}
            size = 2 if fact.kind is Kind.PAIR else 1
            for each in itertools.combinations(indices.values(), size):
                found[fact, each] = fact.at(*each)
        return found


def _looked_at(formulas: list[Any]) -> dict[str, dict[str, Term]]:
    """For each array the indices at which formulas look at it."""
    found: dict[str, dict[str, Term]] = {}
    for formula in formulas:
        for atom in atoms_within(formula):
            if isinstance(atom, Element):
                found.setdefault(_base(atom), {})[atom.index.key] = atom.index
    return found


def _base(element: Element) -> str:
    """The array's name; the answers have one name for D and D′."""
    return array_name(element.array.removesuffix("'"), element.role)


def array_name(array: str, role: Role) -> str:
    """What tells an array from those of other roles."""
    return role.prefix + array
