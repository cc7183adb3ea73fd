"""`docs/theory/trusted.md` names the files that a proof rests on, with about their size."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import grimp
import pytest
from theory.trusted import PACKAGE, code_lines, path_of, trusted_lines, trusted_modules

from alignkit.proofs import adaptive_queries, composition, exponential_mechanism, noisy_max, several_loops, sums
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.symbolic.z3_solver import Z3Solver

PAGE = (Path(__file__).parents[2] / "docs" / "theory" / "trusted.md").read_text(encoding="utf-8")

# A loop with an analyst who chooses, selections, one-to-one by pieces, lemmas, loops inside loops, sums.
PROVED = (
    adaptive_queries.online_gap_phi,
    noisy_max.gap_phi,
    exponential_mechanism.gap_phi,
    composition.then_count_phi,
    several_loops.rounds_phi,
    sums.prefix_phi,
)


def test_the_sizes_on_the_page_are_about_right() -> None:
    shown = {room: int(size.replace(",", "")) for room, size in re.findall(r"^\| `(\w+)/` \| ([\d,]+) \|", PAGE, re.M)}
    rooms = {room: lines for room, lines in trusted_lines().items() if room != "values"}
    assert shown.keys() == rooms.keys()
    for room, lines in rooms.items():
        assert abs(shown[room] - lines) <= max(50, lines / 20)


def files_run(alignment: AlignmentProgram) -> set[str]:
    """The files of alignkit in which a proof of the alignment, and of its lemmas, runs a function."""
    run: set[str] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        run.add(frame.f_code.co_filename)

    lemmas = {lemma: prove(lemma, Decider(Z3Solver, 60), range(10_000)) for lemma in alignment.lemmas}
    sys.setprofile(note)
    try:
        proof = prove(alignment, Decider(Z3Solver, 60), range(10_000), lemmas)
    finally:
        sys.setprofile(None)
    assert proof.complete
    return {file for file in run if Path(file).is_relative_to(PACKAGE)}


@pytest.mark.parametrize("alignment", PROVED, ids=lambda phi: phi.name)
def test_a_proof_runs_no_file_that_is_not_counted(alignment: AlignmentProgram) -> None:
    """Whatever an object that is handed to the prover brings along is seen here, and in no graph of imports."""
    assert files_run(alignment) <= {str(path_of(module)) for module in trusted_modules()}


def test_the_files_on_the_page_exist() -> None:
    for name in re.findall(r"`(?:alignkit/)?([a-z_]+/[a-z_/]*(?:\.py)?)`", PAGE):
        assert name.startswith("tests/") or (PACKAGE / name).exists()


def test_no_proof_computes_with_floating_point_libraries() -> None:
    graph = grimp.build_graph("alignkit", include_external_packages=True, cache_dir=None)
    imported = graph.find_upstream_modules("alignkit.proving.proof")
    assert "flint" not in imported
    assert not any(module.startswith("alignkit.arithmetic") for module in imported)


def test_the_size_on_the_map_is_about_right() -> None:
    architecture = (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"some ([\d,]+) lines of code", architecture)
    lines = sum(map(code_lines, PACKAGE.rglob("*.py")))
    assert abs(int(shown.replace(",", "")) - lines) <= lines / 20
