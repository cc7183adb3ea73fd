"""`alignkit run --runs N`: many runs in tables, as a histogram, and as JSON."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from alignkit.catalogue import load
from alignkit.cli.item_answers import read_item_answers

COUNTS = (60, 10, 45, 50, 30, 52)
ITEMS = ("a", "b", "c", "d", "e", "f")
OWN = '''
from alignkit import BELOW, Epsilon, Noise, Queries, Real, Tag, mechanism

NEAR = Tag("NEAR")


@mechanism
def two_tags(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Tells a small gap from a large one."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        if q_i + e - T >= 10:
            yield q_i + e - T
        elif q_i + e - T >= 0:
            yield NEAR, q_i + e - T
        else:
            yield BELOW, 0


@mechanism
def booleans(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Whether each answer is above T."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e > T


@mechanism
def counters(q: Queries, eps: Epsilon, noise: Noise):
    """A number of queries beyond the last of them."""
    e = noise.laplace(1 / eps)
    if q[0] + e > 0:
        yield len(q)
    else:
        yield 0
'''
RUNS = [
    ("sparse_vector", {"T": "48", "k": "2", "eps": "1"}),
    ("sparse_vector_with_gap", {"T": "48", "k": "2", "eps": "1"}),
    ("adaptive_sparse_vector", {"T": "48", "k": "2", "eps": "1/2", "theta": "1/2"}),
    ("hybrid_identity", {"T": "49", "k": "3", "eps": "1/4"}),
    ("sparse_vector_many_thresholds", {"T": "48,20,48,49,48,50", "delta": "1", "c": "2", "eps": "1"}),
    ("noisy_max", {"eps": "1/10"}),
    ("noisy_max_with_gap", {"eps": "1/10"}),
    ("noisy_top_k_with_gap", {"k": "3", "eps": "1/10"}),
    ("laplace_mechanism", {"delta": "1", "eps": "1/10"}),
    ("discrete_laplace_mechanism", {"delta": "1", "gamma": "1/4", "eps": "1/10"}),
    ("own.py::two_tags", {"T": "48", "eps": "1/4"}),
    ("own.py::booleans", {"T": "48", "eps": "1/4"}),
]


@pytest.fixture
def table(here: Path) -> Path:
    (here / "own.py").write_text(OWN)
    (here / "items.txt").write_text("\n".join(ITEMS))
    path = here / "counts.csv"
    path.write_text("item,count\n" + "".join(f"{i},{n}\n" for i, n in zip(ITEMS, COUNTS, strict=True)))
    return path


def command(name: str, parameters: dict[str, str], *more: str) -> list[str]:
    flags = [text for key, value in parameters.items() for text in (f"--{key}", value)]
    return ["run", name, "--data", "counts.csv", "--items", "items.txt", *flags, *more]


def spread(numbers: list[float]) -> Any:
    deviation = pytest.approx(statistics.stdev(numbers)) if len(numbers) > 1 else None
    return {"numbers": len(numbers), "mean": pytest.approx(statistics.fmean(numbers)), "deviation": deviation}


@pytest.mark.parametrize(("name", "parameters"), RUNS)
def test_every_item_is_counted_as_in_the_single_runs(
    cli, table: Path, name: str, parameters: dict[str, str]
) -> None:
    ran = cli(*command(name, parameters, "--runs", "300", "--seed", "7", "--format", "json"))
    assert ran.code == 0, ran.err
    document = json.loads(ran.out)
    assert (document["runs"], document["answers"], document["asked"]) == (300, None, None)
    mechanism = load(name)
    given: dict[str, Any] = {k: v.split(",") if "," in v else v for k, v in parameters.items()}
    samples = mechanism.sample_many(list(COUNTS), runs=300, seed=7, **given)
    texts = parameters.get("T", "").split(",") if "T" in parameters else []
    thresholds = [float(Fraction(t)) for t in texts] * (len(ITEMS) // len(texts) if texts else 0)
    read = [read_item_answers(mechanism, output, ITEMS, thresholds) for output in samples.outputs()]

    summary = document["summary"]
    assert summary["selected"] is read[0].selected
    assert summary["came_out"]["mean"] == pytest.approx(statistics.fmean(len(r.notable) for r in read))
    assert summary["below"]["max"] == max(r.below for r in read)
    assert summary["below"]["median"] == statistics.median(r.below for r in read)
    runs = Counter(a.item for r in read for a in r.notable)
    assert {i["item"]: i["runs"] for i in summary["items"]} == runs
    assert [i["runs"] for i in summary["items"]] == sorted(runs.values(), reverse=True)
    for item in summary["items"]:
        answers = [a for r in read for a in r.notable if a.item == item["item"]]
        assert item["tags"] == Counter(a.tag for a in answers if a.tag is not None)
        for kind in ("gap", "value", "estimate"):
            numbers = [getattr(a, kind) for a in answers if getattr(a, kind) is not None]
            assert item[kind] == (spread(numbers) if numbers else None)
        if summary["selected"]:
            places = [[a.item for a in r.notable].index(item["item"]) for r in read if item["item"] in
                      [a.item for a in r.notable]]  # fmt: skip
            assert item["places"] == [places.count(i) for i in range(summary["outputs"]["max"])]
        else:
            assert item["places"] is None
    numbers = [x for r in read for a in r.notable for x in (a.gap, a.value) if x is not None]
    histogram = summary["histogram"]
    assert (histogram["of"] == "answers") is not any(numbers)
    shown = numbers or [len(r.notable) for r in read]
    for bar in histogram["bars"]:
        low, high = (-float("inf") if bar["low"] is None else bar["low"]), bar["high"]
        assert bar["count"] == sum(low <= x and (high is None or x < high) for x in shown)
    assert sum(bar["count"] for bar in histogram["bars"]) == len(shown)


def test_the_tables_of_a_sparse_vector(cli, table: Path) -> None:
    ran = cli(*command("adaptive_sparse_vector", RUNS[2][1], "--runs", "500", "--seed", "3"))
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].endswith("counts.csv    500 runs")
    assert lines[2].split() == ["item", "runs", "share", "TOP", "MIDDLE", "gap", "±", "sd", "estimate", "±", "sd"]
    item, runs, share, top, middle, gap, _, estimate, _ = lines[3].split()
    assert item in ITEMS
    assert share == f"{int(runs) / 500:.1%}"
    assert int(top) + int(middle) == int(runs)
    assert float(estimate) == pytest.approx(float(gap) + 48, abs=0.011)
    rows = [line.split() for line in lines]
    assert ["in", "one", "run", "min", "median", "mean", "max"] in rows
    assert [row[0] for row in rows if row and row[0] in ("asked", "came", "below")][:3] == ["asked", "came", "below"]
    assert any(line.endswith(" gaps") for line in lines)
    assert any("█" in line for line in lines)
    assert lines[-1] == "note: the sampler uses floating point: it is for experiments, not for release"


def test_the_places_of_a_selection(cli, table: Path) -> None:
    ran = cli(*command("noisy_top_k", {"k": "2", "eps": "1"}, "--runs", "50", "--seed", "3"))
    assert "place 1  place 2" in ran.out
    assert "answers in each of 50 runs\n2  " in ran.out
    many = cli("run", "noisy_top_k", "--data", "counts.csv", "--items", "items.txt", "--k", "5", "--eps", "1",
               "--runs", "2", "--seed", "3")  # fmt: skip
    assert "place 5" in many.out


def test_the_most_frequent_items_are_shown_and_the_rest_is_counted(cli, here: Path) -> None:
    (here / "many.csv").write_text("item,count\n" + "".join(f"{i},{9 * i}\n" for i in range(30)))
    values = ("run", "laplace_mechanism", "--data", "many.csv", "--items", "0-29", "--delta", "1", "--eps", "1")
    ran = cli(*values, "--runs", "10", "--seed", "1")
    assert "Left out: 10 of the 30 items that came out" in ran.out
    first = ran.out.split("\n\n")[1].splitlines()
    assert [line.split()[0] for line in first[1:-1]] == [str(i) for i in range(20)]
    document = json.loads(cli(*values, "--runs", "10", "--seed", "1", "--format", "json").out)
    assert len(document["summary"]["items"]) == 30
    above = ("run", "sparse_vector", "--data", "many.csv", "--items", "0-29", "--T", "9999", "--k", "1", "--eps", "9")
    silent = cli(*above, "--runs", "10")
    assert silent.code == 0
    assert "came out      0       0   0.00    0" in silent.out
    assert "0  ███" in silent.out


def test_a_seed_repeats_all_runs(cli, table: Path) -> None:
    once = command("sparse_vector_with_gap", RUNS[1][1], "--runs", "40")
    assert cli(*once, "--seed", "5").out == cli(*once, "--seed", "5").out
    assert cli(*once, "--seed", "5").out != cli(*once, "--seed", "6").out
    assert cli(*once).out != cli(*once).out


@pytest.mark.parametrize("layout", ["table", "json"])
def test_one_run_is_as_without_the_flag(cli, table: Path, layout: str) -> None:
    once = command("sparse_vector_with_gap", RUNS[1][1], "--seed", "5", "--format", layout)
    ran = cli(*once, "--runs", "1")
    assert ran == cli(*once)
    if layout == "json":
        document = json.loads(ran.out)
        assert (document["runs"], document["summary"]) == (1, None)
        assert document["answers"]


def test_whole_numbers_that_are_no_items_are_shown_by_position(cli, table: Path) -> None:
    ran = cli(*command("own.py::counters", {"eps": "9"}, "--runs", "5", "--seed", "1", "--format", "json"))
    assert ran.code == 0, ran.err
    [answer] = json.loads(ran.out)["summary"]["items"]
    assert (answer["item"], answer["position"], answer["runs"]) == (None, 0, 5)
    assert answer["value"]["mean"] == 6
    assert "(output 0)" in cli(*command("own.py::counters", {"eps": "9"}, "--runs", "5")).out


@pytest.mark.parametrize("runs", ["0", "-1", "1.5", "many", ""])
def test_a_number_of_runs_that_is_none(cli, table: Path, runs: str) -> None:
    ran = cli(*command("noisy_max", {"eps": "1"}, f"--runs={runs}"))
    assert (ran.code, ran.out) == (2, "")
    assert f"argument --runs: must be a whole number, at least 1, not {runs!r}" in ran.err


def test_items_from_the_data_are_warned_about_once(cli, table: Path) -> None:
    ran = cli("run", "noisy_max", "--data", "counts.csv", "--eps", "1", "--runs", "9")
    assert ran.err.count("warning") == 1
    assert "the list of items itself is not private" in ran.out


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_the_histogram_fits_the_terminal(table: Path, encoding: str) -> None:
    environment = {**os.environ, "COLUMNS": "60", "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    arguments = command("noisy_max_with_gap", {"eps": "1"}, "--runs", "99", "--seed", "1")
    ran = subprocess.run([sys.executable, "-m", "alignkit", *arguments], env=environment, capture_output=True,
                         check=True)  # fmt: skip
    drawn = ran.stdout.decode(encoding).split("99 gaps\n")[1].split("\n\n")[0].splitlines()
    assert max(map(len, drawn)) == 60
    assert ("#" if encoding == "ascii" else "█") in drawn[0] + drawn[1]
    assert "?" not in "".join(drawn)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals are a matter of Unix")
def test_ctrl_c_ends_many_runs(table: Path, here: Path) -> None:
    os.mkfifo(here / "told")
    (here / "slow.py").write_text(OWN + "\nopen('told', 'w').write('now')\n")
    script = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from alignkit.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", script, *command("slow.py::two_tags", RUNS[-2][1], "--runs", "20000000")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert (here / "told").read_text() == "now"
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert (running.returncode, out, err) == (130, "", "alignkit: interrupted\n")
