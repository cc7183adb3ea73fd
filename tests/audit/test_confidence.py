"""The lower tail of a gap's noise (Lemma 7 of 2020, Lemma 3 of the Journal paper), and what may be read off it."""

import math

import numpy as np
import pytest
import sympy

x, z, t, a, b = sympy.symbols("x z t a b", positive=True)  # a is eps0, b is eps1 or eps*


def tail(at, eps0, eps1):
    """The lemma: P(eta_i - eta >= -at) for Laplace noise of scales 1/eps1 and 1/eps0."""
    if eps0 == eps1:
        return 1 - (2 + eps0 * at) / 4 * math.exp(-eps0 * at)
    weighted = eps0**2 * math.exp(-eps1 * at) - eps1**2 * math.exp(-eps0 * at)
    return 1 - weighted / (2 * (eps0**2 - eps1**2))


def cutoff(level, eps0, eps1):
    """The t with P(eta_i - eta >= -t) = level, by halving."""
    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, eps0, eps1) < level else (low, middle)
    return high


def convolution(eps0, eps1):
    """The density of eta_i - eta at z > 0, from its three parts: x < 0, 0 < x < z, x > z."""
    below = sympy.exp(-eps1 * x) * sympy.exp(-eps0 * (x + z))
    between = sympy.exp(-eps1 * x) * sympy.exp(eps0 * (x - z))
    above = sympy.exp(-eps1 * (x + z)) * sympy.exp(-eps0 * x)
    parts = [
        sympy.integrate(sympy.powsimp(below), (x, 0, sympy.oo)),
        sympy.integrate(sympy.powsimp(between), (x, 0, z), conds="none"),
        sympy.integrate(sympy.powsimp(above), (x, 0, sympy.oo)),
    ]
    return eps0 * eps1 / 4 * sum(parts)


def test_density_of_the_difference():
    apart = sympy.symbols("apart", positive=True)  # eps0 = eps1 + apart; the formula is symmetric in the two
    printed = a * b * (a * sympy.exp(-b * z) - b * sympy.exp(-a * z)) / (2 * (a**2 - b**2))
    assert sympy.simplify(printed - printed.subs({a: b, b: a}, simultaneous=True)) == 0
    assert sympy.simplify(convolution(b + apart, b) - printed.subs(a, b + apart)) == 0


def test_density_of_the_difference_for_equal_scales():
    printed = (a / 4 + a**2 * z / 4) * sympy.exp(-a * z)
    assert sympy.simplify(convolution(a, a) - printed) == 0


@pytest.mark.parametrize("equal", [False, True])
def test_tail_is_the_integral_of_the_density(equal):
    """The tail's slope is the density, and at t = 0 it is 1/2, as the noise is symmetric."""
    if equal:
        density = (a / 4 + a**2 * t / 4) * sympy.exp(-a * t)
        printed = 1 - (2 + a * t) / 4 * sympy.exp(-a * t)
    else:
        density = a * b * (a * sympy.exp(-b * t) - b * sympy.exp(-a * t)) / (2 * (a**2 - b**2))
        printed = 1 - (a**2 * sympy.exp(-b * t) - b**2 * sympy.exp(-a * t)) / (2 * (a**2 - b**2))
    assert sympy.simplify(sympy.diff(printed, t) - density) == 0
    assert sympy.simplify(printed.subs(t, 0)) == sympy.Rational(1, 2)
    assert sympy.limit(printed.subs({a: 3, b: 2}), t, sympy.oo) == 1


def test_tail_for_equal_scales_is_the_limit_for_unequal_ones():
    unequal = 1 - (a**2 * sympy.exp(-b * t) - b**2 * sympy.exp(-a * t)) / (2 * (a**2 - b**2))
    equal = 1 - (2 + a * t) / 4 * sympy.exp(-a * t)
    assert sympy.simplify(sympy.limit(unequal, b, a) - equal) == 0


@pytest.mark.parametrize(("eps0", "eps1"), [(0.5, 0.25), (0.5, 0.05), (0.3, 0.3)])
def test_tail_by_simulation(eps0, eps1):
    """300,000 draws: by Hoeffding's inequality a share is off by more than 0.006 with probability below 1e-8."""
    draws, band = 300_000, 0.006
    assert 2 * math.exp(-2 * draws * band**2) < 1e-8
    rng = np.random.default_rng(20200101)
    noise = rng.laplace(scale=1 / eps1, size=draws) - rng.laplace(scale=1 / eps0, size=draws)
    for level in (0.6, 0.8, 0.95):
        share = np.mean(noise >= -cutoff(level, eps0, eps1))
        assert abs(share - level) < band


def test_scale_of_the_journals_query_noise_is_2_over_eps1():
    """Its Algorithm 1 adds Lap(2/eps1), while Section 5.3 speaks of scale 1/eps*. With eps0 = eps1 = 1/2 the bound for
    95 % so computed holds with 88 % only. For monotone answers the noise is Lap(1/eps1), as in the text."""
    eps0, eps1 = 0.5, 0.5
    claimed = cutoff(0.95, eps0, eps1)
    assert 0.87 < tail(claimed, eps0, eps1 / 2) < 0.88


def released_coverage(distance, level, eps0, eps1):
    """Given that the gap came out (noise >= distance = T - q): the chance that q is at least gap + T - cutoff, which
    says noise <= cutoff. The noise is symmetric, so P(noise >= d) is 1 - tail(d) for d >= 0 and tail(-d) below;
    the noise exceeds the cutoff with probability 1 - level."""
    released = 1 - tail(distance, eps0, eps1) if distance >= 0 else tail(-distance, eps0, eps1)
    missed = 1 - level
    return max(0.0, (released - missed) / released)


def test_confidence_given_that_the_gap_was_released():
    """95 % of all noise: of the released gaps 95 % too far above the threshold, 90 % at it, and none where the answer
    lies further below the threshold than the cutoff."""
    eps0, eps1 = 0.5, 0.25
    bound = cutoff(0.95, eps0, eps1)
    assert released_coverage(-20 * bound, 0.95, eps0, eps1) == pytest.approx(0.95, abs=1e-9)
    assert released_coverage(0, 0.95, eps0, eps1) == pytest.approx(0.90, abs=1e-9)
    assert released_coverage(1.01 * bound, 0.95, eps0, eps1) == 0
    spread = [released_coverage(share * bound, 0.95, eps0, eps1) for share in (-2, -1, -0.5, 0, 0.5, 0.9)]
    assert spread == sorted(spread, reverse=True)


def test_gap_of_an_answer_at_the_threshold_has_the_claimed_second_moment():
    """Symmetric noise: given that it is at least 0 its second moment is the variance, its mean is not 0. So for q = T
    the combined estimate has the claimed mean squared error, and a bias."""
    density = (a / 4 + a**2 * z / 4) * sympy.exp(-a * z)
    moments = [sympy.integrate(z**power * density, (z, 0, sympy.oo)) for power in (0, 1, 2)]
    assert sympy.simplify(moments[2] / moments[0] - 4 / a**2) == 0  # 2/a^2 for each of the two
    assert sympy.simplify(moments[1] / moments[0]) == 3 / (2 * a)


@pytest.mark.slow
def test_the_second_moment_at_the_threshold_for_laplace_noise_of_any_scales():
    """Scales 1/a and 1/b that differ: still symmetric, so still the variance, 2/a^2 + 2/b^2."""
    apart = sympy.symbols("apart", positive=True)
    density = a * b * (a * sympy.exp(-b * z) - b * sympy.exp(-a * z)) / (2 * (a**2 - b**2))
    second, mass = (sympy.integrate(sympy.expand(z**power * density), (z, 0, sympy.oo)) for power in (2, 0))
    assert sympy.simplify((second / mass - 2 / a**2 - 2 / b**2).subs(a, b + apart)) == 0


def test_the_second_moment_at_the_threshold_is_not_the_variance_for_exponential_noise():
    """Algorithm 3's noise with scales 1 (threshold) and 2 (query), each with its mean taken off, and q = T.

    The gap is x - y - 1 for x from Exp(2) and y from Exp(1), and it is released if it is at least 0. Its second moment
    is then 8; the variance is 4 + 1.
    """
    y = sympy.symbols("y", positive=True)
    density = sympy.exp(-x / 2) / 2 * sympy.exp(-y)

    def released(value):
        over_x = sympy.integrate(sympy.expand(value * density), (x, y + 1, sympy.oo))
        return sympy.integrate(sympy.simplify(over_x), (y, 0, sympy.oo))

    assert sympy.simplify(released((x - y - 1) ** 2) / released(sympy.Integer(1))) == 8
    means = [sympy.integrate(z**power * sympy.exp(-z / scale) / scale, (z, 0, sympy.oo))
             for scale in (1, 2) for power in (1, 2)]
    assert means[1] - means[0] ** 2 + means[3] - means[2] ** 2 == 5


def test_second_moment_of_a_released_gap_away_from_the_threshold():
    """Scales 1, so the variance is 4: below it for q = T + 1 (noise >= -1), above it for q = T - 1 (noise >= 1)."""
    density = (1 + z) / 4 * sympy.exp(-z)

    def mass(power):
        return sympy.integrate(sympy.expand(z**power * density), (z, 1, sympy.oo))

    above = (4 - mass(2)) / (1 - mass(0))
    below = mass(2) / mass(0)
    assert above < 4
    assert below == 7


def test_one_sided_noise_has_another_tail():
    """Exponential noise with its mean taken off, scales 1 and 2: one tail of the difference is twice the other, so the
    lemma, and the step from one tail to the other, serve Laplace noise only."""
    rate0, rate1 = sympy.Rational(1), sympy.Rational(1, 2)
    # The difference of exponentials is below 0 with probability rate1/(rate0 + rate1), above 0 with the rest.
    centre = 1 / rate1 - 1 / rate0
    # P(eta_i - eta > centre + t) = rate0/(rate0 + rate1) e^(-rate1 (centre + t)), for centre + t >= 0.
    upper = rate0 / (rate0 + rate1) * sympy.exp(-rate1 * (centre + t))
    # P(eta_i - eta < centre - t) = rate1/(rate0 + rate1) e^(rate0 (centre - t)), for centre - t <= 0.
    lower = rate1 / (rate0 + rate1) * sympy.exp(rate0 * (centre - t))
    assert sympy.simplify(upper.subs(t, 3) - 2 * lower.subs(t, 3)) == 0
    assert abs(float(1 - lower.subs(t, 3)) - tail(3, 1.0, 0.5)) > 0.05
