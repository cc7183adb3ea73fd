"""Base 2: what noise with a rate is, beside noise with the scale 1 / (rate ln 2); and exact parameters in bits."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from alignkit.errors import InputError
from alignkit.noise import (
    DISCRETE_LAPLACE,
    DISCRETE_LAPLACE_BASE2,
    GEOMETRIC,
    GEOMETRIC_BASE2,
    Bits,
    RandomNoise,
    base2,
)
from alignkit.noise.bits import nearest_base2

SAME_LAW = [(DISCRETE_LAPLACE_BASE2, DISCRETE_LAPLACE), (GEOMETRIC_BASE2, GEOMETRIC)]
PAIRS = pytest.mark.parametrize(("binary", "natural"), SAME_LAW, ids=lambda d: d.name)
x, rate, lattice = sympy.symbols("x rate lattice", positive=True)


@PAIRS
def test_the_law_is_that_of_the_natural_scale(binary, natural):
    scale = 1 / (rate * sympy.log(2))
    r = 2 ** (-rate * lattice)
    for value in (x, *(() if binary.support.one_sided else (-x,))):
        law = (1 - r) / (1 if binary.support.one_sided else 1 + r) * 2 ** (-rate * sympy.Abs(value))
        for formula in (binary.formula(value, rate, lattice), natural.formula(value, scale, lattice)):
            assert sympy.simplify(sympy.expand_log(sympy.powsimp(formula - law))) == 0
    for moment in ("mean", "variance"):
        one, other = getattr(binary, moment)(rate, lattice), getattr(natural, moment)(scale, lattice)
        assert sympy.simplify(one - other) == 0
        assert getattr(binary, moment)(0.7, 2) == pytest.approx(
            getattr(natural, moment)(1 / (0.7 * math.log(2)), 2), abs=0
        )
    assert binary.density(3, 0.5) == pytest.approx(natural.density(3, 2 / math.log(2)))
    assert binary.base == 2
    assert natural.base is None


@PAIRS
def test_the_cost_is_the_loss_in_bits(binary, natural):
    for shift in (Fraction(-3), Fraction(0), Fraction(5)):
        bits = binary.cost(shift, Fraction(2, 3))
        assert float(bits) * math.log(2) == pytest.approx(float(natural.cost(shift, 1 / (2 / 3 * math.log(2)))))


@PAIRS
def test_bits_are_a_rate_and_nothing_else(binary, natural):
    source = np.random.default_rng(1)
    for sample in (
        lambda: natural.sample(source, base2(3, 2)),
        lambda: natural.sample(source, 1, base2(3, 2)),
        lambda: binary.sample(source, 1, base2(3, 2)),
    ):
        with pytest.raises(InputError, match="write a number above 0"):
            sample()


@PAIRS
def test_draws_follow_the_law(binary, natural):
    """Within the band that a true law leaves with probability below 10**-6 (Dvoretzky, Kiefer, Wolfowitz)."""
    many = 100_000
    counts = np.bincount(np.abs(binary.sample(np.random.default_rng(5), base2(3, 2, 1), size=many)))
    law = [float(Fraction(3, 4) ** k) for k in range(len(counts))]
    if binary is GEOMETRIC_BASE2:
        mass = [float(Fraction(1, 4)) * p for p in law]
    else:
        mass = [float(Fraction(1, 7)) * p * (2 if k else 1) for k, p in enumerate(law)]
    distance = np.max(np.abs(np.cumsum(counts) / many - np.cumsum(mass)))
    assert distance < math.sqrt(math.log(2e6) / (2 * many))
    wrong = np.max(np.abs(np.cumsum(counts) / many - np.cumsum(np.roll(mass, 1))))
    assert wrong > math.sqrt(math.log(2e6) / (2 * many))


@pytest.mark.parametrize("value", [0, -1, float("nan"), "1", None])
def test_a_rate_must_be_above_zero(value):
    with pytest.raises(InputError, match=r"noise\.discrete_laplace_base2: rate is .*such as eta"):
        RandomNoise(1).discrete_laplace_base2(value)


bases = st.builds(lambda y, share: (max(1, int(share * 2**y)), y), st.integers(1, 12), st.floats(0, 0.999))
numbers = st.builds(
    lambda base, z, c: base2(*base, z) + c, bases, st.integers(1, 4), st.fractions(0, 3, max_denominator=4)
)


@given(one=numbers, other=numbers)
def test_comparisons_are_those_of_the_numbers(one, other):
    assume(abs(float(one) - float(other)) > 1e-9)
    assert (one < other) == (float(one) < float(other))
    assert (one > other) == (float(one) > float(other))
    assert one != other


@given(one=numbers, other=numbers, factor=st.fractions(Fraction(1, 4), 4, max_denominator=6))
def test_arithmetic_is_that_of_the_numbers(one, other, factor):
    assert float(one + other) == pytest.approx(float(one) + float(other))
    assert float(one * factor) == pytest.approx(float(one) * float(factor))
    assert (one + other) - other == one
    assert (one * factor) / factor == one
    assert hash(one * factor / factor) == hash(one)


@given(base=bases, z=st.integers(1, 4), times=st.integers(0, 5))
def test_powers_are_exact(base, z, times):
    x, y = base
    assert base2(x, y, z).power(times) == Fraction(x, 2**y) ** (z * times)
    assert (base2(x, y, 2 * z) / 2).power(times) == Fraction(x, 2**y) ** (z * times)


def test_numbers_of_bits_that_are_written_in_two_ways_are_equal():
    assert base2(1, 2, 1) == 2 == base2(1, 1, 2)
    assert base2(9, 4, 1) == base2(3, 2, 2)
    assert base2(3, 2) != base2(3, 3)
    assert base2(1, 1, 1) + base2(3, 2, 1) > 1
    assert not base2(1, 1, 1) == "1"


@pytest.mark.parametrize(
    ("arguments", "nearest"),
    [((8, 3, 1), r"base2\(7, 3, 1\)"), ((0, 3, 1), r"base2\(1, 3, 1\)"), ((1, 1, 0.5), r"base2\(1, 1, 1\)"),
     ((1.5, 1, 1), r"base2\(1, 1, 1\)"), ((1, -2, 1), r"base2\(1, 1, 1\)"), (("a", 1, 1), r"write base2\(3, 2, 1\)")],
)  # fmt: skip
def test_the_refusal_of_a_base_names_the_nearest_that_is_valid(arguments, nearest):
    with pytest.raises(InputError, match=nearest):
        base2(*arguments)


def test_the_nearest_of_the_form():
    x, y, z = nearest_base2(0.1, 20)
    assert float(base2(x, y, z)) == pytest.approx(0.1, abs=1e-5)
    assert nearest_base2("1/1000", 4) == (15, 4, 1)


def test_the_refusal_of_an_irrational_power_says_which_z_would_do():
    with pytest.raises(InputError, match="give an eta whose z is a multiple of 3"):
        (base2(3, 2, 2) / 3).power(1)
    assert (base2(3, 2, 3) / 3).power(1) == Fraction(3, 4)
    assert Bits.of([]).power(7) == 1


def test_powers_of_parameters_that_are_tiny_or_have_many_digits_are_refused_at_once():
    for power in (10**12, 10**15 + 1):
        with pytest.raises(InputError, match=f"give an eta whose z is a multiple of {power}"):
            base2(1, 1).power(Fraction(1, power))
    for eta in (Fraction(123456789012, 10**12 + 1), 10**12):
        with pytest.raises(InputError, match=r"takes fractions of \d+ bits; use smaller x, y and z"):
            base2(1, 1, 1).power(eta)
