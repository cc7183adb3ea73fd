"""Replacing atoms in terms and formulas; conditions that become plain are folded away."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from alignkit.symbolic.formulas import And, Comparison, Formula, Or, Unknown, comparison, conjunction, disjunction
from alignkit.symbolic.terms import Atom, Conditional, Element, Inverse, Parts, Special, Term, parts_of


def substitute(value: Any, replaced: Mapping[Atom, Term]) -> Any:
    """The term or formula with every atom of ``replaced`` put by its term, inside conditions and indices too.

    >>> from alignkit.symbolic.terms import Role, Symbol
    >>> x = Symbol("x", Role.PUBLIC)
    >>> substitute(abs(Term.of(x) - 3), {x: Term.of(1)})
    2
    """
    return Substitution(replaced)(value)


class Substitution:
    """Replaces atoms by terms; what it has come across is replaced once."""

    def __init__(self, replaced: Mapping[Atom, Term]) -> None:
        self.replaced = replaced
        self._keys = frozenset(atom.key for atom in replaced)
        # By identity: to hash an atom takes long. None where an atom stays as it is.
        self._atoms: dict[str, Term | None] = {atom.identity: term for atom, term in replaced.items()}
        self._terms: dict[str, Term] = {}
        self._formulas: dict[str, Any] = {}

    def __call__(self, value: Any) -> Any:
        if isinstance(value, Term):
            return self.term(value)
        if isinstance(value, bool | Unknown):
            return value
        if not isinstance(value, Comparison | And | Or):
            raise TypeError(f"neither a term nor a formula: {value!r}")
        if value.key not in self._formulas:
            self._formulas[value.key] = self._formula(value) if self._touches(value) else value
        return self._formulas[value.key]

    def _formula(self, value: Comparison | And | Or) -> Any:
        if isinstance(value, Comparison):
            return comparison(self.term(value.term), value.relation)
        return self._parts(value)

    def _parts(self, value: And | Or) -> Any:
        """Its parts with their atoms replaced; what divides by 0 is of no matter where another part settles it."""
        settled, parts, undefined = isinstance(value, Or), [], None
        for part in value.parts:
            try:
                parts.append(self(part))
            except ZeroDivisionError as problem:
                undefined = problem
        if undefined is not None:
            if not any(part is settled for part in parts):
                raise undefined
            return settled
        return disjunction(tuple(parts)) if settled else conjunction(tuple(parts))

    def term(self, term: Term) -> Term:
        """The term with its atoms replaced."""
        known = self._terms.get(term.key)
        if known is None:
            known = self._terms[term.key] = self._term(term) if self._touches(term) else term
        return known

    def _touches(self, value: Term | Formula) -> bool:
        # By the keys, which are strings. Equal atoms have equal keys.
        return not self._keys.isdisjoint(value.keys_within)

    def _term(self, term: Term) -> Term:
        total: Parts = {}
        for monomial, coefficient in term.parts.items():
            moved = [self._atom(atom) for atom, _ in monomial]
            if not any(each is not None for each in moved):
                total[monomial] = total.get(monomial, 0) + coefficient
                continue
            if len(monomial) == 1 and monomial[0][1] == 1 and moved[0] is not None:
                for each, share in moved[0].parts.items():
                    total[each] = total.get(each, 0) + share * coefficient
                continue
            product = Term.of(coefficient)
            for (atom, power), held in zip(monomial, moved, strict=True):
                product = product * _power(Term.of(atom) if held is None else held, power)
            for each, share in product.parts.items():
                total[each] = total.get(each, 0) + share
        return Term(total)

    def _atom(self, atom: Atom) -> Term | None:
        try:
            return self._atoms[atom.identity]
        except KeyError:
            moved = self._made(atom) if any(map(self._touches, parts_of(atom))) else None
            self._atoms[atom.identity] = moved
            return moved

    def _made(self, atom: Atom) -> Term:
        match atom:
            case Element(array=array, index=index, role=role, integer=integer):
                moved = Element(array, self.term(index), role, integer)
                return self.replaced.get(moved, Term.of(moved))
            case Conditional(condition=condition, then=then, other=other):
                test = self(condition)
                if isinstance(test, bool):
                    return self.term(then if test else other)
                return test.choose(self.term(then), self.term(other))  # type: ignore[no-any-return]
            case Inverse(of=of):
                return self.term(of).inverse()
            case Special(function=function, of=of):
                return getattr(self.term(of), function)()  # type: ignore[no-any-return]
        raise TypeError(f"nothing to replace inside {atom!r}")


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


def _power(term: Term, power: int) -> Term:
    if power == 1:
        return term
    base = term if power > 0 else term.inverse()
    result = Term.of(Fraction(1))
    for _ in range(abs(power)):
        result = result * base
    return result
