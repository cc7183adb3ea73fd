"""Invariants of running totals: a variable that adds up answers differs, on D′, by what their sum has changed by.

What a variable gains in one iteration is read off D's paths through it. Where a private condition decides the gain,
the paths are put together again. These are candidates only: the loop must keep them like all others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from alignkit.proving.loops.invariants import Invariant
from alignkit.proving.runs.gains import OF_ANSWERS, Gains
from alignkit.proving.runs.loop_states import ITERATION, LoopState
from alignkit.proving.symbolic_inputs import Inputs, primed
from alignkit.symbolic.atoms import Element
from alignkit.symbolic.running_sums import BOUND, BOUND_SYMBOL, NotASum, first_item, sum_over_range
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Role

def totals_of_answers(inputs: Inputs, paths: Iterable[Gains]) -> tuple[Invariant, ...]:
    """The invariants of the variables that may be running totals."""
    listed = list(paths)
    names = listed[0].gained if listed else {}
    found = ((name, _body(name, listed)) for name in names)
    return tuple(_total(inputs, name, body) for name, body in found if body is not None)


def _body(name: str, paths: list[Gains]) -> Term | None:
    """What a variable gains in the iteration that stands at BOUND; None where that is not made of answers."""
    ways = {path.gained[name].key: path.gained[name] for path in paths}
    if not all(roles(gained) <= OF_ANSWERS for gained in ways.values()):
        return None
    if len(ways) == 1:
        (gained,) = ways.values()
    else:
        cases = {(path.when, path.gained[name]): None for path in paths}
        if any(isinstance(when, bool) for when, _ in cases):
            return None
        gained = sum((when.choose(gained, 0) for when, gained in cases), Term.of(0))
    body: Term = substitute(gained, {ITERATION: BOUND})
    return body if Role.PRIVATE in roles(body) else None


def _total(inputs: Inputs, name: str, body: Term) -> Invariant:
    """The invariant that a variable differs on D′ by the change of the sum of ``body``, besides what it did before."""
    vectors = inputs.mechanism.private
    answers = (a for a in body.within if isinstance(a, Element) and a.array in vectors)
    moved = {a: Term.of(Element(primed(a.array), a.index, Role.PRIVATE)) for a in answers}
    body_, start = substitute(body, moved), first_item(body)

    def apart(state: LoopState) -> Term:
        return Term.of(state.names_[name]) - state.names[name]

    def holds(state: LoopState, before: LoopState) -> Any:
        try:
            on_d, on_d_prime = (sum_over_range(each, start, state.rounds) for each in (body, body_))
        except NotASum:
            return False
        return (apart(state) - apart(before)).compare("==", on_d_prime - on_d)

    shown = body.key.replace(BOUND_SYMBOL.key, "j")
    return Invariant(f"{name}_ - {name} == change of the sum of {shown} so far", holds)
