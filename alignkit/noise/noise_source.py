"""The distributions that a mechanism may draw from, by name, and the source of its noise, with a method for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, cast

from alignkit.errors import InputError
from alignkit.noise.base2_noise import DISCRETE_LAPLACE_BASE2, GEOMETRIC_BASE2
from alignkit.noise.bits import Bits
from alignkit.noise.choice import CHOICE
from alignkit.noise.discrete_laplace import DISCRETE_LAPLACE
from alignkit.noise.distribution import Distribution
from alignkit.noise.exponential import EXPONENTIAL
from alignkit.noise.geometric import GEOMETRIC
from alignkit.noise.gumbel import GUMBEL
from alignkit.noise.laplace import LAPLACE
from alignkit.noise.logistic import LOGISTIC

Number = float | Fraction

DISTRIBUTIONS: Mapping[str, Distribution] = MappingProxyType(
    {
        d.name: d
        for d in (
            LAPLACE,
            EXPONENTIAL,
            GEOMETRIC,
            DISCRETE_LAPLACE,
            GEOMETRIC_BASE2,
            DISCRETE_LAPLACE_BASE2,
            GUMBEL,
            LOGISTIC,
        )
    }
)
"""Those for which shifts have proved costs."""

DRAWS: Mapping[str, Distribution] = MappingProxyType({**DISTRIBUTIONS, CHOICE.name: CHOICE})
"""What a mechanism may draw: the distributions above and the finite choice."""


class Noise:
    """The source of randomness that a mechanism draws from; also the annotation of that parameter.

    How a value comes about is a subclass's one decision, `draw`: at random, from a recorded noise vector, or
    as a symbol. A scale is a positive public number; a lattice too. What is drawn is a float to a type checker, as
    the answers are; exact noise draws ints and Fractions.

    >>> Noise().laplace(1)
    Traceback (most recent call last):
    ...
    alignkit.errors.InputError: noise.laplace: a mechanism is run by .sample or .replay, which supply noise
    """

    def laplace(self, scale: Number) -> float:
        """Laplace noise: mean 0, variance 2 scale², density exp(-|x|/scale) / (2 scale) on the reals.

        >>> from alignkit.noise import RandomNoise
        >>> isinstance(RandomNoise(1).laplace(2), float)
        True
        """
        return self.draw(LAPLACE, scale)

    def exponential(self, scale: Number) -> float:
        """Exponential noise: x >= 0, mean scale, variance scale², density exp(-x/scale) / scale.

        >>> from alignkit.noise import RandomNoise
        >>> RandomNoise(1).exponential(2) >= 0
        True
        """
        return self.draw(EXPONENTIAL, scale)

    def geometric(self, scale: Number, lattice: Number = 1) -> float:
        """Geometric noise: 0, lattice, 2 lattice, ...; each exp(-lattice/scale) times as likely as the last.

        >>> from alignkit.noise import RandomNoise
        >>> RandomNoise(1).geometric(20, lattice=3) in range(0, 1000, 3)
        True
        """
        return self.draw(GEOMETRIC, scale, lattice)

    def discrete_laplace(self, scale: Number, lattice: Number = 1) -> float:
        """Discrete Laplace noise: multiples x of the lattice, each with probability ~ exp(-|x|/scale).

        >>> from fractions import Fraction
        >>> from alignkit.noise import RandomNoise
        >>> (RandomNoise(1).discrete_laplace(2, lattice=Fraction(1, 4)) * 4).denominator
        1
        """
        return self.draw(DISCRETE_LAPLACE, scale, lattice)

    def geometric_base2(self, rate: Number | Bits, lattice: Number = 1) -> float:
        """Geometric noise in base 2: 0, lattice, 2 lattice, ...; P(x) ~ 2**(-rate * x).

        >>> from alignkit.noise import RandomNoise
        >>> RandomNoise(1).geometric_base2(0.1, lattice=3) in range(0, 1000, 3)
        True
        """
        return self.draw(GEOMETRIC_BASE2, rate, lattice)

    def discrete_laplace_base2(self, rate: Number | Bits, lattice: Number = 1) -> float:
        """Discrete Laplace noise in base 2: multiples x of the lattice, each with P(x) ~ 2**(-rate * |x|).

        >>> from fractions import Fraction
        >>> from alignkit.noise import RandomNoise
        >>> (RandomNoise(1).discrete_laplace_base2(1, lattice=Fraction(1, 4)) * 4).denominator
        1
        """
        return self.draw(DISCRETE_LAPLACE_BASE2, rate, lattice)

    def gumbel(self, scale: Number) -> float:
        """Gumbel noise: density exp(-z - exp(-z)) / scale with z = x/scale, on the reals; mean 0.577 scale.

        In a proof it may be shifted up only: below 0 its density falls faster than any exponential.

        >>> from alignkit.noise import RandomNoise
        >>> isinstance(RandomNoise(1).gumbel(2), float)
        True
        """
        return self.draw(GUMBEL, scale)

    def logistic(self, scale: Number) -> float:
        """Logistic noise: mean 0, variance scale² π²/3, P(X <= x) = 1 / (1 + exp(-x/scale)).

        >>> from alignkit.noise import RandomNoise
        >>> isinstance(RandomNoise(1).logistic(2), float)
        True
        """
        return self.draw(LOGISTIC, scale)

    def choice(self, weights: Sequence[Number]) -> int:
        """A finite choice: the index i with probability weights[i] / sum(weights).

        >>> from alignkit.noise import RandomNoise
        >>> RandomNoise(1).choice([0, 3, 0])
        1
        """
        return cast(int, self.draw(CHOICE, weights))

    def draw(self, distribution: Distribution, *parameters: Any) -> float:
        """One value from the distribution; each kind of Noise defines this."""
        raise InputError(
            f"noise.{distribution.name}: a mechanism is run by .sample or .replay, which supply noise"
        )
