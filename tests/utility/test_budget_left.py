"""What is left of the budget: the catalogue's own outputs, both hybrids, laws, and refusals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit import InputError
from alignkit.mechanisms.adaptive_sparse_vector import TOP, adaptive_sparse_vector
from alignkit.utility import remaining_budget

few = settings(max_examples=examples(30, 100))
costs = st.lists(st.sampled_from([0.0, 0.01, 0.02]), min_size=1, max_size=20)


def outputs_of(seed, q, k, eps, theta):
    return adaptive_sparse_vector.sample(q, T=0, k=k, eps=eps, theta=theta, seed=seed)


@pytest.mark.parametrize("seed", range(20))
def test_a_run_of_adaptive_sparse_vector_never_overdraws(seed):
    """Its last output leaves less than an answer of the middle branch costs, or the queries ran out."""
    q, k, eps, theta = [500, -40, 30, 12, 800] * 4, 4, 1.0, 0.2
    outputs = outputs_of(seed, q, k, eps, theta)
    left = remaining_budget([cost for *_, cost in outputs if cost] + [0.0], eps, theta * eps)
    assert 0 <= left <= (1 - theta) * eps / k + 1e-12 or len(outputs) == len(q)


def test_answers_far_above_the_threshold_cost_half():
    """k answers from the top branch cost half of what k answers of the middle branch do: (1 − θ) ε/2 is left."""
    k, eps, theta = 5, 0.7, 0.25
    outputs = outputs_of(1, [10**6] * 12, k, eps, theta)
    assert {tag for tag, *_ in outputs} == {TOP}
    costs = [cost for *_, cost in outputs]
    assert remaining_budget(costs, eps, theta * eps, answers=k) == pytest.approx((1 - theta) * eps / 2)
    assert remaining_budget(costs, eps, theta * eps) == pytest.approx((1 - theta) * eps / k / 2)


@pytest.mark.parametrize("t", range(5))
def test_hybrids(t):
    """With t of at most k pairs: (1 − t/k) ε for identity, (1 − θ)(1 − t/k) ε for estimates (Lemmas 7 and 8)."""
    k, eps, theta = 4, 0.8, 0.3
    identity = remaining_budget([eps / k] * t + [0], eps, 0)
    estimates = remaining_budget([(1 - theta) * eps / k] * t + [0], eps, theta * eps)
    assert identity == pytest.approx((1 - t / k) * eps, abs=1e-12)
    assert estimates == pytest.approx(eps - (theta + t / k * (1 - theta)) * eps, abs=1e-12)


@few
@given(costs, st.integers(1, 20))
def test_the_run_stops_at_the_answer_of_that_number(costs, answers):
    paid = [cost for cost in costs if cost][:answers]
    assert remaining_budget(costs, 1.0, 0.5, answers) == pytest.approx(0.5 - sum(paid))


@few
@given(costs, costs)
def test_what_is_left_pays_for_a_second_run(first, second):
    """Two runs one after another, the second on what the first has left, leave as much as both at once."""
    after_first = remaining_budget(first, 1.0, 0.1)
    assert remaining_budget(second, after_first, 0.1) == pytest.approx(remaining_budget(first + second, 1.0, 0.2))


@few
@given(costs, st.randoms(), st.floats(0.01, 100))
def test_order_and_units(costs, random, factor):
    left = remaining_budget(costs, 1.0, 0.1)
    random.shuffle(costs)
    changed = remaining_budget([factor * cost for cost in costs], factor, 0.1 * factor)
    assert changed == pytest.approx(factor * left, abs=1e-9 * factor)


def test_a_row_for_each_run():
    costs = [[0.1, 0.0, 0.2], [0.0, 0.0, 0.0]]
    assert remaining_budget(costs, [1.0, 0.5], [0.5, 0.1], answers=1) == pytest.approx([0.4, 0.4])


def test_rounding_overdraws_nothing():
    """Ten times 0.1 and more such sums exceed their budgets by rounding."""
    assert remaining_budget([0.1] * 3, 0.3, 0) == 0
    assert remaining_budget([Fraction(1, 10)] * 3, Fraction(3, 10), 0) == 0


BAD = {
    "no costs": ([], {}, "costs must not be empty"),
    "a number": (0.1, {}, "costs must be a list of numbers"),
    "a cost below 0": ([0.1, -0.1], {}, "costs must be at least 0; write 0 for an output below the threshold"),
    "NaN": ([np.nan], {}, "costs must be finite"),
    "overdrawn": ([0.5, 0.6], {}, "add up to more than eps"),
    "threshold overdrawn": ([0.0], {"threshold_cost": 2}, "add up to more than eps"),
    "threshold below 0": ([0.1], {"threshold_cost": -0.1}, "threshold_cost must be at least 0; write theta . eps"),
    "eps 0": ([0.1], {"eps": 0}, "eps must be above 0"),
    "answers 0": ([0.1], {"answers": 0}, "answers must be a whole number, at least 1"),
    "answers 1.5": ([0.1], {"answers": 1.5}, "answers must be a whole number"),
    "shapes": ([[0.1], [0.1]], {"eps": [1, 1, 1]}, "do not fit together"),
}


@pytest.mark.parametrize(("costs", "changed", "words"), BAD.values(), ids=list(BAD))
def test_bad_input_is_refused(costs, changed, words):
    with pytest.raises(InputError, match=words):
        remaining_budget(costs, **{"eps": 1.0, "threshold_cost": 0.1, **changed})
