"""`alignkit experiment`: what it writes, what it says, and each message for wrong usage."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from alignkit.cli.experiment_command import _leave_interrupts_to_the_parent
from alignkit.experiments import EXPERIMENTS, drawing_figures, experiment_run

TINY = ("--quick", "--runs", "2", "--jobs", "1", "--out", "out")


@pytest.fixture
def shop(here: Path) -> Path:
    """Counts of 40 items."""
    path = here / "shop.csv"
    path.write_text("item,count\n" + "".join(f"{item},{4000 - 100 * item}\n" for item in range(40)))
    return path


def test_the_list(cli) -> None:
    ran = cli("experiment", "--list")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == list(EXPERIMENTS)


def test_what_is_written(cli, shop: Path) -> None:
    ran = cli("experiment", "2020-figure-3", "--data", shop, *TINY)
    assert ran.code == 0
    folder = shop.parent / "out" / "2020-figure-3"
    lines = ran.out.splitlines()
    assert lines[0] == f"data: {shop}: 40 items"
    assert lines[1:] == [f"wrote out/2020-figure-3/shop.{suffix}" for suffix in ("csv", "json", "png", "svg")]
    rows = list(csv.DictReader((folder / "shop.csv").read_text().splitlines()))
    assert {row["runs"] for row in rows} == {"2"}
    assert json.loads((folder / "shop.json").read_text())["seed"] == 0
    assert all((folder / f"shop.{suffix}").stat().st_size > 1000 for suffix in ("png", "svg"))


def test_without_matplotlib_the_table_is_written(cli, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing_figures, "can_draw", lambda: False)
    ran = cli("experiment", "journal-figure-4", "--data", shop, *TINY)
    assert ran.code == 0
    assert "figures need matplotlib: pip install 'alignkit[plots]'" in ran.err
    assert {path.suffix for path in (shop.parent / "out" / "journal-figure-4").iterdir()} == {".csv", ".json"}


def test_what_needs_no_data_reads_none(cli, here: Path) -> None:
    ran = cli("experiment", "journal-figure-1", *TINY)
    assert ran.code == 0
    assert "data:" not in ran.out
    assert (here / "out" / "journal-figure-1" / "results.csv").exists()


def test_an_interrupted_experiment_says_how_to_go_on(cli, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_unit, calls = experiment_run.run_unit, []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) > 3:
            raise KeyboardInterrupt
        return run_unit(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(experiment_run, "run_unit", interrupted)
        ran = cli("experiment", "journal-figure-4", "--data", shop, *TINY)
    assert ran.code == 130
    words = "interrupted: 3 of 10 units of journal-figure-4 are kept in out/units; give the same command again to go on"
    assert words in ran.err
    monkeypatch.setattr(experiment_run, "run_unit", lambda *a: calls.append(a) or run_unit(*a))
    assert cli("experiment", "journal-figure-4", "--data", shop, *TINY).code == 0
    assert len(calls) == 4 + 7


@pytest.mark.slow
def test_processes_write_the_same_table(cli, shop: Path) -> None:
    assert cli("experiment", "2020-figure-3", "--data", shop, *TINY).code == 0
    assert cli("experiment", "2020-figure-3", "--data", shop, *TINY[:3], "-j", "2", "--out", "two").code == 0
    one, two = (shop.parent / out / "2020-figure-3" / "shop.csv" for out in ("out", "two"))
    assert one.read_text() == two.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name an experiment, or `all`; `alignkit experiment --list` shows them"),
        (("2020-figure-33",), "there is no experiment '2020-figure-33'; did you mean 2020-figure-3?"),
        (("zebra",), "there is no experiment 'zebra'; `alignkit experiment --list` shows them"),
        (("2020-figure-1", "--data", "nothing.dat"), "nothing.dat does not exist"),
        (("2020-figure-1", "--data", "few.csv"), "few.csv has 1: give data with at least 26 items"),
        (("2020-figure-1", "--data", "bad.csv"), "bad.csv, line 2:"),
        (("2020-figure-1", "--runs", "0"), "must be a whole number, at least 1, not '0'"),
        (("2020-figure-1", "--seed", "-1"), "must be a whole number"),
        (("2020-figure-1", "--jobs", "none"), "must be a whole number, at least 1"),
        (("2020-figure-1", "--out", "few.csv"), "cannot be written: "),
        (("2020-figure-1", "--quickly"), "unrecognized argument: --quickly; did you mean --quick?"),
    ],
)
def test_wrong_usage(cli, here: Path, arguments: tuple[str, ...], message: str) -> None:
    (here / "few.csv").write_text("milk,3\n")
    (here / "bad.csv").write_text("milk,3\ntea,-1\n")
    ran = cli("experiment", *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert ran.out == "" or ran.out.startswith("data: few.csv: 1 item")


def test_workers_leave_ctrl_c_to_the_command() -> None:
    import signal

    before = signal.getsignal(signal.SIGINT)
    try:
        _leave_interrupts_to_the_parent()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
