"""The random search: what it finds convicts, is small, and comes out the same each time."""

from __future__ import annotations

import random

import pytest

from alignkit import BELOW, Epsilon, InputError, Noise, Queries, Query, alignment, check, largest, mechanism
from alignkit.proofs import laplace, noisy_max, noisy_max_broken, sparse_vector, sparse_vector_broken
from alignkit.refuting.random_search import record_pairs, search_at_random
from alignkit.results import Verdict
from alignkit.running.adjacency import check_adjacent
from alignkit.running.adjacent_pairs import random_pairs

TABLE = [frozenset(r.split()) for r in ("a b c", "a b", "a", "b c d", "a d", "c", "a b c d", "b")]


def test_a_seed_fixes_the_search():
    one = search_at_random(sparse_vector_broken.little_noise_phi, seed=3)
    two = search_at_random(sparse_vector_broken.little_noise_phi, seed=3)
    assert one.candidate is not None
    assert (one.candidate, one.trials) == (two.candidate, two.trials)


def test_a_search_that_finds_nothing_says_how_many_it_tried():
    result = check(sparse_vector.gap_phi)
    assert any("60 adjacent pairs" in note for note in result.notes)


def test_a_search_that_is_continued_tries_the_same_pairs():
    whole = search_at_random(noisy_max.monotone_phi, seed=2)
    parts = search_at_random(noisy_max.monotone_phi, seed=2, trials=50)
    parts.go_on(240, 20.0)
    assert [c.values for c, _ in parts.passed] == [c.values for c, _ in whole.passed]
    assert parts.trials == whole.trials == 240


@pytest.mark.parametrize(
    "phi",
    [sparse_vector.gap_phi, noisy_max.monotone_phi, laplace.phi, laplace.threshold_phi,
     sparse_vector.many_thresholds_phi],
    ids=lambda phi: f"{phi.mechanism.name}-{phi.adjacency}",
)  # fmt: skip
def test_every_pair_it_tries_is_adjacent(phi):
    tried = random_pairs(phi.mechanism, phi.adjacency, random.Random(1))
    for _ in range(300):
        inputs = next(tried)
        check_adjacent(phi.adjacency, phi.mechanism, inputs.values, inputs.values_)


def test_pairs_of_a_table_differ_by_one_record():
    tried = record_pairs(sparse_vector.gap_phi, TABLE, random.Random(1))
    for _ in range(100):
        inputs = next(tried)
        changes = [b - a for a, b in zip(inputs.q["q"], inputs.q_["q"], strict=True)]
        assert set(changes) <= {0, 1} or set(changes) <= {0, -1}
        assert any(changes)


def test_a_table_refutes_too():
    result = check(sparse_vector_broken.answer_phi, table=TABLE)
    assert result.verdict is Verdict.REFUTED


def test_a_table_that_finds_nothing_is_reported():
    result = check(sparse_vector.gap_phi, table=TABLE)
    assert result.verdict is Verdict.PROVED
    assert any("dropping or adding one record" in note for note in result.notes)


def test_a_table_needs_a_vector_of_answers():
    with pytest.raises(InputError, match="searched on a table"):
        check(laplace.threshold_phi, table=TABLE)
    with pytest.raises(InputError, match="no records"):
        check(sparse_vector.gap_phi, table=[])


def test_counterexamples_are_shrunk_to_simple_numbers():
    found = check(noisy_max_broken.half_the_noise_phi).counterexample
    assert len(found.witness.q["q"]) == 1
    assert all(abs(x) <= 1 for x in (*found.witness.q["q"], *found.witness.q_["q"], *found.witness.H["eta"]))
    assert found.witness.public == {"eps": 1}


@mechanism
def far_out(q: Query(sensitivity=100), eps: Epsilon, noise: Noise):
    e = noise.laplace(100 / eps)
    if q + e >= 1_000_000:
        yield q
    else:
        yield BELOW


@alignment(far_out, epsilon="eps")
def far_out_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_the_search_looks_near_the_numbers_that_a_program_holds():
    assert check(far_out_phi).verdict is Verdict.REFUTED


@mechanism
def needle(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    for q_i in q:
        if q_i * 7919 + e * 104729 == 1 and e * e > 3:
            yield q_i
        elif 31337 < q_i + e and q_i + e < 31338:
            yield q_i
        else:
            yield BELOW


@alignment(needle, epsilon="eps", adjacency="one")
def needle_phi(H):
    return H.shift(e=0)


def test_what_the_search_misses_is_not_proved():
    assert check(needle_phi).verdict is not Verdict.PROVED


def test_the_search_goes_on_until_a_run_reaches_the_end_of_a_function():
    """What a function gives at its end is an output like others: some run must have given it."""

    @mechanism
    def seldom(q: Query, r: Query, s: Query, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        y = noise.laplace(1 / eps)
        z = noise.laplace(1 / eps)
        if q + x < 3 or r + y < 3 or s + z < 3:
            return BELOW

    @alignment(seldom, epsilon="3 * eps")
    def phi(q, q_, r, r_, s, s_, H):
        return H.shift(x=q - q_, y=r - r_, z=s - s_)

    assert check(phi, effort=0).verdict is Verdict.PROVED


def test_an_output_that_takes_much_noise_is_reached_by_runs_of_d_alone():
    @mechanism
    def both_high(q: Query, r: Query, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        y = noise.laplace(1 / eps)
        if q + x < 9:
            return BELOW
        if r + y < 9:
            return BELOW

    @alignment(both_high, epsilon="2 * eps")
    def phi(q, q_, r, r_, H):
        return H.shift(x=q - q_, y=r - r_)

    assert check(phi, effort=0).verdict is Verdict.PROVED


@mechanism
def lists_in_a_loop(q: Queries, eps: Epsilon, noise: Noise):
    for i, answer in enumerate(q):
        eta = [noise.laplace(len(q) * len(q) / eps) for j in range(i + 1)]
        yield answer + eta[0] > 0


@alignment(lists_in_a_loop, epsilon="eps")
def lists_in_a_loop_phi(q, q_, H):
    return H.shift(eta=[[q[i] - q_[i] for j in range(i + 1)] for i in range(len(q))])


def test_the_search_by_solver_is_bounded_by_work(monkeypatch):
    """Where no clock ends it, a number of questions does, and the result says so."""
    monkeypatch.setattr("alignkit.refuting.model_search.MOST_QUESTIONS", 0)
    result = check(lists_in_a_loop_phi, effort=0)
    assert result.verdict is Verdict.UNDECIDED
    assert any("n = 1 (then: it had put as many questions as it may)" in note for note in result.notes)


@mechanism
def ten_largest(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(20 / eps) for answer in q]
    return largest([answer + e for answer, e in zip(q, eta)], 10)


@alignment(ten_largest, epsilon="eps")
def ten_largest_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(ten_largest, epsilon="eps / 2", expect="refuted")
def ten_largest_at_half_the_cost(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


def test_the_search_tries_as_many_answers_as_a_selection_needs():
    assert check(ten_largest_phi, effort=0).require().scope == {"n": "all", "eps": "all"}
    assert len(check(ten_largest_at_half_the_cost, effort=0).require().counterexample.witness.q["q"]) == 10
