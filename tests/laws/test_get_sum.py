"""GetSum, as it is printed, against the sums that it stands for: at numbers, and for all ends by induction."""

from fractions import Fraction

import sympy
from hypothesis import given
from hypothesis import strategies as st

from alignkit.mechanisms.discrete_sampling import get_sum, get_sum_from, get_sum_of_all, get_sum_up_to

bases = st.fractions(Fraction(-9, 10), Fraction(9, 10), max_denominator=10)
ends = st.integers(-12, 12)


def added(B, ell, u):
    """(1 - B) times the sum of B^|k| for k from ell to u, term by term."""
    return (1 - B) * sum((Fraction(B) ** abs(k) for k in range(ell, u + 1)), Fraction(0))


@given(bases, ends, ends)
def test_finite_ends(B, one, other):
    ell, u = sorted((one, other))
    assert get_sum(B, ell, u) == added(B, ell, u)


@given(bases, ends, st.integers(1, 30))
def test_infinite_ends(B, end, steps):
    """What is left of an infinite sum after some steps is at most the geometric tail."""
    left = abs(Fraction(B)) ** steps * 2 / (1 - abs(B)) * (1 - B)
    assert abs(get_sum_from(B, end) - added(B, end, abs(end) + steps)) <= left
    assert abs(get_sum_up_to(B, end) - added(B, -abs(end) - steps, end)) <= left
    assert abs(get_sum_of_all(B) - added(B, -steps, steps)) <= left


def test_for_all_ends():
    """Raising the lower end by 1 takes away (1 - B) B^|l|, and far out nothing is left; so every value is right."""
    B, n = sympy.symbols("B", positive=True), sympy.symbols("n", integer=True, nonnegative=True)

    def upper(ell):  # line 29, whose cases are told apart by what is known of n
        return B ** abs(ell) if ell.is_nonnegative else 1 + B - B ** (abs(ell) + 1)

    def lower(u):  # line 27
        return B ** abs(u) if u.is_nonpositive else 1 + B - B ** (abs(u) + 1)

    for ell in (n, -n - 1):  # all whole numbers
        assert sympy.simplify(upper(ell) - upper(ell + 1) - (1 - B) * B ** abs(ell)) == 0
        assert sympy.simplify(lower(ell + 1) - lower(ell) - (1 - B) * B ** abs(ell + 1)) == 0
        assert sympy.simplify(upper(ell + 1) + lower(ell) - (1 + B)) == 0
    inside = sympy.Rational(1, 2)
    assert sympy.limit(upper(n).subs(B, inside), n, sympy.oo) == 0
    assert sympy.limit(lower(-n).subs(B, inside), n, sympy.oo) == 0
