"""Samplers against their own density, with a stated error rate.

By Dvoretzky, Kiefer, Wolfowitz and Massart, the empirical distribution function of n independent draws
leaves the band of sqrt(ln(2/p) / 2n) around the true one with probability at most p, whatever the
distribution, discrete or not. Each comparison here has p = 1e-6 over the choice of seed; the seeds are
fixed, so a failure means that the sampler changed.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from alignkit.noise import (
    DISCRETE_LAPLACE,
    EXPONENTIAL,
    GEOMETRIC,
    GUMBEL,
    LAPLACE,
    LOGISTIC,
    RandomNoise,
)
from tests.noise.conftest import SCALED

ERROR_RATE = 1e-6
MANY = 500_000

CASES = [
    (LAPLACE, (2.5,)),
    (LAPLACE, (Fraction(1, 3),)),
    (EXPONENTIAL, (2.5,)),
    (EXPONENTIAL, (Fraction(1, 3),)),
    (GEOMETRIC, (4, 1)),  # numpy samples small and large success probabilities by different methods
    (GEOMETRIC, (0.5, 1)),
    (GEOMETRIC, (Fraction(7, 2), 0.25)),
    (DISCRETE_LAPLACE, (4, 1)),
    (DISCRETE_LAPLACE, (0.5, 1)),
    (DISCRETE_LAPLACE, (Fraction(7, 2), 0.25)),
    (GUMBEL, (2.5,)),
    (GUMBEL, (Fraction(1, 3),)),
    (LOGISTIC, (2.5,)),
    (LOGISTIC, (Fraction(1, 3),)),
]
IDS = [f"{d.name}({', '.join(map(str, p))})" for d, p in CASES]


def band(n):
    return math.sqrt(math.log(2 / ERROR_RATE) / (2 * n))


def distance(draws, distribution, parameters):
    """The largest distance between the draws' distribution function and the one that the density has."""
    measure = continuous_distance if distribution.support.continuous else lattice_distance
    return measure(np.asarray(draws, dtype=float), distribution, parameters)


def continuous_distance(draws, distribution, parameters):
    """With the distribution function integrated from the formula by sympy, one half line at a time."""
    if distribution in (GUMBEL, LOGISTIC):
        return smooth_distance(draws, distribution, parameters)
    t, x = sympy.symbols("t x", positive=True)
    exact = [sympy.Rational(Fraction(p)) for p in parameters]
    above = sympy.integrate(distribution.formula(t, *exact), (t, x, sympy.oo))
    below = sympy.integrate(distribution.formula(-t, *exact), (t, x, sympy.oo))
    if distribution.support.one_sided:
        below = 0 * x
    draws = np.sort(draws)
    upper, lower = (sympy.lambdify(x, e, "numpy")(np.abs(draws)) for e in (above, below))
    cdf = np.where(draws >= 0, 1 - upper, lower)
    steps = np.arange(len(draws) + 1) / len(draws)
    return max(np.max(steps[1:] - cdf), np.max(cdf - steps[:-1]))


def smooth_distance(draws, distribution, parameters):
    """With the primitive of the formula that is 0 far below, found by sympy."""
    x = sympy.Symbol("x", real=True)
    primitive = sympy.integrate(distribution.formula(x, *[sympy.Rational(Fraction(p)) for p in parameters]), x)
    far_below = sympy.limit(primitive, x, -sympy.oo)
    cdf = sympy.lambdify(x, primitive - far_below, "numpy")(np.sort(draws))
    steps = np.arange(len(draws) + 1) / len(draws)
    return max(np.max(steps[1:] - cdf), np.max(cdf - steps[:-1]))


def lattice_distance(draws, distribution, parameters):
    """With the distribution function summed from the density over every multiple that was drawn, and more."""
    _, lattice = parameters
    counts = np.rint(draws / float(lattice)).astype(int)
    first, last = min(counts.min(), -1), max(counts.max(), 1)
    mass = [distribution.density(int(c) * Fraction(lattice), *parameters) for c in range(first, last + 1)]
    empirical = np.bincount(counts - first, minlength=last - first + 1) / len(counts)
    # What lies below the first multiple was never drawn; it belongs to the true distribution function.
    tail = 0.0 if distribution.support.one_sided else mass[0] / math.expm1(float(lattice / parameters[0]))
    return np.max(np.abs(np.cumsum(empirical) - (tail + np.cumsum(mass))))


def test_every_distribution_with_a_scale_is_among_the_cases():
    assert {distribution.name for distribution, _ in CASES} == SCALED.keys()


@pytest.mark.parametrize(("distribution", "parameters"), CASES, ids=IDS)
def test_an_array_of_draws_follows_the_density(distribution, parameters):
    draws = distribution.sample(np.random.default_rng(2020), *parameters, size=MANY)
    assert draws.shape == (MANY,)
    assert distance(draws, distribution, parameters) <= band(MANY)


@pytest.mark.parametrize(("distribution", "parameters"), CASES, ids=IDS)
def test_draws_one_at_a_time_follow_the_density(distribution, parameters):
    n = 20_000
    draw = getattr(RandomNoise(2023), distribution.name)
    assert distance([draw(*parameters) for _ in range(n)], distribution, parameters) <= band(n)


@pytest.mark.parametrize(("distribution", "parameters"), CASES, ids=IDS)
def test_the_band_is_narrow_enough_to_notice_mistakes(distribution, parameters):
    scale, *lattice = parameters
    draws = distribution.sample(np.random.default_rng(1), *parameters, size=MANY)
    step = float(lattice[0]) if lattice else float(scale) / 50
    mistakes = [
        (draws, (scale * Fraction(21, 20) if isinstance(scale, Fraction) else scale * 1.05, *lattice)),
        (draws + step, parameters),
        (np.roll(draws, 1) - draws, parameters),
    ]
    for wrong_draws, wrong_parameters in mistakes:
        assert distance(wrong_draws, distribution, wrong_parameters) > band(MANY)


scales = st.one_of(st.integers(1, 10**6), st.floats(1e-3, 1e6), st.fractions(Fraction(1, 1000), 10**6))


@pytest.mark.parametrize("name", SCALED)
@given(seed=st.integers(0, 2**32), scale=scales, lattice=scales)
@settings(max_examples=60, deadline=None)
def test_every_draw_is_in_the_support(name, seed, scale, lattice):
    distribution = SCALED[name]
    parameters = (scale, lattice)[: len(distribution.parameters)]
    value = RandomNoise(seed).draw(distribution, *parameters)
    assert distribution.contains(value, *parameters)
    for value in distribution.sample(np.random.default_rng(seed), *parameters, size=5).tolist():
        assert distribution.contains(value, *parameters)


@pytest.mark.parametrize("distribution", [GEOMETRIC, DISCRETE_LAPLACE], ids=lambda d: d.name)
@pytest.mark.parametrize("lattice", [3, 0.1, Fraction(1, 3)], ids=str)
def test_a_draw_on_a_lattice_has_the_lattices_own_type(distribution, lattice):
    rng = np.random.default_rng(5)
    assert type(distribution.sample(rng, 10, lattice)) is type(lattice)
    array = distribution.sample(rng, 10, lattice, size=(2, 3))
    assert array.shape == (2, 3)
    assert all(type(v) is type(lattice) for v in array.ravel().tolist())


@pytest.mark.parametrize("distribution", [LAPLACE, EXPONENTIAL, GUMBEL, LOGISTIC], ids=lambda d: d.name)
def test_a_continuous_draw_is_a_float(distribution):
    assert type(distribution.sample(np.random.default_rng(5), Fraction(1, 3))) is float


def test_geometric_noise_never_falls_below_zero_even_if_numpy_counts_no_trials():
    class NoTrials:
        def geometric(self, p, size=None):
            return 0 if size is None else np.zeros(size, dtype=np.int64)

    assert GEOMETRIC.sample(NoTrials(), 5) == 0
    assert GEOMETRIC.sample(NoTrials(), 5, size=2).tolist() == [0, 0]


def test_scales_far_below_and_far_above_the_lattice():
    assert RandomNoise(1).geometric(1e-300) == 0
    assert RandomNoise(1).discrete_laplace(Fraction(1, 10**9), lattice=10**6) == 0
    draws = DISCRETE_LAPLACE.sample(np.random.default_rng(1), 2.0**50, size=1000)
    assert 0.8 < np.mean(np.abs(draws)) / 2.0**50 < 1.2
