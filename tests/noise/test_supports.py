"""Which values noise may take: what the condition `valid noise` of a proof asks."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignkit.noise import DISCRETE_LAPLACE, EXPONENTIAL, GEOMETRIC, GUMBEL, LAPLACE, LOGISTIC, Support

THIRD = Fraction(1, 3)
lattices = st.fractions(Fraction(1, 1000), 1000)


def test_supports():
    assert [(s.name, s.continuous, s.one_sided) for s in Support] == [
        ("REALS", True, False),
        ("NONNEGATIVE", True, True),
        ("LATTICE", False, False),
        ("NONNEGATIVE_LATTICE", False, True),
        ("INDICES", False, True),
        ("INTERVAL", True, False),
        ("CUT_LATTICE", False, False),
    ]


def test_two_sided_continuous_noise_may_be_any_real():
    for two_sided in (LAPLACE, GUMBEL, LOGISTIC):
        assert all(two_sided.contains(x, 1) for x in (0, -3, 0.1, THIRD, -1e300, 10**400))


def test_one_sided_noise_may_not_be_negative():
    assert EXPONENTIAL.contains(0, 1)
    assert EXPONENTIAL.contains(THIRD, 1)
    assert not EXPONENTIAL.contains(-1e-300, 1)
    assert not EXPONENTIAL.contains(Fraction(-1, 10**400), 1)
    assert GEOMETRIC.contains(0, 1)
    assert not GEOMETRIC.contains(-1, 1)


@pytest.mark.parametrize("x", [float("nan"), float("inf"), -float("inf")])
def test_what_is_not_a_number_is_in_no_support(distribution, x):
    parameters = (1, 1)[: len(distribution.parameters)]
    assert not distribution.contains(x, *parameters)


@given(count=st.integers(-(10**30), 10**30), lattice=lattices)
def test_exact_multiples_are_on_the_lattice(count, lattice):
    assert DISCRETE_LAPLACE.contains(count * lattice, 1, lattice)
    assert GEOMETRIC.contains(count * lattice, 1, lattice) is (count >= 0)


@given(
    count=st.integers(-(10**30), 10**30),
    lattice=lattices,
    part=st.fractions(0, 1).filter(lambda f: 0 < f < 1),
)
def test_anything_between_two_multiples_is_off_the_lattice(count, lattice, part):
    between = (count + part) * lattice
    assert not DISCRETE_LAPLACE.contains(between, 1, lattice)
    assert not GEOMETRIC.contains(between, 1, lattice)


def test_the_lattice_is_the_integers_unless_given():
    assert DISCRETE_LAPLACE.contains(-7, 1)
    assert DISCRETE_LAPLACE.contains(-7.0, 1)
    assert not DISCRETE_LAPLACE.contains(Fraction(1, 2), 1)
    assert not DISCRETE_LAPLACE.contains(0.5, 1)


@given(count=st.integers(-(2**53), 2**53), lattice=st.floats(1e-6, 1e6))
def test_a_float_is_on_the_lattice_if_it_is_the_nearest_to_a_multiple(count, lattice):
    assert DISCRETE_LAPLACE.contains(count * lattice, 1, lattice)


def test_a_float_beside_the_nearest_is_off_the_lattice():
    assert DISCRETE_LAPLACE.contains(3 * 0.1, 1, 0.1)
    assert not DISCRETE_LAPLACE.contains(0.3, 1, 0.1)
    assert DISCRETE_LAPLACE.contains(0.3, 1, Fraction(1, 10))
    assert not DISCRETE_LAPLACE.contains(Fraction(3, 10), 1, 0.1), "a Fraction is exact: 0.1 is not 1/10"
