"""The noise of an exact run: every draw exact, from random bits taken in blocks."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from alignkit.errors import InputError
from alignkit.noise.bits import Bits, base2, nearest_base2
from alignkit.noise.distribution import Distribution
from alignkit.noise.distribution_parameters import RATE
from alignkit.noise.exact_sampling.randomness import RandomBits
from alignkit.noise.exact_sampling.ratios import MOST_BITS, ExponentialRatio, GeometricRatio, RationalRatio
from alignkit.noise.exact_sampling.samplers import DiscreteLaplace, Geometric, OnLattice
from alignkit.noise.noise_source import DISTRIBUTIONS, Noise

FIRST_BLOCK = 16
LARGEST_BLOCK = 1024

# Roots are found by bisection, a digit at a time.
MOST_ROOT_BITS = 2**13


def base_of(rate: Fraction | Bits, lattice: Fraction) -> Fraction:
    """2^(−rate · lattice), a fraction below 1; InputError, with the nearest rate, where it is none.

    >>> base_of(Fraction(2), Fraction(3, 2))
    Fraction(1, 8)
    """
    bits = rate if isinstance(rate, Bits) else rate + base2(1, 1) * 0
    factors, roots = bits.whole_powers(lattice)
    size = sum(
        abs(exponent) * (base.numerator.bit_length() + base.denominator.bit_length()) for base, exponent in factors
    )
    if size > (MOST_BITS if roots == 1 else MOST_ROOT_BITS):
        raise InputError(
            f"2**(-rate * lattice) takes a fraction of {size} bits, more than exact noise computes with; "
            "write eta = base2(x, y, z) with smaller x, y and z"
        )
    try:
        return bits.power(lattice)
    except InputError as problem:
        x, y, z = nearest_base2(float(bits * lattice))
        raise InputError(
            f"{problem}; the nearest rate with 16 bits is base2({x}, {y}, {z})"
            + ("" if lattice == 1 else f" / {lattice}")
        ) from None


def samplable(distribution: Distribution) -> bool:
    """Whether there is an exact sampler of the distribution.

    >>> from alignkit.noise import DISCRETE_LAPLACE, LAPLACE
    >>> samplable(DISCRETE_LAPLACE), samplable(LAPLACE)
    (True, False)
    """
    return distribution.geometric_steps


def sampler(distribution: Distribution, parameters: tuple[Any, ...]) -> OnLattice:
    """The exact sampler of a distribution for its parameters, defaults filled in.

    Raises InputError for a distribution over ideal reals, and for parameters that are not exact numbers above 0 or
    need more precision than there is memory for.

    >>> from alignkit.noise import GEOMETRIC
    >>> sampler(GEOMETRIC, (Fraction(1, 2), 1)).bits_per_draw
    64
    """
    if not samplable(distribution):
        why = ": it is noise over ideal reals" if distribution.support.continuous else ""
        raise InputError(
            f"noise.{distribution.name} has no exact sampler{why}; draw noise.discrete_laplace or noise.geometric"
        )
    exact = []
    for value, parameter in zip(parameters, distribution.parameters, strict=True):
        allowed = isinstance(value, int | Fraction) or (parameter is RATE and isinstance(value, Bits))
        if isinstance(value, bool) or not allowed:
            raise InputError(
                f"noise.{distribution.name}: {parameter.name} is {value!r}, which is not an exact number; "
                "write an int or a Fraction"
            )
        if value <= 0:
            raise InputError(f"noise.{distribution.name}: {parameter.name} is {value}; write a number above 0")
        exact.append(Bits(value.parts) if isinstance(value, Bits) else Fraction(value))
    return exact_sampler(distribution, *exact)


# Tables take longer to compute than a run takes; they are constants of the public parameters.
@lru_cache(maxsize=64)
def exact_sampler(distribution: Distribution, scale_or_rate: Any, lattice: Fraction) -> OnLattice:
    """The sampler for exact parameters, which were checked; its tables are kept."""
    ratio: GeometricRatio
    if distribution.base == 2:
        ratio = RationalRatio(base_of(scale_or_rate, lattice))
    else:
        ratio = ExponentialRatio(lattice / scale_or_rate)
    counts = Geometric.of(ratio) if distribution.support.one_sided else DiscreteLaplace.of(ratio)
    return OnLattice(counts, int(lattice) if lattice.denominator == 1 else lattice)


class ExactNoise(Noise):
    """Noise from random bits, exact to the last bit. Made for one run, for which it holds draws taken in advance.

    >>> from alignkit.noise.exact_sampling.randomness import SeededBits
    >>> noise = ExactNoise(SeededBits(1))
    >>> noise.discrete_laplace(20), noise.geometric(3, Fraction(1, 2))
    (-19, Fraction(3, 2))
    """

    def __init__(self, source: RandomBits) -> None:
        self._source = source
        self._distribution: Distribution | None = None
        self._parameters: tuple[Any, ...] = ()
        self._block: Block
        self._blocks: dict[tuple[Distribution, tuple[Any, ...]], Block] = {}
        self._values: list[Any] = []

    def draw(self, distribution: Distribution, *parameters: Any) -> Any:
        """One value: an int, or a Fraction on a lattice of fractions."""
        # Mostly it is the same draw as the last, and quickly recognised: tuples compare their items by identity first.
        if distribution is not self._distribution or parameters != self._parameters:
            self._switch(distribution, parameters)
        values = self._values
        if not values:
            self._block.fill(self._source)
        return values.pop()

    def many(self, name: str, count: int, *parameters: Any) -> list[Any]:
        """``count`` values of the distribution of that name, in one call.

        >>> from alignkit.noise.exact_sampling.randomness import SeededBits
        >>> len(ExactNoise(SeededBits(1)).many("geometric", 50, 3))
        50
        """
        self._switch(DISTRIBUTIONS[name], parameters)
        values = self._values
        if len(values) < count:
            self._block.fill(self._source, count - len(values))
        taken = values[-count:]
        del values[-count:]
        return taken

    def _switch(self, distribution: Distribution, parameters: tuple[Any, ...]) -> None:
        bound = distribution.bind(*parameters)
        key = distribution, bound
        if key not in self._blocks:
            self._blocks[key] = Block(sampler(distribution, bound))
        self._distribution, self._parameters = distribution, parameters
        self._block = self._blocks[key]
        self._values = self._block.values


class Block:
    """Draws of one law, taken in advance: first 16, then twice as many each time up to 1024, or as many as are needed.

    So the number of random bits that a run takes depends on which draws it makes, and when.
    """

    def __init__(self, law: OnLattice) -> None:
        self.values: list[Any] = []
        self._law = law
        self._size = FIRST_BLOCK

    def fill(self, source: RandomBits, needed: int = 1) -> None:
        self.values.extend(self._law.draw(max(self._size, needed), source))
        self._size = min(2 * self._size, LARGEST_BLOCK)
