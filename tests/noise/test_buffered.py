"""Noise drawn many values at a time: what is refused, and what the values depend on."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from alignkit.errors import InputError
from alignkit.noise import DISTRIBUTIONS, GEOMETRIC, LAPLACE, RandomNoise, base2


def draws(noise, distribution, parameters, count=100):
    return [noise.draw(distribution, *parameters) for _ in range(count)]


@pytest.mark.parametrize("value", [0, -1, Fraction(-1, 2), Fraction(0), float("nan"), "1", None, True, 1e308,
                                   Fraction(10**400), Fraction(1, 10**400), [1]], ids=repr)  # fmt: skip
def test_parameters_are_refused_as_at_single_draws(distribution, value):
    with pytest.raises(InputError) as refused:
        RandomNoise(1).draw(distribution, value)
    with pytest.raises(InputError) as refused_alone:
        distribution.sample(np.random.default_rng(1), value)
    assert str(refused.value) == str(refused_alone.value)


def test_a_refused_scale_is_refused_again_and_does_no_harm(distribution):
    noise = RandomNoise(1)
    for _ in range(2):
        with pytest.raises(InputError, match="write a number above 0"):
            noise.draw(distribution, -1)
    assert noise.draw(distribution, 1) == RandomNoise(1).draw(distribution, 1)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS.values(), ids=lambda d: d.name)
def test_values_depend_on_the_seed_alone(distribution):
    parameters = (base2(1, 4),) if distribution.base == 2 else {
        "staircase": (7, 0.5), "uniform": (0, 7), "cut_laplace": (-5, 7, 7),
        "cut_discrete_laplace": (-5, 7, 7),
    }.get(distribution.name, (7,))
    first, second = RandomNoise(3), RandomNoise(3)
    drawn = draws(first, distribution, parameters, 300)
    draws(RandomNoise(4), distribution, parameters)
    assert drawn == draws(second, distribution, parameters, 300)
    assert drawn == draws(RandomNoise(np.random.default_rng(3)), distribution, parameters, 300)
    assert drawn != draws(RandomNoise(4), distribution, parameters, 300)
    assert draws(RandomNoise(), distribution, parameters) != draws(RandomNoise(), distribution, parameters)


def test_a_scale_multiplies():
    one, other = RandomNoise(1), RandomNoise(1)
    for scale in (1, 2.5, Fraction(1, 3), np.float64(2)):
        assert one.laplace(scale) == float(scale) * other.laplace(1)


def test_no_value_is_drawn_twice():
    noise = RandomNoise(1)
    drawn = [noise.laplace(scale) / scale for _ in range(5000) for scale in (1, 2)]
    assert len(set(drawn)) == len(drawn)
    rng = np.random.default_rng(1)
    assert not set(draws(RandomNoise(rng), LAPLACE, (1,))) & set(draws(RandomNoise(rng), LAPLACE, (1,)))


def test_a_generator_advances_by_whole_buffers():
    one, many = np.random.default_rng(1), np.random.default_rng(1)
    RandomNoise(one).laplace(1)
    draws(RandomNoise(many), LAPLACE, (1,), 30)
    assert one.random() == many.random()
    draws(RandomNoise(many), LAPLACE, (1,), 40)
    assert one.random() != many.random()


@pytest.mark.parametrize("lattice", [3, 0.25, Fraction(1, 3)], ids=str)
def test_a_value_on_a_lattice_has_the_lattices_own_type(lattice):
    noise = RandomNoise(1)
    # Equal numbers of other types come first.
    for same in (float(lattice), Fraction(lattice)):
        noise.geometric(10, same)
    for value in (*draws(noise, GEOMETRIC, (10, lattice)), *noise.many("geometric", 5, 10, lattice)):
        assert type(value) is type(lattice)
        assert GEOMETRIC.contains(value, 10, lattice)


def test_many_values_at_once(distribution):
    drawn = RandomNoise(1).many(distribution.name, 1000, Fraction(5, 2))
    assert len(drawn) == 1000
    assert drawn == RandomNoise(1).many(distribution.name, 1000, Fraction(5, 2))
    assert all(type(value) in (int, float) for value in drawn)
    assert len(set(drawn)) > 5
    with pytest.raises(InputError, match="write a number above 0"):
        RandomNoise(1).many(distribution.name, 2, -1)
