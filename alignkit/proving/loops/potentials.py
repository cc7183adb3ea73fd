"""Bounds on the cost so far by what counters have gained, which every iteration keeps.

A bound does not decide which paths there are, so that no path is run again: on each of them the bound at the loop's
head becomes known, and the bound after the iteration is obliged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from alignkit.language.program import For
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.loops.invariants import CostBound
from alignkit.proving.obligation import Obligation
from alignkit.proving.symbolic_trial import Record
from alignkit.symbolic.terms import atoms_within


def with_potentials(bounds: tuple[CostBound, ...], loop: For, record: Record) -> Record:
    """A path through an iteration, with the bounds known at the loop's head and obliged where the loop goes on.

    Obligations that say nothing of the cost so far stay as they are; so do those from before the head.
    """
    trace = record.trace
    if trace is None or trace.round is None:
        return record
    start, head, after = trace.round.start, trace.round.head, trace.round.after
    at_head = tuple(formula for formula in (bound.holds(head, start) for bound in bounds) if formula is not True)
    so_far = {atom.key for atom in head.cost.atoms()}

    def with_bounds(hypotheses: Hypotheses, *about: Any) -> Hypotheses:
        mentioned = {atom.key for formula in about if not isinstance(formula, bool) for atom in atoms_within(formula)}
        return hypotheses.also(at_head).with_sums(*about) if so_far & mentioned else hypotheses

    obligations = [replace(o, hypotheses=with_bounds(o.hypotheses, o.goal)) for o in record.obligations]
    if after is not None:
        for bound in bounds:
            goal, words = bound.holds(after, start), f"{bound.name}: is kept by every iteration"
            hypotheses = with_bounds(trace.hypotheses, goal)
            obligations.append(Obligation("cost", hypotheses, goal, words, loop.place, bound.name))
    ends = [replace(b, hypotheses=with_bounds(b.hypotheses, b.total)) for b in record.bounds]
    return replace(record, obligations=obligations, bounds=ends)
