"""Rules 1 to 4: what a verdict may rest on."""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    LanguageError,
    Noise,
    Queries,
    Query,
    Real,
    alignment,
    check,
    clamp,
    exp,
    largest,
    mechanism,
    sqrt,
)
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.results import Verdict
from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.z3_solver import Z3Solver

# Answers this large are tried by no random search: what goes wrong there is for the prover to see.


@mechanism
def laplace(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta


@alignment(laplace, epsilon="eps")
def laplace_phi(q, q_, H):
    return H.shift(eta=q - q_)


# Rule 1


def test_the_plain_mechanism_is_proved(proved):
    proved(laplace_phi)


@pytest.mark.parametrize("condition", ["same_output", "cost", "one_to_one"])
def test_a_condition_whose_obligations_are_unknown_is_not_proved(condition):
    class Shy(Z3Solver):
        """Knows everything but what serves one condition."""

        def decide(self, hypotheses, goal):
            return Answer(Outcome.UNKNOWN, reason="shy")

    proof = prove(laplace_phi, Decider(lambda seconds: Shy(seconds), 60), range(10_000))
    assert not proof.complete


@mechanism
def numbers_for_tags(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q + eta >= 10 * 10 * 10 * 10:
        yield 1
    else:
        yield 0


@alignment(numbers_for_tags, epsilon="0")
def numbers_for_tags_phi(H):
    return H.shift()


def test_an_obligation_that_is_plainly_false_ends_no_proof(never_proved):
    never_proved(numbers_for_tags_phi, "same_output")


@mechanism
def other_scale(q: Query, eps: Epsilon, noise: Noise):
    if q > 10 * 10 * 10 * 10:
        s = 1
    else:
        s = 2
    eta = noise.laplace(s / eps)
    yield BELOW


@alignment(other_scale, epsilon="0")
def other_scale_phi(H):
    return H.shift()


def test_scales_that_plainly_differ_end_no_proof(never_proved):
    never_proved(other_scale_phi, "noise_used")


# Rule 2


@mechanism
def laplace_stream(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    count = 0
    for q_i in q:
        e = noise.laplace(1 / eps)
        count += 1
        yield q_i + e


@alignment(laplace_stream, epsilon="eps", invariant="count < 0")
def false_invariant_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(laplace_stream, epsilon="eps", invariant=["count >= 1", "count <= 0"])
def contradictory_invariant_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(laplace_stream, epsilon="eps", invariant="1 < 0")
def absurd_invariant_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(laplace_stream, epsilon="eps", invariant="privacy_cost <= eps")
def wished_for_cost_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(laplace_stream, epsilon="eps", invariant="count <= k")
def wished_for_bound_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@alignment(laplace_stream, epsilon="eps", invariant="k <= 0")
def false_premise_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@pytest.mark.parametrize(
    "phi",
    [
        false_invariant_phi,
        contradictory_invariant_phi,
        absurd_invariant_phi,
        wished_for_cost_phi,
        wished_for_bound_phi,
        false_premise_phi,
    ],
    ids=lambda phi: phi.name,
)
def test_a_stated_invariant_is_proved_not_believed(phi, refuted):
    refuted(phi)


@mechanism
def never_defined(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(sqrt(2) - 2)
    return q


@alignment(never_defined, epsilon="eps")
def never_defined_phi(H):
    return H.shift()


def test_premises_that_contradict_prove_nothing(never_proved):
    never_proved(never_defined_phi)


@mechanism
def no_such_scale(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(-eps)
    return q


@alignment(no_such_scale, epsilon="eps")
def no_such_scale_phi(H):
    return H.shift()


def test_a_program_that_is_never_defined_proves_nothing(never_proved):
    never_proved(no_such_scale_phi)


@mechanism
def far_branch(q: Query, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if T * T < T - 10:
        yield q
    else:
        yield q + eta


@alignment(far_branch, epsilon="eps")
def far_branch_phi(q, q_, H):
    return H.shift(eta=q - q_)


def test_a_branch_that_is_impossible_may_be_left_out(proved):
    proved(far_branch_phi)


# Rule 3


@mechanism
def threshold(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q + eta >= 0:
        yield ABOVE
    else:
        yield BELOW


@alignment(threshold, epsilon="eps")
def wrong_way_phi(omega, H):
    return H.shift(eta=-1 if omega[0] is ABOVE else 1)


def test_a_refutation_replays(refuted):
    refuted(wrong_way_phi, "same_output")


@mechanism
def tie_only(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if eta == 1:
        yield ABOVE
    else:
        yield BELOW


@alignment(tie_only, epsilon="eps")
def tie_only_phi(H):
    return H.shift(eta=0)


@alignment(tie_only, epsilon="eps")
def tie_moved_phi(H):
    return H.shift(eta=1)


def test_a_tie_refutes_nothing():
    assert check(tie_only_phi).verdict is not Verdict.REFUTED
    assert check(tie_moved_phi).verdict is not Verdict.REFUTED


@mechanism
def irrational_boundary(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    x = q + eta
    if x * x >= 2:
        yield ABOVE
    else:
        yield BELOW


@alignment(irrational_boundary, epsilon="eps")
def irrational_phi(omega, H):
    return H.shift(eta=1 if omega[0] is ABOVE else 0)


def test_a_boundary_at_an_irrational_number_is_refuted_at_a_rational_one(refuted):
    refuted(irrational_phi, "same_output")


# Rule 4: definedness is an obligation on both runs and of the alignment


@mechanism
def divides_far_out(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    z = 0
    if q > 10 * 10 * 10 * 10:
        z = 1 / 0
    return q + eta + z


@mechanism
def divides_by_answer(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    z = 1 / (q - 10 * 10 * 10 * 10)
    return q + eta


@mechanism
def divides_by_noise(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.discrete_laplace(1 / eps)
    z = 1 / (eta - 10 * 10 * 10 * 10)
    yield BELOW


@mechanism
def root_of_answer(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    z = clamp(0, q - 10 * 10 * 10 * 10, 0)
    return q + eta


@mechanism
def list_too_short(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    t = [1, 2]
    z = 0
    for i in range(3):
        if q > 10 * 10 * 10 * 10:
            z = t[i]
    return q + eta


@mechanism
def too_few_to_choose(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    z = 0
    if q > 10 * 10 * 10 * 10:
        best = largest([1, 2], 5)
        z = best[0]
    return q + eta


@mechanism
def largest_of_none(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    z = 0
    if q > 10 * 10 * 10 * 10:
        z = max([x for x in [1] if x > 3])
    return q + eta


@mechanism
def unpacks_too_few(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    z = 0
    if q > 10 * 10 * 10 * 10:
        a, b = [x for x in [1] if x > 3]
    return q + eta


@pytest.mark.parametrize(
    "program",
    [
        divides_far_out,
        divides_by_answer,
        root_of_answer,
        list_too_short,
        too_few_to_choose,
        largest_of_none,
        unpacks_too_few,
    ],
    ids=lambda program: program.name,
)
def test_a_run_that_may_be_undefined_is_not_proved(program, never_proved):
    @alignment(program, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(eta=q - q_)

    never_proved(phi)


@alignment(divides_by_noise, epsilon="eps")
def divides_by_noise_phi(H):
    return H.shift()


def test_a_division_by_noise_that_may_be_zero_is_not_proved(never_proved):
    never_proved(divides_by_noise_phi, "termination")


@mechanism
def raw_far_out(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    z = q + eta
    if q > 10 * 10 * 10 * 10:
        z = q
    return z


@alignment(raw_far_out, epsilon="eps")
def largest_of_none_phi(q, q_, H):
    if q > 10 * 10 * 10 * 10 - 5:
        z = max([0 for x in [1] if x > 3])
        return H.shift(eta=z)
    return H.shift(eta=q - q_)


@alignment(raw_far_out, epsilon="eps")
def list_too_short_phi(q, q_, H):
    t = [0, 0]
    z = 0
    for i in range(3):
        if q > 10 * 10 * 10 * 10 - 5:
            z = t[i]
    return H.shift(eta=q - q_ + z)


@alignment(raw_far_out, epsilon="eps")
def too_few_phi(q, q_, H):
    if q > 10 * 10 * 10 * 10 - 5:
        best = largest([0], 2)
        return H.shift(eta=best[0])
    return H.shift(eta=q - q_)


@alignment(raw_far_out, epsilon="eps")
def divides_phi(q, q_, H):
    z = 0
    if q > 10 * 10 * 10 * 10 - 5:
        z = 1 / 0
    return H.shift(eta=q - q_ + z)


@alignment(raw_far_out, epsilon="eps")
def divides_by_nothing_phi(q, q_, H):
    z = 0 / (0 if q > 10 * 10 * 10 * 10 - 5 else 1)
    return H.shift(eta=q - q_ + z)


@alignment(raw_far_out, epsilon="eps")
def unpacks_phi(q, q_, H):
    z = 0
    if q > 10 * 10 * 10 * 10 - 5:
        z, w = [x for x in [1] if x > 3]
    return H.shift(eta=q - q_ + z)


@pytest.mark.parametrize(
    "phi",
    [
        largest_of_none_phi,
        list_too_short_phi,
        too_few_phi,
        divides_phi,
        divides_by_nothing_phi,
        unpacks_phi,
    ],
    ids=lambda phi: phi.name,
)
def test_an_alignment_that_is_undefined_where_the_mechanism_leaks_proves_nothing(phi, never_proved):
    never_proved(phi)


@mechanism
def raw_for_one_count(q: Query, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    z = q + eta
    if k == 1000:
        z = q
    return z


@alignment(raw_for_one_count, epsilon="eps")
def narrowing_phi(q, q_, k, H):
    z = 0 / (k - 1000)
    return H.shift(eta=q - q_ + z)


@alignment(raw_for_one_count, epsilon="eps + 0 / (k - 1000)")
def narrowing_claim_phi(q, q_, H):
    return H.shift(eta=q - q_)


@pytest.mark.parametrize("phi", [narrowing_phi, narrowing_claim_phi], ids=lambda phi: phi.name)
def test_neither_alignment_nor_claim_narrows_the_public_inputs(phi, never_proved):
    never_proved(phi)


@mechanism
def raw_for_few(q: Queries, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    z = q[0] + eta
    if len(q) < 3:
        z = q[0]
    return z


@alignment(raw_for_few, epsilon="eps")
def narrows_n_phi(q, q_, H):
    z = 0 * q[2]
    return H.shift(eta=q[0] - q_[0] + z)


def test_an_alignment_does_not_narrow_n(refuted):
    refuted(narrows_n_phi)


@mechanism
def empty_range(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for i in range(1000 - k):
        yield BELOW
    yield q[0] if k > 1000 else 0


@alignment(empty_range, epsilon="eps")
def empty_range_phi(H):
    return H.shift()


def test_a_range_that_is_empty_is_defined(never_proved):
    # Python's range(-1) is empty, no error: the inputs with k > 1000 may not be left out.
    never_proved(empty_range_phi)


@mechanism
def index_from_the_end(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    z = q[k - 1000]
    if k < 1000:
        x = q[0]
    else:
        x = q[0] + eta
    return x


@alignment(index_from_the_end, epsilon="eps")
def index_from_the_end_phi(q, q_, H):
    return H.shift(eta=q[0] - q_[0])


def test_an_index_below_zero_is_defined(never_proved):
    # Python counts from the end: k = 999 is defined for every n.
    never_proved(index_from_the_end_phi)


@mechanism
def asked_again(q: Queries, eps: Epsilon, noise: Noise):
    """The same maximum, first where it exists, then without asking: for n = 1 it is undefined."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + e for q_i, e in zip(q, eta)]
    (best,) = largest(noisy, 1)
    a = max(noisy[i] for i in range(len(q)) if i != best) if len(q) > 1 else 0
    b = max(noisy[i] for i in range(len(q)) if i != best)
    return best


@alignment(asked_again, epsilon="eps")
def asked_again_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


def test_a_maximum_that_exists_under_a_condition_need_not_exist_without(never_proved):
    never_proved(asked_again_phi)


@mechanism
def top_two(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + e for q_i, e in zip(q, eta)]
    best, second = largest(noisy, 2)
    return best


@alignment(top_two, epsilon="eps")
def top_two_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


def test_what_the_program_needs_of_n_is_said():
    result = check(top_two_phi)
    if result.verdict is Verdict.PROVED:
        assert any("defined" in a for a in result.assumptions)


def test_a_claim_must_be_a_number_of_public_parameters():
    for claim in ("q", "k", "eps +", "eps < 1", "noise"):
        with pytest.raises(LanguageError):
            alignment(laplace, epsilon=claim)(laplace_phi.python)


# Rule 3: a replay that rounding may have decided shows nothing


@mechanism
def underflows(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if exp(-1000) > 0:
        return q + e
    return q


@mechanism
def rounds_to_one(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if exp(1 / 100000000000000000000) > 1:
        return q + e
    return q


@mechanism
def root_twice(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    y = sqrt(2) * sqrt(2)
    if (q + e) * y == 2 * (q + e):
        return q + e
    return q


@mechanism
def best_of_roots(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    (best,) = largest([2, sqrt(2) * sqrt(2)], 1)
    if best == 0:
        return q + e
    return q


@mechanism
def plainly_decided(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if sqrt(2) > 1.5:
        return q + e
    return q


def moves_by_the_change(of, **named):
    def phi(q, q_, H):
        return H.shift(e=q - q_)

    return alignment(of, epsilon="eps", **named)(phi)


def moves_unless_rounding_decides(q, q_, H):
    return H.shift(e=q - q_ if sqrt(2) * sqrt(2) <= 2 else 0)


@pytest.mark.parametrize("of", [underflows, rounds_to_one, root_twice, best_of_roots], ids=lambda m: m.name)
def test_what_rounding_decides_refutes_nothing(of):
    assert check(moves_by_the_change(of), effort=0).verdict is not Verdict.REFUTED


def test_so_it_is_in_an_alignment():
    @mechanism
    def plain(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return q + e

    phi = alignment(plain, epsilon="eps")(moves_unless_rounding_decides)
    assert check(phi, effort=0).verdict is not Verdict.REFUTED


def test_what_is_decided_by_more_than_rounding_refutes(refuted):
    refuted(moves_by_the_change(plainly_decided), "same_output")
