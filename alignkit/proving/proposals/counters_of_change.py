"""Counters of what the answers have changed by, other than the change so far.

An iteration that releases a sum over its last w answers pays for all that changes among them. Each answer is then paid
for w times, so that the cost is counted against the sum, over the last w iterations, of the change so far at each.
One that releases a block pays for the block when it is over: against the change before the block.

What a claim sums up as counters: a loop may pay for its iterations out of the items of a public list.

Such a counter is the sum of the first items, as many as there were iterations; an iteration adds its own item. So a
cost is held against the items one by one, by induction, and never against a sum of numbers.

Counters of what the answers have changed by, for iterations that read answers at places of their own.

Iteration r of ``for i in range(1, len(q))`` reads q[r + 1] and q[r]; that of a level of a tree reads q[2 * r] and
q[2 * r + 1]. An answer is then paid for by each iteration that reads it. The cost is counted against the change of the
first r + b answers, for each offset b from the iteration; where the places are a apart, against that of the first
a * r + b.

Several counters at once: each grows on paths of its own, and answers that have changed are paid for beside them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family
from alignkit.proving.conditions.cost_rates import (
    DIRECTIONS,
    candidate_rates,
    only_moved,
    read_off,
    size_of_rate,
    where_defined,
)
from alignkit.proving.facts.known_sums import accumulated_change, change_so_far
from alignkit.proving.loops.invariants import Invariant
from alignkit.proving.runs.loop_states import CHANGE, ITERATION, ROUNDS, Counter, Ghost, LoopRound, placeholder, put
from alignkit.proving.runs.path_trace import Trace
from alignkit.proving.symbolic_inputs import Inputs, primed
from alignkit.proving.vectors.summing import claim_of_sums
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.symbolic.atoms import Conditional, Element, Remainder, Symbol
from alignkit.symbolic.formulas import Formula
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.summation import RunningSum, only_atom, running_sum, running_sums, summand
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role

_PUBLIC = frozenset({Role.PUBLIC})

# The iterations that are over at a state.
OVER = placeholder(ROUNDS)


@dataclass(frozen=True)
class TriedGhost(Ghost):
    """A ghost with its gain in an iteration, where that is simpler to say than by its values."""

    gain: Callable[[LoopRound], Term] | None = field(default=None, repr=False)


def gain(round_: LoopRound, counter: Counter) -> Term:
    """By how much an iteration changes a counter, where the loop goes on."""
    assert round_.after is not None
    if isinstance(counter, TriedGhost) and counter.gain is not None:
        return counter.gain(round_)
    return round_.after.counted(counter) - round_.head.counted(counter)


@dataclass(frozen=True)
class AnswerBlock:
    """What tells how many iterations a block has seen: a variable that counts them, or the size of all blocks."""

    counter: str = ""
    size: Term | None = None

    @property
    def seen(self) -> Term:
        """How many iterations of the block are over, over placeholders."""
        return placeholder(self.counter) if self.size is None else OVER.remainder(self.size)

    def __str__(self) -> str:
        return self.counter if self.size is None else f"{ROUNDS} % {self.size}"


def multiples_passed(rounds: Iterable[tuple[Trace, LoopRound]]) -> list[Ghost]:
    """How often a condition `i % b == r` of the iterations has held, for each that some path decides."""
    ghosts: dict[str, Ghost] = {}
    for trace, round_ in rounds:
        stated = (formula for formula in trace.hypotheses.stated if not isinstance(formula, bool))
        for equal in (part for formula in stated for part in formula.comparisons() if part.relation == "=="):
            for atom in equal.term.atoms():
                factor = equal.term.parts.get(((atom, 1),), 0)
                rest = Term.of(atom) - equal.term * factor
                if isinstance(atom, Remainder) and abs(factor) == 1 and roles(rest) | roles(atom.divisor) <= _PUBLIC:
                    first = rest - (atom.of - round_.head.rounds)
                    if roles(first) <= _PUBLIC:
                        ghost = _multiples(atom.divisor, first)
                        ghosts[ghost.name] = ghost
    return list(ghosts.values())


def _multiples(divisor: Term, first: Term) -> TriedGhost:
    last = OVER - 1 - first

    def gain(round_: LoopRound) -> Term:
        return Term.of(op.choose((round_.head.rounds - first).remainder(divisor).compare("==", 0), 1, 0))

    words = f"how often ({ROUNDS} - {first}) % {divisor} == 0 in iterations that are over"
    return TriedGhost(words, (last - last.remainder(divisor)) / divisor, gain)


def rates_by_number(
    inputs: Inputs, costs: Iterable[tuple[Term, LoopRound]]
) -> Iterator[tuple[tuple[Counter, Term], ...]]:
    """Rates to try where iteration i costs i times something: all iterations together cost 0 + 1 + ... times that."""
    above = Symbol("the number of an iteration", Role.PUBLIC, integer=True, positive=True)
    moved = []
    for cost, round_ in costs:
        (iteration,) = round_.head.rounds.atoms()
        moved.append((Term.of(substitute(cost, {iteration: Term.of(above)})), Term.of(above)))
    numbers = TriedGhost("the numbers of the iterations", OVER * (OVER - 1) / 2, lambda round_: round_.head.rounds)
    for rate in reversed(candidate_rates(moved, inputs)):
        if rate != Term.of(0) and above not in rate.within:
            yield ((numbers, rate),)


def claimed_sums(alignment: AlignmentProgram, inputs: Inputs) -> list[tuple[tuple[Counter, Term], ...]]:
    """Rates to try: all sums in the claim, each with its factor there, also with what the claim has for an item."""
    claim = None if inputs.bounded else claim_of_sums(alignment, inputs)
    sums = () if claim is None else running_sums([claim])
    if claim is None or not sums:
        return []
    factors = [(each, _factor(claim, each)) for each in sums]
    if any(running_sums([factor]) for _, factor in factors):
        return []
    rates: tuple[tuple[Counter, Term], ...] = tuple((_counter(each), factor) for each, factor in factors)
    rest = substitute(claim, {each: Term.of(0) for each in sums})
    lengths = (atom for value in inputs.values.values() if isinstance(value, Family) for atom in value.length.atoms())
    by_item = dict.fromkeys(_factor(rest, length) for length in lengths)
    return [rates, *((*rates, (ROUNDS, rate)) for rate in by_item if rate != Term.of(0))]


def within_claimed_sums(alignment: AlignmentProgram, inputs: Inputs) -> Iterator[Invariant]:
    """That no more iterations are over than a list has items that the claim adds up, since each has read one of it."""
    claim = None if inputs.bounded else claim_of_sums(alignment, inputs)
    for each in () if claim is None else running_sums([claim]):
        yield Invariant(f"rounds <= {each.index}", OVER.compare("<=", each.index))


def sums_shared(inputs: Inputs, costs: Iterable[tuple[Term, LoopRound]]) -> Iterator[tuple[tuple[Counter, Term], ...]]:
    """Rates to try: each public sum that costs read, as where an iteration pays its share `w / sum(w)` of a budget.

    Rates that divide by the sum are 0 where it is not above 0.
    """
    listed = list(costs)
    for each in running_sums([cost for cost, _ in listed]):
        if each.role is Role.PUBLIC and not inputs.bounded:
            counter, whole = _counter(each), Term.of(each)
            above = Symbol("the whole sum", Role.PUBLIC, positive=True)
            moved = [(Term.of(substitute(cost, {each: Term.of(above)})), gain(r, counter)) for cost, r in listed]
            ways = [way for pair in moved for way in _ways_of_items(*pair)]
            for rate in candidate_rates(ways, inputs):
                divided = substitute(rate, {above: whole})
                yield ((counter, Term.of(op.choose(whole.compare(">", 0), divided, Term.of(0)))),)


def _ways_of_items(cost: Term, item: Term) -> Iterator[tuple[Term, Term]]:
    """A cost and an item, also with each of the ways in place of a choice that the item is, such as max(w, 0)."""
    yield cost, item
    for way in (atom for atom in item.atoms() if isinstance(atom, Conditional)):
        for branch in (way.then, way.other):
            yield Term.of(substitute(cost, {way: branch})), Term.of(substitute(item, {way: branch}))


def _factor(claim: Term, atom: Atom) -> Term:
    """What a claim multiplies an atom by, where it is linear in that atom."""
    return Term.of(substitute(claim, {atom: Term.of(1)}) - substitute(claim, {atom: Term.of(0)}))


def _counter(each: RunningSum) -> Ghost:
    def gain(round_: LoopRound) -> Term:
        return summand(each.body, round_.head.rounds)

    return TriedGhost(f"{each.array} so far", running_sum(each.body, OVER), gain)


# Of at most so many rates the largest, or the sum, is a rate to try.
MOST_RATES = 4

# At most so many windows are tried that end behind the iteration at hand.
MOST_WINDOWS = 6

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
                rates.append((_counter_of_reads(inputs, name, step, offsets), rate))
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


def _counter_of_reads(inputs: Inputs, name: str, step: int, offsets: list[int]) -> Ghost:
    ends = offsets if step == 1 else offsets[:1]

    value = sum((_so_far(inputs, name, OVER * step + end) for end in ends), Term.of(0))
    places = " and ".join(f"{step}r{end:+}".replace("1r", "r").replace("+0", "") for end in ends)
    return Ghost(f"the change of the first {places} answers of {name}", value)


def changes_of_blocks(inputs: Inputs, costs: Iterable[tuple[Term, LoopRound]]) -> list[Ghost]:
    """What adjacency has spent on the answers before those of an iteration that reads the next ones after the last.

    So does `q[b * i + j]` in a loop over j, and one over i that reads `sum(q[b * i + j] for j in range(b))`.
    """
    found: dict[str, Ghost] = {}
    for cost, round_ in costs if inputs.most_change is not None else ():
        (iteration,) = round_.head.rounds.atoms()
        ends = [end for each in running_sums((cost,)) for end in _ways(each.index)]
        for name in inputs.vectors:
            for start in (*_indices(name, cost), *ends):
                behind = Term.of(substitute(start, {iteration: Term.of(iteration) + 1}))
                follows = behind in ends if start in ends else behind == start + 1
                if follows and start not in (behind, Term.of(iteration)) and roles(start) <= {Role.PUBLIC, Role.INDEX}:
                    place = Term.of(substitute(start, {iteration: OVER}))
                    words = f"the change of the first {start} answers of {name}"
                    found[words] = Ghost(words, _so_far(inputs, name, place))
    return list(itertools.islice(found.values(), MOST_WINDOWS))


def rates_together(
    inputs: Inputs, costs: Iterable[tuple[Term, LoopRound]], counters: Iterable[Counter]
) -> Iterator[tuple[tuple[Counter, Term], ...]]:
    """Rates for all counters at once: what each costs where it alone grows, and what changed answers cost beside that.

    Where changes are counted, what a counter costs is read off where no answer changes, and the rest is for the change.
    """
    listed, counted = list(costs), inputs.most_change is not None
    directions = (0,) if counted else DIRECTIONS
    grown = _different_gains(listed, [c for c in counters if isinstance(c, str) and c != CHANGE])
    ways: list[dict[Counter, Term]] = [{}]
    for counter in sorted(grown, key=lambda name: name != ROUNDS):  # the iterations grow beside all others
        others = [gains for other, gains in grown.items() if other not in (counter, ROUNDS)]
        longer = []
        for rates in ways:
            alone = [
                (cost - sum((rate * grown[other][n] for other, rate in rates.items()), Term.of(0)), grown[counter][n])
                for n, (cost, _) in enumerate(listed)
                if all(gains[n] == Term.of(0) for gains in others)
            ]
            found = [rate for rate in candidate_rates(alone, inputs, directions=directions) if rate != Term.of(0)]
            found.sort(key=lambda rate: abs(size_of_rate(rate)), reverse=True)
            longer += [{**rates, counter: rate} for rate in found[:MOST_RATES]] or [rates]
        ways = longer[: 1 if counted else MOST_RATES]
    if not counted:
        yield from (tuple(rates.items()) for rates in ways if len(rates) > 1)  # each by itself is tried anyway
        return
    (rates,) = ways
    left = [
        (cost - sum((rate * grown[c][n] for c, rate in rates.items()), Term.of(0)), round_)
        for n, (cost, round_) in enumerate(listed)
    ]
    yield from ((*rates.items(), *by_list) for by_list in rates_by_list(inputs, left))
    beside = candidate_rates([(cost, gain(round_, CHANGE)) for cost, round_ in left], inputs)
    above = [rate for rate in beside if size_of_rate(rate) > 0]
    if 1 < len(above) <= MOST_RATES:
        beside = [sum(above, Term.of(0)), Term.of(op.maximum(above)), *beside]
    yield from ((*rates.items(), (CHANGE, rate)) for rate in reversed(beside))


def rates_of_decay(
    inputs: Inputs, costs: Iterable[tuple[Term, LoopRound]]
) -> Iterator[tuple[tuple[Counter, Term], ...]]:
    """What is still to be paid for what the alignment keeps, where each iteration leaves a share of it and costs by it.

    Where v becomes a * v + d at a cost of c * |a * v + d|, the d of one iteration costs c * (1 + a + a ** 2 + ...) in
    all: c * a / (1 - a) * |v| is still to be paid.
    """
    most = Term.of(1) if inputs.vector is None else inputs.per_unit(inputs.vector)
    for cost, round_ in costs if inputs.most_change is not None else ():
        assert round_.after is not None
        for each in _kept(round_):
            head, after = (put(each, state, round_.start) for state in (round_.head, round_.after))
            for atom in (atom for atom in head.atoms() if atom.role is Role.STATE):
                more = {atom: Term.of(atom) + 1}
                with suppress(ZeroDivisionError):
                    share = Term.of((substitute(after, more) - after) / (substitute(head, more) - head))
                    if roles(in_all := cost / abs(after) / (1 - share)) | roles(share) <= {Role.PUBLIC}:
                        for rate in where_defined(in_all, (cost,)):
                            yield (_size(each), -rate * share), (CHANGE, rate * most)


def rates_of_debt(
    inputs: Inputs, costs: Iterable[tuple[Term, LoopRound]], counters: Iterable[Counter]
) -> Iterator[tuple[tuple[Counter, Term], ...]]:
    """What is still to be paid for what the alignment keeps until an iteration releases it, and begins anew.

    Where v becomes v + d, or 0 at a cost of c * |v + d|, each d costs at most c * |d|: c * |v| is still to be paid, for
    each such v. What iterations cost besides is read off where all of them are 0.
    """
    if inputs.most_change is None:
        return
    listed, known = list(costs), list(counters)
    every = dict.fromkeys(kept for _, round_ in listed for kept in _kept(round_))
    found = [(each, rate) for each in every for rate in _paid_at_once(each, listed)]
    several = {only_atom(each): (each, rate) for each, rate in found if only_atom(each) is not None}
    for debts in (*([one] for one in found), *([[*several.values()]] if len(several) > 1 else [])):
        owed: list[tuple[Counter, Term]] = [(_size(each), -rate) for each, rate in debts]
        left = [(cost - sum((rate * gain(r, size) for size, rate in owed), Term.of(0)), r) for cost, r in listed]
        for each, _ in debts:
            left = [(_without(each, cost, round_), round_) for cost, round_ in left]
        beside = candidate_rates([(cost, gain(round_, CHANGE)) for cost, round_ in left], inputs)
        yield from ((*owed, (CHANGE, rate)) for rate in reversed(beside))
        yield from ((*owed, *rates) for rates in rates_together(inputs, left, known))


def _kept(round_: LoopRound) -> Iterator[Term]:
    """What loops of the alignment keep, and how far these numbers lie apart, over placeholders."""
    kept = [placeholder(name) for name in round_.head.beside]
    yield from (*kept, *itertools.starmap(Term.__sub__, itertools.combinations(kept, 2)))


def _size(kept: Term) -> Ghost:
    return Ghost(f"|{kept}|".replace("loop: @", ""), abs(kept))


def _paid_at_once(kept: Term, costs: Iterable[tuple[Term, LoopRound]]) -> list[Term]:
    """What costs multiply sizes by that what is kept is a part of."""
    rates = []
    for cost, round_ in costs:
        states = {atom for atom in put(kept, round_.head, round_.start).atoms() if atom.role is Role.STATE}
        ways = (atom for atom in cost.atoms() if isinstance(atom, Conditional))
        sizes = dict.fromkeys(way for way in ways if not states.isdisjoint(way.then.atoms()))
        with suppress(ZeroDivisionError):
            rates += [sum((_factor(cost, size) for size in sizes), Term.of(0))] if sizes else []
    return [rate for rate in dict.fromkeys(rates) if roles(rate) <= {Role.PUBLIC}]


def _without(kept: Term, cost: Term, round_: LoopRound) -> Term:
    """A cost where what is kept is 0 at the head."""
    head = put(kept, round_.head, round_.start)
    for atom in (atom for atom in head.atoms() if atom.role is Role.STATE):
        factor = head.parts.get(((atom, 1),))
        if factor is not None:
            with suppress(ZeroDivisionError):
                return Term.of(substitute(cost, {atom: Term.of(atom) - head / factor}))
    return cost


def _different_gains(
    costs: list[tuple[Term, LoopRound]], counters: Iterable[Counter]
) -> dict[Counter, tuple[Term, ...]]:
    """What each iteration adds to counters where that is public; of counters that grow alike, the first.

    What a flag gains where it is set shows where it has its value from before the loop.
    """
    found: dict[tuple[Term, ...], Counter] = {}
    for counter in counters:
        gains = tuple(_from_the_start(gain(round_, counter), round_, counter) for _, round_ in costs)
        if all(roles(each) <= {Role.PUBLIC} for each in gains):
            found.setdefault(gains, counter)
    return {counter: gains for gains, counter in found.items()}


def _from_the_start(gained: Term, round_: LoopRound, counter: Counter) -> Term:
    """What an iteration adds to a counter that is as before the loop, if it adds what depends on this counter."""
    if roles(gained) <= {Role.PUBLIC}:
        return gained
    at_head, before = round_.head.counted(counter), round_.start.counted(counter)
    return Term.of(substitute(gained, {atom: before for atom in at_head.atoms() if at_head == Term.of(atom)}))


def claimed_change(
    alignment: AlignmentProgram, inputs: Inputs, costs: Iterable[tuple[Term, LoopRound]]
) -> Iterator[tuple[tuple[Counter, Term], ...]]:
    """That what the claim leaves for the loop pays for the change of the answers, whatever rates the draws suggest."""
    claim = None if inputs.bounded else claim_of_sums(alignment, inputs)
    before = next((round_.start.cost for _, round_ in costs), None)
    if claim is not None and before is not None and inputs.vector is not None and inputs.most_change is not None:
        rate = (claim - before) / inputs.allowance
        if roles(rate) <= {Role.PUBLIC} and not running_sums([rate]):
            yield ((CHANGE, rate),)


def claimed_shares(
    alignment: AlignmentProgram, inputs: Inputs, costs: Iterable[tuple[Term, LoopRound]]
) -> Iterator[tuple[tuple[Counter, Term], ...]]:
    """That each iteration pays an equal share of what the claim leaves for the loop: by a number that costs divide by.

    What is clamped moves by less than its answer may, and by less than where no end of it is met.
    """
    claim = None if inputs.bounded else claim_of_sums(alignment, inputs)
    listed = list(costs)
    divisors = {a: None for cost, _ in listed for m in _all_parts(cost) for a, p in m if p < 0 and a.integer}
    for divisor in divisors if claim is not None else ():
        rate = (claim - listed[0][1].start.cost) / Term.of(divisor)
        if divisor.role is Role.PUBLIC and roles(rate) <= {Role.PUBLIC}:
            yield ((ROUNDS, rate),)


def _all_parts(term: Term) -> Iterator[Any]:
    """The products in a term, and those within what it chooses among."""
    yield from term.parts
    for atom in atoms_within(term):
        if isinstance(atom, Conditional):
            yield from (*Term.of(atom.then).parts, *Term.of(atom.other).parts)


def charged_rates(
    alignment: AlignmentProgram, inputs: Inputs, counters: Iterable[Counter], costs: Iterable[tuple[Term, LoopRound]]
) -> Iterator[tuple[tuple[Counter, Term], ...]]:
    """What delta is made of, as rates: its summands and what it leaves for the loop, also by each whole number in them.

    Charges are exponentials of what limits read, from which no public rate is read off.
    """
    delta = None if inputs.bounded else claim_of_sums(alignment, inputs)
    before = next((round_.start.cost for _, round_ in costs), None)
    if delta is None or before is None:
        return
    amounts = [delta - before, delta, *(Term({m: c}) for m, c in delta.parts.items() if len(delta.parts) > 1)]
    rates: dict[str, Term] = {}
    for amount in amounts:
        powers = [{atom.key: power for atom, power in monomial} for monomial in amount.parts]
        counts = (a for a in amount.atoms() if a.integer and all(power.get(a.key, 0) > 0 for power in powers))
        for rate in (*(amount / Term.of(a) for a in counts), amount):
            if roles(rate) <= {Role.PUBLIC}:
                rates.setdefault(rate.key, rate)
    yield from (((counter, rate),) for counter in counters for rate in rates.values())


def changes_by_list(inputs: Inputs) -> list[Ghost]:
    """What adjacency has spent on each list, where several parameters share what it may spend."""
    return [_of_list(inputs, name) for name in inputs.vectors] if inputs.shared else []


def rates_by_list(inputs: Inputs, costs: Iterable[tuple[Term, LoopRound]]) -> Iterator[tuple[tuple[Ghost, Term], ...]]:
    """What adjacency has spent on each list, with the largest rate where the answers of this list alone change."""
    listed, rates = list(costs), []
    for name in inputs.vectors if inputs.shared else ():
        counter = _of_list(inputs, name)
        moved = [(cost, gain(round_, counter)) for cost, round_ in listed]
        rate = next(iter(candidate_rates(moved, inputs, name)), Term.of(0))
        if rate != Term.of(0):
            rates.append((counter, rate))
    if rates:
        yield tuple(rates)


def _of_list(inputs: Inputs, name: str) -> Ghost:
    def gain(round_: LoopRound) -> Term:
        return inputs.change_of(name, round_.head.rounds)

    return TriedGhost(f"the change of {name}", _so_far(inputs, name, OVER), gain)


def change_counters(inputs: Inputs, costs: Iterable[Term], blocks: Iterable[AnswerBlock]) -> list[Ghost]:
    """The counters that the sums in costs suggest, and those for blocks."""
    sums = running_sums(costs)
    if inputs.most_change is None or not sums:
        return []
    found = {(size.key, Term.of(0).key): (size, Term.of(0)) for each in sums for size in _sizes(each)}
    ahead = {(size.key, by.key): (size, by) for size, by in itertools.islice(_windows_ahead(sums), MOST_WINDOWS)}
    windows = [_window(inputs, name, *one) for name in inputs.vectors for one in (found | ahead).values()]
    return [*windows, *(_before_block(inputs, name, block) for name in inputs.vectors for block in blocks)]


def _sizes(each: RunningSum) -> Iterator[Term]:
    """How far before the end of the iteration a sum may begin, where that is a public number above 1."""
    for index in _ways(each.index):
        size = Term.of(ITERATION) + 1 - index
        constant = size.constant
        if roles(size) <= {Role.PUBLIC} and (constant is None or constant > 1):
            yield size


def _windows_ahead(sums: Iterable[RunningSum]) -> Iterator[tuple[Term, Term]]:
    """Windows that end behind the iteration at hand: their size, and by how much they end later than the iteration."""
    ends = dict.fromkeys(way - Term.of(ITERATION) for each in sums for way in _ways(each.index))
    fixed = [end for end in ends if roles(end) <= {Role.PUBLIC}]
    for end, start in itertools.permutations(fixed, 2):
        if (end - start).sign == 1 and (end - 1).constant != 0:
            yield end - start, end - 1


def _ways(index: Term) -> Iterator[Term]:
    """The numbers that an index may be, if it is chosen among several."""
    atoms = tuple(index.atoms())
    if len(atoms) == 1 and isinstance(atoms[0], Conditional) and index == Term.of(atoms[0]):
        yield from _ways(atoms[0].then)
        yield from _ways(atoms[0].other)
    else:
        yield index


def _window(inputs: Inputs, name: str, size: Term, ahead: Term) -> Ghost:
    end = OVER + ahead
    value = accumulated_change(inputs, end, name) - accumulated_change(inputs, end - size, name)

    def gain(round_: LoopRound) -> Term:
        over = round_.head.rounds + 1 + ahead
        return _so_far(inputs, name, over) - _so_far(inputs, name, over - size)

    later = "" if ahead == Term.of(0) else f" that end {ahead} answers later"
    return TriedGhost(f"the change of {_answers(inputs, name)} over windows of {size}{later}", value, gain)


def _before_block(inputs: Inputs, name: str, block: AnswerBlock) -> Ghost:
    value = _so_far(inputs, name, OVER - block.seen)

    def gain(round_: LoopRound) -> Term:
        assert round_.after is not None
        ended = put(block.seen, round_.after, round_.start).compare("==", 0)
        grown = _so_far(inputs, name, round_.after.rounds) - put(value, round_.head, round_.start)
        return ended.choose(grown, 0) if isinstance(ended, Formula) else grown if ended else Term.of(0)

    shown = f"the change of {_answers(inputs, name)} up to {block} iterations ago"
    return TriedGhost(shown, value, gain if block.size is not None else None)


def _answers(inputs: Inputs, name: str) -> str:
    return name if len(inputs.vectors) > 1 else "the answers"


def _so_far(inputs: Inputs, name: str, index: Term) -> Term:
    return Term.of(change_so_far(inputs, index, name))
