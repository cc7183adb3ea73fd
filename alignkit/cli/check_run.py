"""One run of ``alignkit check``: many alignments, each in a supervised worker process, several at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from alignkit.cli.check_worker import (
    AlignmentPlace,
    CheckRequest,
    DescribedAlignment,
    check_one,
    collect_targets,
    fold_results,
)
from alignkit.cli.options import IMPORT_SECONDS
from alignkit.cli.streams import ProgressLine, say
from alignkit.cli.worker_messages import Done, Importing, Progressed, Raised
from alignkit.cli.worker_process import LAST_WORDS, Worker, await_answer, next_messages, supervised
from alignkit.errors import WorkerLost

if TYPE_CHECKING:
    from alignkit.results import Result


@dataclass(frozen=True)
class Unusable:
    """A target or an alignment that could not be checked at all."""

    target: str
    message: str
    exit_code: int


@dataclass(frozen=True)
class CheckOutcome:
    """The results of a run in order, and what could not be checked; ``interrupted`` where some were not finished."""

    results: tuple[Result, ...]
    problems: tuple[Unusable, ...]
    failures: tuple[Unusable, ...]
    number: int
    interrupted: bool = False


def check_targets(
    targets: Sequence[str],
    request: CheckRequest,
    *,
    jobs: int,
    quiet: bool = False,
    import_seconds: float = IMPORT_SECONDS,
) -> CheckOutcome:
    """Check the alignments of targets, at most ``jobs`` at a time; Ctrl-C ends it with the results so far.

    What could not be used is part of the outcome; where there is no outcome, since an error ends the run, it is said.
    """
    run = _Run(tuple(targets), request, import_seconds, ProgressLine(enabled=not quiet))
    with run:
        problems = run.collect()
        try:
            interrupted = run.check(jobs)
            results = run.folded(interrupted=interrupted)
        except BaseException:
            run.progress.clear()
            for problem in problems:
                say(problem.message)
            raise
    failures = tuple(failure for _, failure in sorted(run.failed.items()))
    return CheckOutcome(results, problems, failures, len(run.described), interrupted)


@dataclass
class _Run:
    """The state of a run: its workers, and their answers so far."""

    targets: tuple[str, ...]
    request: CheckRequest
    import_seconds: float
    progress: ProgressLine
    skipped: dict[str, str] = field(default_factory=dict)
    described: tuple[DescribedAlignment, ...] = ()
    idle: list[Worker] = field(default_factory=list)
    busy: dict[Worker, int] = field(default_factory=dict)
    equipped: set[Worker] = field(default_factory=set)  # those that have the table
    decided: dict[int, Result] = field(default_factory=dict)
    failed: dict[int, Unusable] = field(default_factory=dict)

    def __enter__(self) -> _Run:
        return self

    def __exit__(self, *problem: object) -> None:
        self.progress.clear()
        for worker in (*self.idle, *self.busy):
            worker.stop()

    def collect(self) -> tuple[Unusable, ...]:
        """Import the targets; a file whose import ends or hangs its process is left out by the next one."""
        while True:
            worker = Worker(self.import_seconds)
            self.busy[worker] = -1
            worker.ask(collect_targets, self.targets, skipped=self.skipped)
            try:
                self.described, problems = await_answer(worker, self._heard)
            except WorkerLost as lost:
                del self.busy[worker]
                if lost.file is None or lost.file in self.skipped:
                    raise
                self.skipped[lost.file] = str(lost)
                continue
            del self.busy[worker]
            self.idle.append(worker)
            return tuple(Unusable(*problem) for problem in problems)

    def _heard(self, message: Importing | Progressed) -> None:
        if isinstance(message, Importing) and message.file is not None:
            self.progress.show(f"importing {message.file}")

    def check(self, jobs: int) -> bool:
        """Have every alignment checked; return whether Ctrl-C ended it before."""
        number = len(self.described)
        waiting = list(range(number))
        if min(jobs, number) > 1:
            # The longest first, so that no worker is left alone with one of them at the end.
            waiting.sort(key=lambda index: self.described[index].length, reverse=True)
            self.progress.show(f"[0/{number}] checking")
        try:
            while waiting or self.busy:
                while waiting and len(self.busy) < jobs:
                    self._give(waiting.pop(0), alone=jobs == 1 or number == 1)
                for worker, message in next_messages(list(self.busy)):
                    self._take(worker, message, alone=jobs == 1 or number == 1)
        except KeyboardInterrupt:
            for worker in self.busy:
                worker.stop()
            self.busy.clear()
            return True
        return False

    def _give(self, index: int, *, alone: bool) -> None:
        worker = self.idle.pop() if self.idle else Worker(self.import_seconds)
        self.busy[worker] = index
        if alone:
            self.progress.show(self._heading(index))
        request = replace(self.request, progress=alone and self.progress.enabled)
        if worker in self.equipped:
            request = replace(request, table=None)
        self.equipped.add(worker)
        worker.ask(check_one, self._place(index), request, skipped=self.skipped)

    def _place(self, index: int) -> AlignmentPlace:
        return AlignmentPlace(self.targets, index, self.described[index])

    def _heading(self, index: int) -> str:
        return f"[{index + 1}/{len(self.described)}] {self.described[index].label}"

    def _take(self, worker: Worker, message: Any, *, alone: bool) -> None:
        index = self.busy[worker]
        if isinstance(message, Progressed):
            self.progress.show(f"{self._heading(index)}: {message.text}")
        elif isinstance(message, Importing):
            self._heard(message)
        elif isinstance(message, Done):
            self._finished(worker, alone=alone)
            self.decided[index] = message.value
        elif isinstance(message, Raised | WorkerLost):
            self._finished(worker, alone=alone)
            text = str(message) if isinstance(message, WorkerLost) else message.message
            self.failed[index] = Unusable(self.described[index].label, text, message.exit_code)

    def _finished(self, worker: Worker, *, alone: bool) -> None:
        index = self.busy.pop(worker)
        if worker.alive:
            self.idle.append(worker)
        if not alone:
            number = len(self.described)
            done = len(self.decided) + len(self.failed) + 1
            self.progress.show(f"[{done}/{number}] {self.described[index].label}")

    def folded(self, *, interrupted: bool) -> tuple[Result, ...]:
        """Return the results in order, each with what all alignments of its mechanism show of the mechanism.

        Raises WorkerError where they contradict one another. After Ctrl-C this may not take long, and another Ctrl-C
        leaves the results as they are.
        """
        groups: dict[int, list[int]] = {}
        for index in sorted(self.decided):
            groups.setdefault(self.described[index].mechanism, []).append(index)
        groups_of_several = [indices for indices in groups.values() if len(indices) > 1]
        if groups_of_several:
            limit = min(LAST_WORDS, self.import_seconds) if interrupted else self.import_seconds
            worker = self.idle.pop() if self.idle else Worker(limit)
            with supervised(worker):
                places = [[self._place(index) for index in indices] for indices in groups_of_several]
                results = [[self.decided[index] for index in indices] for indices in groups_of_several]
                worker.ask(fold_results, places, results, skipped=self.skipped)
                try:
                    folded = await_answer(worker, self._heard)
                except KeyboardInterrupt:
                    if not interrupted:
                        raise
                    folded = results
                except WorkerLost as lost:  # the results stand as they are
                    folded = results
                    index = groups_of_several[0][0]
                    self.failed[index] = Unusable(self.described[index].label, str(lost), lost.exit_code)
                for indices, results_of_one in zip(groups_of_several, folded, strict=True):
                    self.decided.update(zip(indices, results_of_one, strict=True))
        return tuple(self.decided[index] for index in sorted(self.decided))
