"""What values depend on: the symbols that they mention, and what decided the selections that they mention."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from alignkit.interpreting.values import Family
from alignkit.proving.facts.elements import Elements
from alignkit.proving.facts.instances import PROBE
from alignkit.proving.facts.universals import arrays_looked_at
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role


class Dependencies:
    """What the values of one path depend on; ``families`` are what indices were selected from, by their keys."""

    def __init__(self, elements: Elements) -> None:
        self.elements = elements
        self.families: dict[str, Family] = {}
        self.arrays: dict[str, frozenset[str]] = {}
        self._given: set[str] = set()

    def note(self, index: Term, family: Family, *, on_d: bool) -> None:
        """Note that an index was selected from a family.

        The alignment knows D's own selections only as part of the output, and for a given output they are given.
        """
        self.families[index.key] = family
        self.arrays[index.key] = arrays_looked_at(*self.contents(index.key))
        if on_d:
            self._given.add(index.key)

    def clear(self) -> None:
        """Let go of the sequences, which refer to the whole path."""
        self.families.clear()

    def decided_by_noise(self, atom: object) -> bool:
        """Whether a symbol is an index that was selected and is not given by the output."""
        return isinstance(atom, Symbol) and atom.key in self.families and atom.key not in self._given

    def contents(self, key: str) -> tuple[Any, ...]:
        """What decides a selection: an arbitrary element of its family, and whether the element belongs to it."""
        family = self.families[key]
        with self.elements.looking():
            admits = True if family.admits is None else family.admits(PROBE)
            return (family.element(PROBE), admits)

    def atoms(self, *values: Any) -> Iterator[Atom]:
        """Every atom that values mention, or depend on through indices that were selected."""
        seen: set[str] = set()
        waiting = list(values)
        while waiting:
            value = waiting.pop()
            if isinstance(value, tuple):
                waiting.extend(value)
                continue
            for atom in atoms_within(value):
                yield atom
                if self.decided_by_noise(atom) and atom.key not in seen:
                    seen.add(atom.key)
                    waiting.extend(self.contents(atom.key))

    def roles(self, *values: Any) -> frozenset[Role]:
        """The roles of all symbols that values depend on."""
        mentioned = {a.role for a in self.atoms(*values) if isinstance(a, Symbol | Element)}
        return frozenset(mentioned).union(*(roles(v) for v in values))
