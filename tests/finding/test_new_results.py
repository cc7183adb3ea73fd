"""docs/new_results.md quotes programs that are proved, and states losses that are certified."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from finding import new_results
from finding.new_results import gumbel_top_k_with_gaps, numeric_phi, threshold_phi, two_sided_phi
from finding.new_results_losses import SHOWN

from alignkit import Alignment, attack, check, find
from alignkit.running.adjacency import Adjacency

PAGE = (Path(__file__).parents[2] / "docs" / "new_results.md").read_text(encoding="utf-8")
SOURCE = Path(new_results.__file__).read_text(encoding="utf-8")
ALIGNMENTS = [value for value in vars(new_results).values() if isinstance(value, Alignment)]
ROWS = re.findall(r"^\| `\w+_phi` .*$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_the_page_quotes_the_programs(block):
    assert [part for part in block.rstrip("\n").split("\n\n\n") if part not in SOURCE] == []


@pytest.mark.parametrize("mine", ALIGNMENTS, ids=lambda alignment: alignment.name)
def test_every_claim_is_proved_for_all_parameters(mine):
    result = check(mine, effort=0)
    assert result.proved
    assert "scope: all" in str(result)
    assert mine.name in PAGE
    assert mine.mechanism.name in PAGE


def test_the_page_has_the_table_that_is_printed():
    assert [shown.line() for shown in SHOWN] == ROWS


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown.alignment.name)
def test_the_losses_are_of_adjacent_answers_and_below_the_claim(shown):
    alignment = shown.alignment
    changes = [a - b for a, b in zip(shown.q, shown.q_, strict=True)]
    assert max(map(abs, changes)) <= 1
    if alignment.adjacency is Adjacency.MONOTONE:
        assert min(changes) >= 0 or max(changes) <= 0
    assert 0.97 * shown.claim < shown.certified().loss <= shown.claim


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mine", "parameters", "least"),
    [
        (numeric_phi, {"T": 0, "k": 1, "eps0": 1, "eps1": 1, "eps2": 1}, 1.99),
        (two_sided_phi, {"k": 1, "eps0": 1, "eps1": 1, "low": -20, "high": 0}, 1.8),
        (threshold_phi, {"T": 0, "k": 1}, 0.99),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_an_attack_finds_events_near_the_claim(mine, parameters, least):
    found = attack(mine, parameters=parameters, effort=400, seed=0)
    assert least <= found.loss
    assert not found.violates


@pytest.mark.slow
@pytest.mark.parametrize(("adjacency", "claim"), [("each", "eps * k"), ("monotone", "eps * k / 2")])
def test_the_gaps_of_gumbel_noise_are_found_from_the_mechanism_alone(adjacency, claim):
    proved = find(gumbel_top_k_with_gaps, adjacency=adjacency).proved
    assert proved is not None
    assert proved.claim == claim
