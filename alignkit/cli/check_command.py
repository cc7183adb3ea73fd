"""``alignkit check``: prove or refute alignments, and report."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from alignkit.cli.options import Command, add_import_timeout, add_jobs, cores, time_limit, whole_number
from alignkit.cli.streams import ended_at_once, say
from alignkit.errors import InputError
from alignkit.formatting import counted
from alignkit.gating.project_settings import CHECK_FORMATS, DEFAULT_TIMEOUT, ProjectSettings, read_settings

if TYPE_CHECKING:
    from alignkit.caching.opening import OpenedCache
    from alignkit.cli.changed_alignments import ChangedAlignments
    from alignkit.cli.check_run import CheckOutcome
    from alignkit.gating.policy import Policy
    from alignkit.results import Result

_SUMMARY = "prove or refute alignments"

_DESCRIPTION = """\
Check alignments: each is proved for all inputs, refuted with a counterexample,
or left undecided.

A TARGET is a file, a folder (all Python files in it), file.py::name for one
alignment or for all alignments of one mechanism, or the name of a mechanism or
of a proof module of the catalogue. Without one, the targets of [tool.alignkit]
in pyproject.toml are checked, or else, where no policy, baseline or revision
says what is accepted of your own proofs, the whole catalogue.

For a single alignment, its full report is printed. For several, a table is
printed, then the full report of each that is not as expected, then a line that
counts them and what could not be checked. With --quiet, nothing is printed if
all are as expected, and otherwise only the full reports of those that are not,
and the last line. An attack bounds the loss of a mechanism from below only
where a full report, or a format for programs, shows it.

The files are imported, and so their code is run: check only files that you
would run. They are imported in worker processes, which are ended when
--timeout or --import-timeout passes.

With --confirm, each proof is examined by a second program, which runs your own
functions on symbolic numbers, and the report says what came of it. A proof that
this program contradicts is withdrawn in any case: an internal error.

With --suggest, what `alignkit find` proves in the time that a check leaves is
shown where it is better: any alignment in place of one that is not proved, one
with a smaller claim in place of one that is. The verdicts stay as they are.

The policy of [tool.alignkit.policy] says which proofs are accepted. With
--write-baseline, verdicts, claims and worst cases are written to a file; with
--baseline, the run is compared with such a file.

A proof or a refutation of an earlier run is taken from a cache in the user's
cache folder, and marked as such, where neither the meaning of an alignment and
its mechanism nor alignkit, the solver or Python has changed; with --no-cache,
all is checked anew.

With --solver cvc5, proofs rest on cvc5 in place of z3, which also takes longer,
and with --confirm so does the second opinion; nothing is taken from the cache.

With --changed-since, only those alignments are checked that git, or an import
that cannot be followed, leaves in doubt. Files outside the repository are
always checked. An alignment that was to be proved at the revision and is not
any more fails the run; whether a claim grew, only a baseline tells.

exit codes: 0 all as expected; 1 refuted where a proof was expected, or proved
where a refutation was expected, or the policy is broken, or something is worse
than in the baseline, or lost since the revision; 2 a target that cannot be used
(the others are still reported); 3 undecided; 4 internal error; 130 interrupted.
With several, 4 wins over 2 over 1 over 3.

examples:
  alignkit check
  alignkit check proofs/ --format json
  alignkit check proofs/ --changed-since origin/main --format github
  alignkit check mine.py::phi --timeout 10
  alignkit check sparse_vector_with_gap --data baskets.dat
  alignkit check proofs/ --baseline verdicts.json
"""

# From the most to the least telling, for a run in which several occur.
_PRECEDENCE = (4, 2, 1, 3, 0)


def add_common_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that `check` and `confirm` have in common."""
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="what to check; default: the catalogue")
    parser.add_argument("--format", choices=CHECK_FORMATS, help="text (the default), or for a program")
    words = f"seconds for each alignment (default {DEFAULT_TIMEOUT:g})"
    parser.add_argument("--timeout", type=time_limit, metavar="SECONDS", help=words)
    add_import_timeout(parser)
    words = "seed of the search for counterexamples (default 0)"
    parser.add_argument("--seed", type=whole_number, metavar="N", help=words)
    add_jobs(parser)
    parser.add_argument("--no-cache", action="store_true", help="check all anew, and keep nothing for later runs")
    words = "the solver that is asked: z3 (the default) or cvc5 (the extra `verify`)"
    parser.add_argument("--solver", choices=("z3", "cvc5"), default="z3", help=words)


def _add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    add_common_flags(parser)
    words = "have each proof examined by a second program, and say what came of it"
    parser.add_argument("--confirm", action="store_true", default=None, help=words)
    parser.add_argument("--data", metavar="FILE", help="also search on this table, with a transaction dropped or added")
    words = "only alignments whose file, or what it imports, differs from the git revision REV"
    parser.add_argument("--changed-since", metavar="REV", help=words)
    words = "in the time left, find an alignment that works, or a cheaper one"
    parser.add_argument("--suggest", action="store_true", help=words)
    words = "compare with the verdicts, claims and worst cases in this file"
    parser.add_argument("--baseline", metavar="FILE", help=words)
    parser.add_argument("--write-baseline", metavar="FILE", help="write such a file, unless something was not checked")
    parser.add_argument("-q", "--quiet", action="store_true", help="print only what is not as expected, if anything")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every full report, with all notes")
    parser.set_defaults(vote=False)


def _execute(options: argparse.Namespace) -> int:
    """Check the targets, print the report, and return the exit code."""
    return check_and_report(options, read_settings(Path.cwd()), _print)


def check_and_report(
    options: argparse.Namespace,
    settings: ProjectSettings,
    show: Callable[[CheckOutcome, argparse.Namespace, float, int], None],
) -> int:
    """Check the targets, print the report for a program or ``show`` the one for people, and return the exit code."""
    started = time.monotonic()
    flags = {name: value for name, value in vars(options).items() if value not in (None, [])}
    settings = replace(settings, **{field.name: flags[field.name] for field in fields(settings) if field.name in flags})
    table = None
    if options.data is not None:
        from alignkit.data import read_transactions

        table = read_transactions(options.data)

    with ended_at_once():  # the solver is loaded with the comparison of claims
        from alignkit.cli.check_run import Gates, check_targets, unused_names
        from alignkit.cli.check_worker import CheckRequest, Unusable
        from alignkit.gating.baseline import check_writable, read_baseline
        from alignkit.reporting.gate_report import GateRemark

    if options.solver == "cvc5" or options.vote:
        from alignkit.symbolic.cvc5_solver import require_cvc5

        require_cvc5()
    baseline = None if options.baseline is None else read_baseline(options.baseline)
    if options.write_baseline is not None:
        check_writable(options.write_baseline)
    gates = Gates(settings.policy, baseline, tuple(settings.targets))

    # The cache keeps what z3 proved, without the questions.
    anew = options.no_cache or table is not None or options.solver != "z3" or options.vote
    cache = None if anew else open_users_cache(quiet=options.quiet)
    request = CheckRequest(
        tuple(settings.targets),
        settings.timeout,
        settings.seed,
        table,
        options.suggest,
        cache,
        settings.confirms,
        options.solver,
        options.vote,
        bounded=settings.format != "text" or options.verbose or options.suggest,
    )
    revision = options.changed_since
    if not settings.targets:
        _refuse_the_catalogue(options, settings)
    if revision is not None and (baseline is not None or options.write_baseline is not None):
        raise InputError("a baseline is one of a whole run: leave --changed-since out")
    changed = None if revision is None else _changed_since(revision)
    outcome = check_targets(
        request,
        jobs=settings.jobs or cores(),
        quiet=options.quiet,
        import_seconds=options.import_timeout,
        gates=gates,
        chosen=lambda described: changed is None or changed.affects(described.files),
    )
    if changed is not None and not outcome.interrupted:
        lost = changed.lost_proofs(outcome.described, gates.cover, complete=not outcome.problems)
        remarks = tuple(GateRemark(place, f"it is {now}, and at {revision} it was to be proved") for place, now in lost)
        outcome = replace(outcome, gate=replace(outcome.gate, lost=remarks))
    if changed is not None and not options.quiet:
        _say_left_out(outcome, changed, revision)
    if outcome.cache_trouble and not options.quiet:
        say(f"verdicts were not kept for later runs: {outcome.cache_trouble}")
    if not options.quiet:
        for label, reason in outcome.unaided:
            say(f"{label}: no suggestion: {reason}")
    if _leaves_claims_out(settings.policy) and settings.format != "text" and not options.quiet:
        say("the policy has implementations = true, for `alignkit implements` and pytest; no claim was examined here")
    errors = [*outcome.problems, *outcome.failures]
    if not options.targets and not outcome.interrupted and not outcome.left_out and not errors:
        unused = unused_names(settings.policy, outcome.results)
        if unused:
            say(unused)
    interruption = f"interrupted: {len(outcome.results)} of {outcome.number} decided"
    if outcome.interrupted:
        errors.append(Unusable(None, interruption, 130))
    codes = [*(error.exit_code for error in errors), 1 if outcome.gate.fails else 0]
    code = 130 if outcome.interrupted else exit_code(outcome.results, codes, settings.policy)
    if settings.format == "text":
        show(outcome, options, started, code)
    else:
        from alignkit.cli.check_formats import machine_report

        if settings.format != "github":  # whose log reads stderr too, where a name could pass for a command
            _say_unchecked(outcome)
        place = None if changed is None else changed.changed_mechanism
        print(machine_report(settings.format, outcome.results, errors, outcome.gate, code, place), end="")
    if outcome.interrupted:
        say(interruption)
    if options.write_baseline is not None:
        _write_baseline(options.write_baseline, outcome.results, complete=not errors)
    return code


def open_users_cache(*, quiet: bool) -> OpenedCache | None:
    """Open the user's cache; where it cannot be used, say why and go without it."""
    from alignkit.caching.folders import UnusableFolderError
    from alignkit.caching.opening import open_cache

    try:
        return open_cache()
    except UnusableFolderError as problem:
        if not quiet:
            say(f"the cache of verdicts is not used: {problem}")
        return None


def _leaves_claims_out(policy: Policy | None) -> bool:
    return policy is not None and policy.implementations


def _refuse_the_catalogue(options: argparse.Namespace, settings: ProjectSettings) -> None:
    """Raise InputError where a gate has no targets: it would pass because of proofs that are not the project's."""
    flags = {"--changed-since": options.changed_since, "--baseline": options.baseline,
             "--write-baseline": options.write_baseline, "a policy": settings.policy}  # fmt: skip
    needing = next((name for name, value in flags.items() if value is not None), None)
    if needing is not None:
        raise InputError(
            f"{needing} needs targets, since the catalogue's proofs are not yours: write targets = [\"proofs\"] under "
            "[tool.alignkit] in pyproject.toml, or name them, as in `alignkit check proofs`"
        )


def _changed_since(revision: str) -> ChangedAlignments:
    """Ask git what has changed; raise InputError where it cannot say."""
    from alignkit.cli.changed_alignments import ChangedAlignments
    from alignkit.cli.repository import changes_since

    return ChangedAlignments(changes_since(revision, Path.cwd()))


def _say_left_out(outcome: CheckOutcome, changed: ChangedAlignments, revision: str) -> None:
    for line in changed.lost_files():
        say(f"since {revision}, {line}")
    total = outcome.number + outcome.left_out
    read = " that could be read" if outcome.problems else " that is left" if outcome.gate.lost else ""
    if outcome.number:
        say(f"since {revision}, {outcome.number} of {counted(total, 'alignment')}{read} may have changed")
    else:
        say(f"since {revision}, no alignment{read} has changed; {counted(outcome.left_out, 'alignment')} left out")


def _write_baseline(file: str, results: Sequence[Result], *, complete: bool) -> None:
    """Write a baseline, or say why not: a part of what was asked for is no baseline of it."""
    from alignkit.gating.baseline import write_baseline

    if complete and results:
        write_baseline(file, results)
    else:
        say(f"the baseline {file} was not written: {'not everything' if results else 'nothing'} was checked")


def exit_code(results: Sequence[Result], errors: Sequence[int] = (), policy: Policy | None = None) -> int:
    """Choose the exit code of a run from its results and the exit codes of what could not be checked.

    Of the policy only what it says of undecided results counts here; what breaks it is among the errors.
    """
    codes = {0, *errors, *(_code(result, policy) for result in results)}
    return min(codes, key=_PRECEDENCE.index)


def _code(result: Result, policy: Policy | None) -> int:
    from alignkit.reporting.problems_for_ci import fails, leaks_unexpectedly
    from alignkit.results import Verdict

    if not fails(result) or (policy is not None and policy.tolerates(result)):
        return 0
    return 3 if result.verdict is Verdict.UNDECIDED and not leaks_unexpectedly(result) else 1


def _say_unchecked(outcome: CheckOutcome) -> None:
    for problem in outcome.problems:
        say(problem.message)
    for failure in outcome.failures:
        say(f"{failure.target}: {failure.message}")


def _print(outcome: CheckOutcome, options: argparse.Namespace, started: float, code: int) -> None:
    """Print the report, what could not be checked, the line that counts both, and what the policy says of them."""
    from alignkit.reporting.gate_report import Extent
    from alignkit.reporting.sentences import Unchecked
    from alignkit.reporting.terminal import make_console, print_gate, print_report, print_tally

    console = make_console(sys.stdout)
    print_report(outcome.results, console, options.verbose, quiet=options.quiet)
    sys.stdout.flush()
    _say_unchecked(outcome)
    undecided = outcome.number - len(outcome.results) - len(outcome.failures)
    unchecked = Unchecked(len(outcome.problems), len(outcome.failures), undecided if outcome.interrupted else 0)
    seconds = time.monotonic() - started
    print_tally(outcome.results, console, quiet=options.quiet, seconds=seconds, unchecked=unchecked)
    words = "implementations, which this command does not examine: alignkit implements, or pytest"
    but_for = words if _leaves_claims_out(read_settings(Path.cwd()).policy) else ""
    checked = Extent(bool(outcome.results), not unchecked and not outcome.left_out, but_for)
    print_gate(outcome.gate, console, quiet=options.quiet, checked=checked, fails=code != 0)


COMMAND = Command(_SUMMARY, _DESCRIPTION, _add_flags, _execute)
