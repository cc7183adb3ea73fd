"""Densities as piecewise functions, for the noise whose densities are of that form (a logistic one is not)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType

from alignkit.arithmetic.piecewise import Piecewise
from alignkit.errors import InputError
from alignkit.noise import EXPONENTIAL, LAPLACE, Distribution

# The distribution of one draw with its parameters; and that of each draw, by the draw's name.
NoiseLaw = tuple[Distribution, tuple[Fraction, ...]]
NoiseTable = Mapping[str, NoiseLaw]


def _laplace(scale: Fraction) -> Piecewise:
    """e^{-|x|/scale} / (2 scale)."""
    height = 1 / (2 * scale)
    return Piecewise.of([0], [[(height, 0, 1 / scale)], [(height, 0, -1 / scale)]])


def _exponential(scale: Fraction) -> Piecewise:
    """e^{-x/scale} / scale for x >= 0."""
    return Piecewise.of([0], [[], [(1 / scale, 0, -1 / scale)]])


DENSITIES: Mapping[str, Callable[..., Piecewise]] = MappingProxyType(
    {LAPLACE.name: _laplace, EXPONENTIAL.name: _exponential}
)
"""By the distribution's name: the density for its parameters, which scale as x does."""


@functools.lru_cache(maxsize=256)
def noise_density(distribution: Distribution, parameters: tuple[Fraction, ...], stretch: int = 1) -> Piecewise | None:
    """The density of stretch · X, or None where it is not piecewise exponential-polynomial (or not continuous).

    Every parameter in the table is a length, so that stretching X stretches them.

    >>> from alignkit.noise import GEOMETRIC
    >>> print(noise_density(LAPLACE, (Fraction(1, 2),), stretch=4).at(0))
    1/4
    >>> noise_density(GEOMETRIC, (Fraction(1), Fraction(1)))
    """
    made = DENSITIES.get(distribution.name)
    if made is None:
        return None
    if any(x <= 0 for x in parameters):
        raise InputError(f"noise.{distribution.name}: the parameters are {parameters}; write numbers above 0")
    return made(*(Fraction(x) * stretch for x in parameters))
