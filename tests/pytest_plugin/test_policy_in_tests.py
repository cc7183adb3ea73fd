"""The policy and the other settings of a project hold for alignments that are tests."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_plugin.users_programs import HEAD, OPEN, PROVED, TOO_CHEAP, WASTEFUL

from alignkit import confirming
from alignkit.checking import check
from alignkit.cli import main
from alignkit.confirming import Opinion, Standing
from alignkit.pytest_plugin import requiring
from alignkit.results import Privacy

TOO_LARGE = "the claim 3 * eps is not proved to be at most 2 * eps, the largest that the policy accepts"


@pytest.fixture
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a proof that keeps its policy and one that breaks it; its only settings are in pyproject.toml."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("CI", raising=False)
    state(pytester.path, 'policy = { claims = { noisy_answer = "2 * eps" } }')
    (pytester.path / "proofs").mkdir()
    (pytester.path / "proofs" / "answers.py").write_text(HEAD + PROVED + WASTEFUL)
    return pytester.path


def state(project: Path, settings: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.alignkit]\n{settings}\n")


def test_what_breaks_the_policy_fails_in_the_words_of_the_command_line(
    run, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state(folder, 'policy = { claims = { "*" = "2 * eps" }, noise = ["geometric"] }')
    result = run("-v")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["FAILED *::wasteful_phi - *policy broken by noisy_answer / wasteful_phi*"])
    capsys.readouterr()
    assert main(["check", "proofs"]) == 1
    remarks = capsys.readouterr().out.partition("policy: broken by 2 alignments\n")[2].splitlines()
    shown = [line.partition("policy broken by ")[2] for line in result.outlines if line.startswith("policy broken by ")]
    assert shown == [remark.strip() for remark in remarks]
    assert len(shown) == 3
    result.stdout.fnmatch_lines(["PROVED  noisy_answer / wasteful_phi*"])


def test_what_keeps_the_policy_passes_and_the_header_names_the_file(run, folder: Path) -> None:
    result = run("proofs/answers.py::phi")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"alignkit: policy of {folder / 'pyproject.toml'}"])
    state(folder, "")
    result = run("proofs")
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("alignkit:*")


@pytest.mark.parametrize("own", [None, "[project]\nname = 'part'\n"], ids=["none", "of a part"])
def test_the_policy_of_the_project_holds_in_its_folders(
    run, folder: Path, monkeypatch: pytest.MonkeyPatch, own: str | None
) -> None:
    with (folder / "pyproject.toml").open("a") as file:
        file.write("[tool.pytest.ini_options]\n")
    if own is not None:
        (folder / "proofs" / "pyproject.toml").write_text(own)
    monkeypatch.chdir(folder / "proofs")
    run().assert_outcomes(passed=1, failed=1)


def test_the_policy_is_found_above_a_root_directory_below_it(run, folder: Path) -> None:
    (folder / "proofs" / "pytest.ini").write_text("[pytest]\nalignkit_files = *.py\n")
    result = run("proofs")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([f"rootdir: {folder / 'proofs'}", f"*{TOO_LARGE}"])


def test_it_is_that_of_the_project_and_not_that_of_the_current_folder(
    run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "pyproject.toml").write_text("[tool.alignkit]\ntimeout = 'long'\n")
    monkeypatch.chdir(elsewhere)
    run(str(folder / "proofs")).assert_outcomes(passed=1, failed=1)


def test_another_root_directory_leaves_the_settings_of_pytests_own_file(run, folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "pyproject.toml").write_text("")
    run("--rootdir=elsewhere", "-c", "pyproject.toml", "proofs/answers.py").assert_outcomes(passed=1, failed=1)


BLOCKED = "policy broken by squared / open_phi: it is undecided, and the policy has undecided_blocks = true"


@pytest.mark.parametrize("expected", ["proved", "undecided"])
def test_an_undecided_alignment_breaks_a_policy_that_it_blocks(run, folder: Path, expected: str) -> None:
    state(folder, "policy = { undecided_blocks = true }")
    (folder / "proofs" / "answers.py").write_text(HEAD + OPEN.replace('="eps"', f'="eps", expect="{expected}"'))
    result = run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([BLOCKED, "UNDECIDED  squared / open_phi*"])


def test_an_undecided_alignment_that_does_not_block_is_an_expected_failure_and_no_pass(run, folder: Path) -> None:
    state(folder, "policy = { undecided_blocks = false }")
    known = OPEN.replace('="eps"', '="eps", expect="undecided"').replace("open_phi", "known_phi")
    (folder / "proofs" / "answers.py").write_text(HEAD + known + OPEN)
    result = run("-rx", "--junitxml=report.xml")
    result.assert_outcomes(passed=1, xfailed=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines([
        "XFAIL *::open_phi - it is undecided, and the policy has undecided_blocks = false",
        "UNDECIDED  squared / open_phi*",
        "*power of a number that is not known*",
    ])  # fmt: skip
    [test] = ElementTree.parse(folder / "report.xml").iterfind(".//testcase[@name='open_phi']")
    assert {p.get("name"): p.get("value") for p in test.iter("property")}["verdict"] == "undecided"
    run("--runxfail", "proofs").assert_outcomes(passed=1, failed=1)


def test_a_refutation_fails_whatever_the_policy_says(run, folder: Path) -> None:
    state(folder, "policy = { undecided_blocks = false }")
    (folder / "proofs" / "answers.py").write_text(HEAD + TOO_CHEAP)
    run().assert_outcomes(failed=1)


def test_an_undecided_alignment_of_a_mechanism_that_leaks_fails_whatever_the_policy_says(
    run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaking(*arguments: Any, **settings: Any) -> Any:
        return replace(check(*arguments, **settings), privacy=Privacy("not private"))

    monkeypatch.setattr(requiring, "check", leaking)
    state(folder, "policy = { undecided_blocks = false }")
    (folder / "proofs" / "answers.py").write_text(HEAD + OPEN)
    run().assert_outcomes(failed=1)


def test_the_policy_holds_for_the_fixture(run, folder: Path) -> None:
    (folder / "test_mine.py").write_text(
        HEAD + PROVED + WASTEFUL + "def test_right(alignkit_check):\n    assert alignkit_check(phi).proved\n"
        "def test_wasteful(alignkit_check):\n    alignkit_check(wasteful_phi)\n"
    )
    result = run("test_mine.py")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([f"policy broken by noisy_answer / wasteful_phi: {TOO_LARGE}"])
    assert "requiring.py" not in result.stdout.str()


def test_the_limits_of_the_project_hold_unless_the_run_or_the_call_has_others(
    run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = []

    def noted(*arguments: Any, **settings: Any) -> Any:
        used.append((settings["timeout"], settings["seed"]))
        return check(*arguments, **settings)

    monkeypatch.setattr(requiring, "check", noted)
    state(folder, 'timeout = 30\nseed = 7\njobs = 3\nformat = "json"\ntargets = ["nowhere"]')
    (folder / "test_mine.py").write_text(
        HEAD + PROVED + "def test_mine(alignkit_check):\n    alignkit_check(phi)\n"
        "    alignkit_check(phi, timeout=20, seed=0)\n"
    )
    run("proofs/answers.py::phi").assert_outcomes(passed=1)
    run("test_mine.py").assert_outcomes(passed=1)
    run("--alignkit-timeout=50", "proofs/answers.py::phi", "test_mine.py").assert_outcomes(passed=2)
    assert used == [(30, 7), (30, 7), (20, 0), (50, 7), (50, 7), (20, 0)]


def test_proofs_are_confirmed_by_a_flag_a_setting_or_because_the_policy_needs_it(
    run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confirming, "confirm_alignment", lambda alignment, **asked: Opinion(Standing.BOUNDED, n=3, k=2))
    stated = '<property name="opinion" value="confirmed for n &lt;= 3, k &lt;= 2" />'
    phi, report = "proofs/answers.py::phi", folder / "report.xml"
    for flags, settings, asked in (
        ((), "", False),
        (("--alignkit-confirm",), "", True),
        ((), "confirm = true", True),
        ((), "policy = { confirmed = 3 }", True),
    ):
        state(folder, settings)
        run(*flags, phi, f"--junitxml={report}").assert_outcomes(passed=1)
        assert (stated in report.read_text()) == asked
    state(folder, 'policy = { confirmed = "every n" }')
    result = run(phi)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*requires that a second program confirms the proof for every n, and it says: *"])
    monkeypatch.setattr(
        confirming, "confirm_alignment", lambda alignment, **asked: Opinion(Standing.CONTRADICTED, problem="no")
    )
    result = run(phi, "--alignkit-no-cache")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*CONTRADICTED: the proof of noisy_answer / phi is withdrawn*"])


@pytest.mark.parametrize("settings", ["job = 2", "policy = { claim = {} }", 'policy = { adjacency = ["echa"] }'])
def test_settings_that_are_not_understood_end_the_run_with_the_text_of_the_command_line(
    run, folder: Path, capsys: pytest.CaptureFixture[str], settings: str
) -> None:
    state(folder, settings)
    (folder / "proofs" / "answers.py").write_text("raise RuntimeError('alignkit: this file was imported')\n")
    result = run()
    capsys.readouterr()
    assert main(["check"]) == 2
    words = capsys.readouterr().err.removeprefix("alignkit: ")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert [line for line in result.errlines if line] == [f"ERROR: {words.rstrip()}"]
    assert "imported" not in result.stdout.str()


@pytest.fixture
def part(folder: Path) -> Path:
    """A root directory of pytest below the project, so that pytest itself does not read the project's file."""
    path = folder / "part"
    path.mkdir()
    (path / "pytest.ini").write_text("[pytest]\n")
    (path / "mine_proofs.py").write_text(HEAD + PROVED)
    (path / "test_sum.py").write_text("def test_sum():\n    assert 1 + 1 == 2\n")
    return path


def test_a_file_that_is_no_toml_is_a_usage_error_where_it_mentions_alignkit(run, part: Path) -> None:
    (part.parent / "pyproject.toml").write_text("[tool.alignkit\n")
    result = run("part")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: pyproject.toml cannot be read: *"])


def test_a_broken_file_that_does_not_mention_alignkit_fails_alignments_only(run, part: Path) -> None:
    (part.parent / "pyproject.toml").write_text("[tool\n")
    result = run("part")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["pyproject.toml cannot be read: *"])


@pytest.mark.slow
def test_xdist_has_the_policy_and_one_usage_error(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    plugins = ("-p", "alignkit.pytest_plugin.hooks", "-p", "xdist", "-n", "2")
    (folder / "proofs" / "answers.py").write_text(HEAD + PROVED + WASTEFUL)
    result = pytester.runpytest_subprocess(*plugins)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([f"policy broken by noisy_answer / wasteful_phi: {TOO_LARGE}"])
    state(folder, "job = 2")
    result = pytester.runpytest_subprocess(*plugins)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert [line for line in result.errlines if line] == [
        "ERROR: pyproject.toml, [tool.alignkit]: there is no setting 'job'; did you mean `jobs`? "
        "the settings are targets, timeout, jobs, format, seed, confirm, policy"
    ]
