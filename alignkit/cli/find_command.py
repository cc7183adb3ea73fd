"""``alignkit find``: propose alignments of a mechanism, and prove one."""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alignkit.cli.options import FORMATS, Command, add_import_timeout, time_limit, whole_number
from alignkit.cli.streams import say
from alignkit.errors import InputError, WorkerError, error_text
from alignkit.markup import ProgressLine

if TYPE_CHECKING:
    from alignkit.cli.find_worker import FindPlan
    from alignkit.finding.findings import Findings
    from alignkit.finding.scales.noise_findings import NoiseFindings
    from alignkit.results import CertifiedLoss

_SUMMARY = "find an alignment of a mechanism, with its claim"

_DESCRIPTION = """\
Find an alignment of a mechanism, and the claim that it proves. Runs of the
mechanism on adjacent databases say what an alignment must do. What is proposed
is checked, and printed as found only if the check proves it for all inputs.

With --noise, find scales for the draws with which the mechanism has the claim
and as little noise as is found to suffice, and print the mended mechanism.

A TARGET is the name of a mechanism of the catalogue, file.py::name for one
mechanism, or a file for all of its mechanisms.

The files are imported, and so their code is run: search only in files that you
would run.

exit codes: 0 an alignment was found and proved for every mechanism; 2 a target
or a claim that cannot be used; 3 no alignment was proved for some mechanism; 4
internal error; 130 interrupted.

examples:
  alignkit find noisy_max
  alignkit find noisy_max --adjacency monotone
  alignkit find noisy_max --adjacency monotone --claim eps --noise
  alignkit find mine.py::my_mechanism --write my_proof.py
"""


def _add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("target", metavar="TARGET", help="the mechanism")
    parser.add_argument(
        "--adjacency", choices=("each", "monotone", "one", "l1"), default="each",
        help="which inputs are adjacent (default each)",
    )  # fmt: skip
    words = "a claim to prove, such as 'eps / 2' (default: the cheapest)"
    parser.add_argument("--claim", metavar="EXPRESSION", help=words)
    words = "a delta to prove, such as 'exp(-eps * tau)'; 0 for pure claims only (default: where no pure one is proved)"
    parser.add_argument("--delta", metavar="EXPRESSION", help=words)
    words = "find the least noise that the claim needs"
    parser.add_argument("--noise", action="store_true", help=words)
    words = "the shapes to try, such as plain,raised (default all; see docs/finding.md)"
    parser.add_argument("--shapes", type=_names, metavar="NAMES", help=words)
    words = "seconds for each mechanism, proofs included (default 60)"
    parser.add_argument("--timeout", type=time_limit, default=60.0, metavar="SECONDS", help=words)
    add_import_timeout(parser)
    parser.add_argument("--seed", type=whole_number, default=0, metavar="N", help="seed of the runs (default 0)")
    words = "work of the attack beside a proof (default none), and where nothing is found (default a little)"
    parser.add_argument("--effort", type=whole_number, metavar="N", help=words)
    words = "write the proof of what was found, and why no cheaper alignment of its shape was"
    parser.add_argument("--explain", action="store_true", help=words)
    words = "write the alignment that was proved to a new file"
    parser.add_argument("--write", metavar="FILE", help=words)
    parser.add_argument("--format", choices=FORMATS, default="text", help="text (the default) or json")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _execute(options: argparse.Namespace) -> int:
    """Search for the target's alignments, print what was found, and return the exit code."""
    from alignkit.cli.find_worker import FindPlan

    if options.write is not None:
        _check_new(options.write)
    if options.noise and options.claim is None:
        raise InputError("--noise needs a claim: --claim EXPRESSION --noise")
    if options.noise and (options.shapes is not None or options.effort is not None):
        raise InputError("--noise goes with neither --shapes nor --effort; leave them out")
    if options.noise and options.delta is not None:
        raise InputError("--noise finds noise for pure claims; leave --delta out")
    if options.explain and (options.noise or options.format == "json"):
        raise InputError("--explain goes with neither --noise nor --format json")
    plan = FindPlan(
        options.target, options.adjacency, options.claim, options.shapes, options.timeout, options.seed, options.effort,
        options.noise, options.explain, options.delta,
    )  # fmt: skip
    found: list[Findings | NoiseFindings] = []
    errors: list[dict[str, Any]] = []
    try:
        for name, result in _searches(plan, ProgressLine(enabled=not options.quiet), options.import_timeout):
            if isinstance(result, WorkerError):
                errors.append({"target": name, "message": str(result), "exit_code": result.exit_code})
                say(f"{name}: {result}")
                continue
            found.append(result)
            if result.interrupted:
                break
    except WorkerError as problem:
        errors.append({"target": options.target, "message": error_text(problem), "exit_code": problem.exit_code})
        say(error_text(problem))
    if options.write is not None and found:
        _write(options.write, found)
    if options.format == "json":
        _print_json(found, errors)
    elif found:
        print("\n\n".join(getattr(each, "explanation", "") or str(each) for each in found))
    if found and found[-1].interrupted:
        return 130
    if errors:
        return max(int(error["exit_code"]) for error in errors)
    return 0 if all(findings.proved is not None for findings in found) else 3


def _searches(
    plan: FindPlan, progress: ProgressLine, import_seconds: float
) -> Iterator[tuple[str, Findings | NoiseFindings | WorkerError]]:
    """Yield what was found, or the error, for each mechanism in turn."""
    from alignkit.cli.find_worker import FindService
    from alignkit.cli.worker_process import Worker
    from alignkit.cli.worker_turns import answers_in_turn

    start = partial(Worker, FindService, plan, import_seconds=import_seconds)
    return answers_in_turn(start, FindService.targets, FindService.find, progress)


def _check_new(file: str) -> None:
    """Raise InputError where no new file can be written, before the search."""
    if not file:
        raise InputError("--write names no file; write --write my_proof.py")
    if os.path.exists(file):
        raise InputError(f"--write {file}: the file exists; name a new one")
    folder = os.path.dirname(file)
    if folder and not os.path.isdir(folder):
        raise InputError(f"--write {file}: there is no folder {folder}; make it first")


def _write(file: str, found: list[Findings | NoiseFindings]) -> None:
    texts = [findings.proved.file_text for findings in found if findings.proved is not None]
    if len(texts) != 1:
        how_many = "no alignment was proved" if not texts else "several alignments were proved; name one mechanism"
        say(f"--write {file}: nothing is written: {how_many}")
        return
    try:
        Path(file).write_text(texts[0], encoding="utf-8")
    except OSError as problem:
        raise InputError(f"--write {file}: {problem.strerror or problem}") from None


def _bound(findings: Findings) -> dict[str, Any] | None:
    bound = findings.lower_bound
    return None if bound is None else {"value": bound.text, "region": bound.region, "shape": bound.shape}


def _finite(loss: CertifiedLoss | None) -> float | str | None:
    """A certified loss; JSON has no number for an infinite one."""
    if loss is None:
        return None
    return "inf" if math.isinf(loss.loss) else loss.loss


def _print_json(found: list[Findings | NoiseFindings], errors: list[dict[str, Any]]) -> None:
    from alignkit.cli.noise_documents import noise_document
    from alignkit.finding.scales.noise_findings import NoiseFindings
    from alignkit.version import __version__

    documents = []
    for findings in found:
        if isinstance(findings, NoiseFindings):
            documents.append(noise_document(findings))
            continue
        proposal = findings.proved
        documents.append(
            {
                "mechanism": findings.mechanism,
                "adjacency": findings.adjacency,
                "verdict": "undecided" if proposal is None else "proved",
                "claim": None if proposal is None else proposal.claim,
                "delta": None if proposal is None else proposal.delta,
                "cost": None if proposal is None else proposal.result.cost,
                "source": None if proposal is None else proposal.file_text,
                "shape": None if proposal is None else proposal.shape,
                "lower_bound": _bound(findings),
                "cheapest": findings.cheapest,
                "asked": findings.claim,
                "asked_delta": findings.delta,
                "proved_instead": None if findings.proved_instead is None else findings.proved_instead.claim,
                "reason": findings.reason,
                "notes": list(findings.notes),
                "contradiction": None if findings.contradiction is None else findings.contradiction.lines(),
                "certified_loss": _finite(findings.loss),
                "runs": findings.runs,
                "seconds": round(findings.seconds, 3),
            }
        )
    print(json.dumps({"alignkit": __version__, "found": documents, "errors": errors}, indent=2, ensure_ascii=False))


COMMAND = Command(_SUMMARY, _DESCRIPTION, _add_flags, _execute)
