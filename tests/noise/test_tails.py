"""The tails of noise, by which limits are charged: bounds for every real t, against sums and integrals of densities."""

from fractions import Fraction

import mpmath
import pytest
import sympy

from alignkit.noise import (
    CUT_DISCRETE_LAPLACE,
    DISCRETE_LAPLACE,
    DISTRIBUTIONS,
    EXPONENTIAL,
    GEOMETRIC,
    GUMBEL,
    LAPLACE,
    LOGISTIC,
    Distribution,
)

SCALES = (Fraction(1, 2), Fraction(1), Fraction(3))
POINTS = (-7, -3, Fraction(-5, 2), -1, Fraction(-1, 3), 0, Fraction(1, 5), 1, Fraction(3, 2), 2, 5, 11)
CONTINUOUS = (LAPLACE, EXPONENTIAL, GUMBEL, LOGISTIC)
LATTICE = (DISCRETE_LAPLACE, GEOMETRIC)
# What a float or a quadrature may be off by.
ERROR = 1e-12


def upper(distribution: Distribution, t: Fraction, *parameters: Fraction) -> float:
    """P(x >= t), from the density."""
    with mpmath.workdps(30):
        if distribution in LATTICE:
            scale, lattice = parameters
            start = -(-Fraction(t) // lattice)
            steps = range(int(start), int(start) + int(80 * scale / lattice) + 80)
            return float(mpmath.fsum(distribution.density(k * lattice, *parameters) for k in steps))
        formula = distribution.formula
        x = sympy.Symbol("x", real=True)
        density = sympy.lambdify(x, formula(x, *map(sympy.Rational, parameters)), "mpmath")
        low = max(Fraction(t), Fraction(0)) if distribution.support.one_sided else Fraction(t)
        kinks = [mpmath.mpf(low.numerator) / low.denominator, *([0] if low < 0 else [])]
        ends = [kinks[-1] + 4 * n * float(parameters[0]) for n in (1, 4, 12)]
        return float(mpmath.quad(density, [*kinks, *ends, mpmath.inf]))


def grids(distributions):
    return [
        pytest.param(distribution, (scale, *lattice), id=" ".join(map(str, (distribution.name, scale, *lattice))))
        for distribution in distributions
        for scale in SCALES
        for lattice in ([(Fraction(1),), (Fraction(1, 3),), (Fraction(2),)] if distribution in LATTICE else [()])
    ]


@pytest.mark.parametrize(("distribution", "parameters"), grids((*CONTINUOUS, *LATTICE)))
def test_the_upper_tail_is_a_bound_at_every_point(distribution, parameters):
    for t in POINTS:
        assert upper(distribution, t, *parameters) <= distribution.upper_tail(t, *parameters) + ERROR


@pytest.mark.parametrize(
    ("distribution", "parameters"), grids((LAPLACE, EXPONENTIAL, LOGISTIC, DISCRETE_LAPLACE, GEOMETRIC))
)
def test_the_lower_tail_is_a_bound_at_every_point(distribution, parameters):
    for t in POINTS:
        # P(x <= t) is 1 - P(x > t), and on a lattice x > t is x >= the next multiple.
        after = t if len(parameters) == 1 else (Fraction(t) // parameters[1] + 1) * parameters[1]
        below = 1 - upper(distribution, after, *parameters)
        assert below <= max(0, distribution.lower_tail(t, *parameters)) + ERROR


@pytest.mark.parametrize(("distribution", "parameters"), grids((LAPLACE, EXPONENTIAL, LOGISTIC, *LATTICE)))
def test_the_tails_are_exact_where_they_say_so(distribution, parameters):
    lattice = parameters[1] if len(parameters) > 1 else Fraction(1, 2)
    for steps in (0, 1, 4):
        t = steps * lattice
        assert upper(distribution, t, *parameters) == pytest.approx(distribution.upper_tail(t, *parameters), abs=ERROR)


def test_one_sided_noise_is_not_taken_for_two_sided():
    one, other = GEOMETRIC.upper_tail(5, 1), DISCRETE_LAPLACE.upper_tail(5, 1)
    assert one > 1.3 * other
    assert EXPONENTIAL.upper_tail(5, 1) == pytest.approx(2 * LAPLACE.upper_tail(5, 1))
    assert EXPONENTIAL.lower_tail(1, 1) == pytest.approx(0.632, abs=1e-3)


def test_noise_without_a_tail_has_none():
    without = {name for name, distribution in DISTRIBUTIONS.items() if distribution.upper_tail is None}
    known = {d.name for d in (*CONTINUOUS, *LATTICE)}
    assert without.isdisjoint(known)
    assert {"discrete_laplace_base2", "geometric_base2"} <= without, "their parameter is no scale"
    assert GUMBEL.lower_tail is None


@pytest.mark.parametrize(("distribution", "parameters"), grids(LATTICE))
def test_no_number_is_more_probable_than_the_largest_mass(distribution, parameters):
    masses = [distribution.density(k * parameters[-1], *parameters) for k in range(-20, 21)]
    assert max(masses) == pytest.approx(distribution.largest_mass(*parameters), abs=ERROR)


@pytest.mark.parametrize("bound", [1, 3, 7])
def test_the_largest_mass_of_cut_noise_is_that_of_0(bound):
    parameters = (-bound, bound, Fraction(3, 2), Fraction(1))
    masses = [CUT_DISCRETE_LAPLACE.density(k, *parameters) for k in range(-bound, bound + 1)]
    assert sum(masses) == pytest.approx(1)
    assert max(masses) == pytest.approx(CUT_DISCRETE_LAPLACE.largest_mass(*parameters), abs=ERROR)


def test_other_noise_has_no_largest_mass():
    with_one = {name for name, distribution in DISTRIBUTIONS.items() if distribution.largest_mass is not None}
    assert with_one == {"discrete_laplace", "geometric", "cut_discrete_laplace"}
