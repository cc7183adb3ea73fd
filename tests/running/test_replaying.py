""".replay: M(D, H) by the user's own function, exactly, on a noise vector that is checked."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from alignkit import ABOVE, BELOW, InputError, InternalError
from alignkit.mechanisms.laplace import laplace_mechanism
from alignkit.mechanisms.sparse_vector import sparse_vector, sparse_vector_with_gap
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.running.replaying import ReplayContext, exact_noise, run_program, run_python

GIVEN = {"T": 2, "k": 1, "eps": 1}


def replay(q=(0, 3), H=None, **more):
    return sparse_vector_with_gap.replay(q, H=H or {"eta": 1, "eta_i": [0, 1]}, **{**GIVEN, **more})


def test_fractions_floats_and_texts():
    exact = replay()
    assert exact == [BELOW, 1]
    assert isinstance(exact[1], Fraction)
    assert replay([0, "10/3"], {"eta": "1/3", "eta_i": [0, Fraction(0)]}) == [BELOW, 1]
    inexact = replay([0, 3.5], {"eta": 1, "eta_i": [0, 1]})
    assert inexact == [BELOW, 1.5]
    assert isinstance(inexact[1], float)
    assert replay([0, 3], {"eta": 0.5, "eta_i": np.array([0.0, 1.0])}) == [BELOW, 1.5]


def test_the_noise_goes_by_position_or_by_name():
    by_name = replay()
    assert sparse_vector_with_gap.replay((0, 3), {"eta": 1, "eta_i": [0, 1]}, **GIVEN) == by_name
    assert sparse_vector_with_gap.replay(q=(0, 3), H={"eta": 1, "eta_i": [0, 1]}, **GIVEN) == by_name
    with pytest.raises(InputError, match=re.escape("needs the noise vector: H={name: value, …}")):
        sparse_vector_with_gap.replay((0, 3), **GIVEN)


def test_noise_that_is_not_drawn_may_have_any_value():
    assert replay((0, 3, 9, 9), {"eta": 1, "eta_i": [0, 1, 5, None]}) == [BELOW, 1]
    assert replay(H={"eta": 1, "eta_i": [0, 1, None, None]}) == [BELOW, 1]
    assert replay([9, 3], {"eta": 1, "eta_i": [1, None]}) == [7]


def test_more_values_than_the_loop_has_iterations():
    words = "H has 3 values for eta_i, but its loop has 2 iterations in this run; give one value for each iteration"
    for T in (2, 100):  # the run stops at the second answer, or goes through both
        with pytest.raises(InputError, match=re.escape(words)):
            replay(H={"eta": 1, "eta_i": [1, 2, 3]}, T=T)
    with pytest.raises(InputError, match="H has 2 values for eta_i, but its loop has 1 iteration in this run"):
        gap_phi.replay([0], [1], H={"eta": 0, "eta_i": [1, 2]}, T=0, k=1, eps=1)


def test_more_values_in_nested_loops_and_called_functions(define):
    module = define("""
        def drawn(n, noise):
            e = [noise.laplace(1) for j in range(n)]
            return e

        @mechanism
        def m(q: Queries, k: Count, noise: Noise):
            for i, q_i in enumerate(q):
                x = drawn(i + 1, noise)
                yield x[0] + q_i
            y = [noise.laplace(1) for j in range(k)]
            yield sum(y)
    """)
    assert module.m.replay([0, 0], H={"e": [[1], [1, 2]], "y": [1]}, k=1) == [1, 1, 1]
    for H, words in [
        ({"e": [[1, 5], [1, 2]], "y": [1]}, "H has 2 values for e[0], but its loop has 1 iteration"),
        ({"e": [[1], [1, 2, 3]], "y": [1]}, "H has 3 values for e[1], but its loop has 2 iterations"),
        ({"e": [[1], [1, 2], [1]], "y": [1]}, "H has 3 values for e, but its loop has 2 iterations"),
        ({"e": [[1], [1, 2]], "y": [1, 2]}, "H has 2 values for y, but its loop has 1 iteration"),
    ]:
        with pytest.raises(InputError, match=re.escape(words)):
            module.m.replay([0, 0], H=H, k=1)


@pytest.mark.parametrize(
    ("H", "message"),
    [
        ({"eta": 1}, "H has no eta_i; it has eta"),
        ({}, "H has no eta; it has nothing"),
        ({"eta": 1, "eta_i": [0]}, "H is too short: the run draws eta_i[1], and eta_i has 1 value"),
        ({"eta": 1, "eta_i": 0}, "H must have a list for eta_i, one value for each iteration, not 0"),
        ({"eta": [1], "eta_i": [0, 1]}, "H must have a number for eta"),
        ({"eta": 1, "eta_i": [0, None]}, "H must have a number for eta_i[1], not None"),
        ({"eta": 1, "eta_i": [0, [1]]}, "H must have a number for eta_i[1]"),
        ({"eta": 1, "eta_i": [0, 1], "rho": 1}, "H names 'rho', which sparse_vector_with_gap does not draw; it"),
        ({"eta": float("nan"), "eta_i": [0, 1]}, "H['eta'] must be a finite number, not nan"),
        ({"eta": 1, "eta_i": [0, float("inf")]}, "H['eta_i'][1] must be a finite number, not inf"),
        ({"eta": "one", "eta_i": [0, 1]}, "H['eta'] must be a number such as 3"),
        ([1, 2], "H must be a dict from the names of draws to values, not [1, 2]"),
    ],
)  # fmt: skip
def test_bad_noise(H, message):
    with pytest.raises(InputError, match=re.escape(message)):
        sparse_vector_with_gap.replay((0, 3), H=H, **GIVEN)


@pytest.mark.parametrize(
    ("draw", "value", "support"),
    [
        ("exponential(1)", -1, "exponential noise: the reals x >= 0"),
        ("geometric(1)", -1, "geometric noise: the multiples x >= 0 of the lattice"),
        ("geometric(1, 0.5)", "1/3", "geometric noise: the multiples x >= 0 of the lattice"),
        ("discrete_laplace(1)", "1/2", "discrete_laplace noise: the multiples of the lattice"),
    ],
)
def test_noise_outside_the_support(define, draw, value, support):
    m = define(f"@mechanism\ndef m(q: Queries, noise: Noise):\n    e = noise.{draw}\n    return q[0] + e\n").m
    with pytest.raises(InputError, match=re.escape(f"H has {value} for e, outside the support of {support}")):
        m.replay([1], {"e": value})
    assert m.replay([1], {"e": 2}) == 3


def test_what_is_undefined(define):
    m = define("@mechanism\ndef m(q: Queries, noise: Noise):\n    yield 1\n    yield 1 / q[0]\n").m
    with pytest.raises(InputError, match=re.escape("m is not defined on these arguments: division by zero (line 5)")):
        m.replay([0], {})


def test_whole_numbers_divide_exactly_and_decimals_are_exact(define):
    m = define("""
        @mechanism
        def m(q: Queries, T: Real, k: Count, noise: Noise):
            e = noise.laplace(1)
            return k / 3, 1 / 3 + e, 0.1 + 0.2, T / 3, q[0] / 3, 0.1 * k
    """).m
    third, tenth = Fraction(1, 3), Fraction(1, 10)
    assert m.replay([1], {"e": 0}, T=0.1, k=1) == (third, third, 3 * tenth, tenth / 3, third, tenth)


def test_outputs_of_every_kind(define):
    m = define("""
        @mechanism
        def m(q: Queries, noise: Noise):
            yield ABOVE
            yield q[0] > 0
            yield (1, BELOW, [2, 3])
            yield []
    """).m
    assert m.replay([1], {}) == [ABOVE, True, (1, BELOW, (2, 3)), ()]


def test_how_a_run_ended(define):
    m = define("""
        def f(x):
            return x

        @mechanism
        def m(q: Queries, T: Real, noise: Noise):
            for x in q:
                y = f(x)
                if x > T:
                    return
                yield y
            yield 1 / T
    """).m

    def run(T):
        return run_program(m, m.read(([1],), {"T": T}), ReplayContext(m, {}))

    returned, ended, undefined = run(-1), run(1), run("0")
    assert (returned.ended, returned.place.line, returned.output) == ("return", 11, ())
    assert (ended.ended, ended.place, ended.output) == ("end", None, (1, 1))
    assert [place.line for place in ended.emitted_at] == [12, 13]
    assert run(2).output == (1, Fraction(1, 2))
    assert not run(0).defined or undefined.defined


def test_python_and_the_evaluator_must_agree():
    values = sparse_vector.read(([0, 3],), GIVEN)
    context = ReplayContext(sparse_vector, exact_noise({"eta": 1, "eta_i": (0, 5)}))
    run = run_program(sparse_vector, values, context)
    assert run_python(sparse_vector, values, run) == [BELOW, ABOVE]
    from dataclasses import replace

    other = {**values, "q": (9, 9)}
    with pytest.raises(InternalError, match="the evaluator"):
        run_python(sparse_vector, other, run)
    with pytest.raises(InternalError, match="Python draws laplace noise where the evaluator draws none"):
        run_python(sparse_vector, values, replace(run, drawn=run.drawn[:1]))
    with pytest.raises(InternalError, match="where the evaluator draws laplace"):
        run_python(sparse_vector, {**values, "eps": 2}, run)
    with pytest.raises(InternalError, match="Python gives"):
        run_python(sparse_vector, values, replace(run, output=(BELOW, BELOW)))
    with pytest.raises(InternalError, match="no error; the evaluator: undefined"):
        run_python(sparse_vector, values, replace(run, ended="undefined: because"))


def test_a_list_of_outputs():
    assert laplace_mechanism.replay([1, 2], {"eta": [0, "1/2"]}, delta=1, eps=1) == [1, Fraction(5, 2)]


OVERFLOWING = """
    @mechanism
    def m(q: Queries, noise: Noise):
        e = noise.laplace(1)
        w = q[0] * 10
        z = {nan}
        yield {read}

    @alignment(m, epsilon="1")
    def phi(q, q_, H):
        return H.shift(e=q[0] * 10 - q[0] * 10)
"""


@pytest.mark.parametrize("nan", ["w - w", "w / w", "w * 0", "sum([w, -w])"])
@pytest.mark.parametrize("read", ["clamp(z, 0, 1)", "max(1, z)", "1 if z in (1, 2) else 0", "round(z)", "z"])
def test_floats_that_are_too_large_for_a_result_are_refused_in_words(define, nan, read):
    module = define(OVERFLOWING.format(nan=nan, read=read))
    with pytest.raises(InputError, match="line 7: floats are so large that their result is no number"):
        module.m.replay([1e308], {"e": 0.5})
    with pytest.raises(InputError, match="floats are so large that their result is no number"):
        module.phi.replay([1e308], [1e308], {"e": 0.5})
    assert len(module.m.replay([10**308], {"e": 0})) == 1 or nan == "w / w"
