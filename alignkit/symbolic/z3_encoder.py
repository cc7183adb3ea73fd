"""Terms and formulas as z3 has them: polynomial real arithmetic, no division, no quantifiers.

z3's expressions, made without asking for their sorts: all numbers here are reals, all else is Boolean.

z3's Python operators look for a common sort of whatever they are given, which takes most of the time of writing a
question down.

What z3 is told of remainders of whole numbers, in formulas without products where that is possible.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import z3

from alignkit.plain_enclosures import log_bounds
from alignkit.symbolic.atoms import Conditional, Element, Inverse, Monomial, Remainder, Special, Symbol
from alignkit.symbolic.formulas import And, Comparison, Formula, Or, Unknown
from alignkit.symbolic.substitution import Traversal
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom


class Builder:
    """Makes expressions in one context."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self._reals = z3.RealSort(context)
        self._numbers: dict[Fraction | int, Any] = {}

    def number(self, value: Fraction | int) -> Any:
        """A rational number."""
        if value not in self._numbers:
            self._numbers[value] = z3.RealVal(str(value), self.context)
        return self._numbers[value]

    def function(self, name: str) -> Any:
        """A function of one real."""
        return z3.Function(name, self._reals, self._reals)

    def sum(self, parts: Sequence[Any]) -> Any:
        """The sum of one number or more."""
        return parts[0] if len(parts) == 1 else z3.ArithRef(self._of_many(z3.Z3_mk_add, parts), self.context)

    def product(self, parts: Sequence[Any]) -> Any:
        """The product of one number or more."""
        return parts[0] if len(parts) == 1 else z3.ArithRef(self._of_many(z3.Z3_mk_mul, parts), self.context)

    def all(self, parts: Sequence[Any]) -> Any:
        """All of the conditions."""
        return z3.BoolRef(self._of_many(z3.Z3_mk_and, parts), self.context)

    def some(self, parts: Sequence[Any]) -> Any:
        """One of the conditions at least."""
        return z3.BoolRef(self._of_many(z3.Z3_mk_or, parts), self.context)

    def compare(self, value: Any, relation: str, number: int = 0) -> Any:
        """``value relation number``; the relation is one of < <= == >=."""
        compared = _COMPARISONS[relation](self.context.ref(), value.as_ast(), self.number(number).as_ast())
        return z3.BoolRef(compared, self.context)

    def negation(self, condition: Any) -> Any:
        """Where the condition does not hold."""
        return z3.BoolRef(z3.Z3_mk_not(self.context.ref(), condition.as_ast()), self.context)

    def choice(self, condition: Any, then: Any, other: Any) -> Any:
        """``then`` where the condition holds, ``other`` where not."""
        choice = z3.Z3_mk_ite(self.context.ref(), condition.as_ast(), then.as_ast(), other.as_ast())
        return z3.ArithRef(choice, self.context)

    def _of_many(self, make: Callable[..., Any], parts: Sequence[Any]) -> Any:
        number = len(parts)
        return make(self.context.ref(), number, (z3.Ast * number)(*[part.as_ast() for part in parts]))


_COMPARISONS: dict[str, Callable[..., Any]] = {
    "<": z3.Z3_mk_lt,
    "<=": z3.Z3_mk_le,
    "==": z3.Z3_mk_eq,
    ">=": z3.Z3_mk_ge,
}


def remainder_is(remainder: Any, of: Any, divisor: Any) -> Any:
    """0 <= r <= d - 1 for d > 0, where r = x for 0 <= x < d, and r <= x - d for x >= d; d + 1 <= r <= 0 for d < 0."""
    within = z3.And(remainder >= 0, remainder <= divisor - 1)
    small = z3.Or(of <= -1, of >= divisor, remainder == of)
    large = z3.Or(of <= divisor - 1, remainder <= of - divisor)
    below = z3.And(remainder <= 0, remainder >= divisor + 1)
    return z3.And(z3.Implies(divisor > 0, z3.And(within, small, large)), z3.Implies(divisor < 0, below))


def related_remainders(encoder: Encoder, atoms: Iterable[Atom]) -> Iterator[Encoded]:
    """How remainders by one divisor are related to each other, and to what ``//`` gives."""
    listed = tuple(atoms)
    remainders = [atom for atom in listed if isinstance(atom, Remainder)]
    for one, other in itertools.combinations(remainders, 2):
        if one.divisor == other.divisor:
            yield _neighbours(encoder, one, other)
    floors = [atom for atom in listed if isinstance(atom, Special) and atom.function == "floor"]
    for remainder, floor in itertools.product(remainders, floors):
        more = (floor.of - remainder.of / remainder.divisor).constant
        if more is not None and more.denominator == 1:
            quotient = encoder.term(Term.of(floor) - more)
            whole = quotient * encoder.term(remainder.divisor) + encoder.atom(remainder)
            constant = remainder.divisor.constant is not None
            yield whole == encoder.term(remainder.of), constant and encoder.linearity.term(remainder.of)


def _neighbours(encoder: Encoder, one: Remainder, other: Remainder) -> Encoded:
    """A number and the next have remainders one apart, or d - 1 and 0; equal numbers have equal remainders."""
    distance = one.of - other.of
    if distance.constant == -1:
        one, other = other, one
    first, second, divisor = encoder.atom(one), encoder.atom(other), encoder.term(one.divisor)
    linear = encoder.linearity.term(one.divisor)
    if distance.constant in (1, -1):
        # ``one`` is the greater number.
        wraps = z3.If(divisor > 0, z3.And(second == divisor - 1, first == 0), z3.And(second == 0, first == divisor + 1))
        return z3.Or(first == second + 1, wraps), linear
    return z3.Implies(encoder.term(distance) == 0, first == second), linear and encoder.linearity.term(distance)


# A formula as z3 has it, and whether it is linear in what z3 sees as its variables.
Encoded = tuple[Any, bool]


def new_context() -> Any:
    """A z3 context whose formulas Python may free in any thread: the garbage collector runs in whichever is at work."""
    context = z3.Context()
    z3.Z3_enable_concurrent_dec_ref(context.ref())
    return context


class Encoder(Traversal[Any, Any]):
    """Translates terms and formulas for z3, each once, together with facts that define their atoms.

    Arrays are ``functions`` of their index, or each element is a number of its own: then elements at equal indices are
    said to be equal, pair by pair, which the solver of polynomials needs. Which model z3 finds depends on all that
    its context has seen: with a ``context`` of its own a check says the same whatever was checked before it.
    """

    def __init__(self, *, functions: bool = False, context: Any = None) -> None:
        super().__init__()
        self.functions = functions
        self.context = context or new_context()
        self.build = Builder(self.context)
        self.linearity = _Linearity()
        self.unknowns: dict[str, Any] = {}
        self.arrays: dict[str, Any] = {}
        self.stated: dict[str, Encoded] = {}
        self.mentioned: dict[str, tuple[Atom, ...]] = {}
        self.constrained: dict[str, tuple[Atom, ...]] = {}
        self.definitions: dict[str, list[Encoded]] = {}
        self.equalities: dict[tuple[str, str], Encoded | None] = {}

    def question(self, formulas: list[Formula]) -> list[Encoded]:
        """The formulas, and what defines the atoms that they mention; elements at equal indices are equal."""
        encoded = [self._stated(formula) for formula in formulas]
        atoms = _once(atom for formula in formulas for atom in self._constrained(formula))
        arrays: dict[tuple[Any, str], list[Element]] = {}
        for atom in atoms:
            encoded += self.definitions.get(atom.identity, [])
            if isinstance(atom, Element) and not self.functions:
                arrays.setdefault((atom.role, atom.array), []).append(atom)
        for elements in arrays.values():
            for pair in itertools.combinations(elements, 2):
                equality = self._equality(*pair)
                if equality is not None:
                    encoded.append(equality)
        logarithms = [atom for atom in atoms if isinstance(atom, Special) and atom.function == "log"]
        encoded += [(self._order(*pair), False) for pair in itertools.combinations(logarithms, 2)]
        rounded = [a for a in atoms if isinstance(a, Special) and a.function in ("floor", "ceil") and not a.integer]
        pairs = itertools.combinations(rounded, 2)
        encoded += [self._in_step(one, other) for one, other in pairs if one.function == other.function]
        encoded += related_remainders(self, atoms)
        return encoded

    def _stated(self, formula: Formula) -> Encoded:
        if formula.key not in self.stated:
            linear = self.linearity.formula(formula)
            if self.functions:
                indices = (atom.index for atom in formula.within if isinstance(atom, Element))
                linear = linear and all(map(self.linearity.term, indices))
            self.stated[formula.key] = (self.formula(formula), linear)
        return self.stated[formula.key]

    def _mentioned(self, formula: Formula) -> tuple[Atom, ...]:
        """The atoms of a formula, reciprocals among them."""
        if formula.key not in self.mentioned:
            self.mentioned[formula.key] = _once((*formula.within, *_reciprocals(formula)))
        return self.mentioned[formula.key]

    def _constrained(self, formula: Formula) -> tuple[Atom, ...]:
        """Those of its atoms on which a question has to state something: on each alone, or on several together."""
        if formula.key not in self.constrained:
            for atom in self._mentioned(formula):
                self.atom(atom)
            self.constrained[formula.key] = tuple(filter(self._is_constrained, self._mentioned(formula)))
        return self.constrained[formula.key]

    def _is_constrained(self, atom: Atom) -> bool:
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
                self.equalities[pair] = (equal, self.linearity.term(distance))
        return self.equalities[pair]

    def comparison(self, comparison: Comparison) -> Any:
        value = self.term(comparison.term)
        if comparison.relation != "!=":
            return self.build.compare(value, comparison.relation)
        # The solver knows reals only: whole numbers that differ lie at least 1 apart.
        equal = self.build.compare(value, "==")
        return self.build.some(self._apart(value)) if comparison.term.integer else self.build.negation(equal)

    def unknown(self, unknown: Unknown) -> Any:
        variable = self.unknowns.setdefault(unknown.name, z3.Bool(f"?{unknown.name}", self.context))
        return variable if unknown.holds else self.build.negation(variable)

    def conjunction(self, conjunction: And) -> Any:
        return self.build.all([self.formula(part) for part in conjunction.parts])

    def disjunction(self, disjunction: Or) -> Any:
        return self.build.some([self.formula(part) for part in disjunction.parts])

    def _apart(self, whole: Any) -> list[Any]:
        return [self.build.compare(whole, "<=", -1), self.build.compare(whole, ">=", 1)]

    def sum(self, term: Term) -> Any:
        summands = [self._monomial(m, c) for m, c in term.parts.items()]
        return self.build.sum(summands or [self.build.number(0)])

    def _monomial(self, monomial: Monomial, coefficient: Fraction | int) -> Any:
        factors = [] if coefficient == 1 and monomial else [self.build.number(coefficient)]
        for atom, power in monomial:
            # Only terms inside atoms have denominators: comparisons have theirs multiplied out.
            factors += [self.atom(atom if power > 0 else Inverse(Term.of(atom)))] * abs(power)
        return self.build.product(factors)

    def symbol(self, symbol: Symbol) -> Any:
        variable = z3.Real(symbol.key, self.context)
        if symbol.positive:
            self._define(symbol, variable >= 1 if symbol.integer else variable > 0, True)
        return variable

    def element(self, element: Element) -> Any:
        if not self.functions:
            return z3.Real(element.key, self.context)
        name = f"{element.role.prefix}{element.array}"
        if name not in self.arrays:
            self.arrays[name] = self.build.function(name)
        return self.arrays[name](self.term(element.index))

    def conditional(self, conditional: Conditional) -> Any:
        condition = self.formula(conditional.condition)
        value = self.build.choice(condition, self.term(conditional.then), self.term(conditional.other))
        # Whole numbers that the condition asks to be equal: where they are not, they lie at least 1 apart.
        self.definitions[conditional.identity] = [
            (self.build.some([*self._apart(whole), self.build.compare(whole, "==")]), self.linearity.term(part.term))
            for part in conditional.condition.comparisons()
            if part.relation in ("==", "!=") and part.term.integer
            for whole in (self.term(part.term),)
        ]
        return value

    def inverse(self, inverse: Inverse) -> Any:
        variable = z3.Real(inverse.key, self.context)
        inverted = self.term(inverse.of)
        # Where ``of`` is 0 nothing is said: a division under a condition must not rule the 0 out.
        product = variable * inverted == 1
        not_zero = inverse.of.sign in (1, -1)
        self._define(inverse, product if not_zero else z3.Implies(inverted != 0, product), False)
        return variable

    def special(self, special: Special) -> Any:
        variable = z3.Real(special.key, self.context)
        match special.function:
            case "sqrt":
                root = z3.And(variable * variable == self.term(special.of), variable >= 0)
                self._define(special, z3.Implies(self.term(special.of) >= 0, root), False)
            case "exp":
                self._define(special, *self._exponential(variable, special.of))
            case "floor" | "ceil" as function:
                whole = self._floor(variable, special.of) if function == "floor" else self._ceil(variable, special.of)
                self._define(special, whole, self.linearity.term(special.of))
            case "round":
                self._define(special, self._rounded(variable, special.of), self.linearity.term(special.of))
            case "log":
                self._define(special, self._logarithm(variable, special.of), False)
        return variable

    def remainder(self, remainder: Remainder) -> Any:
        variable = z3.Real(remainder.key, self.context)
        of, divisor = self.term(remainder.of), self.term(remainder.divisor)
        linear = self.linearity.term(remainder.of) and self.linearity.term(remainder.divisor)
        self._define(remainder, remainder_is(variable, of, divisor), linear)
        return variable

    def _define(self, atom: Atom, formula: Any, linear: bool) -> None:
        """Note what is to be stated of an atom in each question that mentions it."""
        self.definitions[atom.identity] = [(formula, linear)]

    def _exponential(self, variable: Any, of: Term) -> Encoded:
        """exp(x) is above 0 and at least 1 + x; it lies above or below 1 as x lies above or below 0."""
        exponent, linear = self.term(of), self.linearity.term(of)
        tangent = variable >= 1 + exponent if linear else z3.BoolVal(True, self.context)
        if of.sign in (1, -1):
            side = variable > 1 if of.sign == 1 else z3.And(variable > 0, variable < 1)
            return (z3.And(side, tangent), True)
        sides = [
            z3.Implies(exponent > 0, variable > 1),
            z3.Implies(exponent == 0, variable == 1),
            z3.Implies(exponent < 0, variable < 1),
        ]
        return (z3.And(variable > 0, tangent, *sides), linear)

    def _floor(self, variable: Any, of: Term) -> Any:
        """The largest whole number that is not above ``of``; of a multiple of 1/p it is at most 1 - 1/p below."""
        value = self.term(of)
        if not of.integer_atoms:
            return z3.And(variable <= value, value < variable + 1)
        steps = math.lcm(*(coefficient.denominator for coefficient in of.parts.values()))
        return z3.And(variable <= value, value <= variable + self.build.number(Fraction(steps - 1, steps)))

    def _ceil(self, variable: Any, of: Term) -> Any:
        """The smallest whole number not below ``of``, at least 1 where that is above 0; at most c where ``of`` is."""
        value = self.term(of)
        at_most = [z3.Implies(value <= c, variable <= c) for c in (0, 1, 2)]
        above = z3.And(variable >= value, variable < value + 1, *at_most)
        return z3.And(above, variable >= 1) if of.sign == 1 else above

    def _in_step(self, one: Special, other: Special) -> Encoded:
        """Two numbers that lie at most c apart are rounded down, or up, to numbers at most c apart, for whole c."""
        first, second, distance = self.atom(one), self.atom(other), one.of - other.of
        if distance.constant is not None:
            low, high = math.floor(distance.constant), math.ceil(distance.constant)
            return z3.And(first - second >= low, first - second <= high), True
        apart = self.term(distance)
        steps = [
            z3.And(z3.Implies(apart <= c, first - second <= c), z3.Implies(apart >= c, first - second >= c))
            for c in (-1, 0, 1)
        ]
        return z3.And(*steps), self.linearity.term(distance)

    def _rounded(self, variable: Any, of: Term) -> Any:
        """The nearest whole number lies within 1/2, and on no other side of 0."""
        value, half = self.term(of), self.build.number(Fraction(1, 2))
        near = z3.And(variable <= value + half, value - half <= variable)
        return z3.And(near, z3.Implies(value >= -half, variable >= 0), z3.Implies(value <= half, variable <= 0))

    def _logarithm(self, variable: Any, of: Term) -> Any:
        """Bounds on the logarithm; nothing is said of it where its argument is not above 0."""
        inside = self.term(of)
        bounds = z3.Implies(inside > 0, z3.And(variable <= inside - 1, variable * inside >= inside - 1))
        constant = of.constant
        if constant is None or constant <= 0:
            return bounds
        low, high = log_bounds(constant)
        return z3.And(bounds, variable >= self.build.number(low), variable <= self.build.number(high))

    def _order(self, one: Special, other: Special) -> Any:
        """Two logarithms are in the same order as their arguments."""
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


class _Linearity(Traversal[bool, bool]):
    """Whether z3 sees a term or formula as linear: each atom but a case distinction is a variable to it."""

    def sum(self, term: Term) -> bool:
        for monomial in term.parts:
            if not monomial:
                continue
            if len(monomial) > 1 or monomial[0][1] != 1:
                return False
            atom = monomial[0][0]
            if isinstance(atom, Conditional) and not self.atom(atom):
                return False
        return True

    def conditional(self, conditional: Conditional) -> bool:
        ways = self.term(conditional.then) and self.term(conditional.other)
        return ways and self.formula(conditional.condition)

    def comparison(self, comparison: Comparison) -> bool:
        return self.term(comparison.term)

    def unknown(self, unknown: Unknown) -> bool:
        return True

    def conjunction(self, conjunction: And) -> bool:
        return all(map(self.formula, conjunction.parts))

    def disjunction(self, disjunction: Or) -> bool:
        return all(map(self.formula, disjunction.parts))


def _once(atoms: Iterable[Atom]) -> tuple[Atom, ...]:
    """Each atom once, in order."""
    return tuple({atom.identity: atom for atom in atoms}.values())


def _reciprocals(formula: Formula) -> Iterator[Inverse]:
    """The reciprocals of the atoms that have a negative exponent."""
    for part in (formula, *(child for atom in formula.within for child in atom.children)):
        terms = [part] if isinstance(part, Term) else [comparison.term for comparison in part.comparisons()]
        for atom in (atom for term in terms for atom in term.inverted):
            yield Inverse(Term.of(atom))
