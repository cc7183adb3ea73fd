"""The binomial bounds against exact tails, at the extremes, and by coverage."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from alignkit import InputError
from alignkit.auditing.certifying import loss_bound
from alignkit.auditing.certifying import probability_lower_bound as lower
from alignkit.auditing.certifying import probability_upper_bound as upper


def tail(k: int, n: int, p: Fraction) -> Fraction:
    """P(Bin(n, p) >= k), exactly."""
    return sum((math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), Fraction(0))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20, 60, 130])
@pytest.mark.parametrize("error", [1e-6, 0.01, 0.3, 0.9])
def test_bounds_are_right_and_tight_by_exact_tails(n: int, error: float) -> None:
    for k in sorted({0, 1, n // 3, n // 2, n - 1, n}):
        low, high = lower(k, n, error), upper(k, n, error)
        assert 0 <= low <= k / n <= high <= 1
        if k > 0:
            assert tail(k, n, Fraction(low)) <= Fraction(error)
            if low < 0.999999 * k / n:  # at large errors it is capped at k/n, which is sound
                assert tail(k, n, Fraction(low) * (1 + Fraction(1, 10**6))) > Fraction(error)
        if k < n:
            assert tail(n - k, n, 1 - Fraction(high)) <= Fraction(error)
            closer = Fraction(high) * (1 - Fraction(1, 10**6))
            if closer > Fraction(k, n):
                assert tail(n - k, n, 1 - closer) > Fraction(error)


@pytest.mark.parametrize("n", [1, 10, 10**3, 10**6, 10**9])
@pytest.mark.parametrize("error", [1e-12, 1e-6, 0.05])
def test_closed_forms_at_the_extremes(n: int, error: float) -> None:
    none = -math.expm1(math.log(error) / n)  # 1 - error^(1/n)
    assert lower(0, n, error) == 0.0
    assert upper(n, n, error) == 1.0
    assert upper(0, n, error) == pytest.approx(none, rel=1e-7)
    assert 1 - lower(n, n, error) == pytest.approx(none, rel=1e-6, abs=2e-16)
    if n > 1:
        # P(X >= 1) = error at the lower bound for one hit.
        assert lower(1, n, error) == pytest.approx(-math.expm1(math.log1p(-error) / n), rel=1e-6)


@pytest.mark.parametrize("hits", [1, 1000, 5 * 10**8, 10**9 - 1])
def test_a_billion_samples(hits: int) -> None:
    n, error = 10**9, 1e-6
    low, high = lower(hits, n, error), upper(hits, n, error)
    p = hits / n
    deviation = 5.1 * math.sqrt(p * (1 - p) / n) + 20 / n
    assert 0 <= p - low <= deviation
    assert 0 <= high - p <= deviation


def test_bounds_mirror_each_other() -> None:
    for n in (5, 64, 65, 1000, 10**5):
        for k in (1, n // 4, n - 1):
            assert upper(k, n, 1e-3) == pytest.approx(1 - lower(n - k, n, 1e-3), rel=1e-8)


def test_coverage() -> None:
    # 200,000 intervals at error 0.01: a sound one fails in at most 2000 + 5.5 standard deviations of them.
    rng = np.random.default_rng(1)
    for n, p in ((30, 0.2), (200, 0.01), (100, 0.5)):
        bounds = {}
        counts = np.bincount(rng.binomial(n, p, size=200_000), minlength=n + 1)
        for k in np.flatnonzero(counts):
            bounds[k] = (lower(int(k), n, 0.01) > p, upper(int(k), n, 0.01) < p)
        for side in (0, 1):
            failed = sum(int(counts[k]) for k, above in bounds.items() if above[side])
            assert failed <= 2000 + 5.5 * math.sqrt(2000)


def test_loss_of_two_counts() -> None:
    bound = loss_bound(600_000, 200_000, 10**6, 1e-6)
    assert bound.low == lower(600_000, 10**6, 5e-7)
    assert bound.high == upper(200_000, 10**6, 5e-7)
    assert math.log(3) - 0.02 < bound.loss < math.log(3)
    # Rounded down: e^loss <= low / high.
    assert math.exp(bound.loss) <= bound.low / bound.high * (1 + 1e-15)


def test_the_loss_is_finite_and_at_least_zero() -> None:
    assert loss_bound(0, 1000, 1000, 1e-6).loss == 0.0
    assert loss_bound(500, 500, 1000, 1e-6).loss == 0.0
    never = loss_bound(10**6, 0, 10**6, 1e-6)
    assert 0 < never.high < 2e-5
    assert 11 < never.loss < 12


@pytest.mark.parametrize(
    ("hits", "samples", "error"), [(1, 10, 0), (1, 10, 1), (1, 10, math.nan), (11, 10, 0.1), (-1, 10, 0.1), (0, 0, 0.1)]
)
def test_bad_arguments(hits: int, samples: int, error: float) -> None:
    for bound in (lower, upper):
        with pytest.raises(InputError):
            bound(hits, samples, error)
