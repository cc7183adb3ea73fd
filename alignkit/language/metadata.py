"""What may stand beside a parameter's type in ``Annotated``: the sensitivity of answers, and their lattice."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from alignkit.language.parameters import declared_number


@dataclass(frozen=True)
class Sensitivity:
    """By how much a private answer may change between adjacent databases: ``Annotated[Queries, Sensitivity(2)]``.

    ``value`` is in the units of the answers: an exact number above 0 (an int, a Fraction, a text such as ``"1/3"``;
    a float means the decimal that it prints as), or the name of a public parameter of type Positive, for a proof that
    holds for every sensitivity. Without it the sensitivity is 1. It belongs to Query and Queries alone. Raises
    InputError for anything else.

    >>> Sensitivity("delta"), Sensitivity(0.5)
    (Sensitivity(value='delta'), Sensitivity(value=Fraction(1, 2)))
    >>> Sensitivity(0)
    Traceback (most recent call last):
    ...
    alignkit.errors.InputError: sensitivity must be above 0, not 0
    """

    value: int | float | Fraction | str

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", declared_number(self.value, "sensitivity"))


@dataclass(frozen=True)
class Lattice:
    """The spacing γ of a parameter's values, which are all multiples of it: ``Annotated[Queries, Lattice(1)]``.

    ``value`` is in the units of the values: an exact number above 0 (an int, a Fraction, a text such as ``"1/3"``;
    a float means the decimal that it prints as), or the name of a public parameter of type Positive. Real, Positive,
    Reals, Query and Queries may have one. Raises InputError for anything else.

    >>> Lattice("gamma"), Lattice("1/4")
    (Lattice(value='gamma'), Lattice(value=Fraction(1, 4)))
    """

    value: int | float | Fraction | str

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", declared_number(self.value, "lattice"))
