""".sample: reproducible, exact in its public arithmetic, and clear about arguments that it does not accept."""

from __future__ import annotations

import doctest
import re
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from conftest import Define

from alignkit import InputError
from alignkit.mechanisms.noisy_max import noisy_max_with_gap
from alignkit.mechanisms.sparse_vector import (
    sparse_vector_many_thresholds,
    sparse_vector_with_gap,
    sparse_vector_with_gap_by_theta,
)

GOOD = {"T": 100, "k": 2, "eps": 1, "seed": 7}


def sample(q=(100, 200, 300), **more):
    return sparse_vector_with_gap.sample(q, **{**GOOD, **more})


def test_a_seed_makes_a_sample_reproducible():
    assert sample() == sample()
    assert sample() != sample(seed=8)
    assert sample(seed=None) != sample(seed=None)
    generator = np.random.default_rng(7)
    first = sample(seed=generator)
    assert first == sample()
    assert sample(seed=generator) != first
    one, other = np.random.default_rng(7), np.random.default_rng(7)
    assert [sample(seed=one) for _ in range(3)] == [sample(seed=other) for _ in range(3)]


@pytest.mark.parametrize(
    "q",
    [
        [100, 200, 300], (100.0, 200, Fraction(300)), np.array([100, 200, 300]), np.array([100.0, 200.0, 300.0]),
        np.array([100, 200, 300], dtype=np.float32), [np.int64(100), Decimal(200), "300"], iter([100, 200, 300]),
        range(100, 301, 100),
    ],
)  # fmt: skip
def test_answers_may_be_given_in_many_ways(q):
    assert sample(q) == sample([100, 200, 300])


@pytest.mark.parametrize("eps", [0.5, "1/2", Fraction(1, 2), Decimal("0.5"), np.float64(0.5), "0.5"])
def test_parameters_may_be_given_in_many_ways(eps):
    assert sample(eps=eps) == sample(eps=Fraction(1, 2))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"q": [1, float("nan")]}, "q[1] must be a finite number, not nan"),
        ({"q": [float("inf")]}, "q[0] must be a finite number, not inf"),
        ({"q": np.array([1, -np.inf])}, "q[1] must be a finite number, not -inf"),
        ({"q": [Decimal("NaN")]}, "q[0] must be a finite number"),
        ({"q": [Decimal("sNaN")]}, "q[0] must be a finite number"),
        ({"q": []}, "q is empty; give at least one query answer"),
        ({"q": np.array([])}, "q is empty"),
        ({"q": np.zeros((2, 2))}, "q must be one list of numbers, not an array of 2 dimensions"),
        ({"q": 3}, "q must be a list of numbers, not 3"),
        ({"q": "123"}, "q must be a list of numbers, not '123'"),
        ({"q": {1, 2}}, "q must be a list of numbers"),
        ({"q": {1: 2}.keys()}, "q must be one list of numbers, not dict_keys"),
        ({"q": [True]}, "q[0] must be a number, not True"),
        ({"q": [None]}, "q[0] must be a number, not NoneType None"),
        ({"q": [[1]]}, "q[0] must be a number, not list [1]"),
        ({"q": ["many"]}, "q[0] must be a number such as 3, 0.7 or 1/3, not 'many'"),
        ({"k": 0}, "k must be a whole number, at least 1, not 0"),
        ({"k": 1.5}, "k must be a whole number, at least 1, not 1.5"),
        ({"k": "2.5"}, "k must be a whole number, at least 1, not '2.5'"),
        ({"k": -1}, "k must be a whole number, at least 1, not -1"),
        ({"k": True}, "k must be a number, not True"),
        ({"eps": 0}, "eps must be above 0, not 0"),
        ({"eps": -0.5}, "eps must be above 0, not -0.5"),
        ({"eps": float("nan")}, "eps must be a finite number, not nan"),
        ({"eps": "1/0"}, "eps must be a number such as 3, 0.7 or 1/3, not '1/0'"),
        ({"eps": [1]}, "eps must be a number, not list [1]"),
        ({"T": np.array([1, 2])}, "T must be one number, not an array of 2"),
        ({"theta": 1}, "sparse_vector_with_gap has no parameter 'theta'; it takes q, T, k, eps"),
        ({"noise": 1}, "sparse_vector_with_gap has no parameter 'noise'"),
        ({"seed": -1}, "seed is -1; write an int >= 0 or a numpy Generator"),
        ({"seed": "one"}, "seed is 'one'"),
    ],
)
def test_bad_arguments(given, message):
    with pytest.raises(InputError, match=re.escape(message)):
        sample(**given)


def test_missing_and_duplicate_arguments():
    with pytest.raises(InputError, match=re.escape("sparse_vector_with_gap needs T=…, k=…")):
        sparse_vector_with_gap.sample([1], eps=1)
    with pytest.raises(InputError, match="needs q=…"):
        sparse_vector_with_gap.sample(**GOOD)
    with pytest.raises(InputError, match="q is given twice"):
        sparse_vector_with_gap.sample([1], q=[1], **GOOD)
    with pytest.raises(InputError, match=re.escape("by position (q), all others by name")):
        sparse_vector_with_gap.sample([1], 100, k=1, eps=1)


@pytest.mark.parametrize("theta", [0, 1, -0.5, 1.5])
def test_theta(theta):
    with pytest.raises(InputError, match="theta must lie strictly between 0 and 1"):
        sparse_vector_with_gap_by_theta.sample([1], T=1, k=1, eps=1, theta=theta)


def test_too_few_queries():
    with pytest.raises(InputError, match=re.escape("largest(values, 2) needs at least 2 values, and there are 1")):
        noisy_max_with_gap.sample([1], eps=1, seed=1)


def test_vectors_of_public_numbers():
    given = {"delta": 1, "c": 1, "eps": 1, "seed": 1}
    assert len(sparse_vector_many_thresholds.sample([0, 0], T=[1000, 1000], **given)) == 2
    assert sparse_vector_many_thresholds.sample([0, 0], T=[], **given) == []
    with pytest.raises(InputError, match=re.escape("T[1] must be a finite number, not inf")):
        sparse_vector_many_thresholds.sample([0, 0], T=[1, float("inf")], **given)


def test_what_is_undefined(define):
    m = define("@mechanism\ndef m(q: Queries, T: Real, noise: Noise):\n    eta = noise.laplace(T)\n"
               "    return eta / (q[0] - q[0]), q[1]\n").m  # fmt: skip
    with pytest.raises(InputError, match=re.escape("m is not defined on these arguments: division by zero (line 5)")):
        m.sample([1, 2], T=1)
    with pytest.raises(InputError, match=re.escape("the scale of eta must be above 0 (line 4)")):
        m.sample([1, 2], T=-1)


def test_lattices(define):
    m = define("@mechanism\ndef m(q: Queries(lattice='0.1'), noise: Noise):\n    eta = noise.geometric(1, 0.1)\n"
               "    return q[0] + eta\n").m  # fmt: skip
    assert m.sample([0.3], seed=1) >= 0.3
    with pytest.raises(InputError, match=re.escape("q[0] must be a multiple of 1/10, not 0.35")):
        m.sample([0.35])


def test_public_arithmetic_is_exact(define):
    """0.1 + 0.2 is 0.30000000000000004 to Python; the mechanism stops where the exact sum does."""
    m = define("""
        @mechanism
        def m(q: Queries, eps: Epsilon, noise: Noise):
            cost = 0.1
            for x in q:
                cost += 0.2
                if cost > eps:
                    yield BELOW
                    break
                eta = noise.laplace(1 / eps)
                yield x + eta
    """).m
    assert steps(m.sample([1, 2, 3, 4], eps=0.3, seed=1)) == 1
    assert steps(list(m([1, 2, 3, 4], 0.3, _Zero()))) == 0, "floats stop one step earlier"
    assert steps(m.replay([1, 2, 3, 4], {"eta": [0, 0, 0, 0]}, eps=0.3)) == 1


def test_the_adaptive_budget_follows_exact_arithmetic(define):
    """`cost > eps - eps1` at eps = 0.7: eight steps of an eighth fit exactly, and not in floating point."""
    m = define("""
        @mechanism
        def m(q: Queries, eps: Epsilon, noise: Noise):
            eps1 = eps / 8
            cost = 0
            for x in q:
                eta = noise.laplace(1 / eps1)
                yield x + eta
                cost += eps1
                if cost > eps - eps1:
                    break
    """).m
    queries = [0] * 20
    assert len(m.sample(queries, eps=0.7, seed=1)) == 8
    assert len(m.replay(queries, {"eta": [0] * 20}, eps=0.7)) == 8
    assert len(list(m(queries, 0.7, _Zero()))) == 7


def test_what_a_loop_does_not_change_is_computed_once(define):
    """As many Fractions are added, divided and compared for 400 answers as for 4, and as many parameters checked."""
    m = define("""
        @mechanism
        def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
            eps1 = eps / (4 * k)
            rho = noise.laplace(2 / eps)
            cost = eps / 2
            for q_i in q:
                eta = noise.laplace(2 / eps1)
                if q_i + eta - T >= rho + T / 3:
                    yield q_i + eta - T / 3
                    cost = cost + eps1
                else:
                    yield BELOW
                if cost > eps - eps1:
                    break
    """).m

    def calls(n):
        m.sample([0], T=10**9, k=3, eps=0.7, seed=1)  # compiles it
        counted = []

        def watch(frame, event, argument):
            if event == "call" and frame.f_code.co_filename.endswith(("fractions.py", "distribution_parameters.py")):
                counted.append(frame.f_code.co_name)

        sys.setprofile(watch)
        try:
            m.sample([0] * n, T=10**9, k=3, eps=0.7, seed=1)
        finally:
            sys.setprofile(None)
        return counted

    few = [name for name in calls(4) if name != "checked_parameter"]
    many = calls(400)
    assert "_sub" in few
    assert [name for name in many if name != "checked_parameter"] == few
    assert many.count("checked_parameter") < 10


def steps(outputs):
    return [str(x) for x in outputs].index("BELOW")


class _Zero:
    def laplace(self, scale):
        return 0.0


def test_a_call_without_noise_says_what_to_call(define: Define) -> None:
    m = define("""
        @mechanism
        def m(q: Query, eps: Epsilon, noise: Noise):
            e = noise.laplace(1 / eps)
            return q + e
    """).m
    for call in (lambda: m(3, eps=1), lambda: m(3, 1)):
        with pytest.raises(TypeError, match=re.escape("m is called without noise: write m.sample(…), which draws it")):
            call()


def test_the_examples_of_the_page_run() -> None:
    page = Path(__file__).parents[2] / "docs" / "sampling.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 5
    assert not failed
