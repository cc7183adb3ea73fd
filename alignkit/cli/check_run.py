"""One run of ``alignkit check``: many alignments, each in a supervised worker process, several at once.

The policy and the baseline of a run of ``alignkit check``: what is asked of workers, and what is reported.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from alignkit.caching.folders import UnusableFolderError
from alignkit.cli.check_worker import Checked, CheckRequest, CheckService, DescribedAlignment, Unusable
from alignkit.cli.options import IMPORT_SECONDS
from alignkit.cli.streams import say
from alignkit.cli.worker_loop import Done, Importing, Message, Progressed
from alignkit.cli.worker_process import LAST_WORDS, Worker, await_answer, next_messages
from alignkit.errors import WorkerError, WorkerLost
from alignkit.gating.baseline import Baseline, BaselineEntry, entry_places
from alignkit.gating.baseline_changes import Direction
from alignkit.gating.breaches import Judgement, unjudged
from alignkit.gating.policy import Policy
from alignkit.markup import ProgressLine
from alignkit.reporting.gate_report import NO_GATE, BaselineReport, GateRemark, GateReport
from alignkit.results import Result, Verdict

if TYPE_CHECKING:
    from alignkit.caching.folders import Memo


Judge = Callable[[DescribedAlignment, Result, Policy | None, BaselineEntry | None], Judgement]


@dataclass(frozen=True)
class Gates:
    """What a run is held against. ``targets`` are those that were asked for, as paths or names; none: everything."""

    policy: Policy | None = None
    baseline: Baseline | None = None
    targets: tuple[str, ...] = ()

    def report(
        self, pairs: Sequence[tuple[DescribedAlignment, Result]], unchecked: Sequence[str], judge: Judge
    ) -> GateReport:
        """Judge the results of a run. ``unchecked`` names targets and alignments that have no result."""
        results = [result for _, result in pairs]
        entries = {} if self.baseline is None else self.baseline.entries
        places = [""] * len(pairs) if self.baseline is None else entry_places(results, self.baseline.folder)
        breaches: list[GateRemark] = []
        changes: dict[Direction, list[GateRemark]] = {direction: [] for direction in Direction}
        for (described, result), place in zip(pairs, places, strict=True):
            before = entries.get(place)
            if self.policy is None and (before is None or before == BaselineEntry.of(result)):
                continue
            judged = judge(described, result, self.policy, before)
            breaches += (GateRemark(described.label, words) for words in judged.breaches)
            for change in judged.changes:
                changes[change.direction].append(GateRemark(place, change.words))
        if self.baseline is None:
            return GateReport(policy=None if self.policy is None else tuple(breaches))
        gone = list(self._gone(self.baseline, set(places), unchecked))
        return GateReport(
            policy=None if self.policy is None else tuple(breaches),
            baseline=BaselineReport(
                **{str(direction): tuple(remarks) for direction, remarks in changes.items()},
                new=tuple(
                    GateRemark(place, f"it is {result.verdict}, with the claim {_claimed(result)}")
                    for place, result in zip(places, results, strict=True)
                    if place not in entries
                ),
                gone=tuple(GateRemark(place, f"it was {entries[place].verdict}") for place in gone),
                lost=any(entries[place].verdict == Verdict.PROVED for place in gone),
            ),
        )

    def _gone(self, baseline: Baseline, places: set[str], unchecked: Sequence[str]) -> Iterator[str]:
        """List the entries that the targets cover and the run has not met."""
        files = {place.rpartition("::")[0] for place in places}
        for place, entry in baseline.entries.items():
            file, _, name = place.rpartition("::")
            path = os.path.realpath(baseline.folder / file)
            if place in places or not self.cover(path, name.partition("#")[0], entry.mechanism):
                continue
            label = f"{entry.mechanism} / {name.partition('#')[0]}"
            lacks_results = bool(unchecked) and file not in files and os.path.exists(path)
            if label not in unchecked and not lacks_results:
                yield place

    def cover(self, path: str, name: str, mechanism: str) -> bool:
        """Whether the targets ask for an alignment: everything does, a file or folder around it, or its own name."""
        for target in self.targets:
            file, _, wanted = target.partition("::")
            within = Path(path).is_relative_to(os.path.realpath(file))
            if (within and wanted in ("", name, mechanism)) or target == mechanism:
                return True
        return not self.targets


def _claimed(result: Result) -> str:
    return result.claim if result.delta is None else f"{result.claim} and delta = {result.delta}"


def unused_names(policy: Policy | None, results: Sequence[Result]) -> str:
    """Say which mechanisms and parameters the policy names although no result is about them; empty where none."""
    names = () if policy is None else policy.unused_names(results)
    return f"the policy names {', '.join(names)}, and nothing that was checked has that name" if names else ""


@dataclass(frozen=True)
class CheckOutcome:
    """The results of a run in order, and what could not be checked; ``interrupted`` where some were not finished.

    ``unaided`` says for alignments, by their labels, why there is no suggestion in their place. ``gate`` is what the
    policy and the baseline say of the results; an interrupted run is not held against them.
    ``left_out`` counts the alignments that were not chosen; ``number`` counts the others, and ``described`` are both.
    ``cache_trouble`` says why results could not be kept for later runs.
    """

    results: tuple[Result, ...]
    problems: tuple[Unusable, ...]
    failures: tuple[Unusable, ...]
    number: int
    interrupted: bool = False
    unaided: tuple[tuple[str, str], ...] = ()
    gate: GateReport = NO_GATE
    left_out: int = 0
    cache_trouble: str = ""
    described: tuple[DescribedAlignment, ...] = ()


def check_targets(
    request: CheckRequest,
    *,
    jobs: int,
    quiet: bool = False,
    import_seconds: float = IMPORT_SECONDS,
    gates: Gates | None = None,
    chosen: Callable[[DescribedAlignment], bool] = lambda described: True,
) -> CheckOutcome:
    """Check the ``chosen`` alignments of targets, at most ``jobs`` at a time; Ctrl-C ends it with the results so far.

    What could not be used is part of the outcome. Where an error ends the run, so that there is no outcome, it is
    printed.
    """
    with contextlib.ExitStack() as workers:
        run = _Run(request, import_seconds, ProgressLine(enabled=not quiet), workers)
        workers.callback(run.progress.clear)
        problems = run.collect()
        try:
            run.chosen = tuple(filter(chosen, run.described))
            run.recall()
            interrupted = run.check(jobs) or run.suggest(jobs)
            if not interrupted:
                run.bound_single()
            results = run.folded(interrupted=interrupted)
            gate = NO_GATE if gates is None or interrupted else run.held_against(gates, problems)
        except BaseException:
            run.progress.clear()
            for problem in problems:
                say(problem.message)
            raise
    failures = tuple(failure for _, failure in sorted(run.failed.items()))
    unaided = tuple(reason for _, reason in sorted(run.unaided.items()))
    left_out = len(run.described) - len(run.chosen)
    return CheckOutcome(
        results, problems, failures, len(run.chosen), interrupted, unaided, gate, left_out, run.cache_trouble,
        run.described,
    )  # fmt: skip


def _failure(described: DescribedAlignment, error: WorkerError) -> Unusable:
    return Unusable(described.label, str(error), error.exit_code, described.file, described.line)


@dataclass
class _Run:
    """The state of a run: its workers, which end with ``workers``, and their answers so far."""

    request: CheckRequest
    import_seconds: float
    progress: ProgressLine
    workers: contextlib.ExitStack
    skipped: dict[str, str] = field(default_factory=dict)
    described: tuple[DescribedAlignment, ...] = ()
    chosen: tuple[DescribedAlignment, ...] = ()
    one_by_one: bool = False
    idle: list[Worker] = field(default_factory=list)
    busy: dict[Worker, tuple[DescribedAlignment, ...]] = field(default_factory=dict)
    decided: dict[int, Result] = field(default_factory=dict)
    unbounded: set[int] = field(default_factory=set)
    failed: dict[int, Unusable] = field(default_factory=dict)
    unaided: dict[int, tuple[str, str]] = field(default_factory=dict)
    cache_trouble: str = ""
    kept: int = 0

    def collect(self) -> tuple[Unusable, ...]:
        """Import the targets; a file whose import ends or hangs its process is left out by the next one."""
        while True:
            worker = self._free_worker(self.import_seconds, preload=self.request.cache is None)
            worker.ask(CheckService.collect)
            try:
                self.described, problems = await_answer(worker, self.progress.show)
            except WorkerLost as lost:
                if lost.file is None or lost.file in self.skipped:
                    raise
                self.skipped[lost.file] = str(lost)
            else:
                self.idle.append(worker)
                return tuple(problems)

    def recall(self) -> None:
        """Take what the cache has; a worker that is lost over it, or too late, has found nothing there."""
        if self.request.cache is None or not self.chosen:
            return
        worker = self._free_worker(self.import_seconds, preload=False)
        worker.ask(CheckService.recall, self.chosen, self.bounded)
        with contextlib.suppress(WorkerError):
            self.decided.update(await_answer(worker, self.progress.show))
        if worker.alive:
            self.idle.append(worker)

    @property
    def bounded(self) -> bool:
        """Whether the loss of each mechanism is bounded from below, as expected or not: where a report shows it."""
        return self.request.bounded or len(self.chosen) == 1

    def bound_single(self) -> None:
        """Bound the loss of the only alignment of several that was decided, which is shown in full."""
        if len(self.decided) != 1 or self.bounded:
            return
        ((index, result),) = self.decided.items()
        if not result.as_expected or index not in self.unbounded:
            return
        worker = self._free_worker(self.import_seconds)
        worker.ask(CheckService.bound, self.described[index], result)
        try:
            self.decided[index] = await_answer(worker, self.progress.show)
        except WorkerError as problem:
            del self.decided[index]
            self.failed[index] = _failure(self.described[index], problem)
        if worker.alive:
            self.idle.append(worker)

    def _keep(self, memo: Memo | None) -> None:
        """Put a result into the cache, until that fails for the first time."""
        if memo is None or self.request.cache is None or self.cache_trouble:
            return
        folder = self.request.cache.folder
        try:
            folder.keep(memo)
        except UnusableFolderError as problem:
            self.cache_trouble = str(problem)
        if not self.kept:
            folder.make_room()
        self.kept += 1

    def _free_worker(self, import_seconds: float, *, preload: bool = True) -> Worker:
        """Take a worker that has nothing to do, or start one, with the solver in memory if it is to ``preload`` it."""
        if self.idle:
            return self.idle.pop()
        worker = Worker(
            CheckService, self.request, skipped=self.skipped, import_seconds=import_seconds, preload=preload
        )
        self.workers.callback(worker.close)
        return worker

    def check(self, jobs: int) -> bool:
        """Have every alignment checked; return whether Ctrl-C ended it before."""
        waiting = [d for d in self.chosen if d.index not in self.decided]
        self.one_by_one = min(jobs, len(waiting)) <= 1
        if not self.one_by_one:
            # The longest first, so that no worker is left alone with one of them at the end.
            waiting.sort(key=lambda described: described.length, reverse=True)
            self.progress.show(f"[0/{len(waiting)}] checking")
        return self._work([(described,) for described in waiting], jobs, self._ask_for_check, self._take)

    def suggest(self, jobs: int) -> bool:
        """Have alignments suggested where they are wanted; return whether Ctrl-C ended it before.

        One search serves all alignments of a mechanism and adjacency, in the most time that one of them has left.
        """
        groups: dict[tuple[int, str], tuple[DescribedAlignment, ...]] = {}
        for described in self.chosen if self.request.suggest else ():
            result = self.decided.get(described.index)
            if result is not None:
                key = described.mechanism, result.adjacency
                groups[key] = (*groups.get(key, ()), described)
        waiting = []
        for group in groups.values():
            leaks = [self.decided[described.index].privacy.leak for described in group]
            if any(leak is not None and math.isinf(leak.loss) for leak in leaks):
                why = "an infinite loss was certified, so that no alignment proves a pure claim"
            elif self._seconds_left(group) <= 0:
                why = "the check left no time to search"
            else:
                waiting.append(group)
                continue
            self.unaided.update((described.index, (described.label, why)) for described in group)
        self.one_by_one = min(jobs, len(waiting)) <= 1
        return self._work(waiting, jobs, self._ask_for_suggestions, self._take_suggestions)

    def _work(
        self,
        waiting: list[tuple[DescribedAlignment, ...]],
        jobs: int,
        ask: Callable[[Worker, tuple[DescribedAlignment, ...]], None],
        take: Callable[[tuple[DescribedAlignment, ...], Message | WorkerError], None],
    ) -> bool:
        """Have groups of alignments worked on, at most so many at a time; return whether Ctrl-C ended it before."""
        try:
            while waiting or self.busy:
                while waiting and len(self.busy) < jobs:
                    worker, group = self._free_worker(self.import_seconds), waiting.pop(0)
                    self.busy[worker] = group
                    if self.one_by_one:
                        self.progress.show(self._heading(group[0]))
                    ask(worker, group)
                for worker, message in next_messages(list(self.busy)):
                    take(self.busy[worker], message)
                    if isinstance(message, Done | WorkerError):
                        self._free(worker)
        except KeyboardInterrupt:
            for worker in self.busy:
                worker.close()
            return True
        return False

    def _heading(self, described: DescribedAlignment) -> str:
        return f"[{self.chosen.index(described) + 1}/{len(self.chosen)}] {described.label}"

    def _ask_for_check(self, worker: Worker, group: tuple[DescribedAlignment, ...]) -> None:
        worker.ask(CheckService.check, group[0], self.one_by_one and self.progress.enabled, self.bounded)

    def _take(self, group: tuple[DescribedAlignment, ...], message: Message | WorkerError) -> None:
        described = group[0]
        match message:
            case Progressed(text):
                self.progress.show(f"{self._heading(described)}: {text}")
            case Importing(str(file)):
                self.progress.show(f"importing {file}")
            case Done(Checked(result, memo, bounded)):
                self.decided[described.index] = result
                if not bounded:
                    self.unbounded.add(described.index)
                self._keep(memo)
            case WorkerError():
                self.failed[described.index] = _failure(described, message)

    def _free(self, worker: Worker) -> None:
        """Take note that a worker has done all that was asked about a group of alignments."""
        group = self.busy.pop(worker)
        if worker.alive:
            self.idle.append(worker)
        if not self.one_by_one:
            done = len(self.decided) + len(self.failed)
            self.progress.show(f"[{done}/{len(self.chosen)}] {group[0].label}")

    def _seconds_left(self, group: tuple[DescribedAlignment, ...]) -> float:
        return self.request.timeout - min(self.decided[described.index].seconds for described in group)

    def _ask_for_suggestions(self, worker: Worker, group: tuple[DescribedAlignment, ...]) -> None:
        pairs = [(described, self.decided[described.index]) for described in group]
        shown = self.one_by_one and self.progress.enabled
        worker.ask(CheckService.suggest, pairs, self._seconds_left(group), shown)

    def _take_suggestions(self, group: tuple[DescribedAlignment, ...], message: Message | WorkerError) -> None:
        """Keep what was suggested beside the results, which stand whatever became of the search."""
        match message:
            case Progressed(text):
                self.progress.show(f"{self._heading(group[0])}: {text}")
            case Importing(str(file)):
                self.progress.show(f"importing {file}")
            case Done(_) | WorkerError():
                answers = message.value if isinstance(message, Done) else [str(message)] * len(group)
                for described, answer in zip(group, answers, strict=True):
                    if isinstance(answer, str):
                        self.unaided[described.index] = described.label, answer
                    else:
                        self.decided[described.index] = replace(self.decided[described.index], suggestion=answer)

    def folded(self, *, interrupted: bool) -> tuple[Result, ...]:
        """Return the results in order, each with what all alignments of its mechanism show of the mechanism.

        Raises WorkerError where they contradict one another. After Ctrl-C this may not take long, and another Ctrl-C
        leaves the results as they are.
        """
        by_mechanism: dict[int, list[DescribedAlignment]] = {}
        for index in sorted(self.decided):
            by_mechanism.setdefault(self.described[index].mechanism, []).append(self.described[index])
        groups = [group for group in by_mechanism.values() if len(group) > 1]
        if groups:
            worker = self._free_worker(min(LAST_WORDS, self.import_seconds) if interrupted else self.import_seconds)
            worker.ask(CheckService.fold, [[(d, self.decided[d.index]) for d in group] for group in groups])
            try:
                folded = await_answer(worker, self.progress.show)
            except KeyboardInterrupt:
                if not interrupted:
                    raise
            except WorkerLost as lost:  # the results stand as they are
                first = groups[0][0]
                self.failed[first.index] = _failure(first, lost)
            else:
                self.decided.update(zip((d.index for d in chain(*groups)), folded, strict=True))
        return tuple(self.decided[index] for index in sorted(self.decided))

    def held_against(self, gates: Gates, problems: tuple[Unusable, ...]) -> GateReport:
        """Hold the results against a policy and a baseline; a worker that is lost on the way is a failure."""
        pairs = [(self.described[index], self.decided[index]) for index in sorted(self.decided)]
        unchecked = [unusable.target or "" for unusable in (*problems, *self.failed.values())]
        return gates.report(pairs, unchecked, self._judged)

    def _judged(
        self, described: DescribedAlignment, result: Result, policy: Policy | None, before: BaselineEntry | None
    ) -> Judgement:
        worker = self._free_worker(self.import_seconds)
        worker.ask(CheckService.judge, described, result, policy, before)
        self.progress.show(f"{self._heading(described)}: comparing it with the policy and the baseline")
        try:
            judged: Judgement = await_answer(worker, self.progress.show)
        except WorkerError as problem:
            self.failed[described.index] = Unusable(described.label, str(problem), problem.exit_code)
            return unjudged(policy, before)
        finally:
            if worker.alive:
                self.idle.append(worker)
        return judged
