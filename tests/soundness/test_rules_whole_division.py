"""Rules 15 and 42: // and % are Python's, of whole numbers that are public; on private numbers they prove nothing."""

import pytest

LOOP = """
@mechanism
def m(q: Queries, T: Reals, k: Count, eps: Epsilon, noise: Noise):
    place = 0
    for i, q_i in enumerate(q):
        {body}

@alignment(m, epsilon="{claim}", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i, w in enumerate(omega)])
"""

ONE = """
@mechanism
def m(q: Query, T: Reals, k: Count, eps: Epsilon, noise: Noise):
    {before}
    e = noise.laplace({scale})
    return {output}

@alignment(m, epsilon="{claim}")
def phi(q, q_, omega, H):
    return H.shift(e={shift})
"""


def loop(*lines, claim="eps"):
    return LOOP.format(body="\n        ".join(lines), claim=claim)


def one(output="q + e", before="pass", scale="1 / eps", shift="q - q_", claim="eps"):
    return ONE.format(output=output, before=before, scale=scale, shift=shift, claim=claim)


def every(test, scale="1 / eps", claim="eps"):
    """Noisy answers at the places that pass the test, and 0 at all others."""
    lines = (f"if {test}:", f"    e = noise.laplace({scale})", "    yield q_i + e", "else:", "    yield 0")
    return loop(*lines, claim=claim)


PROVED = {
    "every third answer": every("i % 3 == 0"),
    "the second half of each block": every("i % 4 >= 2"),
    "the first block of two": every("i // 2 == 0"),
    "all remainders": every("i % 3 == 0 or i % 3 == 1 or i % 3 == 2"),
    "blocks as long as a parameter says": every("i % k == 0"),
    "an item of a public list": one("q + e + (T[k // 2] if len(T) > k else 0)"),
    "items in turn": loop("e = noise.laplace(1 / eps)", "yield q_i + e + (T[i % len(T)] if len(T) > 0 else 0)"),
    "a scale of whole numbers": one(scale="(1 + k // 2) / eps"),
    "rounded down": one(scale="(k - k % 2 + 1) / eps"),
    "a negative dividend": one(scale="(0 - (0 - k) // 2) / eps"),
    "a negative divisor": one(scale="(0 - k // (0 - 2)) / eps"),
    "a negative remainder": one(scale="(1 - k % (0 - 3)) / eps"),
    "a variable that counts within blocks": loop(
        "e = noise.laplace(1 / eps)", "yield q_i + e if place == 0 else e + q_i", "place = (place + 1) % 5"
    ),
    "a shift that reads a remainder": one("q + e", shift="(q - q_) * ((0 - 8) % 3)"),
}

NEVER = {
    "halved and rounded down": one(scale="(1 + 2 * (k // 2)) / (2 * eps)"),
    "a remainder that may be 0": one(scale="(1 + k % 2) / (2 * eps)"),
    "a quotient below 1": one(scale="1 / (2 * eps)", before="x = k // k"),
    "a divisor above the dividend": one(scale="(1 + k // (k + 1)) / (2 * eps)"),
    "truncated and not rounded down": one(scale="(2 + (0 - k) // 2 + k // 2) / (2 * eps)"),
    "a remainder with the sign of the dividend": one(scale="(k % (0 - 3)) / eps"),
    "too little noise at every third place": every("i % 3 == 0", "1 / (2 * eps)"),
    "too little noise in the first block": every("True", "(1 if i // 5 > 0 else 1 / 2) / eps"),
    "too little noise at remainder 0": every("True", "(i % 2) / eps"),
    "places by private answers": every("q_i > 0"),
    "places by a private remainder": every("(1 if q_i > 0 else 0) % 2 == 0"),
    "a private whole number halved": one("c // 2 + e", "c = 2 if q > 0 else 1", shift="0"),
    "the remainder of a private whole number": one("c % 2 + e", "c = 2 if q > 0 else 1", shift="0"),
    "a private divisor": one("6 // c + e", "c = 2 if q > 0 else 1", shift="0"),
    "a private divisor that may be 0": one("6 // c + e", "c = 1 if q > 0 else 0", shift="0"),
    "a public item at a private index": one("T[c % 2] + e if len(T) > 1 else 0", "c = 2 if q > 0 else 1", shift="0"),
    "an item at a noisy index": one("T[c % 2] if len(T) > 1 else 0", "c = 1", shift="0").replace(
        "return T", "c = 2 if e > q else 1\n    return T"
    ),
    "an index of answers by a remainder of the answers": one(scale="c / eps", before="c = 1 + (2 if q > 0 else 1) % 2"),
    "an answer rounded down": one("q // 1 + e"),
    "an answer modulo 2": one("q % 2 + e"),
    "noise rounded down": one("e // 1"),
    "a noisy answer modulo 2": one("(q + e) % 2"),
    "a real divisor": one("k // eps + q + e"),
    "round": one("round(q) + e"),
    "slices by private bounds": one("len(T[0:c]) + e", "c = 2 if q > 0 else 1", shift="0"),
    "the claim is rounded down": one(claim="eps * (k // 2)"),
    "the claim is a remainder": one(claim="eps * (k % 2)"),
    "the shift is rounded": one(shift="(q - q_) // 1"),
    "drawn at places that noise decides": loop(
        "e = noise.laplace(1 / eps)", "c = 1 if q_i + e > 0 else 0", "f = noise.laplace((1 + c % 2) / eps)", "yield c"
    ),
}


@pytest.mark.parametrize("source", PROVED.values(), ids=PROVED.keys())
def test_proved(define, proved, source):
    proved(define(source).phi)


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_never_proved(define, refused_or_never_proved, source):
    refused_or_never_proved(lambda: define(source).phi)


def test_a_divisor_that_may_be_0_is_said(define, proved_by_check):
    result = proved_by_check(define(one("q + e + 5 // (k - 1)")).phi)
    assert any("division by zero" in assumption for assumption in result.assumptions)


def test_too_little_noise_in_one_block_is_refuted(define, refuted):
    refuted(define(every("True", "(1 if i // 2 > 0 else 1 / 2) / eps")).phi, "cost")
