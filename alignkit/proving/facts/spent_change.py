"""What adjacency, ``one`` or ``l1``, has spent on the answers so far, as running sums.

It is counted list by list. What is spent on all lists together is bounded; what is spent on single answers, which are
no part of a list, is taken off the bound beforehand.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from math import prod
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.proving.facts.ranges import within
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.formulas import conjunction, implies
from alignkit.symbolic.summation import BOUND, RunningSum, running_sum
from alignkit.symbolic.terms import Term

# At most so many ways to choose one position in each list are looked at. What is left out is not known, that is all.
MOST_WAYS = 128


def change_so_far(inputs: Inputs, index: Term, name: str | None = None) -> Term | None:
    """What adjacency has spent on the first ``index`` answers of a list, or of all lists; None where it counts none."""
    if inputs.most_change is None:
        return None
    return running_sum(inputs.change_at(BOUND) if name is None else inputs.change_of(name, BOUND), index)


def step(inputs: Inputs, index: Term, name: str) -> Any:
    """What adjacency has spent once it has spent what it does on one more answer of a list."""
    before, after = change_so_far(inputs, index, name), change_so_far(inputs, index + 1, name)
    return Term.of(after).compare("==", Term.of(before) + inputs.change_of(name, index))


def accumulated_change(inputs: Inputs, index: Term, name: str) -> Term:
    """The sum, over the first ``index`` answers of a list, of what adjacency has spent up to and on each of them."""
    so_far = change_so_far(inputs, BOUND + 1, name)
    assert so_far is not None
    return running_sum(so_far, index)


def counts_change(inputs: Inputs, body: Term) -> bool:
    """Whether a running sum of this body is what adjacency has spent on a list."""
    return inputs.most_change is not None and any(body == inputs.change_of(name, BOUND) for name in inputs.vectors)


def spent_between(inputs: Inputs, name: str, start: Term, end: Term) -> Term | None:
    """How far the answers of a list from ``start`` to ``end`` - 1 may change together."""
    one, other = change_so_far(inputs, start, name), change_so_far(inputs, end, name)
    return None if one is None or other is None else other - one


def facts_of_lists(inputs: Inputs, mentioned: Iterable[RunningSum]) -> Iterator[Any]:
    """What is known of the changes of several lists, or of lists and single answers, together."""
    indices: dict[str, list[Term]] = {}
    for name in inputs.vectors:
        body = inputs.change_of(name, BOUND)
        found = [each.index for each in mentioned if each.body == body]
        if found:
            indices[name] = list(dict.fromkeys(found))
    for name, ends in indices.items():
        for end in ends:
            yield from _of_one_list(inputs, name, end)
        for start, end in itertools.permutations(ends, 2):
            ordered = conjunction((start.compare(">=", 0), start.compare("<=", end)))
            if ordered is not False:
                spent = spent_between(inputs, name, start, end)
                yield implies(ordered, Term.of(spent).compare(">=", 0))
    if prod(map(len, indices.values())) > MOST_WAYS:
        return
    most = inputs.most_change
    assert most is not None
    for chosen in itertools.product(*indices.values()):
        spent_on = (_spent(inputs, name, end) for name, end in zip(indices, chosen, strict=True))
        yield sum(spent_on, Term.of(0)).compare("<=", most)


def facts_of_answers(
    inputs: Inputs, places: Iterable[tuple[str, Term]], mentioned: Iterable[RunningSum]
) -> Iterator[Any]:
    """What is known, under ``l1``, of the change of one answer of each list, or of the first ones of it, together.

    Under ``one`` it follows from what is known of each answer.
    """
    if inputs.adjacency is not Adjacency.L1 or inputs.most_change is None:
        return
    changes: dict[str, list[Term]] = {}
    for name, index in places:
        changes.setdefault(name, []).append(inputs.change_of(name, index))
    sums = tuple(mentioned)
    for name in inputs.vectors:
        body = inputs.change_of(name, BOUND)
        first = [Term.of(each) for each in sums if each.body == body]
        if first:
            changes.setdefault(name, []).extend(first)
    if prod(map(len, changes.values())) <= MOST_WAYS:
        for chosen in itertools.product(*changes.values()):
            yield sum(chosen, Term.of(0)).compare("<=", inputs.most_change)


def _of_one_list(inputs: Inputs, name: str, end: Term) -> Iterator[Any]:
    spent = _spent(inputs, name, end)
    yield implies(end.compare("<=", 0), spent.compare("==", 0))
    yield spent.compare(">=", 0)
    if inputs.adjacency is Adjacency.ONE:
        changed = inputs.changed
        there = within(changed, end)
        yield spent.compare("==", op.choose(there, inputs.change_of(name, changed), Term.of(0)))


def _spent(inputs: Inputs, name: str, end: Term) -> Term:
    return Term.of(change_so_far(inputs, end, name))
