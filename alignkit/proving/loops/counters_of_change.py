"""Counters of what the answers have changed by, other than the change so far.

An iteration that releases a sum over its last w answers pays for all that changes among them. Each answer is then paid
for w times, so that the cost is counted against the sum, over the last w iterations, of the change so far at each.
One that releases a block pays for the block when it is over: against the change before the block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from alignkit.proving.conditions.cost_rates import candidate_rates
from alignkit.proving.facts.spent_change import accumulated_change, change_so_far
from alignkit.proving.runs.loop_states import ITERATION, AnswerBlock, Ghost, LoopRound, LoopState
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.symbolic.atoms import Conditional
from alignkit.symbolic.formulas import Formula
from alignkit.symbolic.summation import RunningSum, running_sums
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Role


def changes_by_list(inputs: Inputs) -> list[Ghost]:
    """What adjacency has spent on each list, where several parameters share what it may spend."""
    return [_of_list(inputs, name) for name in inputs.vectors] if inputs.shared else []


def rates_by_list(inputs: Inputs, costs: Iterable[tuple[Term, LoopRound]]) -> Iterator[tuple[tuple[Ghost, Term], ...]]:
    """What adjacency has spent on each list, with the largest rate where the answers of this list alone change."""
    listed, rates = list(costs), []
    for name in inputs.vectors if inputs.shared else ():
        counter = _of_list(inputs, name)
        moved = [(cost, round_.gain(counter)) for cost, round_ in listed]
        rate = next(iter(candidate_rates(moved, inputs, name)), Term.of(0))
        if rate != Term.of(0):
            rates.append((counter, rate))
    if rates:
        yield tuple(rates)


def _of_list(inputs: Inputs, name: str) -> Ghost:
    def value(state: LoopState) -> Term:
        return _so_far(inputs, name, state.rounds)

    def gain(round_: LoopRound) -> Term:
        return inputs.change_of(name, round_.head.rounds)

    return Ghost(f"the change of {name}", value, gain)


def change_counters(inputs: Inputs, costs: Iterable[Term], blocks: Iterable[AnswerBlock]) -> list[Ghost]:
    """The counters that the sums in costs suggest, and those for blocks."""
    sums = running_sums(costs)
    if inputs.most_change is None or not sums:
        return []
    sizes = {size.key: size for each in sums for size in _sizes(each)}
    windows = [_window(inputs, name, size) for name in inputs.vectors for size in sizes.values()]
    return [*windows, *(_before_block(inputs, name, block) for name in inputs.vectors for block in blocks)]


def _sizes(each: RunningSum) -> Iterator[Term]:
    """How far before the end of the iteration a sum may begin, where that is a public number above 1."""
    for index in _ways(each.index):
        size = Term.of(ITERATION) + 1 - index
        constant = size.constant
        if roles(size) <= {Role.PUBLIC} and (constant is None or constant > 1):
            yield size


def _ways(index: Term) -> Iterator[Term]:
    """The numbers that an index may be, if it is chosen among several."""
    atoms = tuple(index.atoms())
    if len(atoms) == 1 and isinstance(atoms[0], Conditional) and index == Term.of(atoms[0]):
        yield from _ways(atoms[0].then)
        yield from _ways(atoms[0].other)
    else:
        yield index


def _window(inputs: Inputs, name: str, size: Term) -> Ghost:
    def value(state: LoopState) -> Term:
        ahead = accumulated_change(inputs, state.rounds, name)
        return ahead - accumulated_change(inputs, state.rounds - size, name)

    def gain(round_: LoopRound) -> Term:
        over = round_.head.rounds + 1
        return _so_far(inputs, name, over) - _so_far(inputs, name, over - size)

    return Ghost(f"the change of {_answers(inputs, name)} over windows of {size}", value, gain)


def _before_block(inputs: Inputs, name: str, block: AnswerBlock) -> Ghost:
    def value(state: LoopState) -> Term:
        return _so_far(inputs, name, state.rounds - block.seen(state))

    def gain(round_: LoopRound) -> Term:
        assert round_.after is not None
        ended = block.seen(round_.after).compare("==", 0)
        grown = _so_far(inputs, name, round_.after.rounds) - value(round_.head)
        return ended.choose(grown, 0) if isinstance(ended, Formula) else grown if ended else Term.of(0)

    shown = f"the change of {_answers(inputs, name)} up to {block} iterations ago"
    return Ghost(shown, value, gain if block.size is not None else None)


def _answers(inputs: Inputs, name: str) -> str:
    return name if len(inputs.vectors) > 1 else "the answers"


def _so_far(inputs: Inputs, name: str, index: Term) -> Term:
    return Term.of(change_so_far(inputs, index, name))
