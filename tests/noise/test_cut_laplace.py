"""Laplace noise that is cut off: density, moments, costs and tails against quadratures; samplers and parameters."""

import math
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from alignkit.errors import InputError, LanguageError
from alignkit.noise import CUT_DISCRETE_LAPLACE, CUT_LAPLACE, DISCRETE_LAPLACE, LAPLACE, RandomNoise
from alignkit.noise.exact_sampling.drawing import ExactNoise
from alignkit.noise.exact_sampling.randomness import SeededBits
from alignkit.sampling.stream_noise import StreamNoise

SETTINGS = [(-1, 1, 1), (-5, 5, 1), (Fraction(-1, 2), 3, Fraction(1, 3)), (-7, Fraction(1, 4), 2)]
ERROR_RATE = 1e-6

on_settings = pytest.mark.parametrize("parameters", SETTINGS, ids=str)


def moment(power, low, high, scale):
    """The integral of x**power times the density of Laplace noise, between the bounds."""
    return mpmath.quad(lambda x: x**power * LAPLACE.density(float(x), scale), [float(low), 0, float(high)])


@on_settings
def test_the_density_is_that_of_laplace_noise_between_the_bounds(parameters):
    low, high, scale = parameters
    kept = moment(0, *parameters)
    for share in (0, 0.1, 0.5, 0.9):
        x = float(low) + share * float(high - low)
        assert CUT_LAPLACE.density(x, *parameters) == pytest.approx(float(LAPLACE.density(x, scale) / kept), rel=1e-9)
    assert CUT_LAPLACE.density(high, *parameters) == CUT_LAPLACE.density(low - 1, *parameters) == 0
    mean = moment(1, *parameters) / kept
    assert CUT_LAPLACE.mean(*parameters) == pytest.approx(float(mean), rel=1e-9, abs=1e-12)
    variance = moment(2, *parameters) / kept - mean * mean
    assert CUT_LAPLACE.variance(*parameters) == pytest.approx(float(variance), rel=1e-9)


@on_settings
def test_no_shift_inside_costs_more_than_its_bound(parameters):
    low, high, _ = parameters
    points = [low + (high - low) * Fraction(n, 16) for n in range(16)]
    for x in points:
        for y in points:
            loss = math.log(CUT_LAPLACE.density(x, *parameters) / CUT_LAPLACE.density(y, *parameters))
            assert loss <= CUT_LAPLACE.cost(y - x, *parameters) + 1e-12


@on_settings
def test_the_tails_are_bounds_and_exact_away_from_0(parameters):
    low, high, _ = (float(p) for p in parameters)
    for share in (-0.2, 0, 0.2, 0.5, 0.75, 0.99, 1, 1.2):
        t = low + share * (high - low)
        inside = [min(max(t, low), high), *([0] if t < 0 else []), high]
        above = float(mpmath.quad(lambda x: CUT_LAPLACE.density(float(x), *parameters), inside)) if t < high else 0.0
        assert above <= max(0, CUT_LAPLACE.upper_tail(t, *parameters)) + 1e-9
        assert 1 - above <= max(0, CUT_LAPLACE.lower_tail(t, *parameters)) + 1e-9
        if 0 <= t <= high:
            assert above == pytest.approx(CUT_LAPLACE.upper_tail(t, *parameters), abs=1e-9)
        if low <= t <= 0:
            assert 1 - above == pytest.approx(CUT_LAPLACE.lower_tail(t, *parameters), abs=1e-9)


def test_what_is_cut_off_makes_the_tail_larger():
    """The tail of noise that is cut off at 5, from 4 on, is more than that of Laplace noise at 5."""
    assert CUT_LAPLACE.upper_tail(4, -5, 5, 1) == pytest.approx(0.0058, abs=1e-4)
    assert LAPLACE.upper_tail(5, 1) == pytest.approx(0.0034, abs=1e-4)


@on_settings
@pytest.mark.parametrize("source", ["one by one", "many", "stream"])
def test_samples_have_the_law(parameters, source):
    """Kolmogorov's bound for samples of this size, at the error rate, for the quarters of the interval."""
    n = 20_000
    if source == "one by one":
        noise = RandomNoise(3)
        drawn = [noise.cut_laplace(*parameters) for _ in range(n)]
    elif source == "many":
        drawn = RandomNoise(4).many("cut_laplace", n, *parameters)
    else:
        drawn = StreamNoise(np.random.SeedSequence(5)).many("cut_laplace", n, *parameters)
    low, high, _ = parameters
    assert all(low <= x < high for x in drawn)
    error = math.sqrt(math.log(2 / ERROR_RATE) / (2 * n))
    for share in (0.1, 0.25, 0.5, 0.75, 0.9):
        t = float(low) + share * float(high - low)
        tail = CUT_LAPLACE.upper_tail(t, *parameters) if t >= 0 else 1 - CUT_LAPLACE.lower_tail(t, *parameters)
        assert abs(sum(x >= t for x in drawn) / n - tail) <= error


HALF = Fraction(1, 2)
ON_LATTICES = [(-1, 1, 1, 1), (-5, 5, 1, 1), (-HALF, 3, Fraction(1, 3), HALF), (-6, 2, 2, 2), (-3, 40, 9, 1)]
on_lattices = pytest.mark.parametrize("parameters", ON_LATTICES, ids=str)


def probabilities(low, high, scale, lattice):
    """The probability of each multiple of the lattice between the bounds, from those of discrete Laplace noise."""
    points = [low + n * Fraction(lattice) for n in range(int((high - low) / lattice) + 1)]
    given = [DISCRETE_LAPLACE.density(x, scale, lattice) for x in points]
    return {x: p / math.fsum(given) for x, p in zip(points, given, strict=True)}


@on_lattices
def test_probabilities_on_a_lattice_are_those_of_discrete_laplace_noise_between_the_bounds(parameters):
    expected = probabilities(*parameters)
    for x, p in expected.items():
        assert CUT_DISCRETE_LAPLACE.density(x, *parameters) == pytest.approx(p, rel=1e-12)
    low, high, _, lattice = parameters
    for x in (low - lattice, high + lattice, low + Fraction(lattice) / 3):
        assert CUT_DISCRETE_LAPLACE.density(x, *parameters) == 0
    mean = math.fsum(x * p for x, p in expected.items())
    assert CUT_DISCRETE_LAPLACE.mean(*parameters) == pytest.approx(mean, abs=1e-12)
    variance = math.fsum((x - mean) ** 2 * p for x, p in expected.items())
    assert CUT_DISCRETE_LAPLACE.variance(*parameters) == pytest.approx(variance, rel=1e-9)


@on_lattices
def test_no_shift_on_a_lattice_costs_more_than_its_bound(parameters):
    expected = probabilities(*parameters)
    for x, p in expected.items():
        for y, other in expected.items():
            assert math.log(p / other) <= CUT_DISCRETE_LAPLACE.cost(y - x, *parameters) + 1e-12


@on_lattices
def test_the_tails_on_a_lattice_are_bounds_and_exact_away_from_0(parameters):
    expected, (low, high, _, lattice) = probabilities(*parameters), parameters
    points = {x + by * lattice for x in expected for by in (0, Fraction(1, 3), Fraction(1, 2))}
    for t in sorted({*points, low - lattice, high + lattice, low - 7}):
        above, below = (math.fsum(p for x, p in expected.items() if sign * x >= sign * t) for sign in (1, -1))
        upper = CUT_DISCRETE_LAPLACE.upper_tail(t, *parameters)
        lower = CUT_DISCRETE_LAPLACE.lower_tail(t, *parameters)
        assert above <= max(0, upper) + 1e-12
        assert below <= max(0, lower) + 1e-12
        if t in expected:
            assert t < 0 or above == pytest.approx(upper, abs=1e-12)
            assert t > 0 or below == pytest.approx(lower, abs=1e-12)


@on_lattices
@pytest.mark.parametrize("source", ["one by one", "many", "stream", "exact"])
def test_samples_on_a_lattice_have_the_law(parameters, source):
    """Hoeffding's bound for each value, at the error rate divided by the number of values."""
    n, expected = 20_000, probabilities(*parameters)
    if source == "one by one":
        noise = RandomNoise(3)
        drawn = [noise.cut_discrete_laplace(*parameters) for _ in range(n)]
    elif source == "many":
        drawn = RandomNoise(4).many("cut_discrete_laplace", n, *parameters)
    elif source == "exact":
        drawn = ExactNoise(SeededBits(6)).many("cut_discrete_laplace", n, *parameters)
    else:
        drawn = StreamNoise(np.random.SeedSequence(5)).many("cut_discrete_laplace", n, *parameters)
    counts = Counter(drawn)
    assert counts.keys() <= expected.keys()
    error = math.sqrt(math.log(2 * len(expected) / ERROR_RATE) / (2 * n))
    for x, p in expected.items():
        assert abs(counts[x] / n - p) <= error


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda n: n.laplace(1, within=0), "between 0 and 0; write a bound above 0"),
        (lambda n: n.laplace(1, within=-1), "between 1 and -1; write a bound above 0"),
        (lambda n: n.laplace(0, within=1), "scale is 0; write a number above 0"),
        (lambda n: n.cut_laplace(1, 2, 1), "between 1 and 2"),
        (lambda n: n.cut_laplace(-1, -2, 1), "between -1 and -2"),
        (lambda n: n.laplace(1, within=math.nan), "between nan and nan"),
        (lambda n: n.laplace(1, within="1"), "."),
        (lambda n: n.discrete_laplace(1, within=0), "between 0 and 0; write a bound above 0"),
        (lambda n: n.discrete_laplace(1, 2, within=3), "the bound -3 is no multiple of the lattice 2"),
        (lambda n: n.discrete_laplace(1, 0, within=3), "lattice is 0; write a number above 0"),
    ],
)
def test_bounds_lie_around_0(draw, words):
    with pytest.raises((InputError, TypeError), match=words):
        draw(RandomNoise(1))


PROGRAM = """
@mechanism
def m(q: Query, A: Positive, eps: Epsilon, noise: Noise):
    x = noise.laplace({arguments})
    return q + x

@alignment(m, epsilon="eps", delta="(exp(eps) - 1) / (2 * (exp(A * eps) - 1))")
def phi(q, q_, H, A):
    return H.shift(x=q - q_).below(x=A - (q - q_)).above(x=-A - (q - q_))
"""


def test_it_is_drawn_replayed_and_read(define):
    module = define(PROGRAM.format(arguments="1 / eps, within=A"))
    assert -2 <= module.m.sample(q=0, A=2, eps=1, seed=1) < 2
    replayed = module.phi.replay(0, 1, H={"x": Fraction(1, 2)}, A=2, eps=1)
    assert (replayed.cost, replayed.output, replayed.violation) == (1, replayed.output_, None)
    with pytest.raises(InputError, match="outside the support"):
        module.phi.replay(0, 1, H={"x": 3}, A=2, eps=1)


@pytest.mark.parametrize("arguments", ["within=A", "1 / eps, A, within=A", "1 / eps, within=A, lattice=1"])
def test_what_is_no_cut_is_refused(arguments, define):
    with pytest.raises(LanguageError, match=r"write noise\.laplace\(scale, within=A\)"):
        define(PROGRAM.format(arguments=arguments))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [((-3.0, 3, 1), "bounds are exact"), ((-1, 1, 5000), "too close for the scale"), ((-3, 3, 0.5), "not an exact")],
)
def test_exact_noise_has_exact_bounds_that_are_not_too_close(parameters, words):
    with pytest.raises(InputError, match=words):
        ExactNoise(SeededBits(1)).cut_discrete_laplace(*parameters)
