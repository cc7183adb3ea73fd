"""One-to-one by pieces, against brute force: whatever collides on a grid is never proved.

The grids lie off every boundary that the programs can ask about, so that two points of a grid with one image stand
for two open sets that overlap.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit.proving.conditions.one_to_one.by_pieces import log_facts
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.results import Verdict
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver

Define = Callable[..., Any]


def one_to_one(alignment: Any) -> bool:
    """Whether the prover holds the alignment to be one-to-one, its determinants included."""
    held = prove(alignment, Decider(Z3Solver.of_one_check(), 60), range(100_000)).conditions["one_to_one"]
    return held.status is Verdict.PROVED


def collides(alignment: Any, points: list[Any], vector: Callable[[Any], dict[str, Any]], **known: Any) -> bool:
    """Whether two points of a grid are moved to one."""
    seen: set[Any] = set()
    for point in points:
        trial = alignment.replay(H=vector(point), **known).trial
        image = tuple(sorted((str(where), value) for where, value in trial.noise_.items()))
        if image in seen:
            return True
        seen.add(image)
    return False


# Two draws

CONDITIONS = st.sampled_from(
    [
        "H.a > 0", "H.b > 0", "H.a > H.b", "H.a + H.b > 1", "H.a > 1", "H.b < -1", "abs(H.a) > abs(H.b)",
        "max(H.a, H.b) > 0",
    ]
)  # fmt: skip
STEPS = st.sampled_from(["0", "1", "-1", "H.a / 2", "-H.a / 2", "H.b", "-H.b / 2", "1 - H.a", "abs(H.b)"])
SHIFTS = st.recursive(
    STEPS, lambda inner: st.builds("({} if {} else {})".format, inner, CONDITIONS, inner), max_leaves=4
)
TWO = """
@mechanism
def unused(q: Query, eps: Epsilon, noise: Noise):
    a = noise.laplace(1 / eps)
    b = noise.laplace(1 / eps)
    return 1


@alignment(unused, epsilon="100 * eps")
def phi(H):
    return H.shift(a={a}, b={b})
"""
GRID = [
    (Fraction(i, 4) + Fraction(1, 16), Fraction(j, 4) + Fraction(1, 48))
    for i, j in itertools.product(range(-10, 10), repeat=2)
]


@settings(max_examples=examples(25, 60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(a=SHIFTS, b=SHIFTS)
def test_two_draws_that_collide_are_never_proved(define: Define, a: str, b: str) -> None:
    phi = define(TWO.format(a=a, b=b)).phi
    if one_to_one(phi):
        known = {"q": 0, "q_": 0, "eps": 1}
        assert not collides(phi, GRID, lambda p: {"a": p[0], "b": p[1]}, **known)


# Vectors of draws

ASKED = st.sampled_from(
    [
        "H.eta[i] == high", "H.eta[i] == low", "H.eta[i] > 0", "high > 1", "low < 0", "H.eta[0] > 0", "i == 0",
        "high > low + 1", "H.eta[i] + 1 > high",
    ]
)  # fmt: skip
MOVES = st.sampled_from(["0", "1", "-1", "2", "high - low", "low", "H.eta[0]", "H.eta[i]", "high - H.eta[i]"])
MOVED = st.recursive(MOVES, lambda inner: st.builds("({} if {} else {})".format, inner, ASKED, inner), max_leaves=3)
MANY = """
@mechanism
def unused(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(1 / eps) for q_i in q]
    first = q[0]
    return 1


@alignment(unused, epsilon="100 * eps")
def phi(q, H):
    high = max(H.eta)
    low = min(H.eta)
    return H.shift(eta=[{moved} for i in range(len(q))])
"""
CUBE = [
    tuple(Fraction(i, 2) + offset for i, offset in zip(point, (Fraction(1, 16), Fraction(1, 48), Fraction(1, 80))))
    for point in itertools.product(range(-4, 5), repeat=3)
]


@settings(max_examples=examples(20, 50), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moved=MOVED)
def test_vectors_that_collide_are_never_proved(define: Define, moved: str) -> None:
    phi = define(MANY.format(moved=moved)).phi
    if one_to_one(phi):
        known = {"q": [0, 0, 0], "q_": [0, 0, 0], "eps": 1}
        assert not collides(phi, CUBE, lambda p: {"eta": list(p)}, **known)


def test_the_grids_see_collisions(define: Define) -> None:
    together = define(TWO.format(a="(-1 if H.a > 0 else 1)", b="0")).phi
    assert collides(together, GRID, lambda p: {"a": p[0], "b": p[1]}, q=0, q_=0, eps=1)
    assert not one_to_one(together)
    lowered = define(MANY.format(moved="(-1 if H.eta[i] == high else 0)")).phi
    assert not one_to_one(lowered)


def test_what_grids_cannot_show(define: Define) -> None:
    """Some of what is one-to-one is proved, so that the tests above are not empty."""
    assert one_to_one(define(TWO.format(a="(1 if H.b > 0 else 0)", b="(-1 if H.a > 0 else 0)")).phi)
    assert one_to_one(define(TWO.format(a="H.b", b="-H.a / 2")).phi)
    assert one_to_one(define(MANY.format(moved="(1 if H.eta[i] == high else 0)")).phi)


# Sums of logarithms


def test_logarithms_add_up() -> None:
    x, y = (Term.of(Symbol(name, Role.PRIVATE)) for name in "xy")
    bounds = (x.compare(">=", 2), y.compare(">=", 3))
    whole = x.log() + y.log() - Term.of(6).log()
    facts = tuple(log_facts(whole))
    assert Z3Solver().decide((*bounds, *facts), whole.compare(">=", 0)).outcome is Outcome.FOLLOWS
    assert Z3Solver().decide((*bounds, *facts), whole.compare(">", 0)).outcome is not Outcome.FOLLOWS
    assert Z3Solver().decide(facts, whole.compare(">=", 0)).outcome is not Outcome.FOLLOWS
