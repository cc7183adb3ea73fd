"""Lower bounds from gaps: against the audit's formulas, and in simulations of whole runs."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy
from audit.test_confidence import cutoff, released_coverage, tail
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit import InputError
from alignkit.utility import gap_lower_bound, gap_margin, released_bound_coverage, released_lower_bound

scales = st.floats(0.01, 100)
levels = st.floats(0.01, 0.999)
NOISES = ["laplace", "exponential"]
few = settings(max_examples=examples(15, 100))


@few
@given(levels, st.sampled_from([(0.5, 0.25), (0.05, 0.5), (0.3, 0.3), (1.0, 0.7)]))
def test_the_margin_inverts_the_lemma(level, rates):
    """The audit has Lemma 7 as printed, with its tail by simulation and its density by sympy. Below 1/2 by symmetry."""
    margin = gap_margin(level, threshold_scale=1 / rates[0], query_scale=1 / rates[1])
    reached = tail(margin, *rates) if margin >= 0 else 1 - tail(-margin, *rates)
    assert reached == pytest.approx(level, abs=1e-9)


def test_the_form_in_use_is_the_lemma():
    """With rates a < b: e^(−at) (1 + a² c/(a + b))/2 and c = (1 − e^(−(b − a)t))/(b − a)."""
    a, apart, t = sympy.symbols("a apart t", positive=True)
    b = a + apart
    lemma = (b**2 * sympy.exp(-a * t) - a**2 * sympy.exp(-b * t)) / (2 * (b**2 - a**2))
    c = (1 - sympy.exp(-apart * t)) / apart
    assert sympy.simplify(lemma - sympy.exp(-a * t) * (1 + a**2 * c / (a + b)) / 2) == 0
    assert sympy.limit(c, apart, 0) == t


def test_margins_of_one_sided_noise():
    """P(Y − X ≥ z) for exponential X, Y with means p, q, by integration, where Z is Y − X with its mean taken off."""
    x, y, z, p, q = sympy.symbols("x y z p q", positive=True)
    above = sympy.integrate(sympy.exp(-x / p) / p * sympy.exp(-(x + z) / q), (x, 0, sympy.oo))
    below = sympy.integrate(sympy.exp(-y / q) / q * sympy.exp(-(y + z) / p), (y, 0, sympy.oo))  # P(Y - X <= -z)
    for level in (0.001, 0.2, 0.5, 0.95):
        margin = gap_margin(level, threshold_scale=2, query_scale=3, noise="exponential").item() + 3 - 2
        found = 1 - above.subs({p: 2, q: 3, z: margin}) if margin >= 0 else below.subs({p: 2, q: 3, z: -margin})
        assert float(found) == pytest.approx(level, abs=1e-9)


@few
@given(levels, scales, st.floats(-1e-9, 1e-9))
def test_nearly_equal_scales_give_the_margin_of_equal_ones(level, scale, apart):
    equal = gap_margin(level, threshold_scale=scale, query_scale=scale)
    nearly = gap_margin(level, threshold_scale=scale, query_scale=scale * (1 + apart))
    assert nearly == pytest.approx(equal, rel=1e-6, abs=1e-8 * scale)


@few
@given(levels, scales, scales, st.floats(0.1, 10), st.sampled_from(NOISES))
def test_units_carry_over(level, threshold, query, factor, noise):
    plain = gap_margin(level, threshold_scale=threshold, query_scale=query, noise=noise)
    changed = gap_margin(level, threshold_scale=factor * threshold, query_scale=factor * query, noise=noise)
    assert changed == pytest.approx(factor * plain, rel=1e-9, abs=1e-9)


@few
@given(levels, scales, scales)
def test_laplace_noise_is_symmetric_and_takes_its_scales_in_any_order(level, threshold, query):
    margin = gap_margin(level, threshold_scale=threshold, query_scale=query)
    assert gap_margin(level, threshold_scale=query, query_scale=threshold) == pytest.approx(margin)
    other = gap_margin(1 - level, threshold_scale=threshold, query_scale=query)
    assert other == pytest.approx(-margin, rel=1e-6, abs=1e-6 * (threshold + query))


def test_the_bound_is_the_estimate_less_the_margin():
    bound = gap_lower_bound([[3.0], [25.0]], threshold_scale=2, query_scale=4, T=[100, 200])
    margin = cutoff(0.95, 0.5, 0.25)
    assert bound == pytest.approx(np.array([[103, 203], [125, 225]]) - margin)


@few
@given(st.floats(-100, 100), levels)
def test_coverage_given_the_release_is_that_of_the_audit(distance, level):
    ours = released_bound_coverage(distance, level, threshold_scale=2, query_scale=4)
    assert ours == pytest.approx(released_coverage(distance, level, 0.5, 0.25), abs=1e-9)


# What holds given that the gap came out


def laplace_log_chance(z, threshold, query):
    """ln P(Z ≥ z) by Lemma 7 as printed, for scales that differ."""
    eps0, eps1, t = 1 / threshold, 1 / query, np.abs(z)
    slow, fast = np.minimum(eps0, eps1), np.maximum(eps0, eps1)
    weights = fast**2 - slow**2 * np.exp(-(fast - slow) * t)
    upper = -slow * t + np.log(weights / (2 * (fast**2 - slow**2)))
    return np.where(z >= 0, upper, np.log1p(-np.exp(upper)))


def exponential_log_chance(z, threshold, query):
    """ln P(Y − X ≥ z + query − threshold) for exponential Y, X, as integrated above."""
    x = z + query - threshold
    upper = np.log(query / (query + threshold)) - x / query
    lower = np.log1p(-threshold / (query + threshold) * np.exp(np.minimum(x, 0) / threshold))
    return np.where(x >= 0, upper, lower)


def random_gaps(number=500):
    """Scales from 0.1 to 10 that differ by at least a tenth, gaps, levels and thresholds."""
    rng = np.random.default_rng(5)
    threshold, factor = 10 ** rng.uniform(-1, 1, number), rng.uniform(1.1, 5, number) ** rng.choice([-1, 1], number)
    return threshold, threshold * factor, rng.exponential(10, number), rng.uniform(0.05, 0.99, number)


@pytest.mark.parametrize(
    ("noise", "log_chance"), [("laplace", laplace_log_chance), ("exponential", exponential_log_chance)]
)
def test_the_released_bound_is_where_the_conditional_probability_is_alpha(noise, log_chance):
    """At the bound, such a gap comes out with probability α, given that one of at least m does; where there is no
    bound, with probability above α however small the answer."""
    threshold, query, more, level = random_gaps()
    least = np.resize([0.0, 7.0], threshold.size)
    common = {"threshold_scale": threshold, "query_scale": query, "confidence": level, "noise": noise}
    bound = released_lower_bound(least + more, T=3.0, least_gap=least, **common)
    bounded = np.isfinite(bound)
    assert 100 < bounded.sum() < 450
    distance = np.where(bounded, 3.0 - bound, 20 * np.maximum(threshold, query))
    scales = threshold, query
    alpha = np.exp(log_chance(least + more + distance, *scales) - log_chance(least + distance, *scales))
    assert np.allclose(alpha[bounded], 1 - level[bounded], rtol=1e-6)
    assert np.all(alpha[~bounded] > (1 - level[~bounded]) * (1 - 1e-6))


@pytest.mark.parametrize("noise", NOISES)
def test_larger_gaps_and_larger_least_gaps(noise):
    threshold, query, gap, level = random_gaps()
    common = {"threshold_scale": threshold, "query_scale": query, "confidence": level, "noise": noise}
    bound = released_lower_bound(gap + 2, **common)
    assert np.all(bound >= released_lower_bound(gap, **common) - 1e-9)
    assert np.all(bound >= released_lower_bound(gap + 2, least_gap=2, **common) - 1e-9)
    assert np.all(bound <= gap_lower_bound(gap + 2, **common) + 1e-9)


def first_gaps(answers, runs, threshold, query, least, noise, seed):
    """The first gaps of many runs of sparse vector with T = 0, and the answers that they belong to."""
    rng = np.random.default_rng(seed)
    draw, mean = (rng.laplace, 0) if noise == "laplace" else (rng.exponential, 1)
    eta = draw(scale=threshold, size=(runs, 1)) - mean * threshold
    eta_i = draw(scale=query, size=(runs, len(answers))) - mean * query
    gaps = np.asarray(answers) + eta_i - eta
    out = gaps >= least
    first = out.argmax(axis=1)[out.any(axis=1)]
    return gaps[out.any(axis=1), first], first


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("least", [0.0, 6.0])
@pytest.mark.parametrize("answers", [[0.0], [-8.0], [5.0], [-3.0, -3.0, -3.0, 0.0], [-1.0] * 8])
def test_the_released_bound_holds_given_the_release(answers, least, noise):
    """Confidence 0.9, separately for each query at which runs gave their first gap. By Hoeffding's inequality a share
    of m runs is above its probability by √(ln(10⁷)/(2m)) with probability below 10⁻⁷."""
    gaps, first = first_gaps(answers, 60_000, 2.0, 3.0, least, noise, seed=31)
    common = {"threshold_scale": 2, "query_scale": 3, "confidence": 0.9, "least_gap": least, "noise": noise}
    # The bound grows with the gap, so it is above the answer where the gap is above the critical one.
    grid = np.linspace(least, least + 60, 6001)
    bounds = released_lower_bound(grid, **common)
    assert np.all(np.diff(bounds[np.isfinite(bounds)]) >= -1e-9)
    for i, answer in enumerate(answers):
        here = gaps[first == i]
        wrong = here > grid[np.searchsorted(bounds, answer, side="right") - 1]
        assert np.mean(wrong) < 0.1 + math.sqrt(math.log(1e7) / (2 * here.size)) + 0.005  # the last for the grid


def test_the_plain_bound_fails_given_the_release():
    """The same runs at an answer far below the threshold: the papers' bound, meant for 90 %, never holds."""
    gaps, _ = first_gaps([-12.0], 200_000, 2.0, 3.0, 0.0, "laplace", seed=31)
    assert gaps.size > 500
    assert np.all(gap_lower_bound(gaps, threshold_scale=2, query_scale=3, confidence=0.9) > -12)


GOOD = {"threshold_scale": 2, "query_scale": 4}
BAD = {
    "no gaps": ([], {}, "gaps must not be empty"),
    "NaN": (np.nan, {}, "gaps must be finite"),
    "text": ("3", {}, "gaps must be numbers"),
    "threshold scale": (3.0, {"threshold_scale": 0}, "threshold_scale must be above 0; write 1 / .theta . eps."),
    "query scale": (3.0, {"query_scale": -1}, "query_scale must be above 0"),
    "confidence 1": (3.0, {"confidence": 1}, "confidence must lie between 0 and 1; write 0.95, not 1"),
    "confidence 0": (3.0, {"confidence": 0.0}, "confidence must lie between 0 and 1"),
    "noise": (3.0, {"noise": "gumbel"}, "noise must be 'laplace' or 'exponential', not 'gumbel'"),
    "threshold": (3.0, {"T": None}, "T must be numbers"),
    "shapes": ([1.0, 2.0], {"T": [1, 2, 3]}, "do not fit together"),
}


@pytest.mark.parametrize("function", [gap_lower_bound, released_lower_bound])
@pytest.mark.parametrize(("gaps", "changed", "words"), BAD.values(), ids=list(BAD))
def test_bad_input_is_refused(function, gaps, changed, words):
    with pytest.raises(InputError, match=words):
        function(gaps, **{**GOOD, **changed})


def test_a_gap_that_did_not_come_out_is_refused():
    with pytest.raises(InputError, match="gaps must be at least least_gap; -1 is below it"):
        released_lower_bound([2.0, -1.0], **GOOD)


@pytest.mark.parametrize("distance", [[], np.inf, "far"])
def test_bad_distances_are_refused(distance):
    with pytest.raises(InputError, match="distance must"):
        released_bound_coverage(distance, **GOOD)
