"""What a mechanism's author meets: `noise.laplace(1 / eps)`, its seeds and its error messages."""

import inspect
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from alignkit.errors import InputError
from alignkit.noise import DISTRIBUTIONS, LAPLACE, Noise, RandomNoise
from tests.noise.conftest import SCALED
from tests.noise.test_base2 import SAME_LAW

NAN, INF = float("nan"), float("inf")
NOT_POSITIVE = [0, 0.0, -1, Fraction(-1, 2), NAN, -INF, "1", None, True, 1j, [1.0], np.float64(0)]


on_a_lattice = pytest.mark.parametrize(
    "distribution", [d for d in SCALED.values() if not d.support.continuous], ids=lambda d: d.name
)


def test_every_distribution_has_its_method(distribution):
    drawn = []

    class Recording(Noise):
        def draw(self, distribution, *parameters):
            drawn.append((distribution, *parameters))
            return "the value"

    method = getattr(Recording(), distribution.name)
    assert method(Fraction(1, 2)) == "the value"
    assert drawn == [(distribution, *distribution.bind(Fraction(1, 2)))]
    declared = [(p.name, p.default) for p in distribution.parameters]
    callables = [method, distribution.variance]
    callables_after_one = [distribution.density_on_support, distribution.cost, distribution.sample]
    for function, skip in [(c, 0) for c in callables] + [(c, 1) for c in callables_after_one]:
        arguments = [p for p in inspect.signature(function).parameters.values() if p.name != "size"][skip:]
        if distribution.name in ("laplace", "discrete_laplace") and function is method:
            assert arguments.pop().name == "within"  # draws another distribution
        assert [(p.name, None if p.default is p.empty else p.default) for p in arguments] == declared


def test_every_distribution_is_tested():
    """A proof believes the bound of any distribution in DISTRIBUTIONS."""
    others = {"staircase", "uniform", "cut_laplace", "cut_discrete_laplace"}
    assert set(DISTRIBUTIONS) == SCALED.keys() | {binary.name for binary, _ in SAME_LAW} | others


def test_the_distributions_are_read_by_name_and_cannot_be_changed():
    assert DISTRIBUTIONS["laplace"] is LAPLACE
    with pytest.raises(TypeError):
        DISTRIBUTIONS["gauss"] = LAPLACE


def test_a_mechanism_called_by_hand_learns_how_to_run(distribution):
    with pytest.raises(InputError, match=rf"noise\.{distribution.name}: .*\.sample or \.replay"):
        getattr(Noise(), distribution.name)(1)


@pytest.mark.parametrize("scale", NOT_POSITIVE, ids=repr)
def test_a_scale_must_be_above_zero(distribution, scale):
    message = rf"noise\.{distribution.name}: scale is .*; write a number above 0, such as 1 / eps"
    with pytest.raises(InputError, match=message):
        getattr(RandomNoise(1), distribution.name)(scale)
    with pytest.raises(InputError, match=message):
        distribution.density(0, scale)


@on_a_lattice
@pytest.mark.parametrize("lattice", NOT_POSITIVE, ids=repr)
def test_a_lattice_must_be_above_zero(distribution, lattice):
    message = (
        rf"noise\.{distribution.name}: lattice is .*; write a number above 0, such as 1 or Fraction\(1, 2\)"
    )
    with pytest.raises(InputError, match=message):
        getattr(RandomNoise(1), distribution.name)(1, lattice)
    with pytest.raises(InputError, match=message):
        distribution.density(0, 1, lattice)


@pytest.mark.parametrize(
    ("scale", "what"),
    [(INF, "large"), (1e308, "large"), (10**5000, "large"), (Fraction(1, 10**400), "small")],
    ids=["inf", "1e308", "10**5000", "1/10**400"],
)
def test_a_scale_must_fit_floating_point(distribution, scale, what):
    with pytest.raises(InputError, match=f"scale is too {what} for floating point; write a number above 0"):
        getattr(RandomNoise(1), distribution.name)(scale)


@on_a_lattice
def test_a_lattice_must_not_be_far_finer_than_the_scale(distribution):
    for scale, lattice in ((2**51, 1), (1, Fraction(1, 2**51)), (1e-10, 1e-300)):
        with pytest.raises(
            InputError, match=r"too large to sample; write a scale of at most 2\*\*50 lattice"
        ):
            getattr(RandomNoise(1), distribution.name)(scale, lattice)


def test_the_number_of_parameters_is_checked(distribution):
    with pytest.raises(InputError, match=rf"noise\.{distribution.name} takes \(scale.*\), not 0 values"):
        RandomNoise(1).draw(distribution)
    with pytest.raises(InputError, match="not 3 values"):
        distribution.contains(0, 1, 1, 1)


@pytest.mark.parametrize("scale", [2, 2.0, Fraction(2), np.int64(2), np.float64(2)], ids=repr)
def test_any_kind_of_number_will_do(distribution, scale):
    value = getattr(RandomNoise(3), distribution.name)(scale)
    assert value == getattr(RandomNoise(3), distribution.name)(2)
    assert type(value) in (int, float)


def test_a_seed_repeats_the_noise_and_another_does_not(distribution):
    def draws(seed):
        noise = RandomNoise(seed)
        return [getattr(noise, distribution.name)(100) for _ in range(20)]

    assert draws(1) == draws(1) == draws(np.random.default_rng(1))
    assert draws(1) != draws(2)
    assert draws(None) != draws(None)


def test_a_generator_is_shared_not_copied():
    rng = np.random.default_rng(1)
    assert RandomNoise(rng).laplace(1) != RandomNoise(rng).laplace(1)


@pytest.mark.parametrize("seed", [-1, 1.5, "one"])
def test_a_seed_must_be_one(seed):
    with pytest.raises(InputError, match="write an int >= 0 or a numpy Generator"):
        RandomNoise(seed)


def test_drawing_noise_loads_no_solver():
    program = (
        "import sys, alignkit.noise as n\n"
        "n.RandomNoise(1).discrete_laplace(2); n.GEOMETRIC.mean(2); n.LAPLACE.density(0, 1)\n"
        "print([m for m in ('sympy', 'z3') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
