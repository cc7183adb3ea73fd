"""Bad alignments on the command line: what is said, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def changed(mine: Path, before: str, after: str) -> Path:
    text = mine.read_text()
    assert before in text
    mine.write_text(text.replace(before, after))
    return mine


@pytest.mark.parametrize(
    ("after", "words"),
    [
        ("eta=1 / (T - T)", "division by zero"),
        ("eta=1 if omega[3] is BELOW else 1", "index 3 is out of range for 1 items of `omega`"),
        ("eta=max(1 for w in omega if w is not BELOW)", "max of an empty sequence"),
    ],
)
def test_a_run_that_breaks_it_is_shown(cli, mine: Path, after: str, words: str) -> None:
    changed(mine, "phi(q, q_, omega, H)", "phi(q, q_, T, omega, H)")
    number = next(n for n, line in enumerate(mine.read_text().splitlines(), 1) if "eta=1," in line)
    changed(mine, "eta=1,", f"{after},")
    ran = cli("check", "mine.py")
    assert ran.code == 1
    assert "REFUTED  mine / phi    claim: eps-DP    condition: same output" in ran.out
    assert f"> {number} | " in ran.out
    assert f"\n  the alignment is not defined for this run: {words}\n" in ran.out
    assert "confirmed by: exact replay" in ran.out
    assert "print(phi.replay(" in ran.out


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("epsilon", "the claim uses `epsilon`, which is not available here"),
        ("eps / 0", "the claim divides by zero"),
        ("omega", "the claim reads the output itself"),
    ],
)
def test_a_bad_claim_is_an_error_in_the_file(cli, mine: Path, claim: str, words: str) -> None:
    line = next(n for n, text in enumerate(mine.read_text().splitlines(), 1) if text.startswith("def phi"))
    changed(mine, 'epsilon="eps"', f'epsilon="{claim}"')
    ran = cli("check", "mine.py", "--format", "json")
    assert ran.code == 2
    [error] = json.loads(ran.out)["errors"]
    assert error["exit_code"] == 2
    assert f"mine.py:{line} (claim):1:1: {words}" in error["message"]
    assert claim in error["message"]


def test_an_invariant_that_does_not_hold_at_the_start(cli, mine: Path) -> None:
    changed(mine, 'epsilon="eps"', 'epsilon="eps", invariant="count <= k - 2"')
    ran = cli("check", "mine.py", "--format", "json")
    assert ran.code == 3
    [result] = json.loads(ran.out)["results"]
    condition = result["conditions"]["same_output"]
    assert condition["status"] == "undecided"
    assert condition["how"].startswith(
        f"line {result['line']}: the invariant `count <= k - 2` fails when the loop begins (line "
    )
    assert "for example with k = 1" in condition["how"]
    shown = cli("check", "mine.py").out
    assert condition["how"] in shown
    assert "note: assumed at the head of the loop, but not shown: count <= k - 2" in shown


def test_an_invariant_that_names_nothing(cli, mine: Path) -> None:
    changed(mine, 'epsilon="eps"', 'epsilon="eps", invariant="winners <= k"')
    ran = cli("check", "mine.py")
    assert ran.code == 2
    assert "(invariant):1:1: the invariant uses `winners`, which is not available here" in ran.err
