"""Both runs of a replay, step by step."""

from __future__ import annotations

import json
import sys

import pytest

from alignkit.cli import main
from alignkit.errors import InputError
from alignkit.explaining import WRITERS, explain, html_trace, trace, trace_of
from alignkit.proofs.noisy_max import phi as max_phi
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proofs.sparse_vector_broken import short_shift_phi

INPUTS = {"q": [0, 3], "q_": [1, 2], "T": 1, "k": 1, "eps": 1, "H": {"eta": 0, "eta_i": [0, 1]}}


def test_runs_that_go_together():
    pair = trace(gap_phi, **INPUTS)
    assert pair.first_difference is None
    assert "cost 1, claim 1; no condition fails on this pair of runs" in str(pair)
    gaps = [step for step in pair.steps if step.one is not None and step.one.code.startswith("gap =")]
    assert [(step.one.value, step.other.value) for step in gaps] == [(-1, -1), (3, 3)]


def test_the_answers_of_both_runs_are_shown():
    pair = trace(gap_phi, **INPUTS)
    assert str(pair).splitlines()[1] == "q = [0, 3] on D, [1, 2] on D′"
    assert "<p>q = [0, 3] on D, [1, 2] on D′</p>" in html_trace(pair)


def test_the_step_at_which_runs_part_is_marked():
    result = explain(short_shift_phi).result
    pair = trace_of(short_shift_phi, result)
    assert pair is not None
    parting = pair.first_difference
    assert parting is not None
    assert parting.one.code == "yield gap"
    assert str(pair).count("<- here") == 1
    assert 'class="parts"' in html_trace(pair)


def test_a_proof_has_the_runs_that_cost_the_most():
    pair = trace_of(max_phi, explain(max_phi).result)
    assert pair is not None
    assert "cost 1, claim 1" in pair.conclusion


@pytest.mark.parametrize("alignment", [gap_phi, max_phi, short_shift_phi], ids=lambda a: a.mechanism.name)
def test_a_line_has_at_most_80_signs(alignment):
    pair = trace_of(alignment, explain(alignment).result)
    assert pair is not None
    table = str(pair).splitlines()[1:-2]
    assert all(len(line) <= 80 for line in table)


def test_runs_that_take_other_ways_are_shown_to_their_ends():
    inputs = {**INPUTS, "H": {"eta": -2, "eta_i": [0, 1]}}
    pair = trace(short_shift_phi, **{**inputs, "q": [0, 3], "q_": [-1, 2]})
    assert pair.first_difference is not None


def test_the_command_shows_runs_of_ones_own(capsys):
    assert main(["explain", "sparse_vector_with_gap", "--trace", "--quiet", "--inputs", json.dumps(INPUTS)]) == 0
    assert "yield gap" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--inputs", "{}"], "--inputs goes with --trace"),
        (["--trace", "--inputs", "q=1"], "not JSON"),
        (["--trace", "--inputs", "[1]"], "must be a JSON object"),
        (["--trace", "--format", "latex"], "text or html, not latex"),
        (["--trace", "--inputs", '{"q": [0], "q_": [5], "eps": 1, "H": {"eta": [0]}}'], "more than the sensitivity 1"),
    ],
)
def test_bad_input_is_refused(flags, words, capsys):
    assert main(["explain", "noisy_max", "--quiet", *flags]) == 2
    assert words in capsys.readouterr().err


def test_noise_that_is_missing_is_named():
    with pytest.raises(InputError, match="H has no eta"):
        trace(gap_phi, **{**INPUTS, "H": {"eta_i": [0, 0]}})


LONG = """
@mechanism
def counts_of_two_tiers(q: Queries, threshold_of_the_first_tier: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q[0] + eta >= threshold_of_the_first_tier and q[0] + eta < threshold_of_the_first_tier + 1000:
        return (ABOVE, [1000 * q_i for q_i in q])
    return (BELOW, [])

@alignment(counts_of_two_tiers, epsilon="eps")
def one_to_one_alignment_of_counts_of_two_tiers(H):
    return H.shift(eta=1)
"""


@pytest.fixture
def two_tiers(define):
    return define(LONG)


def test_no_word_is_broken_in_80_columns(two_tiers):
    phi = two_tiers.one_to_one_alignment_of_counts_of_two_tiers
    inputs = {"q": list(range(100, 112)), "q_": list(range(100, 112)), "threshold_of_the_first_tier": 0, "eps": 1}
    pair = trace(phi, **inputs, H={"eta": 0})
    lines = str(pair).splitlines()
    assert max(map(len, lines)) <= 80
    words = {word for line in lines for word in line.split()}
    code = "if q[0] + eta >= threshold_of_the_first_tier and q[0] + eta < threshold_of_the_first_tier + 1000:"
    assert {*code.split(), "(100000,", "101000,"} <= words
    assert not [word for word in words if "…" in word]
    assert "111000" in str(pair)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_names_are_written_without_backslashes(two_tiers, form):
    document = explain(two_tiers.one_to_one_alignment_of_counts_of_two_tiers).document
    text = WRITERS[form](document)
    assert "counts_of_two_tiers" in text
    assert "\\_" not in text.replace("q\\_", "")


def test_a_terminal_gets_an_explanation_of_80_columns(two_tiers):
    text = WRITERS["text"](explain(two_tiers.one_to_one_alignment_of_counts_of_two_tiers).document)
    assert "\\" not in text.partition("reproduce")[0]
    prose = [line for line in text.splitlines() if len(line) > 80]
    assert all("load(" in line or "replay(" in line or "def " in line or "if q[0]" in line for line in prose)
    assert "one_to_one_alignment_of_counts_of_two_tiers: " in text


def test_the_command_writes_text_on_a_terminal_alone(capsys, monkeypatch):
    heading = "noisy_max / phi: a proof of eps-DP"
    for terminal, first in ((True, heading), (False, f"# {heading}")):
        monkeypatch.setattr(sys.stdout, "isatty", lambda terminal=terminal: terminal)
        assert main(["explain", "alignkit.proofs.noisy_max.phi", "--quiet"]) == 0
        assert capsys.readouterr().out.splitlines()[0] == first
