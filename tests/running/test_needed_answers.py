"""Runs of programs that read an answer by its number have so many answers."""

from __future__ import annotations

import pytest

from alignkit import check
from alignkit.results import Verdict

PROGRAM = """
@mechanism
def m(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q[{number}] + e

@alignment(m, epsilon="{claim}")
def phi(q, q_, H):
    return H.shift(e=q[{number}] - q_[{number}])
"""


@pytest.mark.parametrize("number", [0, 4, 5, 7, 20, 63])
def test_a_program_is_run_with_the_answers_that_it_reads(define, number):
    assert check(define(PROGRAM.format(number=number, claim="eps")).phi).verdict is Verdict.PROVED
    assert check(define(PROGRAM.format(number=number, claim="eps / 2")).phi).verdict is Verdict.REFUTED


def test_no_run_has_very_many_answers(define):
    result = check(define(PROGRAM.format(number=5000, claim="eps")).phi)
    assert result.verdict is Verdict.UNDECIDED
    assert "no run was found that gives output" in str(result)
