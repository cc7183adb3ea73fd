"""The noise of many runs: each draw takes the next numbers of two streams, in the order in which the program draws.

So the text that Python runs, the one that numba compiles and the evaluator draw the same noise from the same seed, and
each may go on where another one has stopped.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from alignkit.errors import InputError
from alignkit.noise import (
    CHOICE,
    CUT_DISCRETE_LAPLACE,
    CUT_LAPLACE,
    DISTRIBUTIONS,
    STAIRCASE,
    UNIFORM,
    Distribution,
    RandomNoise,
)
from alignkit.noise.cut_laplace import checked_bounds, checked_lattice_bounds, quantile, steps_from_0
from alignkit.noise.distribution_parameters import RATE, checked_parameter, checked_weights, lattice_parameters
from alignkit.noise.staircase import checked_staircase
from alignkit.noise.uniform import below, checked_interval

_BLOCK = 1024


def generators(seed: np.random.SeedSequence) -> tuple[np.random.Generator, np.random.Generator]:
    """The generators of the two streams, of standard exponential and of uniform numbers."""
    first, second = np.random.SeedSequence(seed.entropy, spawn_key=seed.spawn_key).spawn(2)
    return np.random.default_rng(first), np.random.default_rng(second)


class StreamNoise(RandomNoise):
    """Noise in floating point from the two streams of a seed."""

    def __init__(self, seed: np.random.SeedSequence) -> None:
        first, second = generators(seed)
        self.exponential_stream = _numbers(first.standard_exponential)
        self.uniform_stream = _numbers(second.random)

    def draw(self, distribution: Distribution, *parameters: Any) -> Any:
        if distribution is CHOICE:
            weights = [float(weight) for weight in checked_weights(*distribution.bind(*parameters))]
            return _choose(self.uniform_stream(), weights)
        return super().draw(distribution, *parameters)

    def standard(self, distribution: Distribution) -> Callable[[], float]:
        exponential, uniform = self.exponential_stream, self.uniform_stream

        def positive() -> float:
            while not (drawn := exponential()):
                pass
            return drawn

        laws: dict[str, Callable[[], float]] = {
            "laplace": lambda: math.copysign(exponential(), uniform() - 0.5),
            "exponential": exponential,
            "gumbel": lambda: -math.log(positive()),
            "logistic": lambda: math.log(positive() / positive()),
        }
        if distribution.name not in laws:
            raise _unknown(distribution)
        return laws[distribution.name]

    def on_lattice(self, distribution: Distribution, *parameters: Any) -> Callable[[], Any]:
        if distribution is STAIRCASE:
            return self._staircase(*checked_staircase(*distribution.bind(*parameters)))
        if distribution is UNIFORM:
            low, high = checked_interval(*parameters)
            uniform, highest = self.uniform_stream, below(high)
            return lambda: min(low + (high - low) * uniform(), highest)
        if distribution is CUT_LAPLACE:
            bounds, drawn = checked_bounds(*parameters), self.uniform_stream
            return lambda: quantile(drawn(), *bounds)
        if distribution is CUT_DISCRETE_LAPLACE:
            down, up, scale, lattice = checked_lattice_bounds(*distribution.bind(*parameters))
            drawn, step = self.uniform_stream, float(lattice / scale)
            return lambda: steps_from_0(drawn(), drawn(), down, up, step) * lattice
        if not distribution.geometric_steps:
            raise _unknown(distribution)
        first, lattice = distribution.bind(*parameters)
        if distribution.base == 2:
            first = 1 / (float(checked_parameter(first, RATE, distribution.name)) * math.log(2))
        scale, lattice = lattice_parameters(first, lattice, distribution.name)
        step, exponential = float(lattice / scale), self.exponential_stream
        if distribution.support.one_sided:
            return lambda: int(exponential() / step) * lattice
        return lambda: (int(exponential() / step) - int(exponential() / step)) * lattice

    def _staircase(self, scale: float, gamma: float, period: float) -> Callable[[], float]:
        step, share = period / scale, gamma + (1 - gamma) * math.exp(-period / scale)
        exponential, uniform = self.exponential_stream, self.uniform_stream

        def drawn() -> float:
            whole, sign = int(exponential() / step), math.copysign(1.0, uniform() - 0.5)
            first, width = (0.0, gamma) if uniform() * share < gamma else (gamma, 1 - gamma)
            return sign * period * (whole + first + width * uniform())

        return drawn

    def many(self, name: str, count: int, *parameters: Any) -> list[Any]:
        distribution = DISTRIBUTIONS[name]
        if not distribution.by_scale:
            drawing = self.on_lattice(distribution, *parameters)
            return [drawing() for _ in range(count)]
        scale, drawing = self.scale(distribution, *parameters), self.standard(distribution)
        return [scale * drawing() for _ in range(count)]


def _unknown(distribution: Distribution) -> InputError:
    return InputError(f"many runs do not draw {distribution.name}; make one run at a time with sample")


def _numbers(drawing: Callable[[int], Any]) -> Callable[[], float]:
    def blocks() -> Iterator[list[float]]:
        while True:
            yield drawing(_BLOCK).tolist()

    return itertools.chain.from_iterable(blocks()).__next__


def _choose(uniform: float, weights: list[float]) -> int:
    """An outcome by its weight; never one of weight 0."""
    total, last = 0.0, 0
    for weight in weights:  # one after the other, as `sum` need not add
        total += weight
    left = uniform * total
    for i, weight in enumerate(weights):
        if weight > 0:
            last = i
            if left < weight:
                break
            left -= weight
    return last

