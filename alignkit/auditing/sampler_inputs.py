"""Pairs of adjacent answer vectors: those that the user gives are checked, otherwise telling ones are made."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.auditing.user_samplers import shortened
from alignkit.errors import InputError
from alignkit.language.parameters import exact
from alignkit.running.adjacency import Adjacency, Breach, breach, exact_changes
from alignkit.running.adjacent_pairs import alone, alternating, first_against_rest, halves, together

Pair = tuple[Any, Any]


def check_pairs(pairs: Any, adjacency: Adjacency | None, sensitivity: float) -> tuple[list[Pair], tuple[str, ...]]:
    """The given pairs that are adjacent, with notes; InputError, saying why the first is not, where none is.

    Without an adjacency all are taken as they are: whether two databases are neighbours is then the user's to say.

    >>> check_pairs([([0, 0], [1, 2]), ([0, 0], [1, 1])], Adjacency.EACH, 1)
    ([([0, 0], [1, 1])], ('left out 1 of 2 pairs, which are not adjacent',))
    """
    try:
        given = [tuple(pair) for pair in pairs]
    except TypeError:
        raise InputError(f"pairs is {shortened(pairs)}; give a list of pairs, such as [([0, 0], [1, 1])]") from None
    if not given:
        raise InputError("pairs is empty; give at least one pair of databases, such as [([0, 0], [1, 1])]")
    for pair in given:
        if len(pair) != 2:
            raise InputError(f"pairs has {shortened(pair)}; each pair is (D, D_), two databases")
    if adjacency is None:
        return [(one, other) for one, other in given], ()
    reasons = [why_not_adjacent(one, other, adjacency, sensitivity) for one, other in given]
    kept = [(one, other) for (one, other), reason in zip(given, reasons, strict=True) if not reason]
    if not kept:
        one, other = given[0]
        raise InputError(
            f"no pair is adjacent by {adjacency.value!r} with sensitivity {sensitivity}: for the first, "
            f"{shortened(one)} and {shortened(other)}: {reasons[0]}"
        )
    left = len(given) - len(kept)
    return kept, (f"left out {left} of {len(given)} pairs, which are not adjacent",) if left else ()


def why_not_adjacent(one: Any, other: Any, adjacency: Adjacency, sensitivity: float) -> str:
    """What keeps two answer vectors (or single answers) from being adjacent; empty if nothing does."""
    a, b = _answers(one), _answers(other)
    if len(a) != len(b):
        return f"one has {len(a)} answers and the other {len(b)}"
    bound = Fraction(exact(sensitivity, "sensitivity"))
    changes = exact_changes(a, b, "an answer")
    breached = breach(adjacency, changes, bound)
    if breached is None:
        return ""
    why, i = breached
    if why is Breach.TOO_FAR:
        return f"answer {i} changes by {changes[i]}, more than {sensitivity}"
    if why is Breach.TOO_MUCH:
        return f"the changes add up to {sum(map(abs, changes))}, more than {sensitivity}"
    return "more than one answer changes" if why is Breach.SEVERAL else "some answers rise and others fall"


def make_pairs(queries: int, adjacency: Adjacency, sensitivity: float, claim: float | None) -> list[Pair]:
    """Telling pairs of ``queries`` answers as arrays of floats: every level with every change, the plain ones first.

    >>> len(make_pairs(5, Adjacency.ONE, 1, 0.5))
    24
    """
    if isinstance(queries, bool) or not isinstance(queries, int) or queries < 1:
        raise InputError(f"queries is {queries!r}; it must be a whole number from 1: how many answers a database has")
    levels, changes = list(_levels(queries, sensitivity, claim)), list(_changes(queries, adjacency, sensitivity))
    places = itertools.product(range(len(levels)), range(len(changes)))
    order = sorted(places, key=lambda place: (sum(place), place))
    made: list[Pair] = []
    seen = set()
    for i, j in order:
        one = np.array(levels[i], dtype=np.float64)
        other = one + np.array(changes[j], dtype=np.float64)
        key = frozenset({tuple(one), tuple(other)})
        # Multiples of the sensitivity and of 1/claim may round: such a pair is left out, not attacked.
        if key not in seen and not why_not_adjacent(one, other, adjacency, sensitivity):
            made.append((one, other))
            seen.add(key)
    if not made:
        raise InputError(f"no adjacent pairs were found with sensitivity {sensitivity}; give pairs=[(D, D_), …]")
    return made


def _levels(n: int, sensitivity: float, claim: float | None) -> Iterator[list[float]]:
    """Answers of D: all equal, one high or low, half and half, spread; by the sensitivity and by the noise's scale.

    A mechanism that is to lose the claim draws noise of a multiple of sensitivity/claim.
    """
    scale = float(math.ceil(1 / claim)) * sensitivity if claim and claim < 1 else sensitivity
    half = n // 2
    yield [0.0] * n
    for gap in dict.fromkeys((sensitivity, scale, 4 * scale)):
        if n > 1:
            yield [gap] + [0.0] * (n - 1)
            yield [0.0] * half + [gap] * (n - half)
        yield [gap] * n
    if n > 1:
        yield [i * sensitivity for i in range(n)]
        yield [-scale] + [0.0] * (n - 1)


def _changes(n: int, adjacency: Adjacency, sensitivity: float) -> Iterator[list[float]]:
    """How the answers change. Each pair is tried in both directions, so a change and its negative are one."""
    patterns: list[Sequence[float]] = []
    if adjacency in (Adjacency.EACH, Adjacency.MONOTONE):
        patterns.append(together(n))
    if adjacency is Adjacency.EACH:
        patterns += [first_against_rest(n), halves(n), alternating(n)]
    patterns += [alone(n, 0), alone(n, n - 1)]
    if adjacency is Adjacency.MONOTONE and n > 1:
        patterns.append([0, *together(n - 1)])
    if adjacency is Adjacency.L1 and n > 1:
        patterns += [[0.5, way * 0.5, *[0] * (n - 2)] for way in (1, -1)]
    return ([sensitivity * way for way in pattern] for pattern in patterns)


def _answers(data: Any) -> list[Any]:
    if isinstance(data, np.ndarray):
        data = data.tolist()
    if isinstance(data, list | tuple) and not any(isinstance(value, Sequence) for value in data):
        return list(data)
    if isinstance(data, int | float | Fraction) and not isinstance(data, bool):
        return [data]
    raise InputError(
        f"{shortened(data)} is not a vector of answers; give adjacency=None where databases are of another kind"
    )
