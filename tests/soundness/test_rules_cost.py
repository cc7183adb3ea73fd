"""Rules 18 and 22: what a worst case, "never attained" and an ex-post claim may be said of."""

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
    largest,
    mechanism,
)
from alignkit.proofs import adaptive_sparse_vector, laplace, noisy_max, sparse_vector
from alignkit.proving.cost_bounds import bounds_claim, bounds_cost, share_of_claim
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.proving.symbolic_inputs import unbounded
from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.terms import Term
from alignkit.symbolic.z3_solver import Z3Solver
from alignkit.worst_case.cost_analysis import analyse_cost, bounds_refined
from alignkit.worst_case.directed_runs import run_directed

EVERY_LINE = range(100_000)
TIGHT = [
    laplace.phi,
    laplace.threshold_phi,
    noisy_max.phi,
    noisy_max.monotone_gap_phi,
    sparse_vector.gap_phi,
    sparse_vector.theta_phi,
    adaptive_sparse_vector.phi_2020,
]


def by_pairs(q, q_):
    return [q[i] - q_[i] for i in range(len(q))]


def winners(q, q_, omega):
    return [1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]


# The worst case


@pytest.mark.parametrize("tight", TIGHT, ids=lambda a: f"{a.mechanism.name}-{a.name}")
def test_nothing_below_what_a_run_costs_is_a_bound(tight):
    """These claims are attained: no smaller one may be proved, nor that they are never attained."""
    decider = Decider(Z3Solver.of_one_check(), 60)
    proof = prove(tight, decider, EVERY_LINE)
    assert proof.complete
    for bounds in filter(None, (proof.theory.bounds, bounds_refined(proof.theory, decider))):
        claim = bounds[0].claim
        assert bounds_cost(decider, bounds, claim)
        assert not bounds_cost(decider, bounds, claim, strictly=True)
        assert not bounds_cost(decider, bounds, claim - claim / 1000)
        assert not share_of_claim(decider, bounds, 1 - Term.of(1).constant / 1000)


def test_steps_are_no_wider_than_they_are():
    """For k = 2 a run of Algorithm 4 costs 7/8 eps, for k = 3 11/12 eps: nothing below is a bound there."""
    phi = adaptive_sparse_vector.phi_2020
    decider = Decider(Z3Solver.of_one_check(), 60)
    theory = prove(phi, decider, EVERY_LINE).theory
    inputs = unbounded(phi.mechanism, phi.adjacency)
    bounds = bounds_refined(theory, decider)
    eps, k = inputs.values["eps"], inputs.values["k"]
    true = eps - eps / (4 * k)
    cases = k.compare("<=", 1)
    assert bounds_cost(decider, bounds, cases.choose(eps, true))
    assert not bounds_cost(decider, bounds, true), "for k = 1 it is eps"
    assert not bounds_cost(decider, bounds, cases.choose(eps, true - eps / (1000 * k)))
    assert not bounds_cost(decider, bounds, cases.choose(eps, true), strictly=True)
    assert not bounds_cost(decider, bounds, cases.choose(true, eps))


@mechanism
def asks_first(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The break comes before the count is raised: at the loop's head the count may be k."""
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        if count >= k:
            break
        e = noise.laplace(8 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW


@alignment(asks_first, epsilon="eps")
def asks_first_phi(q, q_, omega, H):
    return H.shift(eta=1, e=winners(q, q_, omega))


def test_a_guard_that_may_hold_at_the_loops_head_is_no_finer_invariant():
    """Were the count below k at every head, one winner less would be all there are, and eps / (4 k) less the cost."""
    decider = Decider(Z3Solver.of_one_check(), 60)
    proof = prove(asks_first_phi, decider, EVERY_LINE)
    assert proof.complete
    inputs = unbounded(asks_first_phi.mechanism, asks_first_phi.adjacency)
    eps, k = inputs.values["eps"], inputs.values["k"]
    bounds = bounds_refined(proof.theory, decider)
    assert bounds_cost(decider, bounds, eps / 2)
    assert not bounds_cost(decider, bounds, eps / 2 - eps / (4 * k))
    assert not bounds_cost(decider, bounds, eps / 2, strictly=True)


def test_no_path_proves_no_bound():
    assert not bounds_cost(Decider(Z3Solver.of_one_check(), 10), (), Term.of(1))
    assert not bounds_claim(Decider(Z3Solver.of_one_check(), 10), (), Term.of(1))


class Ignorant:
    """A solver that never knows."""

    name = "ignorant"

    def decide(self, hypotheses, goal):
        return Answer(Outcome.UNKNOWN, reason="no idea")

    def satisfiable(self, hypotheses):
        return Answer(Outcome.UNKNOWN, reason="no idea")


@pytest.mark.parametrize("seconds", [60, 0])
def test_what_the_solver_does_not_know_is_not_told(seconds):
    phi = adaptive_sparse_vector.phi_2020
    theory = prove(phi, Decider(Z3Solver.of_one_check(), 60), EVERY_LINE).theory
    runs = [run for run in run_directed(phi).dearest if run.setting["k"] > 1]
    analysis = analyse_cost(phi, theory, Decider(lambda left: Ignorant(), seconds), runs)
    assert (analysis.cost, analysis.slack) == ("eps", None)
    assert analysis.attained is None, "that no run was seen is no proof"


# Ex-post claims


@mechanism
def gaps_until_a_miss(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eps0, eps1 = eps / 2, eps / (4 * k)
    eta = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1 / eps1)
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
            break
        if count >= k:
            break


@alignment(gaps_until_a_miss, epsilon="len(omega) / k * (eps / 2)")
def forgets_the_threshold(q, q_, omega, H):
    return H.shift(eta=1, eta_i=winners(q, q_, omega))


@alignment(gaps_until_a_miss, epsilon="eps / 2 + (len(omega) - 1) / k * (eps / 2)")
def off_by_one(q, q_, omega, H):
    """Right where the last output is BELOW; where the queries end first, all of them cost."""
    return H.shift(eta=1, eta_i=winners(q, q_, omega))


@alignment(gaps_until_a_miss, epsilon="eps / 2 + (k - len(omega)) / k * (eps / 2)")
def the_wrong_way_round(q, q_, omega, H):
    return H.shift(eta=1, eta_i=winners(q, q_, omega))


@mechanism
def silent_end(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The iteration that ends the run costs too, and gives nothing."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        if q_i + e > T:
            break
        yield BELOW


@alignment(silent_end, epsilon="len(omega) * eps")
def ignores_the_silent_end(q, q_, H):
    return H.shift(e=by_pairs(q, q_))


@mechanism
def now_and_then(q: Queries, eps: Epsilon, noise: Noise):
    """Some iterations give nothing, and cost all the same."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        if f > 0:
            yield q_i + e


@alignment(now_and_then, epsilon="len(omega) * eps")
def ignores_the_silent_ones(q, q_, H):
    return H.shift(e=by_pairs(q, q_))


@mechanism
def framed(q: Queries, eps: Epsilon, noise: Noise):
    yield ABOVE
    for q_i in q:
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        yield q_i + e
        yield BELOW
        if f > 10:
            break
    yield ABOVE


@alignment(framed, epsilon="(len(omega) - 3) / 2 * eps")
def counts_the_frame_twice(q, q_, H):
    return H.shift(e=by_pairs(q, q_))


@alignment(framed, epsilon="(len(omega) - 2) / 3 * eps")
def three_an_iteration(q, q_, H):
    return H.shift(e=by_pairs(q, q_))


@mechanism
def pays_once_more(q: Queries, eps: Epsilon, noise: Noise):
    """One answer after the loop costs as much as one inside, and is dearer than its place in the output."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e
    last = noise.laplace(1 / (2 * eps))
    yield q[0] + last


@alignment(pays_once_more, epsilon="len(omega) * eps")
def forgets_the_last(q, q_, H):
    return H.shift(e=by_pairs(q, q_), last=q[0] - q_[0])


@mechanism
def one_or_two(q: Query, eps: Epsilon, noise: Noise):
    a = noise.laplace(1 / eps)
    b = noise.laplace(1 / eps)
    c = noise.laplace(1)
    yield q + a
    if c > 0:
        yield q + b


@alignment(one_or_two, epsilon="len(omega) * eps")
def always_pays_for_two(q, q_, H):
    return H.shift(a=q - q_, b=q - q_)


@alignment(one_or_two, epsilon="2 * eps / len(omega)")
def cheaper_if_longer(q, q_, omega, H):
    return H.shift(a=q - q_, b=q - q_ if len(omega) == 2 else 0)


@mechanism
def top_k_above(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    z = noise.laplace(2 / eps)
    eta = [noise.laplace(4 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k)
    for i in range(k):
        if noisy[top[i]] >= T + z:
            yield top[i]
        else:
            break


@alignment(top_k_above, epsilon="len(omega) / k * eps")
def a_share_of_nothing(q, q_, omega, H):
    """The threshold is paid for even where nothing lies above."""
    return H.shift(z=1, eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(top_k_above, epsilon="eps / 2 + len(omega) / (k + 1) * (eps / 2)")
def a_share_too_small(q, q_, omega, H):
    return H.shift(z=1, eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


WRONG = [
    a_share_of_nothing,
    a_share_too_small,
    forgets_the_threshold,
    off_by_one,
    the_wrong_way_round,
    ignores_the_silent_end,
    ignores_the_silent_ones,
    counts_the_frame_twice,
    three_an_iteration,
    forgets_the_last,
    always_pays_for_two,
    cheaper_if_longer,
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda a: a.name)
def test_a_claim_by_the_output_that_is_too_small_is_refuted(wrong, refuted):
    result = refuted(wrong, "cost")
    found = result.counterexample
    assert found.condition == "cost"
    assert found.cost > found.claim
    assert result.privacy.status == "open"


def test_a_claim_must_have_a_value_for_every_output(never_proved):
    @mechanism
    def maybe_nothing(q: Queries, eps: Epsilon, noise: Noise):
        for q_i in q:
            f = noise.laplace(1)
            if f > 0:
                yield ABOVE

    @alignment(maybe_nothing, epsilon="eps / len(omega)")
    def divides_by_nothing(H):
        return H.shift()

    never_proved(divides_by_nothing, "same_output")


def claimed(text: str) -> None:
    @alignment(gaps_until_a_miss, epsilon=text)
    def phi(H):
        return H.shift()


@pytest.mark.parametrize(
    "text",
    ["omega[0] * eps", "sum(omega)", "max(omega) * eps", "sum(1 for w in omega)", "eps if omega[0] > 0 else 2 * eps",
     "len([w for w in omega]) * eps", "len(omega[len(omega) - 1]) * eps", "omega"],
)  # fmt: skip
def test_a_claim_reads_no_real_part_of_the_output(text):
    with pytest.raises(LanguageError, match="countable"):
        claimed(text)


@pytest.mark.parametrize("text", ["q[0] * eps", "sum(q) * eps", "len(omega) * budget", "H.eta", "ABOVE"])
def test_a_claim_reads_no_answers_and_names_nothing_unknown(text):
    with pytest.raises(LanguageError) as caught:
        claimed(text)
    shown = str(caught.value)
    assert "test_rules_cost.py" in shown
    assert "claim" in shown
    assert text in shown


def test_the_length_of_a_number_is_no_claim():
    with pytest.raises(LanguageError):

        @alignment(noisy_max.noisy_max, epsilon="len(omega) * eps")
        def phi(H):
            return H.shift()
