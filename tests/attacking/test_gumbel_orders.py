"""Probabilities that Gumbel noise is in a given order: known laws, sums to one, sampling, and what is not covered."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignkit import Epsilon, Noise, Queries, attack, largest, mechanism
from alignkit.attacking import Event, Interval, certify
from alignkit.attacking.closed_forms import gumbel_orders
from alignkit.attacking.closed_forms.gumbel_orders import Orders, order_probability
from alignkit.noise import GUMBEL, LAPLACE

FEW = settings(max_examples=25, deadline=None, derandomize=True)
GAPS = st.fractions(min_value=-3, max_value=3, max_denominator=3)
NAMES = "abcd"
PAIRS = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), GAPS).filter(lambda c: c[0] != c[1])
SYSTEMS = st.lists(PAIRS, max_size=5)


def gumbel(scale=F(2), names=NAMES) -> dict:
    return {name: (GUMBEL, (F(scale),)) for name in names}


def at_most(below: str, above: str, gap) -> tuple:
    """below + gap <= above."""
    return ((below, F(1)), (above, F(-1))), F(gap)


def chance(*constraints, noise=None) -> Orders:
    found = order_probability(noise or gumbel(), [at_most(*each) for each in constraints])
    assert found is not None
    return found


def test_the_largest_is_drawn_as_by_the_exponential_mechanism():
    q = [F(3), F(-1), F(1, 2), F(0)]
    for best, name in enumerate(NAMES):
        others = [(NAMES[i], name, q[i] - q[best]) for i in range(4) if i != best]
        weights = [math.exp(x / 2) for x in q]
        assert float(chance(*others)) == pytest.approx(weights[best] / sum(weights), rel=1e-12)


def test_an_order_is_drawn_one_place_after_the_other():
    """Without replacement, each with probability proportional to its weight among those that are left."""
    q = dict(zip(NAMES, [F(3), F(-1), F(1, 2), F(0)]))
    order = ("c", "a")
    constraints = [("a", "c", q["a"] - q["c"]), ("b", "a", q["b"] - q["a"]), ("d", "a", q["d"] - q["a"])]
    weight = {name: math.exp(x / 2) for name, x in q.items()}
    left, expected = sum(weight.values()), 1.0
    for name in order:
        expected *= weight[name] / left
        left -= weight[name]
    assert float(chance(*constraints)) == pytest.approx(expected, rel=1e-12)


@FEW
@given(SYSTEMS, PAIRS)
def test_a_constraint_and_its_opposite_part_any_event(constraints, more):
    below, above, gap = more
    whole = float(chance(*constraints))
    parts = float(chance(*constraints, more)) + float(chance(*constraints, (above, below, -gap)))
    assert parts == pytest.approx(whole, rel=1e-9, abs=1e-12)


@FEW
@given(SYSTEMS)
def test_the_enclosure_holds_the_number_and_is_narrow(constraints):
    found = chance(*constraints)
    low, high = found.enclosure()
    assert 0 <= low <= high <= 1
    assert float(high - low) <= 1e-30
    assert float(found) == pytest.approx(float(low), rel=1e-9, abs=1e-12)


def test_agreement_with_samples():
    """Twelve systems, 200,000 samples each, within 6.5 standard deviations: wrong by chance once in 10**9."""
    rng, source = np.random.default_rng(11), random.Random(11)
    runs = 200_000
    for _ in range(12):
        pairs = [source.sample(NAMES, 2) for _ in range(source.randint(2, 5))]
        constraints = [(*pair, F(source.randint(-6, 3), 2)) for pair in pairs]
        noise = {name: rng.gumbel(0, 2, runs) for name in NAMES}
        inside = np.ones(runs, dtype=bool)
        for below, above, gap in constraints:
            inside &= noise[below] + float(gap) <= noise[above]
        p = float(chance(*constraints))
        assert abs(inside.mean() - p) <= 6.5 * math.sqrt(p * (1 - p) / runs) + 1e-9, constraints


def test_what_contradicts_itself_has_no_terms():
    assert chance(("a", "b", 1), ("b", "c", 1), ("c", "a", -2)).terms == ()
    assert chance(("a", "b", 0), ("b", "a", 0)).enclosure() == (0, 0)
    assert float(chance()) == 1.0
    noise = gumbel()
    assert order_probability(noise, [((), F(1))]).terms == ()


def test_what_is_not_covered(monkeypatch):
    one = F(1)
    assert order_probability(gumbel(), [((("a", one),), F(0))]) is None
    assert order_probability(gumbel(), [((("a", one), ("b", F(-2))), F(0))]) is None
    assert order_probability(gumbel(), [((("a", one), ("b", one), ("c", F(-2))), F(0))]) is None
    assert order_probability({**gumbel(), "b": (GUMBEL, (F(1),))}, [at_most("a", "b", 0)]) is None
    assert order_probability({**gumbel(), "b": (LAPLACE, (F(2),))}, [at_most("a", "b", 0)]) is None
    monkeypatch.setattr(gumbel_orders, "MOST_FORESTS", 1)
    assert order_probability(gumbel(), [at_most("a", "b", 0), at_most("a", "c", 0)]) is None


def test_a_computation_ends_when_its_time_is_over():
    """Eight coordinates, each near every other, are parted into thousands of forests."""
    calls = itertools.count()
    near = [at_most(*pair, F(-1)) for pair in itertools.permutations("abcdefgh", 2)]

    def tick() -> None:
        if next(calls) == 10:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        order_probability(gumbel(names="abcdefgh"), near, tick)


@mechanism
def two_largest(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.gumbel(4 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    first, second = largest(noisy, 2)
    return first, noisy[first] - noisy[second]


def test_a_budget_so_large_that_probabilities_are_less_than_floats():
    """An index that is far from best comes out with a probability of about e^-750."""
    found = attack(two_largest, claim="eps", parameters={"eps": 3000}, effort=40, seed=1)
    assert found.method == "closed form"
    assert not found.violates


@mechanism
def above_a_threshold(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.gumbel(1 / eps) for q_i in q]
    return 1 if q[0] + eta[0] >= 3 else 0


def test_a_mechanism_that_compares_gumbel_noise_with_a_number_is_sampled():
    """At half the scale that its claim needs."""
    found = attack(above_a_threshold, claim="eps / 2", effort=40, seed=1)
    assert found.method == "Clopper-Pearson"
    assert any("something other than Gumbel noise" in note for note in found.notes)


def test_the_outputs_of_a_mechanism_add_up_to_one():
    gaps = [Interval(high=F(1)), Interval(F(1), F(5, 2)), Interval(low=F(5, 2))]
    events = [Event((best, gap)) for best, gap in itertools.product(range(3), gaps)]
    found = [certify(two_largest, event=e, q=[3, 0, 1], q_=[4, -1, 0], eps=1) for e in events]
    assert sum(each.low for each in found) == pytest.approx(1, abs=1e-9)
    assert sum(each.high for each in found) == pytest.approx(1, abs=1e-9)
    assert all(each.loss <= 1 for each in found)
    assert max(each.loss for each in found) > 0.3
