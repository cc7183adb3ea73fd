"""For the same noise, the text, the compiled text, the evaluator and Python give the same output, to the last bit."""

from __future__ import annotations

import importlib
import pkgutil
import random
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from conftest import Define
from fuzzing.changes import write
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from support.defining import define_in
from support.examples import examples
from support.programs import write_program
from support.sampled import assert_compiled_agrees, assert_text_agrees

import alignkit.mechanisms
from alignkit import LanguageError, Mechanism
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import random_pairs
from alignkit.running.one_sample import sampler_of

SOME = settings(
    max_examples=examples(25, 300), deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
SIZES = (1, 2, 40, 5, 13)


def catalogue() -> dict[str, Mechanism]:
    """Every mechanism of the catalogue by its name."""
    modules = [
        importlib.import_module(f"alignkit.mechanisms.{each.name}")
        for each in pkgutil.iter_modules(alignkit.mechanisms.__path__)
    ]
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Mechanism)]
    return {mechanism.name: mechanism for mechanism in found}


CATALOGUE = catalogue()


def arguments(mechanism: Mechanism, source: random.Random, number: int) -> list[dict[str, Any]]:
    """Arguments of all sizes, checked and exact."""
    pairs = islice(random_pairs(mechanism, Adjacency.EACH, source, SIZES), number)
    return [mechanism.read((), {**pair.public, **pair.q}) for pair in pairs]


@pytest.mark.parametrize("name", sorted(CATALOGUE)[:: examples(3, 1)])
def test_every_mechanism_of_the_catalogue(name: str) -> None:
    mechanism = CATALOGUE[name]
    compared = 0
    for i, values in enumerate(arguments(mechanism, random.Random(name), 60)):
        compared += assert_text_agrees(mechanism, values, 5, i, coarse=i % 2 == 1)
        if compared >= 25:
            return
    raise AssertionError(f"{compared} runs of {name} were compared")


# Powers of 2 that noise decides, and lists within an output, are for the text that Python runs.
NOT_COMPILED = {
    "clamped_sampling", "discrete_sparse_vector_with_gap", "histogram_in_parts", "lazy_discrete_sparse_vector",
    "lazy_threshold", "lazy_thresholds", "noisy_max_by_rejection", "permute_and_flip_of_two", "simulated_gap",
    "simulated_gap_as_printed", "sparse_vector_then_count",
}  # fmt: skip
# One of each sort: a stream, budgets that are spent, a selection on a lattice, sums of a loop, and exp.
QUICK = {
    "sparse_vector_with_gap", "adaptive_sparse_vector", "noisy_max_with_gap_discrete", "smart_sum",
    "exponential_mechanism_with_gap", "discrete_sparse_vector",
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in sorted(CATALOGUE)],
)
def test_every_mechanism_of_the_catalogue_compiled(name: str) -> None:
    mechanism = CATALOGUE[name]
    compared, shapes = 0, set()
    for i, values in enumerate(arguments(mechanism, random.Random(name), 60)):
        sampler = sampler_of(mechanism)
        if name in NOT_COMPILED:
            with pytest.raises(AssertionError, match="is not compiled"):
                assert_compiled_agrees(mechanism, values, 20, i)
            return
        compared += assert_compiled_agrees(mechanism, values, 20, i)
        shapes |= sampler._compiled.keys()
        if compared >= 100 or (compared and len(shapes) > 2):
            return
    raise AssertionError(f"{compared} runs of {name} were compared")


@given(seed=st.integers(0, 10**6))
@SOME
def test_changed_drafts(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    try:
        mechanism = define_in(Path(tmp_path_factory.mktemp("drafts")), write(seed)).m
    except LanguageError:
        return
    for i, values in enumerate(arguments(mechanism, random.Random(seed), 3)):
        assert_text_agrees(mechanism, values, 5, i, coarse=i % 2 == 0, early=True)


def random_program(choose: random.Random, folder: Path) -> Mechanism | None:
    text = write_program(lambda ways: choose.randrange(ways)).text
    try:
        mechanism: Mechanism = define_in(folder, text).m
    except LanguageError:
        return None
    return mechanism


@given(seed=st.integers(0, 10**9))
@SOME
def test_random_programs(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    mechanism = random_program(random.Random(seed), tmp_path_factory.mktemp("programs"))
    if mechanism is not None:
        for i, values in enumerate(arguments(mechanism, random.Random(1), 3)):
            assert_text_agrees(mechanism, values, 5, i, coarse=i % 2 == 0, early=True)


@pytest.mark.parametrize("seed", [pytest.param(i, marks=[pytest.mark.slow] if i > 2 else []) for i in range(80)])
def test_random_programs_compiled(seed: int, tmp_path: Path) -> None:
    mechanism = random_program(random.Random(seed), tmp_path)
    if mechanism is not None:
        for i, values in enumerate(arguments(mechanism, random.Random(1), 3)):
            try:
                assert_compiled_agrees(mechanism, values, 5, i)
            except AssertionError as problem:
                if "is not compiled" not in str(problem):
                    raise


NUMBERS = """
@mechanism
def m(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for i, q_i in enumerate(q):
        e = noise.laplace(1 / eps)
        gap = round(q_i + e - T / 2)
        floored = floor(T / 2) + ceil(T / 3) + ceil(i)
        yield floor(q_i + e), ceil(q_i + e), floor(T / 7), ceil(-T / 7), floor((q_i + e) / 2) * 2, floored
        x = e - e + T / 7
        yield x >= T / 7, x > T / 7, x <= T / 7, x < T / 7, x == T / 7
        t = T / 7 if e > 0 else T / 3
        x = e - e + t
        yield t >= x, t > x, t <= x, t < x, t == x, t + e
        if gap > round(T):
            yield ABOVE, gap, round(q_i), round((q_i + e) / 2) * 2
        else:
            yield BELOW
"""


def test_floats_beside_the_fractions_that_they_are_nearest_to(define: Define) -> None:
    mechanism = define(NUMBERS, prelude=True).m
    compared = 0
    for i in range(40):
        T = Fraction(7 * i - 100, 1 + i % 9)
        values = mechanism.read(([5, Fraction(1, 2), -3],), {"T": T, "eps": 1})
        assert assert_text_agrees(mechanism, values, 5, i, coarse=i % 2 == 0)
        compared += assert_compiled_agrees(mechanism, values, 20, i)
    assert compared == 800


def test_powers_are_products_to_the_last_bit_for_every_machine(define: Define) -> None:
    m = define("""
        @mechanism
        def m(q: Query, eps: Epsilon, noise: Noise):
            e = noise.laplace(1 / eps)
            return e ** 2, (q + e) ** 3, -e ** 16, floor(e ** 5)
    """).m
    values = m.read((3,), {"eps": 1})
    assert sum(assert_text_agrees(m, values, 30, seed, coarse=seed % 2 == 1) for seed in range(4)) == 120


def test_numbers_that_no_int64_holds_are_left_to_python(define: Define) -> None:
    m = define("""
        @mechanism
        def m(q: Queries, eps: Epsilon, noise: Noise):
            x = 1
            for q_i in q:
                e = noise.discrete_laplace(1 / eps)
                x = x * 3 if e >= 0 else x + 1
            return x
    """).m
    values = m.read(([0] * 60,), {"eps": 1})
    assert assert_compiled_agrees(m, values, 200, 1) == 0
    assert assert_compiled_agrees(m, m.read(([0] * 10,), {"eps": 1}), 200, 1) == 200
    assert max(m.sample_many([0] * 60, eps=1, runs=200, seed=1)) > 2**62


def test_what_a_loop_does_not_come_to_may_be_computed_early(tmp_path: Path) -> None:
    """The text then raises, and the run is the evaluator's."""
    text = """
@mechanism
def m(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for x in [1, 2]:
        for y in range(2):
            e = noise.laplace(x / eps)
            if x > 2:
                yield largest([x], k)[0]
            else:
                yield y
"""
    mechanism = define_in(tmp_path, text).m
    assert mechanism.sample(q=[0], k=2, eps=1, seed=1) == [0, 1, 0, 1]
