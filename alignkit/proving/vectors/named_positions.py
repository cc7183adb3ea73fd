"""Outputs of a loop that name positions: those of a ranking, rank by rank.

A loop over what was selected gives its outputs in the order of the selection. That the output of iteration i names
the position at rank i is guessed from one arbitrary iteration of D, and obliged of every iteration that is run; the
alignment may then know what the whole output names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.vectors.listed_positions import position_listed
from alignkit.symbolic.terms import Term


@dataclass(frozen=True)
class Naming:
    """Part ``part`` of the i-th output is the position at rank i of the ``ranking``-th ranking that its run made.

    ``part`` is None where the output is the position itself.
    """

    part: int | None
    ranking: int


def part_of(output: Any, part: int | None) -> Any:
    """A part of an output, or the whole of it; None where there is no such part."""
    if part is None:
        return output
    return output[part] if isinstance(output, tuple) and part < len(output) else None


def positions_named(facts: Facts, rankings: Sequence[Ranking], output: Any, iteration: Term) -> frozenset[Naming]:
    """The positions that the output of an arbitrary iteration names."""
    parts = dict(enumerate(output)) if isinstance(output, tuple) else {None: output}
    found = set()
    for part, value in parts.items():
        listed = position_listed(facts, value, iteration)
        if listed is not None and listed[1] == Term.of(0) and listed[0] in rankings:
            found.add(Naming(part, list(rankings).index(listed[0])))
    return frozenset(found)
