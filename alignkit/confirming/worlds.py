"""What is known of unknown numbers, the paths of a run, and the questions to the solver."""

from __future__ import annotations

import functools
import importlib
import itertools
import math
import operator
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, Inexact, localcontext
from fractions import Fraction
from typing import Any

from alignkit.confirming.normal_forms import (
    Comparison,
    Near,
    NotExaminedError,
    Number,
    UndefinedError,
    Unknown,
    cleared,
    divided,
    leading,
    made,
    plain,
    product_of,
    shown,
    tidy,
    unknowns_of,
)

# The solver's own units of work for one question.
UNITS = 2_000_000

UNITS_OF_CVC5 = 200_000

# How often a question that stands alone is put, in another order each time, before it is not known.
ORDERS = 3

# How far the floats of powers and logarithms may be from what they stand for; they are rounded to far less.
WIDTH = Fraction(1, 10**6)
# How far, relatively, functions of plain numbers with 60 digits may be from what they stand for.
ERROR = Fraction(1, 10**58)

# A literal: a comparison, and whether it holds. A clause is a list of literals of which one holds.
Literal = tuple[Comparison, bool]
Clause = Sequence[Literal]


class DeadError(Exception):
    """The path at hand cannot be taken. What it left untried has been handed on before."""


class OutOfWorkError(Exception):
    """There are more questions, or more paths, than the effort allows."""


_FORMULAS: dict[str, Callable[[Any, Any], Any]] = {">": operator.gt, ">=": operator.ge, "==": operator.eq}

_SIGNS = {">": frozenset({1}), ">=": frozenset({0, 1}), "==": frozenset({0})}


class Interface:
    """A solver's Python interface, whose names are the same for both, with formulas that no other thread touches."""

    def __init__(self, solver: str = "z3") -> None:
        self.is_z3 = solver == "z3"
        self.api = importlib.import_module("z3" if self.is_z3 else "cvc5.pythonic")
        self.context = self.api.Context() if self.is_z3 else None


class PathWorld:
    """The unknowns of one question of the second opinion, and the path that its runs are on.

    ``begin`` starts a path with the decisions that are given; where a run needs one more, and both ways are possible,
    the other way is put on ``untried`` before the run goes on.
    """

    def __init__(self, effort: int, interface: Interface | None = None) -> None:
        self.effort = effort
        interface = interface or Interface()
        self.api, self.context, self.is_z3 = interface.api, interface.context, interface.is_z3
        self.questions = 0
        self.unsettled = 0
        self.handed_on = 0
        self.adaptive = False
        self.step = 0
        self.still = False
        # Whether each question has formulas of its own, so that its answer does not depend on those before it.
        self.apart = False
        self.asked: set[tuple[str, int]] = set()
        self.facts: dict[Unknown, list[Clause]] = {}
        self.named: dict[Any, Unknown] = {}
        self.untried: list[tuple[Any, ...]] = []
        self.begin(())
        self._positive: dict[Any, bool] = {}
        self._translated: dict[Any, Any] = {}
        self._keep: list[Any] = []

    def close(self) -> None:
        """Let go of all formulas, which would otherwise wait until Python looks for cycles."""
        for kept in (self.facts, self.named, self._translated, self._keep):
            kept.clear()
        self.begin(())

    # Unknowns

    def unknown(self, name: Any, facts: Callable[[Any], Iterable[Clause]] = lambda number: (), **said: Any) -> Any:
        """The unknown of a name, as a number, made with its facts when it is first asked for."""
        if name not in self.named:
            made_ = Unknown(str(name), len(self.named), self, **said)
            self.named[name] = made_
            self.facts[made_] = list(facts(Number({((made_, 1),): 1})))
        return Number({((self.named[name], 1),): 1})

    def inverse(self, number: Number) -> Unknown:
        """The unknown that is 1 divided by a sum, whose sign is known where that of the sum is."""
        name = ("inverse", number.key)
        if name not in self.named:
            positive = self.is_positive(number)
            made_ = Unknown(f"1/({shown(number)})", len(self.named), self, positive=positive, denominator=number)
            self.named[name] = made_
            value = Number({((made_, 1),): 1})
            self.facts[made_] = [[(Comparison(value * number - 1, "=="), True)]]
            if made_.positive:
                self.facts[made_].append([(Comparison(value, ">"), True)])
        return self.named[name]

    def is_positive(self, number: Any) -> bool:
        """Whether a number is above 0 for all inputs: by its form, or by the facts of its unknowns alone."""
        number = cleared(number)
        if not isinstance(number, Number):
            return bool(number > 0)
        if all(f > 0 and all(u.positive or e % 2 == 0 for u, e in p) for p, f in number.terms.items()):
            return all(u.positive for p in number.terms for u, _ in p)
        known = self._positive.get(number.key)
        if known is None:
            known = self._positive[number.key] = bool(
                self.ask([[(Comparison(number, ">"), False)]], path=False) == "no"
            )
        return known

    # What Python's values stand for

    def number_of(self, value: Any) -> Any:
        """What stands for a value that meets a number, and is none of the numbers here."""
        return plain(value)

    def is_not_zero(self, number: Number) -> bool:
        """What a number is where a condition is expected."""
        raise NotExaminedError("a number that stands for a condition")

    def array_operation(self, operation: Any, method: str, inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """What an operation on arrays gives that meets a number."""
        raise NotExaminedError("arrays")

    # Paths

    def begin(self, decisions: tuple[Any, ...]) -> None:
        """Start a path."""
        self.given = decisions
        self.taken: list[Any] = []
        self.path: list[Clause] = []
        self.signs: dict[Any, frozenset[int]] = {}
        # What every comparison is about that a run asks for, those that the path has settled before included.
        self.reads: list[set[Unknown]] = []
        self.seen: set[Unknown] = set()

    def read(self, unknowns: set[Unknown]) -> None:
        """Under adaptive queries a mechanism reads no answer that is not asked yet; an alignment has its own rules."""
        if self.adaptive and self.step >= 0 and any(u.step > self.step and not u.noise for u in unknowns):
            raise NotExaminedError("a mechanism for adaptive queries that reads an answer before it is asked")

    def ask_question(self, queries: str, number: int) -> None:
        """Note that a run takes an answer: its question is asked once those before it have their outputs."""
        if number > self.step:
            raise NotExaminedError("a mechanism for adaptive queries that reads an answer before it is asked")
        self.asked.add((queries, number))

    def decide(self, comparison: Comparison) -> bool:
        """Go one way where a run depends on a comparison; both ways are tried in the end, where both are possible."""
        number, signs = self._normal(comparison)
        if self.still:
            raise NotExaminedError("a decision where none may be made")
        if not isinstance(number, Number):
            return bool(((number > 0) - (number < 0)) in signs)
        self.read(number.unknowns)
        self.reads.append(number.unknowns)
        possible = self.signs.get(number.key, frozenset({-1, 0, 1}))
        if self._is_null(number):
            possible -= {0}
        if possible <= signs:
            return True
        if not possible & signs:
            return False
        holds, fails = possible & signs, possible - signs
        if self._is_fresh(number):
            chosen = self._choose((True, False), lambda way: True)
        else:
            chosen = self._choose((True, False), lambda way: self._may(number, holds if way else fails))
        left = holds if chosen else fails
        self.signs[number.key] = left
        self.path.append(_clause(number, left))
        self.seen |= number.unknowns
        return bool(chosen)

    def is_public(self, problem: UndefinedError) -> bool:
        """Whether public values alone make D undefined: those that it is about, or all on the path."""
        about = unknowns_of(problem.about)
        return not any(u.noise or u.private for u in about) if about else self.public_part() == self.path

    def public_part(self) -> list[Clause]:
        """What the path says of public values alone."""
        return [
            clause for clause in self.path
            if not any(u.noise or u.private for comparison, _ in clause for u in comparison.number.unknowns)
        ]  # fmt: skip

    def choose(self, ways: int) -> int:
        """One of several ways, all of which are tried."""
        return int(self._choose(tuple(range(ways)), lambda way: True))

    def _choose(self, ways: tuple[Any, ...], may: Callable[[Any], bool]) -> Any:
        place = len(self.taken)
        if place < len(self.given):
            self.taken.append(self.given[place])
            return self.given[place]
        possible: list[Any] = []
        for number, way in enumerate(ways):
            # Where all others are impossible, the last one is possible, since the path is.
            if (number == len(ways) - 1 and not possible) or may(way):
                possible.append(way)
        self.untried += [(*self.taken, way) for way in possible[1:]]
        # Paths on which nothing is asked take time too.
        self.handed_on += len(possible) - 1
        if self.handed_on > self.effort:
            raise OutOfWorkError
        self.taken.append(possible[0])
        return possible[0]

    def _may(self, number: Number, signs: frozenset[int]) -> bool:
        return bool(self.ask([_clause(number, signs)]) != "no")

    @staticmethod
    def _normal(comparison: Comparison) -> tuple[Any, frozenset[int]]:
        """The comparison as a number, the same for all its multiples, and the signs that it allows."""
        number = cleared(comparison.number)
        signs = _SIGNS[comparison.relation]
        if not isinstance(number, Number):
            return number, signs
        factor = leading(number)
        return number * divided(1, factor), signs if factor > 0 else frozenset(-sign for sign in signs)

    def _is_null(self, number: Number) -> bool:
        """Whether a number is 0 with probability 0: continuous noise enters it alone, with a factor that is not 0.

        Under adaptive queries only the noise of the step at hand counts, since later queries may know the rest.
        """
        return any(
            u.continuous and (not self.adaptive or u.step == self.step) and self._has_plain_factor(number, u)
            for u in number.unknowns
        )

    def _is_fresh(self, number: Number) -> bool:
        """Whether some noise without bounds, which the path has not looked at, makes both ways possible."""
        return any(u.unbounded and u not in self.seen and self._has_plain_factor(number, u) for u in number.unknowns)

    @staticmethod
    def _has_plain_factor(number: Number, unknown: Unknown) -> bool:
        found = 0
        for product in number.terms:
            if unknown in unknowns_of([u.inside for u, _ in product]):
                return False
            exponents = dict(product)
            if unknown in exponents:
                found += 1
                if exponents[unknown] != 1 or not all(u.positive for u in exponents if u is not unknown):
                    return False
        return found == 1

    # Questions

    def ask(self, clauses: Iterable[Clause], *, path: bool = True, about: Iterable[Unknown] = ()) -> Any:
        """Whether clauses can hold on the path: "no", "unknown", or where they can, the solver's model.

        The model fits what is known of the unknowns that the question is ``about``, and of those in it.
        """
        self.questions += 1
        if self.questions > self.effort:
            raise OutOfWorkError
        asked = [*clauses, *(self.path if path else ())]
        reached: set[Unknown] = set()
        waiting = [*about]
        waiting += [u for clause in asked for comparison, _ in clause for u in comparison.number.unknowns]
        while waiting:
            unknown = waiting.pop()
            if unknown in reached:
                continue
            reached.add(unknown)
            for clause in self.facts[unknown]:
                asked.append(clause)
                waiting += [u for comparison, _ in clause for u in comparison.number.unknowns]
        asked += self._monotone([u for u in reached if u.exponent is not None])
        solver = self.api.Solver(ctx=self.context)
        if self.is_z3:
            solver.set("rlimit", UNITS)
        else:
            solver.setOption("rlimit-per", str(UNITS_OF_CVC5))
        # Clearing takes positive factors away, so that these are positive is said apart.
        solver.add(*[self.variable(u) > 0 for u in reached if u.positive])
        for clause in asked:
            if not clause:
                return "no"
            literals = [self._literal(literal) for literal in clause]
            solver.add(literals[0] if len(literals) == 1 else self.api.Or(*literals))
        answer = self.api.unknown
        if self.apart and self.is_z3:
            # Whether nonlinear questions are answered depends on the order in which they are put.
            for first in range(ORDERS):
                if answer == self.api.unknown:
                    moved = self._moved(solver, first)
                    answer = moved.check()
            solver = moved
        else:
            answer = solver.check()
        if answer == self.api.unsat:
            return "no"
        return solver.model() if answer == self.api.sat else "unknown"

    def _moved(self, solver: Any, first: int) -> Any:
        context = self.api.Context()
        moved = self.api.Solver(ctx=context)
        moved.set("rlimit", UNITS)
        formulas = list(solver.assertions())
        for formula in [*formulas[first:], *formulas[:first]]:
            moved.add(formula.translate(context))
        return moved

    @staticmethod
    def _monotone(powers: Sequence[Unknown]) -> list[Clause]:
        clauses: list[Clause] = []
        for i, one in enumerate(powers):
            for other in powers[:i]:
                if one.exponent and other.exponent and one.exponent[0] == other.exponent[0]:
                    clauses += _in_order(one.exponent[1] - other.exponent[1], _value(one) - _value(other))
        return clauses

    def _literal(self, literal: Literal) -> Any:
        comparison, truth = literal
        number: Any = comparison.number
        # Every question on a path repeats what the path has settled.
        key = ("literal", number.key, comparison.relation, truth) if isinstance(number, Number) else None
        if key is None or key not in self._translated:
            if comparison.relation == "whole":
                formula = self.api.IsInt(self._term(number))
            else:
                term = self._term(cleared(number))
                formula = _FORMULAS[comparison.relation](term, 0)
            formula = formula if truth else self.api.Not(formula)
            if key is None:
                return formula
            self._translated[key] = formula
            self._keep.append(number)
        return self._translated[key]

    def _term(self, number: Any) -> Any:
        if not isinstance(number, Number):
            return self.api.RealVal(str(Fraction(number)), self.context)
        if number.key not in self._translated:
            summands = []
            for product, factor in number.terms.items():
                factors = [] if factor == 1 and product else [self.api.RealVal(str(Fraction(factor)), self.context)]
                for unknown, exponent in product:
                    if exponent != int(exponent):
                        raise NotExaminedError("a root of a power")
                    if exponent < 0:
                        inverted = self.variable(("inverted", unknown))
                        self._extra(inverted, unknown)
                        factors += [inverted] * -int(exponent)
                    else:
                        factors += [self.variable(unknown)] * int(exponent)
                summands.append(self.api.Product(*factors) if len(factors) > 1 else factors[0])
            self._translated[number.key] = self.api.Sum(*summands) if len(summands) > 1 else summands[0]
            self._keep.append(number)
        return self._translated[number.key]

    def _extra(self, inverted: Any, unknown: Unknown) -> None:
        raise NotExaminedError(f"a division by {unknown.name}, whose sign is not known")

    def variable(self, unknown: Any) -> Any:
        """The solver's variable of an unknown."""
        if unknown not in self._translated:
            name = f"{unknown.order}:{unknown.name}" if isinstance(unknown, Unknown) else str(unknown)
            whole = isinstance(unknown, Unknown) and unknown.whole
            number = self.api.Int(name, self.context) if whole else self.api.Real(name, self.context)
            self._translated[unknown] = self.api.ToReal(number) if whole else number
        return self._translated[unknown]

    def rational(self, model: Any, unknown: Unknown) -> Fraction:
        """The value that a model gives an unknown."""
        value = model.eval(self.variable(unknown), model_completion=True)
        if not hasattr(value, "as_fraction"):
            # A number near by need not be an input, nor adjacent.
            raise NotExaminedError("what the solver finds is irrational")
        return Fraction(value.as_fraction())


def _clause(number: Number, signs: frozenset[int]) -> Clause:
    match sorted(signs):
        case [1]:
            return [(Comparison(number, ">"), True)]
        case [0]:
            return [(Comparison(number, "=="), True)]
        case [-1]:
            return [(Comparison(number, ">="), False)]
        case [0, 1]:
            return [(Comparison(number, ">="), True)]
        case [-1, 0]:
            return [(Comparison(number, ">"), False)]
        case [-1, 1]:
            return [(Comparison(number, "=="), False)]
    raise NotExaminedError("a comparison that allows nothing")


def _value(unknown: Unknown) -> Any:
    return Number({((unknown, 1),): 1})


def _in_order(less: Any, above: Any) -> list[Clause]:
    clauses: list[Clause] = []
    if isinstance(less, Number) and isinstance(above, Number):
        for relation in (">", "=="):
            given, then = Comparison(less, relation), Comparison(above, relation)
            clauses += [[(given, False), (then, True)], [(then, False), (given, True)]]
    return clauses


def powers_in_order(number: Any) -> list[Clause]:
    """Of two terms the power of e with the larger exponent is the larger one, where each is a product of powers."""
    number = cleared(number)
    if not isinstance(number, Number):
        return []
    powers = [[(u, e) for u, e in product if u.exponent is not None and u.exponent[0] == 0] for product in number.terms]
    found = [(sum(e * u.exponent[1] for u, e in p if u.exponent), made({tuple(p): 1})) for p in powers]
    return [c for (less, above), (less_, above_) in itertools.combinations(found, 2)
            for c in _in_order(less - less_, above - above_)]  # fmt: skip


# The functions of the language, on symbolic numbers and on plain ones. Plain irrational results are taken to 60 digits,
# which concrete runs of a counterexample need; symbolic runs know them by their facts alone.


def magnitude(world: PathWorld, number: Any) -> Any:
    """|number| as one number, without going two ways."""
    if not isinstance(number, Number):
        return abs(number)
    if world.is_positive(number):
        return number
    if world.is_positive(-number):
        return -number
    if leading(number) < 0:
        number = -number

    def facts(value: Any) -> list[Clause]:
        at_least = [[(Comparison(value - number, ">="), True)], [(Comparison(value + number, ">="), True)]]
        either = [(Comparison(value - number, "=="), True), (Comparison(value + number, "=="), True)]
        return [*at_least, either]

    return world.unknown(("magnitude", number.key), facts, of=number)


class Functions:
    """``sqrt``, ``exp``, ``log`` and their like in one world; without a world, of plain numbers."""

    def __init__(self, world: PathWorld | None) -> None:
        self.world = world
        # Of which number an unknown is the logarithm.
        self._numbers: dict[Unknown, Any] = {}

    def sqrt(self, value: Any) -> Any:
        """The square root."""
        value = plain(value)
        if value < 0:
            raise UndefinedError("the square root of a negative number", value)
        if self.world is None:
            return _digits(value, Decimal.sqrt)
        _without_noise(value, "square root")
        key = value.key if isinstance(value, Number) else value
        if isinstance(value, int) and math.isqrt(value) ** 2 == value:
            return math.isqrt(value)

        def facts(root: Any) -> list[Clause]:
            return [[(Comparison(root * root - value, "=="), True)], [(Comparison(root, ">="), True)]]

        positive = self.world.is_positive(value) if isinstance(value, Number) else value > 0
        return self.world.unknown(("sqrt", key), facts, positive=positive, of=value)

    def exp(self, value: Any) -> Any:
        """e to a power."""
        return self._power(0, value)

    def exp2(self, value: Any) -> Any:
        """2 to a power."""
        return self._power(2, value)

    def _power(self, base: int, value: Any) -> Any:
        value = plain(value)
        if self.world is None:
            if base == 2 and isinstance(value, int) and abs(value) < 10**4:
                return Fraction(2) ** value
            return _digits(value, lambda x: Decimal(2) ** x if base else x.exp())
        terms = value.terms if isinstance(value, Number) else {(): value}
        total: Any = 1
        for product, factor in terms.items():
            if not factor:
                continue
            if not product and base == 2 and factor == int(factor):
                total = total * Fraction(2) ** int(factor)
                continue
            if base == 0 and len(product) == 1 and product[0][0] in self._numbers and factor == int(factor):
                ((log, exponent),) = product
                if exponent == 1:
                    total = total * self.power(self._numbers[log], int(factor))
                    continue
            # Powers of one product are powers of its least part that occurs, so that no roots are needed.
            parts = Fraction(factor).denominator
            of = made({product: Fraction(1, parts)})

            def facts(power: Any, of: Any = of) -> list[Clause]:
                clauses: list[Clause] = [[(Comparison(power, ">"), True)]]
                if not isinstance(of, Number):
                    near = Fraction(round(math.exp(of * (math.log(2) if base else 1)) * 10**8), 10**8)
                    above, below = power - (near - WIDTH), near + WIDTH - power
                    return [*clauses, [(Comparison(above, ">"), True)], [(Comparison(below, ">"), True)]]
                for relation in (">", "=="):
                    given, then = Comparison(of, relation), Comparison(power - 1, relation)
                    clauses += [[(given, False), (then, True)], [(then, False), (given, True)]]
                return [*clauses, [(Comparison(power - 1 - of, ">="), True)]] if base == 0 else clauses

            key = of.key if isinstance(of, Number) else of
            self.world.unknown((base or "e", key), facts, positive=True, exponent=(base, of))
            total = total * made({((self.world.named[base or "e", key], int(factor * parts)),): 1})
        return total

    def log(self, value: Any) -> Any:
        """The natural logarithm: the sum of those of the factors."""
        value = plain(value)
        if value <= 0:
            raise UndefinedError("the logarithm of a number that is not above 0", value)
        if self.world is None:
            return _digits(value, Decimal.ln)
        if not isinstance(value, Number):
            value = Fraction(value)
            return sum(
                (sign * times_ * self._log_of_prime(prime)
                 for sign, whole in ((1, value.numerator), (-1, value.denominator))
                 for prime, times_ in _primes(whole)), start=0)  # fmt: skip
        # Only of positive factors is the logarithm of a product the sum of theirs.
        number: Number = value
        _without_noise(number, "logarithm")
        if len(number.terms) > 1 or not all(unknown.positive for product in number.terms for unknown, _ in product):
            return self._log_of_one(value)
        ((product, factor),) = value.terms.items()
        total = self.log(factor)
        for unknown, exponent in product:
            if unknown.exponent is not None and unknown.exponent[0] == 0:
                total = total + exponent * unknown.exponent[1]
            elif unknown.exponent is not None:
                total = total + exponent * unknown.exponent[1] * self._log_of_prime(2)
            elif unknown.denominator is not None:
                total = total - exponent * self.log(unknown.denominator)
            else:
                of = _value(unknown)
                total = total + exponent * self._log_of_one(of)
        return total

    def _log_of_one(self, of: Number) -> Any:
        assert self.world is not None
        log = self.world.unknown(("log", of.key), functools.partial(_as_one, of), of=of)
        self._numbers[self.world.named["log", of.key]] = of
        return log

    def _log_of_prime(self, prime: int) -> Any:
        near = Fraction(math.log(prime)).limit_denominator(10**9)

        def facts(log: Any) -> list[Clause]:
            return [[(Comparison(log - (near - WIDTH), ">"), True)], [(Comparison(near + WIDTH - log, ">"), True)]]

        assert self.world is not None
        log = self.world.unknown(("log", prime), facts, positive=True)
        self._numbers[self.world.named["log", prime]] = prime
        return log

    def power(self, base: Any, exponent: Any) -> Any:
        """A base to a power: a whole one, or any where the base is itself a power."""
        base, exponent = plain(base), plain(exponent)
        if isinstance(exponent, int):
            if exponent < 0 and base == 0:
                raise UndefinedError("a power of 0", base)
            whole = product_of([base] * abs(exponent))
            return divided(1, whole) if exponent < 0 else whole
        if self.world is None:
            raise NotExaminedError("a power whose exponent is not whole, on plain numbers")
        if isinstance(base, Number) and list(base.terms.values()) == [1]:
            (product,) = base.terms
            bases = {unknown.exponent[0] for unknown, _ in product if unknown.exponent is not None}
            if len(bases) == 1 and all(unknown.exponent is not None for unknown, _ in product):
                inside = sum(e * u.exponent[1] for u, e in product if u.exponent is not None)
                return self._power(bases.pop(), inside * exponent)
        raise NotExaminedError("a power whose exponent is not known")

    @staticmethod
    def clamp(value: Any, low: Any, high: Any) -> Any:
        """The value of [low, high] nearest to a value."""
        if low > high:
            raise UndefinedError("clamp with low above high", high - low)
        return low if value < low else high if value > high else value

    @staticmethod
    def largest(values: Sequence[Any], k: Any) -> tuple[int, ...]:
        """The places of the k largest values in order, of equal ones the first."""
        values = list(values)
        if type(k) is not int:
            raise NotExaminedError("largest of a number of values that is not known")
        if not 1 <= k <= len(values):
            raise UndefinedError(f"the {k} largest of {len(values)} values")
        chosen: list[int] = []
        for _ in range(k):
            left = [i for i in range(len(values)) if i not in chosen]
            best = left[0]
            for i in left[1:]:
                if values[i] > values[best]:
                    best = i
            chosen.append(best)
        return tuple(chosen)

    @staticmethod
    def lattice_points(low: Any, high: Any, spacing: Any) -> tuple[Any, ...]:
        """The multiples of a spacing between two numbers, which must be plain."""
        if any(isinstance(value, Number) for value in (low, high, spacing)):
            raise NotExaminedError("lattice_points between numbers that are not known")
        first, last = math.ceil(Fraction(low) / spacing), math.floor(Fraction(high) / spacing)
        return tuple(spacing * i for i in range(first, last + 1))


def _without_noise(value: Any, what: str) -> None:
    """What an unknown with facts is made of is not among its unknowns, so that noise in it would not be seen."""
    if any(unknown.noise for unknown in unknowns_of(value)):
        raise NotExaminedError(f"the {what} of noise")


def _as_one(value: Any, log: Any) -> list[Clause]:
    """A logarithm has the sign of the number minus 1, and is at most that."""
    clauses: list[Clause] = [[(Comparison(value - 1 - log, ">="), True)]]
    for relation in (">", "=="):
        given, then = Comparison(value - 1, relation), Comparison(log, relation)
        clauses += [[(given, False), (then, True)], [(then, False), (given, True)]]
    return clauses


def _primes(whole: int) -> list[tuple[int, int]]:
    """The prime factors of a small whole number, with how often each divides it."""
    if whole > 10**6:
        raise NotExaminedError("the logarithm of a large number")
    found = []
    for prime in range(2, whole + 1):
        times_ = 0
        while whole % prime == 0:
            whole //= prime
            times_ += 1
        if times_:
            found.append((prime, times_))
        if whole == 1:
            break
    return found


def _digits(value: Any, function: Callable[[Decimal], Decimal]) -> Any:
    """A monotone function of a plain number: exact where it is rational, else between two fractions."""
    value = Near.of(value)
    with localcontext() as context:
        context.prec = 60
        context.clear_flags()
        ends = []
        for end, rounding in ((value.low, ROUND_FLOOR), (value.high, ROUND_CEILING)):
            context.rounding = rounding
            argument = Decimal(end.numerator) / Decimal(end.denominator)
            ends.append(Fraction(function(argument)))
        if not context.flags[Inexact] and ends[0] == ends[1]:
            return tidy(ends[0])
        # The functions are right to one unit of the last of 60 digits.
        return Near(*(end + side * abs(end) * ERROR for end, side in zip(sorted(ends), (-1, 1), strict=True)))
