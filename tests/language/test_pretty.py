"""The pretty printer: its text reads as the same program."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.defining import PRELUDE, define_in
from support.programs import HEADER, write_program

from alignkit import LanguageError
from alignkit.language.pretty_printing import pretty, pretty_expression
from alignkit.language.program import Function, Node
from alignkit.language.reader import Reader


def same(one: Any, other: Any) -> bool:
    """Whether two programs are the same but for where they stand."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Node | Function):
        left_out = ("place", "places", "globals_read", "code", "python")
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in fields(one) if f.name not in left_out)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def read_again(folder, text, name, *, noise=None, hidden=None):
    module = define_in(folder, PRELUDE + HEADER + text, prelude=False)
    return Reader(getattr(module, name), noise=noise, hidden=hidden).read()


@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_round_trip(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    try:
        program = define_in(folder, write_program(lambda n: data.draw(st.integers(0, n - 1))).text).m.program
    except LanguageError:
        assume(False)
    text = pretty(program)
    again = read_again(folder, text, "m", noise="noise")
    assert same(program, again), text
    assert pretty(again) == text


HEAD = "@mechanism\ndef m(q: Queries, T: Real, k: Count, noise: Noise):\n"

EXPRESSIONS = [
    "(1 - 2) - 3", "1 - (2 - 3)", "1 / (2 * 3)", "-(1 + 2)", "--T", "-T * 2", "-(T * 2)", "1 - -T", "(T)",
    "0.1 + 1e-07 + 1e+22 + 100000.0", "not T > 1", "not (T > 1 and T > 2)", "(T > 1 or T > 2) and T > 3",
    "T > 1 and (T > 2 and T > 3)", "(1 if T > 0 else 2) + 1", "1 if T > 0 else 2 if T > 1 else 3",
    "(1 if T > 0 else 2) if T > 1 else 3", "1 < T < 2", "1 < T and T < 2",
    "1 < T < 2 > T and T < 3", "(1, 2)[0]", "()", "(1,)", "[1, [2, (3,)]]", "q[-1]",
    "[a if a > 0 else 0 for a in q if a > 1 if a < 5]", "[a for i, (a, b) in enumerate(zip(q, q))]",
    "any(a > 0 for a in q)", "all([a > 0 for a in q])", "2 in {1, 2}", "2 not in {i for i in range(k)}",
    "(T > 0) == (T > 1)", "ABOVE is not BELOW", "largest(q, 2)[0]", "clamp(T, 0, 1)", "sqrt(T) + exp(T) + log(T)",
]  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions(define, tmp_path, expression):
    program = define(f"{HEAD}    return {expression}\n").m.program
    again = read_again(tmp_path, pretty(program), "m", noise="noise")
    assert same(program, again)
    assert pretty_expression(again.body[0].value) == pretty_expression(program.body[0].value)


def test_statements(define, tmp_path):
    module = define(
        """
        def nothing(x):
            "Nothing at all."

        def f(x):
            return x

        def step(x, noise):
            e = noise.geometric(2)
            y = f(x)
            return e + y

        @mechanism
        def m(q: Queries, T: Real, noise: Noise):
            "Documentation."
            (a, b), c = (1, 2), 3
            a += b
            x = step(a, noise)
            for i, q_i in enumerate(q):
                if q_i > T:
                    pass
                elif q_i < T:
                    yield x
                else:
                    if T > 0:
                        return
                    yield MIDDLE
                for j in range(i):
                    break

        MIDDLE = 1
    """.replace("MIDDLE = 1", "").replace("def nothing", 'MIDDLE = Tag("MIDDLE")\n\n        def nothing')
    )
    text = pretty(module.m.program)
    assert text.startswith("def f(x):\n    return x\n\n\ndef step(x, noise):\n    e = noise.geometric(2, 1)\n")
    assert same(module.m.program, read_again(tmp_path, text, "m", noise="noise"))


def test_a_function_without_statements(define, tmp_path):
    function = define('def f(x):\n    "Nothing at all."\n').f
    program = Reader(function, noise=None).read()
    assert same(program, read_again(tmp_path, pretty(program), "f"))


def test_alignments(define, tmp_path):
    module = define("""
        @mechanism
        def m(q: Queries, T: Real, noise: Noise):
            eta = noise.laplace(2)
            eta_i = [noise.laplace(1) for x in q]
            return eta, eta_i

        @alignment(m, epsilon="1")
        def phi(q, q_, omega, H, T):
            if H.eta > 0:
                return H.shift()
            else:
                return H.shift(eta=1, eta_i=[e - H.eta for e in H.eta_i])
    """)
    again = read_again(tmp_path, pretty(module.phi.program), "phi", hidden="H")
    assert same(module.phi.program, again)


def test_two_functions_of_one_name(define, tmp_path):
    module = define("""
        def made(tag):
            def f(x):
                return tag
            return f
        f = made(ABOVE)
        g = made(BELOW)

        @mechanism
        def m(q: Queries, noise: Noise):
            yield f(1)
            yield g(1)
            yield f(2)
    """)
    text = pretty(module.m.program)
    assert text.count("def f(x)") == 1
    assert "def f_2(x):\n    return BELOW" in text
    assert "yield f_2(1)" in text


def test_a_chained_comparison_stays_one(define, tmp_path):
    program = define(f"def f(x):\n    return x\n\n{HEAD}    return 0 < f(T) <= 3 and 1 < T < 2\n").m.program
    text = pretty(program)
    assert "return 0 < f(T) <= 3 and 1 < T < 2" in text
    assert same(program, read_again(tmp_path, text, "m", noise="noise"))
