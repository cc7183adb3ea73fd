"""The number that a term is, for given values of its symbols."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from alignkit.symbolic.atoms import Conditional, Element, Inverse, Remainder, Special, Symbol
from alignkit.symbolic.formulas import And, Comparison, Formula, Or, Unknown
from alignkit.symbolic.terms import Term
from alignkit.symbolic.traversal import Traversal
from alignkit.symbolic.trees import Atom

Lookup = Callable[[Atom], Fraction]


def evaluate(term: Term, lookup: Lookup) -> Fraction:
    """The exact value; a square root, exponential or logarithm is looked up like a symbol.

    >>> from alignkit.symbolic.terms import Role, Symbol
    >>> evaluate(abs(Term.of(Symbol("x", Role.PUBLIC)) - 3) / 2, lambda atom: Fraction(1))
    Fraction(1, 1)
    """
    return _Evaluation(lookup).term(term)


def holds(formula: Formula | bool, lookup: Lookup) -> bool:
    """Whether a formula holds; KeyError where that depends on an unknown Boolean."""
    return bool(_Evaluation(lookup)(formula))


class _Evaluation(Traversal[Fraction, bool]):
    """Only what decides the value is evaluated: elsewhere a division by 0 does no harm."""

    def __init__(self, lookup: Lookup) -> None:
        super().__init__()
        self.lookup = lookup

    def sum(self, term: Term) -> Fraction:
        total = Fraction(0)
        for monomial, coefficient in term.parts.items():
            product = Fraction(coefficient)
            for atom, power in monomial:
                product *= self.atom(atom) ** power
            total += product
        return total

    def symbol(self, atom: Symbol | Element | Special | Remainder) -> Fraction:
        return self.lookup(atom)

    element = special = remainder = symbol

    def conditional(self, conditional: Conditional) -> Fraction:
        return self.term(conditional.then if self.formula(conditional.condition) else conditional.other)

    def inverse(self, inverse: Inverse) -> Fraction:
        return 1 / self.term(inverse.of)

    def comparison(self, comparison: Comparison) -> bool:
        value = self.term(comparison.term)
        return {"<": value < 0, "<=": value <= 0, "==": value == 0, "!=": value != 0}[comparison.relation]

    def conjunction(self, conjunction: And) -> bool:
        return all(map(self.formula, conjunction.parts))

    def disjunction(self, disjunction: Or) -> bool:
        return any(map(self.formula, disjunction.parts))

    def unknown(self, unknown: Unknown) -> bool:
        raise KeyError(unknown.name)
