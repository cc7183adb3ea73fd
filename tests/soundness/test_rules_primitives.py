"""Rule 44: what a finite choice may cost, and what its alignment may read; randomised response is proved."""

import pytest

RESPONSE = """
YES, NO = Tag("YES"), Tag("NO")

@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    c = noise.choice([{weights}])
    if q > 0:
        return YES if c == 0 else NO
    return NO if c == 0 else YES

@alignment(m, epsilon="{claim}")
def phi(q, q_, omega, H):
    said = 0 if (q > 0) == (omega is YES) else 1
    says = 0 if (q_ > 0) == (omega is YES) else 1
    return H.shift(c={shift})
"""

THREE = """
A, B, C = Tag("A"), Tag("B"), Tag("C")

def category(x):
    return 0 if x < 1 else (1 if x < 2 else 2)

def told(category, c):
    if c == 0:
        return A if category == 0 else (B if category == 1 else C)
    if c == 1:
        return B if category == 0 else (C if category == 1 else A)
    return C if category == 0 else (A if category == 1 else B)

def needed(category, omega):
    if omega is A:
        return 0 if category == 0 else (2 if category == 1 else 1)
    if omega is B:
        return 1 if category == 0 else (0 if category == 1 else 2)
    return 2 if category == 0 else (1 if category == 1 else 0)

@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    c = noise.choice([{weights}])
    return told(category(q), c)

@alignment(m, epsilon="{claim}")
def phi(q, q_, omega, H):
    return H.shift(c=needed(category(q_), omega) - needed(category(q), omega))
"""

PLAIN = """
YES, NO = Tag("YES"), Tag("NO")

@mechanism
def m(q: Query, s: Positive, eps: Epsilon, noise: Noise):
    {before}
    c = noise.choice([{weights}])
    return {output}

@alignment(m, epsilon="{claim}")
def phi(q, q_, omega, H):
    return H.shift({shift})
"""


def response(weights="exp(eps), 1", claim="eps", shift="says - said"):
    return RESPONSE.format(weights=weights, claim=claim, shift=shift)


def plain(weights="1, 3", output="YES", shift="", claim="eps", before="pass"):
    return PLAIN.format(weights=weights, output=output, shift=shift, claim=claim, before=before)


PROVED = {
    "randomised response": response(),
    "a biased coin": response("3, 1", "log(3)"),
    "a fair coin": response("1, 1", "0 * eps"),
    "weights with a factor": response("2 * exp(eps), 2"),
    "one of three": THREE.format(weights="exp(eps), 1, 1", claim="eps"),
    "a choice that is shown": plain(output="YES if c == 0 else NO"),
    "swaps by its own draw": plain("1, 1", shift="c=1 - 2 * H.c"),
    "a choice beside noise": plain(before="e = noise.laplace(1 / eps)", output="q + e", shift="e=q - q_"),
}

NEVER = {
    "half the claim": response(claim="eps / 2"),
    "a little too little": response(claim="eps * 99 / 100"),
    "no shift": response(shift="0"),
    "the wrong way": response(shift="said - says"),
    "twice the weight": response("exp(2 * eps), 1"),
    "a coin of 3 to 1": response("3, 1", "log(2)"),
    "a weight of 0": response("1, 0"),
    "a weight of 0 first": response("0, 1"),
    "a target out of range": response(shift="2 * (says - said)"),
    "half an outcome": response(shift="(says - said) / 2"),
    "reads its own draw": response(shift="H.c - 2 * H.c + says"),
    "always 1": response(shift="1 - H.c"),
    "always 0": response(shift="0 - H.c"),
    "private weights": response("exp(eps) + abs(q), 1"),
    "private weights by cases": response("2 if q > 0 else 1, 1"),
    "weights by cases that are equal on D": response("1, 1 if q > 0 else 2"),
    "negative weights": response("exp(eps), 0 - 1"),
    "no weights above 0": response("0, 0"),
    "one of three at half": THREE.format(weights="exp(eps), 1, 1", claim="eps / 2"),
    "one of three, unequal": THREE.format(weights="exp(eps), 1, 1 / 2", claim="eps"),
    "one of three, one impossible": THREE.format(weights="exp(eps), 1, 0", claim="eps"),
    "merges outcomes": plain(shift="c=1 - H.c"),
    "merges outcomes below": plain(shift="c=0 - H.c"),
    "merges outcomes by cases": plain(shift="c=1 if H.c == 0 else 0"),
    "leaves the support": plain(shift="c=1"),
    "leaves the support below": plain(shift="c=-1"),
    "far outside": plain(shift="c=1000"),
    "a private shift": plain(shift="c=q_ - q"),
    "weights of noise": plain("1, 1 + abs(e)", before="e = noise.laplace(1 / eps)"),
    "weights that read an answer": plain("exp(2 * eps * q), 1", output="YES if c == 0 else NO"),
    "weights that read whether an answer is positive": plain("1 if q > 0 else 2, 1", "YES if c == 0 else NO"),
    "as many weights as an answer says": plain("*([1, 1] if q > 0 else [1, 1, 1])", "YES if c == 0 else NO"),
    "an answer beside a choice": plain(output="q + c"),
    "an answer times a choice": plain(output="q * c"),
    "an answer by a choice": plain(output="(YES if q > 0 else NO) if c == 0 else NO"),
    "noise shifted by the outcome it reads": plain(
        before="e = noise.laplace(1 / eps)", output="q + e", shift="e=q - q_, c=H.c if H.e > 0 else 0 - H.c"
    ),
    "noise that is too small": plain(before="e = noise.laplace(1 / (2 * eps))", output="q + e", shift="e=q - q_"),
    "drawn only for positive answers": plain(before="b = noise.choice([1, 1]) if q > 0 else 0"),
    "a free shift of a public weight": plain("s, 1", shift="c=1 if q > q_ else 0"),
}


@pytest.mark.parametrize("source", PROVED.values(), ids=PROVED.keys())
def test_proved(define, proved, source):
    proved(define(source).phi)


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_never_proved(define, refused_or_never_proved, source):
    refused_or_never_proved(lambda: define(source).phi)


def test_too_low_a_claim_is_refuted_by_its_cost(define, refuted):
    refuted(define(response(claim="eps / 2")).phi, "cost")


def test_a_target_without_weight_is_refuted(define, refuted):
    refuted(define(response("1, 0")).phi, "valid_noise")
