"""Instances of universal facts, made by substitution from the fact at a probe, an index of its own.

An instance is a pure value: what a fact says at an index does not depend on the path that it was established on, so
that all paths of a check share the instances. Whether a fact is used at all is for its path to say.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.substitution import Substitution
from alignkit.symbolic.terms import Term, atoms_within
from alignkit.symbolic.trees import Role

# The probe: the index at which a family is looked at to see what its elements mention. Facts about two have another.
PROBE_SYMBOL = Symbol("index that is looked at", Role.INDEX, integer=True)
OTHER_SYMBOL = Symbol("other index that is looked at", Role.INDEX, integer=True)
PROBE = Term.of(PROBE_SYMBOL)
OTHER = Term.of(OTHER_SYMBOL)


class Instances:
    """Makes the instances of facts, and finds at what indices formulas look; nothing is done twice in one check."""

    def __init__(self) -> None:
        self.elements = cache(_elements)
        self.looks = cache(_looks)
        self._substitution = cache(_substitution)

    def of(self, general: Any, index: Term, other: Term | None = None) -> Any | None:
        """The fact at an index, or at two; None where it depends on an index by more than its atoms.

        The names of some symbols (a sum, a question about another iteration's output) contain the index that they are
        about, where no substitution reaches it.
        """
        if isinstance(general, bool):
            return general
        if any(_mentions_probe(at) for at in (index, other) if at is not None):
            return None
        # One index after the other: what is said of one of them alone is made once, and neither mentions the symbol
        # that the other is put for.
        partial = general if other is None else self._substitution(OTHER_SYMBOL, other)(general)
        instance = self._substitution(PROBE_SYMBOL, index)(partial)
        return None if _mentions_probe(instance) else instance


def _elements(formula: Any) -> tuple[Element, ...]:
    """The elements of arrays that a formula mentions."""
    return tuple(atom for atom in atoms_within(formula) if isinstance(atom, Element))


def _looks(formula: Any) -> tuple[tuple[str, str, Term], ...]:
    """The arrays that a formula looks at and at which whole numbers: the array, the index's key and the index."""
    return tuple((array_of(e), e.index.key, e.index) for e in _elements(formula) if e.index.integer)


def _substitution(symbol: Symbol, index: Term) -> Substitution:
    """Puts an index in the place of a symbol; it remembers the formulas that it has treated."""
    return Substitution({symbol: index})


def _mentions_probe(value: Any) -> bool:
    """Whether a term or a formula mentions an index that stands for every one, if only in a name."""
    return not isinstance(value, bool) and (PROBE.key in value.key or OTHER.key in value.key)


def array_of(element: Element) -> str:
    """The array's name; the answers have one name for D and D′."""
    return array_name(element.array.removesuffix("'"), element.role)


def array_name(array: str, role: Role) -> str:
    """The name of an array, which differs from those of arrays with other roles."""
    return role.prefix + array


def named_after_probe(value: Any) -> bool:
    """Whether a formula mentions something whose name contains an index that stands for every one."""
    names = {atom.name for atom in atoms_within(value)} | getattr(value, "unknowns", frozenset())
    return any(PROBE.key in name or OTHER.key in name for name in names)
