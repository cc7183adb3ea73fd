"""``alignkit explain``: what a check showed of an alignment, written for people."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alignkit.cli.options import Command, add_import_timeout, time_limit, whole_number
from alignkit.cli.streams import say
from alignkit.errors import InputError, WorkerError
from alignkit.markup import ProgressLine

if TYPE_CHECKING:
    from alignkit.cli.explain_worker import Explained, ExplainTarget

_SUMMARY = "write a proof for people"

_DESCRIPTION = """\
Check the alignments of TARGET (file.py, file.py::name, or a name of the
catalogue) and write what was shown: the mechanism, the alignment, each
statement that was proved, and the conclusion. For a refuted alignment, where
the argument breaks; for an undecided one, what is shown and what is missing.

exit codes: 0 as expected; 1 another verdict than expected; 2 wrong usage, or a
target that cannot be used; 3 undecided; 4 internal error; 130 interrupted.

examples:
  alignkit explain sparse_vector_with_gap
  alignkit explain mine.py::phi --format html
  alignkit explain mine.py::phi --trace
  alignkit explain mine.py::phi --html page.html
"""

FORMATS = ("text", "markdown", "html", "latex")


def _add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("target", metavar="TARGET", help="what to explain")
    words = "text (the default on a terminal), markdown (the default elsewhere), html or latex"
    parser.add_argument("--format", choices=FORMATS, help=words)
    words = "show both runs side by side: those of the counterexample, or runs whose shifts cost the most"
    parser.add_argument("--trace", action="store_true", help=words)
    words = 'with --trace: the inputs, such as \'{"q": [0], "q_": [1], "eps": 1, "H": {"eta": 0}}\''
    parser.add_argument("--inputs", type=_inputs, metavar="JSON", help=words)
    words = "write a page of HTML on which inputs and noise can be moved by hand"
    parser.add_argument("--html", metavar="FILE", help=words)
    words = "write plots to FOLDER, as SVG; needs matplotlib: the extra `plots`"
    parser.add_argument("--plots", metavar="FOLDER", help=words)
    words = "seconds for each alignment (default 60)"
    parser.add_argument("--timeout", type=time_limit, default=60.0, metavar="SECONDS", help=words)
    add_import_timeout(parser)
    parser.add_argument("--seed", type=whole_number, default=0, metavar="N", help="seed of the search (default 0)")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def _inputs(text: str) -> dict[str, Any]:
    """The inputs of a replay; ArgumentTypeError where the text is no JSON object."""
    try:
        values = json.loads(text, parse_float=str)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(f"not JSON: {problem}") from None
    if not isinstance(values, dict):
        raise argparse.ArgumentTypeError("the inputs must be a JSON object, such as {\"q\": [0], \"q_\": [1]}")
    return values


def _execute(options: argparse.Namespace) -> int:
    """Explain the target's alignments one after the other, and return the exit code."""
    from alignkit.cli.explain_worker import ExplainPlan, ExplainService
    from alignkit.cli.worker_process import Worker
    from alignkit.cli.worker_turns import answers_in_turn
    from alignkit.plotting.figures import MISSING, has_matplotlib

    if options.inputs is not None and not options.trace:
        raise InputError("--inputs goes with --trace")
    if options.trace and options.format == "latex":
        raise InputError("--trace writes text or html, not latex")
    if options.plots is not None and (options.html is not None or options.trace or options.format):
        raise InputError("--plots FOLDER goes without --html, --trace and --format")
    if options.plots is not None and not has_matplotlib():
        raise InputError(MISSING)
    if options.html is not None and (options.trace or options.format):
        raise InputError("--html FILE writes a page that shows both runs; it goes without --trace and --format")
    if options.html is not None and not Path(options.html).absolute().parent.is_dir():
        raise InputError(f"--html {options.html}: there is no folder {Path(options.html).absolute().parent}")
    page = options.html is not None
    plan = ExplainPlan(
        options.target,
        options.timeout,
        options.seed,
        options.format or ("text" if sys.stdout.isatty() else "markdown"),
        options.trace,
        options.inputs,
        page,
        options.plots is not None,
    )
    start = partial(Worker, ExplainService, plan, import_seconds=options.import_timeout)
    progress = ProgressLine(enabled=not options.quiet)
    codes = [0]
    written: list[str] = []
    for target, answer in answers_in_turn(start, ExplainService.targets, ExplainService.explain, progress):
        if isinstance(answer, WorkerError):
            say(f"{target.label}: {answer}")
            codes.append(answer.exit_code)
            continue
        if answer.is_page:
            written.append(_write(options.html, target.name, answer, written))
        elif answer.plots:
            _write_plots(Path(options.plots), target, answer)
        else:
            print(answer.text)
        codes.append(answer.code)
    return 1 if 1 in codes and max(codes) == 3 else max(codes)


def _write(file: str, name: str, answer: Explained, before: list[str]) -> str:
    """Write a page, say where, and return its path; every page but the first has the alignment's name in its own."""
    path = Path(file)
    if before:
        path = path.with_name(f"{path.stem}-{name}{path.suffix}")
        if str(path) in before:
            path = path.with_name(f"{path.stem}-{len(before) + 1}{path.suffix}")
    try:
        path.write_text(answer.text, encoding="utf-8")
    except OSError as problem:
        raise InputError(f"--html {path}: {problem.strerror or problem}") from None
    missing = f"; left out, since the page would be too large: {', '.join(answer.left_out)}" if answer.left_out else ""
    print(f"{path}: {len(answer.text.encode()) // 1000} kB{missing}")
    return str(path)


def _write_plots(folder: Path, target: ExplainTarget, answer: Explained) -> None:
    """Write the plots of an alignment, and say where."""
    stem = target.label.replace(" / ", "-")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in answer.plots:
            path = folder / f"{stem}-{name}.svg"
            path.write_text(text, encoding="utf-8")
            print(path)
    except OSError as problem:
        raise InputError(f"--plots {folder}: {problem.strerror or problem}") from None


COMMAND = Command(_SUMMARY, _DESCRIPTION, _add_flags, _execute)
