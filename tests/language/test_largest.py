"""largest(values, k): the indices of the k largest values, ties to the lowest index, whatever the numbers are."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignkit.language.functions import largest

FEW = st.integers(-3, 3)
LISTS = st.one_of(
    st.lists(FEW.map(float), min_size=1),
    st.lists(st.floats(allow_nan=False), min_size=1),
    st.lists(FEW, min_size=1),
    st.lists(st.one_of(FEW, FEW.map(float), st.fractions(-3, 3, max_denominator=3)), min_size=1),
)


@given(LISTS, st.data())
def test_it_is_the_head_of_a_stable_sort(values, data):
    k = data.draw(st.integers(1, len(values)))
    by_sorting = sorted(range(len(values)), key=lambda i: -Fraction(values[i]) if abs(values[i]) < 9 else -values[i])
    assert largest(values, k) == largest(tuple(values), k) == tuple(by_sorting[:k])


@pytest.mark.parametrize("k", [1, 2, 5])
def test_an_array_will_do(k):
    assert largest(np.array([3.0, 1.0, 3.0, 2.0, 9.0]), k) == (4, 0, 2, 3, 1)[:k]


def test_what_cannot_be_compared_has_k_places_all_the_same():
    assert len(largest([float("nan"), 1.0, float("nan")], 2)) == 2
