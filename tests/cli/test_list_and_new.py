"""`alignkit list` and `alignkit new`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import alignkit


def test_list_shows_source_claim_and_expectation(cli) -> None:
    ran = cli("list")
    assert ran.code == 0
    entry = ran.out.partition("noisy_max(q, eps)")[2].partition("\n\n")[0]
    assert "Algorithm 2 of the VLDB 2020 paper" in entry
    assert "claim eps / 2" in entry
    assert "adjacency monotone" in entry
    assert "expected proved" in entry


def test_list_as_json(cli) -> None:
    document = json.loads(cli("list", "--format", "json").out)
    assert document["alignkit"] == alignkit.__version__
    by_name = {m["mechanism"]: m for m in document["mechanisms"]}
    svt = by_name["sparse_vector_with_gap"]
    assert svt["source"] == "Sparse Vector with Gap (Algorithm 1 of the VLDB 2020 paper)."
    assert list(svt["public"]) == ["T", "k", "eps"]
    assert {"alignment", "file", "line", "claim", "adjacency", "expected"} <= set(svt["alignments"][0])
    # Compared by their laws, with mechanisms that are proved where they can be.
    assert {name for name, m in by_name.items() if not m["alignments"]} == {
        "clamped_sampling", "clamping_after_sampling", "drawn_threshold", "drawn_thresholds", "lazy_threshold",
        "lazy_thresholds", "lazy_discrete_sparse_vector", "simulated_gap", "simulated_gap_as_printed",
    }  # fmt: skip


def test_new_writes_a_file_that_is_proved(cli, here: Path) -> None:
    ran = cli("new", "my_mechanism")
    assert ran.code == 0
    assert "alignkit check my_mechanism.py" in ran.out
    assert cli("check", "my_mechanism.py").code == 0
    assert cli("check", "my_mechanism.py::my_mechanism").code == 0


def test_new_into_a_folder(cli, here: Path) -> None:
    (here / "proofs").mkdir()
    assert cli("new", "my_mechanism", "--into", "proofs").code == 0
    assert (here / "proofs" / "my_mechanism.py").is_file()
    ran = cli("new", "my_mechanism", "--into", "prooofs")
    assert ran.code == 2
    assert "there is no folder prooofs" in ran.err


def test_new_never_overwrites(cli, here: Path) -> None:
    (here / "mine.py").write_text("precious = 1\n")
    ran = cli("new", "mine")
    assert ran.code == 2
    assert "exists already" in ran.err
    assert (here / "mine.py").read_text() == "precious = 1\n"


@pytest.mark.parametrize("name", ["2svt", "my-svt", "class", "", "max", "BELOW", "phi", "queue", "a/b"])
def test_names_that_cannot_be(cli, here: Path, name: str) -> None:
    ran = cli("new", name)
    assert ran.code == 2
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("name", ["numpy", "z3", "alignkit", "_pytest"])
def test_names_of_installed_packages(cli, here: Path, name: str) -> None:
    ran = cli("new", name)
    assert ran.code == 2
    assert f"{name}.py would hide the installed package {name}; choose another name" in ran.err
    assert list(here.iterdir()) == []
