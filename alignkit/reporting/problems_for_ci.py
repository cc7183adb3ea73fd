"""What a CI system is told of a run: each result that is not as expected and each error, with its place.

A result that its proof declares, a refutation included, is no problem. The formats ``sarif`` and ``github`` are made
from these problems; ``junit`` lists all results.

Text that XML, JSON and logs can hold: characters that some of them forbid are replaced by their codes.

The problems of a run as workflow commands, which GitHub shows beside the lines of a change.

The commands and their escapes are those of https://docs.github.com/actions/reference/workflow-commands-for-github-actions
and of the toolkit's ``command.ts`` (https://github.com/actions/toolkit).

The results of a run as JUnit XML, which CI systems read: a test case for each alignment and for each error.

The elements are those that https://github.com/testmoapp/junitxml describes. The document is plain ASCII with character
references, so that no encoding of a stream or a file can spoil it.

The problems of a run as SARIF 2.1.0, which code scanning reads.

The format is that of https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. Its rules are the conditions of
a proof, and what else makes a run fail. An error that is about no file is a notification of the invocation.
"""

from __future__ import annotations

import json
import linecache
import os
import re
import urllib.parse
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from alignkit.reporting.sentences import claim_shown, expectation_shown, opinions_shown, privacy_shown
from alignkit.results import TITLES, Result, Verdict
from alignkit.version import __version__

# What XML 1.0 does not allow (https://www.w3.org/TR/xml/#charsets): controls, lone surrogates and two noncharacters.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def legal_text(text: str) -> str:
    r"""Replace each character that XML forbids by its code, as Python writes it.

    >>> legal_text("a\x00b\ud800")
    'a\\x00b\\ud800'
    """
    return _ILLEGAL.sub(lambda match: match[0].encode("unicode_escape", "surrogatepass").decode("ascii"), text)


# The rules: each condition of a proof, and what else makes a run fail.
RULES = {
    **{name: f"condition of the proof: {title}" for name, title in TITLES.items()},
    "not_private": "a loss, or a delta, above the claim was certified",
    "unexpected_proof": "an alignment is proved where another verdict was expected",
    "differs": "a function differs from the mechanism that it is claimed to implement",
    "not_shown": "it is not shown that a function implements a mechanism",
    "not_checked": "a target or an alignment could not be checked",
}


@dataclass(frozen=True)
class CiProblem:
    """A problem with the rule that it is about; ``summary`` is one sentence, ``details`` the full report.

    ``level`` is ``error``, ``warning`` or, of what is no problem, ``note``. ``line`` and ``column`` count from 1, and
    are None where they are not known.
    """

    level: str
    rule: str
    title: str
    summary: str
    details: str = ""
    file: str | None = None
    line: int | None = None
    column: int | None = None


def ci_problems(
    results: Sequence[Result],
    errors: Sequence[Mapping[str, Any]] = (),
    changed: Callable[[Result], tuple[str, int] | None] | None = None,
) -> list[CiProblem]:
    """List the problems of a run: those of its results, then its errors, as `results_json` takes them.

    A refutation is placed where its mechanism changed, if ``changed`` names a place for it.
    """
    problems: list[CiProblem] = []
    for result in results:
        problem = _result_problem(result)
        place = changed(result) if problem and changed and result.verdict is Verdict.REFUTED else None
        if problem is not None and place is not None:
            problem = replace(problem, file=place[0], line=place[1], column=_first_column(*place))
        problems += [] if problem is None else [problem]
    return [*problems, *map(_error_problem, errors)]


def opinion_notes(results: Sequence[Result]) -> list[CiProblem]:
    """List what a second program says of each proof, where it was asked for; notes have neither a rule nor a place."""
    asked = [result for result in results if result.opinion_asked]
    return [CiProblem("note", "", "second opinion", opinions_shown(result)) for result in asked]


def fails(result: Result) -> bool:
    """Tell whether a result makes the run fail: another verdict than expected, or a leak where a proof was expected."""
    return not result.as_expected or leaks_unexpectedly(result)


def leaks_unexpectedly(result: Result) -> bool:
    """Tell whether the mechanism is certified not to be private as claimed, where a proof was expected."""
    return result.expected is Verdict.PROVED and result.privacy.status == "not private"


def place_shown(file: str, root: Path) -> tuple[str, bool]:
    """Write a path relative to a folder, with ``/``; a path outside of it stays absolute, and False goes with it."""
    for resolve in (os.path.abspath, os.path.realpath):
        path, top = Path(resolve(file)), Path(resolve(root))
        if path.is_relative_to(top):
            return path.relative_to(top).as_posix(), True
    return Path(os.path.abspath(file)).as_posix(), False


def _result_problem(result: Result) -> CiProblem | None:
    if not fails(result):
        return None
    rule, words, file, line = _rule(result)
    undecided = result.verdict is Verdict.UNDECIDED and rule != "not_private"
    name = f"{result.mechanism} / {result.alignment}"
    claim = claim_shown(result.claim, result.ex_post, result.base, result.delta)
    broken = f"; condition: {TITLES[rule]} at {os.path.basename(file)}:{line}" if rule in TITLES else ""
    return CiProblem(
        level="warning" if undecided else "error",
        rule=rule,
        title=f"{name}: {result.verdict}",
        summary=f"{name} is {result.verdict} ({expectation_shown(result)}; claim: {claim}{broken}): {words}",
        details=str(result),
        file=file,
        line=line,
        column=_first_column(file, line),
    )


def _rule(result: Result) -> tuple[str, str, str, int]:
    """Choose the rule that a result breaks, with words and the place where it does."""
    here = (result.file, result.line)
    counterexample = result.counterexample
    if result.verdict is Verdict.REFUTED and counterexample is not None:
        return counterexample.condition, counterexample.words, counterexample.file, counterexample.line
    if leaks_unexpectedly(result):
        return "not_private", privacy_shown(result), *here
    for condition in result.conditions.values():
        if condition.status is result.verdict and result.verdict is not Verdict.PROVED:
            return condition.name, condition.how, *here
    return "unexpected_proof", RULES["unexpected_proof"], *here


def _first_column(file: str, line: int) -> int:
    """Return the column of the first character of a line that is no blank; 1 where the line cannot be read."""
    text = linecache.getline(file, line)
    return len(text) - len(text.lstrip()) + 1 if text.strip() else 1


def _error_problem(error: Mapping[str, Any]) -> CiProblem:
    subject, message = error["target"], error["message"]
    first, _, rest = message.partition("\n")
    return CiProblem(
        level="error",
        rule="not_checked",
        title="the run broke off" if subject is None else f"{subject}: {error.get('kind', 'not checked')}",
        summary=first,
        details=rest and message,
        file=error.get("file"),
        line=error.get("line"),
        column=error.get("column"),
    )


_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def github_report(problems: Sequence[CiProblem], root: Path) -> str:
    """Write a command for each problem, one a line; paths are relative to ``root``, the top of the repository."""
    return "".join(f"{_command(problem, root)}\n" for problem in problems)


def _command(problem: CiProblem, root: Path) -> str:
    properties: dict[str, str] = {}
    if problem.file is not None:
        properties["file"] = place_shown(problem.file, root)[0]
    if problem.file is not None and problem.line is not None:
        properties["line"] = str(problem.line)
        if problem.column is not None:
            properties["col"] = str(problem.column)
    properties["title"] = problem.title
    shown = ",".join(f"{name}={_escaped(value, _PROPERTY)}" for name, value in properties.items())
    text = f"{problem.summary}\n\n{problem.details}" if problem.details else problem.summary
    level = "notice" if problem.level == "note" else problem.level
    return f"::{level} {shown}::{_escaped(text, _DATA)}"


def _escaped(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in legal_text(text))


@dataclass(frozen=True)
class JunitCase:
    """A test case of a document: its name, its place, its time, what is stated of it, and why it fails, if it does."""

    name: str
    file: str | None
    line: int | None
    seconds: float
    properties: Mapping[str, str]
    problem: CiProblem | None


def junit_report(results: Sequence[Result], errors: Sequence[Mapping[str, Any]], root: Path) -> str:
    """Write the document on results; paths are as in `junit_document`."""
    return junit_document([_result_case(result) for result in results], errors, root)


def junit_document(cases: Sequence[JunitCase], errors: Sequence[Mapping[str, Any]], root: Path) -> str:
    """Write the document; paths are relative to ``root``, the top of the repository or the current folder."""
    counts = {
        "tests": str(len(cases) + len(errors)),
        "failures": str(sum(case.problem is not None for case in cases)),
        "errors": str(len(errors)),
        "skipped": "0",
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }
    top = ET.Element("testsuites", counts)
    suite = ET.SubElement(top, "testsuite", {"name": "alignkit", **counts})
    _add_properties(suite, {"alignkit": __version__})
    for case in cases:
        _add_case(suite, case, root)
    for error in errors:
        _add_error(suite, error, root)
    ET.indent(top)
    written: bytes = ET.tostring(top, encoding="us-ascii", xml_declaration=True)
    return written.decode("ascii")


def _add_case(suite: ET.Element, case: JunitCase, root: Path) -> None:
    element = _case(suite, case.name, case.file, case.line, root)
    element.set("time", f"{case.seconds:.3f}")
    _add_properties(element, case.properties)
    if case.problem is not None:
        named = {"type": case.problem.rule, "message": legal_text(case.problem.summary)}
        ET.SubElement(element, "failure", named).text = legal_text(case.problem.details)


def _result_case(result: Result) -> JunitCase:
    stated = {
        "verdict": str(result.verdict),
        "expected": str(result.expected),
        "claim": result.claim,
        "delta": result.delta,
        "adjacency": str(result.adjacency),
        "cost": result.cost,
        "opinion": str(result.opinion) if result.opinion_asked else None,
        "solver": None if result.solver == "z3" else result.solver,
        "vote": None if result.vote is None else str(result.vote),
        "cached": "true" if result.cached else None,
    }
    return JunitCase(
        name=f"{result.mechanism} / {result.alignment}",
        file=result.file,
        line=result.line,
        seconds=_seconds(result),
        properties={key: value for key, value in stated.items() if value is not None},
        problem=_result_problem(result),
    )


def _seconds(result: Result) -> float:
    """The seconds that this run has spent on a result."""
    return 0.0 if result.cached else result.seconds


def _add_error(suite: ET.Element, error: Mapping[str, Any], root: Path) -> None:
    name = error["target"] if error["target"] is not None else "the run"
    case = _case(suite, name, error.get("file"), error.get("line"), root)
    message = legal_text(error["message"])
    element = ET.SubElement(case, "error", {"type": f"exit code {error['exit_code']}", "message": message})
    element.text = message


def _case(suite: ET.Element, name: str, file: str | None, line: int | None, root: Path) -> ET.Element:
    shown = None if file is None else legal_text(place_shown(file, root)[0])
    case = ET.SubElement(suite, "testcase", {"name": legal_text(name), "classname": shown or "alignkit"})
    if shown is not None:
        case.set("file", shown)
        if line is not None:
            case.set("line", str(line))
    return case


def _add_properties(parent: ET.Element, values: Mapping[str, str]) -> None:
    properties = ET.SubElement(parent, "properties")
    for name, value in values.items():
        ET.SubElement(properties, "property", {"name": name, "value": legal_text(value)})


_ROOT = "SRCROOT"


def sarif_report(problems: Sequence[CiProblem], root: Path, exit_code: int) -> str:
    """Write the document; paths are relative to ``root``, the top of the repository or the current folder."""
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in RULES.items()]
    broken = any(problem.rule == "not_checked" for problem in problems)
    run = {
        "tool": {"driver": {"name": "alignkit", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": _file_uri(os.path.abspath(root)).rstrip("/") + "/"}},
        "invocations": [
            {
                "executionSuccessful": not broken,
                "exitCode": exit_code,
                "toolExecutionNotifications": [
                    {"level": problem.level, "message": _message(problem)}
                    for problem in problems
                    if problem.file is None
                ],
            }
        ],
        "results": [_result(problem, problem.file, root) for problem in problems if problem.file is not None],
    }
    schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2)


def _result(problem: CiProblem, file: str, root: Path) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(file, root)}
    if problem.line is not None:
        physical["region"] = {"startLine": problem.line, "startColumn": problem.column or 1}
    return {
        "ruleId": problem.rule,
        "ruleIndex": list(RULES).index(problem.rule),
        "level": problem.level,
        "message": _message(problem),
        "locations": [{"physicalLocation": physical}],
    }


def _message(problem: CiProblem) -> dict[str, str]:
    return {"text": legal_text(f"{problem.summary}\n\n{problem.details}" if problem.details else problem.summary)}


def _artifact(file: str, root: Path) -> dict[str, str]:
    path, inside = place_shown(file, root)
    if not inside:
        return {"uri": _file_uri(path)}
    return {"uri": urllib.parse.quote(os.fsencode(path)), "uriBaseId": _ROOT}


def _file_uri(path: str) -> str:
    return "file://" + urllib.parse.quote(os.fsencode("/" + Path(path).as_posix().lstrip("/")))
