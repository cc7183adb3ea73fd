"""Replacing atoms in terms and formulas; conditions that become plain are folded away."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from alignkit.symbolic.formulas import And, Comparison, Or, Unknown, comparison, conjunction, disjunction
from alignkit.symbolic.terms import Atom, Conditional, Element, Inverse, Special, Symbol, Term


def substitute(value: Any, replaced: Mapping[Atom, Term]) -> Any:
    """The term or formula with every atom of ``replaced`` put by its term, inside conditions and indices too.

    >>> from alignkit.symbolic.terms import Role
    >>> x = Symbol("x", Role.PUBLIC)
    >>> substitute(abs(Term.of(x) - 3), {x: Term.of(1)})
    2
    """
    if isinstance(value, Term):
        total = Term.of(0)
        for monomial, coefficient in value.parts.items():
            product = Term.of(coefficient)
            for atom, power in monomial:
                product = product * _power(_atom(atom, replaced), power)
            total = total + product
        return total
    if isinstance(value, Comparison):
        return comparison(substitute(value.term, replaced), value.relation)
    if isinstance(value, And):
        return conjunction(tuple(substitute(p, replaced) for p in value.parts))
    if isinstance(value, Or):
        return disjunction(tuple(substitute(p, replaced) for p in value.parts))
    if isinstance(value, bool | Unknown):
        return value
    raise TypeError(f"neither a term nor a formula: {value!r}")


def answered(value: Any, answers: Mapping[str, bool]) -> Any:
    """The term or formula with unknown Booleans answered, by name."""
    if isinstance(value, Unknown) and value.name in answers:
        return answers[value.name] is value.holds
    if isinstance(value, Comparison):
        return comparison(answered(value.term, answers), value.relation)
    if isinstance(value, And):
        return conjunction(tuple(answered(p, answers) for p in value.parts))
    if isinstance(value, Or):
        return disjunction(tuple(answered(p, answers) for p in value.parts))
    if not isinstance(value, Term):
        return value
    chosen: dict[Atom, Term] = {}
    for atom in value.atoms():
        if isinstance(atom, Conditional):
            test = answered(atom.condition, answers)
            one, two = answered(atom.then, answers), answered(atom.other, answers)
            chosen[atom] = (one if test else two) if isinstance(test, bool) else test.choose(one, two)
    return substitute(value, chosen) if chosen else value


def _atom(atom: Atom, replaced: Mapping[Atom, Term]) -> Term:
    if atom in replaced:
        return replaced[atom]
    match atom:
        case Symbol():
            return Term.of(atom)
        case Element(array=array, index=index, role=role, integer=integer):
            moved = Element(array, substitute(index, replaced), role, integer)
            return replaced.get(moved, Term.of(moved))
        case Conditional(condition=condition, then=then, other=other):
            test = substitute(condition, replaced)
            one, two = substitute(then, replaced), substitute(other, replaced)
            if isinstance(test, bool):
                return one if test else two  # type: ignore[no-any-return]
            return test.choose(one, two)  # type: ignore[no-any-return]
        case Inverse(of=of):
            return substitute(of, replaced).inverse()  # type: ignore[no-any-return]
        case Special(function=function, of=of):
            inner = substitute(of, replaced)
            return getattr(inner, function)()  # type: ignore[no-any-return]


def _power(term: Term, power: int) -> Term:
    base = term if power > 0 else term.inverse()
    result = Term.of(Fraction(1))
    for _ in range(abs(power)):
        result = result * base
    return result
