"""Python itself and the evaluator agree on random programs of the language, inputs and noise."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.agreement import MadeUpContext, assert_agree, by_evaluator, by_python
from support.defining import define_in
from support.examples import examples
from support.programs import write_program

from alignkit import InputError, LanguageError
from alignkit.running.replaying import alike, run_program

# What every few hundred random programs must contain, so that the agreement says something.
CONSTRUCTS = frozenset("""
    + - * / negate conditional min max abs clamp sqrt len largest item comparison and or not any all if elif else
    for break return yield tuple tag is filter range enumerate zip unpacking set helper draw
""".split()) | {
    "sum of a list", "min of a list", "max of a list", "generator expression", "chained comparison", "in a set",
    "in a list", "list display", "list comprehension", "set comprehension", "nested target", "nested loop",
    "augmented assignment", "unpacking a list", "draw in a loop", "draw on a lattice", "draws in a list",
    "helper that draws", "helper that draws twice", "helper that draws in a list",
}  # fmt: skip

numbers = st.one_of(st.integers(-4, 12), st.fractions(-4, 4, max_denominator=6))
floats = st.one_of(st.integers(-4, 12).map(float), st.floats(-8, 8, allow_subnormal=False))


def agree_on(folder, data, numbers, exact):
    program = write_program(lambda n: data.draw(st.integers(0, n - 1)))
    try:
        mechanism = define_in(folder, program.text).m
    except LanguageError:
        assume(False)
    number = Fraction if exact else float
    values = {
        "q": tuple(number(x) for x in data.draw(st.lists(numbers, min_size=1, max_size=4))),
        "r": tuple(number(x) for x in data.draw(st.lists(numbers, max_size=3))),
        "T": number(data.draw(numbers)),
        "k": data.draw(st.integers(1, 3)),
        "eps": number(data.draw(st.sampled_from((1, 2, Fraction(1, 2), Fraction(7, 10))))),
    }
    seed = data.draw(st.integers(0, 2**16))
    function = mechanism.exact if exact else mechanism.python
    python, evaluator = by_python(function, values, seed, exact), by_evaluator(mechanism, values, seed, exact)
    assert_agree(python, evaluator, f"{program.text}\n{values}, seed {seed}")
    if exact:
        replayed_as_well(mechanism, values, seed)


def replayed_as_well(mechanism, values, seed):
    """The run again, by .replay on the noise vector that it drew."""
    run = run_program(mechanism, values, MadeUpContext(mechanism, seed, True))
    if run.defined:
        assert alike(mechanism.replay(**values, H=run.H), run.output)
    else:
        with pytest.raises(InputError, match="is not defined on these arguments"):
            mechanism.replay(**values, H=run.H)


MANY = settings(max_examples=examples(100, 1000), suppress_health_check=list(HealthCheck))


@MANY
@given(st.data())
def test_runs_on_exact_numbers(tmp_path_factory, data):
    agree_on(tmp_path_factory.getbasetemp(), data, numbers, True)


@MANY
@given(st.data())
def test_runs_on_floats(tmp_path_factory, data):
    agree_on(tmp_path_factory.getbasetemp(), data, floats, False)


def test_the_random_programs_cover_the_language(tmp_path):
    """Three hundred fixed programs: all constructs occur, most are accepted, and runs of every kind."""
    used, accepted, defined, undefined, drawing = Counter(), 0, 0, 0, 0
    for seed in range(300):
        source = random.Random(seed)
        program = write_program(source.randrange)
        try:
            mechanism = define_in(tmp_path, program.text).m
        except LanguageError:
            continue
        accepted += 1
        used.update(program.used)
        values = {
            "q": tuple(Fraction(source.randint(-4, 12)) for _ in range(3)),
            "r": (Fraction(1), Fraction(5, 2)),
            "T": Fraction(3),
            "k": 2,
            "eps": Fraction(1),
        }
        python, evaluator = by_python(mechanism.exact, values, seed, True), by_evaluator(mechanism, values, seed, True)
        assert_agree(python, evaluator, program.text)
        undefined += python.error is not None
        defined += python.error is None
        drawing += bool(python.drawn)
    assert not CONSTRUCTS - {construct for construct, count in used.items() if count >= 5}
    assert accepted > 240
    assert defined > 60
    assert undefined > 30
    assert drawing > 60
