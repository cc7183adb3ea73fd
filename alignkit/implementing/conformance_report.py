"""What a comparison of a function with a mechanism showed, for people and for programs."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from alignkit.formatting import counted
from alignkit.implementing.catalogue_search import CatalogueAnswer
from alignkit.implementing.claims_from_text import ClaimText, StatedClaim
from alignkit.implementing.conformance import Conformance, Conformity
from alignkit.reporting.problems_for_ci import CiProblem, JunitCase

# How many cells of noise and how many answers a sentence names.
_SHOWN = 12


@dataclass(frozen=True)
class ConformanceReport:
    """A claim with what came of it. ``conformance`` is None where no mechanism was named.

    ``answer`` is what the catalogue was asked: where the function differs, or no mechanism was named. ``replay`` is a
    command that gives the same again, ``breaches`` are what breaks the policy of the project.
    """

    label: str
    conformance: Conformance | None
    answer: CatalogueAnswer | None = None
    call: str = ""
    file: str | None = None
    line: int | None = None
    replay: str = ""
    seconds: float = 0
    cached: bool = False
    breaches: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> str:
        """The verdict, or whether a mechanism was found where none was named."""
        if self.conformance is not None:
            return str(self.conformance.verdict)
        return "found" if self.answer is not None and self.answer.implemented else "not found"

    @property
    def exit_code(self) -> int:
        """The exit code that it calls for."""
        return {"implements": 0, "found": 0, "differs": 1}.get(self.verdict, 3)

    @property
    def title(self) -> str:
        """The claim in short."""
        if self.conformance is None:
            return self.label
        return f"{self.label} as {self.conformance.mechanism}"


def reported(stated: StatedClaim, text: ClaimText, conformance: Conformance | None, **said: Any) -> ConformanceReport:
    """The report of a claim, with values that need none of the user's classes."""
    if conformance is not None:
        conformance = replace(
            conformance,
            inputs={name: _plain(value) for name, value in conformance.inputs.items()},
            noise={name: _plain(value) for name, value in conformance.noise.items()},
            of_function=_plain(conformance.of_function),
            of_mechanism=_plain(conformance.of_mechanism),
        )
    replay = replay_command(text if text.flags else ClaimText(stated.label))
    return ConformanceReport(
        stated.label, conformance, call=stated.call, file=stated.file, line=stated.line, replay=replay, **said
    )


def replay_command(text: ClaimText) -> str:
    """The command that compares the same function again; it is deterministic."""
    words = ["alignkit", "implements", text.target]
    for flag, value in (("--as", text.mechanism), ("--call", text.call), ("--post", text.post)):
        words += [] if value is None else [flag, value]
    words += [word for sampler in text.samplers for word in ("--sampler", sampler)]
    words += [word for answer in text.answers for word in ("--answers", answer)]
    return shlex.join(words)


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if value is None or isinstance(value, bool | str | int | Fraction):
        return value
    if hasattr(value, "low") and hasattr(value, "high"):
        return float(value.low + value.high) / 2
    return float(value) if isinstance(value, float) or hasattr(value, "__float__") else str(value)


# Sentences


def report_shown(report: ConformanceReport) -> str:
    """The report as a heading and a paragraph."""
    marks = " (cached)" if report.cached else ""
    heading = f"{report.verdict.upper()}  {report.title}{marks}"
    between = "\n  " if report.verdict == "differs" else " "
    sentences = between.join(_sentences(report))
    return "\n".join([heading, f"  {sentences}"] + [f"  policy broken: {breach}" for breach in report.breaches])


def _sentences(report: ConformanceReport) -> Iterator[str]:
    conformance = report.conformance
    if conformance is not None:
        yield from conformance_sentences(conformance)
        if conformance.verdict is Conformity.DIFFERS:
            yield f"The same again: {report.replay}."
    if report.answer is not None:
        yield from _of_catalogue(report.answer, named=conformance is not None)


def conformance_sentences(conformance: Conformance) -> Iterator[str]:
    """What a verdict says, and what it rests on."""
    match conformance.verdict:
        case Conformity.IMPLEMENTS:
            yield f"{_extent(conformance)}."
        case Conformity.CUT:
            yield f"Runs were cut: {conformance.why}."
            if conformance.paths:
                yield f"{_extent(conformance)}, among those that ended before; nothing is said of the others."
        case Conformity.UNSUPPORTED:
            yield f"Not decided: {conformance.why}{_at(conformance)}."
        case Conformity.DIFFERS:
            yield f"The library's function no longer is {conformance.mechanism}, or never was."
            yield f"It differs: {conformance.why}{_at(conformance)}."
            yield f"Input: {_named(conformance.inputs)}."
            yield f"Noise of unit scale: {_named(conformance.noise)}."
            yield (
                f"In plain floats the function gives {_shown(conformance.of_function)}, the mechanism "
                f"{_shown(conformance.of_mechanism)}."
            )
            yield "This is no proof that the function is not private."
    if conformance.rule:
        yield f"Noise is matched so: {conformance.rule}."
    if conformance.assumptions:
        yield f"Assumed: {'; '.join(conformance.assumptions)}."
    if conformance.refusals:
        yield f"The function refuses inputs that the mechanism takes: {'; '.join(conformance.refusals)}."


def _extent(conformance: Conformance) -> str:
    return (
        f"For n <= {conformance.n}, k <= {conformance.k} and all real inputs, the outputs are equal on "
        f"{counted(conformance.paths, 'path')}, and so they are in {counted(conformance.float_runs, 'float run')}"
    )


def _of_catalogue(answer: CatalogueAnswer, *, named: bool) -> Iterator[str]:
    tried = counted(len(answer.fitting), f"{'other ' if named else ''}mechanism")
    if not answer.complete:
        yield "The search in the catalogue did not end in time."
        return
    for found, names in answer.implemented:
        call = ", ".join(f"{name} = {parameter}" for name, parameter in names.items())
        yield f"It implements {found.mechanism} of the catalogue, with {call}. {' '.join(conformance_sentences(found))}"
        yield f"What is proved of that mechanism: alignkit check {found.mechanism}."
    if not answer.implemented:
        agreed = ""
        if answer.agreeing:
            agreed = f" ({', '.join(answer.agreeing)} agreed in a few float runs, but the check did not show it)"
        yield f"It was not shown to implement any of the {tried} of the catalogue with parameters that fit{agreed}."


def _at(conformance: Conformance) -> str:
    return f", at {conformance.line}" if conformance.line else ""


def _named(values: Mapping[str, Any]) -> str:
    shown = [f"{name} = {_shown(value)}" for name, value in list(values.items())[:_SHOWN]]
    more = len(values) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")


def _shown(value: Any) -> str:
    if isinstance(value, list):
        parts = [_shown(part) for part in value[:_SHOWN]] + (["…"] if len(value) > _SHOWN else [])
        return f"[{', '.join(parts)}]"
    return "nothing" if value is None else str(value)


# Documents


def report_document(report: ConformanceReport) -> dict[str, Any]:
    """The report as values of JSON; inputs are exact texts, what floats gave are numbers."""
    document: dict[str, Any] = {
        "target": report.label, "file": report.file, "line": report.line, "verdict": report.verdict,
        "call": report.call or None,
        "claim": None if report.conformance is None else _conformance_document(report.conformance),
        "catalogue": None, "replay": report.replay, "seconds": round(report.seconds, 3), "cached": report.cached,
    }  # fmt: skip
    answer = report.answer
    if answer is not None:
        document["catalogue"] = {
            "complete": answer.complete, "fitting": list(answer.fitting), "agreeing": list(answer.agreeing),
            "implemented": [
                {**_conformance_document(found), "parameters": dict(names)} for found, names in answer.implemented
            ],
        }  # fmt: skip
    return document


def _conformance_document(conformance: Conformance) -> dict[str, Any]:
    differs = conformance.verdict is Conformity.DIFFERS
    return {
        "function": conformance.function, "mechanism": conformance.mechanism, "verdict": str(conformance.verdict),
        "why": conformance.why, "at": conformance.line or None, "n": conformance.n, "k": conformance.k,
        "paths": conformance.paths, "float_runs": conformance.float_runs, "noise_matched": conformance.rule,
        "assumptions": list(conformance.assumptions), "refusals": list(conformance.refusals),
        "inputs": _exact(conformance.inputs) if differs else None,
        "noise": dict(conformance.noise) if differs else None,
        "of_function": _exact(conformance.of_function), "of_mechanism": _exact(conformance.of_mechanism),
    }  # fmt: skip


def _exact(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _exact(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_exact(part) for part in value]
    exact = isinstance(value, int | Fraction) and not isinstance(value, bool)
    return str(value) if exact or (isinstance(value, float) and value in (float("inf"), -float("inf"))) else value


def report_problem(report: ConformanceReport) -> CiProblem | None:
    """What a CI system is told of a report, None where nothing is wrong."""
    if report.exit_code == 0:
        return None
    differs = report.verdict == "differs"
    summary = " ".join(itertools.islice(_sentences(report), 2 if differs else 1)) or report.verdict
    return CiProblem(
        level="error" if differs else "warning", rule="differs" if differs else "not_shown",
        title=f"{report.title}: {report.verdict}", summary=f"{report.title}: {summary}",
        details=report_shown(report), file=report.file, line=report.line, column=None if report.line is None else 1,
    )  # fmt: skip


def report_case(report: ConformanceReport) -> JunitCase:
    """The report as a test case of JUnit."""
    stated = {"verdict": report.verdict, "cached": "true" if report.cached else None}
    if report.conformance is not None:
        stated["mechanism"] = report.conformance.mechanism
    return JunitCase(
        report.title, report.file, report.line, 0 if report.cached else report.seconds,
        {key: value for key, value in stated.items() if value is not None}, report_problem(report),
    )  # fmt: skip
