"""``check_all``: the results of many alignments in order, from checks in this process or on an executor.

What a worker is sent, and what it sends back: the place of an alignment, and its result or an error.
"""

from __future__ import annotations

import contextlib
import traceback
import uuid
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from alignkit.arguments import check_callable, items, seconds, shown, whole
from alignkit.attacking.brackets import attacked
from alignkit.auditing.sampling_attack import executor_of
from alignkit.catalogue import alignments_in, find_alignments, whereabouts
from alignkit.checking import check, fold_privacy
from alignkit.data.counts import read_records
from alignkit.errors import AlignkitError, DataError, InputError, InternalError, LanguageError, TargetError, described
from alignkit.markup import quietly, shown_progress
from alignkit.public_names import public
from alignkit.results import Result, Subject
from alignkit.running.alignment_decorator import Alignment
from alignkit.version import __version__

# The errors that are made again of their text alone; every other error is an internal one here.
_KEPT = (DataError, InputError, LanguageError, TargetError)


@dataclass(frozen=True)
class SentAlignment:
    """An alignment as another process finds it again, by its file and its number there, and knows that it is the same.

    ``fingerprint`` is equal where the mechanism, the alignment and its claim are the same programs.
    """

    label: str
    file: str
    number: int
    line: int
    digest: str
    version: str

    @staticmethod
    def of(alignment: Alignment) -> SentAlignment:
        """Describe an alignment; raise InputError where another process cannot find it."""
        label = label_of(alignment)
        advice = "define it at the top of a file of its own, or use threads"
        if alignment.python.__module__ == "__main__":
            raise InputError(f"{label} cannot be sent to another process; {advice}")
        try:
            file, number = whereabouts(alignment)
        except TargetError as problem:
            raise InputError(f"{label} cannot be sent to another process: {problem}; {advice}") from None
        return SentAlignment(label, file, number, alignment.line, alignment.digest, __version__)

    def found(self) -> Alignment:
        """Find the alignment in this process; raise TargetError where it is missing or another one here."""
        if self.version != __version__:
            raise TargetError(f"the worker has alignkit {__version__}, and the caller has {self.version}")
        try:
            alignments = alignments_in(self.file)
        except TargetError as problem:
            raise TargetError(f"the worker cannot import it: {problem}") from problem
        if self.number < len(alignments):
            alignment = alignments[self.number]
            if (alignment.line, alignment.digest) == (self.line, self.digest):
                return alignment
        raise TargetError(
            f"the worker has another version of {self.file}, or one that differs from one import to the next; give all "
            "workers the same files, and restart workers that imported the file before it changed"
        )


@dataclass(frozen=True)
class CheckTask:
    """One check and its settings. An alignment itself stays in this process, and a sent one may go to another.

    ``call`` differs from call to call: dask takes equal tasks for one, and would answer with an earlier outcome.
    """

    alignment: Alignment | SentAlignment
    timeout: float
    seed: int
    table: tuple[frozenset[str], ...] | None
    effort: int | None
    confirm: bool
    call: str


@dataclass(frozen=True)
class Failure:
    """The error of a check, as it is sent back: exceptions themselves cannot all be pickled."""

    kind: type[AlignkitError]
    words: str
    trace: str = ""

    def error(self, label: str) -> AlignkitError:
        """Make the error for the caller, which names the alignment."""
        error = self.kind(f"{label}: {self.words}")
        if self.trace:
            error.add_note(self.trace)
        return error


def run_check(task: CheckTask) -> Result | Failure:
    """Check an alignment; an error is returned, so that it arrives whatever the executor does with exceptions."""
    try:
        alignment = task.alignment.found() if isinstance(task.alignment, SentAlignment) else task.alignment
        result = check(
            alignment, timeout=task.timeout, seed=task.seed, table=task.table, progress=quietly, effort=0,
            confirm=task.confirm,
        )  # fmt: skip
        return attacked(alignment, result, task.effort, task.seed, task.timeout - result.seconds)
    except _KEPT as error:
        kind = next(kind for kind in _KEPT if isinstance(error, kind))
        return Failure(kind, str(error))
    except Exception as error:
        words = str(error) if isinstance(error, AlignkitError) else described(error)
        return Failure(InternalError, words, traceback.format_exc())


def label_of(alignment: Alignment) -> str:
    """The name of an alignment in messages."""
    return f"{alignment.mechanism.name} / {alignment.dotted_name}"


@public
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

    stays = executor is None or isinstance(executor, ThreadPoolExecutor)
    call = uuid.uuid4().hex
    sent = [alignment if stays else SentAlignment.of(alignment) for alignment in alignments]
    tasks = [CheckTask(alignment, timeout, seed, records, effort, confirm, call) for alignment in sent]
    with shown_progress(progress) as say:
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
        alignment.delta, str(alignment.adjacency),
    ):  # fmt: skip
        return replace(outcome, subject=Subject(alignment))
    raise InputError(f"the executor returned no result of {label_of(alignment)}, but {shown(outcome)}")


def _identity(result: Result) -> tuple[object, ...]:
    return (
        result.mechanism, result.digest, result.alignment, result.line, result.claim, result.delta, result.adjacency
    )  # fmt: skip
