"""One result in full: the lines that describe it, each with a style for terminals that have colour."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from dataclasses import dataclass

from alignkit.proving.verdict import Counterexample, Result, Verdict
from alignkit.reporting.words import (
    ADJACENCIES,
    CONDITIONS,
    NO_PROOF,
    NOT_A_LEAK,
    claim_shown,
    expectation_shown,
    file_shown,
    leak_shown,
    numbers_shown,
    privacy_shown,
    scope_shown,
    worst_case_shown,
)
from alignkit.running.tables import PARTING, comparison, render, rows

STYLES = {Verdict.PROVED: "green", Verdict.REFUTED: "red", Verdict.UNDECIDED: "yellow"}


@dataclass(frozen=True)
class Line:
    """A line of a report; the meaning is in the text, the style only repeats it."""

    text: str
    style: str = ""


def block(result: Result, *, conditions: bool) -> list[Line]:
    """The lines on one result; ``conditions`` adds the eight conditions, scope and assumptions."""
    lines = [Line(_heading(result), f"bold {STYLES[result.verdict]}")]
    if result.stale:
        lines.insert(0, Line(f"STALE: {result.stale}; check it again", "bold red"))
    if result.counterexample is not None:
        lines += _refutation(result, result.counterexample)
    else:
        lines.append(Line(f"{file_shown(result.file)}:{result.line}"))
    if conditions:
        lines += _conditions(result)
    elif result.counterexample is None:
        lines += [
            Line(f"  {CONDITIONS.get(name, name)} {each.status}: {each.how}", STYLES[each.status])
            for name, each in result.conditions.items()
            if each.status is not Verdict.PROVED
        ]
    lines += [Line(f"  note: {note}") for note in result.notes]
    if result.verdict is Verdict.UNDECIDED and not any("counterexample" in note for note in result.notes):
        lines.append(Line(f"  {NO_PROOF}"))
    if conditions or result.privacy.status != "open":
        lines.append(Line(f"  {privacy_shown(result)}", "bold red" if result.privacy.status == "not private" else ""))
        lines += [Line(f"    {text}") for text in leak_shown(result.privacy)]
    if result.counterexample is not None:
        # Not indented, so that it can be pasted.
        lines += [Line("reproduce in Python:"), *map(Line, result.counterexample.snippet.splitlines())]
    return lines


def _heading(result: Result) -> str:
    parts = [f"{result.verdict.upper()}  {result.mechanism} / {result.alignment}"]
    parts.append(f"claim: {claim_shown(result.claim, result.ex_post, result.base)}")
    if result.counterexample is not None:
        failed = result.counterexample.condition
        parts.append(f"condition: {CONDITIONS.get(failed, failed)}")
    if not result.as_expected or result.verdict is not Verdict.PROVED:
        parts.append(expectation_shown(result))
    parts.append(f"{result.seconds:.2g} s, {result.queries} queries")
    return "    ".join(parts)


def _refutation(result: Result, found: Counterexample) -> Iterator[Line]:
    yield Line(f"{file_shown(found.file)}:{found.line}")
    yield from excerpt(found.file, found.line)
    adjacency = ADJACENCIES.get(result.adjacency, "")
    yield Line(f"  adjacency {result.adjacency}: {adjacency}{_shrunk(found)}")
    table = rows(
        q=found.q,
        q_=found.q_,
        parameters=found.parameters,
        H=found.H,
        H_=found.H_,
        omega=found.omega,
        omega_=found.omega_,
    )
    for text in render(table):
        yield Line(text, "bold" if text.endswith(PARTING) else "")
    if found.H_other is not None:
        yield Line("  the other noise vector, with the same output")
        for text in render(rows(q={}, q_={}, parameters={}, H=found.H_other, H_=found.H_,
                                omega=found.omega, omega_=found.omega_)):  # fmt: skip
            yield Line(text)
    yield Line(f"  {found.words}", "red")
    yield Line(f"  {comparison(found.cost, found.claim, result.claim)}")
    yield Line("confirmed by: exact replay")
    if result.privacy.status != "not private":
        yield Line(NOT_A_LEAK)


def excerpt(file: str, line: int, around: int = 1) -> list[Line]:
    """The source around a line, which is marked; nothing where the source cannot be read."""
    texts = {n: linecache.getline(file, n).rstrip() for n in range(max(1, line - around), line + around + 1)}
    if not texts.get(line):
        return []
    shown = {n: text for n, text in texts.items() if text or n == line}
    width = len(str(max(shown)))
    return [
        Line(f"{'>' if n == line else ' '} {n:>{width}} | {text}", "bold" if n == line else "")
        for n, text in shown.items()
    ]


def _shrunk(found: Counterexample) -> str:
    sizes = [len(answers) for answers in found.q.values() if isinstance(answers, tuple | list)]
    if not sizes or found.shrunk_from <= max(sizes):
        return ""
    return f"; shrunk from {found.shrunk_from} queries to {max(sizes)}"


def _conditions(result: Result) -> Iterator[Line]:
    width = max(map(len, CONDITIONS.values()))
    refuted = result.verdict is Verdict.REFUTED
    for name, each in result.conditions.items():
        if refuted and each.status is not Verdict.REFUTED:
            continue
        text = f"  {CONDITIONS.get(name, name):<{width}}  {each.status:<9}  {each.how}"
        yield Line(text, STYLES[each.status])
    if refuted:
        yield Line("  the other conditions were not examined: the proof is refuted")
    if result.verdict is not Verdict.REFUTED:
        yield Line(f"  scope: {scope_shown(result.scope)}")
        yield Line(f"  adjacency {result.adjacency}: {ADJACENCIES.get(result.adjacency, '')}")
    if result.verdict is Verdict.PROVED:
        for text in worst_case_shown(result):
            yield Line(f"  {text}", "yellow" if "WASTES" in text else "")
    yield Line(f"  numbers: {numbers_shown(result)}")
    for assumption in result.assumptions:
        yield Line(f"  assumption: {assumption}")
