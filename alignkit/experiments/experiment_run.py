"""Running an experiment: its units in this process or on any executor, and what they add up to."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path

from alignkit.arguments import whole
from alignkit.caching.origins import origin
from alignkit.data import ItemCounts
from alignkit.errors import InputError
from alignkit.experiments.axis_points import AxisPoint
from alignkit.experiments.figure_plans import Experiment
from alignkit.experiments.finished_units import FinishedUnits
from alignkit.experiments.moments import Moments
from alignkit.experiments.procedures import Procedure
from alignkit.experiments.query_counts import counts_digest
from alignkit.experiments.units_of_work import Unit, run_unit, units_of

# Units given to an executor before the first has finished: enough for a cluster, few enough to be called back.
_AHEAD = 256


@dataclass(frozen=True)
class Measured:
    """The moments of each quantity of one procedure at one setting."""

    procedure: Procedure
    setting: AxisPoint
    runs: int
    moments: dict[str, Moments]


@dataclass(frozen=True)
class UnitsLeft:
    """How far an experiment is: units that are done and all units, and the seconds that the rest may take, if known."""

    done: int
    total: int
    seconds: float | None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while an experiment runs; ``done`` of its ``total`` units are kept."""

    def __init__(self, done: int, total: int) -> None:
        self.done = done
        self.total = total
        super().__init__(f"{done} of {total} units are done")


def run_experiment(
    experiment: Experiment,
    data: ItemCounts,
    *,
    runs: int | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    folder: Path | None = None,
    progress: Callable[[UnitsLeft], None] | None = None,
) -> list[Measured]:
    """Measure every quantity of an experiment at every setting, in a fixed order.

    ``runs`` is how many runs each point averages over, by default as many as in the paper. The result depends on the
    data, ``runs`` and ``seed`` only. ``executor`` is any executor of ``concurrent.futures``, or that of a cluster
    (``client.get_executor()`` of dask.distributed); without one, the work is done in this process. Finished units are
    kept in ``folder``, and found there by a later call. Raises InputError for bad arguments and for data with too few
    items; Interrupted at Ctrl-C, after those units have been kept that had begun.
    """
    number = experiment.runs if runs is None else whole(runs, "runs", 1)
    whole(seed, "seed")
    _check_enough_items(experiment, data)
    units = list(units_of(experiment, number, seed))
    kept = None if folder is None else FinishedUnits(folder, f"{counts_digest(data)} {origin().digest}")
    found = {unit: kept.find(unit) for unit in units} if kept else {}
    results = {unit: moments for unit, moments in found.items() if moments is not None}
    waiting = [unit for unit in units if unit not in results]
    clock = _Clock(len(units), len(results))
    try:
        if progress:
            progress(clock.left(len(results)))
        for unit, moments in _results(waiting, data.counts, executor):
            results[unit] = moments
            if kept:
                kept.keep(unit, moments)
            if progress:
                progress(clock.left(len(results)))
    except KeyboardInterrupt:
        raise Interrupted(len(results), len(units)) from None
    return list(_totals(units, results))


def _check_enough_items(experiment: Experiment, data: ItemCounts) -> None:
    least = max(setting.k for setting in experiment.settings) + 1
    if experiment.needs_data and len(data.counts) < least:
        raise InputError(
            f"{experiment.name} selects up to {least - 1} items, and compares them with one more; "
            f"{data.source} has {len(data.counts)}: give data with at least {least} items"
        )


def _totals(units: Iterable[Unit], results: dict[Unit, dict[str, Moments]]) -> Iterator[Measured]:
    points: dict[tuple[str, AxisPoint], list[Unit]] = {}
    for unit in units:
        points.setdefault(unit.point, []).append(unit)
    for members in points.values():
        first = members[0]
        moments = {
            quantity: Moments.total(results[unit][quantity] for unit in members)
            for quantity in first.procedure.quantities
        }
        yield Measured(first.procedure, first.setting, sum(unit.runs for unit in members), moments)


def _results(
    units: list[Unit], counts: tuple[int, ...], executor: Executor | None
) -> Iterator[tuple[Unit, dict[str, Moments]]]:
    """The results of the units as they are ready; those that have begun are waited for at Ctrl-C."""
    if executor is None:
        for unit in units:
            yield unit, run_unit(unit, counts)
        return
    left = deque(units)
    running: dict[Future[dict[str, Moments]], Unit] = {}
    interrupted = False
    try:
        while left or running:
            try:
                while left and len(running) < _AHEAD:
                    unit = left.popleft()
                    running[executor.submit(run_unit, unit, counts)] = unit
                done, _ = wait(running, return_when=FIRST_COMPLETED)
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
                left.clear()
                running = {future: unit for future, unit in running.items() if not future.cancel()}
                continue
            for future in done:
                yield running.pop(future), _result_of(future)
        if interrupted:
            raise KeyboardInterrupt
    finally:
        for future in running:
            future.cancel()


def _result_of(future: Future[dict[str, Moments]]) -> dict[str, Moments]:
    try:
        return future.result()
    except (BrokenExecutor, CancelledError) as problem:
        raise InputError(f"the executor's workers stopped: {type(problem).__name__}: {problem}") from problem


class _Clock:
    """Tells from the units done so far how long the others may take."""

    def __init__(self, total: int, found: int) -> None:
        self._total = total
        self._found = found
        self._start = time.monotonic()

    def left(self, done: int) -> UnitsLeft:
        fresh = done - self._found
        passed = time.monotonic() - self._start
        seconds = passed / fresh * (self._total - done) if fresh else None
        return UnitsLeft(done, self._total, seconds)
