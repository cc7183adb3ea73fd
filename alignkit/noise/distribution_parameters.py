"""The parameters of a distribution, and which values they accept."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from alignkit.errors import InputError
from alignkit.noise.bits import Bits

# A draw of noise is at most about 40 scales from 0: below these bounds no draw overflows a float or an int64.
LARGEST = 2.0**1000
LARGEST_COUNT = 2**50


@dataclass(frozen=True)
class Parameter:
    """One parameter of a distribution: a positive public number. Without a default it must be given."""

    name: str
    default: int | None = None
    listed: bool = False  # a list of numbers, each at least 0


SCALE = Parameter("scale")
RATE = Parameter("rate")
WEIGHTS = Parameter("weights", listed=True)
LATTICE = Parameter("lattice", default=1)

_EXAMPLES: Mapping[Parameter, str] = MappingProxyType({SCALE: "1 / eps", RATE: "eta", LATTICE: "1 or Fraction(1, 2)"})


def positive_parameter(value: Any, parameter: Parameter, distribution: str) -> int | float | Fraction:
    """`value` as an int, a float or a Fraction, if it is a number above 0 that floats can hold; `Bits` as a float.

    >>> positive_parameter(Fraction(1, 3), SCALE, "laplace")
    Fraction(1, 3)
    >>> positive_parameter(0, SCALE, "laplace")
    Traceback (most recent call last):
    ...
    alignkit.errors.InputError: noise.laplace: scale is 0; write a number above 0, such as 1 / eps
    """
    if type(value) is float and 0.0 < value <= LARGEST:
        return value
    if isinstance(value, Bits):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise _refused(value, parameter, distribution)
    number: int | float | Fraction
    if isinstance(value, numbers.Integral):
        number = int(value)
    elif isinstance(value, numbers.Rational):
        number = Fraction(int(value.numerator), int(value.denominator))
    else:
        number = float(value)
    too_large = number > LARGEST
    if too_large or (number > 0 and float(number) == 0.0):
        raise InputError(
            f"noise.{distribution}: {parameter.name} is too {'large' if too_large else 'small'} "
            f"for floating point; write a number above 0 and at most 2**1000, such as {_EXAMPLES[parameter]}"
        )
    if not number > 0:
        raise _refused(value, parameter, distribution)
    return number


def checked_weights(weights: Any) -> Sequence[Any]:
    """The weights, if none is below 0 and one is above.

    >>> checked_weights([1, 0, 2])
    [1, 0, 2]
    >>> checked_weights([1, -1])
    Traceback (most recent call last):
    ...
    alignkit.errors.InputError: noise.choice: weight 1 is -1; write weights of at least 0
    """
    if not isinstance(weights, list | tuple) or not weights:
        raise InputError("noise.choice takes a list of weights, such as noise.choice([1, 2])")
    for i, weight in enumerate(weights):
        if not weight >= 0 or weight == float("inf"):
            raise InputError(f"noise.choice: weight {i} is {weight}; write weights of at least 0")
    if not any(weight > 0 for weight in weights):
        raise InputError("noise.choice: all weights are 0; write one above 0")
    return weights


def check_countable(scale: Any, lattice: Any, distribution: str) -> None:
    """Raise InputError where floating-point samplers cannot count the lattice steps of a draw in 64 bits.

    So the scale may be at most 2**50, and at most 2**50 steps.
    """
    if scale > LARGEST_COUNT or scale / lattice > LARGEST_COUNT:
        raise InputError(
            f"noise.{distribution}: scale is {scale} with lattice {lattice}, too large to sample; "
            f"write a scale of at most 2**50 lattice steps, and of at most 2**50"
        )


def _refused(value: Any, parameter: Parameter, distribution: str) -> InputError:
    example = _EXAMPLES[parameter]
    return InputError(
        f"noise.{distribution}: {parameter.name} is {value!r}; write a number above 0, such as {example}"
    )
