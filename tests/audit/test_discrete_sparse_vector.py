"""Ilvento's paper, Sections 3, 4, 5 and 7: clamped thresholds, tails of discrete noise, rounding, and ties."""

from fractions import Fraction

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from alignkit.language.functions import clamp

steps = st.integers(-12, 12)
widths = st.integers(1, 8)
bases = st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=12)


def clamped(rho, answer, width):
    """CLAMP of Equation (3), for z3's numbers."""
    return z3.If(rho < answer - width, answer - width, z3.If(rho > answer + width, answer + width, rho))


def shown(claim):
    solver = z3.Solver()
    solver.add(z3.Not(claim))
    return solver.check() == z3.unsat


z, q, q_, w, delta = z3.Reals("z q q' w delta")
NEAR = z3.And(w > 0, delta >= 0, q - q_ <= delta, q_ - q <= delta)


def test_lemma_3_1():
    assert shown(z3.Implies(NEAR, clamped(z, q, w) - q <= clamped(z + delta, q_, w) - q_))


def test_lemma_3_1_with_the_change_itself():
    """The first step of the proof: alpha in place of delta."""
    alpha = z3.If(q > q_, q - q_, q_ - q)
    assert shown(z3.Implies(w > 0, clamped(z, q, w) - q <= clamped(z + alpha, q_, w) - q_))
    assert not shown(z3.Implies(w > 0, clamped(z, q, w) - q <= clamped(z + alpha / 2, q_, w) - q_))


def test_lemma_3_1_proof_has_a_2_where_w_is_meant():
    """The third case begins at q - w - 2 alpha, where the first case ends, not at q - 2 - 2 alpha."""
    alpha = q - q_
    third = z3.Implies(
        z3.And(w > 0, alpha >= 0, z <= q - w, z >= q - w - 2 * alpha),
        z3.And(clamped(z, q, w) - q == -w, clamped(z + alpha, q_, w) - q_ >= -w),
    )
    assert shown(third)
    covered = z3.Implies(z3.And(w > 0, alpha >= 0, z <= q - w), z3.Or(z < q - w - 2 * alpha, z >= q - 2 - 2 * alpha))
    assert not shown(covered)


def test_lemma_3_2_thresholds_lie_at_most_2_delta_apart():
    """|CLAMP(z - delta) - CLAMP(z + delta)| <= 2 delta, about one answer; so is what a winner's noise makes up for."""
    gap = clamped(z + delta, q_, w) - clamped(z - delta, q_, w)
    assert shown(z3.Implies(NEAR, z3.And(gap >= 0, gap <= 2 * delta)))
    shift = q - q_ + clamped(z + delta, q_, w) - clamped(z, q, w)
    assert shown(z3.Implies(NEAR, z3.And(shift >= 0, shift <= 2 * delta)))


def test_lemma_3_2_part_a_needs_its_first_inequality_the_other_way_round():
    """A smaller threshold is reached more often, so P(... >= CLAMP(z - delta)) is the larger one, not the smaller.

    The rest of the proof uses it this way round. Here z = q' = 0, alpha = 0, delta = 1, base 1/2.
    """
    reached = {change: tail(Fraction(1, 2), clamp(-change, -5, 5)) for change in (0, 1)}
    assert reached[1] > reached[0]


def tail(base, start):
    """P(nu >= start) for discrete Laplace noise nu on the whole numbers with P(nu = k) ~ base**|k|."""
    if start > 0:
        return base**start / (1 + base)
    return 1 - base ** (1 - start) / (1 + base)


@given(base=bases, start=steps)
def test_the_tail_is_the_sum(base, start):
    mass = [(1 - base) / (1 + base) * base ** abs(k) for k in range(start, start + 60)]
    assert 0 <= tail(base, start) - sum(mass) <= base ** max(0, 60 - abs(start))


@given(base=bases, answer=steps, change=st.integers(-3, 3), threshold=steps, width=widths)
def test_lemma_3_2(base, answer, change, threshold, width):
    """With delta = 3: a loser stays one, and a winner's probability falls by base**(2 delta) at most."""
    bound, answer_ = 3, answer + change
    on = clamp(threshold, answer - width, answer + width) - answer
    on_ = clamp(threshold + bound, answer_ - width, answer_ + width) - answer_
    assert 1 - tail(base, on) <= 1 - tail(base, on_)
    assert tail(base, on) * base ** (2 * bound) <= tail(base, on_)


def test_lemma_3_2_is_tight():
    """Half of it does not do: a winner's probability may fall by nearly base**(2 delta)."""
    base, bound, width, answer, answer_, threshold = Fraction(1, 2), 3, 50, 0, -3, 10
    on = clamp(threshold, answer - width, answer + width) - answer
    on_ = clamp(threshold + bound, answer_ - width, answer_ + width) - answer_
    assert tail(base, on) * base ** (2 * bound) == tail(base, on_)


@given(
    one=st.fractions(-20, 20, max_denominator=30), change=st.fractions(-3, 3, max_denominator=30),
    lattice=st.fractions(Fraction(1, 4), 3, max_denominator=4),
)  # fmt: skip
def test_rounding_adds_one_step_to_the_sensitivity(one, change, lattice):
    rounded, rounded_ = (lattice * round(x / lattice) for x in (one, one + change))
    assert abs(rounded - rounded_) <= abs(change) + lattice


def test_rounding_may_add_nearly_one_step():
    assert abs(round(Fraction(49, 100)) - round(Fraction(51, 100))) == 1


def tie(base, apart):
    """P(q_1 + nu_1 = q_2 + nu_2) for answers that many steps apart, summed."""
    share = ((1 - base) / (1 + base)) ** 2
    return share * sum(base ** (abs(k) + abs(k + apart)) for k in range(-80, 81))


def clamped_tie(base, one, other, low, high):
    """P of a tie where both noisy answers are clamped to [low, high]."""

    def mass(answer, value):
        if value == low:
            return 1 - tail(base, low + 1 - answer)
        if value == high:
            return tail(base, high - answer)
        return (1 - base) / (1 + base) * base ** abs(value - answer)

    return sum(mass(one, v) * mass(other, v) for v in range(low, high + 1))


def test_ties_have_positive_probability():
    base = Fraction(9, 10)
    assert tie(base, 0) > Fraction(2, 100)
    assert tie(base, 0) > tie(base, 5) > 0


def test_answers_at_the_edge_of_a_range_tie_more_often():
    base = Fraction(9, 10)
    in_the_middle = clamped_tie(base, 50, 50, 0, 100)
    at_the_edge = clamped_tie(base, 100, 100, 0, 100)
    assert at_the_edge > Fraction(28, 100) > 10 * in_the_middle
    assert in_the_middle == pytest.approx(float(tie(base, 0)), rel=0.05)
