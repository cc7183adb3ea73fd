"""Text for people: counts, columns, numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

# The digits that are left of a number that has more than Python writes out; one or two more may be.
_DIGITS_LEFT = 100


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, in the plural where it is not 1.

    >>> counted(1, "target"), counted(2, "target"), counted(3, "query")
    ('1 target', '2 targets', '3 queries')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun.removesuffix('y') + 'ies' if noun.endswith('y') else noun + 's'}"


def aligned_columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Write rows as lines whose cells stand under one another; columns in ``right`` are aligned to the right.

    >>> aligned_columns([("item", "gap"), ("368", "12.5")], right=[1])
    ['item   gap', '368   12.5']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def value_shown(value: Any) -> str:
    """Write numbers, and lists and mappings of them, exactly."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {value_shown(one)}" for name, one in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(value_shown, value)) + "]"
    return full_text(value)


def full_text(value: object) -> str:
    """Write a value as ``str`` does, shortened only where it has more digits than Python writes out.

    >>> full_text(10**70) == str(10**70), full_text(Fraction(10**9999, 3))[-7:]
    (True, '0.../3')
    """
    try:
        return str(value)
    except ValueError:
        return by_parts(value)


def by_parts(value: object) -> str:
    """Write a value that cannot be written as a whole, for the digits that it has or because its ``__repr__`` fails."""
    if isinstance(value, Fraction):
        return f"{_first_digits(value.numerator)}/{_first_digits(value.denominator)}"
    if isinstance(value, int):
        return _first_digits(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(full_text, value))}]"
    return f"<{type(value).__name__}>"


def _first_digits(number: int) -> str:
    size = abs(number)
    dropped = int(size.bit_length() * math.log10(2)) - _DIGITS_LEFT
    if dropped <= 0:
        return str(number)
    return f"{'-' if number < 0 else ''}{size // 10**dropped}..."


def number_model_shown(model: str) -> str:
    """Name a number model, and over ideal reals what it leaves out."""
    if "real" not in model:
        return model
    return f"{model}; the floating-point sampler is not covered"


def loss_shown(loss: float) -> str:
    """Write a certified loss, rounded down to four decimal places; a smaller one than these show, to six digits.

    >>> loss_shown(0.29999), loss_shown(math.inf), loss_shown(2.0**-22)
    ('0.2999', 'infinite', '2.38418E-7')
    """
    if math.isinf(loss):
        return "infinite"
    if 0 < loss < 1e-4:
        return six_digits(loss, ROUND_FLOOR)
    whole, rest = divmod(math.floor(Fraction(loss) * 10**4), 10**4)
    return f"{whole}.{rest:04}"


def lower_bound_shown(loss: float) -> str:
    """Say how large a loss is at least.

    >>> lower_bound_shown(0.29999), lower_bound_shown(math.inf)
    ('at least 0.2999', 'infinite')
    """
    return loss_shown(loss) if math.isinf(loss) else f"at least {loss_shown(loss)}"


def six_digits(number: float, rounding: str) -> str:
    """Write a probability to six digits, rounded in the given direction.

    >>> from decimal import ROUND_CEILING, ROUND_FLOOR
    >>> six_digits(0.123456789, ROUND_FLOOR), six_digits(1e-9 / 3, ROUND_CEILING), six_digits(0.5, ROUND_CEILING)
    ('0.123456', '3.33334E-10', '0.5')
    """
    return str(Context(prec=6, rounding=rounding).create_decimal(Decimal(number)).normalize())
