"""A name stands for one number: what is remembered of one must not be said of another of its name.

Each mechanism releases a raw answer where k is at least 60. Two loops that exclude one another change a variable which
is whole in one of them only, or a mechanism that is called has a parameter that must be above 0, or whole, and its
caller has another one of the same name.
"""

from __future__ import annotations

import re

import pytest
from support.defining import define_in

from alignkit.errors import Unsupported
from alignkit.proving.deciding import Decider
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.calculations import Calculations
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver

LEAKS = {
    "whole in one of two loops": """
@mechanism
def leak(q: Queries, T: Real, x: Real, k: Count, eps: Epsilon, noise: Noise):
    c = 0
    xs = q if T > 0 else [T]
    for y in xs:
        z = 1 if c > 0 and c < 1 else 0
        c = c + 1
    c = c * x
    for q_i in q:
        yield q_i if c > 0 and c < 1 and T <= 0 and k >= 60 else 0
        c = c + 0 * T
@alignment(leak, epsilon="0")
def phi(q, q_, H):
    return H.shift()
""",
    "whole in one of two loops, and unequal": """
@mechanism
def leak(q: Queries, T: Real, x: Real, k: Count, eps: Epsilon, noise: Noise):
    c = 0
    xs = q if T > 0 else [T]
    for y in xs:
        if 5 != c:
            c = c + 1
        else:
            c = c + 2
    c = c * x
    for q_i in q:
        yield q_i if c > 4 and c < 6 and c != 5 and T <= 0 and k >= 60 else 0
        c = c + 0 * T
@alignment(leak, epsilon="0")
def phi(q, q_, H):
    return H.shift()
""",
    "above 0 in what is called": """
@mechanism
def pick(q: Queries, x: Positive, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    (best,) = largest([a + b for a, b in zip(q, eta)], 1)
    if x <= 5:
        w = 1
    else:
        w = 2
    return best + 1
@alignment(pick, epsilon="eps")
def pphi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i + 1 == omega else 0 for i in range(len(q))])
@mechanism
def leak(q: Queries, x: Real, k: Count, eps: Epsilon, noise: Noise):
    j = pick(q, 1, eps, noise)
    if x <= 5:
        yield q[0] if x <= 0 and k >= 60 else 0
    yield j
@alignment(leak, epsilon="eps", lemmas=[pphi])
def phi(q, q_, H):
    return H.shift()
""",
    "whole in what is called": """
@mechanism
def inner(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    (best,) = largest([a + b for a, b in zip(q, eta)], 1)
    if k != 3:
        w = 1
    else:
        w = 2
    return best + 1
@alignment(inner, epsilon="eps")
def iphi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i + 1 == omega else 0 for i in range(len(q))])
@mechanism
def leak(q: Queries, k: Real, m: Count, eps: Epsilon, noise: Noise):
    j = inner(q, 1, eps, noise)
    if k != 3:
        yield q[0] if k > 2 and k < 4 and m >= 60 else 0
    yield j
@alignment(leak, epsilon="eps", lemmas=[iphi])
def phi(q, q_, H):
    return H.shift()
""",
}


@pytest.mark.parametrize("source", LEAKS.values(), ids=LEAKS)
def test_no_raw_answer_is_released(source: str, tmp_path, never_proved) -> None:
    never_proved(define_in(tmp_path, source).phi)


WHOLE, REAL = (Term.of(Symbol("c", Role.STATE, integer=integer)) for integer in (True, False))


def test_what_was_computed_of_one_number_is_not_given_for_another(tmp_path) -> None:
    place = define_in(tmp_path, next(iter(LEAKS.values()))).leak.program.place
    calculations = Calculations()
    assert calculations.compare(">", WHOLE, 0, place) == WHOLE.compare(">=", 1)
    with pytest.raises(Unsupported, match="one name that stands for two numbers"):
        calculations.compare(">", REAL, 0, place)


def test_no_question_is_asked_of_two_numbers_of_one_name() -> None:
    decider = Decider(Z3Solver.of_one_check(), 60)
    decider.satisfiable([WHOLE.compare("!=", 5)])
    with pytest.raises(Unsupported, match="one name that stands for two numbers"):
        decider.satisfiable([REAL.compare("!=", 5)])
    decider.apart().satisfiable([REAL.compare("!=", 5)])


UNPACKED = """
@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if k >= 60:
        yield q[0] + e
    else:
        yield (BELOW, q[0] + e)

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    a, b = omega[0]
    return H.shift(e=q[0] - q_[0])
"""


def test_a_number_cannot_be_unpacked(tmp_path, never_proved) -> None:
    never_proved(define_in(tmp_path, UNPACKED).phi)


# The shift adds 1000 times the difference of two outputs, where k is at least 60: one at a public position that is
# called i, as the output at hand was, and that one.
OTHER_OUTPUTS = {
    "yielded": """
@mechanism
def m(q: Queries, i: Count, k: Count, eps: Epsilon, noise: Noise):
    for x in q:
        e = noise.laplace(1 / eps)
        yield x + e
@alignment(m, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H, i, k):
    return H.shift(
        e=[
            q[j] - q_[j]
            + (1000 if k >= 60 else 0) * ((omega[i] if i < len(omega) else w) - w)
            for j, w in enumerate(omega)
        ]
    )
""",
    "in a list": """
@mechanism
def m(q: Queries, i: Count, k: Count, eps: Epsilon, noise: Noise):
    out = []
    for x in q:
        e = noise.laplace(1 / eps)
        out = [*out, x + e]
    return out
@alignment(m, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H, i, k):
    return H.shift(
        e=[
            q[j] - q_[j]
            + (1000 if k >= 60 else 0) * ((omega[i] if i < len(omega) else w) - w)
            for j, w in enumerate(omega)
        ]
    )
""",
    "in tuples": """
@mechanism
def m(q: Queries, i: Count, k: Count, eps: Epsilon, noise: Noise):
    for x in q:
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        if f > 0:
            yield (x + e, ABOVE)
        else:
            yield (x + e, BELOW)
@alignment(m, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H, i, k):
    return H.shift(
        e=[
            q[j] - q_[j]
            + (1000 if k >= 60 else 0) * ((omega[i][0] if i < len(omega) else w) - w)
            for j, (w, t) in enumerate(omega)
        ]
    )
""",
    "in a condition": """
@mechanism
def m(q: Queries, i: Count, k: Count, eps: Epsilon, noise: Noise):
    for x in q:
        e = noise.laplace(1 / eps)
        yield x + e
@alignment(m, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H, i, k):
    return H.shift(
        e=[
            q[j] - q_[j]
            + (1000 if k >= 60 and (omega[i] if i < len(omega) else w) != w else 0)
            for j, w in enumerate(omega)
        ]
    )
""",
}


@pytest.mark.parametrize("name", ["i", "n"])
@pytest.mark.parametrize("source", OTHER_OUTPUTS.values(), ids=OTHER_OUTPUTS)
def test_the_output_at_a_public_position_is_not_the_one_at_hand(source, name, tmp_path, never_proved) -> None:
    never_proved(define_in(tmp_path, re.sub(r"\bi\b", name, source)).phi)
