"""Sums of exponentials: ring laws, enclosures against mpmath, signs, certified logarithms."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignkit.arithmetic.enclosures import log_below
from alignkit.arithmetic.exponential_sums import ExpSum

FEW = settings(max_examples=25, deadline=None, derandomize=True)
RATIONALS = st.fractions(min_value=-20, max_value=20, max_denominator=12)
SUMS = st.dictionaries(RATIONALS, RATIONALS, max_size=5).map(ExpSum.of)


def value(x: ExpSum) -> mpmath.mpf:
    """The value to 200 digits, from the public terms."""
    with mpmath.workdps(200):
        return mpmath.fsum(
            mpmath.mpf(c.numerator) / c.denominator * mpmath.exp(mpmath.mpf(r.numerator) / r.denominator)
            for r, c in x.terms
        )


def as_mpf(x: Fraction) -> mpmath.mpf:
    with mpmath.workdps(200):
        return mpmath.mpf(x.numerator) / x.denominator


@FEW
@given(SUMS, SUMS, SUMS, RATIONALS)
def test_it_is_a_commutative_ring_with_one_form_for_each_number(x, y, z, c):
    assert x + y == y + x
    assert (x + y) + z == x + (y + z)
    assert x * y == y * x
    assert (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert x - x == ExpSum()
    assert x * 1 == x == 0 + x
    assert c * x == x * ExpSum.of({0: c})
    assert c - x == -(x - c)
    assert hash(x + y - y) == hash(x)


@FEW
@given(SUMS, SUMS)
def test_the_operations_are_those_of_the_numbers(x, y):
    with mpmath.workdps(200):
        assert mpmath.almosteq(value(x * y), value(x) * value(y), mpmath.mpf(10) ** -150, mpmath.mpf(10) ** -150)
        assert mpmath.almosteq(value(x - y), value(x) - value(y), mpmath.mpf(10) ** -150, mpmath.mpf(10) ** -150)


@FEW
@given(SUMS, st.integers(1, 100))
def test_an_enclosure_leaves_out_zero(x, bits):
    low, high = x.enclosure(bits)
    assert as_mpf(low) <= value(x) <= as_mpf(high)
    if x:
        assert low > 0 or high < 0
        assert (high - low) * 2**bits <= min(abs(low), abs(high))
    else:
        assert (low, high) == (0, 0)


@pytest.mark.parametrize("tiny", [ExpSum.of({-200: 1}), ExpSum.of({-200: 1, -201: -1})])
def test_an_enclosure_of_a_tiny_number_is_narrow_too(tiny):
    low, high = tiny.enclosure(40)
    assert 0 < (high - low) * 2**40 <= low
    assert as_mpf(low) <= value(tiny) <= as_mpf(high)


@FEW
@given(SUMS)
def test_the_sign_is_that_of_the_value(x):
    assert x.sign == mpmath.sign(value(x)) == -(-x).sign
    assert (x.sign == 0) == (not x)


def test_the_sign_of_a_sum_that_no_float_can_tell_from_zero():
    # A convergent of the continued fraction of e: 0 < |e - p/q| < 1/q², with q above 10**30.
    terms = [2]
    for k in range(1, 30):
        terms += [1, 2 * k, 1]
    before, now = (1, 0), (2, 1)
    for a in terms[1:]:
        before, now = now, (a * now[0] + before[0], a * now[1] + before[1])
    near = ExpSum.of({1: 1, 0: Fraction(-now[0], now[1])})
    assert abs(value(near)) < mpmath.mpf(10) ** -60
    assert near.sign == mpmath.sign(value(near)) != 0


@FEW
@given(SUMS.filter(bool))
def test_the_float_is_near(x):
    assert abs(mpmath.mpf(float(x)) / value(x) - 1) < 2.0**-52


@FEW
@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9, max_denominator=10**9))
def test_a_logarithm_is_bounded_from_below_and_near(ratio):
    with mpmath.workdps(100):
        exact = mpmath.log(as_mpf(ratio))
        assert log_below(ratio) <= exact
        assert exact - log_below(ratio) <= 1e-14 * max(abs(exact), mpmath.mpf("1e-12"))


@pytest.mark.parametrize(
    "ratio", [1 + Fraction(1, 10**40), 1 - Fraction(1, 10**40), Fraction(10) ** 500, Fraction(7) ** -900]
)
def test_extreme_logarithms(ratio):
    with mpmath.workdps(1000):
        exact = mpmath.log(ratio.numerator) - mpmath.log(ratio.denominator)
        assert log_below(ratio) <= exact
        assert exact - log_below(ratio) <= 1e-14 * abs(exact)
