"""Symbolic numbers compute as fractions do, and the paths of a run are each found once."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit.confirming.normal_forms import Near, divided, substituted
from alignkit.confirming.worlds import PathWorld

FRACTIONS = st.fractions(min_value=-9, max_value=9, max_denominator=9)
STEPS = st.lists(st.tuples(st.sampled_from("+-*/"), st.integers(0, 2), FRACTIONS), max_size=6)


def computed(values, steps):
    total = values[0]
    for sign, which, constant in steps:
        other = values[which] + constant if which else constant
        match sign:
            case "+":
                total = total + other
            case "-":
                total = other - total
            case "*":
                total = total * other
            case _ if constant:
                total = divided(total, constant)
    return total


@settings(max_examples=examples(40, 400))
@given(st.lists(FRACTIONS, min_size=3, max_size=3), STEPS)
def test_numbers_compute_as_fractions_do(values, steps):
    world = PathWorld(1)
    unknowns = [world.unknown(name) for name in "abc"]
    given_ = {next(iter(u.unknowns)): value for u, value in zip(unknowns, values, strict=True)}
    exact = computed(values, steps)
    assert substituted(computed(unknowns, steps), given_) == exact
    enclosed = Near.of(computed([Near(v, v + Fraction(1, 9)) for v in values], steps))
    assert enclosed.low <= exact <= enclosed.high


def test_each_path_is_found_once():
    world = PathWorld(100)
    found = Counter()
    world.untried = [()]
    while world.untried:
        world.begin(world.untried.pop())
        a, b = world.unknown("a"), world.unknown("b")
        found[(bool(a > b), bool(b >= a), bool(a > b + 1), world.choose(2))] += 1
    ways = [(True, False, True), (True, False, False), (False, True, False)]
    assert found == Counter({(*way, chosen): 1 for way in ways for chosen in (0, 1)})
