"""Default values of public parameters: they are read once, with the definition, and are then what every run has."""

from __future__ import annotations

from fractions import Fraction

THRESHOLDS = """
    listed = [5, 6]

    @mechanism
    def m(q: Queries, noise: Noise, T: Reals = {default}):
        e = noise.laplace(1)
        return [*[q_i - T_i for q_i, T_i in zip(q, T)], e]
"""


def test_a_default_that_is_an_iterator_serves_every_run(define):
    m = define(THRESHOLDS.format(default="(x for x in [5, 6])")).m
    for _ in range(2):
        assert m.replay([5, 8], {"e": 0}) == [0, 2, 0]
    assert len(m.sample([5, 8], seed=1)) == 3
    assert m.digest == define(THRESHOLDS.format(default="[5, 6]")).m.digest


def test_a_list_that_is_changed_later_changes_no_run(define):
    module = define(THRESHOLDS.format(default="listed"))
    before = module.m.digest
    module.listed[:] = [0]
    assert module.m.replay([5, 8], {"e": 0}) == [0, 2, 0]
    assert module.m.digest == before


def test_a_default_is_exact_whichever_way_it_is_written(define):
    source = """
        @mechanism
        def m(q: Query, noise: Noise, T: Real = {default}):
            e = noise.laplace(1)
            return q + e - T
    """
    written = [define(source.format(default=each)).m for each in ("0.7", "'7/10'", "'0.70'")]
    assert [m.replay(0, {"e": 0}) for m in written] == [Fraction(-7, 10)] * 3
    assert len({m.digest for m in written}) == 1
