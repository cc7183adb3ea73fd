"""Rules 1 and 8: a way of D′ that is not explored is shown to be impossible, and that is part of the proof."""

from __future__ import annotations

import pytest
from support.defining import define_in
from support.examples import examples
from support.many_branches import adaptive_sparse_vector, changed, several_tests

from alignkit import BELOW, Epsilon, Noise, Queries, Real, alignment, mechanism
from alignkit.proofs import adaptive_sparse_vector as adaptive_proofs
from alignkit.proofs import noisy_max, sparse_vector
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.symbolic.z3_solver import Z3Solver

EVERY_LINE = range(100_000)

# Each of these changes moves or removes the very thing by which D′ follows D at one branch of several, or pays for it.
ADAPTIVE = {
    "a winner moves too little": ("e3=[1 + q[i]", "e3=[q[i]"),
    "a winner moves too far for its noise": ("e3=[1 + q[i]", "e3=[3 + q[i]"),
    "another winner moves": ("e3=[1 + q[i] - q_[i] if w[0] is T3", "e3=[1 + q[i] - q_[i] if w[0] is T2"),
    "a loser moves": ("e3=[1 + q[i] - q_[i] if w[0] is T3 else 0", "e3=[1 + q[i] - q_[i] if w[0] is T3 else -2"),
    "the threshold stays": ("eta=1", "eta=0"),
    "a branch has no noise": ("q_i + e3 - threshold >= sigma3", "q_i - threshold >= sigma3"),
    "a branch has no threshold": ("q_i + e3 - threshold >= sigma3", "q_i + e3 >= sigma3"),
    "a branch reads another draw": ("elif q_i + e3 - threshold >= sigma3", "elif q_i + e2 - threshold >= sigma3"),
    "a branch doubles the answer": ("elif q_i + e3 - threshold >= sigma3", "elif 2 * q_i + e3 - threshold >= sigma3"),
    "a branch is decided the other way": ("elif q_i + e3 - threshold >= sigma3", "elif q_i + e3 - threshold <= sigma3"),
    "a branch gives another gap": ("yield T3, q_i + e3 - threshold", "yield T3, q_i - threshold"),
    "a branch is not paid": ("            spent = spent + cost3\n", "            spent = spent\n"),
    "a branch is paid by half": ("spent = spent + cost3", "spent = spent + cost3 / 2"),
    "a branch has half the noise": ("e3 = noise.laplace(2 / cost3)", "e3 = noise.laplace(1 / cost3)"),
    "a branch depends on the answer alone": ("        else:\n            yield BELOW", "        elif q_i > T:\n"
                                             "            yield T0, 0, 0\n        else:\n            yield BELOW"),
}  # fmt: skip

SEVERAL = {
    "a test that is passed moves too little": ("e2=[1 + q[i]", "e2=[q[i]"),
    "a test that is passed moves by another": ("e2=[1 + q[i] - q_[i] if w[2]", "e2=[1 + q[i] - q_[i] if w[1]"),
    "a test that is not passed moves": ("if w[2] is ABOVE else 0", "if w[2] is ABOVE else -2"),
    "the threshold stays": ("eta=1", "eta=0"),
    "a test has no noise": ("if q_i + e2 >= threshold + 2", "if q_i >= threshold + 2"),
    "a test has no threshold": ("if q_i + e2 >= threshold + 2", "if q_i + e2 >= T"),
    "a test takes the noise of another": ("if q_i + e2 >= threshold + 2", "if q_i + e3 >= threshold + 2"),
    "a test has half the noise": ("e2 = noise.laplace(4 ", "e2 = noise.laplace(2 "),
    "the limit is passed without noise for it": ("e3 = noise.laplace(4 * (k + 3)", "e3 = noise.laplace(4 * (k + 1)"),
    "a test of the last answer of all": ("s2 = BELOW", "s2 = BELOW if q_i < T else ABOVE"),
}


@pytest.mark.parametrize("change", ADAPTIVE)
def test_a_fault_in_one_of_many_branches_is_not_passed_over(change, tmp_path, prover_alone):
    phi = define_in(tmp_path, changed(adaptive_sparse_vector(examples(5, 6)), *ADAPTIVE[change])).phi
    assert not prover_alone(phi).complete


@pytest.mark.parametrize("change", SEVERAL)
def test_a_fault_in_one_of_several_tests_is_not_passed_over(change, tmp_path, prover_alone):
    phi = define_in(tmp_path, changed(several_tests(4), *SEVERAL[change])).phi
    assert not prover_alone(phi).complete


def test_a_winner_of_many_branches_that_moves_too_little_is_refuted(tmp_path, refuted):
    change = ADAPTIVE["a winner moves too little"]
    refuted(define_in(tmp_path, changed(adaptive_sparse_vector(6), *change)).phi, "same_output")


def test_one_of_several_tests_that_moves_too_little_is_refuted(tmp_path, refuted):
    change = SEVERAL["a test that is passed moves too little"]
    refuted(define_in(tmp_path, changed(several_tests(4), *change)).phi, "same_output")


def test_what_is_foreseen_at_one_answer_is_not_taken_for_another(never_proved):
    """D′ may go another way on the second answer, although its noise is that of the first."""

    @mechanism
    def first_twice(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        e = noise.laplace(2 / eps)
        if q[0] + e >= T:
            if q[1] + e >= T:
                return 2
            return 1
        return BELOW

    @alignment(first_twice, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q[0] - q_[0])

    never_proved(phi, "same_output")


@pytest.mark.parametrize(
    "phi",
    [sparse_vector.gap_phi, adaptive_proofs.many_branches_phi, noisy_max.phi],
    ids=lambda phi: phi.mechanism.name,
)
def test_what_is_foreseen_is_owed(phi, monkeypatch):
    """A prover that takes every way of D′ for foreseen, the first one that it meets, does not come to a proof."""
    monkeypatch.setattr(Decider, "foresees", lambda self, hypotheses, goal: True)
    proof = prove(phi, Decider(Z3Solver.of_one_check(), 60), EVERY_LINE)
    assert proof.complete is (phi is noisy_max.phi)  # its D′ meets no condition that is open
