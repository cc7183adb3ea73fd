"""Symbolic inputs: two adjacent databases and the public parameters, for every n or for one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from alignkit.interpreting.operations import negation
from alignkit.interpreting.values import Family
from alignkit.language.parameters import Proportion, Query
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import Unknown
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


def primed(name: str) -> str:
    """What stands on D′ for what has this name on D; no identifier looks like it."""
    return f"{name}'"


RISES = Unknown("the answers rise")


@dataclass(frozen=True, eq=False)
class Inputs:
    """Symbolic arguments for D and D′, and what holds of them.

    ``domain`` holds of the public parameters; ``pairs`` says for an answer of D and the same answer of D′ how far
    they may lie apart.
    """

    mechanism: Mechanism
    adjacency: Adjacency
    values: Mapping[str, Any]
    values_: Mapping[str, Any]
    domain: tuple[Any, ...]
    bounded: bool
    changed: Term = field(repr=False, default=Term.of(0))

    def sensitivity(self, name: str) -> Term:
        """The sensitivity of a private parameter."""
        return Term.of(self.mechanism.sensitivity(name, self.values))

    def adjacent(self, name: str, index: Term | None, one: Term, other: Term) -> list[Any]:
        """What adjacency says of one answer: ``one`` on D, ``other`` on D′."""
        unchanged: Any = False
        if self.adjacency is Adjacency.ONE and index is not None:
            unchanged = negation(index.compare("==", self.changed))
        return self.adjacency.of_one_answer(other - one, self.sensitivity(name), rises=RISES, unchanged=unchanged)

    def change_at(self, name: str, index: Term) -> Term:
        """What adjacency spends at an index of a vector: 1 for a change under one, else how far the answer moves."""
        one, other = self.element_pair(name, index)
        change = other - one
        if self.adjacency is Adjacency.ONE:
            return change.compare("!=", 0).choose(1, 0)  # type: ignore[no-any-return]
        return abs(change)

    def most_change(self, name: str) -> Term:
        """The most that adjacency, one or l1, may spend at all indices of a vector together."""
        return Term.of(1) if self.adjacency is Adjacency.ONE else self.sensitivity(name)

    @property
    def vector(self) -> str | None:
        """The name of the first private vector."""
        return next((name for name, kind in self.mechanism.private.items() if kind.vector), None)

    def element_pair(self, name: str, index: Term) -> tuple[Term, Term]:
        """The answer at an index on D and on D′."""
        return Term.of(Element(name, index, Role.PRIVATE)), Term.of(Element(primed(name), index, Role.PRIVATE))


def unbounded(mechanism: Mechanism, adjacency: Adjacency) -> Inputs:
    """Inputs for every n, k, ε, …: vectors of symbolic length."""
    values: dict[str, Any] = {}
    values_: dict[str, Any] = {}
    domain: list[Any] = []
    for name, kind in mechanism.parameters.items():
        if not kind.vector:
            continue
        private = isinstance(kind, Query)
        length = Symbol(f"len({name})", Role.PUBLIC, integer=True, positive=private)
        size = Term.of(length)
        if not private:
            domain.append(size.compare(">=", 0))
        values[name] = _array(name, size, Role.PRIVATE if private else Role.PUBLIC)
        values_[name] = _array(primed(name), size, Role.PRIVATE) if private else values[name]
    _scalars(mechanism, values, values_, domain)
    changed = Term.of(Symbol("changed", Role.INDEX, integer=True))
    inputs = Inputs(mechanism, adjacency, values, values_, tuple(domain), False, changed)
    return _with_scalar_adjacency(inputs)


def bounded(mechanism: Mechanism, adjacency: Adjacency, size: int, counts: Mapping[str, int]) -> Inputs:
    """Inputs for one n and given counts, all else symbolic."""
    values: dict[str, Any] = dict(counts)
    values_: dict[str, Any] = dict(counts)
    domain: list[Any] = []
    for name, kind in mechanism.parameters.items():
        if not kind.vector:
            continue
        private = isinstance(kind, Query)
        role = Role.PRIVATE if private else Role.PUBLIC
        values[name] = tuple(Term.of(Symbol(f"{name}[{i}]", role)) for i in range(size))
        values_[name] = values[name]
        if private:
            values_[name] = tuple(Term.of(Symbol(f"{primed(name)}[{i}]", role)) for i in range(size))
    _scalars(mechanism, values, values_, domain)
    inputs = _with_scalar_adjacency(Inputs(mechanism, adjacency, values, values_, tuple(domain), True))
    facts = list(inputs.domain)
    for name, kind in mechanism.private.items():
        if not kind.vector:
            continue
        pairs = list(zip(values[name], values_[name], strict=True))
        for one, other in pairs:
            facts += inputs.adjacent(name, None, one, other)
        facts += adjacency.of_all_answers([other - one for one, other in pairs], inputs.sensitivity(name))
    return replace(inputs, domain=tuple(f for f in facts if f is not True))


def _array(name: str, size: Term, role: Role) -> Family:
    return Family(size, lambda index: Term.of(Element(name, Term.of(index), role)))


def _scalars(mechanism: Mechanism, values: dict[str, Any], values_: dict[str, Any], domain: list[Any]) -> None:
    for name, kind in mechanism.parameters.items():
        if kind.vector or name in values:
            continue
        if isinstance(kind, Query):
            values[name] = Term.of(Symbol(name, Role.PRIVATE))
            values_[name] = Term.of(Symbol(primed(name), Role.PRIVATE))
            continue
        symbol = Term.of(Symbol(name, Role.PUBLIC, integer=kind.integer, positive=kind.positive))
        values[name] = values_[name] = symbol
        if isinstance(kind, Proportion):
            domain.append(symbol.compare("<", 1))


def _with_scalar_adjacency(inputs: Inputs) -> Inputs:
    facts = list(inputs.domain)
    for name, kind in inputs.mechanism.private.items():
        if not kind.vector:
            facts += inputs.adjacent(name, None, inputs.values[name], inputs.values_[name])
    return replace(inputs, domain=tuple(f for f in facts if f is not True))
