"""What adjacency says of running sums: how far a sum on D′ may lie from the same sum on D.

A sum over the answers of D′ has a twin on D, the sum of the same body over the answers of D. Under ``one`` the twins
differ by what the one answer that changes contributes. Under the others they differ by at most a rate for each unit by
which the answers change; that the rate of a body is right is obliged where the sum is made.

What adjacency, ``one`` or ``l1``, has spent on the answers so far, as running sums.

It is counted list by list. What is spent on all lists together is bounded; what is spent on single answers, which are
no part of a list, is taken off the bound beforehand.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.proving.facts.ranges import within
from alignkit.proving.symbolic_inputs import RISES, Inputs, primed
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.atoms import Conditional, Element, Monomial
from alignkit.symbolic.formulas import conjunction, implies
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.summation import BOUND, FirstItems, RunningSum, general, running_sum, running_sums, summand
from alignkit.symbolic.terms import Term, atoms_within
from alignkit.symbolic.trees import Atom, Role, lazy

# At most so many ways to choose one position in each list are looked at. What is left out is not known, that is all.
MOST_WAYS = 128


def change_so_far(inputs: Inputs, index: Term, name: str | None = None) -> Term | None:
    """What adjacency has spent on the first ``index`` answers of a list, or of all lists; None where it counts none."""
    if inputs.most_change is None:
        return None
    return inputs.changes[name].up_to(index)


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
    """What is known of the change of one answer of each list, or of the first ones of it, together.

    Under ``one`` it follows from what is known of each answer. Under ``few`` it is known of the answers at different
    numbers of a list, too.
    """
    if inputs.adjacency is Adjacency.ONE or inputs.most_change is None:
        return
    changes: dict[str, list[Term]] = {}
    numbered: dict[str, list[Term]] = {}
    for name, index in places:
        if inputs.shared:
            changes.setdefault(name, []).append(inputs.change_of(name, index))
        if index.constant is not None and inputs.adjacency.most is not None:
            numbered.setdefault(name, []).append(inputs.change_of(name, index))
    for name, some in numbered.items():
        if len(some) > 1:
            changes.setdefault(name, []).append(sum(some, Term.of(0)))
    sums = tuple(mentioned)
    for name in inputs.vectors if inputs.shared else ():
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


# Of sums that differ by at most so many items it is known how they differ.
MOST_ITEMS = 8


def of_items(key: str) -> str:
    """The key, among rates, of how far the items of a body may lie apart at all."""
    return f"items of {key}"


# The rates of bodies over the answers of D′, by the keys of the bodies with any numbers for their parameters.
Rates = Mapping[str, Term]


@dataclass(frozen=True)
class Twins:
    """A body over the answers of D′, and the same body over those of D; ``vectors`` are the parameters it reads."""

    body_: Term
    body: Term
    vectors: tuple[str, ...]

    def apart(self, index: Term) -> Term:
        """How far the sum on D′ is from its twin, over the first ``index`` items."""
        return self._sums_.up_to(index) - self._sums.up_to(index)

    @lazy
    def _sums_(self) -> FirstItems:
        return FirstItems(self.body_)

    @lazy
    def _sums(self) -> FirstItems:
        return FirstItems(self.body)

    @lazy
    def key(self) -> str:
        """The key of the body on D′ with any numbers for its parameters."""
        return general(self.body_)[0].key

    def item_apart(self, index: Term) -> Term:
        """The same for one item."""
        return summand(self.body_, index) - summand(self.body, index)


def twins(inputs: Inputs, body: Term) -> Twins | None:
    """A body with its twin on D; None where it reads no answer of D′, or one other than the item's own."""
    names = {primed(name): name for name in inputs.mechanism.private}
    elements = [atom for atom in body.within if isinstance(atom, Element) and atom.role is Role.PRIVATE]
    if any(isinstance(atom, RunningSum) for atom in elements):
        return None
    of_d_prime = [atom for atom in elements if atom.array in names]
    if not of_d_prime or any(atom.index != BOUND for atom in of_d_prime):
        return None
    moved: dict[Atom, Term] = {
        atom: Term.of(Element(names[atom.array], BOUND, Role.PRIVATE)) for atom in of_d_prime
    }
    vectors = tuple(dict.fromkeys(names[atom.array] for atom in of_d_prime))
    try:
        return Twins(body, substitute(body, moved), vectors)
    except ZeroDivisionError:
        return None


def plain_rate(inputs: Inputs, pair: Twins) -> Term | None:
    """The rate of a body that is an answer itself."""
    name = pair.vectors[0]
    return Term.of(1) if pair.body_ == Term.of(Element(primed(name), BOUND, Role.PRIVATE)) else None


# What is known of running sums, by the inputs, the rates and the sums, from which alone it follows.
Remembered = dict[Hashable, list[Any]]


def facts_of_sums(
    inputs: Inputs, rates: Rates, formulas: Collection[Any], remembered: Remembered | None = None
) -> list[Any]:
    """What holds of the running sums that formulas mention; what ``remembered`` holds is not worked out again."""
    if inputs.bounded:
        return []
    mentioned = running_sums(formulas)
    if not mentioned or (not inputs.shared and _is_spent(inputs, mentioned)):
        return []
    about, known = (inputs, tuple(rates.items()), mentioned), {} if remembered is None else remembered
    if about not in known:
        known[about] = _of_these(inputs, rates, mentioned)
    return [*known[about], *_items(mentioned, formulas)]


def _of_these(inputs: Inputs, rates: Rates, mentioned: Collection[RunningSum]) -> list[Any]:
    facts = _differences(inputs, rates, mentioned)
    if inputs.shared and inputs.most_change is not None:
        facts += facts_of_lists(inputs, (*mentioned, *running_sums(f for f in facts if f is not True)))
    everything = {each.key: each for each in (*mentioned, *running_sums(f for f in facts if f is not True))}
    return [*facts, *_steps(everything.values()), *_of_equal_parameters(everything.values())]


def _is_spent(inputs: Inputs, mentioned: Iterable[RunningSum]) -> bool:
    """Whether all sums are what adjacency has spent up to one place, of which is known what is stated of it."""
    return all(counts_change(inputs, each.body) for each in mentioned) and len({e.index for e in mentioned}) == 1


def _differences(inputs: Inputs, rates: Rates, mentioned: Iterable[RunningSum]) -> list[Any]:
    private = [each for each in mentioned if each.role is Role.PRIVATE]
    indices = list(dict.fromkeys(each.index for each in private))
    bodies = dict.fromkeys(each.body for each in private)
    pairs = [pair for pair in (twins(inputs, body) for body in bodies) if pair is not None]
    counted = inputs.vectors if inputs.most_change is not None else ()
    accumulating = [name for name in counted if change_so_far(inputs, BOUND + 1, name) in bodies]
    facts = [fact for i in indices for fact in _nothing_changed(inputs, pairs, i, accumulating)]
    ranges = [(Term.of(0), index) for index in indices]
    ranges += [way for one, other in itertools.combinations(indices, 2) for way in ((one, other), (other, one))]
    for start, end in ranges:
        ordered = conjunction((start.compare(">=", 0), start.compare("<=", end)))
        if ordered is False:
            continue
        facts += [implies(ordered, _accumulated(inputs, name, start, end)) for name in accumulating]
        if inputs.adjacency is Adjacency.ONE:
            continue
        for name in dict.fromkeys(vector for pair in pairs for vector in pair.vectors):
            spent = spent_between(inputs, name, start, end)
            if spent is not None and inputs.most_change is not None:
                within_bound = conjunction((spent.compare(">=", 0), spent.compare("<=", inputs.most_change)))
                facts.append(implies(ordered, within_bound))
        for pair in pairs:
            known = _by_rate(inputs, rates, pair, start, end)
            facts.append(implies(ordered, known))
    if inputs.adjacency is Adjacency.ONE:
        facts += [_by_one_answer(inputs, pair, index) for pair in pairs for index in indices]
    return facts


def _items(mentioned: Iterable[RunningSum], formulas: Iterable[Any]) -> Iterator[Any]:
    """A public sum of items that are at least 0 is no less than 0, nor than each item that formulas speak of.

    If the items are above 0, and there is one, so is the sum.
    """
    signs = [(each, plain_sign(each.body)) for each in mentioned if each.role is Role.PUBLIC]
    at_least_0 = [(each, sign) for each, sign in signs if sign is not None]
    atoms = [atom for f in formulas if at_least_0 and not isinstance(f, bool) for atom in atoms_within(f)]
    for each, sign in at_least_0:
        yield implies(each.index.compare(">=", 0), Term.of(each).compare(">=", 0))
        if sign:
            yield implies(each.index.compare(">=", 1), Term.of(each).compare(">", 0))
        arrays = {element.array for element in each.summands if element.index == BOUND}
        for index in dict.fromkeys(a.index for a in atoms if isinstance(a, Element) and a.array in arrays):
            item = summand(each.body, index).compare("<=", Term.of(each))
            yield implies(within(index, each.index), item)


def plain_sign(body: Term) -> int | None:
    """1 if a body is above 0 as it is written, 0 if it is at least 0, as max(x, 0) and x * x are; None if neither."""
    signs = [_sign_of_product(monomial) if coefficient > 0 else None for monomial, coefficient in body.parts.items()]
    return max((sign for sign in signs if sign is not None), default=0) if None not in signs else None


def _sign_of_product(monomial: Monomial) -> int | None:
    signs = [_sign_of_power(atom, power) for atom, power in monomial]
    return min((sign for sign in signs if sign is not None), default=1) if None not in signs else None


def _sign_of_power(atom: Atom, power: int) -> int | None:
    if atom.positive:
        return 1
    chosen = _sign_of_choice(atom) if isinstance(atom, Conditional) else None
    return None if power < 0 else 0 if chosen is None and power % 2 == 0 else chosen


def _sign_of_choice(way: Conditional) -> int | None:
    """The sign of a choice between two ways, where the condition may say that a way is above 0, or above the other."""
    signs = []
    for branch, other, known in ((way.then, way.other, way.condition), (way.other, way.then, ~way.condition)):
        bounds = [(Term.of(0), 0), *((other, sign) for sign in [plain_sign(other)] if sign is not None)]
        above = [1 for bound, _ in bounds if branch.compare(">", bound) == known]
        least = [sign for bound, sign in bounds if branch.compare(">=", bound) == known]
        own = plain_sign(branch)
        told = [*above, *least, *([] if own is None else [own])]
        if not told:
            return None
        signs.append(max(told))
    return min(signs)


def _nothing_changed(inputs: Inputs, pairs: Iterable[Twins], index: Term, accumulating: Iterable[str]) -> list[Any]:
    """Before the first answer nothing has changed."""
    known = [pair.apart(index).compare("==", 0) for pair in pairs]
    if inputs.most_change is not None:
        known.append(Term.of(change_so_far(inputs, index)).compare("==", 0))
    known += [accumulated_change(inputs, index, name).compare("==", 0) for name in accumulating]
    return [implies(index.compare("<=", 0), fact) for fact in known]


def _accumulated(inputs: Inputs, name: str, start: Term, end: Term) -> Any:
    """That each item of an accumulated change lies between 0 and the most that adjacency may spend."""
    gained = accumulated_change(inputs, end, name) - accumulated_change(inputs, start, name)
    assert inputs.most_change is not None
    return conjunction((gained.compare(">=", 0), gained.compare("<=", (end - start) * inputs.most_change)))


def _by_one_answer(inputs: Inputs, pair: Twins, index: Term) -> Any:
    """Under ``one``, the sums of twins differ by the item that changes, once it is among the first ``index``."""
    changed = inputs.changed
    there = within(changed, index)
    return pair.apart(index).compare("==", op.choose(there, pair.item_apart(changed), Term.of(0)))


def _by_rate(inputs: Inputs, rates: Rates, pair: Twins, start: Term, end: Term) -> Any:
    """That sums of twins over a range differ by at most the body's rate for each unit of change in this range."""
    plain, key = plain_rate(inputs, pair), pair.key
    rate = plain if plain is not None else rates.get(key)
    apart = pair.apart(end) - pair.apart(start)
    if rate is None and of_items(key) in rates:
        # Items differ only where the answers that they read change, which is counted or not.
        counted = [spent_between(inputs, name, start, end) for name in pair.vectors]
        items = sum(map(Term.of, counted), Term.of(0)) if inputs.adjacency.counts_changes else end - start
        most = items * rates[of_items(key)]
        return conjunction((apart.compare("<=", most), apart.compare(">=", -most)))
    if rate is None or len(pair.vectors) != 1:
        return True
    spent = spent_between(inputs, pair.vectors[0], start, end)
    most = end - start if spent is None else spent
    most = most * (inputs.sensitivity(pair.vectors[0]) if spent is None else inputs.per_unit(pair.vectors[0]))
    known = [apart.compare("<=", rate * most), apart.compare(">=", -(rate * most))]
    if plain is not None and inputs.adjacency is Adjacency.MONOTONE:
        known += [implies(RISES, apart.compare(">=", 0)), implies(~RISES, apart.compare("<=", 0))]
    return conjunction(tuple(known))


def _of_equal_parameters(mentioned: Iterable[RunningSum]) -> Iterator[Any]:
    """Sums over equally many items of one body are equal where their parameters are."""
    alike: dict[tuple[str, str], list[RunningSum]] = {}
    for each in mentioned:
        if each.parameters:
            alike.setdefault((each.general.key, each.index.key), []).append(each)
    for one, other in itertools.islice(_pairs(alike.values()), MOST_WAYS):
        pairs = zip(one.parameters, other.parameters, strict=True)
        equal = conjunction(tuple(Term.of(a).compare("==", Term.of(b)) for a, b in pairs))
        yield implies(equal, Term.of(one).compare("==", Term.of(other)))


def _pairs(groups: Iterable[list[RunningSum]]) -> Iterator[tuple[RunningSum, RunningSum]]:
    return itertools.chain.from_iterable(itertools.combinations(group, 2) for group in groups)


def _steps(mentioned: Iterable[RunningSum]) -> list[Any]:
    """A few more items add themselves to a sum; no items add up to 0."""
    facts: list[Any] = []
    arrays: dict[str, list[RunningSum]] = {}
    for each in mentioned:
        arrays.setdefault(each.array, []).append(each)
        facts.append(implies(each.index.compare("==", 0), Term.of(each).compare("==", 0)))
    for sums in arrays.values():
        for one, other in itertools.permutations(sums, 2):
            if one.role is Role.PUBLIC and plain_sign(one.body) is not None:
                ordered = conjunction((one.index.compare(">=", 0), one.index.compare("<=", other.index)))
                facts.append(implies(ordered, Term.of(one).compare("<=", Term.of(other))))
            items = (other.index - one.index).constant
            if items is not None and 1 <= items <= MOST_ITEMS:
                between = (summand(one.body, one.index + item) for item in range(int(items)))
                gained = Term.of(other).compare("==", sum(between, Term.of(one)))
                facts.append(implies(one.index.compare(">=", 0), gained))
    return facts
