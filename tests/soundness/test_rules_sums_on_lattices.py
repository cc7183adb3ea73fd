"""A sum of answers is on their lattice, whatever their number; sums of shares and of products are not.

Each wrong program adds noise that is a whole number of steps to a value that need not be one: the digits behind the
steps tell the answers.
"""

from __future__ import annotations

import re

import pytest

PROGRAM = """
    @mechanism
    def released(
        q: Annotated[Queries, Lattice({lattice})], r: Reals, m: Annotated[Positive, Lattice(1)], T: Real, eps: Epsilon,
        noise: Noise,
    ):
        e = noise.discrete_laplace({scale} / eps, {step})
        return {value} + e


    @alignment(released, epsilon="eps", adjacency="one")
    def phi(q, q_, r, m, T, H):
        return H.shift(e={value} - {other})
"""


def program(value, *, lattice="1", step="1", scale="1"):
    other = re.sub(r"\bq\b", "q_", value)
    return PROGRAM.format(value=f"({value})", other=f"({other})", lattice=lattice, step=step, scale=scale)


RIGHT = {
    "sum": program("sum(q)"),
    "sum and a whole number": program("sum(q) + 3"),
    "whole multiple": program("2 * sum(q)", scale="2"),
    "count": program("sum(1 for x in q if x <= T)"),
    "difference": program("sum(q) - q[0]"),
    "finer noise": program("sum(q)", step="0.5"),
    "answers and noise on halves": program("sum(q)", lattice="0.5", step="0.5"),
}
WRONG = {
    "answers on halves": program("sum(q)", lattice="0.5"),
    "half of each": program("sum(x / 2 for x in q)"),
    "half of the sum": program("sum(q) / 2"),
    "average": program("sum(q) / len(q)"),
    "weights": program("sum(r[i] * q[i] for i in range(len(q)))"),
    "times a threshold": program("T * sum(q)"),
    "share of those above": program("sum(x / m for x in q)"),
    "half of a count": program("sum(0.5 for x in q if x <= T)"),
    "squares of halves": program("sum(x * x for x in q)", lattice="0.5", step="0.5"),
    "coarser noise": program("sum(q)", step="2", scale="2"),
    "a sum and a half": program("sum(q) + q[0] / 2", scale="2"),
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_sums_of_whole_steps_are_proved(define, proved, text):
    proved(define(text).phi)


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_sums_of_parts_of_steps_are_not(define, never_proved, text):
    never_proved(define(text).phi, "valid_noise")
