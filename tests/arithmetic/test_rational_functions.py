"""Polynomials and ratios against their values at numbers, and signs against many numbers."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignkit.arithmetic.laurent_polynomials import LaurentPolynomial
from alignkit.arithmetic.rational_functions import RationalFunction, add_all
from alignkit.errors import Unsupported

POINT = (Fraction(2, 3), Fraction(1, 5))
monomials = st.tuples(st.integers(-2, 3), st.integers(-2, 3))
coefficients = st.integers(-3, 3) | st.fractions(-2, 2, max_denominator=3)
polynomials = st.dictionaries(monomials, coefficients, max_size=4).map(lambda terms: LaurentPolynomial.of(terms, 2))
ratios = polynomials.map(RationalFunction)


@given(polynomials, polynomials)
def test_arithmetic_of_polynomials(one, other):
    a, b = one.at(POINT), other.at(POINT)
    assert (one + other).at(POINT) == a + b
    assert (one - other).at(POINT) == a - b
    assert (one * other).at(POINT) == a * b
    assert (one**3).at(POINT) == a**3
    assert (one == other) == (not (one - other).terms)


@given(polynomials.filter(bool))
def test_normal_form(one):
    term, plain = one.normal()
    assert term * plain == one
    assert plain.terms[max(plain.terms)] == 1
    assert all(min(m[i] for m in plain.terms) == 0 for i in range(2))


@given(ratios, ratios, ratios)
def test_arithmetic_of_ratios(one, two, three):
    a, b, c = (each.at(POINT) for each in (one, two, three))
    assert (one + two * three).at(POINT) == a + b * c
    assert (1 - one).at(POINT) == 1 - a
    assert add_all([one, two, three, -two]).at(POINT) == a + c
    assert (one + two) * three == one * three + two * three
    if not two.is_zero and not three.is_zero:
        quotient = one / two + three / (two * three)
        assert quotient == (one + 1) / two
        if b and c:
            assert quotient.at(POINT) == a / b + 1 / b
            assert (1 / two).power(-2).at(POINT) == b**2


def test_division_by_nothing():
    with pytest.raises(ZeroDivisionError):
        _ = 1 / RationalFunction(LaurentPolynomial.of({}, 1))


@given(polynomials, st.lists(st.tuples(*[st.fractions(Fraction(1, 50), Fraction(49, 50))] * 2), min_size=5, max_size=5))
def test_a_sign_holds_at_every_base(one, points):
    sign = one.sign()
    for point in points:
        value = one.at(point)
        assert sign is None or sign == (value > 0) - (value < 0)


def power(*coefficients):
    return LaurentPolynomial.of({(i,): c for i, c in enumerate(coefficients)}, 1)


@pytest.mark.parametrize(
    ("polynomial", "sign"),
    [
        (power(1, -1), 1),
        (power(1, 1, 0, -1), 1),  # what LazyThreshold gives to below
        (power(0, 0, 1, -1), 1),
        (power(-1, 0, 1), -1),
        (power(1, -4, 4), None),  # 0 at a half
        (power(5, -20, 21), 1),  # positive, though its odds have both signs
        (power(-5, 20, -21), -1),
        (power(1, -3), None),
        (power(), 0),
        (LaurentPolynomial.of({(0, 1): 2, (1, 1): -3, (2, 1): 2}, 2), 1),
        (LaurentPolynomial.of({(0, 1): -2, (1, 1): 3, (2, 2): -2}, 2), None),
    ],
)
def test_signs(polynomial, sign):
    assert polynomial.sign() == sign
    if sign is None:
        with pytest.raises(Unsupported):
            RationalFunction(polynomial).compare(">", 0)
    else:
        assert RationalFunction(polynomial).compare(">=", 0) == (sign >= 0)
        assert RationalFunction(polynomial).compare("<", 0) == (sign < 0)
