"""What passes and what fails, with which report; time limits, scopes, properties, and xdist."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_plugin.users_programs import HEAD, KNOWN_TO_BE_TOO_CHEAP, MECHANISM, PROVED, TOO_CHEAP

from alignkit.checking import check
from alignkit.cli import main
from alignkit.pytest_plugin import requiring


def properties(file: Path) -> dict[str, dict[str, str | None]]:
    """The properties of each test in a JUnit file."""
    tests = ElementTree.parse(file).iter("testcase")
    return {
        str(test.get("name")): {str(p.get("name")): p.get("value") for p in test.iter("property")} for test in tests
    }


def timeless(text: str) -> list[str]:
    return [line.partition(" s, ")[0].rpartition(" ")[0] if " s, " in line else line for line in text.splitlines()]


def test_proofs_and_expected_refutations_pass(run, project: Path) -> None:
    result = run("-v", "proofs", "--junitxml=report.xml")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["proofs/answers.py::phi PASSED*", "proofs/answers.py::known_phi PASSED*"])
    assert properties(project / "report.xml") == {
        "phi": {"verdict": "proved", "claim": "eps", "cost": "eps"},
        "known_phi": {"verdict": "refuted", "claim": "eps / 2"},
    }


def test_an_unexpected_refutation_fails_with_the_report_of_the_command_line(
    run, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # so that no line is folded
    (project / "broken_proofs.py").write_text(HEAD + TOO_CHEAP)
    result = run("broken_proofs.py")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["FAILED broken_proofs.py::cheap_phi - *REFUTED*"])
    capsys.readouterr()
    assert main(["check", "broken_proofs.py", "-q"]) == 1
    report = timeless(capsys.readouterr().out.partition("\n\n")[0])
    assert len(report) > 10
    assert "\n".join(report) in "\n".join(timeless(result.stdout.str()))


def test_a_proof_where_a_refutation_is_expected_fails(run, project: Path) -> None:
    (project / "proofs" / "answers.py").write_text(HEAD + PROVED.replace('"eps"', '"eps", expect="refuted"'))
    result = run("proofs")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["PROVED  noisy_answer / phi*UNEXPECTED: should be refuted*"])


def test_a_check_without_time_is_undecided(run, project: Path) -> None:
    unsure = PROVED.replace('"eps"', '"eps", expect="undecided"').replace("phi", "unsure_phi")
    (project / "proofs" / "answers.py").write_text(HEAD + PROVED + unsure)
    result = run("-v", "proofs", "--alignkit-timeout", "1e-9")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*::phi FAILED*", "*::unsure_phi PASSED*", "UNDECIDED  noisy_answer / phi*", "*time*"])


def test_an_alignment_of_a_mechanism_that_has_been_redefined_fails(
    run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)  # where it is set, pytest's summary has the whole message again
    (project / "proofs" / "answers.py").write_text(HEAD + PROVED + MECHANISM.replace("1 / eps", "2 / eps"))
    result = run("proofs")
    result.assert_outcomes(failed=1)
    assert result.stdout.str().count("`noisy_answer` has been redefined since phi was made for it") == 1


@pytest.mark.parametrize("limit", ["soon", "0", "-1", "nan", "inf"])
def test_a_bad_time_limit_says_what_to_write(run, project: Path, limit: str) -> None:
    result = run(f"--alignkit-timeout={limit}", "proofs")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--alignkit-timeout: the timeout must be a number of seconds above 0, such as 10,*"])


@pytest.fixture
def up_to_three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every proof covers only three of the values that it covers."""

    def bounded(*arguments: Any, **settings: Any) -> Any:
        result = check(*arguments, **settings)
        return replace(result, scope=dict.fromkeys(result.scope, "up to 3"))

    monkeypatch.setattr(requiring, "check", bounded)


@pytest.mark.usefixtures("up_to_three")
def test_a_bounded_proof_fails_where_the_marker_requires_all(run, project: Path) -> None:
    head = HEAD + "pytestmark = pytest.mark.alignkit_scope('all')\n"
    bounded = PROVED.replace("def phi", "@pytest.mark.alignkit_scope('bounded')\ndef bounded_phi")
    (project / "proofs" / "answers.py").write_text(head + PROVED + KNOWN_TO_BE_TOO_CHEAP + bounded)
    (project / "proofs" / "unmarked.py").write_text(HEAD + PROVED)
    result = run("--strict-markers", "proofs")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines([
        "noisy_answer / phi is proved for eps up to 3 only, and all n and all public parameters were required",
        "PROVED  noisy_answer / phi*",
    ])  # fmt: skip


def test_a_proof_of_everything_keeps_the_marker(run, project: Path) -> None:
    (project / "proofs" / "answers.py").write_text(HEAD + "pytestmark = [pytest.mark.alignkit_scope('all')]\n" + PROVED)
    run("proofs").assert_outcomes(passed=1)


@pytest.mark.parametrize("arguments", ["", "'everything'", "'all', 'bounded'", "scope='all'"])
def test_a_bad_marker_says_what_to_write(run, project: Path, arguments: str) -> None:
    (project / "proofs" / "answers.py").write_text(
        HEAD + f"pytestmark = [pytest.mark.alignkit_scope({arguments})]\n" + PROVED
    )
    result = run("proofs")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["alignkit_scope takes 'all' or 'bounded': write @pytest.mark.alignkit_scope('all')"])


TESTS = (
    HEAD + PROVED + TOO_CHEAP + KNOWN_TO_BE_TOO_CHEAP + "\n"
    "def test_proved(alignkit_check):\n    assert alignkit_check(phi).cost == 'eps'\n"
    "def test_known(alignkit_check):\n    assert alignkit_check(known_phi).counterexample is not None\n"
    "def test_cheap(alignkit_check):\n    alignkit_check(cheap_phi)\n"
    "def test_late(alignkit_check):\n    alignkit_check(phi, timeout=1e-9)\n"
)


def test_the_fixture_checks_within_a_test(run, project: Path) -> None:
    (project / "test_mine.py").write_text(TESTS)
    result = run("-v", "test_mine.py", "--junitxml=report.xml")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["REFUTED  noisy_answer / cheap_phi*", "UNDECIDED  noisy_answer / phi*"])
    assert "requiring.py" not in result.stdout.str()
    found = properties(project / "report.xml")
    assert found["test_proved"] == {"verdict": "proved", "claim": "eps", "cost": "eps"}
    assert [test["verdict"] for test in found.values()] == ["proved", "refuted", "refuted", "undecided"]


def test_xdist_gives_the_same(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (project / "broken_proofs.py").write_text(HEAD + TOO_CHEAP)
    plugins = ("-p", "alignkit.pytest_plugin.hooks", "-p", "xdist")
    result = pytester.runpytest_subprocess(*plugins, "-n", "2", "--junitxml=report.xml")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["REFUTED  noisy_answer / cheap_phi*"])
    verdicts = {name: found["verdict"] for name, found in properties(project / "report.xml").items()}
    assert verdicts == {"phi": "proved", "known_phi": "refuted", "cheap_phi": "refuted"}
