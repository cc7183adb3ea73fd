"""Estimates from measurements and gaps: the O(k) steps against matrices, laws, and what holds after a selection."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from audit.test_estimates import printed_x, printed_y, top_spacing_moments
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit import InputError
from alignkit.utility import combine_measurements_and_gaps, combined_error_ratio

LARGEST = 1e6
few = settings(max_examples=examples(20, 100))
numbers = st.floats(-LARGEST, LARGEST)
ratios = st.floats(1e-3, 1e3)


@st.composite
def runs(draw, least=1):
    """Measurements, gaps and λ for some k."""
    k = draw(st.integers(least, 12))
    some = st.lists(numbers, min_size=k, max_size=k)
    return np.array(draw(some)), np.array(draw(some)[1:]), draw(ratios)


def close(left, right):
    """Up to the rounding of a dozen numbers of the largest size."""
    return np.allclose(left, right, rtol=0, atol=1e-12 * LARGEST)


def least_squares(k, ratio, known=None):
    """The weights of generalised least squares, and the covariance of its estimates, for k answers of which the first
    ``known`` are measured with variance 1; the gaps have the covariance of neighbours' differences, times λ."""
    known = k if known is None else known
    differences = np.eye(k)[:-1] - np.eye(k)[1:]
    design = np.vstack([np.eye(k)[:known], differences])
    covariance = np.zeros((len(design), len(design)))
    covariance[:known, :known] = np.eye(known)
    covariance[known:, known:] = ratio * differences @ differences.T
    weighted = design.T @ np.linalg.inv(covariance)
    spread = np.linalg.inv(weighted @ design)
    return spread @ weighted, spread


def weights_in_use(k, ratio, gaps):
    """The matrix by which measurements and gaps are in fact multiplied, one unit vector at a time."""
    units = np.eye(k + gaps)
    return combine_measurements_and_gaps(units[:, :k], units[:, k:], ratio).T


@pytest.mark.parametrize("k", range(2, 9))
@pytest.mark.parametrize("ratio", [sympy.Rational(1, 2), 1, 2, 4])
def test_the_weights_are_those_that_the_papers_print(k, ratio):
    """The audit proves the printed matrices to be the best, for every k and λ."""
    printed = np.array(printed_x(k, ratio).row_join(printed_y(k, ratio)), dtype=float)
    assert np.allclose(weights_in_use(k, float(ratio), k - 1), printed, rtol=0, atol=1e-14)


def test_the_sum_of_the_prefixes_is_the_papers_p():
    """Gap j stands in the prefixes p_j, …, p_(k−1), so k − j times: for every k."""
    i, j, k = sympy.symbols("i j k", integer=True, positive=True)
    assert sympy.simplify(sympy.summation(1, (i, j, k - 1)) - (k - j)) == 0


@few
@given(st.integers(2, 25), ratios)
def test_the_weights_are_those_of_least_squares(k, ratio):
    best, spread = least_squares(k, ratio)
    assert np.allclose(weights_in_use(k, ratio, k - 1), best, rtol=0, atol=1e-8)
    assert np.allclose(spread.diagonal(), combined_error_ratio(k, ratio), rtol=1e-8)


@few
@given(st.integers(1, 12), ratios)
def test_the_gap_to_the_best_of_the_others_is_worth_nothing(k, ratio):
    """Least squares with answer k + 1 unmeasured gives the k-th gap the weight 0."""
    best, _ = least_squares(k + 1, ratio, known=k)
    assert np.allclose(weights_in_use(k, ratio, k), best[:k], rtol=0, atol=1e-7)


@few
@given(runs(least=2))
def test_with_exact_gaps_the_estimates_differ_by_the_gaps(run):
    measurements, gaps, _ = run
    estimates = combine_measurements_and_gaps(measurements, gaps, 1e-18)
    assert close(-np.diff(estimates), gaps)
    assert close(estimates.mean(), measurements.mean())


@few
@given(runs())
def test_with_useless_gaps_the_estimates_are_the_measurements(run):
    measurements, gaps, _ = run
    assert close(combine_measurements_and_gaps(measurements, gaps, 1e18), measurements)


@few
@given(runs())
def test_the_estimates_add_up_to_the_sum_of_the_measurements(run):
    measurements, gaps, ratio = run
    assert close(combine_measurements_and_gaps(measurements, gaps, ratio).sum(), measurements.sum())


@few
@given(runs(), st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
def test_units_and_origin_carry_over(run, factor, origin):
    measurements, gaps, ratio = run
    plain = combine_measurements_and_gaps(measurements, gaps, ratio)
    changed = combine_measurements_and_gaps(factor * measurements + origin, factor * gaps, ratio)
    assert close(changed / 1e3, (factor * plain + origin) / 1e3)


@few
@given(runs(least=2), st.data())
def test_answers_with_gap_0_between_them_may_change_places(run, data):
    measurements, gaps, ratio = run
    i = data.draw(st.integers(0, len(gaps) - 1))
    gaps[i] = 0
    order = np.arange(len(measurements))
    order[[i, i + 1]] = i + 1, i
    plain = combine_measurements_and_gaps(measurements, gaps, ratio)
    assert close(combine_measurements_and_gaps(measurements[order], gaps, ratio), plain[order])


def test_runs_in_leading_axes_are_independent():
    rng = np.random.default_rng(1)
    measurements, gaps, ratios = rng.normal(size=(3, 4, 5)), rng.normal(size=(3, 4, 4)), rng.uniform(1, 2, (3, 4))
    together = combine_measurements_and_gaps(measurements, gaps, ratios)
    assert together.shape == (3, 4, 5)
    for at in np.ndindex(3, 4):
        assert np.allclose(together[at], combine_measurements_and_gaps(measurements[at], gaps[at], ratios[at]))


@pytest.mark.parametrize("gaps", [[], [7.0]])
def test_a_single_measurement_stays_as_it_is(gaps):
    assert combine_measurements_and_gaps([3.0], gaps, 2).tolist() == [3.0]


def test_many_runs_of_a_single_measurement_need_no_gaps():
    assert combine_measurements_and_gaps([[3.0], [4.0]], np.empty((2, 0)), 2).tolist() == [[3.0], [4.0]]


def fixed_runs(number, answers, scale, measured, seed):
    """Noisy answers and measurements with Laplace noise."""
    rng = np.random.default_rng(seed)
    shape = (number, len(answers))
    return answers + rng.laplace(scale=scale, size=shape), answers + rng.laplace(scale=measured, size=shape)


def test_fixed_indices_give_unbiased_estimates_with_the_stated_variance():
    """60,000 runs. By the central limit theorem a mean is off by 5 standard errors in fewer than 6 of 10⁷ seeds."""
    answers, runs = np.array([9.0, 4.0, 3.0, 3.0]), 60_000
    noisy, measurements = fixed_runs(runs, answers, scale=1.0, measured=2.0, seed=20)
    errors = combine_measurements_and_gaps(measurements, -np.diff(noisy), 1 / 4) - answers
    for figure, expected in [(errors, 0.0), (errors**2, 8 * combined_error_ratio(4, 1 / 4))]:
        assert np.all(np.abs(figure.mean(axis=0) - expected) < 5 * figure.std(axis=0) / np.sqrt(runs))


def selected_errors(answers, k, scale, measured, runs, seed):
    """Errors of the estimates and of the measurements of the top k, which the noise itself selects."""
    answers = np.asarray(answers, dtype=float)
    noisy, fresh = fixed_runs(runs, answers, scale, measured, seed)
    top = np.argsort(-noisy, axis=1)[:, : k + 1]
    gaps = -np.diff(np.take_along_axis(noisy, top, 1))
    chosen = top[:, :k]
    measurements, truth = np.take_along_axis(fresh, chosen, 1), answers[chosen]
    estimates = combine_measurements_and_gaps(measurements, gaps, scale**2 / measured**2)
    return estimates - truth, measurements - truth


def test_estimates_of_selected_answers_are_biased_as_the_audit_computes():
    """Three equal answers, k = 2, λ = 1: the first is too large by 9/32 on average, and the mean squared error is
    179/128, where the corollary has 192/128. Bounds of 5 standard errors, as above."""
    runs = 60_000
    mean, second = (float(moment) for moment in top_spacing_moments())
    errors, measured = selected_errors([0, 0, 0], 2, 1.0, 1.0, runs, seed=21)
    weight = weights_in_use(2, 1, 1)[:, 2]
    assert weight.tolist() == [0.25, -0.25]
    assert np.allclose(weight[0] * mean, 9 / 32)
    expected = [(errors, weight * mean), (errors**2, 2 * (9 + 1) / 16 + weight**2 * second)]
    expected += [(measured, 0.0), (errors.sum(axis=1), 0.0)]
    assert np.allclose(expected[1][1], 179 / 128)
    for figure, value in expected:
        assert np.all(np.abs(figure.mean(axis=0) - value) < 5 * figure.std(axis=0) / np.sqrt(runs))


BAD = {
    "no measurements": ([], [], 1, "measurements must not be empty"),
    "a number": (3.0, [], 1, "measurements must be a list of numbers"),
    "words": (["a", "b"], [1.0], 1, "measurements must be numbers"),
    "NaN": ([1.0, np.nan], [1.0], 1, "measurements must be finite"),
    "an infinite gap": ([1.0, 2.0], [np.inf], 1, "gaps must be finite"),
    "too few gaps": ([1.0, 2.0, 3.0], [1.0], 1, "3 measurements need 2 gaps, .*has 1"),
    "too many gaps": ([1.0, 2.0, 3.0], [1.0] * 4, 1, "3 measurements need 2 gaps, or 3"),
    "no gaps": ([1.0, 2.0], [], 1, "gaps must not be empty"),
    "two gaps of one": ([1.0], [1.0, 2.0], 1, "1 measurement needs 1 gap, or none"),
    "ratio 0": ([1.0, 2.0], [1.0], 0, "variance_ratio must be above 0"),
    "ratio NaN": ([1.0, 2.0], [1.0], np.nan, "variance_ratio must be finite"),
    "other numbers of runs": (np.ones((3, 2)), np.ones((2, 1)), 1, "do not fit together"),
    "ragged": ([[1.0, 2.0], [1.0]], [1.0], 1, "measurements must be numbers"),
}


@pytest.mark.parametrize(("measurements", "gaps", "ratio", "words"), BAD.values(), ids=list(BAD))
def test_bad_input_is_refused(measurements, gaps, ratio, words):
    with pytest.raises(InputError, match=words):
        combine_measurements_and_gaps(measurements, gaps, ratio)


@pytest.mark.parametrize(("k", "ratio", "words"), [(0, 1, "k must be"), (1.5, 1, "k must be"), (2, 0, "above 0")])
def test_bad_arguments_of_the_ratio_are_refused(k, ratio, words):
    with pytest.raises(InputError, match=words):
        combined_error_ratio(k, ratio)


def test_ratio_at_the_papers_noise():
    """λ = 4 in general, 1 for counting queries, 1/2 with exponential noise: 1 less the reductions that they print."""
    k = np.arange(1, 30)
    assert np.allclose(combined_error_ratio(k, 4), (4 * k + 1) / (5 * k))
    assert np.allclose(combined_error_ratio(k, 1), 1 - (k - 1) / (2 * k))
    assert np.allclose(combined_error_ratio(k, 1 / 2), 1 - (2 * k - 2) / (3 * k))
