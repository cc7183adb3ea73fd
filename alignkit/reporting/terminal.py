"""Results in a terminal: a table of all, a full report of each that is not as expected, and one line that sums up.

The table of many results: a line for each alignment, under the file that it stands in, in the width that there is.

Columns are dropped where the width does not hold them, and a row that is still too long is continued below; a name is
never broken, so that it can be searched for.
"""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alignkit.reporting.full_report import FIELDS, Line, report_lines, style_of, suggestion_lines
from alignkit.reporting.gate_report import ALL_ASKED_FOR, Extent, GateReport, gate_lines
from alignkit.reporting.sentences import (
    ALL_CHECKED,
    Unchecked,
    common_ground,
    expectation_shown,
    file_shown,
    remark,
    scope_shown,
    short_claim,
    tally_line,
)
from alignkit.results import Result

if TYPE_CHECKING:
    from rich.console import Console


_GAP = "  "
# A layout serves where so many of the rows take one line.
_ENOUGH = 0.85


@dataclass(frozen=True)
class _Column:
    title: str
    cell: Callable[[Result], str]
    right: bool = False


_NAME = "mechanism / alignment"
_COLUMNS = {
    "verdict": _Column("verdict", lambda r: str(r.verdict)),
    "name": _Column(_NAME, lambda r: f"{r.mechanism} / {r.alignment}"),
    "expectation": _Column("", expectation_shown),
    "mark": _Column("", lambda r: "ok" if r.as_expected else "UNEXPECTED"),
    "claim": _Column("claim", short_claim),
    "adjacency": _Column("adjacency", lambda r: str(r.adjacency)),
    "scope": _Column("scope", lambda r: scope_shown(r.scope)),
    "time": _Column("time", lambda r: "cached" if r.cached else f"{r.seconds:.2f} s", right=True),
    "queries": _Column("queries", lambda r: "-" if r.cached else str(r.queries), right=True),
}

_FIGURES = ("time", "queries")

# From the widest to the narrowest, which serves where no other does.
_LAYOUTS = (
    ("verdict", "name", "expectation", "claim", "adjacency", "scope", "time", "queries"),
    ("verdict", "name", "mark", "claim", "adjacency", "scope", "time"),
    ("verdict", "name", "mark", "claim", "adjacency", "time"),
    ("verdict", "name", "mark", "claim", "time"),
    ("verdict", "name", "mark", "time"),
)


def overview_lines(results: Sequence[Result], width: int) -> Iterator[Line]:
    """Yield the lines of the table, in the widest layout that fits ``width``, with a heading for each file."""
    layouts = (_fitted(names, results, width) for names in _LAYOUTS)
    widths = next(filter(None, layouts), None) or _narrowest(results, width)
    yield Line(_row({name: _COLUMNS[name].title for name in widths}, widths).rstrip(), "bold")
    by_file: dict[str, list[Result]] = {}
    for result in results:
        by_file.setdefault(result.file, []).append(result)
    for file, results_of_file in by_file.items():
        yield Line(_short_path(file_shown(file), width), "dim")
        for result in results_of_file:
            for text in _lines(result, widths, width):
                yield Line(text, style_of(result))


def _short_path(path: str, width: int) -> str:
    """Shorten a path to as many of its last folders as there is room for; the file name stays whole."""
    parts = path.split(os.sep)
    shorter = [os.sep.join(["…", *parts[first:]]) for first in range(1, len(parts))]
    return next((text for text in (path, *shorter) if len(text) <= width), parts[-1])


def _cells(result: Result, names: Sequence[str] | Mapping[str, int]) -> dict[str, str]:
    return {name: _COLUMNS[name].cell(result) for name in names}


def _fitted(names: Sequence[str], results: Sequence[Result], width: int) -> dict[str, int] | None:
    """Choose widths of columns that fit all rows, or most of them; None where too few rows would fit."""
    rows = [_cells(result, names) for result in results]
    longest = {name: max(len(_COLUMNS[name].title), *(len(row[name]) for row in rows)) for name in names}
    if _total(longest) <= width:
        return longest
    usual = {name: max(len(_COLUMNS[name].title), _usual([len(row[name]) for row in rows])) for name in names}
    widths = _with_name(usual, longest["name"], width)
    fitting = sum(all(len(cell) <= widths[name] for name, cell in row.items()) for row in rows)
    return widths if fitting >= _ENOUGH * len(rows) else None


def _narrowest(results: Sequence[Result], width: int) -> dict[str, int]:
    rows = [_cells(result, _LAYOUTS[-1]) for result in results]
    longest = {name: max(len(row[name]) for row in rows) for name in _LAYOUTS[-1]}
    return _with_name(longest, longest["name"], width)


def _usual(lengths: Sequence[int]) -> int:
    return sorted(lengths)[math.ceil(0.9 * len(lengths)) - 1]


def _with_name(widths: Mapping[str, int], longest: int, width: int) -> dict[str, int]:
    """Give the column of names what the other columns leave."""
    left = width - (_total(widths) - widths["name"])
    return {**widths, "name": max(len(_NAME), min(longest, left))}


def _total(widths: Mapping[str, int]) -> int:
    return sum(widths.values()) + len(_GAP) * (len(widths) - 1)


def _row(cells: Mapping[str, str], widths: Mapping[str, int]) -> str:
    return _GAP.join(
        cell.rjust(widths[name]) if _COLUMNS[name].right else cell.ljust(widths[name]) for name, cell in cells.items()
    )


def _lines(result: Result, widths: Mapping[str, int], width: int) -> list[str]:
    """Write a result in one line, or its name on a line of its own and the rest below."""
    cells = _cells(result, widths)
    long = [name for name, cell in cells.items() if len(cell) > widths[name]]
    if not long:
        return [_row(cells, widths)]
    blank = " " * widths["verdict"]
    heading = [_GAP.join([cells["verdict"].ljust(len(blank)), cells["name"]])]
    last = ""
    if len(heading[0]) > width:
        heading = [heading[0].removesuffix(f" {result.alignment}")]
        last = result.alignment
    if long == ["name"] and len(last) <= widths["name"]:
        return [*heading, _row({**cells, "verdict": "", "name": last}, widths)]
    if last:
        heading.append(blank + _GAP + last)
    figures = _row({name: cells[name] for name in cells if name in _FIGURES}, widths)
    rest = _GAP.join([blank, *(cell for name, cell in cells.items() if name not in ("verdict", "name", *_FIGURES))])
    return [*heading, f"{rest.ljust(_total(widths) - len(figures) - len(_GAP))}{_GAP}{figures}"]


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
