"""Piecewise exponential polynomials: values, products, maps, antiderivatives and messages against mpmath."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignkit.arithmetic.exponential_sums import ExpSum
from alignkit.arithmetic.piecewise import Affine, Piecewise, partial_integral

FEW = settings(max_examples=20, deadline=None, derandomize=True)
SMALL = st.fractions(min_value=-3, max_value=3, max_denominator=3)
NONZERO = SMALL.filter(bool)
COEFFICIENTS = st.one_of(SMALL, st.tuples(SMALL, SMALL).map(lambda rc: ExpSum.of([rc])))
KNOTS = st.lists(SMALL, max_size=3, unique=True).map(sorted)
AFFINE = st.builds(Affine, SMALL, SMALL)


def terms(rates: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(st.tuples(COEFFICIENTS, st.integers(0, 2), rates), max_size=2)


@st.composite
def functions(draw: st.DrawFn) -> Piecewise:
    """Integrable ones: the ends decay; in between anything."""
    knots = draw(KNOTS.filter(bool))
    falling = st.fractions(min_value=-2, max_value=Fraction(-1, 2), max_denominator=2)
    ends = [draw(terms(falling.map(lambda a: -a))), draw(terms(falling))]
    return Piecewise.of(knots, [ends[0], *(draw(terms(SMALL)) for _ in knots[1:]), ends[1]])


def number(x) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / x.denominator


def at(f: Piecewise, x) -> mpmath.mpf:
    """f(x) in floating point from its representation, apart from the code under test."""
    piece = f.pieces[sum(number(k) <= x for k in f.knots)]
    return sum(
        mpmath.mpf(c) / f.denominator * x**d * mpmath.exp((r + a * x) / f.unit)
        for (a, d), coefficient in piece.items()
        for r, c in coefficient.items()
    )


def quadrature(f: Piecewise, low=-mpmath.inf, high=mpmath.inf) -> mpmath.mpf:
    """∫ f by mpmath, split at the knots; the ends decay like e^{-|x|/2}, so that 80 stands for ∞."""
    low, high = max(low, mpmath.mpf(-80)), min(high, mpmath.mpf(80))
    if low >= high:
        return mpmath.mpf(0)
    inner = [x for x in [mpmath.mpf(-10), *map(number, f.knots), mpmath.mpf(10)] if low < x < high]
    return mpmath.quad(lambda x: at(f, x), [low, *inner, high])


def near(x, y, tolerance=1e-9) -> bool:
    return abs(x - y) <= tolerance * (1 + abs(y))


def test_a_function_is_what_its_terms_say():
    f = Piecewise.of([Fraction(1, 2)], [[(3, 1, Fraction(1, 3))], [(ExpSum.of({-1: 2}), 2, -1), (5, 0, 0)]])
    assert f.at(Fraction(1, 4)) == ExpSum.of({Fraction(1, 12): Fraction(3, 4)})
    assert f.at(Fraction(3, 2)) == ExpSum.of({Fraction(-5, 2): Fraction(9, 2), 0: 5})
    with pytest.raises(ValueError, match="increase"):
        Piecewise.of([1, 1], [[], [], []])


@FEW
@given(functions(), functions(), SMALL)
def test_products_and_values(f, g, x):
    assert (f * g).at(x) == f.at(x) * g.at(x)
    assert (f**3).at(x) == f.at(x) * f.at(x) * f.at(x)
    assert near(float(f.at(x)), at(f, number(x)))


@FEW
@given(functions(), NONZERO, SMALL, SMALL)
def test_composition_with_an_affine_map(f, slope, shift, x):
    moved = f.after(Affine(slope, shift))
    point = slope * x + shift
    if point not in f.knots:
        assert moved.at(x) == f.at(point)
    # Substitution: ∫ f(slope · x + shift) dx = ∫ f / |slope|.
    assert moved.integral() * abs(slope) == f.integral()


@FEW
@given(functions(), SMALL, SMALL)
def test_integrals_against_quadrature(f, x, y):
    low, high = sorted((x, y))
    assert near(float(f.integral()), quadrature(f))
    assert near(float(f.integral(low, high)), quadrature(f, number(low), number(high)))
    assert f.integral(high=low) + f.integral(low, high) + f.integral(low=high) == f.integral()


@FEW
@given(functions(), SMALL)
def test_the_antiderivative_is_the_integral_up_to_a_point(f, x):
    assert f.antiderivative().at(x) == f.integral(high=x)


@FEW
@given(functions())
def test_the_antiderivative_does_not_jump(f):
    total = f.antiderivative()
    for index, knot in enumerate(total.knots):
        below = Piecewise((), (total.pieces[index],), total.unit, total.denominator)
        assert below.at(knot) == total.at(knot)


@FEW
@given(functions(), st.lists(AFFINE, max_size=2), st.lists(AFFINE, max_size=2), SMALL)
def test_a_partial_integral_is_the_integral_between_the_bounds(f, lower, upper, u):
    made = partial_integral(f.antiderivative(), lower, upper)
    low = max((bound(u) for bound in lower), default=None)
    high = min((bound(u) for bound in upper), default=None)
    if low is not None and high is not None and low == high:
        assert made.at(u) == 0 * made.at(u)
    else:
        assert made.at(u) == f.integral(low, high)


def test_divergence_is_refused():
    one = Piecewise.of([], [[(1, 0, 0)]])
    growing = Piecewise.of([0], [[(1, 0, 1)], [(1, 0, 1)]])
    for f, ends in ((one, {}), (one, {"low": 0}), (growing, {}), (growing, {"low": 5})):
        with pytest.raises(ValueError, match="diverges"):
            f.integral(**ends)
    with pytest.raises(ValueError, match="diverges"):
        one.antiderivative()
    with pytest.raises(ValueError, match="diverges"):
        partial_integral(growing.antiderivative(), [Affine(1, 0)], [])
    assert growing.integral(high=0) == ExpSum.of({0: 1})


def test_a_constant_map_is_refused():
    with pytest.raises(ValueError, match="constant"):
        Piecewise.of([0], [[], [(1, 0, -1)]]).after(Affine(0, 1))
