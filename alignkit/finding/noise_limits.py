"""Limits of the noise, where no alignment is right for all noise, and the deltas that pay for them.

Two things stop a pure proof. A shift may move noise out of its support: then the noise keeps away from the end of the
support by the shift. And a test of an answer may hold on one side only, as for a key that one database lacks: then the
noise keeps still, and below what would bring that answer over the threshold. Limits are read off the program and the
shifts; delta is what the distributions say of their tails, added up. All of it is proposed, and `check` decides.
"""

from __future__ import annotations

import ast
import functools
import importlib
import itertools
import operator
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.finding.paired_runs import PairedRun
from alignkit.finding.shapes import DELTA, DOWN, UP, Case, Shape, Site
from alignkit.interpreting.operations import COMPARE
from alignkit.language.parameters import Epsilon, NamedMultiple, Proportion
from alignkit.language.program import (
    Arithmetic,
    Assign,
    Builtin,
    Compare,
    Comprehension,
    Constant,
    Draw,
    Expression,
    For,
    Item,
    Name,
    Negate,
    Target,
    walk,
)
from alignkit.noise import Distribution, Support
from alignkit.noise.distribution import sympy
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_decorator import Mechanism

_COMBINED = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}

# Longer expressions are left alone.
_LONGEST = 200

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}

# A delta is worth proposing if it is below 1 at some budget, for as many answers, with other numbers as large as this.
_ANSWERS, _LARGE = 2, 100


class _NotCovered(Exception):
    """Raised for what is not a number that public parameters, answers and draws are combined to."""


@dataclass(frozen=True)
class _Site:
    """A draw in the program: its distribution, and the parameters as expressions."""

    distribution: Distribution
    arguments: tuple[Any, ...]

    @property
    def step(self) -> Any:
        """The spacing of a lattice; 0 for noise that is on none."""
        return 0 if self.distribution.support.continuous else self.arguments[-1]

    @property
    def ends(self) -> tuple[Any, Any]:
        """What noise is above and what it is below; None where it has no such end."""
        support = self.distribution.support
        low = 0 if support.one_sided else self.arguments[0] if _cut(support) else None
        high = self.arguments[1] if _cut(support) else None
        return None if low is None else low - self.step, None if high is None else high + self.step

    def tail(self, limit: Any, *, upper: bool) -> Any:
        """A bound on the probability that noise is not within a limit."""
        tail = self.distribution.upper_tail if upper else self.distribution.lower_tail
        return None if tail is None else tail(limit, *self.arguments)


def _cut(support: Support) -> bool:
    return support in (Support.INTERVAL, Support.CUT_LATTICE)


@dataclass(frozen=True)
class NewAnswer:
    """An answer that passes a test on one side only, and by its noise a threshold where it does.

    ``limit`` is what noise passes it with if the answer is as large as it may be.
    """

    answer: str
    operator: str
    boundary: Any
    limit: Any
    upper: bool

    def test(self, at: str) -> str:
        """Whether one side passes the test and the other does not."""
        boundary = _text(self.boundary)
        one, other = (f"({name}{at} {self.operator} {boundary})" for name in (self.answer, f"{self.answer}_"))
        return f"{one} != {other}"

    def differs(self, pair: PairedRun) -> bool:
        """Whether one of the answers of a pair is new."""
        public = {_symbol(name): value for name, value in pair.witness.public.items() if not isinstance(value, tuple)}
        boundary = self.boundary.subs(public)
        both = pair.witness.values[self.answer], pair.witness.values_[self.answer]
        one, other = (values if isinstance(values, tuple) else (values,) for values in both)
        passes = COMPARE[self.operator]
        return any(passes(a, boundary) != passes(b, boundary) for a, b in zip(one, other, strict=True))


class _Reading:
    """What the names of a program stand for, as sympy expressions of public parameters, answers and draws.

    The elements of a list go by the list's own name. Every name is taken to have been assigned once.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        single = [name for name, kind in mechanism.public.items() if not kind.vector]
        self.names = {name: _symbol(name) for name in (*single, *mechanism.private)}
        self.answers = {self.names[name]: name for name in mechanism.private}
        self.sites: dict[str, _Site] = {}
        self.compared: list[tuple[Any, str]] = []  # the left side less the right one, and the sign between them
        keys = {draw.key for draw in mechanism.draws}
        for node in walk(*mechanism.program.body):
            if isinstance(node, Assign):
                self._bind(node.target, node.value, augmented=node.augmented)
            elif isinstance(node, For | Comprehension):
                self._bind(node.target, node.iterable)
            elif isinstance(node, Draw) and node.name in keys:
                self._note(node)
            elif isinstance(node, Compare) and node.operator in _FLIPPED:
                try:
                    self.compared.append((self._value(node.left) - self._value(node.right), node.operator))
                except _NotCovered:
                    continue

    def _note(self, node: Draw) -> None:
        try:
            arguments = tuple(self._value(argument) for argument in node.arguments)
        except _NotCovered:
            return
        self.sites[node.name] = _Site(node.distribution, arguments)

    def _bind(self, target: Target, value: Expression, *, augmented: bool = False) -> None:
        if isinstance(target, tuple):
            parts: Sequence[Expression] = value.arguments if isinstance(value, Builtin) else ()
            if isinstance(value, Builtin) and value.function == "enumerate":
                parts = (value, *value.arguments)  # no number stands for the position
            for part, of in zip(target, parts, strict=False):
                self._bind(part, of)
            return
        try:
            if augmented:
                raise _NotCovered
            self.names[target] = self._value(value)
        except _NotCovered:
            self.names.pop(target, None)

    def _value(self, node: Expression) -> Any:
        """A number, or the element of a list."""
        match node:
            case Constant(value=int() | Fraction() as value) if not isinstance(value, bool):
                return sympy().Rational(value)
            case Name(name=name) if name in self.names:
                return self.names[name]
            case Arithmetic(operator=sign) if sign in _COMBINED:
                result = _COMBINED[sign](self._value(node.left), self._value(node.right))
                if result.count_ops() <= _LONGEST:
                    return result
            case Negate():
                return -self._value(node.operand)
            case Item():
                return self._value(node.sequence)
            case Draw(name=name):
                return _symbol(f"H_{name}")
            case Comprehension():
                self._bind(node.target, node.iterable)
                return self._value(node.element)
            case Builtin(function="len", arguments=(Name(name=name),)):
                return _length(name)
            case Builtin(function="exp" | "log" | "sqrt" as function, arguments=(argument,)):
                return getattr(sympy(), function)(self._value(argument))
            case Builtin(function="floor" | "ceil" as function, arguments=(argument,)):
                return sympy().Function(function)(self._value(argument))
        raise _NotCovered

    def parts(self, number: Any) -> tuple[str | None, str | None, Any, Any, Any] | None:
        """The one answer and the one draw of a linear number, their factors and the rest; None where it is another.

        The answer or the draw is None where there is none.
        """
        draws = {_symbol(f"H_{key}"): key for key in self.sites}
        found = [[s for s in number.free_symbols if s in of] for of in (self.answers, draws)]
        if any(len(symbols) > 1 for symbols in found):
            return None
        answer, draw = (symbols[0] if symbols else None for symbols in found)
        factors = [number.diff(symbol) if symbol is not None else sympy().Integer(0) for symbol in (answer, draw)]
        rest = number.subs({symbol: 0 for symbol in (answer, draw) if symbol is not None})
        used = {symbol for factor in factors for symbol in factor.free_symbols}
        if not all(factor.is_number for factor in factors) or used:
            return None
        return self.answers.get(answer), draws.get(draw), *factors, rest


def _symbol(name: str) -> Any:
    return sympy().Symbol(name, real=True)


def _length(name: str) -> Any:
    return sympy().Function("len")(_symbol(name))


@functools.cache
def _printer() -> Any:
    """What writes expressions as Python, with sums that do not begin with a minus if they need not."""
    printing = importlib.import_module("sympy.printing.str")

    class Printer(printing.StrPrinter):  # type: ignore[name-defined,misc]
        def _as_ordered_terms(self, expr: Any, order: Any = None) -> list[Any]:
            terms = super()._as_ordered_terms(expr, order)
            return sorted(terms, key=lambda term: bool(term.could_extract_minus_sign()))

        def _print_Max(self, expr: Any) -> str:
            return f"max({self.stringify(expr.args, ', ')})"

    return Printer()


def _text(number: Any) -> str:
    """An expression as Python."""
    return ast.unparse(ast.parse(_printer().doprint(sympy().sympify(number)), mode="eval"))


def _declared(number: Any) -> Any:
    """The sensitivity or lattice of a parameter."""
    if isinstance(number, NamedMultiple):
        return sympy().Rational(number.factor) * _symbol(number.name)
    return _symbol(number) if isinstance(number, str) else sympy().Rational(number)


@dataclass(frozen=True)
class Limits:
    """The limits of the draws of one name, and what may pay for one draw, the least first.

    ``below`` and ``above`` are texts, empty where there is none. ``once`` is whether a draw pays only where its answer
    changes.
    """

    key: str
    below: str
    above: str
    tails: tuple[Any, ...]
    once: bool


@dataclass(frozen=True)
class LimitedDraws:
    """Which draws may have limits: ``relaxed`` ones may be moved out of their support, others draw for ``new`` answers.

    ``delta`` is the one that was asked for.
    """

    mechanism: Mechanism
    sites: Mapping[str, _Site]
    relaxed: frozenset[str]
    new: Mapping[str, NewAnswer]
    delta: str | None = None

    def covers(self, pair: PairedRun) -> bool:
        """Whether the draws of a pair are to lead D' the way of D; they keep still for a new answer."""
        return not any(new.differs(pair) for new in self.new.values())

    def tests(self, key: str) -> str:
        """The name of what tells where the draws of a key are for a new answer; empty if they never are."""
        return "" if key not in self.new else "$new" if len(self.new) == 1 else f"$new_{key}"

    def moved(self, key: str, shifts: Mapping[Case, str], at: str) -> dict[Case, str]:
        """The shifts of the draws of a key, which are 0 for a new answer."""
        still = f"0 if {self.tests(key)}{at} else " if key in self.new else ""
        return {case: text if text == "0" else still + text for case, text in shifts.items()}

    def of(self, key: str, shifts: Mapping[Case, str], terms: Sequence[Mapping[str, Fraction]], at: str) -> Limits:
        """The limits of the draws of a key: ``shifts`` are the texts of what they move by, ``terms`` what of."""
        site, new = self.sites[key], self.new.get(key)
        exact = len(set(shifts.values())) == 1 and all(term in self.mechanism.private for of in terms for term in of)
        shift = next(iter(shifts.values()))
        ends = site.ends if key in self.relaxed else (None, None)
        stated, tails = [], [] if new is None else [site.tail(new.limit, upper=new.upper)]
        for upper, end in ((False, ends[0]), (True, ends[1])):
            most = max(_most(of, 1 if upper else -1) for of in terms) * self._change
            where_new, text = "", "None"
            if new is not None:
                where_new = f"{_text(new.limit) if new.upper is upper else None} if {self.tests(key)}{at} else "
            if end is not None and most:
                far = end - most if upper else end + most
                text = f"{_less(end, shift)} if {_sign(shift, upper)} else None" if exact else _text(far)
                tails.append(site.tail(far, upper=upper))
            stated.append("" if text == "None" and where_new[:4] in ("", "None") else where_new + text)
        above, below = stated
        of_support = len(tails) - (new is not None)
        if not exact and of_support:
            tails = [sum(tails)]
        different = list(dict.fromkeys(tails))
        tails = different if len(different) < 2 else [sympy().Max(*different)]
        return Limits(key, below, above, tuple(tails), once=exact or not of_support)

    @property
    def _change(self) -> Any:
        (change,) = {_declared(kind.sensitivity) for kind in self.mechanism.private.values()}
        return change


def _most(terms: Mapping[str, Fraction], sign: int) -> Any:
    """How far a shift goes up, or down where ``sign`` is -1, in sensitivities."""
    far = Fraction(0)
    for term, factor in terms.items():
        along = sign * factor
        far += along if term == DELTA else max(along, Fraction(0)) if term in (UP, DOWN) else abs(factor)
    return sympy().Rational(max(far, Fraction(0)))


_CHANGE = re.compile(r"(\S+) - (\S+)")


def _less(end: Any, shift: str) -> str:
    change = _CHANGE.fullmatch(shift)
    if end == 0:
        return f"{change[2]} - {change[1]}" if change else f"-({shift})"
    return f"{_text(end)} - ({shift})"


def _sign(shift: str, upper: bool) -> str:
    change = _CHANGE.fullmatch(shift)
    one, other = (change[1], change[2]) if change else (shift, "0")
    return f"{one} {'>' if upper else '<'} {other}"


def deltas(shape: Shape, limits: Sequence[Limits]) -> Iterator[str]:
    """What the limits may cost in all, the least first; only what is below 1 somewhere, or what was asked for."""
    if shape.limited is not None and shape.limited.delta is not None:
        yield shape.limited.delta
        return
    count = _length(shape.answers.vector) if shape.answers is not None else None
    shared = shape.adjacency in (Adjacency.ONE, Adjacency.L1)
    choices = []
    for limit in limits:
        several = shape.sites[limit.key] is not Site.SINGLE
        counts = ([1] if shared and limit.once else []) + [count] if several else [1]
        choices.append([times * tail for times in counts for tail in limit.tails])
    totals = [sum(parts) for parts in itertools.product(*choices)]
    if shared and all(limit.once for limit in limits):
        totals.insert(0, sympy().Max(*(least for least, *_ in choices)))
    for total in dict.fromkeys(totals):
        if _says_something(shape.mechanism, total):
            # Exponents that are multiplied out may be equal to one another.
            equal = total.replace(sympy().exp, lambda exponent: sympy().exp(sympy().expand(exponent)))
            yield min(_text(total), _text(equal), key=lambda text: text.count("exp("))


def _says_something(mechanism: Mechanism, delta: Any) -> bool:
    """Whether a delta is below 1 at a budget of 1, for few answers and other numbers that are large."""
    values = {_length(name): _ANSWERS for name, kind in mechanism.private.items() if kind.vector}
    for name, kind in mechanism.public.items():
        least = isinstance(kind, Proportion)
        values[_symbol(name)] = 1 if isinstance(kind, Epsilon) else sympy().Rational(1, _LARGE) if least else _LARGE
    number = delta.subs(values).evalf()
    return not number.is_extended_real or bool(number < 1)


def limited_draws(mechanism: Mechanism) -> Iterator[LimitedDraws]:
    """The draws of a mechanism that limits may be tried for."""
    reading = _Reading(mechanism)
    sites = {key: site for key, site in reading.sites.items() if site.distribution.upper_tail is not None}
    relaxed = frozenset(key for key, site in sites.items() if site.ends != (None, None))
    in_base_2 = any(draw.distribution.base for draw in mechanism.draws)
    if in_base_2 or len({kind.sensitivity for kind in mechanism.private.values()}) > 1:
        return
    new: dict[str, list[NewAnswer]] = {}
    for (test, sign), (number, of) in itertools.product(reading.compared, repeat=2):
        for key, found in _new_answers(reading, test, sign, number, of):
            if key in sites and found not in new.setdefault(key, []):
                new[key].append(found)
    for chosen in itertools.product(*new.values()):
        if new or relaxed:
            yield LimitedDraws(mechanism, sites, relaxed, dict(zip(new, chosen, strict=True)))


def _new_answers(reading: _Reading, test: Any, sign: str, number: Any, of: str) -> Iterator[tuple[str, NewAnswer]]:
    """What comes of a test of an answer beside a comparison with noise: the least limits that may do, first."""
    one, other = reading.parts(test), reading.parts(number)
    if one is None or other is None:
        return
    (answer, draw, slope, _, rest), (compared, key, factor, of_draw, offset) = one, other
    if answer is None or key is None or draw is not None or compared != answer:
        return
    sign, of = _FLIPPED[sign] if slope < 0 else sign, _FLIPPED[of] if of_draw < 0 else of
    factor, level, boundary = factor / of_draw, -offset / of_draw, -rest / slope
    kind, site, upper = reading.mechanism.private[answer], reading.sites[key], bool(factor > 0)
    meets = of in ((">=", "<") if upper else ("<=", ">"))
    steps = [0] if meets or site.step == 0 else [site.step if upper else -site.step, 0]
    reach = boundary + _declared(kind.sensitivity)
    # On a lattice, what is not at least a bound is at most the multiple before it.
    nearer = [reach - _declared(kind.lattice)] if kind.lattice is not None and sign in (">=", "<") else []
    for step, most in itertools.product(steps, [*nearer, reach]):
        yield key, NewAnswer(answer, sign, boundary, level + step - factor * most, upper)
