"""docs/number_models.md: the probability that noisy answers tie under discrete Laplace noise, and bounds on it.

r = exp(-eps gamma) is the ratio of neighbouring masses, written 1 / (1 + odds) so that signs of rational functions
can be read off; eps gamma = ln(1 + odds). Two answers lie m lattice steps apart.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from alignkit.noise import DISCRETE_LAPLACE

odds = sympy.Symbol("odds", positive=True)
m, x, w = sympy.symbols("m x w", nonnegative=True)
r = 1 / (1 + odds)
A = sympy.log(1 + odds)


def pair(ratio, apart, power=None):
    """The probability that two answers ``apart`` steps apart tie; ``power`` stands for ratio ** apart."""
    top = ((1 - ratio) / (1 + ratio)) ** 2 * (ratio**apart if power is None else power)
    return top * ((1 + ratio**2) / (1 - ratio**2) + apart)


def nonnegative(expression):
    """Whether a rational function of symbols that are not negative plainly is not, either."""
    numerator, denominator = sympy.fraction(sympy.factor(sympy.together(expression)))
    symbols = sorted(expression.free_symbols, key=str)
    return all(
        coefficient >= 0
        for part in (numerator, denominator)
        for coefficient in sympy.Poly(sympy.expand(part), *symbols).coeffs()
    )


# The probability for two answers


@pytest.mark.parametrize("apart", range(4))
def test_two_answers_tie_with_this_probability(apart):
    """The sum over all noise of the first of its mass times that of the noise that makes up for the distance."""
    k = sympy.Symbol("k", integer=True, nonnegative=True)

    def mass(value):
        return DISCRETE_LAPLACE.formula(value, 1 / A, 1)

    def tail(first, second):
        return sympy.summation(sympy.powsimp(sympy.simplify(mass(first) * mass(second))), (k, 0, sympy.oo))

    between = sum(mass(-i) * mass(apart - i) for i in range(1, apart))
    total = tail(k, k + apart) + between + tail(-k - max(apart, 1), -k - max(apart, 1) + apart)
    assert sympy.simplify(total - pair(r, apart)) == 0


def test_the_sum_for_any_distance():
    """Its three stretches are as printed: noise at most -m, in between, and above 0; power is r ** m."""
    power, k = sympy.Symbol("power", positive=True), sympy.Symbol("k", integer=True)
    below = power * sympy.summation(r ** (2 * k), (k, 0, sympy.oo))
    above = power * sympy.summation(r ** (2 * k), (k, 1, sympy.oo))
    total = ((1 - r) / (1 + r)) ** 2 * (below + m * power + above)
    assert sympy.simplify(total - pair(r, m, power)) == 0


# The chain of A.2, step by step; power = r ** m is 1 / (1 + w), at most 1

POWER = 1 / (1 + w)
STEPS = [
    pair(r, m, POWER),
    (1 - r) ** 2 * POWER * (1 / (1 - r**2) + m),
    (1 - r) ** 2 * POWER * (1 / (1 - r) + m),
    (1 - r) + (1 - r) ** 2 * POWER * m,
]


@pytest.mark.parametrize("number", range(3))
def test_each_rational_step_of_the_chain(number):
    assert nonnegative(STEPS[number + 1] - STEPS[number])


def test_the_steps_with_logarithms():
    """1 - r <= -ln r: equal where odds = 0, and the right side rises faster. So its square is no larger either."""
    slack = A - (1 - r)
    assert slack.subs(odds, 0) == 0
    assert nonnegative(sympy.diff(slack, odds))


def test_the_last_step():
    """x exp(-x) <= exp(-1): exp(x - 1) - x is convex, with value and slope 0 at x = 1."""
    slack = sympy.exp(x - 1) - x
    assert slack.subs(x, 1) == sympy.diff(slack, x).subs(x, 1) == 0
    assert sympy.diff(slack, x, 2).is_positive


def test_one_minus_exp_is_below_its_argument_everywhere():
    """The chain says so for x >= -1, which is not needed: exp(-x) - 1 + x is convex with its least value 0."""
    y = sympy.Symbol("y", real=True)
    slack = sympy.exp(-y) - 1 + y
    assert slack.subs(y, 0) == sympy.diff(slack, y).subs(y, 0) == 0
    assert sympy.diff(slack, y, 2).is_positive


def test_pairs_add_up_to_the_printed_bound():
    """n (n - 1) / 2 pairs of (1 + 1/e) eps gamma each are at most n² eps gamma, for n = 1, 2, ..."""
    n = 1 + sympy.Symbol("k", nonnegative=True)
    slack = sympy.expand(n**2 - n * (n - 1) / 2 * (1 + sympy.exp(-1)))
    assert all(c > 0 for c in sympy.Poly(slack, *slack.free_symbols).coeffs())


# A shorter proof of a smaller bound


def test_a_tie_is_no_likelier_than_the_likeliest_noise():
    """P(tie) <= (1 - r)/(1 + r) = tanh(eps gamma / 2) <= eps gamma / 2, whatever the distance."""
    likeliest = (1 - r) / (1 + r)
    assert sympy.simplify(DISCRETE_LAPLACE.formula(0, 1 / A, 1) - likeliest) == 0
    assert nonnegative(likeliest - pair(r, 0))
    slack = A / 2 - likeliest
    assert slack.subs(odds, 0) == 0
    assert nonnegative(sympy.diff(slack, odds))


def test_equal_answers_tie_most_often():
    """P(m + 1) / P(m) is at most 1."""
    ratio = r * pair(r, m + 1, 1) / pair(r, m, 1)
    assert nonnegative(sympy.simplify(1 - ratio))


def test_the_smaller_bound_is_within_a_factor_of_two():
    """As eps gamma falls to 0, two equal answers tie with probability eps gamma / 4."""
    assert sympy.limit(pair(r, 0) / A, odds, 0) == sympy.Rational(1, 4)


def test_no_bound_of_a_quarter_for_each_pair():
    assert sympy.N((pair(r, 0) / A).subs(odds, sympy.E**2 - 1), 20) > 0.3


# Exact probabilities for n answers


def partitions(items):
    if not items:
        yield []
        return
    first, *rest = items
    for smaller in partitions(rest):
        yield [[first], *smaller]
        for number, block in enumerate(smaller):
            yield [*smaller[:number], [first, *block], *smaller[number + 1 :]]


def all_coincide(ratio, places):
    """The probability that noisy answers at these lattice places are all equal."""
    size, low, high = len(places), min(places), max(places)
    top = ((1 - ratio) / (1 + ratio)) ** size
    inside = sum(ratio ** sum(abs(j - p) for p in places) for j in range(low, high + 1))
    ends = sum(ratio ** (sum(abs(j - p) for p in places) + size) for j in (low, high)) / (1 - ratio**size)
    return top * (inside + ends)


def any_tie(ratio, places):
    """The probability that some two of the noisy answers tie: inclusion and exclusion over set partitions."""
    distinct = 0
    for blocks in partitions(list(places)):
        term = 1
        for block in blocks:
            term *= (-1) ** (len(block) - 1) * math.factorial(len(block) - 1) * all_coincide(ratio, block)
        distinct += term
    return 1 - distinct


ratios = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)


@given(ratio=ratios, places=st.lists(st.integers(-4, 4), min_size=1, max_size=5))
def test_the_bounds_hold_for_exact_probabilities(ratio, places):
    """In fractions: n (n - 1)/2 tanh(eps gamma/2), then n²/4 and n² times eps gamma, which is at least 1 - r."""
    n = len(places)
    exact = any_tie(ratio, places)
    likeliest = (1 - ratio) / (1 + ratio)
    assert 0 <= exact <= n * (n - 1) // 2 * likeliest
    assert exact <= float(n * n * -math.log(ratio)) / 4 * (1 + 1e-12)
    if n > 1:
        assert exact <= n * n * (1 - ratio)


@given(ratio=ratios, apart=st.integers(-6, 6))
def test_two_answers_by_inclusion_and_exclusion(ratio, apart):
    assert any_tie(ratio, [0, apart]) == pair(ratio, abs(apart))


@given(ratio=ratios, places=st.lists(st.integers(-4, 4), min_size=2, max_size=4))
def test_equal_answers_tie_at_least_as_often_as_any(ratio, places):
    """Seen for up to four answers on a grid; for two it is proved above."""
    assert any_tie(ratio, places) <= any_tie(ratio, [0] * len(places))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_how_tight_the_bounds_are(n):
    """n equal answers, eps gamma small: n (n - 1)/8 eps gamma. The printed bound is 8n/(n - 1) times that."""
    ratio = sympy.Symbol("ratio", positive=True)
    exact = sympy.cancel(sympy.together(any_tie(ratio, [0] * n)))
    slope = sympy.limit(sympy.cancel(exact / (1 - ratio)), ratio, 1)
    assert slope == sympy.Rational(n * (n - 1), 8)
    assert n**2 / slope == sympy.Rational(8 * n, n - 1)


def test_the_exact_probability_by_simulation():
    """20,000 runs at a stated error rate of 1e-6 (Hoeffding), fixed seed: four answers, two of them equal."""
    runs, places, scale = 20_000, (0, 0, 1, 3), Fraction(2)
    rng = np.random.default_rng(2020)
    noise = DISCRETE_LAPLACE.sample(rng, scale, 1, size=(runs, len(places))).astype(int)
    noisy = noise + np.array(places)
    found = sum(len(set(row)) < len(places) for row in noisy.tolist()) / runs
    exact = any_tie(math.exp(-1 / 2), places)
    assert abs(found - exact) <= math.sqrt(math.log(2 / 1e-6) / (2 * runs))


def test_partitions_are_all_there_are():
    assert [sum(1 for _ in partitions(list(range(n)))) for n in range(6)] == [1, 1, 2, 5, 15, 52]
    assert all(sorted(itertools.chain(*p)) == [0, 1, 2, 3] for p in partitions([0, 1, 2, 3]))
