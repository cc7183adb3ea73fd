"""Bad alignments, claims and invariants: each comes out with its line, the condition and the values."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from support.defining import define_in

from alignkit import LanguageError, check
from alignkit.results import Result, Verdict

SVT = """
@mechanism
def svt(q: Queries, T: Real, k: Count, c: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE, q_i + eta_i - T - eta
            count += 1
        else:
            yield BELOW
        if count >= k:
            break
"""

ONE_SIDED = """
@mechanism
def highest(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.exponential(2 / eps) for q_i in q]
    return max(q_i + e for q_i, e in zip(q, eta))
"""

WINNERS = "[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]"


@pytest.fixture
def define(tmp_path) -> Callable[..., ModuleType]:
    return lambda source: define_in(tmp_path, source)


def alignment(name: str, shifts: str, claim: str = "eps", **more: str) -> str:
    settings = ", ".join([f'epsilon="{claim}"', *(f'{key}="{value}"' for key, value in more.items())])
    parameters = "q, q_, omega, H" + (", c" if name == "svt" else "")
    return f"\n@alignment({name}, {settings})\ndef phi({parameters}):\n    return H.shift({shifts})\n"


REFUTED = {
    "leaves the support": (
        ONE_SIDED, alignment("highest", "eta=[q[i] - q_[i] for i in range(len(q))]"),
        "valid_noise", "the aligned eta[0] is -1, outside the support of exponential noise", 1,
    ),
    "divides by what may be 0": (
        SVT, alignment("svt", f"eta=c / c, eta_i={WINNERS}"),
        "same_output", "not defined for this run: division by zero", 1,
    ),
    "indexes a shorter output": (
        SVT, alignment("svt", f"eta=0 if omega[3] is ABOVE else 1, eta_i={WINNERS}"),
        "same_output", "not defined for this run: index 3 is out of range for 1 items", 1,
    ),
    "unpacks what is no tuple": (
        SVT, alignment("svt", "eta=1, eta_i=[1 if w is ABOVE else 0 for w, gap in omega]"),
        "same_output", "not defined for this run: the tag BELOW cannot be unpacked", 1,
    ),
    "compares an output of two parts with a number": (
        SVT, alignment("svt", "eta=1, eta_i=[1 if w > 0 else 0 for w in omega]"),
        "same_output", "not defined for this run: `>` compares a sequence with a number", 1,
    ),
    "takes the maximum of nothing": (
        SVT, alignment("svt", f"eta=max(1 for w in omega if w is not BELOW), eta_i={WINNERS}"),
        "same_output", "not defined for this run: max of an empty sequence", 1,
    ),
    "names too few draws": (
        SVT, alignment("svt", "eta=1, eta_i=[1 for w in omega if w is not BELOW]"),
        "same_output", "not defined for this run: no shift for eta_i[0], which D draws", 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUTED)
def test_a_run_that_breaks_the_alignment_refutes_it(define, case: str) -> None:
    source, beside, condition, words, below = REFUTED[case]
    phi = define(source + beside).phi
    result = check(phi)
    assert result.verdict is Verdict.REFUTED
    found = result.counterexample
    assert found is not None
    assert (found.condition, found.file, found.line) == (condition, phi.file, phi.line + below)
    assert words in found.words
    assert result.conditions[condition].how == f"line {found.line}: {found.words}"
    at = found.witness
    replayed = phi.replay(*(a for n in at.q for a in (at.q[n], at.q_[n])), H=at.H, **at.public)
    assert replayed.violation is not None
    assert replayed.violation.words == found.words


def reason(result: Result, condition: str) -> str:
    assert result.verdict is Verdict.UNDECIDED
    assert result.conditions[condition].status is Verdict.UNDECIDED
    return result.conditions[condition].how


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("epsilon", "the claim uses `epsilon`, which is not available here"),
        ("eps / k1", "the claim uses `k1`"),
        ("q", "the claim reads the list `q`"),
        ("eps / 0", "the claim divides by zero"),
        ("eps +", "the claim is not an expression"),
    ],
)
def test_a_bad_claim_is_an_error_where_it_is_defined(define, claim: str, words: str) -> None:
    with pytest.raises(LanguageError, match=words) as refusal:
        define(SVT + alignment("svt", f"eta=1, eta_i={WINNERS}", claim))
    assert ".py:18 (claim):1:" in str(refusal.value)
    assert f"1 | {claim}" in str(refusal.value)


def test_a_claim_that_need_not_have_a_value(define) -> None:
    phi = define(SVT + alignment("svt", f"eta=1, eta_i={WINNERS}", "eps + abs(1 / c)")).phi
    how = reason(check(phi), "same_output")
    problem = "division by zero (in the claim eps + abs(1 / c))"
    assert how.startswith(f"line {phi.line}: not shown to be impossible: {problem}")
    assert "c = 0" in how


def test_an_invariant_that_fails_when_the_loop_begins(define) -> None:
    phi = define(SVT + alignment("svt", f"eta=1, eta_i={WINNERS}", invariant="count >= 1")).phi
    result = check(phi)
    how = reason(result, "same_output")
    assert how == f"line {phi.line}: the invariant `count >= 1` fails when the loop begins (line 7)"
    assert any(n == "assumed at the head of the loop, but not shown: count >= 1" for n in result.notes)
    assert not any(n.startswith("invariants at the head of the loop") and "count >= 1" in n for n in result.notes)


def test_an_invariant_that_fails_for_some_parameters(define) -> None:
    phi = define(SVT + alignment("svt", f"eta=1, eta_i={WINNERS}", invariant="count <= k - 5")).phi
    how = reason(check(phi), "same_output")
    assert f"line {phi.line}: the invariant `count <= k - 5` fails when the loop begins (line 7)" in how
    values = dict(part.split(" = ") for part in how.partition("for example with ")[2].partition(";")[0].split(", "))
    assert 1 <= int(values["k"]) < 5


def test_an_invariant_that_the_loop_does_not_keep(define) -> None:
    phi = define(SVT + alignment("svt", f"eta=1, eta_i={WINNERS}", invariant="count == 0")).phi
    how = reason(check(phi), "same_output")
    assert how.startswith(f"line {phi.line}: not shown: the invariant `count == 0` is kept by every iteration (line 7)")


def test_an_invariant_about_the_cost_that_fails_at_once(define) -> None:
    phi = define(SVT + alignment("svt", f"eta=1, eta_i={WINNERS}", invariant="privacy_cost <= eps / k")).phi
    how = reason(check(phi), "cost")
    assert f"line {phi.line}: the invariant `privacy_cost <= eps / k` fails when the loop begins (line 7), for" in how
    assert "k = " in how
