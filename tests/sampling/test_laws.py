"""Whole laws of samples against exact ones. Each assertion rejects a right sampler with probability at most 1e-6."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.frequencies import Z, chi_square

from alignkit import law
from alignkit.errors import InputError
from alignkit.mechanisms.discrete_sampling import drawn_thresholds, lazy_thresholds
from alignkit.mechanisms.discrete_simulation import simulated_gap
from alignkit.mechanisms.discrete_sparse_vector import discrete_sparse_vector, discrete_sparse_vector_with_gap
from alignkit.mechanisms.laplace import laplace_mechanism
from alignkit.mechanisms.noisy_max import noisy_max, noisy_max_with_gap_exponential
from alignkit.mechanisms.sparse_vector import sparse_vector
from alignkit.noise import DISTRIBUTIONS
from alignkit.sampling.stream_noise import StreamNoise

RUNS = 50_000

# By the inequality of Dvoretzky, Kiefer and Wolfowitz, an empirical distribution function is further from its own with
# probability at most 1e-6.
DISTANCE = math.sqrt(math.log(2e6) / (2 * RUNS))

SPARSE = {"q": [0, 2, 1], "delta": 1, "c": 2, "w": 2, "gamma": 1}


def assert_law(draws: list[Any], law: dict[Any, float]) -> None:
    statistic, most = chi_square(draws, law)
    assert statistic <= most


def canonical(output: Any) -> Any:
    return tuple(canonical(x) for x in output) if isinstance(output, list | tuple) else output


@pytest.mark.parametrize(
    ("mechanism", "given"),
    [
        pytest.param(
            drawn_thresholds, {"q": 0, "tau": 2, "tau_c": 1, "gamma": 1, "eta": 1}, marks=pytest.mark.slow
        ),
        (lazy_thresholds, {"q": 0, "tau": 2, "tau_c": 1, "gamma": 1, "eta": 1}),
        (discrete_sparse_vector, {**SPARSE, "low": 0, "high": 3, "eta": 16}),
        (discrete_sparse_vector_with_gap, {**SPARSE, "G": [0, 1], "eta1": 1, "eta2": 4}),
        pytest.param(
            simulated_gap, {**SPARSE, "G": [0, 1], "low": 0, "high": 3, "eta1": 1, "eta2": 4}, marks=pytest.mark.slow
        ),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_discrete_laws_are_those_of_law(mechanism: Any, given: dict[str, Any]) -> None:
    exact = law(mechanism, **given)
    samples = mechanism.sample_many(**given, runs=RUNS, seed=1)
    outputs = {repr(canonical(o)): float(exact.at(o)) for o in exact}
    assert len(outputs) >= 3
    assert_law([repr(canonical(o)) for o in samples], outputs)


def assert_distributed(draws: Any, distribution: Callable[[Any], Any]) -> None:
    """Kolmogorov and Smirnov's statistic."""
    expected = distribution(np.sort(draws))
    steps = np.arange(len(draws) + 1) / len(draws)
    assert max(np.max(steps[1:] - expected), np.max(expected - steps[:-1])) <= DISTANCE


def test_laplace_noise_has_its_law_and_answers_are_independent() -> None:
    samples = laplace_mechanism.sample_many([5, 7], delta=1, eps=0.5, runs=RUNS, seed=2)
    assert samples.reals is not None
    first, second = (samples.reals - [5, 7]).T
    for noise in (first, second):
        assert_distributed(noise, lambda x: np.where(x < 0, np.exp(x / 2) / 2, 1 - np.exp(-np.abs(x) / 2) / 2))
        assert abs(noise.mean()) < 5 * math.sqrt(8 / RUNS)
        assert abs((noise > 20).mean() - math.exp(-10) / 2) < 5 * math.sqrt(math.exp(-10) / RUNS) + 5 / RUNS
    assert abs(np.corrcoef(np.sign(first), np.sign(second))[0, 1]) < 5 / math.sqrt(RUNS)


def test_the_sign_and_the_size_of_laplace_noise_over_many_draws() -> None:
    reals = laplace_mechanism.sample_many([0] * 40, delta=1, eps=1, runs=RUNS, seed=6).reals
    assert reals is not None
    draws = reals.size
    assert abs((reals > 0).mean() - 1 / 2) < Z * 1.05 / (2 * math.sqrt(draws))
    assert abs(np.abs(reals).mean() - 1) < Z * 1.05 / math.sqrt(draws)


def test_the_gap_of_two_equal_answers_is_exponential() -> None:
    gaps = noisy_max_with_gap_exponential.sample_many([0, 0], eps=1, runs=RUNS, seed=3).reals
    assert gaps is not None
    assert_distributed(gaps[:, 0], lambda x: 1 - np.exp(-x / 2))


def test_noisy_max_wins_as_often_as_two_laplace_variables_differ() -> None:
    indices = noisy_max.sample_many([1, 0], eps=1, runs=RUNS, seed=4).indices
    assert indices is not None
    lead = 1 / 2  # in units of the scale
    chance = 1 - math.exp(-lead) / 2 * (1 + lead / 2)
    assert abs((indices == 0).mean() - chance) < Z * math.sqrt(chance * (1 - chance) / RUNS) * 1.05


def test_sparse_vector_stops_where_the_integral_says() -> None:
    """Blocks of iterations are run at once, and what follows the first winner is thrown away."""
    n = 60
    samples = sparse_vector.sample_many([0] * n, T=20, k=1, eps=1, runs=RUNS, seed=5)
    grid = np.linspace(-60, 60, 240_001)
    density = np.exp(-np.abs(grid) / 2) / 4
    reach = 20 + grid
    wins = np.where(reach > 0, np.exp(-np.abs(reach) / 4) / 2, 1 - np.exp(-np.abs(reach) / 4) / 2)
    step = grid[1] - grid[0]
    chances = {j: float((density * wins * (1 - wins) ** (j - 1)).sum() * step) for j in range(1, n)}
    chances[n] = float((density * (1 - wins) ** (n - 1)).sum() * step)
    assert sum(chances.values()) == pytest.approx(1, abs=1e-6)
    assert_law(samples.lengths.tolist(), chances)


def test_noise_whose_law_many_runs_do_not_have_is_refused() -> None:
    # One does not fall by the same share at each step, and the other has a name that is not known.
    noise = StreamNoise(np.random.SeedSequence(0))
    with pytest.raises(InputError, match="many runs do not draw discrete_laplace"):
        noise.on_lattice(replace(DISTRIBUTIONS["discrete_laplace"], geometric_steps=False), 1, 1)
    with pytest.raises(InputError, match="many runs do not draw cauchy"):
        noise.standard(replace(DISTRIBUTIONS["laplace"], name="cauchy"))
