"""Exact samplers against their laws: chi-square at an error rate of 1e-6 each, with fixed seeds."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from support.frequencies import chi_square

from alignkit import InputError, base2
from alignkit.noise import DISCRETE_LAPLACE, DISCRETE_LAPLACE_BASE2, GEOMETRIC, GEOMETRIC_BASE2, LAPLACE
from alignkit.noise.exact_sampling.drawing import (
    DiscreteLaplace,
    ExactNoise,
    ExponentialRatio,
    Geometric,
    RationalRatio,
    samplable,
    sampler,
)
from alignkit.noise.exact_sampling.randomness import SecureBits, SeededBits


def assert_follows(draws, law):
    statistic, most = chi_square(draws, law)
    assert statistic <= most


def geometric_law(r, size=2000):
    return {x: (1 - r) * r**x for x in range(size)}


def laplace_law(r, size=2000):
    return {x: (1 - r) / (1 + r) * r ** abs(x) for x in range(-size, size + 1)}


RATES = [Fraction(7, 20), Fraction(7, 200), Fraction(3), Fraction(1, 150)]
BASES = [Fraction(1, 2), Fraction(7, 8), Fraction(250, 256), Fraction(2, 3)]
RATIOS = [(ExponentialRatio(r), math.exp(-r)) for r in RATES] + [(RationalRatio(b), float(b)) for b in BASES]
IDS = [*(f"e^-{r}" for r in RATES), *map(str, BASES)]
N = 100_000


@pytest.mark.parametrize(("ratio", "r"), RATIOS, ids=IDS)
def test_geometric(ratio, r):
    draws = Geometric.of(ratio).draw(N, SeededBits(1))
    assert_follows(draws, geometric_law(r))
    assert {type(x) for x in draws} == {int}


@pytest.mark.parametrize(("ratio", "r"), RATIOS, ids=IDS)
def test_discrete_laplace(ratio, r):
    assert_follows(DiscreteLaplace.of(ratio).draw(N, SeededBits(2)), laplace_law(r))


@pytest.mark.parametrize(("ratio", "r"), RATIOS, ids=IDS)
def test_small_tables_and_words_sample_the_same_law(ratio, r):
    """Digits of two bits from words of three: nearly every draw looks closer, goes beyond its table, or both."""
    draws = Geometric.of(ratio, cells=4, width=3).draw(6000, SeededBits(3))
    assert_follows(draws, geometric_law(r))


def test_the_test_notices_a_slightly_wrong_law():
    draws = Geometric.of(RationalRatio(Fraction(1, 2))).draw(N, SeededBits(1))
    statistic, most = chi_square(draws, geometric_law(0.51))
    assert statistic > most
    statistic, most = chi_square([x + 1 for x in draws], geometric_law(0.5))
    assert statistic > most


def test_large_scales_have_the_right_quantiles():
    """Scales whose tables have several digits: draws above the median, its double and so on, each half as many."""
    for scale in (10**6, 2**50):
        geometric = Geometric.of(ExponentialRatio(Fraction(1, scale)))
        assert len(geometric.tables) > 2
        draws = geometric.draw(20_000, SeededBits(4))
        halves = Counter(min(5, int(x / (scale * math.log(2)))) for x in draws)
        assert_follows(list(halves.elements()), {0: 1 / 2, 1: 1 / 4, 2: 1 / 8, 3: 1 / 16, 4: 1 / 32, 5: 1 / 32})
        # The lowest digit is next to uniform.
        assert_follows([x % 1024 % 16 for x in draws], dict.fromkeys(range(16), 1 / 16))


def test_bits_of_the_operating_system_are_fair_and_new():
    """Each of 64 positions of many words, by a normal bound shared among them."""
    source = SecureBits()
    words = source.words(4096)
    ones = [int(np.count_nonzero(words & np.uint64(1 << i))) for i in range(64)]
    assert all(abs(k - 2048) <= 6.5 * 32 for k in ones)  # 64 two-sided tails at 6.5 deviations: below 1e-8
    assert source.consumed == 64 * 4096
    assert SecureBits().bits(256) != SecureBits().bits(256)


def test_bits_are_counted():
    source = SeededBits(1)
    assert 0 <= source.bits(3) < 8
    assert source.words(5, 6).max() < 64
    assert source.consumed == 3 + 5 * 6


@pytest.mark.parametrize(("distribution", "law"), [(GEOMETRIC, geometric_law), (DISCRETE_LAPLACE, laplace_law)])
def test_noise_of_a_run(distribution, law):
    noise = ExactNoise(SeededBits(7))
    lattice = Fraction(1, 4)
    draws = [noise.draw(distribution, Fraction(5, 2), lattice) for _ in range(30_000)]
    assert_follows([x / lattice for x in draws], law(math.exp(-0.1)))


@pytest.mark.parametrize(
    ("distribution", "law"), [(GEOMETRIC_BASE2, geometric_law), (DISCRETE_LAPLACE_BASE2, laplace_law)]
)
def test_noise_of_base_2(distribution, law):
    noise = ExactNoise(SeededBits(10))
    lattice = Fraction(1, 2)
    draws = [noise.draw(distribution, base2(3, 2, 2), lattice) for _ in range(30_000)]
    assert_follows([x / lattice for x in draws], law(0.75))
    draws = [noise.draw(distribution, Fraction(2), lattice) for _ in range(30_000)]
    assert_follows([x / lattice for x in draws], law(0.5))


def test_draws_of_several_laws_in_turn():
    noise = ExactNoise(SeededBits(8))
    pairs = [(noise.geometric(2), noise.discrete_laplace(20, 5)) for _ in range(20_000)]
    assert_follows([a for a, _ in pairs], geometric_law(math.exp(-0.5)))
    assert_follows([b // 5 for _, b in pairs], laplace_law(math.exp(-0.25)))
    assert all(b % 5 == 0 for _, b in pairs)


def test_noise_on_the_whole_numbers_is_made_of_ints():
    noise = ExactNoise(SeededBits(9))
    assert type(noise.discrete_laplace(Fraction(20, 7))) is int
    assert type(noise.discrete_laplace(Fraction(20, 7), Fraction(2, 1))) is int
    assert type(noise.geometric(3, Fraction(1, 2))) is Fraction


def test_ideal_reals_are_refused():
    assert not samplable(LAPLACE)
    with pytest.raises(InputError, match="over ideal reals"):
        ExactNoise(SeededBits(1)).laplace(1)


@pytest.mark.parametrize(
    ("scale", "words"),
    [(0.5, "not an exact number"), (0, "above 0"), (Fraction(-1, 2), "above 0"), (True, "not an exact number")],
)
def test_parameters_that_are_not_exact(scale, words):
    with pytest.raises(InputError, match=words):
        ExactNoise(SeededBits(1)).discrete_laplace(scale)


def test_more_precision_than_memory():
    with pytest.raises(InputError, match="simpler privacy parameter"):
        sampler(GEOMETRIC, (Fraction(1, 2 ** (2**21)), 1))
    for huge in (2**400, 2**60000):
        with pytest.raises(InputError, match="steps of the lattice"):
            sampler(GEOMETRIC, (huge, 1))
    with pytest.raises(InputError, match="steps of the lattice"):
        Geometric.of(RationalRatio(1 - Fraction(1, 2**400)))
    with pytest.raises(InputError, match="strictly between 0 and 1"):
        RationalRatio(Fraction(1))
