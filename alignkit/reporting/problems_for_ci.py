"""What a CI system is told of a run: each result that is not as expected and each error, with its place.

A result that its proof declares, a refutation included, is no problem. The formats ``sarif`` and ``github`` are made
from these problems; ``junit`` lists all results.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alignkit.reporting.sentences import claim_shown, expectation_shown, opinions_shown, privacy_shown
from alignkit.results import TITLES, Result, Verdict

# The rules: each condition of a proof, and what else makes a run fail.
RULES = {
    **{name: f"condition of the proof: {title}" for name, title in TITLES.items()},
    "not_private": "a loss above the claim was certified",
    "unexpected_proof": "an alignment is proved where another verdict was expected",
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


def ci_problems(results: Sequence[Result], errors: Sequence[Mapping[str, Any]] = ()) -> list[CiProblem]:
    """List the problems of a run: those of its results, then its errors, as `results_json` takes them."""
    return [*filter(None, map(_result_problem, results)), *map(_error_problem, errors)]


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
    claim = claim_shown(result.claim, result.ex_post, result.base)
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
        title="the run broke off" if subject is None else f"{subject}: not checked",
        summary=first,
        details=rest and message,
        file=error.get("file"),
        line=error.get("line"),
        column=error.get("column"),
    )
