"""The number that a term is, for given values of its symbols."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from alignkit.symbolic.formulas import And, Comparison, Formula, Or, Unknown
from alignkit.symbolic.terms import Atom, Conditional, Inverse, Special, Term

Lookup = Callable[[Atom], Fraction]


def evaluate(term: Term, lookup: Lookup) -> Fraction:
    """The exact value; a square root or exponential is looked up like a symbol.

    >>> from alignkit.symbolic.terms import Role, Symbol
    >>> evaluate(abs(Term.of(Symbol("x", Role.PUBLIC)) - 3) / 2, lambda atom: Fraction(1))
    Fraction(1, 1)
    """
    total = Fraction(0)
    for monomial, coefficient in term.parts.items():
        product = Fraction(coefficient)
        for atom, power in monomial:
            product *= _atom(atom, lookup) ** power
        total += product
    return total


def holds(formula: Formula | bool, lookup: Lookup) -> bool:
    """Whether a formula without unknowns holds."""
    if isinstance(formula, bool):
        return formula
    match formula:
        case Comparison(term=term, relation=relation):
            value = evaluate(term, lookup)
            return {"<": value < 0, "<=": value <= 0, "==": value == 0, "!=": value != 0}[relation]
        case And(parts=parts):
            return all(holds(p, lookup) for p in parts)
        case Or(parts=parts):
            return any(holds(p, lookup) for p in parts)
        case Unknown(name=name):
            raise KeyError(name)
    raise TypeError(f"not a formula: {formula!r}")


def _atom(atom: Atom, lookup: Lookup) -> Fraction:
    match atom:
        case Conditional(condition=condition, then=then, other=other):
            return evaluate(then if holds(condition, lookup) else other, lookup)
        case Inverse(of=of):
            return 1 / evaluate(of, lookup)
        case Special():
            return lookup(atom)
    return lookup(atom)
