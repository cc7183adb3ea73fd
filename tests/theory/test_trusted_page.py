"""`docs/theory/trusted.md` names the files that a proof rests on, with about their size."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import grimp
import pytest
from theory.trusted import PACKAGE, code_lines, path_of, trusted_lines, trusted_modules

from alignkit.proofs import (
    adaptive_queries,
    composition,
    exponential_mechanism,
    noisy_max,
    several_loops,
    sparse_vector_broken,
    sums,
)
from alignkit.proving.deciding import Decided, Decider
from alignkit.proving.gathering import Theory
from alignkit.proving.kernel import judge
from alignkit.proving.planned_runs import ProofPlan
from alignkit.proving.planning import plan_proof
from alignkit.proving.proof import prove
from alignkit.proving.symbolic_trial import Exploration
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
    sums.windows_phi,
    sums.counter_phi,
)


def test_the_sizes_on_the_page_are_about_right() -> None:
    shown = {room: int(size.replace(",", "")) for room, size in re.findall(r"^\| `(\w+)/` \| ([\d,]+) \|", PAGE, re.M)}
    rooms = {room: lines for room, lines in trusted_lines().items() if room != "values"}
    assert shown.keys() == rooms.keys()
    for room, lines in rooms.items():
        assert abs(shown[room] - lines) <= max(50, lines / 20)


class Wordless:
    """Reports of a proof that say nothing."""

    def how(self, name: str, alignment: AlignmentProgram, own: Sequence[Decided], theory: Theory) -> str:
        return ""

    def why(self, failed: Sequence[Decided], alignment: AlignmentProgram) -> str:
        return ""

    def notes_on_loops(self, theory: Theory, decided: Sequence[Decided]) -> list[str]:
        return []


WITHOUT_WORDS = Wordless()


def fresh_decider() -> Decider:
    """A decider as a check makes one."""
    return Decider(Z3Solver.of_one_check(), 60)


def files_run(alignment: AlignmentProgram) -> set[str]:
    """The files of alignkit in which a proof of the alignment runs a function, but for what plans it."""
    run: set[str] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        run.add(frame.f_code.co_filename)

    def plan(exploration: Exploration, decider: Decider) -> ProofPlan:
        sys.setprofile(None)
        planned = plan_proof(exploration, decider)
        exploration.last_run.clear()
        sys.setprofile(note)
        return planned

    lemmas = {lemma: prove(lemma, fresh_decider(), range(10_000)) for lemma in alignment.lemmas}
    sys.setprofile(note)
    try:
        proof = judge(alignment, fresh_decider(), range(10_000), lemmas, "", plan, WITHOUT_WORDS)
    finally:
        sys.setprofile(None)
    assert proof.complete
    return {file for file in run if Path(file).is_relative_to(PACKAGE)}


@pytest.mark.parametrize("alignment", PROVED, ids=lambda phi: phi.name)
def test_a_proof_runs_no_file_that_is_not_counted(alignment: AlignmentProgram) -> None:
    """Whatever an object that is handed to the prover brings along is seen here, and in no graph of imports."""
    assert files_run(alignment) <= {str(path_of(module)) for module in trusted_modules()}


@pytest.mark.parametrize("alignment", [*PROVED, sparse_vector_broken.little_noise_phi], ids=lambda phi: phi.name)
def test_words_have_no_part_in_a_status(alignment: AlignmentProgram) -> None:
    lemmas = {lemma: prove(lemma, fresh_decider(), range(10_000)) for lemma in alignment.lemmas}
    told = prove(alignment, fresh_decider(), range(10_000), lemmas)
    untold = judge(alignment, fresh_decider(), range(10_000), lemmas, "", plan_proof, WITHOUT_WORDS)
    assert told.complete == (alignment.expect == "proved")
    assert {n: c.status for n, c in told.conditions.items()} == {n: c.status for n, c in untold.conditions.items()}


def test_the_files_on_the_page_exist() -> None:
    for name in re.findall(r"`(?:alignkit/)?([a-z_]+/[a-z_/]*(?:\.py)?)`", PAGE):
        assert name.startswith("tests/") or (PACKAGE / name).exists()


def test_no_proof_computes_with_floating_point_libraries() -> None:
    graph = grimp.build_graph("alignkit", include_external_packages=True, cache_dir=None)
    imported = graph.find_upstream_modules("alignkit.proving.proof")
    assert "alignkit.proving.kernel" in imported
    assert "flint" not in imported
    assert not any(module.startswith("alignkit.arithmetic") for module in imported)


def test_the_size_on_the_map_is_about_right() -> None:
    architecture = (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"some ([\d,]+) lines of code", architecture)
    lines = sum(map(code_lines, PACKAGE.rglob("*.py")))
    assert abs(int(shown.replace(",", "")) - lines) <= lines / 20
