"""Counters of what the answers have changed by, for iterations that read answers at places of their own.

Iteration r of ``for i in range(1, len(q))`` reads q[r + 1] and q[r]; that of a level of a tree reads q[2 * r] and
q[2 * r + 1]. An answer is then paid for by each iteration that reads it. The cost is counted against the change of the
first r + b answers, for each offset b from the iteration; where the places are a apart, against that of the first
a * r + b.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from alignkit.proving.conditions.cost_rates import only_moved, read_off
from alignkit.proving.facts.spent_change import change_so_far
from alignkit.proving.runs.loop_states import Ghost, LoopRound, LoopState
from alignkit.proving.symbolic_inputs import Inputs, primed
from alignkit.symbolic.atoms import Element
from alignkit.symbolic.terms import Term, atoms_within

# At most so many places of a list are told apart, and so far may they lie apart.
MOST_PLACES = 8


def rates_at_offsets(
    inputs: Inputs, costs: Iterable[tuple[Term, LoopRound]]
) -> Iterator[tuple[tuple[Ghost, Term], ...]]:
    """The counters that costs suggest, each with the largest rate at which an answer alone costs."""
    if inputs.most_change is None:
        return
    listed = list(costs)
    rates = []
    places = {name: _places(inputs, name, listed) for name in inputs.vectors}
    if all(place == {1: [0]} for place in places.values()):
        return  # each iteration reads the answer of its own number only
    for name in inputs.vectors:
        for step, offsets in places[name].items():
            if len(offsets) > MOST_PLACES or (step > 1 and offsets[-1] - offsets[0] >= step):
                return
            rate = _largest_rate(inputs, name, listed)
            if rate is not None:
                rates.append((_counter(inputs, name, step, offsets), rate))
    if rates:
        yield tuple(rates)


def _places(inputs: Inputs, name: str, costs: list[tuple[Term, LoopRound]]) -> dict[int, list[int]]:
    """Which answers of a list the costs read, as offsets from a multiple of the iteration, by the multiple."""
    found: dict[int, set[int]] = {}
    for cost, round_ in costs:
        for index in _indices(name, cost):
            place = _place(index, round_.head.rounds)
            if place is not None:
                found.setdefault(place[0], set()).add(place[1])
    return {step: sorted(offsets) for step, offsets in found.items()}


def _indices(name: str, cost: Term) -> list[Term]:
    """Where a cost reads the answers of a list."""
    arrays = name, primed(name)
    return list(dict.fromkeys(a.index for a in atoms_within(cost) if isinstance(a, Element) and a.array in arrays))


def _place(index: Term, rounds: Term) -> tuple[int, int] | None:
    """An index as a multiple of the iteration and an offset; None where it is none."""
    (iteration,) = rounds.parts
    step = Fraction(index.parts.get(iteration, 0))
    offset = (index - rounds * step).constant
    if offset is None or step < 1 or step.denominator != 1 or offset.denominator != 1:
        return None
    return int(step), int(offset)


def _largest_rate(inputs: Inputs, name: str, costs: list[tuple[Term, LoopRound]]) -> Term | None:
    """The most that one answer costs for each unit of its change, whichever it is."""
    moved = []
    for cost, _ in costs:
        for index in _indices(name, cost):
            both = only_moved((cost, inputs.change_of(name, index)), inputs, name, index)
            moved += [] if both is None else [both]
    return next(iter(read_off(moved)), None)


def _counter(inputs: Inputs, name: str, step: int, offsets: list[int]) -> Ghost:
    ends = offsets if step == 1 else offsets[:1]

    def value(state: LoopState) -> Term:
        so_far = (change_so_far(inputs, state.rounds * step + end, name) for end in ends)
        return sum((Term.of(each) for each in so_far), Term.of(0))

    places = " and ".join(f"{step}r{end:+}".replace("1r", "r").replace("+0", "") for end in ends)
    return Ghost(f"the change of the first {places} answers of {name}", value)
