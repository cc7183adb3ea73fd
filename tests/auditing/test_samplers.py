"""Signatures, outputs of every supported type, and what each refusal says."""

from __future__ import annotations

import decimal
import enum
import functools
import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignkit import ABOVE, BELOW, InputError
from alignkit.auditing.outputs import Outputs, check_kinds
from alignkit.auditing.sampler_inputs import call_sampler, check_pairs, make_pairs, read_sampler, why_not_adjacent
from alignkit.output_events import ANYTHING, Event, Interval, OneOf
from alignkit.running.adjacency import Adjacency


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def vectorised(data: Any, size: int, rng: np.random.Generator, scale: float = 1.0) -> Any:
    return data[0] + rng.laplace(scale=scale, size=size)


def one_run(data: Any, epsilon: float) -> float:
    return float(data[0] + np.random.laplace(scale=1 / epsilon))


def test_the_signature_tells() -> None:
    sampler = read_sampler(vectorised, parameters={"scale": 2})
    assert (sampler.vectorised, sampler.passes_rng, sampler.name) == (True, True, "vectorised")
    sampler = read_sampler(one_run, parameters={"epsilon": 1.0})
    assert (sampler.vectorised, sampler.passes_rng) == (False, False)
    assert read_sampler(functools.partial(one_run, epsilon=1.0)).name == "partial"
    assert len(call_sampler(sampler, [1.0], 7, np.random.default_rng(0), "one_run")) == 7


def test_what_a_signature_does_not_take() -> None:
    with pytest.raises(InputError, match=r"missing a required argument: 'epsilon'.*parameters="):
        read_sampler(one_run)
    with pytest.raises(InputError, match="unexpected keyword argument 'eps'"):
        read_sampler(one_run, parameters={"eps": 1, "epsilon": 1})
    with pytest.raises(InputError, match=r"size.*leave it out"):
        read_sampler(vectorised, parameters={"size": 1})
    with pytest.raises(InputError, match="cannot be called"):
        read_sampler(3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="size"):
        read_sampler(one_run, vectorised=True, parameters={"epsilon": 1})


def test_the_input_is_protected() -> None:
    def in_place(data: Any) -> float:
        data += 1
        return float(data[0])

    with pytest.raises(InputError, match=r"in_place raised ValueError: .*read-only.*the input was"):
        call_sampler(read_sampler(in_place), np.zeros(2), 3, np.random.default_rng(0), "in_place")

    def sorting(data: list[int]) -> int:
        data.sort()
        return data[0]

    data = [3, 1]
    assert call_sampler(read_sampler(sorting), data, 2, np.random.default_rng(0), "sorting") == [1, 1]
    assert data == [3, 1]


@pytest.mark.parametrize("returned", [[1.0], np.zeros(5), "abcd", 1.0, np.float64(1.0), iter([1, 2, 3, 4])])
def test_wrong_size(returned: Any) -> None:
    def wrong(data: Any, size: int) -> Any:
        return returned

    with pytest.raises(InputError, match=r"wrong returned . outputs where 4 were asked|and returned one"):
        call_sampler(read_sampler(wrong), [0], 4, np.random.default_rng(0), "wrong")


@pytest.mark.parametrize(
    "value",
    [
        *(1, -(10**30), 0.5, math.inf, True, None, "a", b"a", BELOW, Colour.RED, Fraction(1, 3), (), (1, 2.0)),
        *((BELOW, 0.25), ((1, 0.5), (2, 0.25)), frozenset({1, 2})),
    ],
)
def test_outputs_survive(value: Any) -> None:
    outputs = Outputs.of([value, value], name="f")
    assert outputs.only == (value,)
    assert type(outputs.only[0]) is type(value)
    assert outputs.hits(Event(value)) == 2


def test_outputs_are_normalised() -> None:
    for given_, plain in [
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.array([1, 2]), (1, 2)),
        ([1, [2.5]], (1, (2.5,))),
        (decimal.Decimal("0.1"), Fraction(1, 10)),
        (np.array(4.0), 4.0),
        ((i for i in range(3)), (0, 1, 2)),
    ]:
        (found,) = Outputs.of([given_], name="f").only
        assert found == plain
        assert type(found) is type(plain)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (math.nan, "NaN"),
        ((1, math.nan), "NaN"),
        (np.array([1.0, np.nan]), "NaN"),
        ({"a": 1}, r"dict.*tuple\(sorted"),
        ({1}, "set.*frozenset"),
        (object(), "type object"),
        (1j, "complex"),
        (decimal.Decimal("NaN"), "NaN"),
    ],
)
def test_outputs_that_are_refused(value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Outputs.of([value], name="f")


def test_arrays_of_outputs() -> None:
    rng = np.random.default_rng(0)
    for array in (rng.random((5, 3)), rng.integers(0, 9, (5, 2, 2)), rng.random(5) < 0.5, np.array(["a", "b"])):
        fast = Outputs.of(array, name="f")
        slow = Outputs.of(array.tolist(), name="f")
        assert fast.size == slow.size == len(array)
        assert fast.kinds == slow.kinds
        assert fast.groups[0].head(9) == slow.groups[0].head(9)


def test_output_types_may_not_change() -> None:
    for mix in ([1.0, "a"], [1, (1,)], ["a", (1,)], [True, 1.0], [1, "1"]):
        with pytest.raises(InputError, match=r"changes its output type from run to run.*in one run"):
            check_kinds(Outputs.of(mix, name="f").kinds, "f")
    for fine in ([1, 1.5], [None, 1.0], [BELOW, 1.0], [Colour.RED, (1,)], [(BELOW,), (1.0, 2)], [None, "a"]):
        check_kinds(Outputs.of(fine, name="f").kinds, "f")


SCALARS = st.one_of(
    st.sampled_from(
        [0, 1, -1, 2, 0.0, 0.5, -0.5, 1.0, True, False, None, "a", BELOW, ABOVE, Colour.RED, 2**53 + 1, 2.0**53]
    ),
    st.sampled_from([Fraction(1, 3), Fraction(1, 2), 2**70, math.inf, -math.inf, 1e300]),
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5)
ENDS = st.one_of(st.none(), st.fractions(), st.sampled_from([Fraction(2**53 + 1), Fraction(1, 2), Fraction(10) ** 400]))
PATTERNS = st.recursive(
    st.one_of(
        SCALARS, st.builds(Interval, ENDS, ENDS), st.just(ANYTHING), st.frozensets(VALUES, max_size=3).map(OneOf)
    ),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=4,
)


@given(st.lists(VALUES, min_size=1, max_size=6), st.builds(Event, PATTERNS, st.booleans()))
def test_counting_agrees_with_the_event(values: list[Any], event: Event) -> None:
    outputs = Outputs.of(values, name="f")
    assert outputs.hits(event) == sum(event.holds(value) for value in values)
    joined = Outputs.join([Outputs.of(values[:1], name="f"), Outputs.of(values[1:], name="f"), outputs])
    assert joined.hits(event) == 2 * outputs.hits(event)


def test_pairs_made_are_adjacent() -> None:
    for adjacency in (*Adjacency, Adjacency("few(1)"), Adjacency("few(2)"), Adjacency("few(9)")):
        for queries in (1, 2, 5):
            for sensitivity in (1, 0.1, 3):
                made = make_pairs(queries, adjacency, sensitivity, 0.3)
                assert len(made) >= 2
                for one, other in made:
                    assert len(one) == len(other) == queries
                    assert not why_not_adjacent(one, other, adjacency, sensitivity)
                    assert not np.array_equal(one, other)


@pytest.mark.parametrize(
    ("pair", "adjacency", "message"),
    [
        (([0, 0], [0, 2]), "each", "answer 1 changes by 2, more than 1"),
        (([0, 0], [1, 1]), "one", "more than one answer changes"),
        (([0, 0, 0], [1, 1, 1]), r"few(2)", "more than 2 answers change"),
        (([0, 0], [1, -1]), "monotone", "some answers rise and others fall"),
        (([0, 0], [1, 0.5]), "l1", "the changes add up to 3/2"),
        (([0, 0], [1]), "each", "2 answers and the other 1"),
    ],
)
def test_no_pair_is_adjacent(pair: Any, adjacency: str, message: str) -> None:
    with pytest.raises(InputError, match=f"no pair is adjacent by '{re.escape(adjacency)}'.*{message}"):
        check_pairs([pair, pair], Adjacency(adjacency), 1)


def test_pairs_that_make_no_sense() -> None:
    for pairs, message in [([], "empty"), ([(1, 2, 3)], r"\(D, D_\)"), (3, "list of pairs")]:
        with pytest.raises(InputError, match=message):
            check_pairs(pairs, Adjacency.EACH, 1)
    with pytest.raises(InputError, match="adjacency=None"):
        check_pairs([({"a": 1}, {"a": 2})], Adjacency.EACH, 1)
    assert check_pairs([({"a": 1}, {"a": 2})], None, 1)[0]
    assert not why_not_adjacent(0.1, 1.1, Adjacency.EACH, 1)
    with pytest.raises(InputError, match="queries"):
        make_pairs(0, Adjacency.EACH, 1, None)
