"""Values as Python source, for the snippets that replay what a report shows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def python_source(value: Any) -> str:
    """A value as Python source that makes an equal one; tuples become lists.

    >>> python_source((Fraction(1, 2), Fraction(3), None))
    '[Fraction(1, 2), 3, None]'
    """
    if isinstance(value, tuple):
        return "[" + ", ".join(python_source(x) for x in value) + "]"
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    try:
        return repr(value)
    except ValueError:  # more digits than Python reads or writes; hexadecimal ones have no limit
        parts = [hex(part) for part in value.as_integer_ratio()]
        return f"Fraction({', '.join(parts)})" if isinstance(value, Fraction) else parts[0]
