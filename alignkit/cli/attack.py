"""``alignkit attack``: certify how much a mechanism leaks at least."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.arguments import fraction
from alignkit.cli.options import FORMATS, cores, jobs, seconds, seed
from alignkit.cli.streams import Progress, error_text, say
from alignkit.errors import AlignkitError, InputError, TargetError

if TYPE_CHECKING:
    from alignkit.reporting.attacks import Attacked
    from alignkit.running.alignment import Alignment
    from alignkit.running.mechanism import Mechanism

SUMMARY = "certify a lower bound on the privacy loss"

DESCRIPTION = """\
Attack a mechanism: search for two adjacent databases and an event over outputs that show a large
privacy loss, and certify it. The loss is at least ln(P(M(D) in E) / P(M(D') in E)). Both probabilities
are computed in closed form where the program allows it, else bounded from samples; the report says which.

A TARGET is what `alignkit check` takes: the name of a mechanism of the catalogue, a file, or
file.py::name for one alignment or one mechanism. Each claim of a mechanism is attacked under its own
adjacency; a mechanism without a proof is attacked under --adjacency.

The files are imported, and so their code is run: attack only files that you would run.

exit codes: 0 no violation, or one where a refutation is expected; 1 not private; 2 a target that cannot
be used; 4 internal error; 130 interrupted (what was found by then is printed).

examples:
  alignkit attack sparse_vector_without_bound
  alignkit attack noisy_max --eps 0.1 --budget 30
  alignkit attack mine.py::my_mechanism --claim eps --set k=2 --format json
"""


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("target", metavar="TARGET", help="what to attack")
    parser.add_argument("--eps", type=positive, metavar="E", help="the budget (default 1)")
    parser.add_argument("--budget", type=seconds, default=10.0, metavar="SECONDS", help="for each (default 10)")
    parser.add_argument("--claim", metavar="EXPRESSION", help="hold the loss against this instead of the proof's claim")
    parser.add_argument("--adjacency", choices=("each", "monotone", "one", "l1"), help="default: the proof's, or each")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="fix a public parameter; may be repeated"
    )
    parser.add_argument("--seed", type=seed, default=0, metavar="N", help="seed of the search (default 0)")
    parser.add_argument("-j", "--jobs", type=jobs, metavar="N", help="processes (default: one a core)")
    parser.add_argument("--format", choices=FORMATS, default="text", help="text (the default) or json")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def positive(text: str) -> Fraction:
    """A number above 0, such as 0.1 or 1/3."""
    try:
        number = fraction(text)
    except ValueError:
        number = Fraction(0)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"must be a number above 0, not {text!r}")
    return number


def execute(options: argparse.Namespace) -> int:
    """Attack the target, print what was found, and return the exit code."""
    from alignkit.cli.workers import Step
    from alignkit.losses.attack import INTERRUPTED, attack

    targets = _targets(options.target)
    parameters = _parameters(options.set)
    found: list[Attacked] = []
    errors: list[dict[str, Any]] = []
    code = 0
    progress = Progress(enabled=not options.quiet)
    with _executor(options.jobs or cores()) as executor:
        for target in targets:
            label = _label(target)
            try:
                bound = attack(
                    target, eps=options.eps, claim=options.claim, adjacency=options.adjacency, parameters=parameters,
                    budget=options.budget, seed=options.seed, executor=executor,
                    progress=Step(progress, label),
                )  # fmt: skip
            except AlignkitError as problem:
                progress.clear()
                errors.append({"target": label, "message": error_text(problem), "exit_code": problem.exit_code})
                say(f"{label}: {error_text(problem)}")
                code = max(code, problem.exit_code)
                continue
            progress.clear()
            found.append(_attacked(target, bound, options))
            if INTERRUPTED in bound.notes:
                code = 130
                break
            known = options.claim is None and _expected(target)
            if bound.violates and not known and code == 0:
                code = 1
    _print(found, errors, options.format)
    return code


def _targets(text: str) -> list[Alignment | Mechanism]:
    """The alignments of a target, or else the mechanism that it names."""
    from alignkit.catalogue import find, load

    try:
        alignments = find([text])
    except TargetError as problem:
        try:
            named = load(text)
        except AlignkitError:
            raise problem from None
        return [named]
    distinct = {(id(a.mechanism), a.claim, a.adjacency): a for a in reversed(alignments)}
    return list(reversed(distinct.values()))


def _parameters(texts: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        try:
            numbers = [fraction(part) for part in value.split(",")]
        except ValueError:
            numbers = []
        if name in found:
            raise InputError(f"--set {text}: {name} was set before; give each parameter one value")
        if not equals or not numbers:
            raise InputError(f"--set {text}: write NAME=VALUE with a number such as 3, 0.5 or 1/3 (or 1,2,3)")
        found[name] = numbers if "," in value else numbers[0]
    return found


def _label(target: Alignment | Mechanism) -> str:
    from alignkit.running.mechanism import Mechanism

    return target.name if isinstance(target, Mechanism) else f"{target.mechanism.name} / {target.name}"


def _expected(target: Alignment | Mechanism) -> bool:
    """Whether the target is known to be broken."""
    return getattr(target, "expect", "proved") == "refuted"


def _attacked(target: Alignment | Mechanism, bound: Any, options: argparse.Namespace) -> Attacked:
    from alignkit.reporting.attacks import Attacked
    from alignkit.running.mechanism import Mechanism

    if isinstance(target, Mechanism):
        return Attacked(target.name, None, options.adjacency or "each", options.claim, bound)
    adjacency = options.adjacency or str(target.adjacency)
    return Attacked(target.mechanism.name, target.name, adjacency, options.claim or target.claim, bound)


@contextlib.contextmanager
def _executor(number: int) -> Iterator[Executor | None]:
    """Processes for the climbs; none where there is to be one only."""
    if number == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor

    from alignkit.cli.processes import forking, quiet_start, start_worker

    executor = ProcessPoolExecutor(number, forking(), initializer=start_worker, initargs=(list(sys.path),))
    try:
        with quiet_start():
            executor.submit(int).result()
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _print(found: list[Attacked], errors: list[dict[str, Any]], form: str) -> None:
    from alignkit.reporting.attacks import attack_lines, attacks_to_json
    from alignkit.reporting.terminal import make_console

    if form == "json":
        print(attacks_to_json(found, errors))
        return
    console = make_console(sys.stdout)
    for each in found:
        for line in attack_lines(each):
            console.print(line.text, style=line.style or None, soft_wrap=True)
        console.print()
