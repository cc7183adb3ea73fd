"""``alignkit implements``: is the function that ships the mechanism that was proved?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alignkit.cli.check_command import exit_code, open_users_cache
from alignkit.cli.options import Command, add_import_timeout, time_limit, whole_number
from alignkit.cli.streams import say
from alignkit.errors import InputError, WorkerError
from alignkit.gating.project_settings import CHECK_FORMATS, DEFAULT_TIMEOUT, read_settings
from alignkit.markup import ProgressLine

if TYPE_CHECKING:
    from alignkit.cli.implements_worker import ImplementsPlan
    from alignkit.implementing.conformance_report import ConformanceReport

_SUMMARY = "compare a function that ships with a mechanism"

_DESCRIPTION = """\
Compare a library's function, as it stands, with a mechanism: run both on the
same noise, path by path for all real inputs of small sizes, and on floats.

A TARGET is package.module:function, FILE.py::function, or a file or folder (or
FILE.py::NAME) with claims made by `implements(mechanism, …)(function)`. Without
one, the files of the targets of [tool.alignkit] in pyproject.toml are read.
With --as, the mechanism is a name of the catalogue or FILE.py::NAME. Without
it, or where the function differs, the mechanisms of the catalogue whose
parameters fit the call are tried.

--call says how the function f is called, over the mechanism's parameters; it
may be left out where the function's parameters have the same names. Each
--sampler names a function that draws, by its draw; each --answers one that
gives a private answer. What they say is assumed, and listed.

"implements" says: for lists of up to 3 answers, counts of up to 2 and all real
inputs the outputs are equal on all paths, and in some 80 float runs too. It
says nothing of longer lists, of rounding, or of the quality of the noise.

The files are imported, and their functions are run: only name what you would
run.

exit codes: 0 implements, or a mechanism is found; 1 differs, or the policy is
broken; 2 a target that cannot be used; 3 cut or unsupported, or no mechanism is
found; 4 internal error; 130 interrupted. With several, 4 wins over 2 over 1
over 3.

examples:
  alignkit implements mylib.select:report --as noisy_max
      --call "f(q, epsilon=eps)"
  alignkit implements mylib.select:report
  alignkit implements tests/claims.py --format junit
  alignkit implements
"""


def _add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    words = "a function, or a file or folder with claims; default: the project's targets"
    parser.add_argument("claims", nargs="*", metavar="TARGET", help=words)
    words = "the mechanism: a name of the catalogue, or FILE.py::NAME"
    parser.add_argument("--as", dest="mechanism", metavar="MECHANISM", help=words)
    words = "how f is called, such as \"f(q, threshold=T, epsilon=eps)\""
    parser.add_argument("--call", metavar="EXPRESSION", help=words)
    words = "what makes the mechanism's output of the function's: FILE.py::NAME"
    parser.add_argument("--post", metavar="FUNCTION", help=words)
    words = "a function that draws, such as mylib.noise:lap=laplace(1); may be repeated"
    parser.add_argument("--sampler", action="append", default=[], metavar="FUNCTION=DRAW", help=words)
    words = "a function that gives a private answer, such as numpy:bincount=q; may be repeated"
    parser.add_argument("--answers", action="append", default=[], metavar="FUNCTION=NAME", help=words)
    words = "the longest lists of the symbolic runs (default 3)"
    parser.add_argument("--n", type=_size, default=3, metavar="N", help=words)
    parser.add_argument("--k", type=_size, default=2, metavar="K", help="the largest counts there (default 2)")
    words = f"seconds for each comparison, and as many for the catalogue (default {DEFAULT_TIMEOUT:g})"
    parser.add_argument("--timeout", type=time_limit, metavar="SECONDS", help=words)
    add_import_timeout(parser)
    parser.add_argument("--format", choices=CHECK_FORMATS, help="text (the default), or for a program")
    parser.add_argument("--no-cache", action="store_true", help="compare anew, and keep nothing for later runs")
    parser.add_argument("-q", "--quiet", action="store_true", help="print only what is not shown to implement")


def _size(text: str) -> int:
    return whole_number(text, 1)


def _execute(options: argparse.Namespace) -> int:
    """Compare the functions of the target, print the reports, and return the exit code."""
    from alignkit.cli.implements_worker import ImplementsPlan
    from alignkit.implementing.claims_from_text import ClaimText

    settings = read_settings(Path.cwd())
    targets = tuple(options.claims) or settings.targets
    if not targets:
        raise InputError("name a function, or a file with claims; or write targets under [tool.alignkit]")
    text = ClaimText(
        targets[0], options.mechanism, options.call, options.post, tuple(options.sampler), tuple(options.answers)
    )
    if text.flags and len(options.claims) != 1:
        raise InputError(f"{text.flags} is about one function: name one TARGET")
    plan = ImplementsPlan(
        text, targets, bool(options.claims), settings.targets,
        options.n, options.k, options.timeout or settings.timeout,
        None if options.no_cache else open_users_cache(quiet=options.quiet), settings.policy, settings.seed,
        settings.confirms,
    )  # fmt: skip
    form = options.format or settings.format
    reports: list[ConformanceReport] = []
    errors: list[dict[str, Any]] = []
    progress = ProgressLine(enabled=not options.quiet)
    try:
        for label, answer in _examined(plan, progress, options.import_timeout):
            if isinstance(answer, WorkerError):
                errors.append({"target": label, "message": str(answer), "exit_code": answer.exit_code})
                say(f"{label}: {answer}")
            else:
                reports.append(answer)
    except KeyboardInterrupt:
        say(f"interrupted: {len(reports)} compared")
        return 130
    codes = [report.exit_code for report in reports] + [error["exit_code"] for error in errors]
    code = exit_code((), [*codes, *(1 for report in reports if report.breaches)])
    applies = settings.policy is not None and settings.policy.implementations
    print(_written(form, reports, errors, applies, code, quiet=options.quiet), end="")
    return code


def _examined(
    plan: ImplementsPlan, progress: ProgressLine, import_seconds: float
) -> Iterator[tuple[str, ConformanceReport | WorkerError]]:
    """Yield the report, or the error, of each claim in turn."""
    from alignkit.cli.implements_worker import ImplementsService
    from alignkit.cli.worker_process import Worker
    from alignkit.cli.worker_turns import answers_in_turn

    start = partial(Worker, ImplementsService, plan, import_seconds=import_seconds)
    for claim, answer in answers_in_turn(start, ImplementsService.claims, ImplementsService.examine, progress):
        yield claim.label, answer


def _written(
    form: str, reports: list[ConformanceReport], errors: list[dict[str, Any]], applies: bool, code: int, *, quiet: bool
) -> str:
    """The reports in a format, as one text for stdout; ``applies`` says whether a policy does."""
    from alignkit.cli.check_formats import project_root
    from alignkit.implementing.conformance_report import report_case, report_document, report_problem, report_shown
    from alignkit.reporting.problems_for_ci import ci_problems, github_report, junit_document, sarif_report
    from alignkit.version import __version__

    breaches = [{"target": r.title, "message": breach} for r in reports for breach in r.breaches]
    if form == "text":
        shown = [report for report in reports if not quiet or report.exit_code or report.breaches]
        return "".join(f"{text}\n" for text in "\n\n".join(map(report_shown, shown)).split("\n") if shown)
    if form == "json":
        document = {
            "alignkit": __version__, "implementations": list(map(report_document, reports)), "errors": errors,
            "policy": breaches if applies else None,
        }  # fmt: skip
        return json.dumps(document, indent=2) + "\n"
    root = project_root(Path.cwd())
    listed = errors + [
        {"target": r.title, "message": breach, "exit_code": 1, "file": r.file, "line": r.line, "kind": "policy broken"}
        for r in reports
        for breach in r.breaches
    ]
    if form == "junit":
        return junit_document(list(map(report_case, reports)), listed, root) + "\n"
    problems = [*filter(None, map(report_problem, reports)), *ci_problems((), listed)]
    return github_report(problems, root) if form == "github" else sarif_report(problems, root, code) + "\n"


COMMAND = Command(_SUMMARY, _DESCRIPTION, _add_flags, _execute)
