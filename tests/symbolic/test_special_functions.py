"""What the solver is told of exp, log, sqrt, floor, ceil, round and reciprocals, against their values.

A value is pinned exactly where it is a fraction, and else between two fractions that `decimal` gives; what is said of
all of them together must leave these values possible, at 0 and below and at halves too.
"""

from __future__ import annotations

import decimal
import math
import random
from fractions import Fraction

import pytest
import z3

from alignkit.symbolic.atoms import Inverse, Symbol
from alignkit.symbolic.substitution import evaluate
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_encoder import Encoder

X, Y = (Term.of(Symbol(name, Role.NOISE)) for name in "xy")
P = Term.of(Symbol("p", Role.PUBLIC, positive=True))
K, M = (Term.of(Symbol(name, Role.PUBLIC, integer=True)) for name in "km")

MARGIN = Fraction(1, 10**30)


def between(number: Fraction, function: str) -> tuple[Fraction, Fraction]:
    """Fractions on either side of a value of exp, log or sqrt, and close to it; twice the value where it is exact."""
    if (function, number) in (("exp", 0), ("log", 1)):
        return (Fraction(1 if function == "exp" else 0),) * 2
    root = Fraction(math.isqrt(number.numerator), math.isqrt(number.denominator)) if function == "sqrt" else None
    if root is not None and root * root == number:
        return root, root
    with decimal.localcontext(decimal.Context(prec=50)):
        given = decimal.Decimal(number.numerator) / number.denominator
        value = Fraction({"exp": given.exp, "log": given.ln, "sqrt": given.sqrt}[function]() if given else 0)
    return value - MARGIN, value + MARGIN


def ranges(atom, values: dict[str, Fraction]) -> tuple[Fraction, Fraction] | None:
    """Where the value of an atom lies; None where it has none, so that nothing may be said of it."""
    if isinstance(atom, Symbol):
        return (values[atom.name],) * 2
    inside = evaluate(atom.of, lambda symbol: values[symbol.name])
    if isinstance(atom, Inverse):
        return (1 / inside,) * 2 if inside else None
    if atom.function in ("floor", "ceil", "round"):
        whole = {"floor": math.floor, "ceil": math.ceil, "round": round}[atom.function]
        return (Fraction(whole(inside)),) * 2
    defined = {"exp": True, "log": inside > 0, "sqrt": inside >= 0}[atom.function]
    return between(inside, atom.function) if defined else None


def possible(terms: list[Term], values: dict[str, Fraction], anything: Fraction) -> bool:
    """Whether z3 takes the values of all terms for possible; where one has none it may be ``anything``."""
    encoder = Encoder()
    solver = z3.SolverFor("QF_NRA", ctx=encoder.context)
    mentioned = [formula for formula in (term.compare("<=", 10**9) for term in terms) if not isinstance(formula, bool)]
    solver.add([formula for formula, _ in encoder.question(mentioned)])
    for atom in dict.fromkeys(atom for formula in mentioned for atom in formula.within):
        low, high = ranges(atom, values) or (anything, anything)
        solver.add(encoder.atom(atom) >= encoder.build.number(low), encoder.atom(atom) <= encoder.build.number(high))
    return solver.check() == z3.sat


EXPONENTS = [X.exp(), (-X).exp(), P.exp(), (-P / 2).exp(), (X - Y).exp(), (X * Y).exp(), Term.of(0).exp()]
LOGARITHMS = [X.log(), P.log(), (1 / P).log(), (X + Y).log(), (X * P).log(), Term.of(3).log(), (Term.of(2) / 5).log()]
ROOTS = [X.sqrt(), P.sqrt(), (X * X).sqrt(), (Y - 1).sqrt()]
WHOLES = [X.floor(), (X + Y).floor(), (K / 3).floor(), (K / 2 - M / 3).floor(), (K / 4 + Fraction(1, 4)).floor(),
          (K * M / 2).floor(), X.round(), (X - Y).round(), (K / 2).round(), (P * X).round()]  # fmt: skip
IN_STEP = [X.floor(), Y.floor(), (X + 1).floor(), (X - Fraction(1, 2)).floor(), (Y / 2).floor(), (X - 3).floor(),
           X.ceil(), Y.ceil(), (X - 1).ceil(), (Y + Fraction(7, 3)).ceil(), (X + Y).ceil()]  # fmt: skip
CEILINGS = [P.ceil(), (K / 3).ceil(), (K / 2 - M / 3).ceil(), (P * P).ceil(), (-P).ceil(), (P / 2).ceil(), P.floor()]
RECIPROCALS = [1 / (X + Y), 1 / (P + 1), 1 / (X * X - Y), X / (Y - 1), 1 / X, Y / P]

GROUPS = {
    "exp": EXPONENTS, "log": LOGARITHMS, "sqrt": ROOTS, "floor and round": WHOLES, "in step": IN_STEP,
    "ceil": CEILINGS, "1/x": RECIPROCALS,
}  # fmt: skip

# Boundaries, halves, and squares of fractions.
REALS = [Fraction(n, 36) for n in (0, 36, -36, 18, -18, 54, 90, -54, 16, 81, 72, 12, -84)]


@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_what_is_said_of_functions_leaves_their_values_possible(group):
    draw = random.Random(1)
    for _ in range(60):
        values = {"x": draw.choice(REALS), "y": draw.choice(REALS), "p": abs(draw.choice(REALS)) or Fraction(2)}
        values |= {"k": Fraction(draw.randint(-7, 7)), "m": Fraction(draw.randint(-3, 3))}
        assert possible(draw.sample(group, 3), values, Fraction(draw.randint(-9, 9))), values


def test_the_root_of_a_number_above_0_is_above_0_and_no_other_is_said_to_be():
    assert (P.sqrt().sign, (P * P + 1).sqrt().sign) == (1, 1)
    assert [root.sign for root in (X.sqrt(), (X * X).sqrt(), (P - 1).sqrt())] == [None] * 3
