"""What two certain probabilities show: the loss is rounded down."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from alignkit.arithmetic.exponential_sums import ExpSum
from alignkit.attacking.closed_forms.certified_losses import loss_at_least


def test_a_loss_that_floats_round_up_is_rounded_down() -> None:
    # ln(p/p′) is 1/10 exactly, and the float 0.1 is above it.
    p, p_ = ExpSum.of({Fraction(1, 10): Fraction(1, 3)}), ExpSum.of({0: Fraction(1, 3)})
    assert loss_at_least(p.enclosure()[0], p_.enclosure()[1]) == math.nextafter(0.1, 0)


@pytest.mark.parametrize(
    ("low", "high", "loss"), [(1, 0, math.inf), (0, 1, 0.0), (0, 0, 0.0), (1, 1, 0.0), (Fraction(1, 3), 1, 0.0)]
)
def test_the_loss_where_a_probability_is_zero_or_the_smaller_one(low: Fraction, high: Fraction, loss: float) -> None:
    assert loss_at_least(Fraction(low), Fraction(high)) == loss
