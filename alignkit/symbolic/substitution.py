"""Replacing atoms and unknown Booleans in terms and formulas; conditions that become plain are folded away."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from alignkit.symbolic.atoms import Conditional, Element, Inverse, Remainder, Special, Symbol
from alignkit.symbolic.formulas import And, Comparison, Formula, Or, Unknown, comparison, conjunction, disjunction
from alignkit.symbolic.monomials import Parts
from alignkit.symbolic.terms import Term
from alignkit.symbolic.traversal import Traversal
from alignkit.symbolic.trees import Atom


def substitute(value: Any, replaced: Mapping[Atom, Term]) -> Any:
    """The term or formula in which a term stands for each atom of ``replaced``, inside conditions and indices too.

    >>> from alignkit.symbolic.terms import Role, Symbol
    >>> x = Symbol("x", Role.PUBLIC)
    >>> substitute(abs(Term.of(x) - 3), {x: Term.of(1)})
    2
    """
    return Substitution(replaced)(value)


def answered(value: Any, answers: Mapping[str, bool]) -> Any:
    """The term or formula with unknown Booleans answered, by name."""
    return Substitution({}, answers)(value)


class Substitution(Traversal[Term, Any]):
    """Replaces atoms by terms, and unknown Booleans by ``answers`` to them. Raises ZeroDivisionError."""

    def __init__(self, replaced: Mapping[Atom, Term], answers: Mapping[str, bool] | None = None) -> None:
        super().__init__()
        self.replaced = replaced
        self.answers = answers or {}
        self._keys = frozenset(atom.key for atom in replaced)
        self._atoms = {atom.identity: term for atom, term in replaced.items()}

    def _touches(self, value: Term | Formula) -> bool:
        # By the keys, which are strings. Equal atoms have equal keys.
        if not self._keys.isdisjoint(value.keys_within):
            return True
        return bool(self.answers) and not value.unknowns.isdisjoint(self.answers)

    def _moves(self, atom: Atom) -> bool:
        return atom.key in self._keys or any(map(self._touches, atom.children))

    def formula(self, formula: Formula) -> Any:
        """The formula with its atoms replaced."""
        if formula.key not in self._formulas and not self._touches(formula):
            self._formulas[formula.key] = formula
        return super().formula(formula)

    def sum(self, term: Term) -> Term:
        if not self._touches(term):
            return term
        total: Parts = {}
        for monomial, coefficient in term.parts.items():
            if not any(self._moves(atom) for atom, _ in monomial):
                total[monomial] = total.get(monomial, 0) + coefficient
                continue
            product = Term.of(coefficient)
            for atom, power in monomial:
                product = product * _power(self.atom(atom), power)
            for other, share in product.parts.items():
                total[other] = total.get(other, 0) + share
        return Term(total)

    def symbol(self, symbol: Symbol) -> Term:
        return Term.of(symbol)

    def element(self, element: Element) -> Term:
        moved = element.at(self.term(element.index))
        return self.replaced.get(moved, Term.of(moved))

    def conditional(self, conditional: Conditional) -> Term:
        condition = self.formula(conditional.condition)
        if isinstance(condition, bool):
            return self.term(conditional.then if condition else conditional.other)
        return condition.choose(self.term(conditional.then), self.term(conditional.other))  # type: ignore[no-any-return]

    def inverse(self, inverse: Inverse) -> Term:
        return self.term(inverse.of).inverse()

    def special(self, special: Special) -> Term:
        return getattr(self.term(special.of), special.function)()  # type: ignore[no-any-return]

    def remainder(self, remainder: Remainder) -> Term:
        return self.term(remainder.of).remainder(self.term(remainder.divisor))

    def comparison(self, formula: Comparison) -> Any:
        return comparison(self.term(formula.term), formula.relation)

    def unknown(self, unknown: Unknown) -> Any:
        answer = self.answers.get(unknown.name)
        return unknown if answer is None else answer is unknown.holds

    def conjunction(self, formula: And) -> Any:
        return conjunction(self._parts(formula))

    def disjunction(self, formula: Or) -> Any:
        return disjunction(self._parts(formula))

    def _parts(self, formula: And | Or) -> tuple[Any, ...]:
        """The parts with their atoms replaced; where one divides by 0, another must be the bool that settles all."""
        parts: list[Any] = []
        undefined = None
        for part in formula.parts:
            try:
                parts.append(self.formula(part))
            except ZeroDivisionError as problem:
                undefined = problem
        if undefined is not None and not any(part is formula.settled for part in parts):
            raise undefined
        return tuple(parts)


def _power(term: Term, power: int) -> Term:
    base = term if power > 0 else term.inverse()
    return prod([base] * abs(power), start=Term.of(1))
