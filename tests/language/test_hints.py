"""Mistakes of a beginner: each refusal points at the place and says what to write instead."""

from __future__ import annotations

import pytest

from alignkit import LanguageError

HEAD = """\
import math
import numpy as np

CONFIG = {"k": 3}

@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
"""

LOOP = """\
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield q_i + eta_i - T - eta
            count += 1
        else:
            yield BELOW
        if count >= k:
            break

"""

PLACE = "values cannot be changed in place: yield each output, or write the list as a comprehension, [… for x in …]"
ITEMS = "compute with numbers only, item by item: "

# what is written in a mechanism, the text that the caret marks, what to write instead
MECHANISMS: list[tuple[str, str, str]] = [
    # numpy and math
    ("x = np.abs(eta)", "np.abs(eta)", "write abs(x)"),
    ("x = math.fabs(eta)", "math.fabs(eta)", "write abs(x)"),
    ("x = np.maximum(eta, 0)", "np.maximum(eta, 0)", "write max(x, y)"),
    ("x = np.max(q)", "np.max(q)", "write max(x, y), or max(q) of a list"),
    ("x = np.sum(q)", "np.sum(q)", "write sum(q)"),
    ("x = np.mean(q)", "np.mean(q)", "write sum(q) / len(q)"),
    ("x = np.dot(q, q)", "np.dot(q, q)", "write sum(x * y for x, y in zip(a, b))"),
    ("x = np.sqrt(k)", "np.sqrt(k)", "write sqrt(x)"),
    ("x = math.exp(eps)", "math.exp(eps)", "write exp(x)"),
    ("x = math.log(eps)", "math.log(eps)", "write log(x)"),
    ("x = math.pow(eps, 2)", "math.pow(eps, 2)", "write power(x, n)"),
    ("x = np.clip(eta, 0, 1)", "np.clip(eta, 0, 1)", "write clamp(x, low, high)"),
    ("x = np.where(eta > 0, 1, 0)", "np.where(eta > 0, 1, 0)", "write x if condition else y"),
    ("x = np.argmax(q)", "np.argmax(q)", "write (i,) = largest(values, 1)"),
    ("x = np.argsort(q)", "np.argsort(q)", "write largest(values, k), the indices of the k largest values"),
    ("x = np.array(q)", "np.array(q)", "write a list: [x for x in q]"),
    ("x = np.zeros(k)", "np.zeros(k)", "write [0 for i in range(n)]"),
    ("x = math.floor(eta)", "math.floor(eta)", "write round(x), the nearest whole number"),
    ("x = np.random.laplace(1)", "np.random.laplace(1)", "draws from its noise parameter"),
    ("x = np.random.default_rng(1)", "np.random.default_rng(1)", "draws from its noise parameter"),
    ("x = np.pi", "np.pi", "write the number out"),
    ("x = math.inf", "math.inf", "there is no infinity"),
    # methods
    ("x = q.max()", "q.max()", "write max(x, y), or max(q) of a list"),
    ("x = q.mean()", "q.mean()", "write sum(q) / len(q)"),
    ("x = q.copy()", "q.copy()", "a copy is not needed"),
    ("x = q.index(max(q))", "q.index(max(q))", "the index of the largest item is (i,) = largest(values, 1)"),
    ("x = q.tolist()", "q.tolist()", "it is a list already"),
    ("x = [q[a] for i, a in enumerate(q)]", "a", "as i is in `for i, w in enumerate(…)`"),
    ("x = q.shape", "q.shape", "write len(q)"),
    ("x = []\nx.append(eta)", "x.append(eta)", PLACE),
    ("x = []\nx.extend(q)", "x.extend(q)", PLACE),
    ("q.sort()", "q.sort()", PLACE),
    # Python's own functions
    ("x = sorted(q)", "sorted", "write largest(values, k)"),
    ("x = list(q)", "list", "write a list: [x for x in q]"),
    ("x = set(q)", "set", "write a set of indices"),
    ("x = dict(a=1)", "dict", "use a tuple or a list"),
    ("x = int(eta)", "int", "write round(x), the nearest whole number"),
    ("x = bool(k)", "bool", "write the comparison out"),
    ("x = str(k)", "str", "outputs are numbers and tags"),
    ("x = pow(eps, 2)", "pow", "write power(x, n)"),
    ("x = map(abs, q)", "map", "write a comprehension: [f(x) for x in q]"),
    ("x = filter(abs, q)", "filter", "write a comprehension: [x for x in q if x > 0]"),
    ("x = isinstance(k, int)", "isinstance", "leave the test out"),
    ("print(f'eta = {eta}')", "print", "leave it out: only what a mechanism yields or returns is its output"),
    ("x = input()", "input", "make it a parameter"),
    ("x = max(q, default=0)", "default=0", "pass arguments by position: max(x, y) or max(q)"),
    ("x = [a for i, a in enumerate(q, start=1)]", "start=1", "pass arguments by position: enumerate(q)"),
    ("x = min(*q)", "*q", "write min(x, y) or min(q)"),
    ("x = largest(k, q)", "k", "write largest(values, k)"),
    # operators
    ("x = eps // 2", "eps", "give it a whole number"),
    ("x = k % eta", "eta", "give it a whole number"),
    ("x = q // 2", "q", ITEMS + "[x + 1 for x in q]"),
    ("x = eps ** eps", "eps ** eps", "write the exponent as a number from 1 to 16"),
    ("x = eps ^ 2", "eps ^ 2", "power(x, n) for a whole power"),
    ("x = q @ q", "q @ q", "sum(x * y for x, y in zip(a, b))"),
    ("if (k > 1) & (k < 5):\n    x = 1", "(k > 1) & (k < 5)", "`and` between conditions"),
    ("count **= 2", "count **= 2", "x = power(x, n)"),
    ("x = q + eta", "q", ITEMS + "[x + 1 for x in q]"),
    ("x = q * 2", "q", ITEMS + "[2 * x for x in q]; n equal items are [0 for i in range(n)]"),
    ("x = [0] * k", "[0]", "n equal items are [0 for i in range(n)]"),
    ("x = []\nx = x + [eta]", "x", "lists are joined by [*a, *b]"),
    ("x = []\nx += [eta]", "x", "lists are joined by [*a, *b]"),
    ("x = q - q", "q", ITEMS + "[x - y for x, y in zip(a, b)]"),
    ("x = (eta > 0) * 1", "eta > 0", "1 if x > 0 else 0"),
    ("if q:\n    x = 1", "q", "`len(x) > 0` of a sequence"),
    # noise
    ("x = noise.Laplace(1)", "noise.Laplace(1)", "did you mean `laplace`?"),
    ("x = noise.normal(1)", "noise.normal(1)", "use one of laplace, exponential"),
    ("x = noise.laplace(1, size=3)", "size=3", "[noise.laplace(scale) for x in q] for several draws"),
    ("x = noise.laplace", "noise.laplace", "call it: eta = noise.laplace(…)"),
    ("x = noise()", "noise()", "draw from it: eta = noise.laplace(…)"),
    ("x = laplace(1)", "laplace", "draw from the noise parameter: eta = noise.laplace(…)"),
    ("x = [[noise.laplace(1) for a in q] for b in q]", "noise.laplace(1)", "for a list of lists, draw in a loop"),
    # names
    ("x = noise.laplace(1 / epsilon)", "epsilon", "did you mean `eps`?"),
    ("yield INSIDE", "INSIDE", 'define it above, as a tag, INSIDE = Tag("INSIDE"), or make it a parameter'),
    ("yield above", "above", "did you mean `ABOVE`?"),
    ("x = CONFIG['k']", "CONFIG", "use parameters, locals, and tags"),
]


@pytest.mark.parametrize(("body", "marked", "hint"), MECHANISMS, ids=[c[0] for c in MECHANISMS])
def test_mechanisms(define, body: str, marked: str, hint: str) -> None:
    source = HEAD + "".join(f"    {line}\n" for line in body.splitlines()) + "    yield BELOW\n"
    refused(define, source, marked, hint)


def test_what_is_not_imported(define) -> None:
    source = (
        "from alignkit import Noise, Query, mechanism\n"
        "@mechanism\ndef m(q: Query, noise: Noise):\n    return sqrt(2) if q > 0 else BELOW\n"
    )
    for name, text in (("sqrt", source), ("BELOW", source.replace("sqrt(2)", "2"))):
        with pytest.raises(LanguageError) as caught:
            define(text, prelude=False)
        assert f"`{name}` is not defined here" in caught.value.problem
        assert caught.value.hint == f"import it at the top of the file: from alignkit import {name}"


DRAW = "a draw is read as H.{}; a parameter of the mechanism must be a parameter of the alignment too"
END = "end with return H.shift(eta=…); a draw is read as H.eta"

# what is written in an alignment, the text that the caret marks, what to write instead
ALIGNMENTS: list[tuple[str, str, str]] = [
    ("return H", "H", END),
    ("return H + 1", "H", END),
    ("return H.shift(eta=H['eta'])", "H", END),
    ("H.eta += 1\nreturn H", "H.eta += 1", "H keeps its values: end with return H.shift(eta=…)"),
    ("H.eta = 1\nreturn H", "H.eta", "H keeps its values: end with return H.shift(eta=…)"),
    ("H['eta'] = 1\nreturn H", "H['eta']", "H keeps its values: end with return H.shift(eta=…)"),
    ("return eta + 1", "eta", DRAW.format("eta")),
    ("return H.shift(eta=eta + 1)", "eta", DRAW.format("eta")),
    ("return H.shift(eta=T)", "T", DRAW.format("T")),
    ("x = H.laplace(1)\nreturn H.shift(eta=x)", "H.laplace(1)", "read a draw as H.eta, and return H.shift(eta=1)"),
    ("return H.shift(eta=1).shift(eta_i=[])", "H.shift(eta=1).shift(eta_i=[])", "name all shifts in one call"),
    ("return H.shift(eta=1) if len(omega) > 0 else H.shift(eta=0)", "H.shift(eta=1)", "eta=1 if … else 0"),
    ("s = []\nfor w in omega:\n    s.append(1)\nreturn H.shift(eta_i=s)", "s.append(1)",
     "values cannot be changed in place: write the list as a comprehension"),
    ("return H.shift(eta_i=np.array([1]))", "np.array([1])", "write a list: [x for x in q]"),
    ("return H.shift(eta_i=q - q_)", "q", ITEMS + "[x - y for x, y in zip(a, b)]"),
    ("return H.shift(eta_i=[0] * len(omega))", "[0]", "n equal items are [0 for i in range(n)]"),
    ("return H.shift(Eta=1)", "Eta=1", "it draws eta, eta_i"),
    ("return H.shift(eta_i=1)", "eta_i=1", "write a list of shifts: eta_i=[… for …]"),
    ("return {'eta': 1}", "{'eta': 1}", "return H.shift(eta=1)"),
    ("if omega:\n    return H.shift(eta=1)\nreturn H.shift(eta=0)", "omega", "`len(x) > 0` of a sequence"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "marked", "hint"), ALIGNMENTS, ids=[c[0] for c in ALIGNMENTS])
def test_alignments(define, body: str, marked: str, hint: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    refused(define, HEAD + LOOP + '@alignment(m, epsilon="eps")\ndef phi(q, q_, omega, H):\n' + lines, marked, hint)


@pytest.mark.parametrize(
    ("claim", "marked", "hint"),
    [
        ('epsilon="epsilon"', "epsilon", "did you mean `eps`? it may use T, eps, k, omega"),
        ('epsilon="eps^2"', "eps^2", "power(x, n) for a whole power"),
        ('epsilon="np.log(2)"', "np.log(2)", "write log(x)"),
        ('epsilon="eps", invariant="count < "', "count <", "write for example count <= k"),
        ('epsilon="eps", invariant="cuont <= k"', "cuont", "did you mean `count`?"),
    ],
)
def test_claims_and_invariants(define, claim: str, marked: str, hint: str) -> None:
    text = f"@alignment(m, {claim})\ndef phi(q, q_, omega, H):\n    return H.shift(eta=1)\n"
    refused(define, HEAD + LOOP + text, marked, hint)


@pytest.mark.parametrize(
    ("signature", "marked", "hint"),
    [
        ("q: Queries, eps, noise: Noise", "eps", "write eps: Epsilon; the types are Queries"),
        ("q: Queries, noise", "noise", "write noise: Noise; the types are"),
        ("q: Queries, x, noise: Noise", "x", "write x: Queries, Query, Real"),
        ("q: Queries, eps: float, noise: Noise", "eps: float", "write eps: Epsilon, or use Queries"),
        ("q: list[float], noise: Noise", "q: list[float]", "write q: Queries, or use Queries"),
        ("answers: list, noise: Noise", "answers: list", "write answers: Queries, or use Queries"),
        ("q: Queries, size: int, noise: Noise", "size: int", "write size: Count, or use Queries"),
        ("q: Queries, noise: Noise()", "noise: Noise()", "write noise: Noise, without ()"),
        ("q: 'Querie', noise: Noise", "q: 'Querie'", "import the parameter types from alignkit"),
    ],
)
def test_signatures(define, signature: str, marked: str, hint: str) -> None:
    refused(define, f"@mechanism\ndef m({signature}):\n    eta = noise.laplace(1)\n    yield eta\n", marked, hint)


def refused(define, source: str, marked: str, hint: str) -> None:
    with pytest.raises(LanguageError) as caught:
        define(source)
    error = caught.value
    assert hint in error.hint, error
    assert error.source[error.column : error.column + error.width] == marked, error
    assert "^" * error.width in str(error)
