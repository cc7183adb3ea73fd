"""Programs with many branches: what is proved of them, which ways of D′ are explored, and what the paths share."""

from __future__ import annotations

import pytest
from support.defining import define_in
from support.many_branches import adaptive_sparse_vector, several_tests

from alignkit import check
from alignkit.interpreting.exploring import Choices
from alignkit.proofs import adaptive_sparse_vector as adaptive_proofs
from alignkit.proofs import sparse_vector, top_k
from alignkit.proving.deciding import Decider
from alignkit.proving.facts.hypotheses import Caches, Foresight
from alignkit.proving.gathering import Theory, obligations
from alignkit.proving.planning import plan_proof
from alignkit.proving.symbolic_inputs import Inputs, unbounded
from alignkit.proving.symbolic_trial import Exploration
from alignkit.results import Verdict
from alignkit.symbolic.z3_solver import Z3Solver


def gathered(phi, inputs: Inputs | None = None) -> Theory:
    decider = Decider(Z3Solver.of_one_check(), 60.0)
    caches = Caches(foresight=Foresight(decider.foresees))
    exploration = Exploration(phi, inputs or unbounded(phi.mechanism, phi.adjacency), decider.remaining, caches=caches)
    return obligations(exploration, plan_proof(exploration, decider))


@pytest.mark.parametrize("branches", [4, pytest.param(32, marks=pytest.mark.slow)])
def test_an_adaptive_sparse_vector_with_many_branches_is_proved(branches, tmp_path):
    phi = define_in(tmp_path, adaptive_sparse_vector(branches)).phi
    assert check(phi, effort=0).verdict is Verdict.PROVED


@pytest.mark.parametrize("tests", [3, pytest.param(6, marks=pytest.mark.slow)])
def test_several_tests_against_one_threshold_are_proved(tests, tmp_path):
    phi = define_in(tmp_path, several_tests(tests)).phi
    assert check(phi, effort=0).verdict is Verdict.PROVED


@pytest.mark.parametrize("branches", [2, 5])
def test_d_prime_goes_one_way_for_each_way_of_d(branches, tmp_path):
    """D has two paths for each branch, as a winner may end the loop, one below all of them, and one past the loop."""
    phi = define_in(tmp_path, adaptive_sparse_vector(branches)).phi
    iterations = [r for r in gathered(phi).records if r.trace is not None and r.trace.round is not None]
    assert len(iterations) == 2 * branches + 2


@pytest.mark.parametrize(
    "phi",
    [sparse_vector.gap_phi, adaptive_proofs.many_branches_phi, adaptive_proofs.monotone_phi, top_k.gap_phi],
    ids=lambda phi: phi.mechanism.name,
)
def test_what_an_earlier_path_has_obliged_is_not_lost(phi, monkeypatch):
    """The obligations are those of paths that list all of theirs, what came up on earlier ones included."""
    inputs = unbounded(phi.mechanism, phi.adjacency)
    once = [obligation.key for obligation in gathered(phi, inputs).obligations]
    monkeypatch.setattr(Choices, "repeats", False)
    assert once == [obligation.key for obligation in gathered(phi, inputs).obligations]
