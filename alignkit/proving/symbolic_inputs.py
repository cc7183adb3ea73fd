"""Symbolic inputs: two adjacent databases and the public parameters, for every n or for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family
from alignkit.language.parameters import ParameterType
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import Unknown, conjunction
from alignkit.symbolic.summation import BOUND, FirstItems
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role, lazy


def primed(name: str) -> str:
    """What stands on D′ for what has this name on D; no identifier looks like it."""
    return f"{name}'"


RISES = Unknown("the answers rise")



def direction() -> Term:
    """Under monotone adjacency, 1 where the answers rise and -1 where they fall; both are possible if none changes."""
    return Term.of(RISES.choose(1, -1))


# Makes the symbols of a vector parameter, from its name, its type, and what the symbols are called.
MakeVector = Callable[[str, ParameterType, str], Any]


@dataclass(frozen=True, eq=False)
class Inputs:
    """Symbolic arguments for D and D′, and what holds of them.

    ``domain`` holds of the public parameters and of single private answers. Under ``one``, ``changed`` is the index of
    the answer that may change, in whichever list that is; of several private parameters it is the one with the number
    ``which``.
    """

    mechanism: MechanismProgram
    adjacency: Adjacency
    values: Mapping[str, Any]
    values_: Mapping[str, Any]
    domain: tuple[Any, ...]
    bounded: bool
    changed: Term = field(repr=False, default=Term.of(0))
    which: Term | None = field(repr=False, default=None)

    def sensitivity(self, name: str) -> Term:
        """The sensitivity of a private parameter."""
        return Term.of(self.mechanism.domain.sensitivity(name, self.values))

    def declared(self, name: str) -> Term:
        """The sensitivity that is declared, which may hold under a condition only."""
        return Term.of(self.mechanism.private[name].bound_where_it_holds(self.values))

    def adjacent(self, name: str, index: Term | None, one: Term, other: Term) -> list[Any]:
        """What adjacency says of one answer: ``one`` on D, ``other`` on D′."""
        unchanged = self._another(name, index) if self.adjacency is Adjacency.ONE else False
        known = self.adjacency.of_one_answer(other - one, self.declared(name), rises=RISES, unchanged=unchanged)
        holds = self.mechanism.domain.bounded(name, self.values, self.values_)
        if holds is not True:
            return [op.any_of([op.negation(holds), fact]) for fact in known]
        least = self.least_change(name)
        if least is not None:
            same, apart = op.compare_numbers("==", one, other), op.compare_numbers(">=", abs(other - one), least)
            known.append(op.any_of([same, apart]))
        return known

    def lattice(self, name: str) -> Term | None:
        """The step of the lattice that a parameter is declared to be on; None where there is none."""
        declared = self.mechanism.domain.lattices.get(name)
        return None if declared is None else Term.of(self.values[declared] if isinstance(declared, str) else declared)

    def least_change(self, name: str) -> Term | None:
        """How far answers that differ lie apart at least, under l1; None where that is not known.

        Two multiples of a lattice that differ are a step of it apart.
        """
        return self.lattice(name) if self.adjacency is Adjacency.L1 else None

    def _another(self, name: str, index: Term | None) -> Any:
        """Whether it is another answer that may change, as far as the inputs say which it is."""
        it: list[Any] = []
        if self.which is not None:
            it.append(self.which.compare("==", list(self.mechanism.private).index(name)))
        if index is not None:
            it.append(index.compare("==", self.changed))
        return op.negation(conjunction(tuple(it))) if it else False

    def change_of(self, name: str, index: Term) -> Term:
        """What adjacency spends at an index of a vector: how far the answer moves, or 1 where changes are counted."""
        return self._spent_on(*self.element_pair(name, index))

    def change_at(self, index: Term) -> Term:
        """What adjacency spends at an index of all vectors together."""
        return sum((self.change_of(name, index) for name in self.vectors), Term.of(0))

    @lazy
    def changes(self) -> Mapping[str | None, FirstItems]:
        """What adjacency spends on the answers of each vector, and under None of all vectors together."""
        of_each: dict[str | None, FirstItems] = {name: FirstItems(self.change_of(name, BOUND)) for name in self.vectors}
        return {None: FirstItems(self.change_at(BOUND)), **of_each}

    def _spent_on(self, one: Term, other: Term) -> Term:
        change = other - one
        if self.adjacency.counts_changes:
            return Term.of(op.choose(change.compare("!=", 0), Term.of(1), Term.of(0)))
        return Term.of(abs(change))

    def per_unit(self, name: str) -> Term:
        """How far an answer of a vector may move for each unit that adjacency spends."""
        return self.sensitivity(name) if self.adjacency.counts_changes else Term.of(1)

    @property
    def allowance(self) -> Term:
        """What adjacency may spend on all answers together, where it has an allowance."""
        return Term.of(self.adjacency.allowance(self.values, self.sensitivity(next(iter(self.mechanism.private)))))

    @property
    def most_change(self) -> Term | None:
        """The most that adjacency may spend on all vectors together; None where it has no allowance.

        It is what single answers leave.
        """
        if self.vector is None or not self.adjacency.shared:
            return None
        single = (name for name, kind in self.mechanism.private.items() if not kind.vector)
        return sum((-self._spent_on(self.values[name], self.values_[name]) for name in single), self.allowance)

    @property
    def shared(self) -> bool:
        """Whether several private parameters share what adjacency may spend."""
        return len(self.mechanism.private) > 1 and self.adjacency.shared

    @property
    def vectors(self) -> tuple[str, ...]:
        """The names of the private vectors."""
        return tuple(name for name, kind in self.mechanism.private.items() if kind.vector)

    @property
    def vector(self) -> str | None:
        """The name of the first private vector."""
        return next(iter(self.vectors), None)

    def element_pair(self, name: str, index: Term) -> tuple[Term, Term]:
        """The answer at an index on D and on D′."""
        return Term.of(Element(name, index, Role.PRIVATE)), Term.of(Element(primed(name), index, Role.PRIVATE))


def unbounded(mechanism: MechanismProgram, adjacency: Adjacency) -> Inputs:
    """Inputs for every n, k, ε, …: vectors of symbolic length."""

    def vector(name: str, kind: ParameterType, symbol: str) -> Family:
        return array(symbol, Term.of(length_symbol(name, kind)), _role(kind))

    changed = Term.of(Symbol("changed", Role.INDEX, integer=True))
    several = len(mechanism.private) > 1
    which = Term.of(Symbol("parameter that changes", Role.INDEX, integer=True)) if several else None
    return replace(_inputs(mechanism, adjacency, vector, {}, which), bounded=False, changed=changed)


def bounded(mechanism: MechanismProgram, adjacency: Adjacency, size: int, counts: Mapping[str, int]) -> Inputs:
    """Inputs for one n and given counts, all else symbolic."""

    def vector(name: str, kind: ParameterType, symbol: str) -> tuple[Term, ...]:
        return tuple(Term.of(Symbol(f"{symbol}[{i}]", _role(kind))) for i in range(size))

    inputs = _inputs(mechanism, adjacency, vector, counts)
    facts = list(inputs.domain)
    changes: list[Term] = []
    for name, kind in mechanism.private.items():
        if not kind.vector:
            changes.append(inputs.values_[name] - inputs.values[name])
            continue
        for one, other in zip(inputs.values[name], inputs.values_[name], strict=True):
            facts += inputs.adjacent(name, None, one, other)
            changes.append(other - one)
    if changes and adjacency.shared:
        facts += adjacency.of_all_answers(changes, inputs.allowance)
    return replace(inputs, domain=tuple(f for f in facts if f is not True))


def _inputs(
    mechanism: MechanismProgram,
    adjacency: Adjacency,
    vector: MakeVector,
    counts: Mapping[str, int],
    which: Term | None = None,
) -> Inputs:
    """Inputs with the given counts, all else symbolic."""
    values: dict[str, Any] = dict(counts)
    values_: dict[str, Any] = dict(counts)
    domain: list[Any] = []
    for name, kind in mechanism.parameters.items():
        if name in counts:
            continue
        make = vector if kind.vector else _scalar
        values[name] = make(name, kind, name)
        values_[name] = make(name, kind, primed(name)) if kind.private else values[name]
        if isinstance(values[name], Family):
            domain.append(values[name].length.compare(">=", kind.shortest))
        else:
            domain += within_bounds(kind, values[name])
    inputs = Inputs(mechanism, adjacency, values, values_, (), bounded=True, which=which)
    single = [name for name, kind in mechanism.private.items() if not kind.vector]
    for name in single:
        domain += inputs.adjacent(name, None, values[name], values_[name])
    if inputs.shared and single:
        domain += adjacency.of_all_answers([values_[n] - values[n] for n in single], inputs.allowance)
    return replace(inputs, domain=tuple(f for f in domain if f is not True))


def _scalar(name: str, kind: ParameterType, symbol: str) -> Term:
    return Term.of(number_symbol(symbol, kind))


def number_symbol(name: str, kind: ParameterType) -> Symbol:
    """The symbol for a number of a parameter's type, which says of itself that it is whole, or above 0."""
    return Symbol(name, _role(kind), integer=kind.integer, positive=kind.positive)


def length_symbol(name: str, kind: ParameterType) -> Symbol:
    """The symbol for the length of a list, which is public."""
    return Symbol(f"len({name})", Role.PUBLIC, integer=True, positive=kind.shortest > 0)


def within_bounds(kind: ParameterType, value: Term) -> list[Any]:
    """What the bounds of a parameter's type say of a value."""
    return [value.compare(symbol, bound) for symbol, bound in kind.bounds]


def _role(kind: ParameterType) -> Role:
    return Role.PRIVATE if kind.private else Role.PUBLIC


def array(name: str, size: Term, role: Role) -> Family:
    """A vector of symbols, of any length."""
    return Family(size, lambda index: Term.of(Element(name, Term.of(index), role)))
