"""The test that the winner is best: against the law of the gap, and in simulations that condition on the winner."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit import InputError
from alignkit.utility import winner_is_best, winner_lead_bound, winner_p_value

few = settings(max_examples=examples(20, 100))
gaps = st.floats(0, 700)
levels = st.floats(0.01, 0.999)

theta, g, alpha = sympy.symbols("theta g alpha", real=True)
survival = (1 + sympy.exp(theta)) / (sympy.exp(theta) + sympy.exp(g))


def test_the_p_value_is_the_largest_probability_where_the_winner_is_not_best():
    """The probability is 2/(1 + e^g) at θ = 0 and grows with θ: its slope has the sign of e^g − 1."""
    assert sympy.simplify(survival.subs(theta, 0) - 2 / (1 + sympy.exp(g))) == 0
    slope = sympy.diff(survival, theta) * (sympy.exp(theta) + sympy.exp(g)) ** 2
    assert sympy.simplify(slope - sympy.exp(theta) * (sympy.exp(g) - 1)) == 0


def test_the_lead_bound_is_the_theta_with_probability_alpha():
    bound = sympy.log((alpha * sympy.exp(g) - 1) / (1 - alpha))
    assert sympy.simplify(survival.subs(theta, bound) - alpha) == 0


@few
@given(gaps, levels)
def test_closed_forms(gap, level):
    assert winner_p_value(gap) == pytest.approx(2 / (1 + math.exp(gap)))
    excess = (1 - level) * math.exp(gap) - 1
    if excess > 1e-6:
        assert winner_lead_bound(gap, level) == pytest.approx(math.log(excess / level), abs=1e-6)
    elif excess < -1e-6:
        assert winner_lead_bound(gap, level) == -math.inf


@few
@given(gaps, levels)
def test_a_winner_is_best_exactly_where_its_lead_is_positive(gap, level):
    bound = winner_lead_bound(gap, level)
    if abs(bound) > 1e-9:
        assert winner_is_best(gap, level) == (bound > 0)


@few
@given(gaps, gaps, levels)
def test_larger_gaps_say_more(one, other, level):
    low, high = sorted([one, other])
    assert winner_p_value(low) >= winner_p_value(high)
    assert winner_lead_bound(low, level) <= winner_lead_bound(high, level)


@pytest.mark.parametrize("utilities", [[0, 0], [0, 0.1], [0, 0, 0, 0], [0, 1, 1.2], [-2, 0]])
def test_wrong_claims_are_rare_given_the_winner(utilities):
    """200,000 runs in units of 2Δ/ε, confidence 0.8. By Hoeffding's inequality a share of m runs is above its
    probability by √(ln(10⁷)/(2m)) with probability below 10⁻⁷."""
    rng = np.random.default_rng(11)
    utilities, runs = np.array(utilities, dtype=float), 200_000
    noisy = utilities + rng.gumbel(size=(runs, len(utilities)))
    winner = noisy.argmax(axis=1)
    ordered = np.sort(noisy, axis=1)
    gap = ordered[:, -1] - ordered[:, -2]
    claimed, bound = winner_is_best(gap, 0.8), winner_lead_bound(gap, 0.8)
    for s in range(len(utilities)):
        here = winner == s
        band = math.sqrt(math.log(1e7) / (2 * here.sum()))
        lead = utilities[s] - np.delete(utilities, s).max()
        assert np.mean(bound[here] > lead) < 0.2 + band
        if lead <= 0:
            assert np.mean(claimed[here]) < 0.2 + band


def test_the_test_is_sharp_for_two_equal_utilities():
    """Then θ = 0, and the wrong claims are as frequent as they may be: the p-value is uniform (Hoeffding, as above)."""
    rng = np.random.default_rng(12)
    gap = np.abs(np.diff(rng.gumbel(size=(200_000, 2))))[:, 0]
    for level in (0.05, 0.2, 0.5):
        assert abs(np.mean(winner_p_value(gap) <= level) - level) < math.sqrt(math.log(2e7) / 400_000)


def test_arrays_of_any_shape():
    assert winner_is_best(np.full((2, 3), 9.0), [0.5, 0.9, 0.9999]).tolist() == [[True, True, False]] * 2
    assert winner_lead_bound([[1.0], [9.0]], [0.5, 0.9]).shape == (2, 2)


@pytest.mark.parametrize("function", [winner_is_best, winner_lead_bound])
@pytest.mark.parametrize(
    ("gap", "confidence", "words"),
    [
        ([], 0.95, "gap must not be empty"),
        (-0.1, 0.95, "gap must be at least 0"),
        (np.nan, 0.95, "gap must be finite"),
        ("3", 0.95, "gap must be numbers"),
        (True, 0.95, "gap must be numbers"),
        (1.0, 0, "confidence must lie between 0 and 1"),
        (1.0, 1, "confidence must lie between 0 and 1"),
        (1.0, 95, "confidence must lie between 0 and 1"),
        ([1.0, 2.0], [0.5] * 3, "do not fit together"),
    ],
)
def test_bad_input_is_refused(function, gap, confidence, words):
    with pytest.raises(InputError, match=words):
        function(gap, confidence)
