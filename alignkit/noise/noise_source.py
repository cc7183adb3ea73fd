"""The distributions that a mechanism may draw from, by name, and the source of its noise, with a method for each.

The source of noise at random, in floating point: values are drawn in advance, many at a time.

Each distribution has a buffer, which is filled again when it is empty, every time with twice as many values up to
a limit. So a run that draws little takes little from the generator, and a long one rarely asks numpy for more.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from alignkit.arguments import shown
from alignkit.errors import InputError
from alignkit.noise.base2_noise import DISCRETE_LAPLACE_BASE2, GEOMETRIC_BASE2
from alignkit.noise.bits import Bits
from alignkit.noise.choice import CHOICE
from alignkit.noise.cut_laplace import CUT_DISCRETE_LAPLACE, CUT_LAPLACE
from alignkit.noise.discrete_laplace import DISCRETE_LAPLACE
from alignkit.noise.distribution import Distribution
from alignkit.noise.distribution_parameters import LARGEST, SCALE, checked_parameter
from alignkit.noise.exponential import EXPONENTIAL
from alignkit.noise.geometric import GEOMETRIC
from alignkit.noise.gumbel import GUMBEL
from alignkit.noise.laplace import LAPLACE
from alignkit.noise.logistic import LOGISTIC
from alignkit.noise.staircase import STAIRCASE
from alignkit.noise.uniform import UNIFORM
from alignkit.public_names import public

if TYPE_CHECKING:
    import numpy as np


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
            STAIRCASE,
            UNIFORM,
            CUT_LAPLACE,
            CUT_DISCRETE_LAPLACE,
        )
    }
)
"""Those for which shifts have proved costs."""

DRAWS: Mapping[str, Distribution] = MappingProxyType({**DISTRIBUTIONS, CHOICE.name: CHOICE})
"""What a mechanism may draw: the distributions above and the finite choice."""


@public
class Noise:
    """The source of randomness that a mechanism draws from; also the annotation of that parameter.

    How a value comes about is a subclass's one decision, `draw`: at random, from a recorded noise vector, or
    as a symbol. A scale is a positive public number; a lattice too. What is drawn is a float to a type checker, as
    the answers are; exact noise draws ints and Fractions.

    >>> Noise().laplace(1)
    Traceback (most recent call last):
    ...
    alignkit.InputError: noise.laplace: a mechanism is run by .sample or .replay, which supply noise
    """

    def laplace(self, scale: Number, *, within: Number | None = None) -> float:
        """Laplace noise: mean 0, variance 2 scale², density exp(-|x|/scale) / (2 scale) on the reals.

        With ``within`` it is cut off: that of Laplace noise given that it lies between -within and within.

        >>> from alignkit.noise import RandomNoise
        >>> isinstance(RandomNoise(1).laplace(2), float)
        True
        """
        return self.draw(LAPLACE, scale) if within is None else self.cut_laplace(-within, within, scale)

    def cut_laplace(self, low: Number, high: Number, scale: Number) -> float:
        """Laplace noise, given that low <= x < high, for a low below 0 and a high above 0.

        >>> from alignkit.noise import RandomNoise
        >>> -1 <= RandomNoise(1).cut_laplace(-1, 2, 3) < 2
        True
        """
        return self.draw(CUT_LAPLACE, low, high, scale)

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

    def discrete_laplace(self, scale: Number, lattice: Number = 1, *, within: Number | None = None) -> float:
        """Discrete Laplace noise: multiples x of the lattice, each with probability ~ exp(-|x|/scale).

        With ``within``, a multiple of the lattice, only those from -within to within.

        >>> from fractions import Fraction
        >>> from alignkit.noise import RandomNoise
        >>> (RandomNoise(1).discrete_laplace(2, lattice=Fraction(1, 4)) * 4).denominator
        1
        """
        if within is not None:
            return self.cut_discrete_laplace(-within, within, scale, lattice)
        return self.draw(DISCRETE_LAPLACE, scale, lattice)

    def cut_discrete_laplace(self, low: Number, high: Number, scale: Number, lattice: Number = 1) -> float:
        """Discrete Laplace noise, given that low <= x <= high: multiples of the lattice, one below and one above 0.

        >>> from alignkit.noise import RandomNoise
        >>> RandomNoise(1).cut_discrete_laplace(-1, 2, 3) in (-1, 0, 1, 2)
        True
        """
        return self.draw(CUT_DISCRETE_LAPLACE, low, high, scale, lattice)

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

    def staircase(self, scale: Number, gamma: Number, period: Number = 1) -> float:
        """Staircase noise: a density in steps about 0, each exp(-period/scale) times as high as the last.

        It is highest for |x| < gamma · period, with gamma above 0 and below 1; each further step is a period wide. For
        the sensitivity Δ and a budget eps, the scale is Δ/eps and the period Δ.

        >>> from alignkit.noise import RandomNoise
        >>> isinstance(RandomNoise(1).staircase(2, 0.5), float)
        True
        """
        return self.draw(STAIRCASE, scale, gamma, period)

    def uniform(self, low: Number, high: Number) -> float:
        """Uniform noise: low <= x < high, with density 1 / (high - low).

        >>> from alignkit.noise import RandomNoise
        >>> 3 <= RandomNoise(1).uniform(3, 5) < 5
        True
        """
        return self.draw(UNIFORM, low, high)

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
    alignkit.InputError: noise.laplace: scale is -1; write a number above 0, such as 1 / eps
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
        """A function that draws the next value of a distribution on a lattice, or with several parameters."""
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
