"""What is worth trying to prove a loop by, as far as D's iterations do not show that it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import or_
from typing import Any

from alignkit.language.program import Builtin, Compare, Name, walk
from alignkit.proving.conditions.adaptive_queries import Theorem, on_lattices
from alignkit.proving.loops.invariants import ListPlan, LoopPlan
from alignkit.proving.loops.nested import is_nested
from alignkit.proving.proposals.counters_of_change import within_claimed_sums
from alignkit.proving.proposals.invariants_to_try import (
    AsFarApart,
    about_flags,
    before_any,
    equal_gains,
    flags,
    kept_by_alignment,
    loop_candidates,
    relations_of_counters,
)
from alignkit.proving.proposals.marked_iterations import around_marks
from alignkit.proving.proposals.running_totals import totals_of_answers
from alignkit.proving.runs.grown_lists import name_of_length
from alignkit.proving.runs.output_shapes import Held, Shapes, told
from alignkit.proving.runs.returned_forms import Mark, ReturnForms, ranges_to_try, returned_marks
from alignkit.proving.stages.single_runs import preview_of_end
from alignkit.proving.symbolic_trial import Exploration, Iteration, Preview
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.claims import OMEGA
from alignkit.running.draws import called_mechanisms
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


def plan_to_try(exploration: Exploration, previews: Sequence[Preview], *, alone: bool = False) -> LoopPlan:
    """The invariants worth trying, as far as D's iterations do not show that they fail.

    Sums of answers are spoken of only in a loop that is ``alone``: the only one of symbolic length. Outputs are told
    apart by their iterations only where the program calls no mechanisms either.
    """
    mechanism, loop = exploration.alignment.mechanism, previews[0].loop
    kinds = mechanism.kinds.at_loop[loop.site]
    limits = tuple(name for name, kind in mechanism.public.items() if kind.integer)
    candidates = loop_candidates(loop, kinds, previews[0].changed, limits)
    lists = tuple(map(name_of_length, previews[0].grown))
    counters = tuple(name for name in previews[0].changed if kinds[name].name == "int")
    alike = kept_by_alignment(exploration.alignment.program.body, previews[0].changed) if alone else ()
    candidates = replace(candidates, invariants=(*candidates.invariants, *equal_gains(lists, counters), *alike))
    iterations = [preview.iteration for preview in previews if preview.iteration is not None]
    going = [iteration.kept for iteration in iterations if iteration.goes_on]
    kept = frozenset.intersection(*going) if going else frozenset()
    one_stream = alone and not called_mechanisms(mechanism.program)
    if one_stream and not mechanism.program.is_generator:
        at_end = exploration.records(partial(preview_of_end, kept=kept))
        ends = [*previews, *(record.preview for record in at_end if record.preview is not None)]
        forms = ReturnForms.of(end.returned for end in ends if end.returned is not None)
        candidates = replace(candidates, returned=forms, kept=kept)
    if not iterations:
        theorem = _theorem(exploration, ()) if alone else None
        return replace(candidates, shapes=Shapes(()), silent=True, alone=alone, theorem=theorem)
    named = [iteration.named for iteration in iterations if iteration.named is not None]
    positions = [iteration.positions for iteration in iterations if iteration.positions is not None]
    names = tuple(sorted(frozenset.intersection(*named), key=str)) if named else ()
    parameters = exploration.alignment.program.parameters
    of_last = _held(iterations) if alone and "omega" in parameters else frozenset()
    found = _marks(candidates, iterations) if one_stream else ()
    numbers = [name for name in sorted(candidates.equal) if kinds[name].is_number and kinds[name].name != "int"]
    around = tuple(around_marks(found, numbers, exploration.inputs))
    raised = flags(i.gains for i in iterations if i.goes_on)
    further = (*about_flags(raised, numbers, exploration.inputs), *map(AsFarApart.of, numbers))
    if alone and mechanism.program.is_generator and _asks_for_length(exploration.alignment):
        length = Term.of(Symbol(f"len({OMEGA})", Role.UNKNOWN, integer=True))
        further = (*further, *(AsFarApart.of(name, length) for name in numbers))
    totals = totals_of_answers(exploration.inputs, (i.gains for i in iterations if i.goes_on)) if alone else ()
    totals += tuple(within_claimed_sums(exploration.alignment, exploration.inputs)) if alone else ()
    related = tuple(relations_of_counters(i.gains for i in iterations if i.goes_on))
    return replace(
        candidates,
        invariants=(*candidates.invariants, *further, *related, *totals, *around, *map(before_any, sorted(of_last))),
        names=names,
        steady=all(iteration.outputs == 1 for iteration in iterations),
        still=bool(names)
        and not is_nested(loop)
        and not any(iteration.drawn or iteration.called for iteration in iterations),
        shapes=reduce(or_, (iteration.shapes for iteration in iterations)),
        positions=frozenset.intersection(*positions) if positions else frozenset(),
        drawn=frozenset.intersection(*(iteration.drawn for iteration in iterations)),
        whole=all(iteration.goes_on for iteration in iterations),
        silent=not any(iteration.outputs for iteration in iterations),
        alone=alone,
        theorem=_theorem(exploration, iterations) if alone else None,
        marks=found,
        ranges=ranges_to_try(candidates.returned, found, counters) if "omega" in parameters else (),
        held=of_last,
        lists=_lists(exploration, iterations) if one_stream else {},
        **(_positions(exploration, iterations) if one_stream else {}),
    )


def _held(iterations: Sequence[Iteration]) -> frozenset[Held]:
    """The variables that every iteration that goes on sets to a number of its only output."""
    held = [iteration.held for iteration in iterations if iteration.goes_on]
    return frozenset.intersection(*held) if held else frozenset()


def _asks_for_length(alignment: AlignmentProgram) -> bool:
    """Whether an alignment reads how many outputs there are."""
    asked = (node for statement in alignment.program.body for node in walk(statement) if isinstance(node, Builtin))
    return any(
        node.function == "len" and any(isinstance(a, Name) and a.name == OMEGA for a in node.arguments)
        for node in asked
    )


def _marks(plan: LoopPlan, iterations: Sequence[Iteration]) -> tuple[Mark, ...]:
    """The variables that mark iterations and are returned."""
    if not all(iteration.goes_on for iteration in iterations):
        return ()
    set_to: dict[str, set[int]] = {}
    for name, by in (mark for iteration in iterations for mark in iteration.marked):
        set_to.setdefault(name, set()).add(by)
    offsets = {
        name: by.pop()
        for name, by in set_to.items()
        if len(by) == 1 and all(name in i.kept or name in dict(i.marked) for i in iterations)
    }
    return returned_marks(plan.returned, offsets)


def _theorem(exploration: Exploration, iterations: Sequence[Iteration]) -> Theorem | None:
    """The theorem by which a claim on adaptive queries is to be proved."""
    alignment = exploration.alignment
    if not alignment.adaptive:
        return None
    discrete = on_lattices(alignment.mechanism) or all(iteration.discrete for iteration in iterations)
    return Theorem.DISCRETE if discrete else Theorem.STEPS


def _lists(exploration: Exploration, iterations: Sequence[Iteration]) -> dict[str, ListPlan]:
    """How lists that the loop makes longer may be read."""
    plans = {}
    for name in dict(iterations[0].appended):
        appended = [(iteration, dict(iteration.appended)[name]) for iteration in iterations]
        going = {items.items for iteration, items in appended if iteration.goes_on}
        most = max(items.items for _, items in appended)
        each = most if going in ({most}, set()) and most else None
        shapes = reduce(or_, (items.shapes for _, items in appended))
        named = frozenset.intersection(*(items.named for _, items in appended)) if each == 1 else frozenset()
        offsets = told(items.offsets for _, items in appended)
        plans[name] = ListPlan(each, offsets, shapes, tuple(sorted(named, key=str)))
    return plans


def _positions(exploration: Exploration, iterations: Sequence[Iteration]) -> dict[str, Any]:
    """How the output may be read: at fixed positions for each iteration, or by the iterations that it names."""
    given = {iteration.outputs for iteration in iterations if iteration.goes_on}
    most = max(iteration.outputs for iteration in iterations)
    body = exploration.alignment.program.body
    nodes = [node for statement in body for node in walk(statement)]
    if not any(isinstance(node, Compare) and node.operator in ("in", "not in") for node in nodes):
        return {"each": given.pop()} if given == {most} and most > 1 else {}
    named = told(iteration.offsets for iteration in iterations)
    return {"told": named, "each": given.pop() if len(given) == 1 and most in given and most else None}
