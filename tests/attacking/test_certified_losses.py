"""What two certain probabilities show: the loss is rounded down, and so is what is certain of each probability."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from alignkit.arithmetic.exponential_sums import ExpSum
from alignkit.attacking import Method
from alignkit.attacking.closed_forms.certified_losses import Certified


def test_a_loss_that_floats_round_up_is_rounded_down() -> None:
    # ln(p/p′) is 1/10 exactly, and the float 0.1 is above it.
    p, p_ = ExpSum.of({Fraction(1, 10): Fraction(1, 3)}), ExpSum.of({0: Fraction(1, 3)})
    found = Certified.of(p.enclosure()[0], p_.enclosure()[1], Method.EXACT)
    assert found.loss == math.nextafter(0.1, 0)
    assert Fraction(found.low) <= p.enclosure()[0]
    assert Fraction(found.high) >= Fraction(1, 3)


@pytest.mark.parametrize(
    ("low", "high", "loss"), [(1, 0, math.inf), (0, 1, 0.0), (0, 0, 0.0), (1, 1, 0.0), (Fraction(1, 3), 1, 0.0)]
)
def test_the_loss_where_a_probability_is_zero_or_the_smaller_one(low: Fraction, high: Fraction, loss: float) -> None:
    assert Certified.of(Fraction(low), Fraction(high), Method.EXACT).loss == loss
