"""``alignkit confirm``: what a second program says of proofs, in a line for each alignment."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from alignkit.cli.check_command import add_common_flags, check_and_report
from alignkit.cli.options import Command
from alignkit.cli.streams import say
from alignkit.errors import InputError
from alignkit.gating.project_settings import read_settings

if TYPE_CHECKING:
    from alignkit.cli.check_run import CheckOutcome

_SUMMARY = "ask a second program about proofs"

_DESCRIPTION = """\
Check alignments, and have each proof examined by a second program, which shares
nothing with the prover but the solver: it runs your own functions on symbolic
numbers. A line for each alignment says the verdict and what the program says of
the proof: that it is confirmed for every n, or for lists of up to n answers and
counts of up to k; why it was not examined; or that it is CONTRADICTED, with the
inputs. Such a proof is withdrawn. What is not proved is not examined.

A TARGET is as for `alignkit check`, whose settings hold, but for the policy;
`alignkit check --confirm` prints its own reports and applies the policy.

With --solver cvc5, both programs ask cvc5 in place of z3. With --vote, cvc5 is
asked each question that z3 called valid, and the line says on how many it
agrees. Where it disagrees, nothing is proved, and the question is saved in
.alignkit/disagreements. Both flags need the extra `verify`, and take nothing
from the cache.

exit codes: as for `alignkit check`; 4 where a proof is contradicted, or where
the solvers disagree.

examples:
  alignkit confirm noisy_max
  alignkit confirm noisy_max --vote
  alignkit confirm proofs/ --format json
"""


def _add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command: those of `check` that concern verdicts."""
    add_common_flags(parser)
    parser.add_argument("--vote", action="store_true", help="ask cvc5 again what z3 called valid")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    parser.set_defaults(
        confirm=True, data=None, suggest=False, verbose=False, changed_since=None, baseline=None, write_baseline=None
    )


def _execute(options: argparse.Namespace) -> int:
    """Check the targets with the second opinion, print a line for each, and return the exit code."""
    if options.vote and options.solver == "cvc5":
        raise InputError(
            "--vote asks cvc5 again what z3 called valid, and with --solver cvc5 no proof rests on z3: "
            "give one of the two flags"
        )
    return check_and_report(options, replace(read_settings(Path.cwd()), policy=None), _print)


def _print(outcome: CheckOutcome, options: argparse.Namespace, started: float, code: int) -> None:
    from alignkit.reporting.sentences import opinions_shown

    for result in outcome.results:
        print(opinions_shown(result))
    for failure in outcome.failures:
        print(f"{failure.target}: {failure.message}")
    for problem in outcome.problems:
        say(problem.message)


COMMAND = Command(_SUMMARY, _DESCRIPTION, _add_flags, _execute)
