"""The ratio of neighbouring probabilities of a geometric distribution, and certain bounds on its powers.

All arithmetic is on whole numbers that stand for multiples of 2^−bits, rounded outwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from alignkit.errors import InputError
from alignkit.plain_enclosures import exp_bounds

# A public parameter of more bits than this is refused: products of such numbers take long, then all of the memory.
MOST_BITS = 2**16


@dataclass(frozen=True)
class ExponentialRatio:
    """e^(−rate), for a rational rate > 0."""

    rate: Fraction

    def __post_init__(self) -> None:
        if self.rate <= 0:
            raise InputError(f"the rate of exact noise must be above 0, not {self.rate}")
        _check_size(self.rate, "the scale, in steps of the lattice,")

    def power(self, exponent: int, bits: int) -> tuple[int, int]:
        """Whole numbers around 2^bits · ratio^exponent, the closer the more bits.

        >>> ExponentialRatio(Fraction(1)).power(1, 20), int(2**20 / 2.718281828)
        ((385749, 385750), 385749)
        """
        return exp_bounds(self.rate * exponent, bits)


@dataclass(frozen=True)
class RationalRatio:
    """A rational number strictly between 0 and 1: the base of geometric noise of base 2."""

    base: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.base < 1:
            raise InputError(
                f"the base of exact noise must lie strictly between 0 and 1, and {_shown(self.base)} does not; "
                "write a rate above 0"
            )
        _check_size(self.base, "the base")

    def power(self, exponent: int, bits: int) -> tuple[int, int]:
        """Whole numbers around 2^bits · ratio^exponent, the closer the more bits.

        >>> RationalRatio(Fraction(1, 3)).power(2, 20), 2**20 // 9
        ((116508, 116509), 116508)
        """
        work = bits + 2 * exponent.bit_length() + 8
        scaled = self.base.numerator << work
        low, high = scaled // self.base.denominator, -(-scaled // self.base.denominator)
        one = 1 << work
        power_low = power_high = one
        while exponent:
            if exponent & 1:
                power_low, power_high = (power_low * low) >> work, _up(power_high * high, work)
            low, high = (low * low) >> work, _up(high * high, work)
            exponent >>= 1
        return power_low >> (work - bits), _up(power_high, work - bits)


GeometricRatio = ExponentialRatio | RationalRatio
"""A number strictly between 0 and 1."""


def powers(first: tuple[int, int], count: int, bits: int) -> list[tuple[int, int]]:
    """Whole numbers around 2^bits · r^j for j = 1, …, count, from those for j = 1: each by one product.

    >>> powers(RationalRatio(Fraction(1, 2)).power(1, 8), 3, 8)
    [(128, 128), (64, 64), (32, 32)]
    """
    low, high = first
    bounds = []
    for _ in range(count):
        bounds.append((low, high))
        low, high = (low * first[0]) >> bits, _up(high * first[1], bits)
    return bounds


def _up(value: int, bits: int) -> int:
    """value / 2^bits, rounded up."""
    return -(-value >> bits)


def _check_size(value: Fraction, what: str) -> None:
    size = value.numerator.bit_length() + value.denominator.bit_length()
    if size > MOST_BITS:
        raise InputError(
            f"{what} is a fraction of {size} bits, more than exact noise computes with ({MOST_BITS}); "
            "write a simpler privacy parameter"
        )


def _shown(value: Fraction) -> str:
    size = value.numerator.bit_length() + value.denominator.bit_length()
    return str(value) if size < 200 else f"a fraction of {size} bits"
