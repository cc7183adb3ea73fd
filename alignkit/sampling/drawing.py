"""The noise of many runs at once, from one numpy Generator: floating point, not for release."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.noise import CHOICE, DISTRIBUTIONS, Distribution
from alignkit.noise.distribution_parameters import checked_parameter, checked_weights
from alignkit.sampling.columns import Array, Column, as_column
from alignkit.sampling.values import Shape, varies


class Noise:
    """Where a batch takes its noise from.

    ``draw`` gives a value for each place of the shape. ``key`` and ``iteration`` name the coordinate, as a replay
    does; an entry of ``iteration`` is a number, or a column where it differs from place to place. ``runs`` has the
    number of the run at each place.
    """

    records = False
    """Whether ``iteration`` and ``runs`` are wanted."""

    def draw(
        self, key: str, iteration: tuple[Any, ...], runs: Array, distribution: Distribution,
        arguments: tuple[Any, ...], shape: Shape,
    ) -> Column:  # fmt: skip
        raise NotImplementedError


class GeneratorNoise(Noise):
    """Noise at random."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator

    def draw(
        self, key: str, iteration: tuple[Any, ...], runs: Array, distribution: Distribution,
        arguments: tuple[Any, ...], shape: Shape,
    ) -> Column:  # fmt: skip
        if distribution is CHOICE:
            return self._choice(arguments[0], shape)
        if any(map(varies, arguments)):
            return self._by_arguments(distribution, arguments, shape)
        return self._alike(distribution, arguments, shape)

    def _alike(self, distribution: Distribution, arguments: tuple[Any, ...], shape: Shape) -> Column:
        """Draws with the same parameters."""
        standard = _STANDARD.get(distribution.name)
        if standard is not None:
            scale = float(checked_parameter(arguments[0], distribution.parameters[0], distribution.name))
            drawn = standard(self.generator, shape)
            if scale != 1.0:
                drawn *= scale
            return Column(drawn)
        if distribution.support.continuous:
            return Column(distribution.sample(self.generator, *arguments, size=shape))
        for value, parameter in zip(arguments, distribution.parameters, strict=True):
            checked_parameter(value, parameter, distribution.name)
        first, lattice = arguments
        # Counted in steps of the lattice, which is the unit of the column.
        in_steps = first * lattice if distribution.base == 2 else first / Fraction(lattice)
        steps = distribution.sample(self.generator, in_steps, 1, size=shape)
        if type(lattice) is float:
            return Column(steps * lattice)
        return Column.of_counts(steps, Fraction(lattice), whole=type(lattice) is int)

    def _by_arguments(self, distribution: Distribution, arguments: tuple[Any, ...], shape: Shape) -> Column:
        """Draws whose parameters differ from run to run."""
        lists = [as_column(a).map(lambda a: np.broadcast_to(a, shape)).values() for a in arguments]
        places: dict[tuple[Any, ...], list[int]] = {}
        for place, given in enumerate(zip(*lists, strict=True)):
            places.setdefault(given, []).append(place)
        values: list[Any] = [None] * len(lists[0])
        for given, at in places.items():
            drawn = self._alike(distribution, given, (len(at),)).values()
            for place, value in zip(at, drawn, strict=True):
                values[place] = value
        return Column.of_values(values, shape)

    def _choice(self, weights: tuple[Any, ...], shape: Shape) -> Column:
        if not any(map(varies, weights)):
            shares = np.array([float(w) for w in checked_weights(list(weights))])
            drawn = self.generator.choice(len(shares), size=shape, p=shares / shares.sum())
            return Column.of_counts(drawn, whole=True, bound=len(shares))
        shares = np.stack([np.broadcast_to(as_column(w).floats, shape) for w in weights])
        ends = np.cumsum(shares, axis=0)
        reached = self.generator.random(shape) * ends[-1]
        # The last outcome whose end is above; never one of weight 0.
        drawn = np.minimum((ends <= reached).sum(axis=0), len(weights) - 1)
        while (empty := np.take_along_axis(shares, drawn[None], axis=0)[0] == 0).any():
            drawn = drawn - empty
        return Column.of_counts(drawn, whole=True, bound=len(weights))


def _laplace(generator: np.random.Generator, shape: Shape) -> Array:
    """Exponential noise with a random sign: faster than a logarithm, and the tail ends nowhere."""
    drawn = generator.standard_exponential(shape)
    signs = generator.random(shape)
    signs -= 0.5
    return np.copysign(drawn, signs, out=drawn)


def _exponential(generator: np.random.Generator, shape: Shape) -> Array:
    return generator.standard_exponential(shape)


_STANDARD: dict[str, Callable[[np.random.Generator, Shape], Array]] = {
    "laplace": _laplace,
    "exponential": _exponential,
}
assert set(_STANDARD) <= set(DISTRIBUTIONS)
