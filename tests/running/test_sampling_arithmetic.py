"""The text that `.sample` runs gives, on the same noise, what the exact function gives, to the last bit."""

from __future__ import annotations

import random
import time
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.defining import define_in
from support.examples import examples
from support.programs import write_program
from support.sampling_runs import both_ways

from alignkit import LanguageError
from alignkit.catalogue import mechanisms
from alignkit.language.parameters import ParameterType, Proportion


def number(kind: ParameterType, source: random.Random) -> int | Fraction:
    if kind.private:
        return source.randint(-30, 60)
    if kind.integer:
        return source.randint(1, 3)
    if isinstance(kind, Proportion):
        return Fraction(source.randint(1, 9), 10)
    return Fraction(source.randint(1, 30) if kind.positive else source.randint(-300, 300), 10)


@pytest.mark.parametrize("mechanism", mechanisms()[:: examples(3, 1)], ids=lambda m: m.name)
def test_the_catalogue(mechanism):
    if mechanism.noise_name != "noise":
        pytest.fail("the runs below pass the noise by this name")
    for seed in range(12):
        source = random.Random(seed)
        values = {
            name: tuple(number(kind, source) for _ in range(6)) if kind.vector else number(kind, source)
            for name, kind in mechanism.parameters.items()
        }
        fast, exact = both_ways(mechanism, values, seed)
        assert fast == exact


numbers = st.one_of(
    st.integers(-4, 12), st.fractions(-4, 4, max_denominator=6), st.floats(-8, 8), st.just(2**60 + 1)
)


@settings(max_examples=examples(75, 1000), suppress_health_check=list(HealthCheck))
@given(st.data())
def test_random_programs(tmp_path_factory, data):
    program = write_program(lambda n: data.draw(st.integers(0, n - 1)))
    try:
        mechanism = define_in(tmp_path_factory.getbasetemp(), program.text).m
    except LanguageError:
        assume(False)
    values = mechanism.read((), {
        "q": data.draw(st.lists(numbers, min_size=1, max_size=4)),
        "r": data.draw(st.lists(numbers, max_size=3)) if not mechanism.parameters["r"].private else [1],
        "T": data.draw(numbers),
        "k": data.draw(st.integers(1, 3)),
        "eps": data.draw(st.sampled_from((1, 2, Fraction(1, 2), Fraction(7, 10)))),
    })  # fmt: skip
    fast, exact = both_ways(mechanism, values, data.draw(st.integers(0, 2**16)))
    assert fast == exact, program.text


HEAD = "@mechanism\ndef m(q: Queries, T: Real, G: Reals, k: Count, eps: Epsilon, noise: Noise):\n"

# What must not be computed before the loop, or only once, or as a float.
BODIES = {
    "an error that only a later iteration raises": """
        for i, q_i in enumerate(q):
            yield i
            if i > 2:
                yield 1 / (T - T)
    """,
    "an error in a loop that never runs": """
        for g in G:
            eta = noise.laplace(1 / (T - T))
            yield eta
        yield 1
    """,
    "a scale that is not above 0": """
        yield 1
        for q_i in q:
            yield 2
            eta = noise.laplace(T - T)
            yield q_i + eta
    """,
    "a scale that changes": """
        scale = 1
        for q_i in q:
            scale = scale + 1 / 3
            eta = noise.laplace(scale)
            yield q_i + eta
    """,
    "a name that is assigned further down": """
        cost, step = 0, eps / 3
        for q_i in q:
            cost = cost + step
            if cost > eps * 2 - step:
                yield cost
                step = step / 2
            yield 1
    """,
    "a budget at its very end": """
        cost = 0.1
        for q_i in q:
            eta = noise.laplace(1 / eps)
            if q_i + eta > 0:
                cost = cost + 0.2
            if cost > 0.7:
                break
            yield q_i + eta
    """,
    "noise that stands in for a count": """
        x = k
        for q_i in q:
            if x > T / 3:
                yield x
            e = noise.geometric(1 / eps, 1 / 3)
            x = e
            yield x + q_i, x * T, x >= T / 3
    """,
    "a float in some runs only": """
        x = T
        for q_i in q:
            y = x * 1 / 3
            if q_i > 10:
                eta = noise.exponential(eps)
                x = eta
            yield y, x + T / 7, x >= 1 / 3
    """,
    "a loop within a loop": """
        rho = noise.laplace(1 / eps)
        for q_i in q:
            low = q_i / 3
            for g in G:
                eta = noise.laplace(k / eps)
                if low + eta - g / 7 >= T / 3 + rho:
                    yield low + eta * (k / 7), g / 3 - low
    """,
    "lists of noise": """
        eta = [noise.exponential(2 / eps) for q_i in q]
        noisy = [q_i + e - 2 / eps for q_i, e in zip(q, eta)]
        yield [x * (1 / 3) >= T / 3 for x in noisy], sum(x / 3 for x in noisy), any(x > T / 7 for x in noisy)
    """,
    "a float beside the fraction that it is nearest to": """
        for q_i in q:
            e = noise.laplace(1)
            x = e - e + T / 7
            yield x >= T / 7, x > T / 7, x <= T / 7, x < T / 7, x == T / 7
            yield T / 7 >= x, T / 7 > x, T / 7 <= x, T / 7 < x
    """,
    "two names that change in some iterations": """
        a, b = 0, 0
        for q_i in q:
            if q_i > 9:
                a = a + 1
            if q_i < 20:
                b = b + 1
            yield a > b, b >= a, a == b
    """,
    "a parameter that becomes a float": """
        for q_i in q:
            yield T + eps / 7, T >= eps / 7
            eta = noise.laplace(1)
            T = eta
    """,
    "a list over a name that the loop changes": """
        t = T
        for g in G:
            t = t + g / 3
            yield [t / 3 + q_i for q_i in q]
    """,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_what_a_loop_computes(define, body):
    mechanism = define(HEAD + body, prelude=True).m
    for seed in range(30):
        source = random.Random(seed)
        values = {
            "q": tuple(source.choice((source.randint(-5, 30), Fraction(source.randint(-9, 9), 7), 2**60 + 1))
                       for _ in range(5)),
            "T": Fraction(source.randint(-20, 20), 3),
            "G": tuple(Fraction(source.randint(-20, 20), 3) for _ in range(source.choice((0, 3)))),
            "k": source.randint(1, 3),
            "eps": Fraction(source.randint(1, 20), 10),
        }  # fmt: skip
        fast, exact = both_ways(mechanism, values, seed)
        assert fast == exact


def test_many_loops_in_one_another_are_prepared_at_once(define):
    """In a time that does not double with each loop."""
    heads = "\n".join("    " * (i + 1) + f"for i{i} in range(1):" for i in range(20))
    body = "    " * 21 + "total = total + q[0] + k / eps + i0\n    yield total + e\n"
    mechanism = define(HEAD + "    e = noise.laplace(1)\n    total = 0\n" + heads + "\n" + body).m
    started = time.process_time()
    values = {"q": (1,), "T": 0, "G": (), "k": 2, "eps": Fraction(1)}
    fast, exact = both_ways(mechanism, values, 1)
    assert fast == exact
    assert time.process_time() - started < 5


def test_many_functions_that_call_one_another_are_prepared_at_once(define):
    """In a time that does not double with each function."""
    functions = "def f0(x):\n    y = x / 3\n    return y\n\n"
    for i in range(1, 25):
        functions += f"def f{i}(x):\n    y = f{i - 1}(x) + f{i - 1}(x / 2)\n    return y\n\n" if i < 4 else (
            f"def f{i}(x):\n    y = f{i - 1}(x)\n    return y\n\n"
        )
    mechanism = define(functions + HEAD + "    e = noise.laplace(1)\n    yield f24(q[0] + e), f24(T)\n").m
    started = time.process_time()
    fast, exact = both_ways(mechanism, {"q": (1,), "T": 0, "G": (), "k": 2, "eps": Fraction(1)}, 1)
    assert fast == exact
    assert time.process_time() - started < 5
