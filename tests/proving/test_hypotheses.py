"""The hypotheses of a question: the same early and late, fewer near the goal, and enough for the proof."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from alignkit.proofs import adaptive_sparse_vector, exponential_mechanism, hybrids, noisy_max, sparse_vector, top_k
from alignkit.proving.deciding import Decider
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.gathering import Theory, obligations
from alignkit.proving.planning import plan_proof
from alignkit.proving.stages.single_runs import one_iteration
from alignkit.proving.symbolic_inputs import unbounded
from alignkit.proving.symbolic_trial import Exploration
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver

SELECTING = [
    hybrids.identity_phi, noisy_max.gap_phi, top_k.gap_phi, top_k.exponential_gap_phi,
    exponential_mechanism.gap_phi,
]  # fmt: skip
LOOPS = [
    sparse_vector.gap_phi, sparse_vector.monotone_phi, adaptive_sparse_vector.phi,
    adaptive_sparse_vector.many_branches_phi, hybrids.estimates_phi,
]  # fmt: skip


def decider() -> Decider:
    return Decider(Z3Solver.of_one_check(), 60.0)


def exploration(phi, decider: Decider) -> Exploration:
    return Exploration(phi, unbounded(phi.mechanism, phi.adjacency), decider.remaining)


def gathered(phi, decider: Decider) -> Theory:
    explored = exploration(phi, decider)
    return obligations(explored, plan_proof(explored, decider))


def name(phi) -> str:
    return f"{phi.mechanism.name}-{phi.name}"


def keys(formulas) -> set[object]:
    return {f if isinstance(f, bool) else f.key for f in formulas}


@pytest.mark.parametrize("phi", SELECTING, ids=name)
def test_a_path_that_goes_on_adds_nothing_to_what_was_known(phi, monkeypatch):
    """Hypotheses that are worked out at once, or when every path has come to its end, are the same formulas."""
    known = []
    asked = Facts.hypotheses

    def at_once(facts, goal=True, given=(), **of):
        found = asked(facts, goal, given, **of)
        here = replace(found, caches=replace(found.caches, hypotheses={}))
        known.append((found, here.near, here.whole))
        return found

    monkeypatch.setattr(Facts, "hypotheses", at_once)
    gathered(phi, decider())
    assert sum(len(whole) for _, _, whole in known) > 500
    for found, near, whole in known:
        for fact in found.facts.universals:
            fact.known.clear()
        late = replace(found, caches=replace(found.caches, hypotheses={}))
        assert (late.near, late.whole) == (near, whole)


@pytest.mark.parametrize("phi", SELECTING, ids=name)
def test_near_is_part_of_the_whole(phi):
    theory = gathered(phi, decider())
    smaller = 0
    for obligation in theory.obligations:
        near, whole = keys(obligation.hypotheses.near), keys(obligation.hypotheses.whole)
        assert near <= whole
        smaller += len(near) < len(whole)
    assert smaller > 5


@pytest.mark.parametrize("phi", LOOPS, ids=name)
def test_exploring_again_under_the_bounds_proves_the_same(phi):
    """The bounds on the cost come in after the paths were run; run again with them known, all is proved too."""
    solver = decider()
    theory = gathered(phi, solver)
    assert all(decided.holds for decided in solver.decide_all(theory.obligations))
    again = exploration(phi, solver).records(partial(one_iteration, plans=theory.planned.plans))
    owed = [obligation for record in again for obligation in record.obligations]
    assert all(decided.holds for decided in solver.decide_all(owed))
    asked = {(o.condition, str(o.goal)) for o in theory.obligations}
    assert {(o.condition, str(o.goal)) for o in owed} <= asked


def test_formulas_that_come_in_later_are_among_the_hypotheses():
    x = Term.of(Symbol("x", Role.PUBLIC))
    one, two = x.compare(">=", 0), x.compare("<=", 1)
    more = Hypotheses.of((one,)).also((two,))
    assert keys(more.near) == keys(more.whole) == {one.key, two.key}
    assert more.key != Hypotheses.of((one,)).key
    assert list(more.steps()) == [more.near]


def test_a_contradiction_is_looked_for_in_all_hypotheses():
    """It looks at no index by itself, so that no fact is nearer to it than another."""
    x = Term.of(Symbol("x", Role.PUBLIC))
    known = Hypotheses((x.compare(">=", 0),), goal=False)
    assert list(known.steps()) == [known.whole]


@pytest.mark.parametrize("phi", [*SELECTING, *LOOPS], ids=name)
def test_gathering_the_obligations_decides_nothing(phi, monkeypatch):
    solver = decider()
    explored = exploration(phi, solver)
    planned = plan_proof(explored, solver)
    for question in ("decide", "decide_all", "satisfiable"):
        monkeypatch.setattr(Decider, question, None)
    assert obligations(explored, planned).obligations
