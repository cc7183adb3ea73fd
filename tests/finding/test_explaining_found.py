"""What is said of an alignment that was found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from finding.found import found

from alignkit import find
from alignkit.cli import main
from alignkit.errors import InputError
from alignkit.explaining import WRITERS
from alignkit.finding.findings import explain_found
from alignkit.mechanisms.laplace import laplace_mechanism


def test_the_text_has_the_proof_and_the_runs_that_force_its_cost():
    findings = found("sparse_vector_with_gap")
    text = WRITERS["markdown"](explain_found(findings))
    assert text.startswith("# sparse_vector_with_gap / phi: a proof of eps-DP")
    _, why = text.split("## Why no cheaper one of its shape was found")
    assert "costs less (k = 1, 2, 3; all T, eps)." in why
    assert "together force a cost of at least `eps`:" in why
    bound = findings.lower_bound
    assert bound is not None
    assert why.count("with noise at") == sum(len(case.runs) for case in bound.cases)


def test_without_a_bound_the_text_says_that_a_cheaper_one_may_exist():
    findings = replace(found("noisy_max"), lower_bound=None)
    assert "a cheaper one may exist" in WRITERS["markdown"](explain_found(findings))


def test_nothing_found_is_not_explained():
    with pytest.raises(InputError, match="no alignment of laplace_mechanism was found and proved"):
        explain_found(find(laplace_mechanism, claim="eps", effort=30))


def test_the_command_writes_it(capfd):
    assert main(["find", "noisy_max", "--explain", "-q"]) == 0
    assert "## Why no cheaper one of its shape was found" in capfd.readouterr().out
    assert main(["find", "noisy_max", "--explain", "--format", "json"]) == 2
