"""Random terms and formulas, each beside a plain Python reading of the same expression.

A Term is built by the operations under test; next to it goes a function that computes the value with Fractions
from an assignment, without any Term. The two must agree wherever Python divides by nothing that is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from alignkit.interpreting.operations import maximum, minimum
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

X = Symbol("x", Role.PRIVATE)
Y = Symbol("y", Role.NOISE)
P = Symbol("p", Role.PUBLIC, positive=True)
R = Symbol("r", Role.PUBLIC, positive=True)
K = Symbol("k", Role.PUBLIC, integer=True, positive=True)
I_ = Symbol("i", Role.INDEX, integer=True)
J = Symbol("j", Role.INDEX, integer=True)
A_I = Element("a", Term.of(I_), Role.PRIVATE)
A_J = Element("a", Term.of(J), Role.PRIVATE)
A_NEXT = Element("a", Term.of(I_) + 1, Role.PRIVATE)
ATOMS = (X, Y, P, R, K, I_, J, A_I, A_J, A_NEXT)

Values = Mapping[str, Fraction]
Reading = Callable[[Values], Fraction]
Truth = Callable[[Values], bool]


@dataclass(frozen=True)
class Number:
    """A term, and the value it must have."""

    term: Any
    value: Reading

    def __repr__(self) -> str:
        return repr(self.term)


@dataclass(frozen=True)
class Question:
    """A condition (a Formula or a bool), and the truth value it must have."""

    formula: Any
    truth: Truth

    def __repr__(self) -> str:
        return repr(self.formula)


_COMPARED: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}

rationals = st.builds(Fraction, st.integers(-6, 6), st.integers(1, 4))
positives = st.builds(Fraction, st.integers(1, 8), st.integers(1, 4))


def _atom(atom: Any) -> Number:
    return Number(Term.of(atom), lambda v: v[_name(atom)] if isinstance(atom, Symbol) else _element(atom, v))


def _name(atom: Symbol) -> str:
    return atom.name


def _element(atom: Element, values: Values) -> Fraction:
    """The array is a polynomial of the index: equal at equal indices."""
    at = {A_I: values["i"], A_J: values["j"], A_NEXT: values["i"] + 1}[atom]
    return array(at, values)


def array(at: Fraction, values: Values) -> Fraction:
    """What stands in the array at an index."""
    return values["a0"] + values["a1"] * at * at


def _constant(value: Fraction) -> Number:
    return Number(Term.of(value), lambda v: value)


def _combine(numbers: st.SearchStrategy[Number]) -> st.SearchStrategy[Number]:
    def plus(a: Number, b: Number) -> Number:
        return Number(a.term + b.term, lambda v: a.value(v) + b.value(v))

    def minus(a: Number, b: Number) -> Number:
        return Number(a.term - b.term, lambda v: a.value(v) - b.value(v))

    def times(a: Number, b: Number) -> Number:
        return Number(a.term * b.term, lambda v: a.value(v) * b.value(v))

    def over(a: Number, b: Number) -> Number:
        if Term.of(b.term).constant == 0:
            return a
        return Number(a.term / b.term, lambda v: a.value(v) / b.value(v))

    def negative(a: Number) -> Number:
        return Number(-a.term, lambda v: -a.value(v))

    def size(a: Number) -> Number:
        return Number(abs(a.term), lambda v: abs(a.value(v)))

    def larger(a: Number, b: Number) -> Number:
        return Number(Term.of(maximum([a.term, b.term])), lambda v: max(a.value(v), b.value(v)))

    def smaller(a: Number, b: Number) -> Number:
        return Number(Term.of(minimum([a.term, b.term])), lambda v: min(a.value(v), b.value(v)))

    def chosen(a: Number, b: Number, c: Number, d: Number, relation: str) -> Number:
        test = a.term.compare(relation, b.term)
        held = _COMPARED[relation]
        if isinstance(test, bool):
            return c if test else d
        return Number(
            test.choose(c.term, d.term),
            lambda v: c.value(v) if held(a.value(v), b.value(v)) else d.value(v),
        )

    relations = st.sampled_from(sorted(_COMPARED))
    return st.one_of(
        st.builds(plus, numbers, numbers),
        st.builds(minus, numbers, numbers),
        st.builds(times, numbers, numbers),
        st.builds(over, numbers, numbers),
        st.builds(negative, numbers),
        st.builds(size, numbers),
        st.builds(larger, numbers, numbers),
        st.builds(smaller, numbers, numbers),
        st.builds(chosen, numbers, numbers, numbers, numbers, relations),
    )


plain_numbers = st.one_of(st.sampled_from(ATOMS).map(_atom), rationals.map(_constant))
numbers = st.recursive(plain_numbers, _combine, max_leaves=6)


def _compared(a: Number, b: Number, relation: str) -> Question:
    held = _COMPARED[relation]
    return Question(a.term.compare(relation, b.term), lambda v: held(a.value(v), b.value(v)))


comparisons = st.builds(_compared, numbers, numbers, st.sampled_from(sorted(_COMPARED)))


def _joined(questions: st.SearchStrategy[Question]) -> st.SearchStrategy[Question]:
    def both(a: Question, b: Question) -> Question:
        return Question(a.formula & b.formula, lambda v: a.truth(v) and b.truth(v))

    def either(a: Question, b: Question) -> Question:
        return Question(a.formula | b.formula, lambda v: a.truth(v) or b.truth(v))

    def opposite(a: Question) -> Question:
        other = (not a.formula) if isinstance(a.formula, bool) else ~a.formula
        return Question(other, lambda v: not a.truth(v))

    return st.one_of(
        st.builds(both, questions, questions),
        st.builds(either, questions, questions),
        st.builds(opposite, questions),
    )


questions = st.recursive(comparisons, _joined, max_leaves=4)

# Few and small values, so that ties and zeros are frequent.
assignments = st.fixed_dictionaries(
    {
        "x": rationals,
        "y": rationals,
        "p": positives,
        "r": positives,
        "k": st.integers(1, 4).map(Fraction),
        "i": st.integers(-2, 3).map(Fraction),
        "j": st.integers(-2, 3).map(Fraction),
        "a0": rationals,
        "a1": st.integers(-1, 1).map(Fraction),
    }
)


def lookup(values: Values) -> Callable[[Any], Fraction]:
    """What an assignment says of each atom."""
    from alignkit.symbolic.substitution import evaluate

    def of(atom: Any) -> Fraction:
        if isinstance(atom, Element):
            return array(evaluate(atom.index, of), values)
        return values[atom.name]

    return of


def defined(read: Callable[[Values], Any], values: Values) -> bool:
    """Whether Python divides by nothing that is 0."""
    try:
        read(values)
    except ZeroDivisionError:
        return False
    return True
