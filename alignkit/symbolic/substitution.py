"""Replacing atoms and unknown Booleans in terms and formulas; conditions that become plain are folded away.

The traversal of terms and formulas: whatever is computed of them from the bottom up is a subclass of it.

The number that a term is, for given values of its symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import prod
from typing import Any, Generic, TypeVar

from alignkit.symbolic.atoms import Conditional, Element, Inverse, Parts, Remainder, Special, Symbol
from alignkit.symbolic.formulas import And, Comparison, Formula, Or, Unknown, comparison, conjunction, disjunction
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom

Number = TypeVar("Number")  # what is computed of a term
Truth = TypeVar("Truth")  # what is computed of a formula


class Traversal(Generic[Number, Truth]):
    """Computes something of terms and formulas from what it computes of their parts; of equal ones once.

    Call ``term``, ``atom`` and ``formula``. A subclass defines a method for each kind of node that it may meet: ``sum``
    for terms; ``symbol``, ``element``, ``conditional``, ``inverse``, ``special`` and ``remainder`` for atoms;
    ``comparison``, ``unknown``, ``conjunction`` and ``disjunction`` for formulas. Each takes the node and asks for the
    parts it needs; none returns None.
    """

    def __init__(self) -> None:
        self._terms: dict[str, Number] = {}
        self._atoms: dict[str, Number] = {}  # by identity, since hashing an atom takes longer
        self._formulas: dict[str, Truth] = {}

    def term(self, term: Term) -> Number:
        """The result for a term."""
        result = self._terms.get(term.key)
        if result is None:
            result = self._terms[term.key] = getattr(self, term.kind)(term)
        return result

    def atom(self, atom: Atom) -> Number:
        """The result for an atom."""
        result = self._atoms.get(atom.identity)
        if result is None:
            result = self._atoms[atom.identity] = getattr(self, atom.kind)(atom)
        return result

    def formula(self, formula: Formula) -> Truth:
        """The result for a formula."""
        result = self._formulas.get(formula.key)
        if result is None:
            result = self._formulas[formula.key] = getattr(self, formula.kind)(formula)
        return result

    def __call__(self, value: Any) -> Any:
        """The result for a term or a formula; a plain bool stays."""
        if isinstance(value, Term):
            return self.term(value)
        if isinstance(value, Formula):
            return self.formula(value)
        if isinstance(value, bool):
            return value
        raise TypeError(f"neither a term nor a formula: {value!r}")


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
        moved = element.rebuilt(self.term, self.atom)
        return self.replaced.get(moved, Term.of(moved)) if isinstance(moved, Element) else moved

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
