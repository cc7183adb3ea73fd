"""What the solver is told of remainders, against Python's own."""

from __future__ import annotations

import re
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit.errors import Unsupported
from alignkit.symbolic.atoms import Remainder, Symbol
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_encoder import Encoder
from alignkit.symbolic.z3_solver import Z3Solver

NAMES = ("x", "y", "d")
X, Y, D = (Term.of(Symbol(name, Role.PUBLIC, integer=True)) for name in NAMES)
M = Term.of(Symbol("M", Role.PUBLIC, integer=True, positive=True))

wholes = st.integers(-12, 12)
divisors = st.integers(-5, 5).filter(bool)


@settings(max_examples=examples(40, 600), deadline=None)
@given(wholes, wholes, divisors, st.integers(-1, 2))
def test_what_is_said_of_remainders_holds_of_pythons(x: int, y: int, d: int, apart: int) -> None:
    """Every symbol, remainder and quotient is pinned to what Python computes; nothing that is stated contradicts it."""
    numbers = {X: x, Y: y, X + 1: x + 1, X - 1: x - 1, X + D * 2 + apart: x + 2 * d + apart, 7 * X: 7 * x}
    quantities = {number % D: value % d for number, value in numbers.items()}
    quantities |= {number // D: value // d for number, value in numbers.items()}
    quantities |= {X % 3: x % 3, (X + 1) % 3: (x + 1) % 3, X // 3: x // 3}
    encoder = Encoder()
    solver = z3.SolverFor("QF_NRA", ctx=encoder.context)
    mentioned = [quantity.compare("<=", 1000) for quantity in quantities]
    solver.add([formula for formula, _ in encoder.question([f for f in mentioned if not isinstance(f, bool)])])
    for quantity, value in {**quantities, X: x, Y: y, D: d}.items():
        solver.add(encoder.term(quantity) == value)
    assert solver.check() == z3.sat


def formula(text: str) -> Any:
    """A comparison of terms as it is written."""
    left, relation, right = re.split(r" (==|<=|>=) ", text)
    names = {"X": X, "Y": Y, "D": D, "M": M}
    return Term.of(eval(left, names)).compare(relation, eval(right, names))


@pytest.mark.parametrize(
    ("known", "asked"),
    [
        (("(X + 1) % M == 0", "X >= 0"), "X + 1 >= M"),
        (("(X + 1) % M == 0",), "X % M == M - 1"),
        (("X % M == M - 1",), "(X + 1) % M == 0"),
        (("X % M <= M - 2",), "(X + 1) % M == X % M + 1"),
        (("X >= 0",), "X % M <= X"),
        (("X >= 0", "X <= M - 1"), "X % M == X"),
        (("X == Y",), "X % D == Y % D"),
        (("X % 3 == 0",), "(X // 3) * 3 == X"),
        (("X % M == 0",), "(X // M) * M == X"),
        ((), "X % 4 <= 3"),
    ],
)
def test_what_follows(known: tuple[str, ...], asked: str) -> None:
    solver = Z3Solver()
    facts = tuple(map(formula, known))
    assert solver.decide(facts, formula(asked)).outcome is Outcome.FOLLOWS
    assert solver.decide(facts, ~formula(asked)).outcome is not Outcome.FOLLOWS


@pytest.mark.parametrize(
    ("known", "asked"),
    [
        (("(X + 1) % M == 0",), "X + 1 >= M"),
        (("(X + 1) % D == 0",), "X % D == D - 1"),
        ((), "X % D >= 0"),
        (("X % M == 0", "Y % M == 0"), "X == Y"),
        (("X % M == Y % M",), "X // M == Y // M"),
        (("X >= 0",), "X % M <= X - M"),
    ],
)
def test_what_does_not_follow(known: tuple[str, ...], asked: str) -> None:
    assert Z3Solver().decide(tuple(map(formula, known)), formula(asked)).outcome is not Outcome.FOLLOWS


def test_multiples_of_the_divisor_make_no_difference() -> None:
    assert (X + 3 * M) % M == X % M
    assert (X * M) % M == Term.of(0)
    assert (X + M * Y - M) % M == X % M
    assert (X + 5) % 4 == (X + 1) % 4
    assert Term.of(-7) % 3 == Term.of(2)


def test_values_for_symbols_are_divided_as_python_divides() -> None:
    (remainder,) = (X % D).atoms()
    assert isinstance(remainder, Remainder)
    for x in range(-7, 8):
        for d in (-3, -1, 1, 4):
            values = {symbol: Term.of(v) for term, v in ((X, x), (D, d)) for symbol in term.atoms()}
            assert substitute(X % D, values) == Term.of(x % d)
    with pytest.raises(ZeroDivisionError):
        substitute(X % D, {next(iter(D.atoms())): Term.of(0)})


def test_numbers_that_need_not_be_whole_are_refused() -> None:
    half = X / 2
    with pytest.raises(Unsupported, match="need not be whole"):
        half % D
    with pytest.raises(Unsupported, match="private answers"):
        Term.of(Symbol("q", Role.PRIVATE, integer=True)) % D
