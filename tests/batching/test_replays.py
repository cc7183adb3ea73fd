"""For the same noise, a batch and a replay of each of its runs give the same output, to the last bit."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from fuzzing.changes import write
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.defining import define_in
from support.examples import examples
from support.programs import write_program
from support.recorded_batches import assert_replays_agree

import alignkit.mechanisms
from alignkit import LanguageError, Mechanism
from alignkit.batching.unsupported import Unbatched
from alignkit.language.program import MechanismCall, YieldFrom, walk
from alignkit.running.adjacent_pairs import random_pairs

SOME = settings(max_examples=examples(25, 300), deadline=None, suppress_health_check=list(HealthCheck))
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
    pairs = islice(random_pairs(mechanism, "each", source, SIZES), number)
    return [mechanism.read((), {**pair.public, **pair.q}) for pair in pairs]


# What a stream that a mechanism passes on gives is computed run by run, and so is a selection that gives up.
ONE_BY_ONE = {"mwem_selection_giving_up"} | {
    name
    for name, mechanism in CATALOGUE.items()
    if any(isinstance(node, YieldFrom) or (isinstance(node, MechanismCall) and node.mechanism.program.is_generator)
           for node in walk(*mechanism.program.body))
}


@pytest.mark.parametrize("name", sorted(CATALOGUE.keys() - ONE_BY_ONE))
def test_every_mechanism_of_the_catalogue_runs_on_arrays(name: str) -> None:
    mechanism = CATALOGUE[name]
    compared = 0
    for i, values in enumerate(arguments(mechanism, random.Random(name), 60)):
        compared += assert_replays_agree(mechanism, values, 5, i, coarse=i % 2 == 1)
        if compared >= 25:
            return
    raise AssertionError(f"{compared} runs of {name} were compared")


ROUNDED = """
@mechanism
def m(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for i, q_i in enumerate(q):
        e = noise.laplace(1 / eps)
        gap = round(q_i + e - T / 2)
        if gap > round(T):
            yield ABOVE, gap, round(q_i), round((q_i + e) / 2) * 2
        else:
            yield BELOW
"""


def test_rounded_numbers(tmp_path: Path) -> None:
    mechanism = define_in(tmp_path, ROUNDED).m
    for i, values in enumerate(arguments(mechanism, random.Random(4), 20)):
        assert_replays_agree(mechanism, values, 5, i, coarse=i % 2 == 0)


@given(seed=st.integers(0, 10**6))
@SOME
def test_changed_drafts(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    try:
        mechanism = define_in(Path(tmp_path_factory.mktemp("drafts")), write(seed)).m
    except LanguageError:
        return
    for i, values in enumerate(arguments(mechanism, random.Random(seed), 3)):
        assert_replays_agree(mechanism, values, 5, i, coarse=i % 2 == 0)


@given(data=st.data())
@SOME
def test_random_programs(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    text = write_program(lambda ways: data.draw(st.integers(0, ways - 1))).text
    try:
        mechanism = define_in(Path(tmp_path_factory.mktemp("programs")), text).m
    except LanguageError:
        return
    for i, values in enumerate(arguments(mechanism, random.Random(1), 3)):
        with contextlib.suppress(Unbatched):
            assert_replays_agree(mechanism, values, 5, i, coarse=i % 2 == 0)
