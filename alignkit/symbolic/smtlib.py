"""Questions as SMT-LIB text, which any solver of polynomial real arithmetic can be given.

This is a second writing of what ``z3_encoder`` says to z3, and shares no code with it: what is said of each kind of
atom is stated here anew, from its meaning. All numbers are reals.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable
from fractions import Fraction

from alignkit.errors import Unsupported
from alignkit.plain_enclosures import log_bounds
from alignkit.symbolic.atoms import Conditional, Element, Inverse, Remainder, Special, Symbol
from alignkit.symbolic.formulas import And, Comparison, Formula, Or, Unknown
from alignkit.symbolic.substitution import Traversal
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom


class Question(Traversal[str, str]):
    """Whether some formulas can hold together, as ``text``, in the logic that it names.

    ``names`` are the variables of the numbers in it, by the keys of their atoms. Raises Unsupported where a formula
    mentions something of which this writer does not know what to state.
    """

    def __init__(self, formulas: Iterable[Formula | bool]) -> None:
        super().__init__()
        self.names: dict[str, str] = {}
        self._booleans: dict[str, str] = {}
        self._written: list[str] = []
        self._facts: list[str] = []
        self._met: list[Atom] = []
        self._linear = True
        asked = [self(f) if isinstance(f, Formula) else str(f).lower() for f in formulas]
        self._facts += self._of_pairs()
        lines = [f"(assert {formula})" for formula in (*self._facts, *asked)]
        logic = "QF_LRA" if self._linear else "QF_NRA"
        self.text = "\n".join([f"(set-logic {logic})", *self._written, *lines, "(check-sat)", ""])

    # Terms and formulas

    def sum(self, term: Term) -> str:
        summands = []
        for monomial, coefficient in term.parts.items():
            factors = [
                self.atom(atom if power > 0 else Inverse(Term.of(atom)))
                for atom, power in monomial
                for _ in range(abs(power))
            ]
            summands.append(self._times(*factors, number=coefficient))
        return _of("+", summands) if summands else _number(0)

    def comparison(self, comparison: Comparison) -> str:
        value, relation = self.term(comparison.term), comparison.relation
        if relation == "!=":
            return _apart(value) if comparison.term.integer else f"(not (= {value} 0.0))"
        return f"({'=' if relation == '==' else relation} {value} 0.0)"

    def conjunction(self, conjunction: And) -> str:
        return _of("and", [self.formula(part) for part in conjunction.parts])

    def disjunction(self, disjunction: Or) -> str:
        return _of("or", [self.formula(part) for part in disjunction.parts])

    def unknown(self, unknown: Unknown) -> str:
        if unknown.name not in self._booleans:
            self._booleans[unknown.name] = self._declare("b", len(self._booleans), "Bool", unknown.name)
        name = self._booleans[unknown.name]
        return name if unknown.holds else f"(not {name})"

    # Atoms

    def symbol(self, symbol: Symbol) -> str:
        name = self._variable(symbol)
        if symbol.positive:
            self._facts.append(f"(<= 1.0 {name})" if symbol.integer else f"(< 0.0 {name})")
        return name

    def element(self, element: Element) -> str:
        self.term(element.index)
        return self._variable(element)

    def conditional(self, conditional: Conditional) -> str:
        """Named, so that cases within cases are written once; integers that are not equal lie at least 1 apart."""
        condition = self.formula(conditional.condition)
        then, other = self.term(conditional.then), self.term(conditional.other)
        for part in conditional.condition.comparisons():
            if part.relation in ("==", "!=") and part.term.integer:
                value = self.term(part.term)
                self._facts.append(f"(or (= {value} 0.0) {_apart(value)})")
        name = f"c{len(self._written)}"
        self._written.append(f"(define-fun {name} () Real (ite {condition} {then} {other}))")
        return name

    def inverse(self, inverse: Inverse) -> str:
        of, name = self.term(inverse.of), self._variable(inverse)
        product = f"(= {self._times(of, name)} 1.0)"
        self._facts.append(product if inverse.of.sign in (1, -1) else f"(or (= {of} 0.0) {product})")
        return name

    def remainder(self, remainder: Remainder) -> str:
        """x % d of integers lies in [0, d - 1] or [d + 1, 0]; it is x for x in [0, d), and at most x - d from d on."""
        x, d, name = self.term(remainder.of), self.term(remainder.divisor), self._variable(remainder)
        small = f"(or (<= {x} (- 1.0)) (<= {d} {x}) (= {name} {x}))"
        large = f"(or (<= {x} (- {d} 1.0)) (<= {name} (- {x} {d})))"
        above = f"(and (<= 0.0 {name}) (<= {name} (- {d} 1.0)) {small} {large})"
        below = f"(and (<= (+ {d} 1.0) {name}) (<= {name} 0.0))"
        self._facts.append(f"(and (or (<= {d} 0.0) {above}) (or (<= 0.0 {d}) {below}))")
        return name

    def special(self, special: Special) -> str:
        x, name = self.term(special.of), self._variable(special)
        write = getattr(self, f"_{special.function}", None)
        if write is None:
            raise Unsupported(f"{special.function} is not written as SMT-LIB text")
        self._facts.append(write(name, x, special.of))
        return name

    def _sqrt(self, root: str, x: str, of: Term) -> str:
        return f"(or (< {x} 0.0) (and (<= 0.0 {root}) (= {self._times(root, root)} {x})))"

    def _exp(self, power: str, x: str, of: Term) -> str:
        """exp(x) > 0 and exp(x) >= 1 + x; it is on the side of 1 on which x is of 0."""
        sides = {1: f"(< 1.0 {power})", -1: f"(< {power} 1.0)"}.get(
            of.sign or 0,
            f"(or (<= {x} 0.0) (< 1.0 {power})) (or (<= 0.0 {x}) (< {power} 1.0)) "
            f"(or (not (= {x} 0.0)) (= {power} 1.0))",
        )
        return f"(and (< 0.0 {power}) (<= (+ 1.0 {x}) {power}) {sides})"

    def _log(self, log: str, x: str, of: Term) -> str:
        """1 - 1/x <= log(x) <= x - 1 for x > 0, and rational bounds where x is a number."""
        bounds = f"(<= {log} (- {x} 1.0)) (<= (- {x} 1.0) {self._times(log, x)})"
        constant = of.constant
        if constant is None or constant <= 0:
            return f"(or (<= {x} 0.0) (and {bounds}))"
        low, high = map(_number, log_bounds(constant))
        return f"(and {bounds} (<= {low} {log}) (<= {log} {high}))"

    def _floor(self, floor: str, x: str, of: Term) -> str:
        """It lies less than 1 below x, and where x is a multiple of 1/p at most 1 - 1/p."""
        if not of.integer_atoms:
            return f"(and (<= {floor} {x}) (< {x} (+ {floor} 1.0)))"
        steps = math.lcm(*(coefficient.denominator for coefficient in of.parts.values()))
        return f"(and (<= {floor} {x}) (<= {x} (+ {floor} {_number(Fraction(steps - 1, steps))})))"

    def _ceil(self, ceil: str, x: str, of: Term) -> str:
        """It lies less than 1 above x, is at least 1 where x is above 0, and at most 0, 1 or 2 where x is."""
        positive = f" (<= 1.0 {ceil})" if of.sign == 1 else ""
        at_most = " ".join(f"(or (< {_number(Fraction(c))} {x}) (<= {ceil} {_number(Fraction(c))}))" for c in (0, 1, 2))
        return f"(and (<= {x} {ceil}) (< {ceil} (+ {x} 1.0)) {at_most}{positive})"

    def _round(self, rounded: str, x: str, of: Term) -> str:
        """It lies within 1/2 of x, and on no other side of 0."""
        half = _number(Fraction(1, 2))
        near = f"(<= (- {rounded} {half}) {x}) (<= {x} (+ {rounded} {half}))"
        sides = f"(or (< {x} (- {half})) (<= 0.0 {rounded})) (or (< {half} {x}) (<= {rounded} 0.0))"
        return f"(and {near} {sides})"

    # What is said of two atoms

    def _of_pairs(self) -> list[str]:
        facts = []
        for one, other in itertools.combinations(self._met, 2):
            if isinstance(one, Element) and isinstance(other, Element):
                if (one.role, one.array) == (other.role, other.array):
                    facts += self._equal_where(one.index - other.index, one, other)
            elif isinstance(one, Remainder) and isinstance(other, Remainder):
                if one.divisor == other.divisor:
                    facts += self._remainders(one, other)
            elif isinstance(one, Remainder) or isinstance(other, Remainder):
                remainder, floor = (one, other) if isinstance(one, Remainder) else (other, one)
                facts += self._quotient(remainder, floor)
            elif isinstance(one, Special) and isinstance(other, Special) and one.function == other.function:
                if one.function == "log":
                    facts.append(self._logarithms(one, other))
                elif one.function in ("floor", "ceil") and not (one.integer or other.integer):
                    facts += self._in_step(one, other)
        return facts

    def _equal_where(self, distance: Term, one: Atom, other: Atom) -> list[str]:
        """Values of one function of integers are equal where their arguments are."""
        equal = f"(= {self.atom(one)} {self.atom(other)})"
        if distance.constant is not None:
            return [equal] if distance.constant == 0 else []
        return [f"(or (not (= {self.term(distance)} 0.0)) {equal})"]

    def _remainders(self, one: Remainder, other: Remainder) -> list[str]:
        """An integer and the next have remainders 1 apart, but for those of the last and the first before a wrap."""
        distance = one.of - other.of
        if distance.constant not in (1, -1):
            return self._equal_where(distance, one, other)
        greater, smaller = (self.atom(a) for a in ((one, other) if distance.constant == 1 else (other, one)))
        d = self.term(one.divisor)
        up = f"(and (< 0.0 {d}) (= {smaller} (- {d} 1.0)) (= {greater} 0.0))"
        down = f"(and (<= {d} 0.0) (= {smaller} 0.0) (= {greater} (+ {d} 1.0)))"
        return [f"(or (= {greater} (+ {smaller} 1.0)) {up} {down})"]

    def _quotient(self, remainder: Atom, floor: Atom) -> list[str]:
        """x = floor(x / d) d + x % d."""
        assert isinstance(remainder, Remainder)
        if not (isinstance(floor, Special) and floor.function == "floor"):
            return []
        more = (floor.of - remainder.of / remainder.divisor).constant
        if more is None or more.denominator != 1:
            return []
        whole = self._times(self.term(Term.of(floor) - more), self.term(remainder.divisor))
        return [f"(= (+ {whole} {self.atom(remainder)}) {self.term(remainder.of)})"]

    def _in_step(self, one: Special, other: Special) -> list[str]:
        """For whole c, numbers at most c apart are rounded down, or up, to numbers at most c apart."""
        first, second, distance = self.atom(one), self.atom(other), one.of - other.of
        facts = []
        for c in (-1, 0, 1):
            number, apart = _number(Fraction(c)), self.term(distance)
            facts.append(f"(or (< {number} {apart}) (<= (- {first} {second}) {number}))")
            facts.append(f"(or (< {apart} {number}) (<= {number} (- {first} {second})))")
        return facts

    def _logarithms(self, one: Special, other: Special) -> str:
        """log is increasing, and log(x) + log(y) is on the side of 0 on which x y is of 1."""
        log_x, log_y, x, y = self.atom(one), self.atom(other), self.term(one.of), self.term(other.of)
        product = self._times(x, y)
        return (
            f"(or (<= {x} 0.0) (<= {y} 0.0) (and "
            f"(or (< {y} {x}) (<= {log_x} {log_y})) (or (< {x} {y}) (<= {log_y} {log_x})) "
            f"(or (< 1.0 {product}) (<= (+ {log_x} {log_y}) 0.0)) "
            f"(or (< {product} 1.0) (<= 0.0 (+ {log_x} {log_y})))))"
        )

    # Text

    def _variable(self, atom: Atom) -> str:
        name = self.names[atom.key] = self._declare("x", len(self._met), "Real", atom.key)
        self._met.append(atom)
        return name

    def _declare(self, letter: str, number: int, sort: str, key: str) -> str:
        name = f"{letter}{number}"
        self._written.append(f"(declare-const {name} {sort}) ; {json.dumps(key)}")
        return name

    def _times(self, *factors: str, number: Fraction | int = 1) -> str:
        """The product of a number and factors, which makes a question one of polynomials where both are unknown."""
        self._linear = self._linear and sum(not _is_number(factor) for factor in factors) < 2
        return _of("*", [*([] if number == 1 and factors else [_number(number)]), *factors])


def _apart(value: str) -> str:
    return f"(or (<= {value} (- 1.0)) (<= 1.0 {value}))"


def _of(operator: str, parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({operator} {' '.join(parts)})"


def _number(value: Fraction | int) -> str:
    size = f"{abs(value.numerator)}.0"
    text = size if value.denominator == 1 else f"(/ {size} {value.denominator}.0)"
    return text if value >= 0 else f"(- {text})"


def _is_number(text: str) -> bool:
    return not any(letter in text for letter in "xbc")
