"""``alignkit experiment``: measure the papers' figures, on real or generated item counts."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import signal
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING

from alignkit.cli.interrupts import ended_at_once
from alignkit.cli.options import Command, add_jobs, cores, whole_number
from alignkit.cli.streams import ProgressLine, say
from alignkit.errors import InputError

if TYPE_CHECKING:
    from alignkit.data import ItemCounts
    from alignkit.experiments import Experiment, Measured, UnitsLeft

_SUMMARY = "measure the figures of the papers"

_DESCRIPTION = """\
Measure figures of the papers with the catalogue's own mechanisms. NAME is an
experiment of --list, or `all`. For each experiment, a folder in --out gets a
table (CSV), the parameters and seeds (JSON), and the figure (PNG and SVG, by
matplotlib: the extra `plots`), with the theoretical curve beside the measured
one and with error bars of two standard errors.

The queries are the counts of the items in a transaction file or an item,count
table, plain or gzipped. Without --data they are those of T40I10D100K, which is
generated. The results compare noisy answers with true ones, so they are not
private.

Work that was interrupted goes on where it stopped when the same command is
given again. A seed always gives the same table, with any number of processes.

examples:
  alignkit experiment --list
  alignkit experiment 2020-figure-1 --quick
  alignkit experiment all --data kosarak.dat.gz --out figures --jobs 8
"""

_OUT = "alignkit-experiments"
_QUICK_RUNS = 200
_ALL = "all"


def _add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("experiments", metavar="NAME", nargs="*", help="experiments to run, or `all`")
    parser.add_argument("--list", action="store_true", help="show the experiments, and run none")
    words = "the data, also looked for in the folder ALIGNKIT_DATA (default: T40I10D100K, which is generated)"
    parser.add_argument("--data", metavar="FILE", help=words)
    words = "how many runs each point averages over (default: as many as in the paper)"
    parser.add_argument("--runs", type=lambda text: whole_number(text, 1), metavar="N", help=words)
    parser.add_argument("--seed", type=whole_number, default=0, metavar="N", help="seed of the noise (default 0)")
    add_jobs(parser)
    parser.add_argument("--out", metavar="FOLDER", default=_OUT, help=f"where results go (default {_OUT})")
    words = f"at most 5 points for each curve, and {_QUICK_RUNS} runs unless --runs says otherwise"
    parser.add_argument("--quick", action="store_true", help=words)


def _execute(options: argparse.Namespace) -> int:
    """Run the experiments one after the other; all share the processes and the finished units."""
    with ended_at_once():
        from alignkit.experiments import GENERATED, experiment_data

    if options.list:
        _print_list()
        return 0
    experiments = _chosen(options.experiments)
    out = Path(options.out)
    _check_folder(out)
    data = experiment_data(options.data or GENERATED) if any(e.needs_data for e in experiments) else None
    if data is not None:
        print(_data_line(data), flush=True)
    with _executor(options.jobs or cores()) as executor:
        for experiment in experiments:
            code = _run_one(experiment.quick() if options.quick else experiment, data, out, options, executor)
            if code:
                return code
    return 0


def _print_list() -> None:
    from alignkit.experiments import EXPERIMENTS
    from alignkit.formatting import aligned_columns

    rows = [(e.name, e.source, f"{e.runs} runs" if e.needs_data else "no runs", e.title) for e in EXPERIMENTS.values()]
    print("\n".join(aligned_columns(rows)))


def _chosen(names: list[str]) -> list[Experiment]:
    from alignkit.experiments import EXPERIMENTS

    if not names:
        raise InputError("name an experiment, or `all`; `alignkit experiment --list` shows them")
    for name in names:
        if name != _ALL and name not in EXPERIMENTS:
            close = difflib.get_close_matches(name, [*EXPERIMENTS, _ALL], n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            raise InputError(f"there is no experiment {name!r}; {hint}`alignkit experiment --list` shows them")
    return [e for e in EXPERIMENTS.values() if _ALL in names or e.name in names]


def _check_folder(out: Path) -> None:
    """Refuse a folder that cannot be written before any work is done."""
    from alignkit.experiments.finished_units import write_whole

    probe = out / ".writable"
    write_whole(probe, b"")
    probe.unlink()


def _data_line(data: ItemCounts) -> str:
    from alignkit.formatting import counted

    size = "" if data.transactions is None else f", {data.transactions:,} transactions"
    return f"data: {data.source}: {counted(len(data.counts), 'item')}{size}"


@contextlib.contextmanager
def _executor(jobs: int) -> Iterator[Executor | None]:
    if jobs == 1:
        yield None
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Spawned: a fork would copy the threads' locks of numerical libraries in whatever state they are.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts_to_the_parent) as executor:
        yield executor


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run_one(
    experiment: Experiment, data: ItemCounts | None, out: Path, options: argparse.Namespace, executor: Executor | None
) -> int:
    from alignkit.data import ItemCounts
    from alignkit.experiments import Interrupted, run_experiment

    runs = options.runs or (_QUICK_RUNS if options.quick else experiment.runs)
    used = data if experiment.needs_data else None
    progress = ProgressLine()
    try:
        measured = run_experiment(
            experiment,
            used or ItemCounts((), (), None, ""),
            runs=runs,
            seed=options.seed,
            executor=executor,
            folder=out / "units",
            progress=lambda left: progress.show(f"{experiment.name}: {_left_words(left)}"),
        )
    except Interrupted as stop:
        progress.clear()
        say(
            f"interrupted: {stop.done} of {stop.total} units of {experiment.name} are kept in {out / 'units'}; "
            "give the same command again to go on"
        )
        return 130
    finally:
        progress.clear()
    for path in _write(experiment, used, measured, out, runs, options.seed):
        print(f"wrote {path}", flush=True)
    return 0


def _left_words(left: UnitsLeft) -> str:
    """Say how far the work is.

    >>> from alignkit.experiments import UnitsLeft
    >>> _left_words(UnitsLeft(30, 90, 100.0)), _left_words(UnitsLeft(0, 90, None)), _left_words(UnitsLeft(1, 90, 9.0))
    ('30 of 90 units, about 2 min left', '0 of 90 units', '1 of 90 units, about 9 s left')
    """
    words = f"{left.done} of {left.total} units"
    if left.seconds is None:
        return words
    time = f"{left.seconds:.0f} s" if left.seconds < 90 else f"{left.seconds / 60:.0f} min"
    return f"{words}, about {time} left"


def _write(
    experiment: Experiment, data: ItemCounts | None, measured: list[Measured], out: Path, runs: int, seed: int
) -> Iterator[Path]:
    from alignkit.experiments.drawing_figures import can_draw, figure_files
    from alignkit.experiments.finished_units import write_whole
    from alignkit.experiments.query_counts import data_label
    from alignkit.experiments.records import csv_text, json_text, rows_of

    rows = list(rows_of(experiment, data, measured))
    files = {"csv": csv_text(rows).encode(), "json": json_text(experiment, data, runs=runs, seed=seed).encode()}
    if can_draw():
        caption = "computed" if data is None else f"{data_label(data)}, {runs:,} runs"
        files |= figure_files(experiment, rows, caption)
    else:
        say("figures need matplotlib: pip install 'alignkit[plots]', then give the same command again")
    name = "results" if data is None else data_label(data)
    for suffix, content in files.items():
        path = out / experiment.name / f"{name}.{suffix}"
        write_whole(path, content)
        yield path


COMMAND = Command(_SUMMARY, _DESCRIPTION, _add_flags, _execute)
