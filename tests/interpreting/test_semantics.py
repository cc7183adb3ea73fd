"""The sharp corners of Python's meaning, one by one: what is evaluated, in which order, and what is undefined."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.agreement import assert_agree, by_evaluator, by_python

from alignkit import InputError, LanguageError

HEAD = """\
def inverse(x):
    return 1 / x

def early(values):
    for v in values:
        if v > 1:
            return v
    return 0

def noisy(x, noise):
    e = noise.laplace(1)
    return x + e

@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
"""

UNDEFINED = object()

# The body, run with q = (3, 0, 2), T = 2, k = 2, eps = 1, and what it returns.
CASES = [
    # ranges are counted through, and not listed
    ("for i in range(1000000000000000000000):\n    if i > 2:\n        return i\nreturn 0", 3),
    ("return any(i > 2 for i in range(1000000000000))", True),
    ("return [x for x, i in zip(q, range(3, 6))]", (3, 0, 2)),
    # what is left unevaluated
    ("return T > 5 and 1 / q[1] > 0", False),
    ("return T < 5 and 1 / q[1] > 0", UNDEFINED),
    ("return T < 5 or 1 / q[1] > 0", True),
    ("return T > 5 or 1 / q[1] > 0", UNDEFINED),
    ("return T < 5 or T > 5 or 1 / q[1] > 0", True),
    ("return T > 5 and T < 5 and 1 / q[1] > 0", False),
    ("return 3 < T < 1 / q[1]", False),
    ("return 1 < T < 1 / q[1]", UNDEFINED),
    ("return 1 if T > 0 else 1 / q[1]", 1),
    ("return any(1 / x > 0 for x in q)", True),
    ("return any([1 / x > 0 for x in q])", UNDEFINED),
    ("return all(1 / x < 0 for x in q)", False),
    ("return all([1 / x < 0 for x in q])", UNDEFINED),
    ("return any(1 / x > 5 for x in q)", UNDEFINED),
    ("return any(1 / x > 5 for x in q if x != 0)", False),
    ("return any(x > 5 for x in q if x != 0 if 1 / x > 0)", False),
    ("return [1 / x for x in q if x != 0 if 1 / x < 1]", (Fraction(1, 3), Fraction(1, 2))),
    ("return [1 / x for x in q if 1 / x < 1 if x != 0]", UNDEFINED),
    ("return all(inverse(x) > 5 for x in q)", False),
    ("return any(x > 1 for x in [1 / y for y in q])", UNDEFINED),
    # what is undefined
    ("return q[3]", UNDEFINED),
    ("return (1, 2)[2]", UNDEFINED),
    ("return q[-3]", 3),
    ("return q[-4]", UNDEFINED),
    ("return max([x for x in q if x > 9])", UNDEFINED),
    ("return sum([x for x in q if x > 9])", 0),
    ("return min(x for x in q if x > 9)", UNDEFINED),
    ("a, b = q\nreturn a", UNDEFINED),
    ("a, b, c = q\nreturn c", 2),
    ("return largest(q, k + 2)", UNDEFINED),
    ("return largest(q, k - 2)", UNDEFINED),
    ("return sqrt(T - 3)", UNDEFINED),
    ("return clamp(T, 3, 1)", UNDEFINED),
    ("return exp(10000 * T)", UNDEFINED),
    ("return log(T - 2)", UNDEFINED),
    ("e = noise.laplace(T - 2)\nreturn e", UNDEFINED),
    ("e = noise.laplace(q[1])\nreturn e", UNDEFINED),
    ("e = [noise.laplace(x) for x in q]\nreturn e", UNDEFINED),
    # values
    ("return 1 / 3 + 0.1", Fraction(13, 30)),
    ("x = 1\nx /= 3\nreturn x", Fraction(1, 3)),
    ("return k / 4", Fraction(1, 2)),
    ("return -0.5 * -k", 1),
    ("return abs(T - 5)", 3),
    ("return largest([1, 3, 3, 2], 3)", (1, 2, 3)),
    ("return largest(q, 2)[1]", 2),
    ("return max(1, T, 2.0)", 2),
    ("return min(q)", 0),
    ("return clamp(5, 0, 3), clamp(-1, 0, 3), clamp(2, 0, 3)", (3, 0, 2)),
    ("return sqrt(4), sqrt(2.25), exp(0), log(1)", (2, Fraction(3, 2), 1, 0)),
    ("return len({1, 1, 2}), len({i - i for i in range(3)})", (2, 1)),
    ("return 1 in {1, 2}, 3 in {1, 2}, 0 not in q, 3 in q", (True, False, False, True)),
    ("return 3 in {i for i in range(k)}", False),
    ("return (T > 1) == (T > 0), (T > 1) != (T > 9)", (True, True)),
    ("return ABOVE is ABOVE, ABOVE is not BELOW, ABOVE == BELOW, ABOVE in (BELOW, ABOVE)", (True, True, False, True)),
    ("return (T > 1) is True, (T > 1) is False, (T > 9) is not True, False is (T > 9)", (True, False, True, True)),
    ("return ABOVE is True, False is not BELOW", (False, True)),
    ("w = T if T > 1 else ABOVE\nreturn w is ABOVE, w is not BELOW", (False, True)),
    ("return not T > 1 or T == 2", True),
    ("return [i for i in range(-1)]", ()),
    ("return [i for i in range(1, 3)]", (1, 2)),
    ("return [i for i in range(3, 1)]", ()),
    ("return [(i, x) for i, x in enumerate(q)]", ((0, 3), (1, 0), (2, 2))),
    ("return [x + y for x, y in zip(q, [1, 1])]", (4, 1)),
    ("return [x + y + z for x, (y, z) in zip(q, zip(q, q))]", (9, 0, 6)),
    ("return sum(i for i, x in enumerate(zip(q, q)))", 3),
    ("return max(range(k))", 1),
    ("return []", ()),
    # names
    ("a, b = 1, 2\na, b = b, a\nreturn a, b", (2, 1)),
    ("a = 1\na, b = a + 1, a\nreturn a, b", (2, 1)),
    ("x = 5\ny = [x for x in q]\nreturn x", 5),
    ("x = 5\ny = [x + z for z in q]\nreturn y", (8, 5, 7)),
    ("x = 5\nreturn [x for x in [x + 1, x + 2]]", (6, 7)),
    ("q = [1]\nreturn q", (1,)),
    ("b = q\nb = [x + 1 for x in b]\nreturn q", (3, 0, 2)),
    ("b = {1}\na = b\nb = {2}\nreturn 1 in a", True),
    ("x = 0\nfor x_i in q:\n    x += x_i\nreturn x", 5),
    ("x = 0\nfor a in q:\n    q = [1]\n    x += a\nreturn x", 5),
    ("x = 0\nfor i in q:\n    for j in q:\n        if j < i:\n            break\n        x += 1\nreturn x", 5),
    ("for a in q:\n    if a == 0:\n        return 7\nreturn 8", 7),
    ("for a in q:\n    for b in q:\n        if a == b:\n            return a + 1\nreturn 8", 4),
    ("x = early(q)\nreturn x", 3),
    ("return early([1]), early([5])", (0, 5)),
    ("if T > 5:\n    pass\nelif T > 1:\n    'text'\n    return 3\nelse:\n    return 4\nreturn 5", 3),
    ("x = 1\nfor a in []:\n    x = 2\nreturn x", 1),
    ("return", None),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), CASES)
def test_meaning(define, body, expected):
    text = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    mechanism = define(text).m
    values = {"q": tuple(map(Fraction, (3, 0, 2))), "T": Fraction(2), "k": 2, "eps": Fraction(1)}
    python, evaluator = by_python(mechanism.exact, values, 1, True), by_evaluator(mechanism, values, 1, True)
    if expected is UNDEFINED:
        python.output = evaluator.output = None
    assert_agree(python, evaluator, text)
    assert (evaluator.error is not None) == (expected is UNDEFINED)
    if expected is not UNDEFINED:
        assert evaluator.output == expected
        floats = {n: tuple(map(float, v)) if isinstance(v, tuple) else float(v) for n, v in values.items()} | {"k": 2}
        assert_agree(by_python(mechanism.python, floats, 1, False), by_evaluator(mechanism, floats, 1, False), text)


def test_a_number_too_large_for_floating_point(define):
    mechanism = define(HEAD + "    return 1e200 * q[0] * 1e200 + 0 * q[0], max(q[0] / T, 1)\n").m
    values = {"q": (1e-300,), "T": Fraction(10) ** 400, "k": 1, "eps": Fraction(1)}
    python, evaluator = by_python(mechanism.exact, values, 1, True), by_evaluator(mechanism, values, 1, True)
    python.output = evaluator.output = None
    assert_agree(python, evaluator, "")
    assert isinstance(python.error, OverflowError)


LISTED = ("sum([i for i in range(n)])", "sum(range(n))", "max(j for i, j in enumerate(range(n)))")


@pytest.mark.parametrize("listed", LISTED)
def test_a_list_of_very_many_numbers_is_refused(define, listed):
    mechanism = define(f"{HEAD}    n = 1000000000000 * k\n    return {listed}\n").m
    values = {"q": (1,), "T": 1, "k": 1, "eps": 1}
    with pytest.raises(LanguageError, match="a list of 1000000000000 numbers is too long"):
        by_evaluator(mechanism, values, 1, True)


@pytest.mark.parametrize("result", ["x - x", "x * 0", "x / x", "sum([x, -x])"])
def test_a_float_that_is_no_number_is_refused(define, result):
    mechanism = define(HEAD + f"    x = q[0] * 1e300 * 1e300\n    return max(1, {result})\n").m
    with pytest.raises(InputError, match="floats are so large that their result is no number"):
        by_evaluator(mechanism, {"q": (1e10,), "T": 1.0, "k": 1, "eps": 1.0}, 1, True)
