"""Running an experiment: the same table on any executor, work that goes on where it stopped, records and figures."""

from __future__ import annotations

import csv
import io
import json
import multiprocessing
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from figure_plans import EXPERIMENTS, Experiment
from measure_figures import Measured, experiment_data, main, run_experiment
from results import COLUMNS, csv_text, data_label, figure_files, json_text, rows_of

from alignkit import DataError
from alignkit.data import ItemCounts

DATA = ItemCounts(tuple(map(str, range(40))), tuple(range(4000, 0, -100)), 5000, "shop.dat")
FIGURE = EXPERIMENTS["2020-figure-3"].quick(2)


def table(measured: list[Measured], experiment: Experiment = FIGURE) -> str:
    return csv_text(list(rows_of(experiment, DATA, measured)))


def run(executor: Executor | None = None, runs: int = 7, seed: int = 1) -> str:
    return table(run_experiment(FIGURE, DATA, runs=runs, seed=seed, executor=executor, unit_runs=3))


@pytest.fixture(scope="module")
def serial() -> str:
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


def test_progress_counts_units() -> None:
    seen: list[tuple[int, int]] = []
    run_experiment(FIGURE, DATA, runs=7, seed=1, unit_runs=3, progress=lambda *done: seen.append(done))
    assert seen == [(done, 12) for done in range(13)]


def test_too_few_items() -> None:
    few = ItemCounts(("1", "2"), (5, 3), 9, "two.dat")
    with pytest.raises(ValueError, match=r"selects up to 25 items.*two\.dat has 2: give data with at least 26 items"):
        run_experiment(FIGURE, few, runs=1)


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


def test_a_file_without_its_rarest_items_is_given_a_tail(tmp_path: Path) -> None:
    path = tmp_path / "head.csv"
    path.write_text("item,count\n4,90\n0,70\n7,50\n")
    counts = experiment_data(str(path), tail=3)
    assert counts.items == ("0", "1", "3", "4", "6", "7")
    assert counts.counts == (70, 50, 26, 90, 1, 50)
    assert data_label(counts) == "head"
    for name, number, words in (("head.csv", 6, "there are 5 free numbers"), ("named.csv", 1, "whole numbers")):
        (tmp_path / "named.csv").write_text("item,count\ntea,3\n")
        with pytest.raises(DataError, match=words):
            experiment_data(str(tmp_path / name), tail=number)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Counts of 40 items."""
    path = tmp_path / "shop.csv"
    path.write_text("item,count\n" + "".join(f"{item},{4000 - 100 * item}\n" for item in range(40)))
    return path


def test_what_the_script_writes(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figure, out = "2020-figure-3", shop.parent / "out"
    assert main([figure, "--data", str(shop), "--quick", "--runs", "2", "--jobs", "1", "--out", str(out)]) == 0
    written = [f"wrote {out / figure / 'shop'}.{suffix}" for suffix in ("csv", "json", "png", "svg")]
    assert capsys.readouterr().out.splitlines() == written
    rows = list(csv.DictReader((out / figure / "shop.csv").read_text().splitlines()))
    assert {row["runs"] for row in rows} == {"2"}
    assert json.loads((out / figure / "shop.json").read_text())["seed"] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a figure, or `all`"),
        (["zebra"], "there is no figure 'zebra'; --list shows them"),
        (["2020-figure-1", "--runs", "0"], "argument --runs"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert message in capsys.readouterr().err


def test_data_that_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["2020-figure-1", "--data", "nothing.dat", "--jobs", "1"]) == 2
    assert "nothing.dat does not exist" in capsys.readouterr().err
