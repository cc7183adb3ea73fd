"""Adjacency: how far the private answers of D and D′ may lie apart."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError
from alignkit.language.parameters import exact
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
            raise InputError(f"adjacency must be one of {', '.join(cls)}, not {name!r}") from None


def check_adjacent(
    adjacency: Adjacency, mechanism: Mechanism, values: Mapping[str, Any], values_: Mapping[str, Any]
) -> None:
    """Raise InputError, saying where, unless the private answers are adjacent, and all values on their lattices."""
    for name in mechanism.lattices:
        mechanism.check_lattice(name, values)
        mechanism.check_lattice(name, values_)
    rises = falls = False
    for name, kind in mechanism.private.items():
        one, other = values[name], values_[name]
        if kind.vector and len(one) != len(other):
            raise InputError(f"{name} and {name}_ have {len(one)} and {len(other)} answers; give the same number")
        pairs = list(zip(one, other, strict=True)) if kind.vector else [(one, other)]
        bound = mechanism.sensitivity(name, values)
        # A float stands for the decimal it prints as: from 0.1 to 1.1 is a change of 1.
        changes = [Fraction(exact(b, name)) - exact(a, name) for a, b in pairs]
        for i, change in enumerate(changes):
            if abs(change) > bound:
                answer = f"{name}[{i}]" if kind.vector else name
                raise InputError(f"{answer} changes by {change}, more than the sensitivity {bound}")
        rises |= any(change > 0 for change in changes)
        falls |= any(change < 0 for change in changes)
        total = sum(abs(change) for change in changes)
        if adjacency is Adjacency.L1 and total > bound:
            raise InputError(f"the changes of {name} add up to {total}, more than {bound}")
        if adjacency is Adjacency.ONE and sum(change != 0 for change in changes) > 1:
            raise InputError(f"more than one answer of {name} changes; adjacency is 'one'")
    if adjacency is Adjacency.MONOTONE and rises and falls:
        raise InputError("some answers rise and others fall; adjacency is 'monotone'")
