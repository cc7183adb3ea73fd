"""Total probability, mean and variance are proved from the formula; the float density is compared with it."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from alignkit.noise import DISTRIBUTIONS, GEOMETRIC
from tests.noise.conftest import SCALED
from tests.noise.test_smooth_costs import SMOOTH

scale, lattice, t, odds = sympy.symbols("scale lattice t odds", positive=True)
z = sympy.Symbol("z")
k = sympy.Symbol("k", integer=True, nonnegative=True)

# scale = lattice / log(1 + odds) reaches every positive scale, and makes exp(-lattice/scale) the
# rational 1 / (1 + odds), whose powers sympy can sum.
SCALE_FROM_ODDS = lattice / sympy.log(1 + odds)


def symbols(distribution):
    if distribution.support.continuous:
        return (scale,)
    return (SCALE_FROM_ODDS, lattice)


def moment_of_smooth(distribution, power):
    """By u = exp(-x/scale), which takes the density to one whose Mellin transform sympy knows."""
    weight = sympy.factor(sympy.simplify(distribution.formula(-scale * sympy.log(t), scale) * scale / t))
    transform = sympy.integrate(t**z * weight, (t, 0, sympy.oo), conds="none")
    return sympy.limit(sympy.diff((-scale) ** power * transform, z, power), z, 0)


def moment(distribution, power):
    """The integral or sum of x**power times the formula over the support, as a closed form."""
    if distribution in SMOOTH:
        return moment_of_smooth(distribution, power)
    parameters = symbols(distribution)

    def half(sign, start):
        if distribution.support.continuous:
            x = sign * t
            return sympy.integrate(x**power * distribution.formula(x, *parameters), (t, 0, sympy.oo))
        x = sign * k * lattice
        term = sympy.powsimp(sympy.simplify(x**power * distribution.formula(x, *parameters)))
        return sympy.summation(term, (k, start, sympy.oo))

    total = half(1, 0)
    return total if distribution.support.one_sided else total + half(-1, 1)


def test_total_probability_is_one(distribution):
    assert sympy.simplify(moment(distribution, 0) - 1) == 0


def test_mean_is_that_of_the_formula(distribution):
    assert sympy.simplify(moment(distribution, 1) - distribution.mean(*symbols(distribution))) == 0


def test_variance_is_that_of_the_formula(distribution):
    variance = moment(distribution, 2) - moment(distribution, 1) ** 2
    assert sympy.simplify(variance - distribution.variance(*symbols(distribution))) == 0


def test_the_geometric_distribution_is_that_of_the_paper_started_at_zero():
    """Table 1 of the journal extension: p (1 - p)**n; its mean 1/p is one more, as if n started at 1."""
    p = odds / (1 + odds)
    s = 1 / sympy.log(1 + odds)
    assert sympy.simplify(GEOMETRIC.formula(k, s) - p * (1 - p) ** k) == 0
    assert sympy.simplify(GEOMETRIC.mean(s) - (1 / p - 1)) == 0
    assert sympy.simplify(GEOMETRIC.variance(s) - (1 - p) / p**2) == 0


@pytest.mark.parametrize("distribution", [d for d in DISTRIBUTIONS.values() if d.geometric_steps], ids=lambda d: d.name)
def test_each_geometric_step_divides_the_probability_by_the_exponential_of_its_cost(distribution):
    """Exact laws and exact samplers rest on this; `scale` stands for the rate of noise in base 2."""
    loss = (distribution.base or sympy.E) ** distribution.cost(lattice, scale, lattice)
    for side in (1,) if distribution.support.one_sided else (1, -1):
        nearer, farther = (distribution.formula(side * n * lattice, scale, lattice) for n in (k, k + 1))
        assert sympy.simplify(nearer / farther - loss) == 0


positives = st.fractions(Fraction(1, 20), 20, max_denominator=20)


@pytest.mark.parametrize("as_number", [Fraction, float])
@given(scale=positives, lattice=positives, count=st.integers(-60, 60))
@settings(max_examples=40, deadline=None)
def test_density_is_the_formula(distribution_and, as_number, scale, lattice, count):
    distribution = distribution_and
    parameters = [scale, lattice][: len(distribution.parameters)]
    x = count * as_number(lattice)
    expected = distribution.formula(count * lattice, *parameters).evalf(30)
    if count < 0 and distribution.support.one_sided:
        expected = 0
    got = distribution.density(x, *map(as_number, parameters))
    assert isinstance(got, float)
    assert got == pytest.approx(float(expected), rel=1e-11, abs=1e-300)


@pytest.fixture(params=list(SCALED.values()), ids=list(SCALED), scope="module")
def distribution_and(request):
    """As `distribution`, but shared by all examples that hypothesis tries."""
    return request.param


def test_density_vanishes_outside_the_support(distribution):
    parameters = (2, 1)[: len(distribution.parameters)]
    assert (distribution.density(-1, *parameters) == 0) is distribution.support.one_sided
    assert (distribution.density(0.5, *parameters) == 0) is not distribution.support.continuous
    for x in (float("inf"), 10**400):
        assert distribution.density(x, *parameters) == 0


def test_moments_of_numbers_are_numbers(distribution):
    parameters = (Fraction(5, 2), Fraction(1, 2))[: len(distribution.parameters)]
    exact = [sympy.Rational(p.numerator, p.denominator) for p in parameters]
    for moment_of in (distribution.mean, distribution.variance):
        number = moment_of(*parameters)
        assert isinstance(number, int | float | Fraction)
        assert float(number) == pytest.approx(float(sympy.N(moment_of(*exact), 30)), rel=1e-14)
