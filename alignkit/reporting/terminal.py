"""Results in a terminal: a table of all, a full report of each that is not as expected, and one line that sums up."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from alignkit.reporting.full_report import FIELDS, Line, report_lines, suggestion_lines
from alignkit.reporting.gate_report import ALL_ASKED_FOR, Extent, GateReport, gate_lines
from alignkit.reporting.overview import overview_lines
from alignkit.reporting.sentences import ALL_CHECKED, Unchecked, common_ground, remark, tally_line
from alignkit.results import Result

if TYPE_CHECKING:
    from rich.console import Console

# Where nobody says how wide the output is (a pipe, a log), no line is broken.
_UNBOUNDED = 10_000


def make_console(file: Any, *, width: int | None = None) -> Console:
    """Make a console for a stream: colour only on a terminal and without NO_COLOR, and no line broken in a pipe."""
    from rich.console import Console

    class PassingConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would end the program itself

    if width is None and not file.isatty() and not os.environ.get("COLUMNS"):
        width = _UNBOUNDED
    return PassingConsole(file=file, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def print_report(results: Sequence[Result], console: Console, verbose: bool = False, *, quiet: bool = False) -> None:
    """Print a table of several results, and in full what is not as expected.

    A single result is shown in full whatever it is, and so is each with ``verbose``; ``quiet`` shows only the results
    that are not as expected, and no table. A suggestion for a result that is not shown in full stands by itself.
    """
    several = len(results) > 1
    if several and not quiet:
        _print_table(results, console)
    for result in results:
        if not result.as_expected or (not quiet and (verbose or not several)):
            _print_lines(report_lines(result, verbose=verbose), console)
            console.print()
        elif result.suggestion is not None and not quiet:
            _print_lines(suggestion_lines(result, result.suggestion), console)
            console.print()


def print_tally(
    results: Sequence[Result],
    console: Console,
    *,
    quiet: bool = False,
    seconds: float | None = None,
    unchecked: Unchecked = ALL_CHECKED,
) -> None:
    """Print the last line: what was counted, and whether all of it is as expected.

    ``seconds`` is the wall time of the whole. Nothing is printed with ``quiet`` where all is as expected, nor where
    there was nothing to check.
    """
    all_as_expected = not unchecked and all(result.as_expected for result in results)
    if (quiet and all_as_expected) or not (results or unchecked):
        return
    text = tally_line(results, seconds, unchecked, width=console.width)
    _print_lines([Line(text, "green" if all_as_expected else "bold red")], console)


def print_gate(
    report: GateReport, console: Console, *, quiet: bool = False, checked: Extent = ALL_ASKED_FOR, fails: bool = False
) -> None:
    """Print what a policy and a baseline say of the results, below them; see `gate_lines`."""
    _print_lines(gate_lines(report, quiet=quiet, checked=checked, fails=fails), console)


def _print_table(results: Sequence[Result], console: Console) -> None:
    _print_lines(overview_lines(results, console.width), console)
    console.print()
    remarks = filter(None, map(remark, results))
    _print_lines((Line(text, "yellow" if "WASTES" in text else "", 2) for text in remarks), console)
    _print_lines((Line(text, indent=2) for text in common_ground(results)), console)
    console.print()


def _print_lines(lines: Iterable[Line], console: Console) -> None:
    for line in lines:
        for text in _broken(line, console.width):
            console.print(text, style=line.style or None, soft_wrap=True)


def _broken(line: Line, width: int) -> list[str]:
    """Return the line, or where it is too long its sentence broken at blanks."""
    if line.indent is None or len(line.text) <= width:
        return [line.text]
    indent = " " * (line.indent if line.indent <= width // 2 else 4)
    fields: list[str] = []
    for text in line.text.split(FIELDS) if line.fields else [line.text]:
        if fields and len(fields[-1]) + len(FIELDS) + len(text) <= width:
            fields[-1] += FIELDS + text
        else:
            fields.append(indent + text if fields else text)
    wrap = textwrap.TextWrapper(width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [text for field in fields for text in wrap.wrap(field)]
