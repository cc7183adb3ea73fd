"""What the inference of kinds learns: which names at a loop's head are whole numbers, and what is output."""

from __future__ import annotations

import pytest

from alignkit.language.kinds import BOOL, INT, MIXED, REAL, SET, TAG, Kind, vector

HEAD = "@mechanism\ndef m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):\n"


def at_loop(define, body, head="", number=0):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    kinds = define(head + HEAD + lines).m.kinds
    return list(kinds.at_loop.values())[number]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("x = 0\nfor a in q:\n    x += 1", INT),
        ("x = 0\nfor a in q:\n    x = x * k - 2", INT),
        ("x = 0\nfor a in q:\n    x += a", REAL),
        ("x = 0\nfor a in q:\n    x = x / 2", REAL),
        ("x = 0\nfor a in q:\n    x = 0.5", REAL),
        ("x = 0\nfor a in q:\n    if a > 0:\n        x = T\n        break", REAL),
        ("x = 0\nfor a in q:\n    if a > 0:\n        x = T\n    else:\n        break", REAL),
        ("x = 0\nfor a in q:\n    for b in q:\n        if a > b:\n            x = T\n            break", REAL),
        ("x = 0\nfor a in q:\n    if a > 0:\n        x = T\n        return", INT),
        ("x = 0\ny = 0\nz = T\nfor a in q:\n    x = y\n    y = z", REAL),
        ("x = 0\nfor a in q:\n    x = max(x, 1)", INT),
        ("x = 0\nfor a in q:\n    x = len(q) + sum([1, 2]) + largest(q, 2)[0] + abs(-1)", INT),
        ("x = ABOVE\nfor a in q:\n    x = BELOW", TAG),
        ("x = ABOVE\nfor a in q:\n    x = 1", MIXED),
        ("x = k > 1\nfor a in q:\n    x = not x", BOOL),
        ("x = {1}\nfor a in q:\n    x = {i for i in range(k)}", SET),
        ("x = (1, 2)\nfor a in q:\n    x = (2, T)", Kind("tuple", (INT, REAL))),
        ("x = (1, 2)\nfor a in q:\n    x = [i for i in range(k)]", vector(INT)),
        ("x = []\nfor a in q:\n    x = [x]", MIXED),
        ("x = 1\nfor a in q:\n    x = [x for b in q]", MIXED),
    ],
)
def test_at_the_head_of_a_loop(define, body, kind):
    assert at_loop(define, body)["x"] == kind


def test_a_loop_in_a_helper_is_judged_for_all_its_calls(define):
    helper = "def f(x, q):\n    for a in q:\n        x += 1\n    return x\n\n"
    for first, second in (("T", "k"), ("k", "T")):
        assert at_loop(define, f"a = f({first}, q)\nb = f({second}, q)\nreturn a, b", helper)["x"] == REAL
    assert at_loop(define, "a = f(1, q)\nb = f(k, q)\nreturn a, b", helper)["x"] == INT


def test_an_inner_loop_is_judged_for_every_round_of_the_outer(define):
    body = "x = 0\nfor a in q:\n    for b in q:\n        yield x\n    x = T"
    for number in (0, 1):
        assert at_loop(define, body, number=number)["x"] == REAL


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("yield 1\nyield 2", vector(INT)),
        ("for a in q:\n    yield a", vector(REAL)),
        ("yield 1\nyield ABOVE", vector(MIXED)),
        ("return 1, T", Kind("tuple", (INT, REAL))),
        ("return [a for a in q]", vector(REAL)),
    ],
)
def test_the_output(define, body, kind):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    assert define(HEAD + lines).m.kinds.output == kind
