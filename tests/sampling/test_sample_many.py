"""sample_many: arrays, a run's own output, reproducible samples, and clear errors."""

from __future__ import annotations

import re
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest
from conftest import Define

from alignkit import ABOVE, BELOW, Epsilon, InputError, Noise, Queries, mechanism
from alignkit.mechanisms.adaptive_sparse_vector import MIDDLE, TOP, adaptive_sparse_vector
from alignkit.mechanisms.noisy_max import noisy_max
from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap
from alignkit.mechanisms.top_k import noisy_top_k_with_gap
from alignkit.sampling import sampled_runs

QUERIES = [3, 90, 1, 70, 65] * 20
GIVEN: dict[str, Any] = {"T": 50, "k": 4, "eps": 0.7}


def test_arrays_hold_each_runs_own_output() -> None:
    samples = sparse_vector_with_gap.sample_many(QUERIES, **GIVEN, runs=50, seed=1)
    assert len(samples) == samples.runs == 50
    assert samples.tag_names == (BELOW,)
    assert samples.tags is not None
    assert samples.reals is not None
    assert samples.tags.shape == samples.reals.shape == (50, samples.lengths.max())
    for run, output in enumerate(samples.outputs()):
        assert samples[run] == output
        assert samples.lengths[run] == len(output)
        for position, given in enumerate(output):
            assert samples.tags[run, position] == (0 if given is BELOW else -1)
            assert given is BELOW or samples.reals[run, position] == given
        assert (samples.tags[run, len(output) :] == -1).all()
        assert np.isnan(samples.reals[run, len(output) :]).all()


def test_outputs_with_several_numbers_have_an_axis_for_them() -> None:
    samples = adaptive_sparse_vector.sample_many(QUERIES, **GIVEN, theta=0.5, runs=20, seed=2)
    assert samples.reals is not None
    assert samples.tags is not None
    assert samples.reals.shape == (20, samples.lengths.max(), 2)
    assert set(samples.tag_names) == {TOP, MIDDLE, BELOW}
    spent = np.nansum(samples.reals[:, :, 1], axis=1)
    for run, output in enumerate(samples):
        shares = [each[2] for each in output if each[0] is not BELOW]
        assert all(isinstance(share, Fraction) for share in shares)
        assert spent[run] == pytest.approx(float(sum(shares)))
        names = [samples.tag_names[code] for code in samples.tags[run, : len(output)]]
        assert names == [each[0] for each in output]


def test_a_list_that_is_returned_has_an_item_at_each_position() -> None:
    samples = noisy_top_k_with_gap.sample_many(QUERIES, k=3, eps=1, runs=10, seed=3)
    assert samples.tags is None
    assert samples.indices is not None
    assert samples.reals is not None
    assert samples.indices.shape == samples.reals.shape == (10, 3)
    assert samples.indices.dtype == np.int64
    assert [list(zip(*row)) for row in zip(samples.indices, samples.reals)] == list(samples)


def test_a_single_value_is_one_output() -> None:
    samples = noisy_max.sample_many([1, 500], eps=1, runs=3, seed=1)
    assert samples.indices is not None
    assert samples.indices.tolist() == [[1], [1], [1]]
    assert samples.reals is None
    assert list(samples) == [1, 1, 1]


def test_samples_depend_on_the_seed_and_the_number_of_runs_alone() -> None:
    def reals(seed: Any, **more: Any) -> Any:
        samples = sparse_vector_with_gap.sample_many(QUERIES, **GIVEN, runs=9000, seed=seed, **more)
        return samples.reals

    first = reals(5)
    np.testing.assert_array_equal(first, reals(5))
    for executor in (ThreadPoolExecutor(2), ProcessPoolExecutor(2, mp_context=get_context("spawn"))):
        with executor as pool:
            np.testing.assert_array_equal(first, reals(5, each=pool.map))
    assert reals(6).shape != first.shape or (reals(6) != first).any()
    assert not np.array_equal(first[:10], first[-10:], equal_nan=True)
    generator = np.random.default_rng(1)
    assert not np.array_equal(reals(generator), reals(generator), equal_nan=True)


def test_the_budget_is_exact_in_every_run(define: Define) -> None:
    """Eight steps of an eighth fit into 0.7 exactly; in floating point the last does not."""
    m = define("""
        @mechanism
        def m(q: Queries, eps: Epsilon, noise: Noise):
            eps1 = eps / 8
            cost = 0
            for x in q:
                e = noise.laplace(1 / eps1)
                if x + e > -1000000:
                    yield ABOVE
                    cost += eps1
                else:
                    yield BELOW
                if cost > eps - eps1:
                    break
    """).m
    samples = m.sample_many([0] * 40, eps=0.7, runs=30, seed=1)
    assert samples.lengths.tolist() == [8] * 30
    assert samples[0] == [ABOVE] * 8


def test_a_program_that_arrays_cannot_run_is_run_one_by_one(define: Define) -> None:
    m = define("""
        @mechanism
        def m(q: Queries, eps: Epsilon, noise: Noise):
            e = [noise.laplace(1 / eps) for x in q]
            return [x + y for x, y in zip(q, e) if x + y > 0]
    """).m
    samples = m.sample_many([5, -5, 0], eps=1, runs=40, seed=1)
    assert len(set(samples.lengths.tolist())) > 1
    assert samples.reals is not None
    written = np.arange(samples.reals.shape[1]) < samples.lengths[:, None]
    np.testing.assert_array_equal(~np.isnan(samples.reals), written)
    assert [len(output) for output in samples] == samples.lengths.tolist()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"runs": 0}, "runs is 0; write a whole number of at least 1"),
        ({"runs": -3}, "runs is -3; write"),
        ({"runs": 2.5}, "runs is 2.5; write"),
        ({"runs": True}, "runs is True; write"),
        ({"seed": -1}, "seed is -1; write an int >= 0 or a numpy Generator"),
        ({"seed": "one"}, "seed is 'one'; write"),
        ({"seed": False}, "seed is False; write"),
        ({"eps": 0}, "eps must be above 0, not 0"),
        ({"T": float("nan")}, "T must be a finite number, not nan"),
    ],
)
def test_bad_arguments(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        sparse_vector_with_gap.sample_many(QUERIES, **{**GIVEN, "runs": 5, "seed": 1, **given})


def test_a_parameter_with_the_name_of_an_argument(define: Define) -> None:
    m = define("""
        @mechanism
        def m(x: Query, runs: Count, eps: Epsilon, noise: Noise):
            e = noise.laplace(runs / eps)
            return x + e
    """).m
    with pytest.raises(InputError, match=re.escape("rename it, or call m.sample(…) for each run")):
        m.sample_many(1, runs=2, eps=1)


def test_what_is_undefined_names_the_run(define: Define) -> None:
    m = define("""
        @mechanism
        def m(x: Query, eps: Epsilon, noise: Noise):
            e = noise.discrete_laplace(1 / eps)
            return (x + 1) / e
    """).m
    with pytest.raises(InputError, match=r"m is not defined on these arguments: .*division by zero \(in run \d+\)"):
        m.sample_many(1, eps=1, runs=200, seed=1)
    undefined = define("@mechanism\ndef m(q: Queries, T: Real, noise: Noise):\n    e = noise.laplace(T)\n"
                       "    return q[0] + e\n").m  # fmt: skip
    with pytest.raises(InputError, match=re.escape("the scale of e must be above 0 (in run 0) (line 4)")):
        undefined.sample_many([1], T=-1, runs=5)


def test_runs_do_not_share_noise() -> None:
    samples = noisy_top_k_with_gap.sample_many([0, 0], k=1, eps=1, runs=3000, seed=9)
    assert samples.reals is not None
    assert len(np.unique(samples.reals)) == 3000


@mechanism
def leaves_a_long_range(q: Queries, eps: Epsilon, noise: Noise):
    for i in range(1_000_000_000_000):
        e = noise.laplace(1 / eps)
        yield q[0] + e
        if i >= 2:
            break


def test_a_long_range_is_counted_through_and_not_listed() -> None:
    samples = leaves_a_long_range.sample_many([5], eps=1, runs=4, seed=1)
    assert [len(samples[run]) for run in range(4)] == [3] * 4


@pytest.mark.parametrize("way", ["compiled at once", "without the extra"])
def test_samples_do_not_depend_on_what_makes_them(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def samples() -> Any:
        return adaptive_sparse_vector.sample_many(QUERIES, **GIVEN, theta=0.5, runs=300, seed=4)

    first = samples()
    assert first.note == ""
    monkeypatch.setattr(sampled_runs, "_PATIENCE", -1.0)
    monkeypatch.setattr(sampled_runs, "_MANY_PLACES", 0)
    if way == "without the extra":
        monkeypatch.setattr(sampled_runs, "is_fast", lambda: False)
    second = samples()
    assert ("alignkit[fast]" in second.note) == (way == "without the extra")
    np.testing.assert_array_equal(first.lengths, second.lengths)
    np.testing.assert_array_equal(first.tags, second.tags)
    np.testing.assert_array_equal(first.reals, second.reals)
    assert repr(list(first)) == repr(list(second))


# One program with and without a division by 0 that no run comes to, in front of all runs and in front of a loop.
UNREACHED = """
    @mechanism
    def m(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        e = [noise.laplace(1 / eps) for q_i in q]
        c = noise.choice([1, 2])
        f = noise.geometric(2 / eps)
        for q_i, e_i in zip(q, e):
            x = noise.exponential(1 / eps)
            if q_i + x < 0:
                yield LEFT
            else:
                yield q_i + x + e_i, f, c
"""


@pytest.mark.parametrize("quotient", ["1 / (T - T)", "1 / (f - f)", "e_i / (c - c + T - T)"])
def test_what_no_run_comes_to_does_no_harm(define: Define, quotient: str) -> None:
    m, other = (define(UNREACHED.replace("LEFT", left)).m for left in ("0", quotient))
    for seed in range(5):
        one, another = (repr(each.sample([3, 1], T=1, eps=1, seed=seed)) for each in (m, other))
        # What fails in front of a run fails before it draws, and the evaluator draws lists one by one.
        assert one == another or quotient == "1 / (T - T)"
    samples, others = (each.sample_many([3, 1], T=1, eps=1, runs=20, seed=1) for each in (m, other))
    assert repr(list(samples)) == repr(list(others))


def test_a_run_that_the_text_cannot_make_is_made_on_its_own_noise(define: Define) -> None:
    """The text divides by the first draw in front of the loop, which the run leaves before it comes to the quotient."""
    text = """
        @mechanism
        def m(q: Queries, eps: Epsilon, noise: Noise):
            g = noise.geometric(1 / eps)
            for q_i in q:
                e = noise.laplace(1 / eps)
                yield q_i + e
                if g < 1:
                    break
                yield LAST
    """
    m, other = (define(text.replace("LAST", last)).m for last in ("1 / g", "1 / (g if g >= 1 else 1)"))
    assert repr(list(m.sample_many([5, 6], eps=1, runs=200, seed=1))) == repr(
        list(other.sample_many([5, 6], eps=1, runs=200, seed=1))
    )
    for seed in range(40):
        assert m.sample([5, 6], eps=1, seed=seed) == other.sample([5, 6], eps=1, seed=seed)
