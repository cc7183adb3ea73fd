"""Running an experiment: the same table on any executor, work that goes on where it stopped, records and figures."""

from __future__ import annotations

import csv
import io
import json
import multiprocessing
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from alignkit import InputError
from alignkit.caching import origins
from alignkit.data import ItemCounts
from alignkit.experiments import (
    EXPERIMENTS,
    Experiment,
    Interrupted,
    Measured,
    UnitsLeft,
    experiment_data,
    experiment_run,
    run_experiment,
)
from alignkit.experiments import units_of_work as units
from alignkit.experiments.drawing_figures import figure_files
from alignkit.experiments.query_counts import data_label
from alignkit.experiments.records import COLUMNS, csv_text, json_text, rows_of

DATA = ItemCounts(tuple(map(str, range(40))), tuple(range(4000, 0, -100)), 5000, "shop.dat")
FIGURE = EXPERIMENTS["2020-figure-3"].quick(2)


@pytest.fixture(autouse=True)
def small_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "UNIT_RUNS", 3)


def table(measured: list[Measured], experiment: Experiment = FIGURE) -> str:
    return csv_text(list(rows_of(experiment, DATA, measured)))


def run(executor: Executor | None = None, folder: Path | None = None, runs: int = 7, seed: int = 1) -> str:
    return table(run_experiment(FIGURE, DATA, runs=runs, seed=seed, executor=executor, folder=folder))


@pytest.fixture(scope="module")
def serial() -> str:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(units, "UNIT_RUNS", 3)
        return run()


@pytest.mark.parametrize("workers", [1, 2])
def test_threads_give_the_same_table(serial: str, workers: int) -> None:
    with ThreadPoolExecutor(workers) as executor:
        assert run(executor) == serial


@pytest.mark.slow
def test_processes_give_the_same_table(serial: str) -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        assert run(executor) == serial


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning:distributed")
def test_a_dask_cluster_gives_the_same_table(serial: str) -> None:
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        assert run(client.get_executor()) == serial


def test_another_seed_gives_another_table(serial: str) -> None:
    assert run(seed=2) != serial


def stop_after(done: int) -> Callable[[UnitsLeft], None]:
    def progress(left: UnitsLeft) -> None:
        if left.done >= done:
            raise KeyboardInterrupt

    return progress


def test_interrupted_work_goes_on_where_it_stopped(serial: str, tmp_path: Path) -> None:
    with pytest.raises(Interrupted) as stopped:
        run_experiment(FIGURE, DATA, runs=7, seed=1, folder=tmp_path, progress=stop_after(5))
    assert (stopped.value.done, stopped.value.total) == (5, 12)
    assert len(list(tmp_path.iterdir())) == 5
    seen: list[UnitsLeft] = []
    measured = run_experiment(FIGURE, DATA, runs=7, seed=1, folder=tmp_path, progress=seen.append)
    assert [left.done for left in seen] == list(range(5, 13))
    assert table(measured) == serial


def test_work_of_another_sampler_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(folder=tmp_path)
    seen: list[UnitsLeft] = []
    monkeypatch.setattr(experiment_run, "origin", lambda: replace(origins.origin(), digest="another"))
    run_experiment(FIGURE, DATA, runs=7, seed=1, folder=tmp_path, progress=seen.append)
    assert [left.done for left in seen] == list(range(13))


class Stopping(Executor):
    """Works at once, until Ctrl-C is pressed while the third unit is given to it."""

    def __init__(self) -> None:
        self.given = 0

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        self.given += 1
        if self.given == 3:
            raise KeyboardInterrupt
        future: Future[Any] = Future()
        future.set_result(work(*arguments, **named))
        return future


def test_units_that_have_begun_on_an_executor_are_kept(serial: str, tmp_path: Path) -> None:
    with pytest.raises(Interrupted) as stopped:
        run_experiment(FIGURE, DATA, runs=7, seed=1, folder=tmp_path, executor=Stopping())
    assert stopped.value.done == len(list(tmp_path.iterdir())) == 2
    assert run(folder=tmp_path) == serial


def test_an_executor_whose_workers_are_gone() -> None:
    with ThreadPoolExecutor(1) as executor:
        executor.submit = lambda *arguments: failed(BrokenExecutor("a worker was killed"))  # type: ignore[method-assign]
        with pytest.raises(InputError, match="the executor's workers stopped: BrokenExecutor: a worker was killed"):
            run(executor)


def failed(problem: BaseException) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(problem)
    return future


def test_finished_work_is_not_done_again(serial: str, tmp_path: Path) -> None:
    assert run(folder=tmp_path) == serial
    seen: list[UnitsLeft] = []
    run_experiment(FIGURE, DATA, runs=7, seed=1, folder=tmp_path, progress=seen.append)
    assert [left.done for left in seen] == [12]


def test_a_damaged_unit_is_done_again(serial: str, tmp_path: Path) -> None:
    run(folder=tmp_path)
    first, second, *_ = sorted(tmp_path.iterdir())
    first.write_text("{")
    second.write_text(first.with_name(sorted(tmp_path.iterdir())[2].name).read_text())
    assert run(folder=tmp_path) == serial


@pytest.mark.slow
def test_units_of_other_data_and_seeds_are_not_taken(serial: str, tmp_path: Path) -> None:
    run(folder=tmp_path)
    other = replace(DATA, counts=tuple(range(80, 0, -2)))
    assert table(run_experiment(FIGURE, other, runs=7, seed=1, folder=tmp_path)) != serial
    assert run(folder=tmp_path, seed=2) != serial
    assert run(folder=tmp_path) == serial


def test_more_runs_keep_the_units_that_are_there(tmp_path: Path) -> None:
    run(folder=tmp_path, runs=6)
    seen: list[UnitsLeft] = []
    run_experiment(FIGURE, DATA, runs=9, seed=1, folder=tmp_path, progress=seen.append)
    assert seen[0].done == 8


def test_figures_share_their_units(tmp_path: Path) -> None:
    fourth, sixth = (EXPERIMENTS[name].quick(2) for name in ("journal-figure-4", "journal-figure-6"))
    run_experiment(fourth, DATA, runs=4, seed=1, folder=tmp_path)
    seen: list[UnitsLeft] = []
    run_experiment(sixth, DATA, runs=4, seed=1, folder=tmp_path, progress=seen.append)
    assert [(left.done, left.total) for left in seen] == [(4, 4)]


def test_too_few_items() -> None:
    few = ItemCounts(("1", "2"), (5, 3), 9, "two.dat")
    with pytest.raises(InputError, match=r"selects up to 25 items.*two\.dat has 2: give data with at least 26 items"):
        run_experiment(FIGURE, few, runs=1)


@pytest.mark.parametrize(("arguments", "message"), [({"runs": 0}, "runs must be"), ({"seed": -1}, "seed must be")])
def test_bad_arguments(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        run_experiment(FIGURE, DATA, **arguments)


def test_the_table_is_tidy(serial: str) -> None:
    rows = list(csv.DictReader(io.StringIO(serial)))
    assert tuple(rows[0]) == COLUMNS
    assert {row["data"] for row in rows} == {"shop"}
    assert {(row["procedure"], row["k"]) for row in rows} == {
        (name, k) for name in ("SVT", "Adaptive SVT with Gap") for k in ("2", "25")
    }
    assert all(int(row["runs"]) == 7 and float(row["value"]) >= 0 for row in rows)


def test_the_record_names_parameters_and_seeds() -> None:
    record = json.loads(json_text(FIGURE, DATA, runs=7, seed=1))
    assert (record["runs"], record["runs_in_the_paper"], record["seed"]) == (7, 20_000, 1)
    assert record["points"] == [{"k": 2, "eps": "7/10"}, {"k": 25, "eps": "7/10"}]
    assert record["data"]["items"] == 40
    assert set(record["mechanisms"]) == {"sparse_vector_with_gap_by_theta", "adaptive_sparse_vector"}


@pytest.mark.slow
def test_every_figure_is_drawn_and_drawn_the_same_again() -> None:
    for name in ("journal-figure-1", "2020-figure-3"):
        experiment = EXPERIMENTS[name].quick(2)
        rows = list(rows_of(experiment, DATA, run_experiment(experiment, DATA, runs=2)))
        files = figure_files(experiment, rows, "shop, 2 runs")
        assert files["png"].startswith(b"\x89PNG")
        assert b"</svg>" in files["svg"]
        assert files == figure_files(experiment, rows, "shop, 2 runs")


def test_every_panel_shows_what_is_measured() -> None:
    for experiment in EXPERIMENTS.values():
        quantities = {each.label: each.quantities for each in experiment.procedures}
        for panel in experiment.panels:
            assert all(curve.quantity in quantities[curve.procedure] for curve in panel.curves)


def test_the_papers_parameters() -> None:
    runs = {name: experiment.runs for name, experiment in EXPERIMENTS.items() if experiment.needs_data}
    assert all(number == (20_000 if name.startswith("2020") else 10_000) for name, number in runs.items())
    for name, experiment in EXPERIMENTS.items():
        ks = [setting.k for setting in experiment.settings]
        if experiment.axis == "eps":
            assert set(ks) == {10}
        else:
            assert {setting.eps for setting in experiment.settings} == {experiment.settings[0].eps}
    assert EXPERIMENTS["2020-figure-3"].settings[-1].k == 25
    assert EXPERIMENTS["journal-figure-4"].settings[-1].k == 24


def test_data_is_found_in_the_folder_of_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop.dat").write_text("1 2\n2 3\n2\n")
    monkeypatch.setenv("ALIGNKIT_DATA", str(tmp_path))
    counts = experiment_data("shop.dat")
    assert (counts.items, counts.counts, data_label(counts)) == (("1", "2", "3"), (1, 3, 1), "shop")


def test_items_without_transactions_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("item,count\nmilk,3\ntea,0\n")
    assert experiment_data(str(path)).items == ("milk",)
