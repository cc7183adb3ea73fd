"""Measure the figures of the papers, on real or generated item counts.

`python docs/experiments/measure_figures.py --list` shows the figures; `docs/experiments.md` has those that were
measured. An experiment is split into units whose randomness follows from the seed, so that the table is the same with
any number of processes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from figure_plans import EXPERIMENTS, Experiment
from measuring import AxisPoint, Moments, Procedure, seeds_for
from quest import QuestParameters, quest_counts
from results import UNIT_RUNS, Measured, can_draw, csv_text, data_label, figure_files, json_text, rows_of

from alignkit import DataError
from alignkit.data import ItemCounts, read_counts

GENERATED = QuestParameters().name
"""The name of the data that is generated: T40I10D100K."""

QUICK_RUNS = 200


def experiment_data(name: str, *, seed: int = 0, tail: int = 0) -> ItemCounts:
    """The item counts that ``name`` stands for: T40I10D100K is generated, anything else is a file.

    A file is a FIMI file or an `item,count` table, and is also looked for in the folder that the environment variable
    ALIGNKIT_DATA names. Items that occur in no transaction are left out, as they are in a file. Items that are numbers
    stand in their order. ``tail`` adds so many items to a file that lacks its rarest ones, as `with_tail` does. Raises
    DataError where the file cannot be read, or cannot have a tail.
    """
    if name == GENERATED:
        return _occurring(quest_counts(seed=seed))
    folder = os.environ.get("ALIGNKIT_DATA")
    if folder and not os.path.lexists(name) and os.path.lexists(os.path.join(folder, name)):
        name = os.path.join(folder, name)
    counts = _occurring(read_counts(name))
    return _in_order(with_tail(counts, tail) if tail else counts)


def with_tail(counts: ItemCounts, number: int) -> ItemCounts:
    """Add the rarest items, whose counts are not known: they fall evenly from the smallest count that is to 1.

    They take the free numbers between the items, evenly spread over these.

    >>> added = with_tail(ItemCounts(("0", "2", "4"), (9, 8, 7), None, "head.csv"), 2)
    >>> dict(zip(added.items, added.counts))
    {'0': 9, '2': 8, '4': 7, '1': 7, '3': 1}
    """
    if not all(item.isdecimal() for item in counts.items):
        raise DataError(f"{counts.source}: a tail is added to items that are whole numbers")
    taken = set(map(int, counts.items))
    free = [item for item in range(max(taken) + 1) if item not in taken]
    if len(free) < number:
        raise DataError(f"{counts.source}: there are {len(free)} free numbers for a tail, not {number}")
    places = np.linspace(0, len(free) - 1, number).round().astype(int)
    added = np.linspace(min(counts.counts), 1, number).round().astype(int)
    return replace(
        counts,
        items=(*counts.items, *(str(free[place]) for place in places)),
        counts=(*counts.counts, *map(int, added)),
        source=f"{counts.source} and a tail of {number} items",
    )


def _in_order(counts: ItemCounts) -> ItemCounts:
    if not all(item.isdecimal() for item in counts.items):
        return counts
    pairs = sorted(zip(counts.items, counts.counts, strict=True), key=lambda pair: int(pair[0]))
    return replace(counts, items=tuple(item for item, _ in pairs), counts=tuple(count for _, count in pairs))


def _occurring(counts: ItemCounts) -> ItemCounts:
    kept = [(item, count) for item, count in zip(counts.items, counts.counts, strict=True) if count]
    return replace(counts, items=tuple(item for item, _ in kept), counts=tuple(count for _, count in kept))


@dataclass(frozen=True)
class Unit:
    """So many runs of a procedure at a setting; ``block`` tells the units of one point apart."""

    procedure: Procedure
    setting: AxisPoint
    block: int
    runs: int
    seed: int

    def run(self, counts: tuple[int, ...]) -> dict[str, Moments]:
        """Do the work, on these item counts."""
        # All experiments draw the same noise for the same runs: one figure's numbers are those of another's.
        place = [repr(self.procedure), repr(self.setting), self.block, self.seed]
        digest = hashlib.blake2b(json.dumps(place).encode(), digest_size=16).digest()
        seeds = tuple(seeds_for(int.from_bytes(digest, "little"), 3))
        return self.procedure.measure(self.setting, np.array(counts, dtype=np.int64), self.runs, seeds)


def units_of(experiment: Experiment, runs: int, seed: int, most: int = UNIT_RUNS) -> Iterator[Unit]:
    """Split an experiment into units of at most ``most`` runs, in the order of its table."""
    for procedure in experiment.procedures:
        for setting in experiment.settings:
            if not procedure.needs_runs:
                yield Unit(procedure, setting, 0, 1, 0)
                continue
            for block, start in enumerate(range(0, runs, most)):
                yield Unit(procedure, setting, block, min(most, runs - start), seed)


def run_experiment(
    experiment: Experiment,
    data: ItemCounts,
    *,
    runs: int | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    unit_runs: int = UNIT_RUNS,
) -> list[Measured]:
    """Measure every quantity of an experiment at every setting, in a fixed order.

    ``runs`` is how many runs each point averages over, by default as many as in the paper. The result depends on the
    data, ``runs``, ``unit_runs`` and ``seed`` only, with any executor of ``concurrent.futures`` or without one;
    ``progress`` is told how many units are done, of how many. Raises ValueError for data with too few items.
    """
    least = max(setting.k for setting in experiment.settings) + 1
    if experiment.needs_data and len(data.counts) < least:
        raise ValueError(
            f"{experiment.name} selects up to {least - 1} items, and compares them with one more; "
            f"{data.source} has {len(data.counts)}: give data with at least {least} items"
        )
    units = list(units_of(experiment, experiment.runs if runs is None else runs, seed, unit_runs))
    each = map if executor is None else executor.map
    points: dict[tuple[str, AxisPoint], list[tuple[Unit, dict[str, Moments]]]] = {}
    progress(0, len(units))
    results = each(Unit.run, units, [data.counts] * len(units))
    for done, (unit, moments) in enumerate(zip(units, results, strict=False), 1):
        points.setdefault((unit.procedure.label, unit.setting), []).append((unit, moments))
        progress(done, len(units))
    return [_total(members) for members in points.values()]


def _total(members: Sequence[tuple[Unit, dict[str, Moments]]]) -> Measured:
    procedure, setting = members[0][0].procedure, members[0][0].setting
    moments = {name: Moments.total(each[name] for _, each in members) for name in procedure.quantities}
    return Measured(procedure, setting, sum(unit.runs for unit, _ in members), moments)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", metavar="NAME", nargs="*", help="figures to measure, or `all`")
    parser.add_argument("--list", action="store_true", help="show the figures, and measure none")
    words = f"the data, also looked for in the folder ALIGNKIT_DATA (default: {GENERATED}, which is generated)"
    parser.add_argument("--data", metavar="FILE", default=GENERATED, help=words)
    words = "add so many items to the file, which lacks its rarest: their counts fall evenly from its smallest to 1"
    parser.add_argument("--tail", type=_positive, metavar="N", default=0, help=words)
    parser.add_argument("--runs", type=_positive, metavar="N", help="runs for each point (default: as in the paper)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the noise (default 0)")
    parser.add_argument("--jobs", type=_positive, default=os.cpu_count(), metavar="N", help="processes")
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=Path("figures"), help="where results go")
    words = f"at most 5 points for each curve, and {QUICK_RUNS} runs unless --runs says otherwise"
    parser.add_argument("--quick", action="store_true", help=words)
    options = parser.parse_args(arguments)
    unknown = [name for name in options.experiments if name != "all" and name not in EXPERIMENTS]
    if unknown or not (options.experiments or options.list):
        parser.error(f"there is no figure {unknown[0]!r}; --list shows them" if unknown else "name a figure, or `all`")
    return options


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the figures that are named, one after the other, and write their tables, records and pictures."""
    options = _options(arguments)
    if options.list:
        for each in EXPERIMENTS.values():
            print(f"{each.name:18} {each.source}, {each.runs} runs: {each.title}")
        return 0
    chosen = [each for each in EXPERIMENTS.values() if {"all", each.name} & {*options.experiments}]
    try:
        data = experiment_data(options.data, tail=options.tail)
        with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as executor:
            for experiment in chosen:
                _measure(experiment.quick() if options.quick else experiment, data, options, executor)
    except (DataError, ValueError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


def _measure(experiment: Experiment, data: ItemCounts, options: argparse.Namespace, executor: Executor) -> None:
    runs = options.runs or (QUICK_RUNS if options.quick else experiment.runs)

    def progress(done: int, total: int) -> None:
        print(f"\r{experiment.name}: {done} of {total} units", end="\n" if done == total else "", file=sys.stderr)

    measured = run_experiment(
        experiment, data, runs=runs, seed=options.seed, executor=executor if options.jobs > 1 else None,
        progress=progress,
    )  # fmt: skip
    used = data if experiment.needs_data else None
    rows = list(rows_of(experiment, used, measured))
    caption = "computed" if used is None else f"{data_label(data)}, {runs:,} runs"
    files = {"csv": csv_text(rows).encode(), "json": json_text(experiment, used, runs=runs, seed=options.seed).encode()}
    folder = options.out / experiment.name
    folder.mkdir(parents=True, exist_ok=True)
    if can_draw():
        files |= figure_files(experiment, rows, caption)
    else:
        print("pictures need matplotlib: pip install 'alignkit[plots]'", file=sys.stderr)
    for suffix, content in files.items():
        path = folder / f"{'results' if used is None else data_label(data)}.{suffix}"
        path.write_bytes(content)
        print(f"wrote {path}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
