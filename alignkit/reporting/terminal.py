"""Results in a terminal: a summary of all, then each one that was not proved, in full."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from alignkit.proving.verdict import Result, Verdict
from alignkit.reporting.block import STYLES, Line, block
from alignkit.reporting.words import (
    expectation_shown,
    number_model_shown,
    remark,
    scope_shown,
    short_claim,
    tally,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

# Where nobody says how wide the output is (a pipe, a log), no line is broken.
_UNBOUNDED = 10_000


def plain_text(result: Result) -> str:
    """The result as text, without colour."""
    return "\n".join(line.text for line in block(result, conditions=True))


def make_console(file: Any, *, width: int | None = None) -> Console:
    """A console for a stream: colour only on a terminal and without NO_COLOR, no line broken in a pipe."""
    from rich.console import Console

    class PassingConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would end the program itself

    if width is None and not file.isatty() and not os.environ.get("COLUMNS"):
        width = _UNBOUNDED
    return PassingConsole(file=file, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def print_results(
    results: Sequence[Result],
    console: Console,
    verbose: bool = False,
    *,
    quiet: bool = False,
    seconds: float | None = None,
) -> None:
    """Print results: every result that is not a proof in full, then a table, and what was counted.

    A single result is shown in full whatever it is, and so is each with ``verbose``; ``quiet`` shows only the
    results that are not as expected. ``seconds`` is the wall time of the whole.
    """
    if quiet:
        for result in results:
            if not result.as_expected:
                _print_block(block(result, conditions=verbose), console)
        return
    alone = len(results) == 1
    for result in results:
        if alone or verbose or result.verdict is not Verdict.PROVED:
            _print_block(block(result, conditions=alone or verbose), console)
    if not results:
        return
    if not alone:
        _print_summary(results, console)
        for model in dict.fromkeys(number_model_shown(r.number_model) for r in results):
            console.print(f"numbers: {model}", soft_wrap=True)
    console.print(tally(results, seconds), soft_wrap=True)


def _print_block(lines: Sequence[Line], console: Console) -> None:
    for line in lines:
        # A snippet or a table row that is broken in the middle cannot be pasted or read.
        console.print(line.text, style=line.style or None, soft_wrap=True)
    console.print()


def _print_summary(results: Sequence[Result], console: Console) -> None:
    from rich.measure import Measurement

    table = _table(results)
    natural = Measurement.get(console, console.options.update(width=_UNBOUNDED), table).maximum
    if natural <= console.width:
        console.print(table, width=natural)
    else:
        for result in results:
            _print_narrow(result, console)
    console.print()
    for line in filter(None, map(remark, results)):
        console.print(line, style="yellow" if "WASTES" in line else None, soft_wrap=True)


def _print_narrow(result: Result, console: Console) -> None:
    heading = f"{result.verdict:<9}  {result.mechanism} / {result.alignment}  {expectation_shown(result)}"
    console.print(heading, style=STYLES[result.verdict], soft_wrap=True)
    details = [short_claim(result), str(result.adjacency), scope_shown(result.scope)]
    figures = f"{result.seconds:.2f} s, {result.queries} queries"
    console.print("           " + "  ".join([*details, figures]), soft_wrap=True)


def _table(results: Sequence[Result]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, safe_box=True, pad_edge=False, show_edge=False)
    # What is too wide is not printed as a table: names that are broken in two cannot be searched for.
    for name in ("mechanism", "alignment", "verdict", "", "claim", "adjacency", "scope"):
        table.add_column(name, no_wrap=True)
    for name in ("seconds", "queries"):
        table.add_column(name, justify="right", no_wrap=True)
    for result in results:
        table.add_row(
            result.mechanism,
            result.alignment,
            Text(str(result.verdict), style=STYLES[result.verdict]),
            Text(expectation_shown(result), style="" if result.as_expected else "bold red"),
            Text(short_claim(result), style="yellow" if result.slack is not None else ""),
            str(result.adjacency),
            scope_shown(result.scope),
            f"{result.seconds:.2f}",
            str(result.queries),
        )
    return table
