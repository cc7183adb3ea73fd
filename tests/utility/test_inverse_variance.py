"""Inverse-variance weights: the papers' formula and ratios, laws, and refusals."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit import InputError
from alignkit.utility import best_theta, gap_variance, inverse_variance

few = settings(max_examples=examples(20, 100))
numbers = st.floats(-1e6, 1e6)
spreads = st.floats(1e-6, 1e6)


def test_weights_for_any_number_of_estimates_are_the_best():
    """Any other unbiased weights are these plus weights u that add up to 0; they add Σ u² v to the variance, and no
    covariance, because each weight times its variance is the same number."""
    v, w, total = sympy.symbols("v w total", positive=True)
    weight = (1 / v) / total
    assert sympy.simplify(weight * v - 1 / total) == 0
    assert sympy.expand((weight + w) ** 2 * v - weight**2 * v - w**2 * v - 2 * w / total) == 0


@few
@given(numbers, numbers, spreads, spreads)
def test_two_estimates_by_the_papers_formula(measured, from_gap, measured_variance, gap_variance_):
    value, variance = inverse_variance([measured, from_gap], [measured_variance, gap_variance_])
    printed = (measured / measured_variance + from_gap / gap_variance_) / (1 / measured_variance + 1 / gap_variance_)
    assert value == pytest.approx(printed, abs=1e-6)
    assert variance / measured_variance == pytest.approx(gap_variance_ / (measured_variance + gap_variance_))


@few
@given(st.lists(st.tuples(numbers, spreads), min_size=1, max_size=8), st.randoms())
def test_the_order_does_not_matter(pairs, random):
    value, variance = inverse_variance(*zip(*pairs))
    random.shuffle(pairs)
    other, other_variance = inverse_variance(*zip(*pairs))
    assert value == pytest.approx(other, abs=1e-6)
    assert variance == pytest.approx(other_variance)


@few
@given(st.lists(st.tuples(numbers, spreads), min_size=2, max_size=8))
def test_step_by_step_gives_the_same(pairs):
    """The first two combined, and then with the others."""
    value, variance = inverse_variance(*zip(*pairs))
    first, first_variance = inverse_variance(*zip(*pairs[:2]))
    other, other_variance = inverse_variance(*zip((first, first_variance), *pairs[2:]))
    assert value == pytest.approx(other, abs=1e-6)
    assert variance == pytest.approx(other_variance)


def test_one_estimate_stays_as_it_is():
    assert [part.tolist() for part in inverse_variance([[3.0], [4.0]], [2.0])] == [[3.0, 4.0], [2.0, 2.0]]


def test_tiny_and_huge_variances_do_not_overflow():
    value, variance = inverse_variance([1.0, 2.0], [5e-324, 1e308])
    assert (value, variance) == (1.0, 5e-324)


@pytest.mark.parametrize(
    ("noise", "adjacency", "cube", "weight"),
    [("laplace", "each", 4, 1), ("laplace", "monotone", 1, 1), ("exponential", "monotone", 1, 2)],
)
def test_ratios_of_section_5_3(noise, adjacency, cube, weight):
    """Half of the budget for each: the variance falls to (1 + ∛c)³/((1 + ∛c)³ + weight k²) of the measurement's."""
    eps, k = 0.7, np.array([1, 2, 10, 25])
    gap = gap_variance(k, eps / 2, best_theta(k, noise, adjacency), noise, adjacency)
    measured = 8 * k**2 / eps**2
    printed = (1 + np.cbrt(cube * k**2)) ** 3
    combined = inverse_variance(np.zeros((4, 2)), np.stack([measured, gap], axis=-1)).variance
    assert np.allclose(combined / measured, printed / (printed + weight * k**2))


@pytest.mark.parametrize(
    ("estimates", "variances", "words"),
    [
        ([], [], "estimates must not be empty"),
        (1.0, 1.0, "estimates must be a list"),
        ([1.0, np.nan], [1.0, 1.0], "estimates must be finite"),
        ([1.0, 2.0], [1.0, 0.0], "variances must be above 0; write .* not 0"),
        ([1.0, 2.0], [1.0, -3.0], "variances must be above 0; write .* not -3"),
        ([1.0, 2.0], [1.0, 2.0, 3.0], "do not fit together"),
        ([1.0, 2.0], None, "variances must be numbers"),
    ],
    ids=["empty", "a number", "NaN", "variance 0", "variance below 0", "another length", "none"],
)
def test_bad_input_is_refused(estimates, variances, words):
    with pytest.raises(InputError, match=words):
        inverse_variance(estimates, variances)
