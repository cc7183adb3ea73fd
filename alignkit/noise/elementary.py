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
    """e to the power x: for a number a float, infinite where it is too large for one; otherwise a sympy expression.

    >>> natural_exp(0), natural_exp(1000)
    (1.0, inf)
    """
    if not isinstance(x, int | float | Fraction):
        return sympy().exp(x)
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def one_minus_exp(x: Any) -> Any:
    """1 - e**x, accurate to the last digits for x near 0; a sympy expression for anything but a number.

    >>> one_minus_exp(-1e-20)
    1e-20
    """
    return -math.expm1(x) if isinstance(x, int | float | Fraction) else 1 - sympy().exp(x)


def quotient(x: Any, y: Any) -> Any:
    """x / y: for numbers a float, infinite where it is too large for one; otherwise a sympy expression.

    >>> quotient(Fraction(1, 3), 2), quotient(-(10**400), 1)
    (0.16666666666666666, -inf)
    """
    try:
        ratio = x / y
        return float(ratio) if isinstance(ratio, int | float | Fraction) else ratio
    except OverflowError:
        return math.inf if (x > 0) == (y > 0) else -math.inf
