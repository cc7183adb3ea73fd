"""Runs that are asked query by query: the outputs of a run at once, and a budget that nobody can spend twice."""

# A mechanism under test draws noise that it does not use.
# ruff: noqa: F841

from __future__ import annotations

import copy
import math
import os
import pickle
import threading
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    InputError,
    Lattice,
    Noise,
    Queries,
    Real,
    Reals,
    alignment,
    check,
    mechanism,
    release_interactively,
)
from alignkit.mechanisms.discrete_sparse_vector import discrete_sparse_vector_with_gap
from alignkit.mechanisms.noisy_max import noisy_max
from alignkit.mechanisms.sparse_vector import sparse_vector, sparse_vector_with_gap
from alignkit.noise.exact_sampling.randomness import SeededBits
from alignkit.proofs.adaptive_queries import online_discrete_gap_phi
from alignkit.releasing.exact_release import release_interactively_on, release_on
from alignkit.running.interactive_run import InteractiveRun

Whole = Annotated[Queries, Lattice(1)]


@mechanism
def whole_gaps(q: Whole, T: Annotated[Real, Lattice(1)], k: Count, eps: Epsilon, noise: Noise):
    """Sparse vector with gaps on whole numbers."""
    eta = noise.discrete_laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.discrete_laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield q_i + eta_i - T - eta
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(whole_gaps, epsilon="eps", queries="adaptive")
def whole_gaps_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(whole_gaps, epsilon="eps")
def fixed_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@mechanism
def own_thresholds(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    """Each query comes with a threshold of its own."""
    eta = noise.laplace(1 / eps)
    for i, (q_i, T_i) in enumerate(zip(q, T)):
        e = noise.laplace(1 / eps)
        if q_i + e >= T_i + eta:
            yield i, ABOVE
            break
        else:
            yield i, BELOW


@mechanism
def quiet(q: Queries, eps: Epsilon, noise: Noise):
    """Some answers have no output, some have two."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        if q_i > 10:
            yield ABOVE
        if q_i > 20:
            yield BELOW


@mechanism
def undefined_at_zero(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield e / q_i


ANSWERS = [3, 60, 5, 52, 0, 71, 48, 49, 50, 90]


@pytest.fixture(scope="module")
def proof() -> Any:
    return check(whole_gaps_phi, effort=0)


@pytest.mark.parametrize("seed", range(20))
def test_an_exact_run_is_the_release_on_the_same_random_bits(proof, seed: int) -> None:
    public = {"T": 50, "k": 3, "eps": Fraction(1, 2)}
    at_once = release_on(SeededBits(seed), whole_gaps, (ANSWERS,), public, proof)
    run = release_interactively_on(SeededBits(seed), whole_gaps, public, proof)
    one_by_one = []
    for answer in ANSWERS:
        if run.finished:
            break
        one_by_one.append(run.ask(answer))
    assert one_by_one == at_once == list(run.outputs)
    assert run.asked == len(at_once)
    assert all(type(w) is int or w is BELOW for w in one_by_one)


@pytest.mark.parametrize("seed", range(5))
def test_an_exact_run_loops_over_a_public_list_in_a_step(seed: int) -> None:
    public = {"G": [1, 5, 25], "delta": 1, "c": 2, "eta1": 1, "eta2": 4, "w": 30, "gamma": 1}
    proof = check(online_discrete_gap_phi, effort=0)
    answers = [-200, 60, 40, -200, 70]
    at_once = release_on(SeededBits(seed), discrete_sparse_vector_with_gap, (answers,), public, proof)
    run = release_interactively_on(SeededBits(seed), discrete_sparse_vector_with_gap, public, proof)
    one_by_one = [run.ask(answer) for answer in answers[: len(at_once)]]
    assert one_by_one == at_once
    assert at_once != [BELOW] * len(at_once)


def test_a_sampled_run_stops_after_k_winners() -> None:
    run = sparse_vector_with_gap.interactive(T=50, k=2, eps=1000, seed=1)
    assert [run.ask(a) is BELOW for a in (10, 90, 20)] == [True, False, True]
    assert not run.finished
    assert run.ask(80) == pytest.approx(30, abs=1)
    assert run.finished
    assert sum(w is not BELOW for w in run.outputs) == 2
    with pytest.raises(InputError, match="the mechanism has stopped after 4 queries; start a new run"):
        run.ask(10)
    assert run.asked == 4


def test_a_seed_repeats_a_run() -> None:
    outputs = []
    for _ in range(2):
        run = sparse_vector_with_gap.interactive(T=5, k=100, eps=1, seed=3)
        outputs.append([run.ask(a) for a in range(30)])
    assert outputs[0] == outputs[1]


def test_public_lists_are_given_along_with_the_answers() -> None:
    run = own_thresholds.interactive(eps=1000, seed=1)
    assert run.ask(3, T=10) == (0, BELOW)
    assert run.ask(q=3, T=1) == (1, ABOVE)
    assert run.finished
    other = own_thresholds.interactive(eps=1)
    with pytest.raises(InputError, match="a step of own_thresholds needs T; it takes q, T"):
        other.ask(3)
    with pytest.raises(InputError, match="has no k"):
        other.ask(3, k=1)
    with pytest.raises(InputError, match="q is given twice"):
        other.ask(3, q=4, T=1)
    assert other.asked == 0


def test_a_step_without_an_output_and_one_with_two() -> None:
    run = quiet.interactive(eps=1)
    assert [run.ask(5), run.ask(15), run.ask(25)] == [None, ABOVE, (ABOVE, BELOW)]


def test_outputs_before_the_first_query_are_there_at_once() -> None:
    @mechanism
    def announcing(q: Whole, k: Count, eps: Epsilon, noise: Noise):
        yield k
        yield [k / 2, 1]
        for q_i in q:
            e = noise.discrete_laplace(1 / eps)
            yield q_i > 10

    run = announcing.interactive(k=2, eps=1, seed=1)
    assert (run.asked, run.outputs) == (0, (2, (1, 1)))
    assert [type(x) for x in (run.outputs[0], *run.outputs[1])] == [int] * 3
    assert run.ask(12) is True
    assert run.outputs == (2, (1, 1), True)
    assert list(run.outputs) == announcing.sample([12], k=2, eps=1)


def test_an_undefined_step_holds_no_problem_that_shows_the_answer() -> None:
    run = undefined_at_zero.interactive(eps=1)
    with pytest.raises(InputError, match=r"not defined on these answers \(Undefined\)") as problem:
        run.ask(0)
    assert problem.value.__context__ is None


@pytest.mark.parametrize("answer", [math.nan, math.inf, "many", None, True, 0.5])
def test_an_answer_that_is_refused_leaves_the_run_as_it_was(proof, answer: Any) -> None:
    run = release_interactively(whole_gaps, proof=proof, T=0, k=1, eps=1)
    with pytest.raises(InputError) as problem:
        run.ask(answer)
    assert "0.5" not in str(problem.value)
    assert (run.asked, run.outputs, run.finished) == (0, (), False)
    run.ask(1)
    assert run.asked == 1


def test_rounding_needs_to_know_how_many_answers_change() -> None:
    @mechanism
    def coarse(q: Whole, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.discrete_laplace(1 / eps)
            yield q_i + e

    @alignment(coarse, epsilon="eps", adjacency="l1", queries="adaptive")
    def phi(q, q_, omega, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])

    with pytest.raises(InputError, match="not known under l1"):
        release_interactively(coarse, proof=phi, rounding="nearest", true_sensitivity=1, eps=1)


# A budget that nobody can spend twice


def started() -> InteractiveRun:
    run = sparse_vector.interactive(T=0, k=5, eps=1, seed=1)
    run.ask(-1000)
    return run


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy], ids=["copy", "deepcopy"])
def test_a_run_cannot_be_copied(copied) -> None:
    with pytest.raises(InputError, match="cannot be copied"):
        copied(started())


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_run_cannot_be_pickled(protocol: int) -> None:
    with pytest.raises(InputError, match="cannot be pickled"):
        pickle.dumps(started(), protocol)


def test_a_run_is_closed_in_a_forked_process() -> None:
    run = started()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            run.ask(1000)
            said = "answered"
        except InputError as problem:
            said = f"{run.finished} {problem}"
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    assert said.startswith("True the run belongs to another process")
    assert not run.finished
    assert run.ask(-1000) is BELOW


def test_concurrent_callers_cannot_overrun_the_budget() -> None:
    run = sparse_vector.interactive(T=0, k=7, eps=1000, seed=1)
    barrier, given, refused = threading.Barrier(8), [], []

    def ask_often() -> None:
        barrier.wait()
        for _ in range(50):
            try:
                given.append(run.ask(1000))
            except InputError:
                refused.append(1)

    threads = [threading.Thread(target=ask_often) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert given == [ABOVE] * 7
    assert len(refused) == 400 - 7
    assert run.asked == 7


class AsksItself:
    """An answer of 1000, as a library may have it, that asks the run for another query, once, while it is read."""

    def __init__(self, run: InteractiveRun, first: int) -> None:
        self.run: Any = run
        self.first = first

    def item(self) -> int:
        run, self.run = self.run, None
        if run is not None:
            run.ask(self.first)
        return 1000


def test_an_answer_that_asks_the_run_while_it_is_read_goes_second() -> None:
    run = sparse_vector.interactive(T=0, k=1, eps=1000, seed=1)
    assert run.ask(AsksItself(run, -1000)) is ABOVE
    assert run.outputs == (BELOW, ABOVE)


def test_an_answer_that_ends_the_run_while_it_is_read_is_refused() -> None:
    run = sparse_vector.interactive(T=0, k=1, eps=1000, seed=1)
    with pytest.raises(InputError, match="the mechanism has stopped after 1 query"):
        run.ask(AsksItself(run, 1000))
    assert run.outputs == (ABOVE,)


def asked(parameters: dict[str, Any], noise: Noise) -> InteractiveRun:
    """A run of sparse vector on noise of one's own."""
    return InteractiveRun(sparse_vector, sparse_vector.domain, parameters, noise, number=lambda value, kind: value)


class AsksAgain(Noise):
    """Noise that asks the run itself within a step."""

    run: Any = None

    def draw(self, distribution: Any, *parameters: Any) -> float:
        if self.run is not None:
            self.run.ask(1000)
        return 0.0


def test_a_step_within_a_step_is_refused_and_leaves_the_run_closed() -> None:
    noise = AsksAgain()
    noise.run = asked({"T": 0, "k": 5, "eps": 1}, noise)
    with pytest.raises(InputError, match="this thread is within a step of the run"):
        noise.run.ask(1)
    assert noise.run.finished
    assert (noise.run.asked, noise.run.outputs) == (0, ())


@pytest.mark.parametrize("answer", ["5", "5/1", "5.0", 5, 5.0, Fraction(5), Decimal(5)])
def test_an_answer_may_be_a_number_of_any_kind_or_its_text(proof, answer: Any) -> None:
    run = release_interactively_on(SeededBits(1), whole_gaps, {"T": 0, "k": 1, "eps": 1000}, proof)
    assert run.ask(answer) == 5
    with pytest.raises(InputError, match=r"is not a finite number; give numbers such as 3, 0\.7 or 1/3"):
        release_interactively(whole_gaps, proof=proof, T=0, k=1, eps=1).ask("five")


class Interrupted(Noise):
    """Noise that is interrupted as it is drawn for the second query."""

    def __init__(self) -> None:
        self.draws = 0

    def draw(self, distribution: Any, *parameters: Any) -> float:
        self.draws += 1
        if self.draws == 3:
            raise KeyboardInterrupt
        return 0.0


def test_a_run_that_is_interrupted_within_a_step_stays_closed() -> None:
    run = asked({"T": 0, "k": 1, "eps": 1}, Interrupted())
    assert run.ask(-1) is BELOW
    with pytest.raises(KeyboardInterrupt):
        run.ask(1)
    assert run.finished
    assert run.outputs == (BELOW,)
    with pytest.raises(InputError, match="broken off within a step"):
        run.ask(1)


def test_a_step_that_is_not_defined_closes_the_run_and_shows_no_answer() -> None:
    run = undefined_at_zero.interactive(eps=1)
    run.ask(7)
    with pytest.raises(InputError, match=r"not defined on these answers \(\w+\)"):
        run.ask(0)
    assert run.finished


def test_a_run_can_be_closed() -> None:
    run = started()
    run.close()
    with pytest.raises(InputError, match="the run was closed"):
        run.ask(1)


# What can be asked, and what may be released


def test_what_is_not_online_cannot_be_asked() -> None:
    with pytest.raises(InputError, match=r"cannot be asked query by query: line \d+: the mechanism returns"):
        noisy_max.interactive(eps=1)


def test_the_public_parameters_are_needed_at_the_start() -> None:
    with pytest.raises(InputError, match="needs k at its start"):
        sparse_vector.interactive(T=1, eps=1)
    with pytest.raises(InputError, match=r"takes no q at its start; it takes T, k, eps; answers are given to \.ask"):
        sparse_vector.interactive(q=[1], T=1, k=1, eps=1)
    with pytest.raises(InputError, match="eps must be above 0"):
        sparse_vector.interactive(T=1, k=1, eps=0)
    with pytest.raises(InputError, match="seed is 'x'"):
        sparse_vector.interactive(T=1, k=1, eps=1, seed="x")


def test_a_release_needs_a_proof_for_all_analysts() -> None:
    with pytest.raises(InputError, match="for queries that are fixed in advance; prove the claim for all analysts"):
        release_interactively(whole_gaps, proof=check(fixed_phi, effort=0), T=0, k=1, eps=1)
    with pytest.raises(InputError, match="noise over ideal reals"):
        release_interactively(sparse_vector, proof=whole_gaps_phi, T=0, k=1, eps=1)


@mechanism
def sums_with_thresholds(
    q: Whole, w: Annotated[Reals, Lattice(1)], T: Annotated[Real, Lattice(1)], eps: Epsilon, noise: Noise
):
    for q_i, w_i in zip(q, w):
        e = noise.discrete_laplace(1 / eps)
        yield (T if q_i > 0 else 0) + e + w_i


def test_public_values_are_on_their_lattices():
    """A proof is for values on the lattice: off it, an answer may show in whether the output is whole."""
    with pytest.raises(InputError, match="T must be a multiple of 1, not 1/2"):
        whole_gaps.interactive(T=Fraction(1, 2), k=1, eps=1)
    with pytest.raises(InputError, match="T must be a multiple of 1, not 1/2"):
        release_interactively(whole_gaps, proof=check(whole_gaps_phi), T=Fraction(1, 2), k=1, eps=1)
    run = sums_with_thresholds.interactive(T=1, eps=1, seed=1)
    with pytest.raises(InputError, match="must be a multiple of 1, not 1/2"):
        run.ask(1, w=Fraction(1, 2))
    assert run.asked == 0
    assert run.ask(1, w=2) == int(run.outputs[0])


@pytest.mark.parametrize(
    "run",
    [
        lambda: whole_gaps.sample([], T=1, k=1, eps=1),
        lambda: whole_gaps.sample_many([], T=1, k=1, eps=1, runs=2),
        lambda: whole_gaps.replay([], {}, T=1, k=1, eps=1),
    ],
    ids=["sample", "sample_many", "replay"],
)
def test_an_empty_list_of_answers_is_refused(run):
    """Proofs are for n of at least 1."""
    with pytest.raises(InputError, match="q is empty; give at least one query answer"):
        run()
