"""What the text for numba calls, on numbers in the representations of `compiled_text`.

The last letter of a name is ``f`` for floats, ``w`` for whole numbers, ``x`` for exact numbers and ``n`` for numbers
whose kind varies. What does not fit into an int64, or is not exact in the end, raises `Wide`; what is not defined,
`Unsure`.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from math import copysign
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit

COMPENSATED = sys.version_info >= (3, 12)  # how Python adds floats
_LARGEST, _WHOLE = 2**62, 2**53


class Wide(Exception):
    """A number does not fit."""


class Unsure(Exception):
    """A run is not defined, or the evaluator must say whether it is."""


class Full(Exception):
    """The arrays of outputs are full."""


def compiled_function(function: Callable[..., Any]) -> Any:
    """The function compiled by numba, where a division by 0 gives what floats have for it."""
    return njit(function, error_model="numpy")


# Every function from here to `_on_numbers` is compiled, in the end of this file.


def in_int64(value):
    if value > _LARGEST or value < -_LARGEST:
        raise Wide
    return value


def add_w(a, b):
    return in_int64(a + b)


def subtract_w(a, b):
    return in_int64(a - b)


def multiply_w(a, b):
    if abs(float(a) * float(b)) > 4e18:
        raise Wide
    return a * b


def floor_divide_w(a, b):
    if b == 0:
        raise Unsure
    return a // b


def remainder_w(a, b):
    if b == 0:
        raise Unsure
    return a % b


def finite(a):
    if not a - a == 0:
        raise Unsure
    return a


def add_f(a, b):
    return a + b


def multiply_f(a, b):
    return finite(a * b)


def divide_f(a, b):
    if b == 0:
        raise Unsure
    return finite(a / b)


def f_of_w(a):
    if a > _WHOLE or a < -_WHOLE:
        raise Wide
    return float(a)


def x_of_w(a):
    return (a, 1)


def f_of_x(a):
    """Rounded once, as both parts are floats."""
    return f_of_w(a[0]) / f_of_w(a[1])


def lowest_terms(a, b):
    """The exact number a / b, for b != 0."""
    if b < 0:
        a, b = -a, -b
    c, d = abs(a), b
    while d != 0:
        c, d = d, c % d
    return (a // c, b // c)


def add_x(a, b):
    if a[1] == b[1]:
        return (in_int64(a[0] + b[0]), a[1])
    top = in_int64(multiply_w(a[0], b[1]) + multiply_w(b[0], a[1]))
    return lowest_terms(top, multiply_w(a[1], b[1]))


def negate_x(a):
    return (-a[0], a[1])


def abs_x(a):
    return (abs(a[0]), a[1])


def subtract_x(a, b):
    return add_x(a, negate_x(b))


def multiply_x(a, b):
    return lowest_terms(multiply_w(a[0], b[0]), multiply_w(a[1], b[1]))


def divide_x(a, b):
    if b[0] == 0:
        raise Unsure
    return lowest_terms(multiply_w(a[0], b[1]), multiply_w(a[1], b[0]))


def divide_w(a, b):
    if b == 0:
        raise Unsure
    return lowest_terms(a, b)


def power_x(a, exponent):
    if exponent < 0:
        a = divide_x((1, 1), a)
    result = (1, 1)
    for _ in range(abs(exponent)):
        result = multiply_x(result, a)
    return result


def abs_w(a):
    return abs(a)


abs_f = abs_w


def compare_w(a, b):
    return 1 if a > b else -1 if a < b else 0


def compare_x(a, b):
    if a[1] == b[1]:
        return compare_w(a[0], b[0])
    return compare_w(multiply_w(a[0], b[1]), multiply_w(b[0], a[1]))


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


def least_above(a):
    nearest = f_of_x(a)
    return nearest if compare_fx(nearest, a) >= 0 else np.nextafter(nearest, np.inf)


def greatest_below(a):
    nearest = f_of_x(a)
    return nearest if compare_fx(nearest, a) <= 0 else np.nextafter(nearest, -np.inf)


# Numbers whose kind varies: 0 a float, 1 an exact number, 2 a tag, 3 a Boolean.


def n_of_f(a):
    return (0, a, 0, 1)


def n_of_w(a):
    return (1, 0.0, a, 1)


def n_of_x(a):
    return (1, 0.0, a[0], a[1])


def n_of_t(a):
    return (2, 0.0, a, 1)


def n_of_b(a):
    return (3, 0.0, 1 if a else 0, 1)


def is_the_tag(a, code):
    return a[0] == 2 and a[2] == code


def f_of_n(a):
    if a[0] > 1:
        raise Unsure
    return a[1] if a[0] == 0 else f_of_x((a[2], a[3]))


def negate_n(a):
    return (a[0], -a[1], -a[2], a[3])


def abs_n(a):
    return (a[0], abs(a[1]), abs(a[2]), a[3])


def compare_n(a, b):
    if a[0] > 1 or b[0] > 1:
        raise Unsure
    if a[0] == 1:
        return compare_x((a[2], a[3]), (b[2], b[3])) if b[0] == 1 else -compare_fx(b[1], (a[2], a[3]))
    if b[0] == 1:
        return compare_fx(a[1], (b[2], b[3]))
    return 1 if a[1] > b[1] else -1 if a[1] < b[1] else 0


def compare_f(a, b):
    return 1 if a > b else -1 if a < b else 0


# Sequences


def item(values, index):
    if index < -len(values) or index >= len(values):
        raise Unsure
    return values[index]


def of_length(values, length):
    if len(values) != length:
        raise Unsure
    return values


def list_of(values):
    return [value for value in values]  # noqa: C416 - numba has no list of an array


def any_true(values):
    for value in values:  # noqa: SIM110 - numba has no generators here
        if value:
            return True
    return False


def all_true(values):
    for value in values:  # noqa: SIM110
        if not value:
            return False
    return True


def sum_f(values):
    """The sum of floats as Python has it."""
    total, lost = 0.0, 0.0
    for value in values:
        new = total + value
        if COMPENSATED:
            lost += (total - new) + value if abs(total) >= abs(value) else (value - new) + total
        total = new
    return finite(total + lost if COMPENSATED else total)


def sum_f_or_0(values):
    return n_of_f(sum_f(values)) if len(values) else n_of_w(0)


def sum_w(values):
    total = 0
    for value in values:
        total = add_w(total, value)
    return total


def sum_x(values):
    total = (0, 1)
    for value in values:
        total = add_x(total, value)
    return total


def sum_n(values):
    """The sum of numbers of which none, or all, are floats."""
    floats = 0
    for value in values:
        floats += value[0] == 0
    if floats and floats < len(values):
        raise Wide
    if floats:
        return n_of_f(sum_f([value[1] for value in values]))
    return n_of_x(sum_x([(value[2], value[3]) for value in values]))


# Choices and draws


def scale_of(scale):
    if not (scale > 0 and scale < 2.0**1000):
        raise Unsure
    return scale


def scale_of_rate(rate):
    return 1 / (scale_of(rate) * math.log(2))


def step_of(step, lattice):
    """A step of the lattice in units of the scale; what is too small is for the evaluator to judge."""
    if not (step > 2.0**-40 and step < 2.0**40 and lattice > 0):
        raise Unsure
    return step


def draw_gumbel(A):
    return -math.log(positive(A))


def draw_logistic(A):
    return math.log(positive(A) / positive(A))


def positive(A):
    drawn = A.standard_exponential()
    while drawn == 0:
        drawn = A.standard_exponential()
    return drawn


def draw_geometric(A, step):
    return int(A.standard_exponential() / step)


def draw_discrete_laplace(A, step):
    up = draw_geometric(A, step)
    return up - draw_geometric(A, step)


def draw_choice(B, weights):
    total = 0.0
    for weight in weights:
        if not weight >= 0:
            raise Unsure
        total += weight
    if not (total > 0 and total < 2.0**1000):
        raise Unsure
    left = B.random() * total
    last = 0
    for i, weight in enumerate(weights):
        if weight > 0:
            last = i
            if left < weight:
                break
            left -= weight
    return last


def exp_f(value):
    return n_of_w(1) if value == 0 else n_of_f(finite(math.exp(value)))


def log_f(value):
    if not value > 0:
        raise Unsure
    return n_of_w(0) if value == 1 else n_of_f(math.log(value))


def sqrt_f(value):
    if not value >= 0:
        raise Unsure
    return math.sqrt(value)


def round_w(value):
    return value


def round_f(value):
    if not abs(value) < _WHOLE:
        raise Wide
    whole = math.floor(value)
    rest = value - whole
    up = rest > 0.5 or (rest == 0.5 and int(whole) % 2 == 1)
    return int(whole) + (1 if up else 0)


def rounded_down_w(value):
    return value


def rounded_down_f(value):
    if not abs(value) < _WHOLE:
        raise Wide
    whole = math.floor(value)
    return int(whole)


def rounded_down_x(value):
    return value[0] // value[1]


def rounded_up_w(value):
    return value


def rounded_up_f(value):
    if not abs(value) < _WHOLE:
        raise Wide
    whole = math.ceil(value)
    return int(whole)


def rounded_up_x(value):
    return -(-value[0] // value[1])


def round_x(value):
    whole = value[0] // value[1]
    twice = multiply_w(2, value[0] - whole * value[1])
    return whole + (1 if twice > value[1] or (twice == value[1] and whole % 2 == 1) else 0)


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

    @compiled_function
    def max_of_two(a, b):
        return b if compare(b, a) > 0 else a

    @compiled_function
    def min_of_two(a, b):
        return b if compare(b, a) < 0 else a

    @compiled_function
    def largest_of(values):
        best = item(values, 0)
        for value in values:
            best = max_of_two(best, value)
        return best

    @compiled_function
    def smallest_of(values):
        best = item(values, 0)
        for value in values:
            best = min_of_two(best, value)
        return best

    @compiled_function
    def clamp(value, low, high):
        if compare(low, high) > 0:
            raise Unsure
        return low if compare(value, low) < 0 else high if compare(value, high) > 0 else value

    @compiled_function
    def contained(value, values):
        for each in values:  # noqa: SIM110
            if compare(value, each) == 0:
                return True
        return False

    @compiled_function
    def distinct(values):
        count = 0
        for i in range(len(values)):
            new = 1
            for j in range(i):
                if compare(values[i], values[j]) == 0:
                    new = 0
            count += new
        return count

    @compiled_function
    def largest(values, k):
        if k < 1 or len(values) < k:
            raise Unsure
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


def _mixed(exact: Any, real: Any) -> Any:
    """An operation on numbers whose kind varies: exact if both are, else on floats."""

    @compiled_function
    def mixed(a, b):
        if a[0] == 1 and b[0] == 1:
            return n_of_x(exact((a[2], a[3]), (b[2], b[3])))
        return n_of_f(real(f_of_n(a), f_of_n(b)))

    return mixed


_KEPT = (compiled_function, _on_numbers, _mixed)
_COMPILED = {
    name: compiled_function(value)
    for name, value in list(globals().items())
    if isinstance(value, FunctionType) and value.__module__ == __name__ and value not in _KEPT
}
globals().update(_COMPILED)

NAMES: dict[str, Any] = {
    **_COMPILED,
    **{f"{name}_n": _mixed(globals()[f"{name}_x"], globals()[f"{name}_f"]) for name in ("add", "multiply", "divide")},
    **{
        f"{name}_{end}": function
        for end in "fwxn"
        for name, function in _on_numbers(_COMPILED[f"compare_{end}"]).items()
    },
    "njit": compiled_function,
    "copysign": copysign,
    "Full": Full,
}
