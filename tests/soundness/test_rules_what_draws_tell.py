"""Rules 7 and 11: one output may come with different draws, and which were made may tell how a condition went.

docs/theory/loops.md, "What the draws tell": each list of draws is looked at by itself, and a shift may depend on its
own noise by a condition that all paths with the same draws decide alike. Nothing else is told by the draws.
"""

from __future__ import annotations

import pytest

STREAM = """
@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    threshold = T + eta
    for q_i in q:
        x = noise.laplace({scale})
        if q_i + x - threshold >= 5:
            yield {first}
            {leave}
        {otherwise}

@alignment(m, epsilon="eps"{more})
def phi(q, q_, T, omega, H):
    return H.shift(
        eta=1,
        x=[{x} for i, w in enumerate(omega)],
        y=[{y} for i, w in enumerate(omega)],
    )
"""

SECOND_TEST = """else:
            y = noise.laplace(4 / eps)
            if q_i + y - threshold >= 0:
                yield q_i + y - threshold
                break
            yield BELOW"""

FIRST_WON = "1 + q[i] - q_[i] if q[i] + H.x[i] - (T + H.eta) >= 5 else 0"
A_WINNER = "1 + q[i] - q_[i] if w is not BELOW else 0"


USUAL = {
    "scale": "4 / eps",
    "first": "q_i + x - threshold",
    "leave": "break",
    "otherwise": SECOND_TEST,
    "x": FIRST_WON,
    "y": A_WINNER,
    "more": "",
}


def stream(**changed):
    return STREAM.format(**{**USUAL, **changed})


ONE = """
@mechanism
def m(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    {body}

@alignment(m, epsilon="{claim}")
def phi(q, q_, T, omega, H):
    {shift}
"""


def one(body, shift, claim="100 * eps"):
    lines = "\n    ".join(body.splitlines())
    return ONE.format(body=lines, shift="\n    ".join(shift.splitlines()), claim=claim)


LEAVING = """
@mechanism
def m(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        x = noise.laplace(2 / eps)
        yield BELOW
        if x > 5:
            {leave}
    {after}

@alignment(m, epsilon="eps"{more})
def phi(q, q_, omega, H):
    return H.shift(x=[{x} for i, w in enumerate(omega)])
"""


def leaving(leave="break", after="s = 1", x="2 if H.x[i] > 5 else 0", more=""):
    return LEAVING.format(leave=leave, after=after, x=x, more=more)


A_DRAW = "if {test}:\n    g = noise.laplace(1 / eps)\nreturn {output}"

# Each is private by the theorem of scales: the list of draws says which way the test went, D' goes the same way, and
# for each list the shifts are one and the same map.
PROVED = {
    # The condition of the first test decides the shift of x itself.
    "two tests and no tag": stream(),
    "the shift by the other branch": stream(x="0 if q[i] + H.x[i] - (T + H.eta) < 5 else 1 + q[i] - q_[i]"),
    # f decides the shift of e, which is drawn before it; nothing follows from e.
    "by noise that is drawn later": one(
        A_DRAW.format(test="f > 0", output="q + e + f"), "return H.shift(e=q - q_ if H.f > 0 else q - q_)"
    ),
    "by a statement of the alignment": one(
        A_DRAW.format(test="e > 0", output="q + f"),
        "if H.e > 0:\n    return H.shift(f=q - q_, e=1)\nreturn H.shift(f=q - q_, e=-1)",
    ),
    "the output does not tell the draws": one(
        A_DRAW.format(test="f > 0", output="q + e"), "return H.shift(e=q - q_)", "eps"
    ),
}

# Where the loop is left tells how the test went, and D' leaves it there: the last output alone does not tell.
PROVED |= {
    "by where the loop is left": leaving(),
    "by where the loop is left, and a draw follows": leaving(after="g = noise.laplace(1)"),
    "by where the loop is left, after a draw": leaving(leave="g = noise.laplace(1)\n            break"),
}

# e > 0 and e <= 0 are moved apart or together; only the draws of both runs can keep them apart.
NEVER = {
    # Both ways draw alike.
    "nothing is drawn": one("return q + f", "return H.shift(f=q - q_, e=1 if H.e > 0 else 2)"),
    "both draw one thing": one(
        "if e > 0:\n    s = 1\nelse:\n    s = 2\ng = noise.laplace(1 / eps)\nreturn q + f",
        "return H.shift(f=q - q_, e=0 if H.e > 0 else 2)",
    ),
    # The draws tell another condition than the one that the shift reads.
    "another condition": one(
        A_DRAW.format(test="e > 0", output="q + f"), "return H.shift(f=q - q_, e=2 if H.e > -1 else 3)"
    ),
    "a part of the way": one(
        "if e > 0:\n    g = noise.laplace(1 / eps)\nelse:\n    if e > -1:\n        s = 1\nreturn q + f",
        "return H.shift(f=q - q_, e=0 if H.e > 0 else (0 if H.e > -1 else 1))",
    ),
    "by a statement, another condition": one(
        A_DRAW.format(test="e > 0", output="q + f"),
        "if H.e > -1:\n    return H.shift(f=q - q_, e=2)\nreturn H.shift(f=q - q_, e=3)",
    ),
    # D' draws what D does not.
    "moved over the edge": one(
        A_DRAW.format(test="e > 0", output="q + f"), "return H.shift(f=q - q_, e=2 if H.e <= 0 else 0)"
    ),
    "the answer decides the draws": one(A_DRAW.format(test="q > T", output="q + f"), "return H.shift(f=q - q_)", "eps"),
    "the answer and noise decide the draws": one(
        A_DRAW.format(test="q + e > T", output="q + f"), "return H.shift(f=q - q_)", "eps"
    ),
    "merged in a stream": stream(x="0 if q[i] + H.x[i] - (T + H.eta) >= 5 else 3"),
    # The noise of the second test pays for the gap of the first.
    "the wrong noise pays": stream(x="0", y="1 + q[i] - q_[i]"),
    "the gap of the first test for nothing": stream(x="0 if q[i] + H.x[i] - (T + H.eta) >= 5 else 0"),
    "the noise of the first test as well": stream(first="q_i + x - threshold, x"),
    "nobody leaves after the first test": stream(leave="s = 1"),
    # The scale follows what is moved.
    "a scale by other noise": stream(scale="4 / eps * (1 + abs(eta))"),
    # D' leaves the loop where D does not, or one way out moves onto another.
    "moved out of the loop": leaving(x="2"),
    "moved into the loop": leaving(x="-2"),
    "the way out says nothing": leaving(leave="s = 1"),
    "one shift for all that go on": leaving(x="2 if H.x[i] > 5 else (1 if H.x[i] < 0 else 0)"),
    "two ways out with one label": leaving(
        leave="break\n        if x < 0:\n            break", x="0 if H.x[i] > 5 else -1"
    ),
    # An analyst who chooses is told the outputs alone; the theorem for her asks that they tell the draws.
    "an analyst chooses": stream(more=', queries="adaptive"'),
}


@pytest.mark.parametrize("source", PROVED.values(), ids=PROVED.keys())
def test_proved(define, proved, source):
    proved(define(source).phi)


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_never_proved(define, refused_or_never_proved, source):
    refused_or_never_proved(lambda: define(source).phi)


def test_a_report_says_that_draws_tell_a_scale_which_the_output_does_not(define, proved_by_check):
    body = "x = q + e\nif f > x:\n    g = noise.laplace(1)\n    s = 1\nelse:\n    s = 2\n"
    by_draws = one(f"{body}b = noise.laplace(max(s, x))\nreturn x, b", "return H.shift(e=q - q_)")
    by_output = one("x = q + e\nb = noise.laplace(max(1, x))\nreturn x, b", "return H.shift(e=q - q_)")
    told = [proved_by_check(define(source).phi).conditions["noise_used"].how for source in (by_draws, by_output)]
    assert "that public values, the output and the draws that are made tell" in told[0]
    assert "that public values and the output tell" in told[1]
