"""The results of a run as JUnit XML, which CI systems read: a test case for each alignment and for each error.

The elements are those that https://github.com/testmoapp/junitxml describes. The document is plain ASCII with character
references, so that no encoding of a stream or a file can spoil it.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from alignkit.reporting.legal_characters import legal_text
from alignkit.reporting.problems_for_ci import ci_problems, fails, place_shown
from alignkit.results import Result
from alignkit.version import __version__


def junit_report(results: Sequence[Result], errors: Sequence[Mapping[str, Any]], root: Path) -> str:
    """Write the document; paths are relative to ``root``, the top of the repository or the current folder."""
    counts = {
        "tests": str(len(results) + len(errors)),
        "failures": str(sum(map(fails, results))),
        "errors": str(len(errors)),
        "skipped": "0",
        "time": f"{sum(map(_seconds, results)):.3f}",
    }
    top = ET.Element("testsuites", counts)
    suite = ET.SubElement(top, "testsuite", {"name": "alignkit", **counts})
    _add_properties(suite, {"alignkit": __version__})
    for result in results:
        _add_result(suite, result, root)
    for error in errors:
        _add_error(suite, error, root)
    ET.indent(top)
    written: bytes = ET.tostring(top, encoding="us-ascii", xml_declaration=True)
    return written.decode("ascii")


def _add_result(suite: ET.Element, result: Result, root: Path) -> None:
    name = f"{result.mechanism} / {result.alignment}"
    case = _case(suite, name, result.file, result.line, root)
    case.set("time", f"{_seconds(result):.3f}")
    stated = {
        "verdict": str(result.verdict),
        "expected": str(result.expected),
        "claim": result.claim,
        "adjacency": str(result.adjacency),
        "cost": result.cost,
        "opinion": str(result.opinion) if result.opinion_asked else None,
        "solver": None if result.solver == "z3" else result.solver,
        "vote": None if result.vote is None else str(result.vote),
        "cached": "true" if result.cached else None,
    }
    _add_properties(case, {key: value for key, value in stated.items() if value is not None})
    for problem in ci_problems([result]):
        failure = ET.SubElement(case, "failure", {"type": problem.rule, "message": legal_text(problem.summary)})
        failure.text = legal_text(str(result))


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
