"""Booleans as outputs, and alignments that read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Define
from support.defining import PRELUDE

from alignkit import attack, check, law
from alignkit.cli.entry import run_command_line

SPARSE = """
@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e > T + eta:
            yield True
            count += 1
        else:
            yield {other}
        if count >= k:
            break

@alignment(m, epsilon="{claim}")
def phi(q, q_, omega, H):
    return H.shift(eta=1, e=[{shift} for i, w in enumerate(omega)])
"""

# Winners move by 2, and the others do not.
SHIFTS = (
    "2 if w else 0",
    "0 if not w else 2",
    "2 if w is True else 0",
    "2 if True is w else 0",
    "0 if w is False else 2",
    "2 if w is not False else 0",
    "2 if w == True else 0",
    "0 if w != True else 2",
    "2 if omega[i] else 0",
    "2 if any(omega) and w else 0",
    "2 if w in (True,) else 0",
    "2 if w and not w is False else 0",
)


def defined(define: Define, shift: str = SHIFTS[0], *, other: str = "False", claim: str = "eps"):
    return define(SPARSE.format(shift=shift, other=other, claim=claim))


@pytest.mark.parametrize("shift", SHIFTS)
def test_an_alignment_reads_booleans_as_python_does(define: Define, shift: str):
    phi = defined(define, shift).phi
    shown = str(phi.replay([3, 1], [2, 2], T=2, k=2, eps=1, H={"eta": 0, "e": [1, 0]}))
    assert "e[0]             1         3    shift +2" in shown
    assert "output[0]     True      True" in shown
    assert "output[1]    False     False" in shown
    assert "no condition fails on this pair of runs" in shown


@pytest.mark.parametrize("shift", SHIFTS)
def test_a_claim_that_is_too_small_is_refuted_with_booleans(define: Define, shift: str):
    result = check(defined(define, shift, claim="eps / 2").phi, effort=0)
    assert result.verdict == "refuted"
    assert result.counterexample is not None
    assert all(type(w) is bool for w in result.counterexample.omega)


@pytest.mark.parametrize(("other", "shift"), [("BELOW", "2 if w is True else 0"), ("0", "0 if w is not True else 2")])
def test_is_true_tells_a_boolean_from_another_kind_of_output(define: Define, other: str, shift: str):
    phi = defined(define, shift, other=other).phi
    shown = str(phi.replay([3, 1], [2, 2], T=2, k=2, eps=1, H={"eta": 0, "e": [1, 0]}))
    assert shown.count("shift +2") == 1
    assert "no condition fails on this pair of runs" in shown


def test_is_false_is_not_decided_for_an_output_of_another_iteration_that_may_be_a_number(define: Define):
    # To take every other output for something else than False would shift nothing wherever it stands.
    shift = "2 if w is True else (1000 if i > 40 and omega[i - 40] is False else 0)"
    result = check(defined(define, shift, other="0").phi, effort=0)
    assert result.verdict != "proved"


def test_runs_and_attacks_give_booleans(define: Define):
    m = defined(define).m
    assert m.sample([90, -90], T=0, k=1, eps=1, seed=1) == [True]
    assert m.replay([3, 1], {"eta": 0, "e": [1, 0]}, T=2, k=2, eps=1) == [True, False]
    found = attack(m, claim="eps / 2", effort=300)
    assert found.violates
    assert "True" in str(found.event)


def test_the_law_of_booleans(define: Define):
    module = define("""
        @mechanism
        def m(q: Query(lattice=1), eps: Epsilon, noise: Noise):
            e = noise.discrete_laplace(1 / eps, 1)
            return (q + e > 0) is True
    """)
    assert {str(output) for output in law(module.m, q=0).probabilities} == {"True", "False"}


def test_json_has_booleans(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "booleans.py"
    path.write_text(PRELUDE + SPARSE.format(shift=SHIFTS[0], other="False", claim="eps / 2"))
    assert run_command_line(["check", str(path), "--format", "json"]) == 1
    counterexample = json.loads(capsys.readouterr().out)["results"][0]["counterexample"]
    assert all(type(w) is bool for w in counterexample["omega"])
