"""The problems of a run as SARIF 2.1.0, which code scanning reads.

The format is that of https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. Its rules are the conditions of
a proof, and what else makes a run fail. An error that is about no file is a notification of the invocation.
"""

from __future__ import annotations

import json
import os
import urllib.parse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from alignkit.reporting.legal_characters import legal_text
from alignkit.reporting.problems_for_ci import RULES, CiProblem, place_shown
from alignkit.version import __version__

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
