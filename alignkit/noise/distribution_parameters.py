"""The parameters of a distribution, and which values they accept."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError
from alignkit.noise.bits import Bits

# A draw of noise is at most about 40 scales from 0: below these bounds no draw overflows a float or an int64.
LARGEST = 2.0**1000
LARGEST_COUNT = 2**50


@dataclass(frozen=True)
class Parameter:
    """One parameter of a distribution: a public number between two bounds, most often any above 0.

    Without a default it must be given. ``example`` is what a message proposes to write for it.
    """

    name: str
    example: str
    default: int | None = None
    listed: bool = False  # a list of numbers, each at least 0
    above: int | str | None = 0  # a number, or the name of a parameter before it
    below: int | None = None

    @property
    def range(self) -> str:
        """What it must be, in words.

        >>> GAMMA.range
        'above 0 and below 1'
        """
        bounds = (f"above {self.above}" if self.above is not None else "", f"below {self.below}" if self.below else "")
        return " and ".join(filter(None, bounds))


SCALE = Parameter("scale", "1 / eps")
RATE = Parameter("rate", "eta")
WEIGHTS = Parameter("weights", "[1, 2]", listed=True)
LATTICE = Parameter("lattice", "1 or Fraction(1, 2)", default=1)
GAMMA = Parameter("gamma", "1 / 2", below=1)
PERIOD = Parameter("period", "1", default=1)
LOW = Parameter("low", "0", above=None)
HIGH = Parameter("high", "1", above="low")


def checked_parameter(value: Any, parameter: Parameter, distribution: str) -> Any:
    """`value` as an int, a float or a Fraction, if it is a number in its range that floats can hold.

    `Bits` are a rate alone, and become a float. Of a list of weights, see `checked_weights`. Of two parameters of which
    one must be above the other, each is checked alone.

    >>> checked_parameter(Fraction(1, 3), SCALE, "laplace")
    Fraction(1, 3)
    >>> checked_parameter(0, SCALE, "laplace")
    Traceback (most recent call last):
    ...
    alignkit.InputError: noise.laplace: scale is 0; write a number above 0, such as 1 / eps
    """
    if parameter.listed:
        return checked_weights(value)
    if type(value) in (float, int) and 0 < value <= LARGEST and parameter.below is None:  # the usual case, quickly
        return value
    if parameter is RATE and isinstance(value, Bits):
        value = float(value)
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    above: float = parameter.above if isinstance(parameter.above, int) else -math.inf
    below: float = math.inf if parameter.below is None else parameter.below
    wanted = f"a number {parameter.range}" if above == 0 else "a finite number"
    if not is_number or not (above < value <= below and value != parameter.below):
        raise InputError(
            f"noise.{distribution}: {parameter.name} is {value!r}; write {wanted}, such as {parameter.example}"
        )
    number: int | float | Fraction
    if isinstance(value, numbers.Integral):
        number = int(value)
    elif isinstance(value, numbers.Rational):
        number = Fraction(int(value.numerator), int(value.denominator))
    else:
        number = float(value)
    too_large = not -LARGEST <= number <= LARGEST
    if too_large or (above == 0 and float(number) == 0.0):
        raise InputError(
            f"noise.{distribution}: {parameter.name} is too {'large' if too_large else 'small'} "
            f"for floating point; write {wanted} and at most 2**1000, such as {parameter.example}"
        )
    return number


def checked_weights(weights: Any) -> Sequence[Any]:
    """The weights, if none is below 0 and one is above.

    >>> checked_weights([1, 0, 2])
    [1, 0, 2]
    >>> checked_weights([1, -1])
    Traceback (most recent call last):
    ...
    alignkit.InputError: noise.choice: weight 1 is -1; write weights of at least 0
    """
    if not isinstance(weights, list | tuple) or not weights:
        raise InputError(f"noise.choice takes a list of weights, such as noise.choice({WEIGHTS.example})")
    for i, weight in enumerate(weights):
        if not weight >= 0 or weight == float("inf"):
            raise InputError(f"noise.choice: weight {i} is {weight}; write weights of at least 0")
    if not any(weight > 0 for weight in weights):
        raise InputError("noise.choice: all weights are 0; write one above 0")
    return weights


def lattice_parameters(scale: Any, lattice: Any, distribution: str) -> tuple[Any, Any]:
    """Scale and lattice, checked one by one and together.

    Samplers count lattice steps in 64 bits, so the scale may be at most 2**50 and at most 2**50 steps.

    >>> lattice_parameters(2, Fraction(1, 4), "geometric")
    (2, Fraction(1, 4))
    """
    scale = checked_parameter(scale, SCALE, distribution)
    lattice = checked_parameter(lattice, LATTICE, distribution)
    if scale > LARGEST_COUNT or scale / lattice > LARGEST_COUNT:
        raise InputError(
            f"noise.{distribution}: scale is {scale} with lattice {lattice}, too large to sample; "
            f"write a scale of at most 2**50 lattice steps, and of at most 2**50"
        )
    return scale, lattice
