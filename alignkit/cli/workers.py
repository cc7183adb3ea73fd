"""Checking many alignments at once, in processes of their own where there are several."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from typing import TYPE_CHECKING, Any

from alignkit.cli.processes import forking, quiet_start, start_worker
from alignkit.cli.streams import Progress, error_text
from alignkit.errors import AlignkitError
from alignkit.language.program import walk
from alignkit.running.alignment import Alignment

if TYPE_CHECKING:
    from alignkit.proving.verdict import Result

Table = Sequence[frozenset[str]]


@dataclass(frozen=True)
class Failure:
    """An alignment that could not be checked at all."""

    target: str
    message: str
    exit_code: int


@dataclass(frozen=True)
class Outcome:
    """What came of the checks, in order; ``interrupted`` where some were not finished."""

    results: tuple[Result, ...]
    failures: tuple[Failure, ...]
    interrupted: bool = False


@dataclass(frozen=True)
class Request:
    """How to check; sent to every worker."""

    timeout: float
    seed: int
    table: Table | None

    def check(self, alignment: Alignment, progress: Callable[[str], None] | None = None) -> Result | Failure:
        """The result, or the failure that takes its place."""
        from alignkit.checking import check

        extra: dict[str, Any] = {} if self.table is None else {"table": self.table}
        try:
            return check(alignment, timeout=self.timeout, seed=self.seed, progress=progress, **extra)
        except Exception as problem:
            if os.environ.get("ALIGNKIT_DEBUG"):
                traceback.print_exc()
            return _failure(label(alignment), problem)


def _failure(target: str, problem: Exception) -> Failure:
    code = problem.exit_code if isinstance(problem, AlignkitError) else 4
    return Failure(target, error_text(problem), code)


def label(alignment: Alignment) -> str:
    """How messages name an alignment."""
    return f"{alignment.mechanism.name} / {alignment.name}"


def check_alignments(
    alignments: Sequence[Alignment],
    *,
    timeout: float,
    seed: int,
    jobs: int,
    table: Table | None = None,
    quiet: bool = False,
) -> Outcome:
    """Check alignments, at most ``jobs`` at a time; Ctrl-C ends it with what has been decided so far."""
    request = Request(timeout, seed, table)
    done: dict[int, Result | Failure] = {}
    progress = Progress(enabled=not quiet)
    checking = _here if min(jobs, len(alignments)) <= 1 else _in_processes
    interrupted = False
    try:
        for index, result in checking(alignments, request, jobs, progress):
            done[index] = result
    except KeyboardInterrupt:
        interrupted = True
    finally:
        progress.clear()
    ordered = [done[index] for index in sorted(done)]
    failures = tuple(each for each in ordered if isinstance(each, Failure))
    decided = {i: each for i, each in done.items() if not isinstance(each, Failure)}
    return Outcome(_folded(alignments, decided), failures, interrupted)


def _folded(alignments: Sequence[Alignment], decided: dict[int, Result]) -> tuple[Result, ...]:
    """The results in order, each with what all alignments of its mechanism say of the mechanism."""
    if not decided:
        return ()
    from alignkit.checking import fold_privacy

    groups: dict[int, list[int]] = {}
    for index in sorted(decided):
        groups.setdefault(id(alignments[index].mechanism), []).append(index)
    folded: dict[int, Result] = {}
    for indices in groups.values():
        results = fold_privacy([alignments[i] for i in indices], [decided[i] for i in indices])
        folded.update(zip(indices, results, strict=True))
    return tuple(folded[index] for index in sorted(folded))


@dataclass(frozen=True)
class Step:
    """Shows how one check gets on."""

    progress: Progress
    heading: str

    def __call__(self, text: str) -> None:
        self.progress.show(f"{self.heading}: {text}")


def _here(
    alignments: Sequence[Alignment], request: Request, jobs: int, progress: Progress
) -> Iterator[tuple[int, Result | Failure]]:
    for index, alignment in enumerate(alignments):
        heading = f"[{index + 1}/{len(alignments)}] {label(alignment)}"
        progress.show(heading)
        yield index, request.check(alignment, Step(progress, heading))


def _in_processes(
    alignments: Sequence[Alignment], request: Request, jobs: int, progress: Progress
) -> Iterator[tuple[int, Result | Failure]]:
    from alignkit.catalogue import whereabouts

    context = forking()
    places = [whereabouts(each) for each in alignments]
    number = len(alignments)
    unfinished = set(range(number))
    progress.show(f"[0/{number}] checking")
    with contextlib.suppress(BrokenProcessPool):
        # The longest first, so that no worker is left alone with one of them at the end.
        longest_first = sorted(range(number), key=lambda index: _length(alignments[index]), reverse=True)
        for index, result in _pooled(longest_first, places, request, min(jobs, number), context):
            unfinished.discard(index)
            progress.show(f"[{number - len(unfinished)}/{number}] {label(alignments[index])}")
            yield index, result
    # A worker died: the others of its pool with it. Alone, each alignment answers for itself.
    for index in sorted(unfinished):
        try:
            yield from _pooled([index], places, request, 1, context)
        except BrokenProcessPool:
            words = "internal error: the process that checked it died (out of memory, or a solver's crash)"
            yield index, Failure(label(alignments[index]), words, 4)


def _length(alignment: Alignment) -> int:
    """A guess at how long a check takes: the more there is to read, the longer."""
    programs = (alignment.mechanism.program, alignment.program)
    return sum(1 for program in programs for statement in program.body for _ in walk(statement))


def _pooled(
    indices: list[int], places: list[tuple[str, int]], request: Request, jobs: int, context: BaseContext
) -> Iterator[tuple[int, Result | Failure]]:
    before = set(multiprocessing.active_children())
    start = (request, list(sys.path))
    executor = ProcessPoolExecutor(jobs, context, initializer=_start_worker, initargs=start)
    try:
        with quiet_start():
            waiting: dict[Future[Any], int] = {executor.submit(_work, *places[i]): i for i in indices}
        for future in as_completed(waiting):
            yield waiting[future], future.result()
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - before:
            process.kill()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


_request: Request | None = None


def _start_worker(request: Request, path: list[str]) -> None:
    global _request
    _request = request
    start_worker(path)
    # What was loaded before the fork stays: the garbage collector need not look at it again and again.
    gc.freeze()


def _work(file: str, number: int) -> Result | Failure:
    from alignkit.catalogue import alignments_in

    assert _request is not None
    try:
        found = alignments_in(file)[number]
    except Exception as problem:
        return _failure(file, problem)
    return _request.check(found)
