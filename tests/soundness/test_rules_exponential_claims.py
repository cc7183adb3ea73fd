"""Rule 18: claims with an exponential, of which the solver knows that exp(x) is at least 1 + x."""

import pytest

PROGRAM = """
@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace({scale})
    return q + e

@alignment(m, epsilon="{claim}")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""

PROVED = {
    "exp(eps) - 1": "1 / eps",
    "(exp(2 * eps) - 1) / 2": "1 / eps",
    "exp(eps - 1)": "1 / eps",
    "2 - exp(0 - eps)": "1",
    "exp(eps) + exp(0 - eps) - 1 + eps": "1 / eps",
}

NEVER = {
    "1 - exp(0 - eps)": "1 / eps",
    "exp(eps) - 1 - eps": "1 / eps",
    "(exp(eps) - 1) / 2": "1 / eps",
    "exp(eps) - 2": "1 / eps",
    "exp(eps / 2) - 1": "1 / eps",
    "exp(eps - 2)": "1 / eps",
    "exp(0 - eps)": "1 / eps",
    "exp(0 - eps) + eps / 2": "1 / eps",
    "exp(eps) - 1 ": "1 / (2 * eps)",
}


@pytest.mark.parametrize("claim", PROVED)
def test_proved(define, proved, claim):
    proved(define(PROGRAM.format(claim=claim, scale=PROVED[claim])).phi)


@pytest.mark.parametrize("claim", NEVER)
def test_never_proved(define, refused_or_never_proved, claim):
    refused_or_never_proved(lambda: define(PROGRAM.format(claim=claim, scale=NEVER[claim])).phi)
