"""What is said of a mechanism beside a verdict speaks of this claim; a proof of a larger one is said as such."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.defining import define_in

from alignkit import check
from alignkit.checking import fold_privacy
from alignkit.errors import InternalError
from alignkit.reporting.full_report import plain_text
from alignkit.reporting.html_report import result_html
from alignkit.reporting.sentences import privacy_shown
from alignkit.results import Privacy, Verdict

SOURCE = """
from alignkit import Epsilon, Noise, Query, alignment, mechanism

@mechanism
def noisy(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace({scale} / eps)
    return q + eta

@alignment(noisy, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta={shift})

@alignment(noisy, epsilon="2 * eps")
def proved_phi(q, q_, H):
    return H.shift(eta=q - q_)
"""


def about(cli, here: Path, scale: str, shift: str) -> tuple[dict, str]:
    (here / "mine.py").write_text(SOURCE.format(scale=scale, shift=shift))
    results = json.loads(cli("check", "mine.py", "--format", "json", "--no-cache").out)["results"]
    (result,) = (r for r in results if r["alignment"] == "phi")
    text = cli("check", "mine.py::phi", "mine.py", "--no-cache", "-v").out
    return result, next(line for line in text.splitlines() if "the mechanism noisy" in line)


@pytest.mark.parametrize("shift", ["2 * (q - q_)", "0"])
def test_a_proof_at_a_larger_claim_leaves_this_one_open(cli, here: Path, shift: str) -> None:
    # With a scale of 2 / (3 * eps) the loss is 3/2 * eps: more than eps, and less than 2 * eps.
    result, line = about(cli, here, "2 / 3", shift)
    assert result["verdict"] == "refuted"
    assert result["privacy"]["status"] != "private"
    assert result["privacy"]["upper"] == "3 * eps / 2"
    assert "is private (" not in line


def test_a_proof_at_a_smaller_cost_makes_it_private_as_claimed(cli, here: Path) -> None:
    result, line = about(cli, here, "1", "2 * (q - q_)")
    assert result["verdict"] == "refuted"
    assert result["privacy"] == {**result["privacy"], "status": "private", "upper": "eps"}
    assert "the mechanism noisy is private (privacy loss at most eps" in line


def test_where_no_violation_is_certified_it_is_open_as_claimed(tmp_path: Path) -> None:
    """No attack is asked here, as where one finds nothing."""
    module = define_in(tmp_path, SOURCE.format(scale="2 / 3", shift="0"), prelude=False)
    refuted, proved = check(module.phi, effort=0), check(module.proved_phi, effort=0)
    refuted = replace(refuted, privacy=Privacy())
    first, second = fold_privacy([module.phi, module.proved_phi], [refuted, proved])
    assert (first.privacy.status, first.privacy.upper) == ("open", "3 * eps / 2")
    assert privacy_shown(first) == (
        "it is open whether the mechanism noisy is private as claimed; another alignment proves another bound "
        "(privacy loss at most 3 * eps / 2)"
    )
    assert second.privacy.status == "private"


ADAPTIVE = """
@mechanism
def scanned(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    for q_i in q:
        e = noise.laplace(4 / eps)
        if q_i + e >= T + eta:
            yield q_i + e - (T + eta)
            break
        else:
            yield BELOW

@alignment(scanned, epsilon="eps")
def fixed_phi(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])

@alignment(scanned, epsilon="eps", queries="adaptive")
def adaptive_phi(q, q_, omega, H):
    one = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 1
    return H.shift(eta=one, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
"""


def test_a_proof_for_fixed_queries_leaves_adaptive_ones_open(tmp_path: Path) -> None:
    module = define_in(tmp_path, ADAPTIVE)
    fixed, adaptive = check(module.fixed_phi, effort=0), check(module.adaptive_phi, effort=0)
    assert (fixed.verdict, adaptive.verdict) == ("proved", "undecided")
    first, second = fold_privacy([module.fixed_phi, module.adaptive_phi], [fixed, adaptive])
    assert (first.privacy.status, second.privacy.status) == ("private", "open")
    assert privacy_shown(second) == (
        "it is open whether the mechanism scanned is private as claimed: neither proved nor shown to leak more"
    )


def test_a_proof_of_ex_post_privacy_is_not_said_to_be_open(tmp_path: Path) -> None:
    module = define_in(tmp_path, SOURCE.format(scale="1", shift="q - q_"), prelude=False)
    result = replace(check(module.phi, effort=0), ex_post=True, privacy=Privacy(upper="eps"))
    assert privacy_shown(result) == (
        "another alignment proves a bound on the mechanism noisy for all outputs (privacy loss at most eps)"
    )


LEAKING = """
from alignkit import Epsilon, Noise, Queries, alignment, mechanism

@mechanism
def noisy(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e

@alignment(noisy, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])

@alignment(noisy, epsilon="eps")
def psi(q, q_, omega, H):
    return H.shift(e=[0 for w in omega])

@alignment(noisy, epsilon="eps", delta="eps / 1000000000")
def with_delta(q, q_, omega, H):
    return H.shift(e=[0 for w in omega]).below(e=[10 for i in range(len(q))])

@alignment(noisy, epsilon="eps * len(q)", expect="refuted")
def by_length(q, q_, omega, H):
    return H.shift(e=[0 for w in omega])

@alignment(noisy, epsilon="eps", adjacency="one")
def one(q, q_, omega, H):
    return H.shift(e=[0 for w in omega])
"""

NAMES = ("phi", "psi", "with_delta", "by_length", "one")


@pytest.mark.parametrize("turned", [False, True])
def test_a_violation_convicts_every_claim_below_it(tmp_path: Path, turned: bool) -> None:
    """Some databases that differ in two answers are told apart with a loss above eps, and below 2 * eps."""
    module = define_in(tmp_path, LEAKING, prelude=False)
    alignments = [getattr(module, name) for name in NAMES]
    leaking = check(module.phi)
    leak = leaking.privacy.leak
    assert leak is not None
    assert leak.violates
    assert len(leak.witness.q["q"]) > 1
    results = [leaking, *(replace(check(a, effort=0), privacy=Privacy()) for a in alignments[1:])]
    order = range(len(NAMES))[::-1] if turned else range(len(NAMES))
    folded = fold_privacy([alignments[i] for i in order], [results[i] for i in order])
    said = {result.alignment: result.privacy for result in folded}
    assert {name: privacy.status for name, privacy in said.items()} == {
        "phi": "not private", "psi": "not private", "with_delta": "not private", "by_length": "open", "one": "open",
    }  # fmt: skip
    assert said["psi"].leak == replace(leak, snippet=said["psi"].leak.snippet)
    assert said["with_delta"].leak.delta > said["with_delta"].leak.claimed_delta > 0


def test_a_violation_beside_a_proof_is_an_internal_error(tmp_path: Path) -> None:
    module = define_in(tmp_path, LEAKING, prelude=False)
    leaking, other = check(module.phi), check(module.psi, effort=0)
    wrong = replace(other, verdict=Verdict.PROVED, privacy=Privacy("private", upper="eps", adjacency="each"))
    with pytest.raises(InternalError, match="is certified to lose at least"):
        fold_privacy([module.phi, module.psi], [leaking, wrong])


def test_an_open_refutation_names_the_next_step(tmp_path: Path) -> None:
    module = define_in(tmp_path, LEAKING, prelude=False)
    refuted = replace(check(module.one, effort=0), privacy=Privacy())
    next_one = f"what now: `alignkit attack {module.__file__}::one` searches longer for a leak"
    assert f"\n  {next_one}\n" in plain_text(refuted)
    assert next_one in result_html(refuted)
    for other in (replace(refuted, expected=Verdict.REFUTED), check(module.phi)):
        assert "what now" not in plain_text(other)
