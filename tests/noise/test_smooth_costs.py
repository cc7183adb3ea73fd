"""The shift costs of Gumbel and logistic noise: proved, tight as noise goes far out, and up only for Gumbel noise.

A shift of at least 0 is written scale · ln(1 + odds) with odds >= 0, which reaches all of them and makes
exp(-shift/scale) the rational 1 / (1 + odds).
"""

from fractions import Fraction

import mpmath
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from alignkit.noise import DISTRIBUTIONS, GUMBEL, LOGISTIC

SMOOTH = (GUMBEL, LOGISTIC)

scale, u = sympy.symbols("scale u", positive=True)
odds, y, d = sympy.symbols("odds y d", nonnegative=True)
x = sympy.Symbol("x", real=True)
SHIFT = scale * sympy.log(1 + odds)


def loss(distribution, shift):
    """ln f(x)/f(x + shift), from the distribution's formula."""
    ratio = distribution.formula(x, scale) / distribution.formula(x + shift, scale)
    return sympy.expand_log(sympy.expand(sympy.log(sympy.powsimp(ratio)), force=True), force=True)


def test_which_costs_hold_for_shifts_up_only():
    assert [d.name for d in DISTRIBUTIONS.values() if d.upward] == ["gumbel"]


def test_gumbel_cost_bounds_every_shift_up():
    slack = sympy.simplify(GUMBEL.cost(SHIFT, scale) - loss(GUMBEL, SHIFT))
    assert sympy.simplify(slack - sympy.exp(-x / scale) * odds / (1 + odds)) == 0
    assert (sympy.exp(-x / scale) * odds / (1 + odds)).is_nonnegative


def test_gumbel_cost_is_the_least_bound_of_a_shift_up():
    """It is not attained, and approached as x grows."""
    assert sympy.limit(sympy.exp(-x / scale) * odds / (1 + odds), x, sympy.oo) == 0


def test_gumbel_noise_has_no_bound_for_a_shift_down():
    down = sympy.simplify(loss(GUMBEL, -SHIFT))
    assert sympy.simplify(down - (sympy.exp(-x / scale) * odds - sympy.log(1 + odds))) == 0
    one = down.subs({odds: 1, scale: 1})
    assert sympy.limit(one, x, -sympy.oo) is sympy.oo


def test_what_a_shift_down_costs_at_least():
    """exp(y) (exp(d) - 1) - d with y = -x/scale, d = -shift/scale: exp(d) - 1 >= d, and exp(y) above its Taylor sum.

    A function whose value and first derivatives at 0 are 0, and whose next derivative is at least 0, is at least 0.
    """
    assert sympy.simplify(loss(GUMBEL, -scale * d).subs(x, -scale * y) - sympy.exp(y) * (sympy.exp(d) - 1) + d) == 0
    step = sympy.exp(d) - 1 - d
    assert step.subs(d, 0) == sympy.diff(step, d).subs(d, 0) == 0
    assert sympy.diff(step, d, 2).is_nonnegative
    rest = sympy.exp(y) - (1 + y + y**2 / 2 + y**3 / 6)
    assert [sympy.diff(rest, y, n).subs(y, 0) for n in range(4)] == [0, 0, 0, 0]
    assert sympy.diff(rest, y, 4).is_nonnegative
    written = y + y * y / 2 + y * y * y / 6
    assert sympy.simplify(sympy.exp(y) * d - d - d * written - d * rest) == 0


numbers = st.fractions(-30, 30, max_denominator=50)


@given(at=numbers, down=st.fractions(Fraction(1, 50), 5), by=st.fractions(Fraction(1, 5), 5))
def test_what_a_shift_down_costs_at_least_in_numbers(at, down, by):
    claimed = GUMBEL.cost_at(at, -down, by)
    assert isinstance(claimed, Fraction)
    with mpmath.workdps(60):
        y_, d_ = (mpmath.mpf(f.numerator) / f.denominator for f in (-at / by, down / by))
        assert mpmath.exp(y_) * mpmath.expm1(d_) - d_ >= mpmath.mpf(claimed.numerator) / claimed.denominator


@given(at=numbers, up=st.fractions(0, 5), by=st.fractions(Fraction(1, 5), 5))
def test_cost_of_fractions_is_exact(at, up, by):
    assert GUMBEL.cost_at(at, up, by) == GUMBEL.cost(up, by) == LOGISTIC.cost(up, by) == up / by
    assert LOGISTIC.cost_at(at, -up, by) == up / by


@pytest.mark.parametrize("side", [1, -1])
def test_logistic_cost_bounds_shifts_both_ways(side):
    """With u = exp(-x/scale), for shifts up; those down are their mirror images, the density being symmetric."""
    density = LOGISTIC.formula(x, scale)
    assert sympy.simplify(density - density.subs(x, -x)) == 0
    ratio = sympy.simplify((density / LOGISTIC.formula(x + SHIFT, scale)).subs(x, -scale * sympy.log(u)))
    bound = sympy.exp(side * LOGISTIC.cost(1, scale) * SHIFT)
    gap = sympy.factor(sympy.together(side * (bound - ratio)))
    numerator, denominator = sympy.fraction(gap)
    assert all(c >= 0 for c in sympy.Poly(sympy.expand(numerator), u, odds).coeffs())
    assert sympy.expand(denominator).is_positive


def test_logistic_cost_is_the_least_bound():
    """It is approached as x goes to minus and plus infinity, one end for each sign of the logarithm."""
    density, shifted = LOGISTIC.formula(x, scale), LOGISTIC.formula(x + SHIFT, scale)
    ratio = sympy.simplify((density / shifted).subs(x, -scale * sympy.log(u)))
    assert sympy.limit(ratio, u, 0) == 1 + odds
    assert sympy.simplify(sympy.limit(ratio, u, sympy.oo) - 1 / (1 + odds)) == 0
