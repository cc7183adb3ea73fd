"""Rules 15 to 17: ``round``, which is Python's: a half goes to the even number, and noise hits a number with luck.

Rounding what is the same on both sides is the same. Rounding private answers moves them farther apart: 0.5 and 1.5 are
rounded to 0 and 2. A rounded number equals a fixed one with a probability above 0. ``floor`` and ``ceil`` keep
distances of 1, but no smaller ones.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from support.short_programs import program

from alignkit.attacking import Event, Interval, certify

WINNER = "e=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))]"


def of_one(body, shifts, claim="eps"):
    return program(body, shifts, claim=claim, parameters="q: Query, T: Real, k: Count, eps: Epsilon").replace(
        "def phi(q, T, k, eps, omega", "def phi(q, q_, T, k, eps, omega"
    )


PROVED = {
    "after the noise": of_one("e = noise.laplace(1 / eps)\nreturn round(q + e)", "e=q - q_"),
    "on a grid": of_one("e = noise.laplace(1 / eps)\nreturn k * round((q + e) / k)", "e=q - q_"),
    "in a condition": of_one(
        "e = noise.laplace(1 / eps)\nif round(q + e) >= T:\n    yield ABOVE\nelse:\n    yield BELOW", "e=q - q_"
    ),
    "before the noise, for what it costs": of_one(
        "e = noise.laplace(1 / eps)\nreturn round(q) + e", "e=round(q) - round(q_)", claim="2 * eps"
    ),
    "of public numbers": of_one("e = noise.laplace((1 + round(abs(T))) / eps)\nreturn q + e", "e=q - q_"),
    "a rounded gap": program(
        """
        rho = noise.laplace(2 / eps)
        for q_i in q:
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                yield ABOVE, round(q_i + nu - T - rho)
                break
            yield BELOW
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]",
    ),
}

NEVER = {
    "without noise": of_one("e = noise.laplace(1 / eps)\nyield round(q)\nyield e", "e=0"),
    "before the noise": of_one("e = noise.laplace(1 / eps)\nreturn round(q) + e", "e=round(q) - round(q_)"),
    "before the noise, moved by the change": of_one("e = noise.laplace(1 / eps)\nreturn round(q) + e", "e=q - q_"),
    "a half": of_one(
        "e = noise.laplace(1 / eps)\nreturn round(q / 2) + e", "e=round(q / 2) - round(q_ / 2)", claim="eps / 2"
    ),
    "hits a number": of_one(
        "e = noise.laplace(1 / eps)\nif round(q + e) == T:\n    yield ABOVE\nelse:\n    yield BELOW", "e=0"
    ),
    "misses a number": of_one(
        "e = noise.laplace(1 / eps)\nif round(q + e) != 3:\n    yield ABOVE\nelse:\n    yield BELOW", "e=0"
    ),
    "divides by what may be 0": of_one("e = noise.laplace(1 / eps)\nreturn 1 / (round(q + e) - T)", "e=q - q_"),
    "the rest of the answer": of_one("e = noise.laplace(1 / eps)\nreturn q + e - round(q + e), round(q)", "e=q - q_"),
    "noise that is rounded before it is added": of_one("e = noise.laplace(1 / eps)\nreturn q + round(e)", "e=q - q_"),
    "ties are not rare": program(
        """
        e = [noise.laplace(2 / eps) for q_i in q]
        (best,) = largest([round(q_i + e_i) for q_i, e_i in zip(q, e)], 1)
        return best
        """,
        WINNER,
    ),
    "rounded answers, noisy maximum": program(
        """
        e = [noise.laplace(2 / eps) for q_i in q]
        (best,) = largest([round(q_i) + e_i for q_i, e_i in zip(q, e)], 1)
        return best
        """,
        WINNER,
    ),
    "half the scale by rounding": of_one("e = noise.laplace(1 / (eps + round(eps)))\nreturn q + e", "e=q - q_"),
    "a private number of rounds": of_one(
        "e = noise.laplace(1 / eps)\nfor i in range(round(q)):\n    yield i\nyield e", "e=0"
    ),
    "a number of rounds from noise": of_one(
        "e = noise.laplace(1 / eps)\nfor i in range(round(q + e)):\n    yield i", "e=0"
    ),
    "threshold on rounded answers": program(
        """
        rho = noise.laplace(2 / eps)
        for q_i in q:
            nu = noise.laplace(4 / eps)
            if round(q_i + nu) >= T + rho:
                yield ABOVE
                break
            yield BELOW
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)]",
    ),
}  # fmt: skip

DOWN = {
    "keeps a distance of 1": of_one(
        "e = noise.laplace(1 / eps)\nreturn floor(q) + e", "e=floor(q) - floor(q_)"
    ),
    # Winners rise by 1, and losers by at most 1, whole numbers both; ties fall to the lower index on both sides.
    "largest of what is rounded down": program(
        """
        e = [noise.laplace(2 / eps) for q_i in q]
        (best,) = largest([floor(q_i + e_i) for q_i, e_i in zip(q, e)], 1)
        return best
        """,
        WINNER,
    ),
    "both sides of a threshold": program(
        """
        rho = noise.laplace(2 / eps)
        for q_i in q:
            nu = noise.laplace(4 / eps)
            if floor(q_i + nu) >= ceil(T + rho):
                yield ABOVE
                break
            yield BELOW
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)]",
    ),
    "a share of the winners": program(
        """
        rho = noise.laplace(2 / eps)
        count = 0
        for q_i in q:
            nu = noise.laplace(4 * ceil(k / 2) / eps)
            if q_i + nu >= T + rho:
                yield ABOVE
                count += 1
                if count >= ceil(k / 2):
                    break
            else:
                yield BELOW
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)]",
    ),
}

NOT_DOWN = {
    "moved by less than it changes": of_one(
        "e = noise.laplace(1 / eps)\nreturn floor(q) + e", "e=floor(q) - floor(q_)", claim="eps / 2"
    ),
    "a half": of_one(
        "e = noise.laplace(1 / eps)\nreturn floor(q / 2) + e", "e=floor(q / 2) - floor(q_ / 2)", claim="eps / 2"
    ),
    "twice": of_one(
        "e = noise.laplace(1 / eps)\nreturn floor(3 * q / 2) + e", "e=floor(3 * q / 2) - floor(3 * q_ / 2)",
        claim="1.5 * eps",
    ),
    "losers rise by 1, not by a half": DOWN["both sides of a threshold"].replace("rho=1", "rho=0.5"),
    "too little noise for the share": DOWN["a share of the winners"].replace("4 * ceil(k / 2)", "4 * (k / 2)"),
    "a share that is rounded down may be 0": DOWN["a share of the winners"].replace("4 * ceil", "4 * floor"),
    "one winner too many": DOWN["a share of the winners"].replace("count >= ceil(k / 2)", "count >= 1 + ceil(k / 2)"),
    "hits a number": NEVER["hits a number"].replace("round", "floor"),
    "misses a number": NEVER["misses a number"].replace("round", "ceil"),
    "moved by the change": NEVER["before the noise, moved by the change"].replace("round", "floor"),
    "divides by what may be 0": NEVER["divides by what may be 0"].replace("round", "ceil"),
    "the rest of the answer": NEVER["the rest of the answer"].replace("round", "floor"),
    "a private number of rounds": NEVER["a private number of rounds"].replace("round(q)", "ceil(q)"),
    "a number of rounds from noise": NEVER["a number of rounds from noise"].replace("round(q", "floor(q"),
    "rounded noise": NEVER["noise that is rounded before it is added"].replace("round", "floor"),
}


@pytest.mark.parametrize("name", DOWN)
def test_down_and_up_proved(name, define, proved):
    proved(define(DOWN[name]).phi)


@pytest.mark.parametrize("name", NOT_DOWN)
def test_down_and_up_never_proved(name, define, refused_or_never_proved):
    refused_or_never_proved(lambda: define(NOT_DOWN[name]).phi)


@pytest.mark.parametrize("name", ["floor", "ceil"])
@pytest.mark.parametrize("case", PROVED)
def test_what_is_the_same_is_rounded_down_and_up_alike(name, case, define, proved):
    proved(define(PROVED[case].replace("round(", f"{name}(")).phi)


@pytest.mark.parametrize("x", [Fraction(1, 2), Fraction(-1, 2), Fraction(-5, 2), Fraction(7, 3), -3, 4])
def test_floor_and_ceil_are_those_of_math(x, define):
    for name, expected in (("floor", math.floor(x)), ("ceil", math.ceil(x))):
        source = PROVED["after the noise"].replace("round", name)
        for m in (define(source).m, define(f"from math import {name}\n{source}").m):
            result = m.replay(q=x, T=0, k=1, eps=1, H={"e": 0})
            assert (result, type(result)) == (expected, int)


@pytest.mark.parametrize("name", PROVED)
def test_proved(name, define, proved):
    proved(define(PROVED[name]).phi)


@pytest.mark.parametrize("name", NEVER)
def test_never_proved(name, define, refused_or_never_proved):
    refused_or_never_proved(lambda: define(NEVER[name]).phi)


def test_it_does_leak(define):
    shown = certify(
        define(NEVER["before the noise"]).m,
        event=Event(Interval(high=0)), q=Fraction(1, 2), q_=Fraction(3, 2), T=0, k=1, eps=1,
    )  # fmt: skip
    assert shown.loss > 1.99


@pytest.mark.parametrize("x", [Fraction(1, 2), Fraction(3, 2), Fraction(-1, 2), Fraction(-5, 2), Fraction(7, 3), -3])
def test_halves_go_to_the_even_number(x, define):
    rounded = define(PROVED["after the noise"]).m
    result = rounded.replay(q=x, T=0, k=1, eps=1, H={"e": 0})
    assert result == round(x)
    assert isinstance(result, int)
