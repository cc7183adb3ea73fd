"""Terms and formulas as z3 has them: polynomial real arithmetic, no division, no quantifiers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import z3

from alignkit.plain_enclosures import log_bounds
from alignkit.symbolic.formulas import And, Comparison, Formula, Or, Unknown
from alignkit.symbolic.terms import Atom, Conditional, Element, Inverse, Monomial, Special, Symbol, Term, parts_of
from alignkit.symbolic.z3_building import Builder

# A formula as z3 has it, and whether it is linear in what z3 sees as its variables.
Encoded = tuple[Any, bool]


class Encoder:
    """From terms and formulas to z3's, with what defines their atoms as facts; nothing is written down twice.

    Arrays are ``functions`` of their index, or each element is a number of its own: then elements at equal indices are
    said to be equal, pair by pair, which the solver of polynomials needs. Which model z3 finds depends on all that
    its context has seen: with a ``context`` of its own a check says the same whatever was checked before it.
    """

    def __init__(self, *, functions: bool = False, context: Any = None) -> None:
        self.functions = functions
        self.context = context or z3.Context()
        self.build = Builder(self.context)
        self.variables: dict[str, Any] = {}  # by the identity of the atom: to hash an atom takes long
        self.unknowns: dict[str, Any] = {}
        self.terms: dict[str, Any] = {}
        self.linear: dict[str, bool] = {}
        self.arrays: dict[str, Any] = {}
        self.written: dict[str, Any] = {}
        self.formulas: dict[str, Encoded] = {}
        self.atoms: dict[str, tuple[Atom, ...]] = {}
        self.telling: dict[str, tuple[Atom, ...]] = {}
        self.definitions: dict[str, list[Encoded]] = {}
        self.equalities: dict[tuple[str, str], Encoded | None] = {}

    def question(self, formulas: list[Formula]) -> list[Encoded]:
        """The formulas, and what defines the atoms that they mention; elements at equal indices are equal."""
        found = [self._separately(formula) for formula in formulas]
        atoms = _once(atom for formula in formulas for atom in self._telling(formula))
        arrays: dict[tuple[Any, str], list[Element]] = {}
        for atom in atoms:
            found += self.definitions.get(atom.identity, [])
            if isinstance(atom, Element) and not self.functions:
                arrays.setdefault((atom.role, atom.array), []).append(atom)
        for elements in arrays.values():
            for pair in itertools.combinations(elements, 2):
                equality = self._equality(*pair)
                if equality is not None:
                    found.append(equality)
        logarithms = [atom for atom in atoms if isinstance(atom, Special) and atom.function == "log"]
        found += [(self._order(*pair), False) for pair in itertools.combinations(logarithms, 2)]
        return found

    def _separately(self, formula: Formula) -> Encoded:
        if formula.key not in self.formulas:
            linear = all(self._is_linear(term) for term in formula.terms())
            if self.functions:
                linear = linear and all(self._is_linear(a.index) for a in formula.within if isinstance(a, Element))
            self.formulas[formula.key] = (self.formula(formula), linear)
        return self.formulas[formula.key]

    def _mentioned(self, formula: Formula) -> tuple[Atom, ...]:
        """The atoms of a formula, reciprocals among them."""
        if formula.key not in self.atoms:
            self.atoms[formula.key] = _once((*formula.within, *_reciprocals(formula)))
        return self.atoms[formula.key]

    def _telling(self, formula: Formula) -> tuple[Atom, ...]:
        """Those of its atoms of which something is to be said in a question: by itself, or together with others."""
        if formula.key not in self.telling:
            for atom in self._mentioned(formula):
                self.atom(atom)
            self.telling[formula.key] = tuple(atom for atom in self._mentioned(formula) if self._tells(atom))
        return self.telling[formula.key]

    def _tells(self, atom: Atom) -> bool:
        if isinstance(atom, Special) and atom.function == "log":
            return True
        return atom.identity in self.definitions or (isinstance(atom, Element) and not self.functions)

    def _equality(self, one: Element, other: Element) -> Encoded | None:
        pair = one.identity, other.identity
        if pair not in self.equalities:
            distance = one.index - other.index
            self.equalities[pair] = None
            if distance.constant is None:
                equal = z3.Implies(self.term(distance) == 0, self.atom(one) == self.atom(other))
                self.equalities[pair] = (equal, self._is_linear(distance))
        return self.equalities[pair]

    def _is_linear(self, term: Term) -> bool:
        known = self.linear.get(term.key)
        if known is None:
            known = self.linear[term.key] = self._found_linear(term)
        return known

    def _found_linear(self, term: Term) -> bool:
        for monomial in term.parts:
            if not monomial:
                continue
            if len(monomial) > 1 or monomial[0][1] != 1:
                return False
            atom = monomial[0][0]
            if isinstance(atom, Conditional):
                inner = (atom.then, atom.other, *atom.condition.terms())
                if not all(self._is_linear(part) for part in inner):
                    return False
        return True

    def formula(self, formula: Formula) -> Any:
        """A formula as z3 has it."""
        if formula.key not in self.written:
            self.written[formula.key] = self._write(formula)
        return self.written[formula.key]

    def _write(self, formula: Formula) -> Any:
        match formula:
            case Comparison(term=term, relation=relation):
                value = self.term(term)
                if relation != "!=":
                    return self.build.compare(value, relation)
                # The solver knows reals only: whole numbers that differ lie at least 1 apart.
                equal = self.build.compare(value, "==")
                return self.build.some(self._apart(value)) if term.integer else self.build.negation(equal)
            case Unknown(name=name, holds=holds):
                known = self.unknowns.setdefault(name, z3.Bool(f"?{name}", self.context))
                return known if holds else self.build.negation(known)
            case And(parts=parts):
                return self.build.all([self.formula(p) for p in parts])
            case Or(parts=parts):
                return self.build.some([self.formula(p) for p in parts])
        raise TypeError(f"not a formula: {formula!r}")

    def _apart(self, whole: Any) -> list[Any]:
        return [self.build.compare(whole, "<=", -1), self.build.compare(whole, ">=", 1)]

    def term(self, term: Term) -> Any:
        """A number as z3 has it."""
        known = self.terms.get(term.key)
        if known is None:
            summands = [self._monomial(m, c) for m, c in term.parts.items()]
            known = self.terms[term.key] = self.build.sum(summands) if summands else self.build.zero
        return known

    def _monomial(self, monomial: Monomial, coefficient: Fraction | int) -> Any:
        factors = [] if coefficient == 1 and monomial else [self.build.number(coefficient)]
        for atom, power in monomial:
            if power < 0:
                factors.append(self._reciprocal(atom, -power))
            else:
                factors += [self.atom(atom)] * power
        return self.build.product(factors)

    def _reciprocal(self, atom: Atom, power: int) -> Any:
        """A comparison has its denominators multiplied out, so this serves terms inside atoms only."""
        inverse = self.atom(Inverse(Term.of(atom)))
        product = inverse
        for _ in range(power - 1):
            product = product * inverse
        return product

    def atom(self, atom: Atom) -> Any:
        known = self.variables.get(atom.identity)
        if known is not None:
            return known
        if isinstance(atom, Conditional):
            value = self.build.choice(self.formula(atom.condition), self.term(atom.then), self.term(atom.other))
            self.variables[atom.identity] = value
            self.definitions[atom.identity] = [
                (self.build.some([*self._apart(whole), self.build.compare(whole, "==")]), self._is_linear(term))
                for term in _held_against_numbers(atom.condition)
                for whole in (self.term(term),)
            ]
            return value
        if isinstance(atom, Element) and self.functions:
            name = f"{atom.role.prefix}{atom.array}"
            if name not in self.arrays:
                self.arrays[name] = self.build.function(name)
            variable = self.arrays[name](self.term(atom.index))
        else:
            variable = z3.Real(atom.key, self.context)
        self.variables[atom.identity] = variable
        defined = self._definition(atom, variable)
        if defined is not None:
            self.definitions[atom.identity] = [defined]
        return variable

    def _definition(self, atom: Atom, variable: Any) -> Encoded | None:
        match atom:
            case Symbol(positive=True):
                return (variable >= 1 if atom.integer else variable > 0, True)
            case Inverse(of=of):
                # Where ``of`` is 0 nothing is said: a division under a condition must not rule the 0 out.
                inverted = self.term(of)
                product = variable * inverted == 1
                return (product if of.sign in (1, -1) else z3.Implies(inverted != 0, product), False)
            case Special(function="sqrt", of=of):
                root = z3.And(variable * variable == self.term(of), variable >= 0)
                return (z3.Implies(self.term(of) >= 0, root), False)
            case Special(function="exp", of=of):
                return self._exponential(variable, of)
            case Special(function="log", of=of):
                return (self._logarithm(variable, of), False)
        return None

    def _exponential(self, variable: Any, of: Term) -> Encoded:
        """Above 0, and on the side of 1 that the exponent is of 0."""
        if of.sign in (1, -1):
            return (variable > 1 if of.sign == 1 else z3.And(variable > 0, variable < 1), True)
        exponent = self.term(of)
        sides = [
            z3.Implies(exponent > 0, variable > 1),
            z3.Implies(exponent == 0, variable == 1),
            z3.Implies(exponent < 0, variable < 1),
        ]
        return (z3.And(variable > 0, *sides), self._is_linear(of))

    def _logarithm(self, variable: Any, of: Term) -> Any:
        """Bounds on the logarithm; of what is not above 0 nothing is said."""
        inside = self.term(of)
        bounds = z3.Implies(inside > 0, z3.And(variable <= inside - 1, variable * inside >= inside - 1))
        constant = of.constant
        if constant is None or constant <= 0:
            return bounds
        low, high = log_bounds(constant)
        return z3.And(bounds, variable >= self.build.number(low), variable <= self.build.number(high))

    def _order(self, one: Special, other: Special) -> Any:
        """The order of two logarithms is that of what they are of."""
        first, second = self.atom(one), self.atom(other)
        of, of_other = self.term(one.of), self.term(other.of)
        order = z3.And(
            z3.Implies(of <= of_other, first <= second),
            z3.Implies(of >= of_other, first >= second),
            z3.Implies(of * of_other <= 1, first + second <= 0),
            z3.Implies(of * of_other >= 1, first + second >= 0),
        )
        return z3.Implies(z3.And(of > 0, of_other > 0), order)

    def read(self, model: Any, formulas: list[Formula]) -> tuple[dict[str, Fraction], bool]:
        """The model's values, by key, of what formulas mention; an irrational one is rounded, and it is not exact."""
        values: dict[str, Fraction] = {}
        exact = True
        for atom in _once(atom for formula in formulas for atom in self._mentioned(formula)):
            if isinstance(atom, Conditional):
                continue
            value = model.eval(self.atom(atom), model_completion=True)
            if z3.is_algebraic_value(value):
                exact = False
                value = value.approx(20)
            values[atom.key] = Fraction(value.numerator_as_long(), value.denominator_as_long())
        for name in {name for formula in formulas for name in formula.unknowns}:
            value = model.eval(self.formula(Unknown(name)), model_completion=True)
            values[f"?{name}"] = Fraction(int(z3.is_true(value)))
        return values, exact


def _held_against_numbers(condition: Formula) -> Iterator[Term]:
    """The whole numbers that a condition asks to be equal; where they are not, they lie at least 1 apart."""
    match condition:
        case Comparison(term=term, relation="==" | "!=") if term.integer:
            yield term
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _held_against_numbers(part)


def _once(atoms: Iterable[Atom]) -> tuple[Atom, ...]:
    """Each atom once, in order."""
    return tuple({atom.identity: atom for atom in atoms}.values())


def _reciprocals(formula: Formula) -> Iterator[Inverse]:
    """What stands under a negative exponent, as an atom of its own."""
    waiting = list(formula.terms())
    for atom in formula.within:
        waiting += parts_of(atom)
    for part in waiting:
        for term in part.terms() if isinstance(part, Formula) else (part,):
            for atom in term.inverted:
                yield Inverse(Term.of(atom))
