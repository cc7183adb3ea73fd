"""Staircase and uniform noise, whose costs are not multiples of the shift: bounds, laws, samplers, parameters.

The staircase density is written down here as its authors do, step by step, in enclosures.
"""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignkit.errors import InputError
from alignkit.noise import STAIRCASE, UNIFORM, RandomNoise, Support
from alignkit.sampling.stream_noise import StreamNoise

ERROR_RATE = 1e-6
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

SETTINGS = [
    (Fraction(2), HALF, Fraction(1)),
    (Fraction(1, 3), Fraction(1, 10), Fraction(1)),
    (Fraction(5), Fraction(9, 10), Fraction(7, 3)),
    (Fraction(1), Fraction(1, 100), Fraction(1, 4)),
]


def enclosed(fraction, context=mpmath.iv):
    return context.mpf(fraction.numerator) / fraction.denominator


def staircase(x, scale, gamma, period, context=mpmath.iv):
    """The density at x in enclosures: the authors' f with their epsilon period/scale, their Delta period."""
    fall, first = context.exp(-enclosed(period / scale, context)), enclosed(gamma, context)
    height = (1 - fall) / (2 * enclosed(period, context) * (first + fall * (1 - first)))
    k = 0
    while True:
        if k * period <= abs(x) < (k + gamma) * period:
            return height * fall**k
        if (k + gamma) * period <= abs(x) < (k + 1) * period:
            return height * fall ** (k + 1)
        k += 1


points = st.builds(
    lambda steps, at, beside, sign: sign * (steps + at + beside),
    st.integers(0, 4),
    st.sampled_from([Fraction(0), THIRD, HALF, Fraction(1)]),  # gamma is 1/3 or 1/2: on a step's end, or beside it
    st.sampled_from([Fraction(0), Fraction(1, 10**9), Fraction(1, 7), Fraction(-1, 10**9)]),
    st.sampled_from([1, -1]),
)


@given(x=points, y=points, gamma=st.sampled_from([THIRD, HALF]), period=st.fractions(Fraction(1, 5), 5))
@settings(deadline=None)
def test_no_shift_costs_more_than_its_bound(x, y, gamma, period):
    x, shift, scale = x * period, (y - x) * period, Fraction(3, 2)
    loss = mpmath.iv.log(staircase(x, scale, gamma, period) / staircase(x + shift, scale, gamma, period))
    cost = STAIRCASE.cost(shift, scale, gamma, period)
    assert isinstance(cost, Fraction)
    assert cost == STAIRCASE.cost_at(x, shift, scale, gamma, period)
    assert loss.a <= enclosed(cost).b
    density = float(staircase(x, scale, gamma, period, mpmath.mp))
    assert STAIRCASE.density(x, scale, gamma, period) == pytest.approx(density, rel=1e-9)


@given(shift=st.fractions(Fraction(1, 10**6), 5), parameters=st.sampled_from(SETTINGS))
@settings(deadline=None)
def test_the_bound_is_the_least(shift, parameters):
    """It is attained where |x|/period + 1 - gamma lies just below a whole number; and by the mirror image."""
    scale, gamma, period = parameters
    part = shift / period % 1 or Fraction(1)
    x = (1 + gamma - part / 2) * period
    loss = mpmath.iv.log(staircase(x, *parameters) / staircase(x + shift, *parameters))
    cost = enclosed(STAIRCASE.cost(shift, *parameters))
    assert loss.a <= cost.b
    assert cost.a <= loss.b
    assert STAIRCASE.cost(-shift, *parameters) == STAIRCASE.cost(shift, *parameters)


def test_the_cost_is_a_step_function():
    costs = [STAIRCASE.cost(Fraction(n, 4), Fraction(2), HALF, 1) for n in (0, 1, 4, 5, 8, 9)]
    assert costs == [0, HALF, HALF, 1, 1, Fraction(3, 2)]
    assert not STAIRCASE.homogeneous


def test_a_float_next_to_a_whole_number_of_periods_counts_as_that():
    """What refutes a claim must not rest on rounding."""
    assert STAIRCASE.cost(0.1 + 0.2, 1.0, 0.5, 0.3) == 0.3
    assert STAIRCASE.cost(0.1 + 0.2 - 0.3, 1.0, 0.5, 0.3) == 0
    assert STAIRCASE.cost(3e9 + 1e-6, 1.0, 0.5, 1.0) == 3e9


@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
def test_mass_and_variance_are_those_of_the_density(parameters):
    """Summed step by step to far beyond the digits that are compared."""
    _, gamma, period = parameters
    mass = variance = mpmath.mpf(0)
    with mpmath.workdps(40):
        for k in range(400):
            for low, high in ((k, k + gamma), (k + gamma, Fraction(k + 1))):
                height = staircase(low * period, *parameters, mpmath.mp)
                low, high = (enclosed(end * period, mpmath.mp) for end in (low, high))
                mass += 2 * height * (high - low)
                variance += 2 * height * (high**3 - low**3) / 3
    assert float(mass) == pytest.approx(1, rel=1e-12)
    assert STAIRCASE.mean(*parameters) == 0
    assert STAIRCASE.variance(*parameters) == pytest.approx(float(variance), rel=1e-9)
    assert float(STAIRCASE.variance(*map(float, parameters))) == pytest.approx(float(variance), rel=1e-9)


def distance(draws, primitive):
    """The largest distance between the draws' distribution function and the true one."""
    cdf = np.vectorize(primitive)(np.sort(draws))
    steps = np.arange(len(draws) + 1) / len(draws)
    return max(np.max(steps[1:] - cdf), np.max(cdf - steps[:-1]))


def staircase_below(x, scale, gamma, period):
    """P(X <= x), from whole periods and the steps of the last one."""
    fall = math.exp(-period / scale)
    height = (1 - fall) / (2 * period * (gamma + (1 - gamma) * fall))
    whole, part = divmod(abs(x) / period, 1)
    in_part = min(part, gamma) + fall * max(part - gamma, 0)
    inside = (1 - fall**whole) / 2 + height * period * fall**whole * in_part
    return 0.5 + math.copysign(inside, x)


@pytest.mark.parametrize("source", ["array", "RandomNoise", "StreamNoise"])
@pytest.mark.parametrize("parameters", [*SETTINGS, (Fraction(0), Fraction(7)), (Fraction(-1), THIRD)], ids=str)
def test_draws_follow_the_density(source, parameters):
    """By Dvoretzky, Kiefer, Wolfowitz and Massart, wrong with probability 1e-6 over the choice of seed."""
    distribution, n = (STAIRCASE if len(parameters) == 3 else UNIFORM), 20_000
    if source == "array":
        draws = distribution.sample(np.random.default_rng(1), *parameters, size=n).tolist()
    else:
        noise = RandomNoise(2) if source == "RandomNoise" else StreamNoise(np.random.SeedSequence(3))
        draws = [noise.draw(distribution, *parameters) for _ in range(n)]
    given = tuple(map(float, parameters))

    def below(x, wrong=1.0):
        if distribution is STAIRCASE:
            return staircase_below(x * wrong, *given)
        return min(max((x * wrong - given[0]) / (given[1] - given[0]), 0.0), 1.0)

    band = math.sqrt(math.log(2 / ERROR_RATE) / (2 * n))
    assert distance(draws, below) <= band
    assert distance(draws, lambda x: below(x, 1.2)) > band
    assert all(distribution.contains(x, *parameters) for x in draws)


def test_uniform_noise_lies_below_its_upper_bound():
    """Also where low + (high - low) * u is rounded up to it."""
    class Highest:
        def random(self, size=None):
            return 1 - 2**-53 if size is None else np.full(size, 1 - 2**-53)

    low, high = 2.0**52, 2.0**52 + 1
    assert UNIFORM.sample(Highest(), low, high) == low
    assert set(UNIFORM.sample(Highest(), low, high, size=3)) == {low}


def test_the_support_of_uniform_noise():
    assert UNIFORM.support is Support.INTERVAL
    inside = [UNIFORM.contains(x, -1, THIRD) for x in (-1, 0, Fraction(1, 4), THIRD, Fraction(-5, 4), 0.4, math.nan)]
    assert inside == [True, True, True, False, False, False, False]
    assert UNIFORM.density(0, -1, 1) == 0.5
    assert UNIFORM.density(1, -1, 1) == 0
    assert UNIFORM.cost(0, -1, 1) == 0
    assert (UNIFORM.mean(-1, Fraction(3)), UNIFORM.variance(-1, Fraction(3))) == (1, Fraction(4, 3))


@given(value=st.fractions(-50, 50), low=st.fractions(-5, 5), width=st.fractions(Fraction(1, 9), 9))
def test_what_is_possible_lies_in_the_support(value, low, width):
    possible = UNIFORM.possible(value, low, low + width)
    assert UNIFORM.contains(possible, low, low + width)
    assert possible == value or not UNIFORM.contains(value, low, low + width)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda n: n.staircase(0, 0.5), "noise.staircase: scale is 0; write a number above 0, such as"),
        (lambda n: n.staircase(1, 1), "noise.staircase: gamma is 1; write a number above 0 and below 1, such as"),
        (lambda n: n.staircase(1, 1.5), "gamma is 1.5; write a number above 0 and below 1"),
        (lambda n: n.staircase(1, 0), "gamma is 0; write a number above 0 and below 1"),
        (lambda n: n.staircase(1, math.nan), "gamma is nan"),
        (lambda n: n.staircase(1, 0.5, 0), "period is 0; write a number above 0"),
        (lambda n: n.staircase(1e40, 0.5), "too large to sample; write at most 2\\*\\*50 periods"),
        (lambda n: n.staircase(1), "takes .scale, gamma, period=1., not 1 values"),
        (lambda n: n.uniform(0, 0), "low is 0.0 and high is 0.0; write a low below the high"),
        (lambda n: n.uniform(1, 0), "write a low below the high"),
        (lambda n: n.uniform(0, math.inf), "high is too large for floating point; write a finite number"),
        (lambda n: n.uniform(-math.inf, 0), "low is -inf; write a finite number"),
        (lambda n: n.uniform(math.nan, 0), "low is nan; write a finite number"),
        (lambda n: n.uniform("0", 1), "low is '0'; write a finite number"),
    ],
)
def test_parameters_are_checked(draw, message):
    for noise in (RandomNoise(1), StreamNoise(np.random.SeedSequence(1))):
        if "takes" in message:
            with pytest.raises((InputError, TypeError)):
                draw(noise)
            continue
        with pytest.raises(InputError, match=message):
            draw(noise)
