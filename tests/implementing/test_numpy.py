"""numpy and Python on symbolic numbers: each idiom gives what it gives on the floats that the numbers stand for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from alignkit import Epsilon, Noise, Queries, implements, mechanism
from alignkit.confirming.normal_forms import Comparison, NotExaminedError, Number
from alignkit.implementing.all_reals import CodeWorld
from alignkit.implementing.arrays import RealArray, array_of_numbers, replacements

VALUES = (Fraction(3), Fraction(-5, 4), Fraction(0), Fraction(7, 2), Fraction(3))


def _filled(a: Any) -> Any:
    out = np.zeros(len(a))
    for i, value in enumerate(a):
        out[i] = value * 2
    return out


def _like(a: Any) -> Any:
    out = np.zeros_like(a)
    out[1:] = a[:-1]
    return out


def _masked(a: Any) -> Any:
    out = a.copy()
    out[out < 0] = 0
    return out


def _in_place(a: Any) -> Any:
    b = np.asarray(a)
    b += 1
    return a


def _copied(a: Any) -> Any:
    b = np.array(a)
    b += 1
    return a


def _slice_in_place(a: Any) -> Any:
    a[1:3] *= 2
    return a


def _appended(a: Any) -> Any:
    out: list[Any] = []
    for value in a:
        if value > 0:
            out.append(value)
    return np.array(out)


IDIOMS: dict[str, Callable[[Any], Any]] = {
    "sum of two": lambda a: a + a[::-1],
    "scalar on the left": lambda a: 1 - 2 * a,
    "numpy's scalar on the left": lambda a: np.float64(0.5) * a,
    "division": lambda a: a / 4,
    "square": lambda a: a**2,
    "negative": lambda a: -a,
    "abs": lambda a: np.abs(a),
    "Python's abs": lambda a: [abs(x) for x in a],
    "sign": lambda a: np.sign(a),
    "sum": lambda a: a.sum(),
    "np.sum": lambda a: np.sum(a),
    "Python's sum": lambda a: sum(a),
    "floor": lambda a: np.floor(a),
    "mean": lambda a: a.mean(),
    "np.mean": lambda a: np.mean(a),
    "prod": lambda a: np.prod(a),
    "cumsum": lambda a: np.cumsum(a),
    "diff": lambda a: np.diff(a),
    "dot": lambda a: np.dot(a, a),
    "matmul": lambda a: a @ a,
    "max": lambda a: np.max(a),
    "Python's max": lambda a: max(a),
    "max with a key": lambda a: max(range(len(a)), key=lambda i: a[i]),
    "min": lambda a: a.min(),
    "argmax": lambda a: np.argmax(a),
    "argmax, a method": lambda a: a.argmax(),
    "argmin": lambda a: int(np.argmin(a)),
    "sort": lambda a: np.sort(a),
    "sorted": lambda a: sorted(a, reverse=True),
    "argsort, stable": lambda a: np.argsort(a, kind="stable"),
    "argsort of the negative": lambda a: np.argsort(-a, kind="stable")[:2],
    "sort by position": lambda a: sorted(range(len(a)), key=lambda i: -a[i]),
    "partition": lambda a: np.sort(np.partition(a, 2)[:2]),
    "argpartition": lambda a: np.sort(a[np.argpartition(-a, 2)[:3]]),
    "mask": lambda a: a[a > 0],
    "two masks": lambda a: a[(a > -1) & (a < 3)],
    "not a mask": lambda a: a[~(a > 0)],
    "mask, assigned": _masked,
    "where": lambda a: np.where(a > 0, a, -a),
    "where, one": lambda a: np.where(a > 0)[0],
    "flatnonzero": lambda a: np.flatnonzero(a >= 3),
    "nonzero": lambda a: np.nonzero(a)[0],
    "count_nonzero": lambda a: np.count_nonzero(a > 0),
    "any": lambda a: bool(np.any(a > 3)),
    "all": lambda a: bool((a > -2).all()),
    "Python's any": lambda a: any(x > 3 for x in a),
    "sum of a mask": lambda a: (a > 0).sum(),
    "cumsum of a mask": lambda a: np.cumsum(a > 0),
    "equal": lambda a: a == 3,
    "clip": lambda a: np.clip(a, -1, 2),
    "clip, a method": lambda a: a.clip(0, 3),
    "clip of a number": lambda a: np.clip(a[0], 0, 2),
    "maximum": lambda a: np.maximum(a, 0),
    "minimum": lambda a: np.minimum(a, 1),
    "maximum.accumulate": lambda a: np.maximum.accumulate(a),
    "zeros, then assigned": _filled,
    "zeros_like, then slices": _like,
    "asarray is an alias": _in_place,
    "array is a copy": _copied,
    "slice in place": _slice_in_place,
    "list, then an array": _appended,
    "full": lambda a: np.full(3, a[0]),
    "ones": lambda a: np.ones(len(a)) * a,
    "concatenate": lambda a: np.concatenate([a[:2], a[3:]]),
    "append": lambda a: np.append(a, 1.5),
    "stack": lambda a: np.stack([a, a + 1]).sum(axis=0),
    "reshape": lambda a: a[:4].reshape(2, 2).sum(axis=1),
    "transpose": lambda a: a[:4].reshape(2, 2).T[0],
    "outer": lambda a: np.outer(a[:2], a[:2]).ravel(),
    "take": lambda a: np.take(a, [0, 3]),
    "fancy index": lambda a: a[[3, 0]],
    "reversed": lambda a: a[::-1],
    "tolist": lambda a: a.tolist(),
    "astype float": lambda a: a.astype(float),
    "astype of a mask": lambda a: (a > 0).astype(int),
    "isfinite": lambda a: np.isfinite(a).all(),
    "isnan": lambda a: bool(np.any(np.isnan(a))),
    "math.isnan": lambda a: [x != x for x in a],
    "median": lambda a: np.median(a),
    "enumerate": lambda a: [i for i, x in enumerate(a) if x >= 3],
    "zip": lambda a: [x - y for x, y in zip(a, a[1:], strict=False)],  # noqa: RUF007
    "chained comparison": lambda a: [0 <= x < 3.5 for x in a],
    "conditional": lambda a: [x if x > 0 else 0 for x in a],
    "truth of a number": lambda a: [bool(x) for x in a],
    "len and shape": lambda a: [len(a), a.shape[0], a.size, a.ndim],
    "dtype": lambda a: bool(a.dtype == np.float64),
    "isinstance": lambda a: isinstance(a, np.ndarray),
    "searchsorted": lambda a: int(np.searchsorted(np.cumsum(np.abs(a)), 5)),
    "lexsort by a copy": lambda a: np.argsort(np.array([-x for x in a]), kind="stable"),
    "average": lambda a: np.average(a),
    "linspace": lambda a: np.linspace(0, 1, 3) * a[0],
    "array of lists": lambda a: np.array([[a[0], 1.0], [2.0, a[1]]]).sum(axis=0),
    "power of a half": lambda a: [x * x for x in a],
    "isclose": lambda a: np.isclose(a, 3.0),
    "unravel": lambda a: np.unravel_index(np.argmax(a[:4].reshape(2, 2)), (2, 2)),
}

# What is not followed is refused: never guessed.
REFUSED: dict[str, Callable[[Any], Any]] = {
    "round": lambda a: round(a[0]),
    "np.round": lambda a: np.round(a),
    "a.round": lambda a: a.round(),
    "math.floor": lambda a: math.floor(a[0]),
    "astype int": lambda a: a.astype(int),
    "astype half": lambda a: a.astype(np.float16),
    "array of ints": lambda a: np.array(list(a), dtype=int),
    "into ints": lambda a: np.zeros(len(a), dtype=int).__setitem__(0, a[0]),
    "into halves": lambda a: np.zeros(len(a), dtype=np.float32).__setitem__(0, a[0]),
    "modulo": lambda a: a[0] % 2,
    "whole division": lambda a: a[0] // 2,
    "set": lambda a: {a[0]},
    "dictionary": lambda a: {1.0: 2}.get(a[0]),
    "index": lambda a: [1, 2, 3][a[0]],
    "formatted": lambda a: "%.2f" % a[0],  # noqa: UP031
    "complex": lambda a: complex(a[0]),
    "float of the machine": lambda a: float(a[0]),
    "array of the machine's floats": lambda a: np.float64(a[0]),
}


@pytest.fixture
def symbolic(monkeypatch: pytest.MonkeyPatch) -> Iterator[CodeWorld]:
    """A world, with what stands for numpy's functions in place."""
    world = CodeWorld(3000)
    for (owner, name), value in replacements(world.calculus).items():
        monkeypatch.setattr(owner, name, value)
    yield world
    world.close()


def _unknowns(world: CodeWorld) -> Any:
    def unknown(i: int, value: Fraction) -> Any:
        return world.unknown(("input", i), lambda number: [[(Comparison(number - value, "=="), True)]])

    return array_of_numbers([unknown(i, value) for i, value in enumerate(VALUES)])


def _plain(value: Any) -> Any:
    """A result with the constants put in, as floats."""
    if isinstance(value, np.ndarray):
        value = [value[i] for i in range(len(value))] if value.ndim else value.item()
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Comparison):
        return bool(value)
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Number):
        total = Fraction(0)
        for product, factor in value.terms.items():
            term = Fraction(factor)
            for unknown, exponent in product:
                term *= VALUES[unknown.order] ** int(exponent)
            total += term
        return float(total)
    return float(value)


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, list) or isinstance(other, list):
        return isinstance(one, list) and isinstance(other, list) and len(one) == len(other) and all(
            map(_alike, one, other)
        )
    return isinstance(one, bool) == isinstance(other, bool) and math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)


@pytest.mark.parametrize("name", IDIOMS)
def test_an_idiom_gives_what_it_gives_on_floats(
    name: str, symbolic: CodeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    idiom = IDIOMS[name]
    of_unknowns = _plain(idiom(_unknowns(symbolic)))
    of_fractions = _plain(idiom(array_of_numbers(list(VALUES))))
    monkeypatch.undo()
    expected = _plain(idiom(np.array([float(v) for v in VALUES])))
    assert _alike(of_unknowns, expected), (of_unknowns, expected)
    assert _alike(of_fractions, expected), (of_fractions, expected)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_refused(name: str, symbolic: CodeWorld) -> None:
    with pytest.raises((NotExaminedError, TypeError)):
        REFUSED[name](_unknowns(symbolic))


def test_an_array_of_numbers_passes_for_one_of_floats(symbolic: CodeWorld) -> None:
    array = _unknowns(symbolic)
    assert type(array) is RealArray
    assert array.dtype == np.dtype(float)
    assert [type(value) for value in array] == [Number] * len(VALUES)


@mechanism
def mean_with_noise(q: Queries, eps: Epsilon, noise: Noise):
    """The mean of answers with Laplace noise of scale 1 / eps."""
    e = noise.laplace(1 / eps)
    return sum(q) / len(q) + e


MEANS: dict[str, Callable[[Any], Any]] = {
    "a method": lambda q: q.mean(),
    "np.mean": lambda q: np.mean(q),
    "of a list": lambda q: np.mean(list(q)),
    "np.average": lambda q: np.average(q),
    "of rows": lambda q: np.mean([[x, x] for x in q], axis=1).mean(),
}


@pytest.mark.parametrize("name", MEANS)
def test_the_mean_of_numbers_is_no_float(name: str) -> None:
    """While a function runs, a number says that it is a float of numpy, and numpy's mean would make one of it."""

    def function(q: Any, eps: float) -> Any:
        return MEANS[name](q) + np.random.laplace(0, 1 / eps)

    assert implements(mean_with_noise)(function).check(n=2).implements
