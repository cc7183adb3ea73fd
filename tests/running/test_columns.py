"""Answers as libraries and programs have them: arrays, columns of tables (of stand-ins for pandas), dicts of counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from alignkit import InputError, check, release
from alignkit.mechanisms.discrete_selection import noisy_max_discrete
from alignkit.mechanisms.noisy_max import noisy_max
from alignkit.proofs.discrete_selection import max_phi
from alignkit.proofs.noisy_max import phi

COUNTS = [10, 0, 1000]
H = {"eta": [0, 0, 0]}


class Column:
    """As a column of pandas: it iterates over its values, has a dtype, and gives them as a list."""

    def __init__(self, values: Any, dtype: Any = None) -> None:
        self._values = np.asarray(values, dtype=dtype)

    dtype = property(lambda self: self._values.dtype)
    shape = property(lambda self: self._values.shape)
    ndim = property(lambda self: self._values.ndim)

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def tolist(self) -> list[Any]:
        return list(self._values.tolist())


class Table(Column):
    """As a table of pandas: two dimensions, and it iterates over the names of its columns."""

    columns = ("word", "count")

    def __iter__(self) -> Iterator[Any]:
        return iter(self.columns)


class OfAnotherLibrary:
    """Neither a list nor iterable, as a column of another library may be; numpy knows how to read it."""

    def __len__(self) -> int:
        return 3

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(COUNTS)


class WithoutArrays:
    def __len__(self) -> int:
        return 3

    def to_numpy(self) -> Any:
        return np.array(COUNTS)


GIVEN = {
    "a list": COUNTS,
    "an array": np.array(COUNTS),
    "an array of floats": np.array(COUNTS, dtype=float),
    "small integers": np.array(COUNTS, dtype=np.int16),
    "objects": np.array(COUNTS, dtype=object),
    "a column": Column(COUNTS),
    "a column of texts that are numbers": Column(["10", "0", "1000"]),
    "__array__": OfAnotherLibrary(),
    "to_numpy": WithoutArrays(),
    "a dict": {"pears": 10, "plums": 0, "figs": 1000},
    "the values of a dict": {"pears": 10, "plums": 0, "figs": 1000}.values(),
}


@pytest.fixture(scope="module")
def proof() -> Any:
    return check(max_phi, effort=0)


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_the_values_are_taken_in_order(given: Any, proof: Any) -> None:
    assert noisy_max.sample(given, eps=1, seed=1) == 2
    assert noisy_max.sample_many(given, eps=1, runs=3, seed=1).indices.ravel().tolist() == [2, 2, 2]
    assert noisy_max.replay(given, eps=1, H=H) == 2
    assert "no condition fails" in str(phi.replay(q=given, q_=[11, 0, 1000], eps=1, H=H))
    assert release(noisy_max_discrete, given, eps=10, proof=proof) == 2


def test_a_dict_of_counts_is_read_once() -> None:
    assert noisy_max.sample(Counter(["b", "a", "a"]), eps=100, seed=1) == 1


def test_dicts_of_neighbours_name_the_same_answers() -> None:
    assert phi.replay(q={"a": 1, "b": 0}, q_={"a": 0, "b": 1}, eps=1, H={"eta": [0, 0]})
    for other in ({"b": 1, "a": 0}, {"a": 0}, {"a": 0, "c": 0}):
        with pytest.raises(InputError, match="q and q_ must have the same keys, in the same order"):
            phi.replay(q={"a": 1, "b": 0}, q_=other, eps=1, H={"eta": [0, 0]})


@pytest.mark.parametrize("counted", [Counter("abb"), defaultdict(int, a=1, b=2)], ids=["Counter", "defaultdict"])
def test_keys_that_depend_on_the_data_are_not_released(counted: Any, proof: Any) -> None:
    with pytest.raises(InputError, match=r"depends on the private data; give .* \[counts\[key\] for key in KEYS\]"):
        release(noisy_max_discrete, counted, eps=1, proof=proof)


WRONG = [
    (Column([True, False]), "q must be a list of numbers, not Column of dtype bool; convert it first"),
    (Column(["2020-01-01"], "datetime64[s]"), "not Column of dtype datetime64[s]; convert it first"),
    (Column([1j]), "not Column of dtype complex128; convert it first"),
    (Column(["pears"]), "q[0] must be a number such as 3, 0.7 or 1/3, not 'pears'"),
    (Column([1.0, float("nan")]), "q[1] must be a finite number, not nan"),
    (Column([1, None]), "q[1] must be a number, not NoneType None"),
    (Table([[1, 2]]), "q must be one list of numbers, not a table; give one of its columns"),
    ({"pears": "many"}, "q[0] must be a number such as 3, 0.7 or 1/3, not 'many'"),
    ({}, "q is empty; give at least one query answer"),
    ({"pears": [1, 2]}, "q[0] must be a number, not list [1, 2]"),
]


@pytest.mark.parametrize(("given", "words"), WRONG)
def test_what_is_no_column_of_numbers_is_refused_in_words(given: Any, words: str) -> None:
    for call in (lambda: noisy_max.sample(given, eps=1), lambda: noisy_max.replay(given, eps=1, H=H)):
        with pytest.raises(InputError) as caught:
            call()
        assert words in str(caught.value)


@pytest.mark.parametrize("given", [given for given, _ in WRONG if given])
def test_a_release_refuses_it_and_shows_no_value(given: Any, proof: Any) -> None:
    with pytest.raises(InputError, match=r"^(q must be one list of numbers, not|an answer of q is not)") as caught:
        release(noisy_max_discrete, given, eps=1, proof=proof)
    assert caught.value.__context__ is None
    assert "pears" not in str(caught.value)
    assert "many" not in str(caught.value)
