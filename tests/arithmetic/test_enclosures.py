"""The two enclosures of exponentials, logarithms and roots, plain and flint's, against each other; and rounding."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable
from fractions import Fraction

import flint
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from alignkit.arithmetic.enclosures import (
    NotCloseEnough,
    ball,
    close_ends,
    ends,
    float_above,
    float_below,
    log_below,
    precision,
)
from alignkit.noise.exact_sampling.drawing import RationalRatio
from alignkit.plain_enclosures import exp_bounds, log_bounds, root_bounds

FEW = settings(max_examples=60, deadline=None, derandomize=True)
POSITIVE = st.fractions(min_value=Fraction(1, 10**12), max_value=10**12, max_denominator=10**12)


def at(bits: int, compute: Callable[[], flint.arb]) -> tuple[Fraction, Fraction]:
    with precision(bits):
        return ends(compute())


def overlap(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction], apart: Fraction) -> bool:
    """Whether two enclosures may hold the same number, and both are narrow."""
    (low, high), (low_, high_) = one, other
    return low <= high_ and low_ <= high and 0 <= high - low <= apart and 0 <= high_ - low_ <= apart


@FEW
@given(POSITIVE)
def test_logarithms(x: Fraction) -> None:
    assert overlap(log_bounds(x), at(200, lambda: ball(x).log()), Fraction(1, 10**18))


@FEW
@given(POSITIVE)
def test_roots(x: Fraction) -> None:
    assert overlap(root_bounds(x), at(200, lambda: ball(x).sqrt()), Fraction(1, 10**28))


@FEW
@given(st.fractions(min_value=0, max_value=300, max_denominator=10**9), st.integers(1, 200))
@example(Fraction(0), 53)
def test_exponentials(x: Fraction, bits: int) -> None:
    low, high = (Fraction(bound, 2**bits) for bound in exp_bounds(x, bits))
    assert overlap((low, high), at(bits + 64, lambda: ball(-x).exp()), Fraction(4, 2**bits))


@FEW
@given(st.fractions(min_value=Fraction(1, 100), max_value=Fraction(99, 100)), st.integers(0, 500), st.integers(1, 200))
def test_powers(base: Fraction, exponent: int, bits: int) -> None:
    low, high = (Fraction(bound, 2**bits) for bound in RationalRatio(base).power(exponent, bits))
    assert overlap((low, high), at(bits + 64, lambda: ball(base) ** exponent), Fraction(4, 2**bits))


@FEW
@given(st.fractions())
@example(Fraction(10) ** 400)
@example(Fraction(-(10**400)))
@example(Fraction(1, 10**400))
@example(Fraction(1, 10))
def test_floats_are_rounded_to_the_next(x: Fraction) -> None:
    below, above = float_below(x), float_above(x)
    assert below <= x <= above
    assert above <= math.nextafter(below, math.inf)
    assert (below == above) == (math.isfinite(below) and Fraction(below) == x)


@FEW
@given(POSITIVE)
def test_a_logarithm_is_rounded_down(ratio: Fraction) -> None:
    low, high = at(300, lambda: ball(ratio).log())
    assert log_below(ratio) <= low
    assert high <= math.nextafter(log_below(ratio), math.inf)


def test_the_precision_of_the_caller_is_given_back() -> None:
    before = flint.ctx.prec
    with contextlib.suppress(KeyError), precision(500):
        assert flint.ctx.prec == 500
        raise KeyError
    assert flint.ctx.prec == before
    close_ends(lambda: ball(2).sqrt(), 300)
    assert flint.ctx.prec == before


def test_threads_do_not_disturb_each_other() -> None:
    wrong = []

    def compute(bits: int) -> None:
        for _ in range(200):
            low, high = at(bits, lambda: ball(2).sqrt())
            if (high - low) * 2 ** (bits - 8) > 1 or not low**2 <= 2 <= high**2:
                wrong.append(bits)

    threads = [threading.Thread(target=compute, args=(bits,)) for bits in (60, 100, 400, 1000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_there_is_no_logarithm_of_what_is_not_above_zero() -> None:
    for ratio in (Fraction(0), Fraction(-1)):
        with pytest.raises(ValueError, match="logarithm"):
            log_below(ratio)


def test_what_takes_too_many_digits_is_refused() -> None:
    with pytest.raises(NotCloseEnough, match="1000 bits"):
        close_ends(lambda: ball(2).sqrt() ** 2 - 2, 20, most=1000)
    with pytest.raises(NotCloseEnough, match="too small"):
        close_ends(lambda: ball(-(10**9)).exp(), 20)
