"""``alignkit attack``: certify how much a mechanism leaks at least."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from alignkit.arguments import fraction
from alignkit.cli.options import (
    FORMATS,
    Command,
    Offered,
    add_import_timeout,
    add_jobs,
    adjacency_name,
    cores,
    time_limit,
    whole_number,
)
from alignkit.cli.streams import say
from alignkit.errors import InputError, WorkerError
from alignkit.markup import ProgressLine

if TYPE_CHECKING:
    from alignkit.cli.attack_worker import AttackPlan, AttackTarget
    from alignkit.reporting.json_documents import AttackReport

_SUMMARY = "certify a lower bound on the privacy loss"

_DESCRIPTION = """\
Attack a mechanism: search for two adjacent databases and an event E over
outputs that show a large privacy loss, and certify it. The loss is at least
ln(P(M(D) in E) / P(M(D') in E)). Where the claim has a delta, what is certified
is P(M(D) in E) - e^epsilon P(M(D') in E), which delta is at least. Both
probabilities are computed in closed form if the program allows it, and
otherwise bounded from samples; the report says which.

A TARGET is what `alignkit check` takes: the name of a mechanism of the
catalogue, a file, or file.py::name for one alignment or one mechanism. Each
claim of a mechanism is attacked under its own adjacency; a mechanism without a
proof is attacked under --adjacency.

The files are imported, and so their code is run: attack only files that you
would run.

exit codes: 0 no violation, or one where a refutation is expected; 1 not
private; 2 a target that cannot be used; 4 internal error; 130 interrupted (what
was certified by then is printed).

examples:
  alignkit attack sparse_vector_without_bound
  alignkit attack noisy_max --eps 0.1 --timeout 30
  alignkit attack mine.py::my_mechanism --claim eps --set k=2 --format json
"""


def _add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("target", metavar="TARGET", help="what to attack")
    parser.add_argument("--eps", type=_positive_number, metavar="E", help="the privacy budget, eps (default 1)")
    words = "seconds for each attack (default 10, or none where there is an effort)"
    parser.add_argument("--timeout", type=time_limit, metavar="SECONDS", help=words)
    words = "the work of each attack, such as 1000: no clock ends it, so that it comes out the same again"
    parser.add_argument("--effort", type=lambda text: whole_number(text, 1), metavar="N", help=words)
    add_import_timeout(parser)
    parser.add_argument(
        "--claim", metavar="EXPRESSION", help="the claim that the loss is compared with (default: the proof's)"
    )
    parser.add_argument(
        "--delta", metavar="EXPRESSION", help="the delta that goes with the claim as its epsilon (default: the proof's)"
    )
    parser.add_argument(
        "--adjacency", type=adjacency_name, choices=Offered(("each", "monotone", "one", "l1")),
        metavar="{each,monotone,one,l1,few(l)}",
        help="which inputs are adjacent (default: the proof's, or each)",
    )  # fmt: skip
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="fix a public parameter; may be repeated"
    )
    parser.add_argument("--seed", type=whole_number, default=0, metavar="N", help="seed of the search (default 0)")
    add_jobs(parser)
    parser.add_argument("--format", choices=FORMATS, default="text", help="text (the default) or json")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def _positive_number(text: str) -> Fraction:
    """Read a number above 0, such as 0.1 or 1/3."""
    try:
        number = fraction(text)
    except ValueError:
        number = Fraction(0)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"must be a number above 0, not {text!r}")
    return number


def _execute(options: argparse.Namespace) -> int:
    """Attack the target, print the certified losses, and return the exit code."""
    from alignkit.attacking.mechanism_attack import DEFAULT_TIMEOUT, INTERRUPTED
    from alignkit.cli.attack_worker import AttackPlan

    plan = AttackPlan(
        target=options.target, eps=options.eps, claim=options.claim, delta=options.delta,
        adjacency=options.adjacency, parameters=_parameters(options.set), seed=options.seed,
        timeout=DEFAULT_TIMEOUT if options.timeout is None and options.effort is None else options.timeout,
        jobs=options.jobs or cores(), effort=options.effort,
    )  # fmt: skip
    reports: list[AttackReport] = []
    errors: list[dict[str, Any]] = []
    code = 0
    for target, result in _attacks(plan, ProgressLine(enabled=not options.quiet), options.import_timeout):
        if isinstance(result, WorkerError):
            errors.append({"target": target.label, "message": str(result), "exit_code": result.exit_code})
            say(f"{target.label}: {result}")
            code = max(code, result.exit_code)
            continue
        reports.append(result)
        if INTERRUPTED in result.bound.notes:
            code = 130
            break
        known_broken = options.claim is None and options.delta is None and target.expected
        if result.bound.violates and not known_broken and code == 0:
            code = 1
    _print(reports, errors, options.format)
    return code


def _attacks(
    plan: AttackPlan, progress: ProgressLine, import_seconds: float
) -> Iterator[tuple[AttackTarget, AttackReport | WorkerError]]:
    """Yield the report, or the error, of each target in turn."""
    from alignkit.cli.attack_worker import AttackService
    from alignkit.cli.worker_process import Worker
    from alignkit.cli.worker_turns import answers_in_turn

    start = partial(Worker, AttackService, plan, import_seconds=import_seconds)
    return answers_in_turn(start, AttackService.targets, AttackService.attack, progress)


def _parameters(texts: list[str]) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        try:
            numbers = [fraction(part) for part in value.split(",")]
        except ValueError:
            numbers = []
        if name in parameters:
            raise InputError(f"--set {text}: {name} was set before; give each parameter one value")
        if not equals or not numbers:
            raise InputError(f"--set {text}: write NAME=VALUE with a number such as 3, 0.5 or 1/3 (or 1,2,3)")
        parameters[name] = numbers if "," in value else numbers[0]
    return parameters


def _print(reports: list[AttackReport], errors: list[dict[str, Any]], form: str) -> None:
    from alignkit.reporting.json_documents import attacks_json
    from alignkit.reporting.terminal import make_console

    if form == "json":
        print(attacks_json(reports, errors))
        return
    console = make_console(sys.stdout)
    for number, report in enumerate(reports):
        if number:
            console.print()
        for line in report.lines():
            console.print(line.text, style=line.style or None, soft_wrap=True)


COMMAND = Command(_SUMMARY, _DESCRIPTION, _add_flags, _execute)
