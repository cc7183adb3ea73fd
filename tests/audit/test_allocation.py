"""How the Journal paper shares the budget: variances of gaps, the best theta, and what improvement follows."""

import math

import pytest
import sympy

theta, eps, k, c = sympy.symbols("theta eps k c", positive=True)
root = sympy.symbols("root", positive=True)  # the cube root of c


def laplace_variance(scale):
    return 2 * scale**2


def exponential_variance(scale):
    return scale**2


eps0, eps1 = theta * eps, (1 - theta) * eps / k
eps2 = eps1 / 2

# Each printed variance is factor/eps^2 (1/theta^2 + c/(1 - theta)^2).
PRINTED = {
    "laplace top": (laplace_variance, 2 / eps2, 2, 16 * k**2),
    "laplace middle": (laplace_variance, 2 / eps1, 2, 4 * k**2),
    "laplace monotone top": (laplace_variance, 1 / eps2, 2, 4 * k**2),
    "laplace monotone middle": (laplace_variance, 1 / eps1, 2, k**2),
    "exponential top": (exponential_variance, 2 / eps2, 1, 16 * k**2),
    "exponential middle": (exponential_variance, 2 / eps1, 1, 4 * k**2),
    "exponential monotone top": (exponential_variance, 1 / eps2, 1, 4 * k**2),
    "exponential monotone middle": (exponential_variance, 1 / eps1, 1, k**2),
}


@pytest.mark.parametrize(("variance", "scale", "factor", "ratio"), PRINTED.values(), ids=list(PRINTED))
def test_gap_variance(variance, scale, factor, ratio):
    printed = factor / eps**2 * (1 / theta**2 + ratio / (1 - theta) ** 2)
    assert sympy.simplify(variance(1 / eps0) + variance(scale) - printed) == 0


def test_best_theta_and_its_variance():
    """1/theta^2 + c/(1 - theta)^2 is convex on (0, 1); least at 1/(1 + cbrt c), where it is (1 + cbrt c)^3."""
    shape = 1 / theta**2 + root**3 / (1 - theta) ** 2
    best = 1 / (1 + root)
    assert sympy.simplify(sympy.diff(shape, theta).subs(theta, best)) == 0
    assert sympy.simplify(shape.subs(theta, best) - (1 + root) ** 3) == 0
    second = sympy.diff(shape, theta, 2)
    assert sympy.simplify(second - (6 / theta**4 + 6 * root**3 / (1 - theta) ** 4)) == 0  # both terms are positive


def test_an_even_split_is_not_the_best():
    """theta = 1/2 would need c = 1; for SVT with Gap c = 4k^2, which is at least 4."""
    assert sympy.solve(sympy.Eq(1 / (1 + root), sympy.Rational(1, 2)), root) == [1]


def test_ratio_of_budgets_at_the_best_theta():
    """eps0 : (eps - eps0) is 1 : cbrt c; so 1 : (2k)^(2/3) for c = 4k^2 and 1 : k^(2/3) for c = k^2."""
    best = 1 / (1 + root)
    assert sympy.simplify((1 - best) / best - root) == 0
    assert sympy.simplify((2 * k) ** sympy.Rational(2, 3) - sympy.cbrt(4 * k**2)) == 0


def test_the_ratio_of_section_7_3_is_that_of_whole_budgets():
    """2020, Algorithm 1: eps0 and 2 k eps1 add up to the budget. The variance is least for eps0 : 2 k eps1 = 1 : s.

    s is (2k)^(2/3). With eps0 : eps1 = 1 : s, as printed, it is larger, by the factor 38 for k = 10.
    """
    s, first, ratio_ = sympy.symbols("s first ratio", positive=True)
    k_ = sympy.sqrt(s**3) / 2
    variance = (laplace_variance(1 / first) + laplace_variance(1 / (ratio_ * first))).subs(
        first, 1 / (1 + 2 * k_ * ratio_)
    )
    whole = variance.subs(ratio_, s / (2 * k_))
    assert sympy.simplify(whole - 2 * (1 + s) ** 3) == 0
    assert sympy.simplify(sympy.diff(variance, ratio_).subs(ratio_, s / (2 * k_))) == 0
    printed = variance.subs(ratio_, s)
    assert sympy.simplify(printed - 2 * (1 + 2 * k_ * s) ** 2 * (1 + 1 / s**2)) == 0
    assert 38 < sympy.N((printed / whole).subs(s, 20 ** sympy.Rational(2, 3))) < 39


def test_offsets_and_sigma():
    """b0, b1, b2 of Algorithm 3 are the means, sigma of Algorithms 1 and 3 the standard deviation of the top noise."""
    x, scale = sympy.symbols("x scale", positive=True)
    density = sympy.exp(-x / scale) / scale
    mean = sympy.integrate(x * density, (x, 0, sympy.oo))
    assert sympy.simplify(mean - scale) == 0  # b0 = 1/eps0, b1 = 2/eps1, b2 = 2/eps2; for counting queries b1 = 1/eps1
    rate = sympy.symbols("rate", positive=True)
    assert sympy.simplify(sympy.sqrt(laplace_variance(2 / rate)) - 2 * sympy.sqrt(2) / rate) == 0
    assert sympy.simplify(sympy.sqrt(exponential_variance(2 / rate)) - 2 / rate) == 0


def test_offset_printed_for_counting_queries_is_not_the_mean():
    """Printed b1 = 1/eps; the mean of Exp(1/eps1) is 1/eps1 = k/((1 - theta) eps), which is larger."""
    assert sympy.simplify(1 / eps1 - k / ((1 - theta) * eps)) == 0
    assert sympy.simplify((1 / eps1).subs({k: 1, theta: sympy.Rational(1, 2), eps: 1})) == 2


def test_sigma_of_2020():
    """Footnote 6: two standard deviations of Lap(1/eps1), which is 2 sqrt(2)/eps1; printed without the fraction."""
    rate = sympy.symbols("rate", positive=True)
    assert sympy.simplify(2 * sympy.sqrt(laplace_variance(1 / rate)) - 2 * sympy.sqrt(2) / rate) == 0


# --- Geometric noise -----------------------------------------------------------------------------------


def test_geometric_gap_variance_is_convex_in_theta():
    """e^x/(e^x - 1)^2 is 1/(4 sinh(x/2)^2), convex for x > 0; x is linear in theta in both terms."""
    x = sympy.symbols("x", positive=True)
    printed = sympy.exp(x) / (sympy.exp(x) - 1) ** 2
    assert sympy.simplify((printed - 1 / (4 * sympy.sinh(x / 2) ** 2)).rewrite(sympy.exp)) == 0
    ratio = sympy.exp(-x)
    assert sympy.simplify(ratio / (1 - ratio) ** 2 - printed) == 0  # the variance of Geo(1 - e^-x)
    growth = sympy.exp(x)
    second = growth * (growth**2 + 4 * growth + 1) / (growth - 1) ** 4  # all parts are positive
    assert sympy.simplify(sympy.diff(printed, x, 2) - second) == 0


@pytest.mark.parametrize("budget", [0.7, 1.0])
def test_best_theta_of_geometric_noise_is_near_that_of_exponential_noise(budget):
    """Figure 1: within 0.01 of 1/(1 + cbrt k^2) for every k from 1 to 50."""

    def variance(share, count):
        threshold, query = share * budget, (1 - share) * budget / count
        return sum(1 / (4 * math.sinh(rate / 2) ** 2) for rate in (threshold, query))

    for count in range(1, 51):
        low, high = 1e-6, 1 - 1e-6
        for _ in range(100):  # the variance is convex, so thirds close in on its minimum
            left, right = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, right) if variance(left, count) < variance(right, count) else (left, high)
        assert abs((low + high) / 2 - 1 / (1 + count ** (2 / 3))) < 0.01


# --- Measurements improved by SVT's gaps ---------------------------------------------------------------

measured = laplace_variance(k / (eps / 2))


def gap_at_best_theta(factor, ratio):
    """Half the budget for SVT with Gap, its threshold and queries sharing it in the best way."""
    return factor * (1 + sympy.cbrt(ratio)) ** 3 / (eps / 2) ** 2


COMBINED = {
    "laplace": (2, 4 * k**2, 8, 1, sympy.Rational(4, 5)),
    "laplace monotone": (2, k**2, 8, 1, sympy.Rational(1, 2)),
    "exponential monotone": (1, k**2, 4, 2, sympy.Rational(1, 3)),
}


@pytest.mark.parametrize(("factor", "ratio", "printed", "weight", "limit"), COMBINED.values(), ids=list(COMBINED))
def test_combined_with_gap(factor, ratio, printed, weight, limit):
    """Var(alpha) = 8k^2/eps^2, Var(gamma) = printed (1 + cbrt c)^3/eps^2, and the ratio of errors with its limit."""
    cube = (1 + sympy.cbrt(ratio)) ** 3
    gap = gap_at_best_theta(factor, ratio)
    assert sympy.simplify(measured - 8 * k**2 / eps**2) == 0
    assert sympy.simplify(gap - printed * cube / eps**2) == 0
    share = gap / (measured + gap)
    assert sympy.simplify(share - cube / (cube + weight * k**2)) == 0
    assert sympy.limit(cube.subs(k, c**3) / (cube.subs(k, c**3) + weight * c**6), c, sympy.oo) == limit


def test_inverse_variance_weights():
    """Var(beta)/Var(alpha) = Var(gamma)/(Var(alpha) + Var(gamma)), and no other weights do better."""
    a, g, w = sympy.symbols("a g w", positive=True)  # the two variances, and the weight of alpha
    weight = (1 / a) / (1 / a + 1 / g)
    spread = w**2 * a + (1 - w) ** 2 * g
    assert sympy.simplify(spread.subs(w, weight) / a - g / (a + g)) == 0
    assert sympy.simplify(sympy.diff(spread, w).subs(w, weight)) == 0
    assert sympy.simplify(sympy.diff(spread, w, 2) - 2 * (a + g)) == 0
