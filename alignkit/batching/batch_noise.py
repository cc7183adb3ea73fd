"""The noise of many runs at once, from one numpy Generator: floating point, not for release."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.batching.batch_values import Shape, varies
from alignkit.batching.columns import Array, NumberColumn, as_column
from alignkit.noise import CHOICE, DISTRIBUTIONS, Distribution


class BatchNoise:
    """Where a batch takes its noise from.

    ``draw`` gives a value for each place of the shape; the arguments were checked. ``key`` and ``iteration`` name the
    coordinate, as a replay does; an entry of ``iteration`` is a number, or a column where it differs from place to
    place. ``runs`` has the number of the run at each place.
    """

    records = False
    """Whether ``iteration`` and ``runs`` are wanted."""

    def draw(
        self, key: str, iteration: tuple[Any, ...], runs: Array, distribution: Distribution,
        arguments: tuple[Any, ...], shape: Shape,
    ) -> NumberColumn:  # fmt: skip
        raise NotImplementedError


class GeneratorNoise(BatchNoise):
    """BatchNoise at random."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator

    def draw(
        self, key: str, iteration: tuple[Any, ...], runs: Array, distribution: Distribution,
        arguments: tuple[Any, ...], shape: Shape,
    ) -> NumberColumn:  # fmt: skip
        if distribution is CHOICE:
            return self._choice(arguments[0], shape)
        if any(map(varies, arguments)):
            return self._by_arguments(distribution, arguments, shape)
        return self._alike(distribution, arguments, shape)

    def _alike(self, distribution: Distribution, arguments: tuple[Any, ...], shape: Shape) -> NumberColumn:
        """Draws with the same parameters."""
        standard = _STANDARD.get(distribution.name)
        if standard is not None:
            scale = float(arguments[0])
            drawn = standard(self.generator, shape)
            if scale != 1.0:
                drawn *= scale
            return NumberColumn(drawn)
        if distribution.support.continuous:
            return NumberColumn(distribution.sample(self.generator, *arguments, size=shape))
        first, lattice = arguments
        # Counted in steps of the lattice, which is the unit of the column.
        in_steps = first * lattice if distribution.base == 2 else first / Fraction(lattice)
        steps = distribution.sample(self.generator, in_steps, 1, size=shape)
        if type(lattice) is float:
            return NumberColumn(steps * lattice)
        return NumberColumn.of_counts(steps, Fraction(lattice), whole=type(lattice) is int)

    def _by_arguments(self, distribution: Distribution, arguments: tuple[Any, ...], shape: Shape) -> NumberColumn:
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
        return NumberColumn.of_values(values, shape)

    def _choice(self, weights: tuple[Any, ...], shape: Shape) -> NumberColumn:
        if not any(map(varies, weights)):
            shares = np.array([float(w) for w in weights])
            drawn = self.generator.choice(len(shares), size=shape, p=shares / shares.sum())
            return NumberColumn.of_counts(drawn, whole=True, bound=len(shares))
        shares = np.stack([np.broadcast_to(as_column(w).floats, shape) for w in weights])
        ends = np.cumsum(shares, axis=0)
        reached = self.generator.random(shape) * ends[-1]
        # The last outcome whose end is above; never one of weight 0.
        drawn = np.minimum((ends <= reached).sum(axis=0), len(weights) - 1)
        while (empty := np.take_along_axis(shares, drawn[None], axis=0)[0] == 0).any():
            drawn = drawn - empty
        return NumberColumn.of_counts(drawn, whole=True, bound=len(weights))


_PIECE = 2**14
_CENTRE = 1 - 2.0**-53


def _laplace(generator: np.random.Generator, shape: Shape) -> Array:
    """Laplace noise by the inverse of its distribution function, piece by piece in the processor's cache.

    Twice a uniform number less 1 - 2^-53 is an odd multiple of 2^-53 between -1 and 1, without rounding. Its sign is
    that of the noise, and 1 less its size, again without rounding, is uniform and never 0.
    """
    drawn = np.empty(shape)
    flat = drawn.reshape(-1)
    uniform = np.empty(min(_PIECE, flat.size))
    for start in range(0, flat.size, _PIECE):
        piece = flat[start : start + _PIECE]
        signed = uniform[: len(piece)]
        generator.random(out=signed)
        signed *= 2
        signed -= _CENTRE
        np.abs(signed, out=piece)
        np.subtract(1, piece, out=piece)
        np.log(piece, out=piece)
        np.copysign(piece, signed, out=piece)
    return drawn


def _exponential(generator: np.random.Generator, shape: Shape) -> Array:
    return generator.standard_exponential(shape)


_STANDARD: dict[str, Callable[[np.random.Generator, Shape], Array]] = {
    "laplace": _laplace,
    "exponential": _exponential,
}
assert set(_STANDARD) <= set(DISTRIBUTIONS)
