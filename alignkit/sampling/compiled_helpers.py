"""What the text for numba calls, on numbers in the representations of `compiled_text`.

The last letter of a name is ``f`` for floats, ``w`` for whole numbers, ``x`` for exact numbers and ``n`` for numbers
whose kind varies. What does not fit into an int64, or is not exact in the end, raises `Wide`; what is not defined,
`NotDefined`.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from math import copysign
from typing import Any

import numpy as np
from numba import njit as _njit

COMPENSATED = sys.version_info >= (3, 12)  # how Python adds floats
_LARGEST, _WHOLE = 2**62, 2**53


class Wide(Exception):
    """A number does not fit."""


class NotDefined(Exception):
    """A run is not defined, or the evaluator must say whether it is."""


class Full(Exception):
    """The arrays of outputs are full."""


def njit(function: Callable[..., Any]) -> Any:
    """The function compiled so that a division by 0 is for the text to see."""
    return _njit(function, error_model="numpy")


@njit
def fits(value):
    if value > _LARGEST or value < -_LARGEST:
        raise Wide
    return value


@njit
def add_w(a, b):
    return fits(a + b)


@njit
def subtract_w(a, b):
    return fits(a - b)


@njit
def multiply_w(a, b):
    if abs(float(a) * float(b)) > 4e18:
        raise Wide
    return a * b


@njit
def floor_divide_w(a, b):
    if b == 0:
        raise NotDefined
    return a // b


@njit
def remainder_w(a, b):
    if b == 0:
        raise NotDefined
    return a % b


@njit
def finite(a):
    if not a - a == 0:
        raise NotDefined
    return a


@njit
def divide_f(a, b):
    if b == 0:
        raise NotDefined
    return finite(a / b)


@njit
def f_of_w(a):
    if a > _WHOLE or a < -_WHOLE:
        raise Wide
    return float(a)


@njit
def x_of_w(a):
    return (a, 1)


@njit
def f_of_x(a):
    """Rounded once, as both parts are floats."""
    return f_of_w(a[0]) / f_of_w(a[1])


@njit
def reduced(a, b):
    """The exact number a / b, for b != 0."""
    if b < 0:
        a, b = -a, -b
    c, d = abs(a), b
    while d != 0:
        c, d = d, c % d
    return (a // c, b // c)


@njit
def add_x(a, b):
    if a[1] == b[1]:
        return (fits(a[0] + b[0]), a[1])
    top = fits(multiply_w(a[0], b[1]) + multiply_w(b[0], a[1]))
    return reduced(top, multiply_w(a[1], b[1]))


@njit
def negate_x(a):
    return (-a[0], a[1])


@njit
def abs_x(a):
    return (abs(a[0]), a[1])


@njit
def subtract_x(a, b):
    return add_x(a, negate_x(b))


@njit
def multiply_x(a, b):
    return reduced(multiply_w(a[0], b[0]), multiply_w(a[1], b[1]))


@njit
def divide_x(a, b):
    if b[0] == 0:
        raise NotDefined
    return reduced(multiply_w(a[0], b[1]), multiply_w(a[1], b[0]))


@njit
def divide_w(a, b):
    if b == 0:
        raise NotDefined
    return reduced(a, b)


@njit
def power_x(a, exponent):
    if exponent < 0:
        a = divide_x((1, 1), a)
    result = (1, 1)
    for _ in range(abs(exponent)):
        result = multiply_x(result, a)
    return result


@njit
def compare_w(a, b):
    return 1 if a > b else -1 if a < b else 0


@njit
def compare_x(a, b):
    if a[1] == b[1]:
        return compare_w(a[0], b[0])
    return compare_w(multiply_w(a[0], b[1]), multiply_w(b[0], a[1]))


@njit
def compare_fx(a, b):
    """A float with an exact number: beside the nearest float, by the exact product of it and the denominator."""
    nearest = f_of_x(b)
    if a != nearest:
        return 1 if a > nearest else -1
    top, below = f_of_w(b[0]), f_of_w(b[1])
    product = a * below
    split = 134217729.0
    ah = split * a - (split * a - a)
    bh = split * below - (split * below - below)
    al, bl = a - ah, below - bh
    error = al * bl - (product - ah * bh - al * bh - ah * bl)
    rest = (product - top) + error
    return 1 if rest > 0 else -1 if rest < 0 else 0


@njit
def ceiling(a):
    nearest = f_of_x(a)
    return nearest if compare_fx(nearest, a) >= 0 else np.nextafter(nearest, np.inf)


@njit
def floor(a):
    nearest = f_of_x(a)
    return nearest if compare_fx(nearest, a) <= 0 else np.nextafter(nearest, -np.inf)


# Numbers whose kind varies: 0 a float, 1 an exact number, 2 a tag, 3 a Boolean.


@njit
def n_of_f(a):
    return (0, a, 0, 1)


@njit
def n_of_w(a):
    return (1, 0.0, a, 1)


@njit
def n_of_x(a):
    return (1, 0.0, a[0], a[1])


@njit
def n_of_t(a):
    return (2, 0.0, a, 1)


@njit
def n_of_b(a):
    return (3, 0.0, 1 if a else 0, 1)


@njit
def is_tag(a, code):
    return a[0] == 2 and a[2] == code


@njit
def f_of_n(a):
    if a[0] > 1:
        raise NotDefined
    return a[1] if a[0] == 0 else f_of_x((a[2], a[3]))


@njit
def add_n(a, b):
    if a[0] == 1 and b[0] == 1:
        return n_of_x(add_x((a[2], a[3]), (b[2], b[3])))
    return n_of_f(f_of_n(a) + f_of_n(b))


@njit
def negate_n(a):
    return (a[0], -a[1], -a[2], a[3])


@njit
def subtract_n(a, b):
    return add_n(a, negate_n(b))


@njit
def multiply_n(a, b):
    if a[0] == 1 and b[0] == 1:
        return n_of_x(multiply_x((a[2], a[3]), (b[2], b[3])))
    return n_of_f(finite(f_of_n(a) * f_of_n(b)))


@njit
def divide_n(a, b):
    if a[0] == 1 and b[0] == 1:
        return n_of_x(divide_x((a[2], a[3]), (b[2], b[3])))
    return n_of_f(divide_f(f_of_n(a), f_of_n(b)))


@njit
def abs_n(a):
    return (a[0], abs(a[1]), abs(a[2]), a[3])


@njit
def compare_n(a, b):
    if a[0] > 1 or b[0] > 1:
        raise NotDefined
    if a[0] == 1:
        return compare_x((a[2], a[3]), (b[2], b[3])) if b[0] == 1 else -compare_fx(b[1], (a[2], a[3]))
    if b[0] == 1:
        return compare_fx(a[1], (b[2], b[3]))
    return 1 if a[1] > b[1] else -1 if a[1] < b[1] else 0


@njit
def compare_f(a, b):
    return 1 if a > b else -1 if a < b else 0


# Sequences


@njit
def item(values, index):
    if index < -len(values) or index >= len(values):
        raise NotDefined
    return values[index]


@njit
def of_length(values, length):
    if len(values) != length:
        raise NotDefined
    return values


@njit
def list_of(values):
    return [value for value in values]  # noqa: C416 - numba has no list of an array


@njit
def any_of(values):
    for value in values:  # noqa: SIM110 - numba has no generators here
        if value:
            return True
    return False


@njit
def all_of(values):
    for value in values:  # noqa: SIM110
        if not value:
            return False
    return True


@njit
def sum_f(values):
    """The sum of floats as Python has it."""
    total, lost = 0.0, 0.0
    for value in values:
        new = total + value
        if COMPENSATED:
            lost += (total - new) + value if abs(total) >= abs(value) else (value - new) + total
        total = new
    return finite(total + lost if COMPENSATED else total)


@njit
def sum_f_or_0(values):
    return n_of_f(sum_f(values)) if len(values) else n_of_w(0)


@njit
def sum_w(values):
    total = 0
    for value in values:
        total = add_w(total, value)
    return total


@njit
def sum_x(values):
    total = (0, 1)
    for value in values:
        total = add_x(total, value)
    return total


@njit
def sum_n(values):
    """The sum of numbers of which none, or all, are floats."""
    floats = 0
    for value in values:
        floats += value[0] == 0
    if floats and floats < len(values):
        raise Wide
    if floats:
        return n_of_f(sum_f([value[1] for value in values]))
    total = n_of_w(0)
    for value in values:
        total = add_n(total, value)
    return total


# Choices and draws


@njit
def scale_of(scale):
    if not (scale > 0 and scale < 2.0**1000):
        raise NotDefined
    return scale


@njit
def scale_of_rate(rate):
    return 1 / (scale_of(rate) * math.log(2))


@njit
def step_of(step, lattice):
    """A step of the lattice in units of the scale; what is too small is for the evaluator to judge."""
    if not (step > 2.0**-40 and step < 2.0**40 and lattice > 0):
        raise NotDefined
    return step


@njit
def gumbel(A):
    return -math.log(positive(A))


@njit
def logistic(A):
    return math.log(positive(A) / positive(A))


@njit
def positive(A):
    drawn = A.standard_exponential()
    while drawn == 0:
        drawn = A.standard_exponential()
    return drawn


@njit
def geometric(A, step):
    return int(A.standard_exponential() / step)


@njit
def discrete_laplace(A, step):
    up = geometric(A, step)
    return up - geometric(A, step)


@njit
def choose(B, weights):
    total = 0.0
    for weight in weights:
        if not weight >= 0:
            raise NotDefined
        total += weight
    if not (total > 0 and total < 2.0**1000):
        raise NotDefined
    left = B.random() * total
    last = 0
    for i, weight in enumerate(weights):
        if weight > 0:
            last = i
            if left < weight:
                break
            left -= weight
    return last


@njit
def exp_f(value):
    return n_of_w(1) if value == 0 else n_of_f(finite(math.exp(value)))


@njit
def log_f(value):
    if not value > 0:
        raise NotDefined
    return n_of_w(0) if value == 1 else n_of_f(math.log(value))


@njit
def sqrt_f(value):
    if not value >= 0:
        raise NotDefined
    return math.sqrt(value)


@njit
def round_w(value):
    return value


@njit
def round_f(value):
    if not abs(value) < _WHOLE:
        raise Wide
    whole = math.floor(value)
    rest = value - whole
    up = rest > 0.5 or (rest == 0.5 and int(whole) % 2 == 1)
    return int(whole) + (1 if up else 0)


@njit
def round_x(value):
    whole = value[0] // value[1]
    twice = multiply_w(2, value[0] - whole * value[1])
    return whole + (1 if twice > value[1] or (twice == value[1] and whole % 2 == 1) else 0)


@njit
def fill(array, lengths, codes, ints, floats, source, constant, whole, real, sizes, nothing):
    """Write one part of the outputs into an array of runs and positions; ``source`` says where a form has it."""
    at, ni, nd = 0, 0, 0
    for run in range(array.shape[0]):
        for position in range(lengths[run]):
            code = codes[at]
            at += 1
            kind = source[code]
            value = constant[code]
            if kind == 1:
                value = floats[nd + real[code]]
            elif kind == 2:
                value = float(ints[ni + whole[code]])
            elif kind == 3:
                value = ints[ni + whole[code]] / ints[ni + whole[code] + 1]
            elif kind == 4:
                i = ni + whole[code]
                value = floats[nd + real[code]] if ints[i] == 0 else ints[i + 1] / ints[i + 2]
            array[run, position] = value
            ni += sizes[code, 0]
            nd += sizes[code, 1]
        for position in range(lengths[run], array.shape[1]):
            array[run, position] = nothing


def _on_numbers(compare: Any) -> dict[str, Any]:
    """The functions that only compare numbers, for those that ``compare`` compares."""

    @njit
    def max_of_two(a, b):
        return b if compare(b, a) > 0 else a

    @njit
    def min_of_two(a, b):
        return b if compare(b, a) < 0 else a

    @njit
    def largest_of(values):
        best = item(values, 0)
        for value in values:
            best = max_of_two(best, value)
        return best

    @njit
    def smallest_of(values):
        best = item(values, 0)
        for value in values:
            best = min_of_two(best, value)
        return best

    @njit
    def clamp(value, low, high):
        if compare(low, high) > 0:
            raise NotDefined
        return low if compare(value, low) < 0 else high if compare(value, high) > 0 else value

    @njit
    def contained(value, values):
        for each in values:  # noqa: SIM110
            if compare(value, each) == 0:
                return True
        return False

    @njit
    def distinct(values):
        count = 0
        for i in range(len(values)):
            new = 1
            for j in range(i):
                if compare(values[i], values[j]) == 0:
                    new = 0
            count += new
        return count

    @njit
    def largest(values, k):
        if k < 1 or len(values) < k:
            raise NotDefined
        found = [0 for _ in range(k)]
        size = 0
        for i in range(len(values)):
            if size == k and compare(values[i], values[found[k - 1]]) <= 0:
                continue
            j = size if size < k else k - 1
            while j > 0 and compare(values[i], values[found[j - 1]]) > 0:
                if j < k:
                    found[j] = found[j - 1]
                j -= 1
            found[j] = i
            size = min(size + 1, k)
        return found

    return {
        "max_of_two": max_of_two, "min_of_two": min_of_two, "max": largest_of, "min": smallest_of, "clamp": clamp,
        "in": contained, "distinct": distinct, "largest": largest,
    }  # fmt: skip


@njit
def abs_f(value):
    return abs(value)


abs_w = abs_f

NAMES: dict[str, Any] = {
    **{name: value for name, value in globals().items() if hasattr(value, "py_func")},
    **{
        f"{name}_{end}": function
        for end, compare in (("f", compare_f), ("w", compare_w), ("x", compare_x), ("n", compare_n))
        for name, function in _on_numbers(compare).items()
    },
    "njit": njit,
    "copysign": copysign,
    "Full": Full,
}
