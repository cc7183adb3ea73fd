"""z3 behind the Solver interface: polynomial real arithmetic, no division, no quantifiers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import z3

from alignkit.symbolic.formulas import And, Comparison, Formula, Or, Unknown
from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.terms import Atom, Conditional, Element, Inverse, Monomial, Special, Symbol, Term

# Deterministic work units: a few seconds of z3; the same question stops at the same point everywhere.
RESOURCE_LIMIT = 20_000_000


class Z3Solver:
    """z3 by its Python API, a fresh solver for each question.

    ``seconds`` bounds each question from outside; the resource limit is what usually ends one.
    """

    name = "z3"

    def __init__(self, seconds: float = 10.0, resources: int = RESOURCE_LIMIT) -> None:
        self.seconds = seconds
        self.resources = resources

    def decide(self, hypotheses: tuple[Any, ...], goal: Any) -> Answer:
        if goal is True or any(h is False for h in hypotheses):
            return Answer(Outcome.VALID)
        negated = True if goal is False else ~goal
        return self._refute((*hypotheses, negated))

    def satisfiable(self, hypotheses: tuple[Any, ...]) -> Answer:
        return Answer(Outcome.VALID) if any(h is False for h in hypotheses) else self._refute(hypotheses)

    def _refute(self, formulas: tuple[Any, ...]) -> Answer:
        encoder = Encoder()
        encoded = [encoder.separately(formula) for formula in formulas if formula is not True]
        encoded += encoder.facts()
        linear = [formula for formula, is_linear in encoded if is_linear]
        # What contradicts itself in its linear part does so as a whole, and linear questions are the easy ones.
        solver, result = self._check("QF_LRA", linear)
        if len(linear) < len(encoded) and result != z3.unsat:
            solver, result = self._check("QF_NRA", [formula for formula, _ in encoded])
        if result == z3.unsat:
            return Answer(Outcome.VALID)
        if result == z3.unknown:
            if "interrupted" in solver.reason_unknown():
                # z3 takes Ctrl-C for itself and reports it as an answer.
                raise KeyboardInterrupt
            return Answer(Outcome.UNKNOWN, reason=solver.reason_unknown())
        values, exact = encoder.read(solver.model())
        return Answer(Outcome.INVALID, values, exact)


    def _check(self, logic: str, formulas: list[Any]) -> tuple[Any, Any]:
        solver = z3.SolverFor(logic)
        solver.set("timeout", max(1, int(self.seconds * 1000)))
        solver.set("rlimit", self.resources)
        solver.add(formulas)
        return solver, solver.check()


class Encoder:
    """From terms and formulas to z3's, with what defines their atoms as facts."""

    def __init__(self) -> None:
        self.variables: dict[Atom, Any] = {}
        self.unknowns: dict[str, Any] = {}
        self.terms: dict[Term, Any] = {}
        self.definitions: list[tuple[Any, bool]] = []

    def separately(self, formula: Formula) -> tuple[Any, bool]:
        """A formula, and whether it is linear in what the solver sees as its variables."""
        return self.formula(formula), all(self._is_linear(term) for term in formula.terms())

    def _is_linear(self, term: Term) -> bool:
        for monomial in term.parts:
            if sum(abs(power) for _, power in monomial) > 1 or any(power < 0 for _, power in monomial):
                return False
        return all(
            self._is_linear(part)
            for atom in term.atoms()
            if isinstance(atom, Conditional)
            for part in (atom.then, atom.other, *atom.condition.terms())
        )

    def formula(self, formula: Formula) -> Any:
        match formula:
            case Comparison(term=term, relation=relation):
                value = self.term(term)
                if relation == "<":
                    return value < 0
                if relation == "<=":
                    return value <= 0
                return value == 0 if relation == "==" else value != 0
            case Unknown(name=name, holds=holds):
                known = self.unknowns.setdefault(name, z3.Bool(f"?{name}"))
                return known if holds else z3.Not(known)
            case And(parts=parts):
                return z3.And([self.formula(p) for p in parts])
            case Or(parts=parts):
                return z3.Or([self.formula(p) for p in parts])
        raise TypeError(f"not a formula: {formula!r}")

    def term(self, term: Term) -> Any:
        known = self.terms.get(term)
        if known is None:
            summands = [self._monomial(m, c) for m, c in term.parts.items()]
            known = summands[0] if len(summands) == 1 else z3.Sum(summands) if summands else _number(Fraction(0))
            self.terms[term] = known
        return known

    def _monomial(self, monomial: Monomial, coefficient: Fraction) -> Any:
        factors = [] if coefficient == 1 and monomial else [_number(coefficient)]
        for atom, power in monomial:
            if power < 0:
                factors.append(self._reciprocal(atom, -power))
            else:
                factors += [self.atom(atom)] * power
        return factors[0] if len(factors) == 1 else z3.Product(factors)

    def _reciprocal(self, atom: Atom, power: int) -> Any:
        """A comparison has its denominators multiplied out, so this serves terms inside atoms only."""
        inverse = self.atom(Inverse(Term.of(atom)))
        product = inverse
        for _ in range(power - 1):
            product = product * inverse
        return product

    def atom(self, atom: Atom) -> Any:
        if atom in self.variables:
            return self.variables[atom]
        if isinstance(atom, Conditional):
            value = z3.If(self.formula(atom.condition), self.term(atom.then), self.term(atom.other))
            self.variables[atom] = value
            return value
        variable = z3.Real(atom.key)
        self.variables[atom] = variable
        match atom:
            case Symbol(positive=True):
                self.definitions.append((variable >= 1 if atom.integer else variable > 0, True))
            case Inverse(of=of):
                # Where ``of`` is 0 nothing is said: a division under a condition must not rule the 0 out.
                inverted = self.term(of)
                defined = variable * inverted == 1
                whole = defined if of.sign in (1, -1) else z3.Implies(inverted != 0, defined)
                self.definitions.append((whole, False))
            case Special(function="sqrt", of=of):
                root = z3.And(variable * variable == self.term(of), variable >= 0)
                self.definitions.append((z3.Implies(self.term(of) >= 0, root), False))
            case Special(of=of):
                self.definitions.append((variable > 0, True))
        return variable

    def facts(self) -> list[tuple[Any, bool]]:
        """What defines the atoms, and whether it is linear; elements of one array at equal indices are equal."""
        elements = [a for a in self.variables if isinstance(a, Element)]
        for position, one in enumerate(elements):
            for other in elements[position + 1 :]:
                if (one.role, one.array) != (other.role, other.array):
                    continue
                distance = one.index - other.index
                if distance.constant is None:
                    same = self.term(distance) == 0
                    equal = z3.Implies(same, self.variables[one] == self.variables[other])
                    self.definitions.append((equal, self._is_linear(distance)))
        return self.definitions

    def read(self, model: Any) -> tuple[dict[str, Fraction], bool]:
        """The model's values by key. An irrational value is rounded, and the model is then not exact."""
        values: dict[str, Fraction] = {}
        exact = True
        for atom, variable in self.variables.items():
            if isinstance(atom, Conditional):
                continue
            value = model.eval(variable, model_completion=True)
            if z3.is_algebraic_value(value):
                exact = False
                value = value.approx(20)
            values[atom.key] = Fraction(value.numerator_as_long(), value.denominator_as_long())
        for name, variable in self.unknowns.items():
            values[f"?{name}"] = Fraction(int(z3.is_true(model.eval(variable, model_completion=True))))
        return values, exact


def _number(value: Fraction) -> Any:
    return z3.RealVal(str(value))
