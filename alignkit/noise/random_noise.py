"""The source of noise at random, in floating point."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.arguments import shown
from alignkit.errors import InputError
from alignkit.noise.distribution import Distribution
from alignkit.noise.noise_source import Noise

if TYPE_CHECKING:
    import numpy as np

# So many values are drawn in advance, at most.
_MOST = 512


class RandomNoise(Noise):
    """Noise at random, in floating point: for experiments, not for release.

    Made from a seed (an int), None (fresh entropy) or a numpy Generator, which then advances: by more values than are
    asked for, since values for the same parameters are drawn in advance, many at once. Scales and lattices may be ints,
    floats or Fractions; anything not positive and finite raises InputError.

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
        self._waiting: dict[tuple[Any, ...], tuple[list[Any], int]] = {}

    def draw(self, distribution: Distribution, *parameters: Any) -> Any:
        """One value: a float, or for noise on a lattice a multiple of it in the lattice's own type.

        >>> from alignkit.noise import GEOMETRIC
        >>> RandomNoise(1).draw(GEOMETRIC, 1e-3, 0.5)
        0.0
        """
        key: tuple[Any, ...] = (distribution.name,)
        for value in parameters:
            kind = type(value)
            if kind is Fraction:
                key += (value.numerator, value.denominator)
            elif kind is int or kind is float:
                key += (kind, value)
            else:
                return distribution.sample(self.generator, *distribution.bind(*parameters))
        # The parameters were checked when the first value was drawn.
        waiting, number = self._waiting.get(key) or ((), 1)
        if not waiting:
            drawn = distribution.sample(self.generator, *distribution.bind(*parameters), size=number)
            waiting = drawn.tolist()
            waiting.reverse()
            self._waiting[key] = waiting, min(8 * number, _MOST)
        return waiting.pop()
