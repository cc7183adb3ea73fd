"""One result in full: the lines that describe it, each with a style for terminals that have colour."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from dataclasses import dataclass

from alignkit.formatting import counted, number_model_shown
from alignkit.reporting.sentences import (
    CALL,
    NOT_A_LEAK,
    WHAT_NOW,
    adjacency_shown,
    claim_shown,
    confirmed_by,
    expectation_shown,
    file_shown,
    leak_shown,
    next_step,
    notes_shown,
    opinion_shown,
    privacy_shown,
    scope_shown,
    suggestion_shown,
    worst_case_shown,
)
from alignkit.results import TITLES, Counterexample, Result, Suggestion, Verdict, Witness
from alignkit.running.aligned_replay import PARTING, cost_against_claim, render, rows
from alignkit.verdicts import LIMITS

STYLES = {Verdict.PROVED: "green", Verdict.REFUTED: "red", Verdict.UNDECIDED: "yellow"}

# What stands between the fields of a heading.
FIELDS = "    "


@dataclass(frozen=True)
class Line:
    """A line of a report; the meaning is in the text, the style only repeats it.

    A sentence may be broken at blanks where a terminal is narrow, and goes on under its column ``indent``; what is to
    be pasted, and rows of tables, have none and are never broken. ``fields``, which four blanks part, are kept whole
    where each has room on a line.
    """

    text: str
    style: str = ""
    indent: int | None = None
    fields: bool = False


def style_of(result: Result) -> str:
    """Choose the colour of a verdict: green where it is the expected one, or else by the verdict."""
    return "green" if result.as_expected else f"bold {STYLES[result.verdict]}"


def report_lines(result: Result, *, verbose: bool) -> list[Line]:
    """List the lines on one result, in full; without ``verbose`` the notes on a proof are only counted.

    The verdict comes first, with its counterexample; then the conditions, the scope and the worst case; then what is
    known of the mechanism; then the number model, the assumptions and the notes; and last what may be pasted.
    """
    lines = [Line(_heading(result), f"bold {style_of(result).removeprefix('bold ')}", 2, fields=True)]
    if result.stale:
        lines.insert(0, Line(f"STALE: {result.stale}; check it again", "bold red"))
    if result.counterexample is not None:
        lines += _refutation(result, result.counterexample)
    else:
        lines.append(Line(f"{file_shown(result.file)}:{result.line}"))
    lines += _conditions(result)
    lines += _calls(result, verbose=verbose)
    leaks = result.privacy.status == "not private" and result.expected is Verdict.PROVED
    lines.append(Line(f"  {privacy_shown(result)}", "bold red" if leaks else "", 4))
    lines += [Line(f"    {text}", indent=6) for text in leak_shown(result.privacy)]
    if next_step(result):
        lines.append(Line(f"  {next_step(result)}", indent=4))
    if opinion_shown(result):
        lines.append(Line(f"  {opinion_shown(result)}", indent=4))
    lines += _assumptions(result, verbose=verbose)
    lines += _notes(result, verbose=verbose)
    if result.counterexample is not None:
        # Not indented, so that it can be pasted.
        lines += [Line("reproduce in Python:"), *map(Line, result.counterexample.snippet.splitlines())]
    if result.suggestion is not None:
        lines += [Line(""), *suggestion_lines(result, result.suggestion)]
    return lines


def suggestion_lines(result: Result, suggestion: Suggestion) -> list[Line]:
    """List the lines on an alignment that is suggested in place of the one that was checked; its source is a file."""
    heading = Line(suggestion_shown(result, suggestion), "bold", 2)
    return [heading, *(Line(text) for text in suggestion.source.splitlines())]


def plain_text(result: Result, *, verbose: bool = True) -> str:
    """Write the report as text without colour; without ``verbose`` the notes on a proof are only counted."""
    return "\n".join(line.text for line in report_lines(result, verbose=verbose))


def _heading(result: Result) -> str:
    parts = [f"{result.verdict.upper()}  {result.mechanism} / {result.alignment}"]
    parts.append(f"claim: {claim_shown(result.claim, result.ex_post, result.base, result.delta)}")
    if result.counterexample is not None:
        name = result.counterexample.condition
        parts.append(f"condition: {TITLES.get(name, name)}")
    if not result.as_expected or result.verdict is not Verdict.PROVED:
        parts.append(expectation_shown(result))
    asked = "" if result.solver == "z3" else f" to {result.solver}"
    figures = f"{result.seconds:.2g} s, {counted(result.queries, 'query')}{asked}"
    parts.append(f"from the cache ({figures} when it was checked)" if result.cached else figures)
    return FIELDS.join(parts)


def _refutation(result: Result, refutation: Counterexample) -> Iterator[Line]:
    yield Line(f"{file_shown(refutation.file)}:{refutation.line}")
    yield from _excerpt(refutation.file, refutation.line)
    yield Line(f"  {adjacency_shown(result.adjacency, result.sensitivities.values())}{_shrunk(refutation)}", indent=4)
    for text in render(rows(refutation.witness, refutation.omega, refutation.omega_)):
        yield Line(text, "bold" if text.endswith(PARTING) else "", 8)
    if refutation.H_other is not None:
        yield Line("  the other noise vector, with the same output")
        other = Witness({}, {}, {}, refutation.H_other, refutation.witness.H_)
        for text in render(rows(other, refutation.omega, refutation.omega_)):
            yield Line(text, indent=8)
    yield Line(f"  {refutation.words}", "" if result.as_expected else "red", 4)
    if refutation.condition != LIMITS:
        cost = cost_against_claim(refutation.cost, refutation.claim, result.claim, at_least=refutation.at_least)
        yield Line(f"  {cost}")
    yield Line(f"confirmed by: {confirmed_by(refutation.condition)}")
    if result.privacy.status != "not private":
        yield Line(NOT_A_LEAK, indent=2)


def _excerpt(file: str, line: int) -> list[Line]:
    """Show a line of the source, marked, between its neighbours; return no lines where the source cannot be read."""
    texts = {n: linecache.getline(file, n).rstrip() for n in range(max(1, line - 1), line + 2)}
    if not texts.get(line):
        return []
    shown = {n: text for n, text in texts.items() if text or n == line}
    width = len(str(max(shown)))
    return [
        Line(f"{'>' if n == line else ' '} {n:>{width}} | {text}", "bold" if n == line else "", width + 13)
        for n, text in shown.items()
    ]


def _shrunk(refutation: Counterexample) -> str:
    sizes = [len(answers) for answers in refutation.witness.q.values() if isinstance(answers, tuple | list)]
    if not sizes or refutation.shrunk_from <= max(sizes):
        return ""
    return f"; shrunk from {counted(refutation.shrunk_from, 'query')} to {max(sizes)}"


def _conditions(result: Result) -> Iterator[Line]:
    if result.verdict is Verdict.REFUTED:
        # The condition that fails stands in the heading, and why it does beside the counterexample.
        yield Line("  the other conditions were not examined: the proof is refuted", indent=4)
        return
    width = max(len(TITLES.get(name, name)) for name in result.conditions)
    decisions = {(condition.status, condition.how) for condition in result.conditions.values()}
    if len(decisions) == 1:
        [(status, how)] = decisions
        yield Line(f"  every condition is {status}: {how}", STYLES[status], 4)
    else:
        for name, condition in result.conditions.items():
            text = f"  {TITLES.get(name, name):<{width}}  {condition.status:<9}  {condition.how}"
            yield Line(text, STYLES[condition.status], width + 15)
    yield Line(f"  scope: {scope_shown(result.scope)}", indent=4)
    yield Line(f"  {adjacency_shown(result.adjacency, result.sensitivities.values())}", indent=4)
    if result.verdict is Verdict.PROVED:
        for text in worst_case_shown(result):
            yield Line(f"  {text}", "yellow" if "WASTES" in text else "", None if text.startswith(CALL) else 4)


def _calls(result: Result, *, verbose: bool) -> Iterator[Line]:
    """List the parts of the budget that calls take; with ``verbose`` also what was proved of their arguments."""
    for part in result.calls:
        price = f"{part.price}{' in each round' if part.rounds else ''}"
        what = f"call of {part.name} (line {part.line}), by {part.lemma}: costs at most" if part.lemma else part.name
        delta = "" if part.delta is None else f"; of delta at most {part.delta}"
        yield Line(f"  part: {what} {price}{delta}", indent=4)
        for obligation in part.obligations if verbose else ():
            yield Line(f"    proved: {obligation}", indent=6)


def _assumptions(result: Result, *, verbose: bool) -> Iterator[Line]:
    """List the number model and all assumptions; without ``verbose`` in few lines."""
    yield Line(f"  numbers: {number_model_shown(result.number_model)}", indent=4)
    if verbose:
        for assumption in result.assumptions:
            yield Line(f"  assumption: {assumption}", indent=4)
    elif result.assumptions:
        yield Line(f"  assumes: {'; '.join(result.assumptions)}", indent=4)


def _notes(result: Result, *, verbose: bool) -> Iterator[Line]:
    if result.verdict is Verdict.PROVED and result.notes and not verbose:
        yield Line(f"  {counted(len(result.notes), 'note')}: -v shows {'it' if len(result.notes) == 1 else 'them'}")
        return
    for text in notes_shown(result):
        yield Line(f"  {text}", indent=4)
    if result.verdict is Verdict.UNDECIDED:
        yield Line(f"  {WHAT_NOW}", indent=4)
