"""The source of noise at random, in floating point: values are drawn in advance, many at a time.

Each distribution has a buffer, which is filled again when it is empty, every time with twice as many values up to
a limit. So a run that draws little takes little from the generator, and a long one rarely asks numpy for more.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.arguments import shown
from alignkit.errors import InputError
from alignkit.noise.choice import CHOICE
from alignkit.noise.distribution import Distribution
from alignkit.noise.distribution_parameters import LARGEST, SCALE, checked_parameter
from alignkit.noise.noise_source import DISTRIBUTIONS, Noise

if TYPE_CHECKING:
    import numpy as np

_FIRST, _MOST = 32, 4096


class RandomNoise(Noise):
    """Noise at random, in floating point: for experiments, not for release.

    Made from a seed (an int), None (fresh entropy) or a numpy Generator, which then advances by whole buffers: what is
    left in them is drawn by nobody. The values depend on the seed and on what is drawn from this object, and on nothing
    else. Scales and lattices may be ints, floats or Fractions; anything not positive and finite raises InputError.

    >>> RandomNoise(7).laplace(2) == RandomNoise(7).laplace(2)
    True
    >>> RandomNoise(7).laplace(-1)
    Traceback (most recent call last):
    ...
    alignkit.errors.InputError: noise.laplace: scale is -1; write a number above 0, such as 1 / eps
    """

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        import numpy as np  # here, since what does not sample does not load it

        try:
            if isinstance(seed, bool):
                raise TypeError
            self.generator = np.random.default_rng(seed)
        except (TypeError, ValueError):
            raise InputError(f"seed is {shown(seed)}; write an int >= 0 or a numpy Generator") from None
        self._standard: dict[str, Callable[[], float]] = {}
        self._on_lattices: dict[tuple[Any, ...], Callable[[], Any]] = {}

    def draw(self, distribution: Distribution, *parameters: Any) -> Any:
        """One value: a float, or for noise on a lattice a multiple of it in the lattice's own type.

        >>> from alignkit.noise import CHOICE, GEOMETRIC
        >>> RandomNoise(1).draw(GEOMETRIC, 1e-3, 0.5), RandomNoise(1).draw(CHOICE, [0, 1])
        (0.0, 1)
        """
        if distribution.by_scale:
            return self.scale(distribution, *parameters) * self.standard(distribution)()
        if distribution is CHOICE:
            return distribution.sample(self.generator, *distribution.bind(*parameters))
        return self.on_lattice(distribution, *parameters)()

    def scale(self, distribution: Distribution, *parameters: Any) -> float:
        """The scale of a distribution that has no other parameter, checked, as a float."""
        (scale,) = distribution.bind(*parameters)
        if type(scale) is Fraction and scale.numerator > 0:
            try:
                number = float(scale)
            except OverflowError:
                number = 0.0  # refused below
            if 0 < number < LARGEST:
                return number
        return float(checked_parameter(scale, SCALE, distribution.name))

    def standard(self, distribution: Distribution) -> Callable[[], float]:
        """A function that draws the next value of a distribution with the scale 1."""
        drawing = self._standard.get(distribution.name)
        if drawing is None:
            buffers = self._buffers(distribution, (1.0,), _FIRST)
            drawing = self._standard[distribution.name] = itertools.chain.from_iterable(buffers).__next__
        return drawing

    def on_lattice(self, distribution: Distribution, *parameters: Any) -> Callable[[], Any]:
        """A function that draws the next value of a distribution on a lattice."""
        parameters = distribution.bind(*parameters)
        # Equal numbers of several types give values of several types.
        key = (distribution.name, parameters, *map(type, parameters))
        try:
            return self._on_lattices[key]
        except (KeyError, TypeError):  # what cannot be hashed is refused by the sampler
            first = self._buffer(distribution, parameters, _FIRST)  # at once, so that bad parameters are refused here
        rest = itertools.chain.from_iterable(self._buffers(distribution, parameters, 2 * _FIRST))
        self._on_lattices[key] = itertools.chain(first, rest).__next__
        return self._on_lattices[key]

    def many(self, name: str, count: int, *parameters: Any) -> list[Any]:
        """A list of draws with the same parameters, which need no buffer."""
        distribution = DISTRIBUTIONS[name]
        drawn: list[Any] = distribution.sample(self.generator, *distribution.bind(*parameters), size=count).tolist()
        return drawn

    def _buffers(self, distribution: Distribution, parameters: tuple[Any, ...], size: int) -> Iterator[list[Any]]:
        while True:
            yield self._buffer(distribution, parameters, size)
            size = min(2 * size, _MOST)

    def _buffer(self, distribution: Distribution, parameters: tuple[Any, ...], size: int) -> list[Any]:
        values: list[Any] = distribution.sample(self.generator, *parameters, size=size).tolist()
        return values
