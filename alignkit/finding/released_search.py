"""Proposals for mechanisms that only give sums out: each draw makes up for the change of the sum that it hides."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from alignkit.finding.findings import Proposal
from alignkit.finding.public_expressions import LENGTH, fitting_claims
from alignkit.finding.released_sums import CoveredDraw, CoveringRun, covering_runs
from alignkit.finding.search_grounds import SearchGrounds
from alignkit.finding.shape_search import Say, checked
from alignkit.finding.shapes import RELEASED
from alignkit.finding.source_text import AlignmentText, in_full
from alignkit.finding.sums_in_words import shift_text
from alignkit.limits import Deadline
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_decorator import Mechanism


def released_proposals(
    mechanism: Mechanism, adjacency: Adjacency, grounds: SearchGrounds, wanted: str | None, deadline: Deadline, say: Say
) -> Iterator[Proposal]:
    """Alignments that keep every number that is given out, with what `check` says of them, until one is proved."""
    runs = covering_runs(mechanism, grounds.samples.public.values(), random.Random(0))
    text = _text(mechanism, adjacency, [draw for run in runs for draw in run.draws]) if runs else None
    if runs is None or text is None:
        return
    claims = [wanted] if wanted is not None else _claims(mechanism, adjacency, runs)
    yield from checked(((text, claim) for claim in claims), RELEASED, wanted, deadline, say, set())


def _text(mechanism: Mechanism, adjacency: Adjacency, draws: list[CoveredDraw]) -> AlignmentText | None:
    taken = {*mechanism.private, *mechanism.public}
    names = [name for name in ("i", "j", "at", "place", "other", "here") if name not in taken]
    arguments = []
    by_output = mechanism.program.is_generator and all(
        each.drawn.where.index == (each.drawn.outputs_before,) for each in draws
    )
    for draw in mechanism.draws:
        of_key = [each for each in draws if each.drawn.where.key == draw.key]
        shift = shift_text(mechanism, of_key, names, by_output=by_output) if of_key else "0"
        if shift is None:
            return None
        if any(each.weights for each in of_key):
            arguments.append(f"{draw.key}={shift}")
    if not arguments:
        return None
    return in_full(mechanism, adjacency, (), arguments, "Moves each draw by what the number that it hides changes by.")


def _claims(mechanism: Mechanism, adjacency: Adjacency, runs: Sequence[CoveringRun]) -> Iterator[str]:
    """What the alignment may cost: the largest of what the parameters cost alone, or what all of them cost."""
    shared = adjacency in (Adjacency.ONE, Adjacency.L1) and len(mechanism.private) > 1
    of_each = [next(_fitting(mechanism, adjacency, runs, name), None) for name in (mechanism.private if shared else ())]
    if len(set(of_each)) > 1 and None not in of_each:
        yield f"max({', '.join(dict.fromkeys(map(str, of_each)))})"
    yield from _fitting(mechanism, adjacency, runs)
    for name in (name for name, kind in mechanism.public.items() if kind.vector):
        above = [sum(max(Fraction(x), Fraction(0)) for x in run.public[name]) - run.cost(adjacency) for run in runs]
        if min(above) >= 0:
            yield f"sum({name})"
            yield f"sum(max(s, 0) for s in {name})"


def _fitting(
    mechanism: Mechanism, adjacency: Adjacency, runs: Sequence[CoveringRun], name: str | None = None
) -> Iterator[str]:
    points: list[tuple[Mapping[str, Any], Fraction]] = []
    for run in runs:
        lengths = {f"len({list_})": len(run.public[list_]) for list_, kind in mechanism.public.items() if kind.vector}
        if run.outputs is not None:
            lengths[LENGTH] = run.outputs
        points.append(({**run.public, **lengths}, run.cost(adjacency, name)))
    yield from fitting_claims(mechanism, points)
