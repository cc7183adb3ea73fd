"""``check_all``: the results of many alignments in order, from checks in this process or on an executor."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from dataclasses import replace

from alignkit.arguments import check_callable, items, seconds, shown, whole
from alignkit.auditing.audit_arguments import executor_of
from alignkit.catalogue import find_alignments
from alignkit.checking import fold_privacy
from alignkit.data.counts import read_records
from alignkit.errors import InputError, described
from alignkit.results import Result, Subject
from alignkit.running.alignment_decorator import Alignment
from alignkit.spreading.check_tasks import CheckTask, Failure, SentAlignment, label_of, run_check


def check_all(
    targets: Iterable[Alignment | str],
    *,
    timeout: float = 60.0,
    seed: int = 0,
    table: Iterable[frozenset[str]] | None = None,
    progress: Callable[[str], None] | None = None,
    effort: int | None = None,
    executor: Executor | None = None,
    confirm: bool = False,
) -> list[Result]:
    """Check many alignments; return one result for each, in order, with what all of them show of its mechanism.

    ``targets`` are alignments, or strings as on the command line: files, folders, ``file.py::name``, names of the
    catalogue. An alignment that several of them name is checked once. ``timeout`` is in seconds for each check, and
    with ``seed``, ``table``, ``effort`` and ``confirm`` as in ``check``. ``progress`` is called with a text before each
    check, and with an executor after each.

    The checks run side by side on any ``executor`` of concurrent.futures, or on a Client of dask.distributed. The
    results are the same but for their seconds, unless a check runs into its timeout. A worker in another process
    imports the alignment from its file, which must be there under the same path and be the same. Threads take the
    alignments themselves; they gain little, because only the solver runs side by side.

    Raises TargetError for a target that cannot be used and for a worker that has another file, and InputError where an
    alignment cannot be sent or the executor loses a check. An error in one check is raised with the name of the
    alignment; nothing is returned then. It or Ctrl-C cancels the checks that have not started, and leaves the executor
    as it is.

    >>> [(result.alignment, str(result.verdict)) for result in check_all(["noisy_max"])]
    [('phi', 'proved'), ('monotone_phi', 'proved')]
    """
    timeout, seed = seconds(timeout, "the timeout"), whole(seed, "seed")
    effort = None if effort is None else whole(effort, "effort")
    records = None if table is None else read_records(table)
    check_callable(progress, "progress", "a function of one string")
    executor = executor_of(executor)
    alignments = _alignments(targets)
    for alignment in alignments:
        alignment.ensure_current()

    say = progress or (lambda text: None)
    stays = executor is None or isinstance(executor, ThreadPoolExecutor)
    call = uuid.uuid4().hex
    sent = [alignment if stays else SentAlignment.of(alignment) for alignment in alignments]
    tasks = [CheckTask(alignment, timeout, seed, records, effort, confirm, call) for alignment in sent]
    results = _here(alignments, tasks, say) if executor is None else _on(executor, alignments, tasks, say)
    return fold_privacy(alignments, results)


def _alignments(targets: Iterable[Alignment | str]) -> Sequence[Alignment]:
    found: dict[int, Alignment] = {}
    for target in items(targets, "targets", "a list of alignments or strings, such as [phi, 'proofs.py::psi']"):
        if not isinstance(target, Alignment | str):
            raise InputError(f"a target is an alignment or a string, such as 'proofs.py::phi', not {shown(target)}")
        named = [target] if isinstance(target, Alignment) else find_alignments([target])
        found.update((id(alignment), alignment) for alignment in named)
    return tuple(found.values())


def _here(alignments: Sequence[Alignment], tasks: Sequence[CheckTask], say: Callable[[str], None]) -> list[Result]:
    results: list[Result] = []
    for number, (alignment, task) in enumerate(zip(alignments, tasks, strict=True), 1):
        say(f"[{number}/{len(tasks)}] {label_of(alignment)}")
        results.append(_result(alignment, run_check(task)))
    return results


def _on(
    executor: Executor, alignments: Sequence[Alignment], tasks: Sequence[CheckTask], say: Callable[[str], None]
) -> list[Result]:
    """Return the results from an executor; an error or Ctrl-C cancels what has not started."""
    waiting: list[Future[Result | Failure]] = []
    results: list[Result] = []
    try:
        for alignment, task in zip(alignments, tasks, strict=True):
            waiting.append(_sent(executor, alignment, task))
        for number, (alignment, future) in enumerate(zip(alignments, waiting, strict=True), 1):
            results.append(_result(alignment, _returned(alignment, future)))
            say(f"[{number}/{len(tasks)}] {label_of(alignment)}")
    finally:
        for future in waiting:
            with contextlib.suppress(Exception):  # a cluster may be gone, and the error above says so
                future.cancel()
    return results


def _sent(executor: Executor, alignment: Alignment, task: CheckTask) -> Future[Result | Failure]:
    try:
        return executor.submit(run_check, task)
    except BrokenExecutor as problem:
        raise InputError(f"the executor's workers stopped: {described(problem)}") from problem
    except Exception as problem:
        raise InputError(f"the executor does not take the check of {label_of(alignment)}: {problem}") from problem


def _returned(alignment: Alignment, future: Future[Result | Failure]) -> object:
    try:
        return future.result()
    except (BrokenExecutor, CancelledError) as problem:
        words = f"the executor's workers stopped before {label_of(alignment)} was checked: {described(problem)}"
        raise InputError(words) from problem
    except Exception as problem:
        # The task returns its own errors: this one is of the executor, such as a worker without alignkit.
        words = f"the executor could not check {label_of(alignment)}: {described(problem)}"
        raise InputError(words) from problem


def _result(alignment: Alignment, outcome: object) -> Result:
    """The result in an outcome, tied to the alignment here so that it knows when it is stale."""
    if isinstance(outcome, Failure):
        raise outcome.error(label_of(alignment))
    if isinstance(outcome, Result) and _identity(outcome) == (
        alignment.mechanism.name, alignment.mechanism.digest, alignment.dotted_name, alignment.line, alignment.claim,
        str(alignment.adjacency),
    ):  # fmt: skip
        return replace(outcome, subject=Subject(alignment))
    raise InputError(f"the executor returned no result of {label_of(alignment)}, but {shown(outcome)}")


def _identity(result: Result) -> tuple[object, ...]:
    return result.mechanism, result.digest, result.alignment, result.line, result.claim, result.adjacency
