"""``alignkit check`` under a policy, and beside a baseline."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import alignkit.gating.breaches

COUNTING = '''\
from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def noisy_count(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta


@alignment(noisy_count, epsilon="eps")
def right(q, q_, H):
    return H.shift(eta=q - q_)


@alignment(noisy_count, epsilon="3 * eps")
def wasteful(q, q_, H):
    return H.shift(eta=q - q_)
'''

UNDECIDED = '''\
from alignkit import Epsilon, Noise, Query, alignment, mechanism, power


@mechanism
def squared(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta + power(q, 17) - q * power(q, 16)


@alignment(squared, epsilon="eps")
def open_phi(q, q_, H):
    return H.shift(eta=q - q_)
'''


ENTRY = {
    "adjacency": "each", "base": None, "claim": "eps", "ex_post": False, "expected": "proved",
    "mechanism": "noisy_count", "scope": {"eps": "all"}, "sensitivities": {"q": "1"}, "verdict": "proved",
    "worst_case": "eps",
}  # fmt: skip
ENTRIES = {"proofs/counting.py::right": ENTRY, "proofs/counting.py::wasteful": {**ENTRY, "claim": "3 * eps"}}


@pytest.fixture
def baseline(here: Path) -> Path:
    """The baseline of the file that `counting` writes."""
    path = here / "verdicts.json"
    path.write_text(json.dumps({"alignkit_baseline": 1, "alignments": ENTRIES}))
    return path


@pytest.fixture
def counting(here: Path) -> Path:
    path = here / "proofs" / "counting.py"
    path.parent.mkdir()
    path.write_text(COUNTING)
    return path


def state_policy(folder: Path, text: str, settings: str = "") -> None:
    (folder / "pyproject.toml").write_text(f"[tool.alignkit]\n{settings}\n[tool.alignkit.policy]\n{text}\n")


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_what_breaks_the_policy_is_listed_for_each_alignment(cli, counting: Path, here: Path) -> None:
    state_policy(here, 'claims = { noisy_count = "2 * eps" }')
    ran = cli("check", "proofs")
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert lines[-2:] == [
        "policy: broken by 1 alignment",
        "  noisy_count / wasteful: the claim 3 * eps is not proved to be at most 2 * eps, "
        "the largest that the policy accepts",
    ]
    ran = cli("check", "proofs/counting.py::right", "-q")
    assert (ran.code, ran.out) == (0, "")


def test_the_json_has_what_breaks_the_policy(cli, counting: Path, here: Path) -> None:
    state_policy(here, 'noise = ["geometric"]')
    ran = cli("check", "proofs/counting.py::right", "--format", "json")
    assert ran.code == 1
    document = json.loads(ran.out)
    message = "the mechanism draws laplace noise, and the policy accepts geometric"
    assert document["policy"] == [{"target": "noisy_count / right", "message": message}]
    assert document["baseline"] is None
    assert [result["verdict"] for result in document["results"]] == ["proved"]


def test_a_comparison_that_ends_its_process_accepts_nothing(
    cli, counting: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state_policy(here, 'claims = { noisy_count = "3 * eps" }')
    monkeypatch.setattr(alignkit.gating.breaches, "judgement", lambda *arguments: os._exit(7))
    ran = cli("check", "proofs", "--write-baseline", "verdicts.json")
    assert ran.code == 4
    assert "noisy_count / right: internal error: the process that checked it died (exit code 7" in ran.err
    assert ran.out.splitlines()[-3:] == [
        "policy: broken by 2 alignments",
        "  noisy_count / right: its claim could not be compared: the comparison did not end",
        "  noisy_count / wasteful: its claim could not be compared: the comparison did not end",
    ]
    assert not (here / "verdicts.json").exists()


@pytest.mark.parametrize(
    ("policy", "code"), [("", 3), ("undecided_blocks = true", 1), ("undecided_blocks = false", 0)]
)
def test_a_policy_says_whether_undecided_blocks(cli, here: Path, policy: str, code: int) -> None:
    (here / "squared.py").write_text(UNDECIDED)
    state_policy(here, policy)
    ran = cli("check", "squared.py")
    assert ran.code == code
    assert ran.out.startswith("UNDECIDED  squared / open_phi")


def test_a_policy_is_kept_only_where_the_run_passes(cli, here: Path) -> None:
    (here / "squared.py").write_text(UNDECIDED)
    state_policy(here, 'claims = { "*" = "2 * eps" }')
    ran = cli("check", "squared.py")
    assert (ran.code, ran.out.splitlines()[-1]) == (3, "policy: not broken; the run fails for another reason")
    ran = cli("check", "missing.py")
    assert (ran.code, ran.out.splitlines()[-1]) == (2, "policy: nothing was checked")


def test_of_a_part_of_a_run_no_more_is_said(cli, counting: Path, baseline: Path, here: Path) -> None:
    state_policy(here, 'claims = { "*" = "3 * eps" }')
    ran = cli("check", "missing.py", "--baseline", "verdicts.json")
    assert ran.out.splitlines()[-2:] == ["policy: nothing was checked", "baseline: nothing was checked"]
    ran = cli("check", "proofs", "missing.py", "--baseline", "verdicts.json")
    assert ran.code == 2
    assert ran.out.splitlines()[-2:] == [
        "policy: not broken by what was checked; the run fails for another reason",
        "baseline: nothing that was checked got worse",
    ]


def test_a_name_that_nothing_has_is_mentioned_where_all_was_checked(cli, counting: Path, here: Path) -> None:
    state_policy(here, 'claims = { noisy_cuont = "eps" }', 'targets = ["proofs"]')
    ran = cli("check")
    assert ran.code == 0
    assert ran.err == "alignkit: the policy names noisy_cuont, and nothing that was checked has that name\n"
    ran = cli("check", "proofs/counting.py::right")
    assert (ran.err, ran.out.splitlines()[-1]) == ("", "policy: kept")
    (here / "proofs" / "torn.py").write_text("1 / 0\n")
    assert "nothing that was checked has that name" not in cli("check").err


def test_a_policy_says_what_the_command_does_not_examine(cli, counting: Path, here: Path) -> None:
    state_policy(here, "implementations = true", 'targets = ["proofs"]')
    ran = cli("check")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == (
        "policy: kept, but for implementations, which this command does not examine: alignkit implements, or pytest"
    )
    ran = cli("check", "--format", "json")
    assert "no claim was examined here" in ran.err


def test_a_bound_that_names_what_a_mechanism_has_not_says_what_to_write(cli, counting: Path, here: Path) -> None:
    renamed = COUNTING.replace("eps:", "budget:").replace("/ eps", "/ budget").replace('eps"', 'budget"')
    counting.write_text(renamed)
    state_policy(here, 'claims = { "*" = "3 * eps" }')
    ran = cli("check", "proofs/counting.py::right")
    assert ran.code == 1
    assert ran.out.splitlines()[-1] == (
        "  noisy_count / right: the policy's bound names `eps`, which noisy_count doesn't have; "
        'write claims = { noisy_count = "3 * budget" }'
    )
    ran = cli("check", "proofs/counting.py::right", "--format", "github")
    assert ran.out.startswith("::error title=noisy_count / right%3A policy broken::the policy's bound names `eps`")


def test_a_gate_without_targets_passes_by_no_proof_of_the_catalogue(cli, baseline: Path, here: Path) -> None:
    for flags in (("--baseline", "verdicts.json"), ("--write-baseline", "v.json"), ("--changed-since", "HEAD")):
        ran = cli("check", *flags)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"alignkit: {flags[0]} needs targets, since the catalogue's proofs are not yours")
    state_policy(here, 'claims = { "*" = "eps" }')
    ran = cli("check")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("alignkit: a policy needs targets")
    assert cli("check", "noisy_max").out.endswith("policy: kept\n")


def test_a_run_that_is_as_good_as_its_baseline_passes_from_any_folder(
    cli, counting: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli("check", "proofs", "--write-baseline", "verdicts.json").code == 0
    assert json.loads((here / "verdicts.json").read_text())["alignments"] == ENTRIES
    monkeypatch.chdir(counting.parent)
    ran = cli("check", "counting.py", "--baseline", "../verdicts.json")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "baseline: nothing got worse")


def test_a_run_that_got_worse_fails_and_says_what(cli, counting: Path, baseline: Path) -> None:
    edit(counting, '"eps")\ndef right', '"eps * 2")\ndef right')
    edit(counting, '"3 * eps"', '"eps"')
    edit(counting, "def wasteful", "def another")
    both = ("--baseline", "verdicts.json", "--write-baseline", "verdicts.json")
    ran = cli("check", "proofs", *both, "--format", "json")
    assert ran.code == 1
    assert json.loads(ran.out)["baseline"] == {
        "worse": [{"target": "proofs/counting.py::right", "message": "the claim grew from eps to eps * 2"}],
        "changed": [],
        "gone": [{"target": "proofs/counting.py::wasteful", "message": "it was proved"}],
        "new": [{"target": "proofs/counting.py::another", "message": "it is proved, with the claim eps"}],
        "better": [],
        "lost": True,
    }
    ran = cli("check", "proofs", *both)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "baseline: nothing got worse")


def test_what_is_better_passes_and_is_listed(cli, counting: Path, baseline: Path) -> None:
    edit(counting, "3 * eps", "2 * eps")
    ran = cli("check", "proofs", "--baseline", "verdicts.json")
    assert ran.code == 0
    assert ran.out.splitlines()[-3:] == [
        "baseline: better",
        "  proofs/counting.py::wasteful: the claim shrank from 3 * eps to 2 * eps",
        "baseline: nothing got worse",
    ]


def test_only_what_the_targets_cover_can_be_gone(cli, counting: Path, baseline: Path) -> None:
    edit(counting, "def wasteful", "def another")
    other = counting.with_name("other.py")
    other.write_text(COUNTING.partition("\n\n@alignment(noisy_count, epsilon=\"3")[0])
    ran = cli("check", "proofs/counting.py::right", "proofs/other.py", "--baseline", "verdicts.json")
    assert ran.code == 0
    assert "gone" not in ran.out
    counting.unlink()
    ran = cli("check", "proofs", "--baseline", "verdicts.json")
    assert ran.code == 1
    gone = "  proofs/counting.py::right: it was proved\n  proofs/counting.py::wasteful: it was proved\n"
    assert f"baseline: gone\n{gone}" in ran.out


def test_a_file_that_cannot_be_imported_is_not_gone_and_gives_no_baseline(cli, counting: Path, baseline: Path) -> None:
    written = baseline.read_text()
    counting.write_text("1 / 0\n")
    ran = cli("check", "proofs", "--baseline", "verdicts.json", "--write-baseline", "verdicts.json")
    assert ran.code == 2
    assert "gone" not in ran.out
    assert "the baseline verdicts.json was not written: nothing was checked" in ran.err
    assert baseline.read_text() == written


@pytest.mark.parametrize(
    ("flag", "file", "words"),
    [
        ("--baseline", "nothing.json", "there is no baseline nothing.json; write one with --write-baseline"),
        ("--baseline", "cut.json", "the baseline cut.json cannot be read: line 1 is not JSON"),
        ("--baseline", "proofs", "the baseline proofs cannot be read: Is a directory"),
        ("--write-baseline", "proofs", "the baseline proofs cannot be written: it is a folder"),
        ("--write-baseline", "nowhere/b.json", "the baseline nowhere/b.json cannot be written: there is no folder"),
    ],
)
def test_a_file_that_cannot_be_used_ends_the_command(
    cli, counting: Path, here: Path, flag: str, file: str, words: str
) -> None:
    (here / "cut.json").write_text('{"alignkit_bas')
    ran = cli("check", "proofs", flag, file)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
