"""exp and quotients, on numbers and on sympy expressions alike; sympy is imported only when asked for."""

from __future__ import annotations

import importlib
import math
from fractions import Fraction
from typing import Any


def sympy() -> Any:
    """The sympy module, imported at the first call: drawing noise and checking alignments do without it."""
    return importlib.import_module("sympy")


def natural_exp(x: Any) -> Any:
    """e to the power x: a float for a number, a sympy expression for anything else.

    >>> natural_exp(0)
    1.0
    """
    return math.exp(x) if isinstance(x, int | float | Fraction) else sympy().exp(x)


def one_minus_exp(x: Any) -> Any:
    """1 - e**x, accurate to the last digits for x near 0; a sympy expression for anything but a number.

    >>> one_minus_exp(-1e-20)
    1e-20
    """
    return -math.expm1(x) if isinstance(x, int | float | Fraction) else 1 - sympy().exp(x)


def quotient(x: Any, y: Any) -> float:
    """x / y as a float, infinite where the exact quotient is too large for a float.

    >>> quotient(Fraction(1, 3), 2), quotient(-(10**400), 1)
    (0.16666666666666666, -inf)
    """
    try:
        return float(x / y)
    except OverflowError:
        return math.inf if (x > 0) == (y > 0) else -math.inf
