"""Comparisons of floats with exact numbers that are no floats: as Python compares them, to the last bit."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from conftest import Define

from alignkit.batching.batch_noise import BatchNoise
from alignkit.batching.columns import NumberColumn
from alignkit.batching.run_batches import run_on_arrays
from alignkit.running.many_runs import program_of

RELATIONS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


class GivenNoise(BatchNoise):
    """The same values for every draw, one for each run."""

    def __init__(self, values: list[float]) -> None:
        self.values = values

    def draw(self, key: Any, iteration: Any, runs: Any, distribution: Any, arguments: Any, shape: Any) -> NumberColumn:
        return NumberColumn(np.array(self.values))


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("number", [Fraction(1, 3), Fraction(2, 3), Fraction(1, 2), Fraction(10**17 + 1)], ids=str)
def test_noise_beside_the_float_nearest_to_a_number(define: Define, relation: str, number: Fraction) -> None:
    """The number by itself, and as one that differs from run to run."""
    m = define(f"""
        @mechanism
        def m(x: Query, T: Real, noise: Noise):
            e = noise.laplace(1)
            limit = T if e > -1 else 2 * T
            return e {relation} T, T {relation} e, e {relation} limit
    """).m
    nearest = float(number)
    values = [math.nextafter(nearest, -math.inf), nearest, math.nextafter(nearest, math.inf), -2.0]
    compare = RELATIONS[relation]
    batch = run_on_arrays(program_of(m, m.read((0,), {"T": number})), np.arange(4), GivenNoise(values))
    outputs = batch.outputs(m.program)
    limits = [number, number, number, 2 * number]
    assert outputs == [
        (compare(e, number), compare(number, e), compare(e, limit)) for e, limit in zip(values, limits, strict=True)
    ]
