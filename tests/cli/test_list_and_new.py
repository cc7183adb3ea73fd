"""`alignkit list` and `alignkit new`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import alignkit


def test_list_prints_one_line_for_each_entry(cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        ran = cli("list")
        assert ran.code == 0
        lines = ran.out.splitlines()
        assert max(map(len, lines)) <= width
        entries = [line for line in lines[1:] if not line.startswith("mechanisms/")]
        assert len(entries) == len(json.loads(cli("list", "--format", "json").out)["mechanisms"])
        [line] = [line for line in entries if line.startswith("noisy_max ")]
        assert line.split()[1:6] == ["proved", "eps,", "eps", "/", "2"]
        assert ("Noisy Max" in line) == (width == 120)


def test_list_in_a_pipe_is_whole(cli) -> None:
    ran = cli("list")
    [line] = [line for line in ran.out.splitlines() if line.startswith("noisy_max ")]
    assert "(Algorithm 2 of the VLDB 2020 paper" in line
    assert "…" not in line


def test_list_shows_only_what_is_asked_for(cli) -> None:
    def names(*arguments: str) -> set[str]:
        ran = cli("list", "--format", "json", *arguments)
        assert ran.code == 0
        return {m["mechanism"] for m in json.loads(ran.out)["mechanisms"]}

    assert names("SPARSE") >= {"sparse_vector", "adaptive_sparse_vector", "sparse_numeric"}
    assert "noisy_max" not in names("sparse")
    assert names("sparse", "noisy_max_with_half") > names("sparse")
    assert names("broken") == names("sparse_vector_broken", "noisy_max_broken")  # files have names too
    assert names("estimates_phi") == {"hybrid_estimates"}  # and so have alignments
    assert "sparse_vector_of_stoddard" in names("--refuted") - names("--proved")
    assert names("--refuted", "--proved") == names("--refuted") & names("--proved") >= {"sparse_vector_with_gap"}


def test_list_shows_everything_about_a_single_entry(cli) -> None:
    ran = cli("list", "hybrid_estimates_in_steps")
    assert ran.code == 0
    for words in (
        "hybrid_estimates_in_steps(q, T, k, eps, theta)", "Algorithm 6 of the VLDB Journal paper",
        "mechanisms/hybrids.py:",
        "estimates_in_steps_phi: expected proved, adjacency each", "claim (theta + len(omega) / k * (1 - theta)) * eps",
        "proofs/hybrids.py:",
    ):  # fmt: skip
        assert words in ran.out
    assert "noisy_max(q, eps)" in cli("list", "noisy_max", "-v").out


def test_list_of_nothing(cli) -> None:
    ran = cli("list", "hybird_estimates")
    assert ran.code == 2
    assert "no mechanism named hybird_estimates; did you mean hybrid_estimates?" in ran.err
    assert cli("list", "noisy_top_k_exponential", "--refuted").code == 2


def test_list_as_json(cli) -> None:
    document = json.loads(cli("list", "--format", "json").out)
    assert document["alignkit"] == alignkit.__version__
    by_name = {m["mechanism"]: m for m in document["mechanisms"]}
    svt = by_name["sparse_vector_with_gap"]
    assert svt["source"] == "Sparse Vector with Gap (Algorithm 1 of the VLDB 2020 paper)."
    assert list(svt["public"]) == ["T", "k", "eps"]
    assert {"alignment", "file", "line", "claim", "delta", "adjacency", "expected"} <= set(svt["alignments"][0])
    # Compared by their laws, with mechanisms that are proved where they can be; so are some of those in the wild.
    unaligned = {m["mechanism"]: m["file"] for m in document["mechanisms"] if not m["alignments"]}
    assert {name for name, file in unaligned.items() if "in_the_wild" not in file} == {
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
def test_names_that_are_refused(cli, here: Path, name: str) -> None:
    ran = cli("new", name)
    assert ran.code == 2
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("name", ["numpy", "z3", "alignkit", "_pytest"])
def test_names_of_installed_packages(cli, here: Path, name: str) -> None:
    ran = cli("new", name)
    assert ran.code == 2
    assert f"{name}.py would hide the installed package {name}; choose another name" in ran.err
    assert list(here.iterdir()) == []
