"""// and % of whole numbers: Python, the evaluator, many runs at once and the prover give the same."""

from __future__ import annotations

import random
from typing import Any

import pytest
from conftest import Define
from hypothesis import given
from hypothesis import strategies as st

from alignkit import InputError
from alignkit.errors import AlignkitError, Undefined, Unsupported
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.terms import Role, Symbol, Term
from alignkit.symbolic.z3_solver import Z3Solver

SOURCE = """
@mechanism
def whole(q: Queries, a: Count, b: Count, noise: Noise):
    for sign in (1, 0 - 1):
        x = sign * a
        x //= b
        yield x
        x = sign * a
        x %= b
        yield (x, sign * a // (0 - b), sign * a % (0 - b), a - sign * a // b * 2)

@mechanism
def within(q: Queries, k: Count, noise: Noise):
    count = 1
    for i, q_i in enumerate(q):
        e = noise.laplace(5)
        if q_i + e > 0:
            count += 1
        yield ((i - k) // 3, (i - k) % 3, i // k, count // 2, count % k, k // count)

@mechanism
def by_zero(q: Query, k: Count, noise: Noise):
    return 1 % (k - 1)
"""

QUERIES = [1, -2, 3, -4, 5]


def written(a: int, b: int) -> list[Any]:
    """What Python makes of the first program."""
    outputs: list[Any] = []
    for x in (a, -a):
        outputs += [x // b, (x % b, x // -b, x % -b, a - x // b * 2)]
    return outputs


def pairs() -> list[tuple[int, int]]:
    """Whole numbers at random, small and large."""
    source = random.Random(1)
    sizes = [(8, 8), (60, 5), (5, 60), (2**80, 2**70), (2**70, 3)]
    return [(source.randint(1, a), source.randint(1, b)) for a, b in sizes for _ in range(20)]


def test_python_the_evaluator_and_many_runs_agree(define: Define) -> None:
    mechanism = define(SOURCE).whole
    for a, b in pairs():
        assert mechanism.sample([0], a=a, b=b) == written(a, b)
        assert mechanism.replay([0], H={}, a=a, b=b) == written(a, b)
        assert mechanism.sample_many([0], a=a, b=b, runs=2, seed=1)[1] == written(a, b)


@pytest.mark.parametrize("k", [1, 2, 7])
def test_numbers_that_differ_from_run_to_run(define: Define, k: int) -> None:
    mechanism = define(SOURCE).within
    seen = set()
    for output in mechanism.sample_many(QUERIES, k=k, runs=40, seed=2).outputs():
        counts = {1}
        for i, shown in enumerate(output):
            counts = {c for before in counts for c in (before, before + 1) if shown[3:] == (c // 2, c % k, k // c)}
            assert shown[:3] == ((i - k) // 3, (i - k) % 3, i // k)
            assert counts
        seen.add(tuple(shown[3] for shown in output))
    assert len(seen) > 1
    noise = [0, 1, 0, 9, 0]
    played = mechanism.replay(QUERIES, H={"e": noise}, k=k)
    winners = [2, 2, 3, 4, 5]
    expected = [((i - k) // 3, (i - k) % 3, i // k, c // 2, c % k, k // c) for i, c in enumerate(winners)]
    assert played == expected


def test_a_division_by_0_is_undefined_in_every_run(define: Define) -> None:
    mechanism = define(SOURCE).by_zero
    assert mechanism.sample(0, k=3) == mechanism.replay(0, H={}, k=3) == 1
    for run in (mechanism.sample, lambda q, k: mechanism.sample_many(q, k=k, runs=2)):
        with pytest.raises((InputError, AlignkitError, ZeroDivisionError)):
            run(0, k=1)
    with pytest.raises((InputError, Undefined), match="division by zero"):
        mechanism.replay(0, H={}, k=1)


WHOLE = st.integers(-40, 40)
i, j = (Term.of(Symbol(name, Role.INDEX, integer=True)) for name in "ij")


@given(WHOLE, WHOLE.filter(bool))
def test_the_solver_knows_the_quotient_and_the_remainder(a: int, b: int) -> None:
    at, quotient = i.compare("==", a), (i // b).compare("==", a // b)
    assert Z3Solver().decide((at,), quotient).outcome is Outcome.FOLLOWS
    assert Z3Solver().decide((at,), (i // b).compare("==", a // b + 1)).outcome is Outcome.POSSIBLE
    assert Z3Solver().decide((at, quotient), (i % b).compare("==", a % b)).outcome is Outcome.FOLLOWS


@given(WHOLE, WHOLE.filter(bool))
def test_plain_numbers_and_terms_agree(a: int, b: int) -> None:
    assert (Term.of(a) // b, Term.of(a) % b) == (Term.of(a // b), Term.of(a % b))
    assert (a // Term.of(b), a % Term.of(b)) == (Term.of(a // b), Term.of(a % b))


@given(st.integers(1, 12))
def test_remainders_lie_below_the_divisor(b: int) -> None:
    for goal in ((i % b).compare(">=", 0), (i % b).compare("<=", b - 1), ((i // b) * b + i % b).compare("==", i)):
        assert goal is True or Z3Solver().decide((), goal).outcome is Outcome.FOLLOWS
    if b > 1:
        assert Z3Solver().decide((), (i % b).compare("<=", b - 2)).outcome is Outcome.POSSIBLE


def test_equal_numbers_have_equal_quotients() -> None:
    same = (i // 3).compare("==", j // 3)
    assert Z3Solver().decide((i.compare("==", j),), same).outcome is Outcome.FOLLOWS
    assert Z3Solver().decide((i.compare("==", j + 1),), same).outcome is Outcome.POSSIBLE


@pytest.mark.parametrize("role", [Role.PRIVATE, Role.NOISE, Role.OUTPUT])
def test_what_is_not_public_is_not_covered(role: Role) -> None:
    of = Term.of(Symbol("x", role, integer=True))
    for divided in (lambda: of // 2, lambda: of % 2, lambda: 6 // of):
        with pytest.raises(Unsupported, match="private answers, noise or real outputs"):
            divided()


def test_a_number_that_need_not_be_whole_is_not_covered() -> None:
    with pytest.raises(Unsupported, match="need not be whole"):
        Term.of(Symbol("x", Role.PUBLIC)) // 2
    with pytest.raises(Unsupported, match="need not be whole"):
        i // (j / 2)
