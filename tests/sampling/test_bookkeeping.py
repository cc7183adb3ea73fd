"""Loops that count and stop: the texts and the evaluator agree on the same noise."""

from __future__ import annotations

import pytest
from conftest import Define
from support.sampled import assert_compiled_agrees, assert_text_agrees

HEAD = """
    TOP, MIDDLE = Tag("TOP"), Tag("MIDDLE")

    @mechanism
    def m(q: Queries, eps: Epsilon, noise: Noise):"""

LOOPS = {
    "the end is reached before the first iteration": """
        count = 3
        for x in q:
            e = noise.laplace(1 / eps)
            if x + e > 0:
                yield ABOVE
                count += 1
            if count >= 3:
                break
    """,
    "a counter that another counter bounds": """
        spent = 0
        count = 0
        for x in q:
            e = noise.laplace(1 / eps)
            f = noise.laplace(2 / eps)
            if x + e > 3:
                spent = spent + count * eps / 7
                yield TOP, x + e
                count += 1
            elif x + f > 0:
                count = count + spent + 1
                yield MIDDLE, x + f
            else:
                yield BELOW, 0
            if spent > eps or count > 9:
                break
    """,
    "a break within a branch, and another that no counter decides": """
        count = 0
        for x in q:
            e = noise.laplace(1 / eps)
            if x + e > 6:
                yield ABOVE
                break
            elif x + e > 0:
                yield x + e
                count += 1
                if count >= 4:
                    break
            else:
                yield BELOW
    """,
    "an output that depends on a counter": """
        count = 0
        for x in q:
            e = noise.laplace(1 / eps)
            if x + e > count:
                yield count
                count += 1
            if count >= 3:
                break
    """,
    "a sum of noise that outlives an iteration": """
        total = 0
        for x in q:
            e = noise.laplace(1 / eps)
            if x + e > 2:
                total = total + e
                yield ABOVE
            else:
                yield BELOW
            if total > 5:
                break
    """,
    "a counter that is given out at the end": """
        count = 0
        for x in q:
            e = noise.laplace(1 / eps)
            if x + e > 2:
                yield ABOVE
                count += 2 if count > 3 else 1
            if count >= 6:
                break
        yield count
    """,
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("length", [9, 40, 300])
def test_a_loop_that_counts(define: Define, loop: str, length: int) -> None:
    m = define(HEAD + LOOPS[loop]).m
    values = m.read((), {"q": [-2, 1, 0, -5, 2, -9] * (length // 6) + [1, -1, 0], "eps": 1})
    for seed in range(4):
        assert assert_text_agrees(m, values, 10, seed, coarse=seed % 2 == 0) == 10


@pytest.mark.slow
@pytest.mark.parametrize("loop", LOOPS)
def test_a_compiled_loop_that_counts(define: Define, loop: str) -> None:
    m = define(HEAD + LOOPS[loop]).m
    values = m.read((), {"q": [-2, 1, 0, -5, 2, -9] * 50 + [1, -1, 0], "eps": 1})
    assert sum(assert_compiled_agrees(m, values, 30, seed) for seed in range(4)) == 120
