"""Facts that hold at every index, instantiated where it matters: the solver sees no quantifier.

A fact is instantiated at the indices at which the arrays that it mentions are looked at, and at those that were
selected from a sequence that mentions them too. Three quantifiers follow one another, since each may bring in indices
for the next: facts at every rank of a ranking, facts at every position (and at every two positions), and facts about
single values, which bring in no further index.

Instances of universal facts, made by substitution from the fact at a probe, an index of its own.

An instance is a pure value: what a fact says at an index does not depend on the path that it was established on, so
that all paths of a check share the instances. Whether a fact is used at all is for its path to say.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from alignkit.errors import Undefined
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.substitution import Substitution
from alignkit.symbolic.summation import RunningSum
from alignkit.symbolic.terms import Term, atoms_within
from alignkit.symbolic.trees import Role, lazy

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
    # The name of a sum holds its parameters, which substitution reaches: they are among the atoms themselves.
    named = (atom for atom in atoms_within(value) if not isinstance(atom, RunningSum))
    names = {atom.name for atom in named} | getattr(value, "unknowns", frozenset())
    return any(PROBE.key in name or OTHER.key in name for name in names)


class Quantifier(enum.Enum):
    """What a universal fact ranges over."""

    RANK = "rank"
    POSITION = "position"
    PAIR = "two positions"
    VALUE = "value"


@dataclass(eq=False)
class Universal:
    """A fact that holds at every index; ``general`` is what it says at one that stands for any (at two, for a pair).

    A fact that is ``about`` arrays matters only to questions that look at one of them. ``holds`` gives the instance at
    an index where substitution cannot, because a name in the fact contains the index; else it is None.
    """

    over: Quantifier
    general: Any
    about: frozenset[str] = frozenset()
    holds: Callable[..., Any] | None = None
    known: dict[tuple[str, ...], Any] = field(default_factory=dict)

    @staticmethod
    def of(over: Quantifier, holds: Callable[..., Any], about: frozenset[str] = frozenset()) -> Universal:
        """The fact that ``holds`` gives for an index.

        Where substitution gives all instances only the general form is kept: ``holds`` refers to the whole path, which
        would live on with each of its obligations.
        """
        general = holds(PROBE, OTHER) if over is Quantifier.PAIR else holds(PROBE)
        by_name = named_after_probe(general)
        return Universal(over, general, about, holds if by_name else None)

    def at(self, indices: tuple[Term, ...], keys: tuple[str, ...], shared: Instances) -> Any:
        """The instance at an index, or at two, whose keys are ``keys``. Where it divides by 0 it says nothing."""
        if keys not in self.known:
            try:
                instance = shared.of(self.general, *indices)
                if instance is None:
                    instance = True if self.holds is None else self.holds(*indices)
                self.known[keys] = instance
            except (ZeroDivisionError, Undefined):
                self.known[keys] = True
        return self.known[keys]

    @property
    def uniform(self) -> bool:
        """Whether its instances come by substitution."""
        return self.holds is None

    @cached_property
    def key(self) -> Hashable:
        """Equal for facts that say the same; one that no substitution reaches is like no other."""
        if not self.uniform:
            return self
        return self.over, self.about, self.general

    @cached_property
    def arrays(self) -> tuple[str, ...]:
        """The arrays that the fact looks at, at its own index; none where that is not to be seen."""
        return tuple(sorted(arrays_looked_at(self.general)))


def arrays_looked_at(*values: Any) -> frozenset[str]:
    """The arrays that values look at, at the probe's very index."""
    atoms = (a for v in values for a in atoms_within(v) if isinstance(a, Element) and a.index == PROBE)
    return frozenset(array_of(a) for a in atoms)


class _Neighbourhood:
    """Indices and their neighbours: a list that is joined from others has its items at shifted indices."""

    def __init__(self, indices: Iterable[Term]) -> None:
        numbers: dict[str, list[Fraction | int]] = {}
        for index in indices:
            base, number = _apart(index)
            numbers.setdefault(base, []).append(number)
        self._reach = {base: (min(values) - 1, max(values) + 1) for base, values in numbers.items()}
        self._near: dict[str, bool] = {}

    def holds(self, index: Term) -> bool:
        """Whether an index is one of them, or next to one."""
        if index.key not in self._near:
            base, number = _apart(index)
            low, high = self._reach.get(base, (number, number - 1))
            self._near[index.key] = low <= number <= high
        return self._near[index.key]


def _apart(index: Term) -> tuple[str, Fraction | int]:
    """An index without the number that is added to it, by its key, and that number."""
    number = index.parts.get((), 0)
    return (index - number).key, number


# The indices at which formulas look at each array, by their keys.
LookedAt = dict[str, dict[str, Term]]
# Instances, by their fact and the keys of their indices.
Instantiated = dict[tuple[Universal, tuple[str, ...]], Any]


@dataclass(frozen=True, eq=False)
class UniversalFacts:
    """The universal facts that are known at one moment, to be instantiated where they matter.

    At ``selected`` indices they may matter to any question. Each comes with the arrays that the sequence it was
    selected from looks at there (None: not known); it is of no interest to facts about other arrays, whose positions
    may be counted from elsewhere. ``shared`` are instances that other paths have made.
    """

    universals: tuple[Universal, ...] = ()
    selected: tuple[tuple[Term, frozenset[str] | None], ...] = ()
    shared: Instances = field(default_factory=Instances, repr=False)

    @lazy
    def key(self) -> Hashable:
        """Equal for facts that say the same."""
        return tuple(fact.key for fact in self.universals), tuple(index.key for index, _ in self.selected)

    def near(self, formulas: list[Any]) -> list[Any]:
        """Instances at the very indices at which formulas look at arrays."""
        looked_at: LookedAt = {}
        self._look(formulas, looked_at)
        return list(self._new(self.universals, looked_at, {}).values())

    def everywhere(self, formulas: list[Any]) -> list[Any]:
        """Instances at the indices that formulas or other instances look at, and at those that were selected."""
        if not self.universals:
            return []  # nor is there anything to remember of the formulas
        looked_at: LookedAt = {}
        self._look(formulas, looked_at)
        made: Instantiated = {}
        for quantifiers in ((Quantifier.RANK,), (Quantifier.POSITION, Quantifier.PAIR), (Quantifier.VALUE,)):
            facts = [fact for fact in self.universals if fact.over in quantifiers]
            if not facts:
                continue
            # One fact may have another array looked at, at an index that is there already, or next to one that is.
            looks = (index for indices in looked_at.values() for index in indices.values())
            there = _Neighbourhood([*looks, *(index for index, _ in self.selected)])
            while new := self._new(facts, looked_at, made, there):
                made |= new
                self._look(new.values(), looked_at)
        return list(made.values())

    def _look(self, formulas: Iterable[Any], looked_at: LookedAt) -> None:
        """Add, for each array, the indices at which formulas look at it."""
        for formula in formulas:
            for array, key, index in self.shared.looks(formula):
                looked_at.setdefault(array, {})[key] = index

    def _new(
        self,
        facts: Iterable[Universal],
        looked_at: LookedAt,
        made: Instantiated,
        there: _Neighbourhood | None = None,
    ) -> Instantiated:
        """The instances that are not made yet: at indices that are looked at, as far as these are ``there``.

        Where ``there`` is given, there are instances at selected indices too.
        """
        new: Instantiated = {}
        for fact in facts:
            if fact.about and not fact.about & looked_at.keys():
                continue
            indices = {} if there is None or fact.over is Quantifier.RANK else self._selected_for(fact)
            for array in fact.arrays or looked_at:
                at_array = looked_at.get(array, {}).items()
                indices |= {key: index for key, index in at_array if there is None or there.holds(index)}
            # Facts about two positions are the same for either order; one order makes them the same in every question.
            for keys in itertools.combinations(sorted(indices), 2) if fact.over is Quantifier.PAIR else zip(indices):
                if (fact, keys) not in made:
                    new[fact, keys] = fact.at(tuple(indices[key] for key in keys), keys, self.shared)
        return new

    def _selected_for(self, fact: Universal) -> dict[str, Term]:
        """The selected indices, by their keys, at which a fact may matter."""
        return {
            index.key: index
            for index, arrays in self.selected
            if not fact.arrays or arrays is None or not arrays.isdisjoint(fact.arrays)
        }


NO_FACTS = UniversalFacts()
