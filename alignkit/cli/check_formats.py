"""The reports of ``alignkit check`` that other programs read, each as one text for stdout."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alignkit.cli.check_worker import Unusable
from alignkit.reporting.gate_report import GateRemark, GateReport, failing_remarks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from alignkit.results import Result


def machine_report(
    kind: str,
    results: Sequence[Result],
    errors: Sequence[Unusable],
    gate: GateReport,
    exit_code: int,
    changed: Callable[[Result], tuple[str, int] | None] | None = None,
) -> str:
    """Write results and errors in the format ``json``, ``junit``, ``sarif`` or ``github``.

    What breaks the policy, or is worse than the baseline, is an error in the formats that
    have no place of their own for it. ``changed`` says where the mechanism of a result changed.
    """
    listed = [asdict(error) for error in errors]
    if kind == "json":
        from alignkit.reporting.json_documents import results_json
        from alignkit.reporting.sentences import file_shown

        for error in listed:
            error["file"] = error["file"] and file_shown(error["file"])
        return results_json(results, listed, gate) + "\n"
    listed += [_of_gate(kind, remark) for kind, remark in failing_remarks(gate)]
    root = project_root(Path.cwd())
    if kind == "junit":
        from alignkit.reporting.problems_for_ci import junit_report

        return junit_report(results, listed, root) + "\n"
    from alignkit.reporting.problems_for_ci import ci_problems, opinion_notes

    problems = [*ci_problems(results, listed, changed), *opinion_notes(results)]
    if kind == "sarif":
        from alignkit.reporting.problems_for_ci import sarif_report

        return sarif_report(problems, root, exit_code) + "\n"
    from alignkit.reporting.problems_for_ci import github_report

    return github_report(problems, root)


def _of_gate(kind: str, remark: GateRemark) -> dict[str, Any]:
    return {**asdict(Unusable(remark.target, remark.message, 1)), "kind": kind}


def project_root(folder: Path) -> Path:
    """Return the top of the repository that a folder is in, or the folder itself where there is none."""
    return next((place for place in (folder, *folder.parents) if (place / ".git").exists()), folder)
