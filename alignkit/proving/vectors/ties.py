"""Ties: when two values are equal with probability 0 only."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from alignkit.proving.facts.path_facts import Facts
from alignkit.symbolic.atoms import Conditional, Element, Symbol
from alignkit.symbolic.formulas import Comparison
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Role

# What symbols of these roles stand for is certain; the state of a loop may contain any noise drawn so far.
KNOWN = {Role.PUBLIC, Role.PRIVATE, Role.INDEX, Role.NOISE}


def tie_negligible(
    facts: Facts,
    difference: Term,
    continuous: frozenset[str],
    distinct: tuple[Term, Term],
    known: tuple[Any, ...] = (),
) -> bool:
    """Whether ``difference == 0`` has probability 0 for every D, over continuous noise, where ``known`` holds.

    It has, where the difference is a x + b for one noise coordinate x with a density, a a number other than 0, and
    b free of x. ``distinct`` are two indices that differ, so that elements there are different coordinates;
    an element at any other index might be x itself. Nothing is claimed of an equation that mentions a real part
    of the output: given the output it may hold always. An index that D selected counts as fixed: a tie at it is one
    of the ties at all indices it may be, and these are finitely many. Where an index decides which of two terms the
    difference is, both are looked at.
    """
    for atom in difference.atoms():
        if isinstance(atom, Conditional) and roles(atom.condition) <= {Role.INDEX, Role.PUBLIC}:
            for condition, way in ((atom.condition, atom.then), (~atom.condition, atom.other)):
                conditions = (*known, condition)
                try:
                    one_way = substitute(difference, {atom: way})
                except ZeroDivisionError:
                    negligible = False
                else:
                    negligible = tie_negligible(facts, one_way, continuous, distinct, conditions)
                if not negligible and not _impossible(conditions, distinct):
                    return False
            return True
    if Role.OUTPUT in facts.dependencies.roles(difference):
        return False
    for monomial, coefficient in difference.parts.items():
        if len(monomial) != 1 or monomial[0][1] != 1 or not coefficient:
            continue
        noise = monomial[0][0]
        if not isinstance(noise, Symbol | Element) or noise.role is not Role.NOISE:
            continue
        if noise.name not in continuous:
            continue
        rest = difference - Term({monomial: coefficient})
        if not any(_may_be(other, noise, distinct) for other in facts.dependencies.atoms(rest)):
            return True
    return False


def equals_no_fixed_number(facts: Facts, value: Any, continuous: frozenset[str]) -> bool:
    """Whether a number that a run has made equals each number that is fixed beforehand with probability 0 only.

    ``continuous`` are the names of the noise that may make it so.
    """
    # Any two elements may be the same one: their indices lie apart by nothing that could be known.
    anywhere = Term.of(0), Term.of(Symbol("an index anywhere", Role.INDEX, integer=True))
    return isinstance(value, Term) and tie_negligible(facts, value, continuous, anywhere)


def _may_be(other: object, atom: Symbol | Element, distinct: tuple[Term, Term]) -> bool:
    """Whether an atom may be, or may be decided by, the given noise coordinate."""
    if isinstance(other, Symbol | Element) and other.role not in KNOWN:
        return True
    if isinstance(atom, Symbol) or not isinstance(other, Element):
        return other == atom
    if (other.role, other.array) != (atom.role, atom.array):
        return False
    apart = distinct[0] - distinct[1]
    return other.index - atom.index not in (apart, -apart)


def _impossible(conditions: tuple[Any, ...], distinct: tuple[Term, Term]) -> bool:
    """Whether conditions plainly exclude one another, or give two different indices one value."""
    keys = {condition.key for condition in conditions if not isinstance(condition, bool)}
    opposites = [~condition for condition in conditions if not isinstance(condition, bool)]
    if any(condition is False for condition in conditions) or any(
        other is True or (other is not False and other.key in keys) for other in opposites
    ):
        return True
    values = [_value(index, conditions) for index in distinct]
    return values[0] is not None and values[0] == values[1]


def _value(index: Term, conditions: tuple[Any, ...]) -> Fraction | None:
    """The number that conditions say an index is."""
    for condition in conditions:
        if isinstance(condition, Comparison) and condition.relation == "==":
            below, above = (condition.term - index).constant, (condition.term + index).constant
            if below is not None:
                return -below
            if above is not None:
                return above
    return None
