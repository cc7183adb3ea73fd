"""Symbolic inputs: two adjacent databases and the public parameters, for every n or for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from alignkit.interpreting.operations import negation
from alignkit.interpreting.values import Family
from alignkit.language.parameters import ParameterType, Proportion
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



def direction() -> Term:
    """Under monotone adjacency, 1 where the answers rise and -1 where they fall; both are possible if none changes."""
    return Term.of(RISES.choose(1, -1))


# Makes the symbols of a vector parameter, from its name, its type, and what the symbols are called.
MakeVector = Callable[[str, ParameterType, str], Any]


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

    def change_at(self, index: Term) -> Term:
        """What adjacency spends at an index of the vector: 1 for a change under one, else how far the answer moves."""
        assert self.vector is not None
        one, other = self.element_pair(self.vector, index)
        change = other - one
        if self.adjacency is Adjacency.ONE:
            return Term.of(change.compare("!=", 0).choose(1, 0))
        return abs(change)

    @property
    def most_change(self) -> Term | None:
        """The most that adjacency, one or l1, may spend on the vector in all; None where it counts no change."""
        if self.vector is None or self.adjacency not in (Adjacency.ONE, Adjacency.L1):
            return None
        return Term.of(1) if self.adjacency is Adjacency.ONE else self.sensitivity(self.vector)

    @property
    def vector(self) -> str | None:
        """The name of the first private vector."""
        return next((name for name, kind in self.mechanism.private.items() if kind.vector), None)

    def element_pair(self, name: str, index: Term) -> tuple[Term, Term]:
        """The answer at an index on D and on D′."""
        return Term.of(Element(name, index, Role.PRIVATE)), Term.of(Element(primed(name), index, Role.PRIVATE))


def unbounded(mechanism: Mechanism, adjacency: Adjacency) -> Inputs:
    """Inputs for every n, k, ε, …: vectors of symbolic length."""

    def vector(name: str, kind: ParameterType, symbol: str) -> Family:
        length = Symbol(f"len({name})", Role.PUBLIC, integer=True, positive=kind.private)
        return array(symbol, Term.of(length), _role(kind))

    changed = Term.of(Symbol("changed", Role.INDEX, integer=True))
    return replace(_inputs(mechanism, adjacency, vector, {}), bounded=False, changed=changed)


def bounded(mechanism: Mechanism, adjacency: Adjacency, size: int, counts: Mapping[str, int]) -> Inputs:
    """Inputs for one n and given counts, all else symbolic."""

    def vector(name: str, kind: ParameterType, symbol: str) -> tuple[Term, ...]:
        return tuple(Term.of(Symbol(f"{symbol}[{i}]", _role(kind))) for i in range(size))

    inputs = _inputs(mechanism, adjacency, vector, counts)
    facts = list(inputs.domain)
    for name, kind in mechanism.private.items():
        if not kind.vector:
            continue
        pairs = list(zip(inputs.values[name], inputs.values_[name], strict=True))
        for one, other in pairs:
            facts += inputs.adjacent(name, None, one, other)
        facts += adjacency.of_all_answers([other - one for one, other in pairs], inputs.sensitivity(name))
    return replace(inputs, domain=tuple(f for f in facts if f is not True))


def _inputs(
    mechanism: Mechanism, adjacency: Adjacency, vector: MakeVector, counts: Mapping[str, int]
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
            domain.append(values[name].length.compare(">=", 0))
        if isinstance(kind, Proportion):
            domain.append(values[name].compare("<", 1))
    inputs = Inputs(mechanism, adjacency, values, values_, (), bounded=True)
    for name, kind in mechanism.private.items():
        if not kind.vector:
            domain += inputs.adjacent(name, None, values[name], values_[name])
    return replace(inputs, domain=tuple(f for f in domain if f is not True))


def _scalar(name: str, kind: ParameterType, symbol: str) -> Term:
    return Term.of(Symbol(symbol, _role(kind), integer=kind.integer, positive=kind.positive))


def _role(kind: ParameterType) -> Role:
    return Role.PRIVATE if kind.private else Role.PUBLIC


def array(name: str, size: Term, role: Role) -> Family:
    """A vector of symbols, of any length."""
    return Family(size, lambda index: Term.of(Element(name, Term.of(index), role)))
