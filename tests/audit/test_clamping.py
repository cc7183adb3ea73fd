"""Ilvento's paper, Section 2: base-2 privacy, discrete noise, and what clamping in the wrong order costs."""

import math
import random
from fractions import Fraction

import pytest
import sympy

from alignkit import BELOW
from alignkit.mechanisms.clamping import sparse_vector_clamped_last


def mass(steps, r):
    """P(k = steps) for discrete Laplace noise with ratio r = 2^(-eta gamma) a step."""
    return (1 - r) / (1 + r) * r ** abs(steps)


def at_least(steps, r):
    """P(k >= steps)."""
    return r**steps / (1 + r) if steps > 0 else 1 - r ** (1 - steps) / (1 + r)


# --- Base 2, discrete and clamped noise -------------------------------------------------------------


def test_base_2_is_another_unit():
    eta = sympy.symbols("eta", positive=True)
    assert sympy.simplify(2**eta - sympy.exp(eta * sympy.log(2))) == 0


def test_a_power_of_2_that_is_exact():
    """With eta = -z log2(x/2^y) it is 2^(-eta) = (x/2^y)^z that has finitely many binary digits; 2^eta need not."""
    x, y, z = 3, 2, 5
    down = Fraction(x, 2**y) ** z
    assert math.isclose(2 ** (z * math.log2(x / 2**y)), down)
    assert down.denominator & (down.denominator - 1) == 0, "a power of 2"
    up = 1 / down
    assert up.denominator & (up.denominator - 1) != 0


def test_the_condition_of_section_4_for_exact_powers():
    """2^(-eta gamma) = (x/2^y)^(z gamma), with gamma = 1/2: z = 1 is a multiple of gamma, and so is y = 1."""
    x_, y_, z_, gamma = sympy.Integer(3), 2, 1, sympy.Rational(1, 2)
    assert (z_ / gamma).is_integer
    assert not ((x_ / 2**y_) ** (z_ * gamma)).is_rational
    assert (sympy.Integer(1) / 2) ** gamma == 1 / sympy.sqrt(2), "x = 1, so that x^gamma is exact, y = 1"
    assert ((x_ / 2**y_) ** (2 * z_ * gamma)).is_rational, "what suffices: z gamma is whole"


def test_mechanism_2():
    """Equation (1) adds up to 1, and answers d steps apart differ by the factor 2^(eta gamma d), attained."""
    r = sympy.symbols("r", positive=True)
    assert sympy.simplify((1 - r) / (1 + r) * (1 + 2 * r / (1 - r)) - 1) == 0, "1 + 2 (r + r^2 + ...)"
    for ratio in (Fraction(1, 2), Fraction(3, 4)):
        for d in range(5):
            losses = [mass(k, ratio) / mass(k - d, ratio) for k in range(-20, 21)]
            assert max(losses) == max(1 / loss for loss in losses) == ratio**-d


def test_equation_2_adds_up_to_1():
    for r in (Fraction(1, 2), Fraction(3, 4)):
        for low, high in [(-3, 4), (0, 5), (2, 6), (-6, -2)]:
            inner = sum((mass(k, r) for k in range(low + 1, high)), Fraction(0))
            assert at_least(-low, r) + inner + at_least(high, r) == 1, "by symmetry P(k <= low) = P(k >= -low)"


# --- The wrong order --------------------------------------------------------------------------------


def losers_apart(m, r_threshold, r_query, above):
    """A lower bound on P_D(m losers)/P_D'(m losers), discrete noise, threshold ``above`` steps over the range's end.

    The answers are the range's end on D and one step more on D'. If the clamped threshold is the end, an answer at it
    loses where its noise is negative. On D' the threshold is the end at most, and the noise must be below -1.
    """
    at_end = at_least(-above, r_threshold)
    loses, loses_ = at_least(1, r_query), at_least(2, r_query)
    return at_end * (loses / loses_) ** m


@pytest.mark.parametrize("r_threshold", [Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("r_query", [Fraction(1, 2), Fraction(9, 10)])
def test_clamping_last_loses_as_much_as_one_likes(r_threshold, r_query):
    """Each loser multiplies the ratio by 1/r; a threshold far above the range is at its end whatever its noise."""
    for above in (-3, 0, 3, 300):
        at_end = losers_apart(0, r_threshold, r_query, above)
        for m in (1, 10, 200):
            assert losers_apart(m, r_threshold, r_query, above) == at_end / r_query**m
        assert losers_apart(200, r_threshold, r_query, above) > 10**6
    assert at_end > Fraction(999_999, 10**6)


def test_clamping_last_with_laplace_noise():
    """The same for real noise, exactly: P(q + nu < high) falls by exp(1/b) where an answer at the end rises by 1."""
    b, q = sympy.symbols("b q", positive=True)
    loses = sympy.exp(-q / b) / 2  # an answer that lies q above the end
    assert sympy.simplify(loses.subs(q, 0) / loses.subs(q, 1) - sympy.exp(1 / b)) == 0
    eps, c, m, above = 1, 1, 6, 20
    b = 4 * c / eps
    clamped = 1 - math.exp(-above * eps / 2) / 2
    assert math.log(clamped) + m / b > 1.49 > eps


def test_losers_of_the_transcription_are_those_of_the_closed_form():
    """With the noisy threshold above the range, an answer loses exactly where its noise keeps it below the end."""
    source = random.Random(8)
    w, T = 10, 14
    for _ in range(500):
        q = [source.randint(8, 12) for _ in range(4)]
        nu = [Fraction(source.randint(-60, 60), 10) for _ in q]
        rho = Fraction(source.randint(-40, 90), 10)
        H = {"rho": rho, "nu_i": nu}
        out = sparse_vector_clamped_last.replay(q, T=T, w=w, c=5, eps=1, H=H)
        assert [a is BELOW for a in out] == [q_i + nu_i < w for q_i, nu_i in zip(q, nu)]
