"""Adjacency: how far the private answers of D and D′ may lie apart."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError
from alignkit.running.mechanism import Mechanism


class Adjacency(enum.StrEnum):
    """Which pairs of databases are adjacent, in terms of their query answers and the sensitivity Δ."""

    EACH = "each"  # every answer may change by up to Δ
    MONOTONE = "monotone"  # every answer may change by up to Δ, all in one direction
    ONE = "one"  # one answer may change, by up to Δ
    L1 = "l1"  # the changes add up to at most Δ

    @classmethod
    def read(cls, name: str) -> Adjacency:
        """The adjacency of a name; InputError lists them."""
        try:
            return cls(name)
        except ValueError:
            raise InputError(f"adjacency is {name!r}; it is one of {', '.join(cls)}") from None


def check_adjacent(
    adjacency: Adjacency, mechanism: Mechanism, values: Mapping[str, Any], values_: Mapping[str, Any]
) -> None:
    """Raise InputError, saying where, unless the private answers are adjacent."""
    rises = falls = False
    for name, kind in mechanism.private.items():
        one, other = values[name], values_[name]
        pairs = list(zip(one, other, strict=False)) if kind.vector else [(one, other)]
        if kind.vector and len(one) != len(other):
            raise InputError(f"{name} has {len(one)} answers and {name}_ has {len(other)}; give the same number")
        bound = mechanism.sensitivity(name, values)
        changes = [Fraction(b) - Fraction(a) for a, b in pairs]
        for i, change in enumerate(changes):
            if abs(change) > bound:
                raise InputError(f"{name}[{i}] changes by {change}, more than the sensitivity {bound}")
        rises |= any(change > 0 for change in changes)
        falls |= any(change < 0 for change in changes)
        if adjacency is Adjacency.L1 and sum(map(abs, changes)) > bound:
            raise InputError(f"the changes of {name} add up to {sum(map(abs, changes))}, more than {bound}")
        if adjacency is Adjacency.ONE and sum(change != 0 for change in changes) > 1:
            raise InputError(f"more than one answer of {name} changes; adjacency is 'one'")
    if adjacency is Adjacency.MONOTONE and rises and falls:
        raise InputError("some answers rise and others fall; adjacency is 'monotone'")
