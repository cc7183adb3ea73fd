"""The cost of a vector's shifts, where the vector's length is not a number, by one of two sum rules.

Either the shift is 0 outside a few named indices and the positions that D selected, and the cost is the sum over
these. Or every shift costs at most a rate times the change of its own answer, and under l1 adjacency the changes add up
to at most the sensitivity. Or it is 0 where its own answer does not change, and under few adjacency at most so many of
them cost as much as the dearest. The rules and their proofs are in docs/theory/selections.md.

The cost of a vector's shifts where each coordinate has a scale of its own, from public lists.

Each coordinate costs at most a public amount that depends on its index; together they cost at most the running sum of
these amounts (docs/theory/loops.md).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.language.program import Place
from alignkit.noise import CHOICE
from alignkit.proving.conditions.cost_rates import candidate_rates, extreme
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.known_sums import change_so_far
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.facts.ranges import either_way, within
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.facts.universals import PROBE
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.loop_states import is_iteration
from alignkit.proving.runs.run_on_d import FamilyDraw, RunContext, SymbolicDraw
from alignkit.proving.symbolic_inputs import Inputs, primed
from alignkit.proving.vectors.selections import revealed
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.atoms import Conditional, Element, Symbol
from alignkit.symbolic.formulas import conjunction, implies
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.summation import BOUND, NotASum, RunningSum, running_sum
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role


def amount_at_most(cost: Term, index: Term, inputs: Inputs) -> Term | None:
    """A candidate for what the coordinate at an index costs at most; None where its scale is not its own."""
    own = [a for a in atoms_within(cost) if isinstance(a, Element) and a.role is Role.PUBLIC and a.index == index]
    if not own:
        return None
    ways = (extreme((cost,), inputs, direction) for direction in (1, -1))
    amounts = list({way[0].key: way[0] for way in ways if way is not None}.values())
    if not amounts or any(amount.unknowns or not _public(amount, index) for amount in amounts):
        return None
    return Term.of(op.maximum(amounts))


def sum_of_amounts(amount: Term, index: Term, length: Term) -> Term | None:
    """The sum of an amount over all indices; None where it is no running sum."""
    (symbol,) = index.atoms()
    try:
        return running_sum(substitute(amount, {symbol: BOUND}), length)
    except NotASum:
        return None


def _public(amount: Term, index: Term) -> bool:
    indices = {atom.key for atom in atoms_within(amount) if atom.role is Role.INDEX}
    return roles(amount) <= {Role.PUBLIC, Role.INDEX} and indices <= {index.key}


# From an index to the shift of the coordinate there, or to its cost.
OfIndex = Callable[[Term], Term]
# From a draw and the amount at its index to what it costs: of a shift, what the distribution says.
CostOf = Callable[[SymbolicDraw, Term], Term]

# At most so many rates of a vector's cost are tried.
MOST_RATES = 8

# Bounds on the greatest cost, in units, for which the total over all that was selected is stated without a product.
BOUNDS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Selected:
    """The first ``size`` positions of a ranking: what D selected and the output names.

    Coordinate i of the vector of draws stands at position i + ``offset``; positions before that have noise of their
    own, or none.
    """

    ranking: Ranking
    size: Term
    offset: int = 0

    def holds(self, index: Any) -> Any:
        """Whether a coordinate's position was selected."""
        return self.ranking.among(Term.of(index) + self.offset, Term.of(0), self.size)

    def seen_from(self, facts: Facts, drawn: FamilyDraw) -> Selected | None:
        """The same, seen from the vector whose coordinates the ranking's values contain; None where one is missing."""
        values = self.ranking.values
        offset = (Term.of(values.length) - drawn.length).constant
        if offset is None or offset < 0:
            return None
        with facts.elements.looking():
            value = values.element(PROBE)
        contained = Element(drawn.key, PROBE - offset, Role.NOISE) in atoms_within(value)
        return replace(self, offset=int(offset)) if contained else None


def selection_named(facts: Facts, run: RunContext) -> Selected | None:
    """The selection of symbolic size that the output names, where there is one."""
    outputs = [e.value for e in run.emitted]
    sizes = ((ranking, revealed(facts, outputs, ranking)) for ranking in run.rankings)
    return next((Selected(ranking, size) for ranking, size in sizes if size is not None), None)


def indices_named(output: Any) -> list[Term]:
    """The indices that an output names."""
    if isinstance(output, tuple):
        return [index for part in output for index in indices_named(part)]
    return [output] if isinstance(output, Term) and output.integer else []


def cost_of_family(
    owed: Obligations,
    drawn: FamilyDraw,
    shift: OfIndex,
    cost_of: CostOf,
    named: Iterable[Term],
    selected: Selected | None,
    place: Place,
) -> Term:
    """A bound on the cost of a vector's shifts, with the obligations that make it one.

    ``shift`` may stand for another amount, if ``cost_of`` says what it costs. ``named`` are indices that the output
    names one by one.
    """
    selected = None if selected is None else selected.seen_from(owed.facts, drawn)
    index = owed.facts.indices.fresh(f"index of {drawn.name} in the cost")
    inside = within(index, drawn.length)
    amount = shift(index)
    if amount == Term.of(0):
        return Term.of(0)
    inputs = owed.facts.inputs
    own = _reads_own_answer(amount, index)
    if inputs.adjacency is Adjacency.L1 and own:
        bound = _by_change(owed, drawn, amount, cost_of, index, place)
        if bound is not None:
            return bound
    changed = _reading(inputs.changed, amount, index) if inputs.adjacency is Adjacency.ONE and own else []
    offset = 0 if selected is None else selected.offset
    held_against = [position - offset for position in _held_against(amount, index)]
    if inputs.adjacency.most is not None and own and not held_against:
        bound = _as_often_as_changed(owed, drawn, shift, cost_of, index, place)
        if bound is not None:
            return bound
    # An index that the output names for another vector tells nothing of this one.
    mentioned = set(atoms_within(amount))
    told = [i for i in named if not held_against or mentioned & set(i.atoms())]
    indices = list(dict.fromkeys([*told, *changed, *held_against]))
    if not indices and selected is None:
        by_item = _by_item(owed, drawn, amount, cost_of, index, place)
        return _as_often_as_the_dearest(owed, drawn, shift, cost_of, drawn.length) if by_item is None else by_item
    elsewhere = [index.compare("!=", i) for i in indices]
    among = ["the answer that changes" if i in changed else str(i.key) for i in indices]
    if selected is not None:
        elsewhere.append(op.negation(selected.holds(index)))
        among.append("the selected positions")
    done = "charged" if owed.charging else "shifted"
    moved = f"{drawn.name} is {done} only at {', '.join(among)}"
    words = moved if among else f"no coordinate of {drawn.name} is {done}"
    owed.oblige("cost", amount.compare("==", 0), place, words, given=[inside, *elsewhere])
    unit = _unit(drawn, index, cost_of)

    def cost_at(i: Term) -> Term:
        return cost_of(drawn.at(i), shift(i)) / unit

    total = _over_indices(cost_at, indices)
    if selected is not None:
        total = total + _over_selected(owed, drawn, cost_at, unit, indices, selected, place)
    return total * unit


def _reads_own_answer(shift: Term, index: Term) -> bool:
    """Whether a shift reads an answer at its own index, other than in a sum: it then moves where this answer does."""
    answers = (a for a in atoms_within(shift) if isinstance(a, Element) and a.role is Role.PRIVATE)
    return any(not isinstance(a, RunningSum) and set(index.atoms()) & set(a.index.within) for a in answers)


def _reading(answer: Term, shift: Term, index: Term) -> list[Term]:
    """The indices whose shifts seem to read one answer, where each reads those at its own index, or at twice that."""
    (symbol,) = index.atoms()
    found: dict[Term, None] = {}
    for atom in atoms_within(shift):
        if isinstance(atom, Element) and atom.role is Role.PRIVATE and symbol in atom.index.within:
            factor = atom.index.parts.get(((symbol, 1),), 0)
            rest = atom.index - index * factor
            begins = rest.constant
            if symbol in rest.within:
                continue
            if abs(factor) == 1:
                found[(answer - rest) * factor] = None
            elif factor > 1 and begins is not None:  # of the answers of one block, one index reads all
                found[answer // Term.of(factor) - begins // factor] = None
    return list(found) or [answer]


def _by_item(
    owed: Obligations, drawn: FamilyDraw, shift: Term, cost_of: CostOf, index: Term, place: Place
) -> Term | None:
    """A bound by a sum over the public lists that the scales read; None where a coordinate has no scale of its own."""
    cost = cost_of(drawn.at(index), shift)
    amount = amount_at_most(cost, index, owed.facts.inputs)
    total = None if amount is None else sum_of_amounts(amount, index, drawn.length)
    if amount is None or total is None:
        return None
    words = f"{_costs(owed, drawn, ' at an index')} at most {amount}"
    owed.oblige("cost", cost.compare("<=", amount), place, words, given=[within(index, drawn.length)])
    for known in either_way(drawn.length):
        owed.facts.assume(known, FactOrigin.SCHEMA, "a condition holds or does not")
    return total


def _costs(owed: Obligations, drawn: FamilyDraw, where: str = "") -> str:
    """The beginning of a sentence on what a coordinate costs, or is charged for its limits."""
    return f"the charge for {drawn.name}{where} is" if owed.charging else f"the shift of {drawn.name}{where} costs"


DEAREST = "the index whose shift costs most"


def _as_often_as_the_dearest(
    owed: Obligations, drawn: FamilyDraw, shift: OfIndex, cost_of: CostOf, times: Term
) -> Term:
    """The greatest cost, or 0 if that is below 0, as often as coordinates are shifted: nothing tells which."""
    dearest = owed.facts.indices.fresh(f"dearest index of {drawn.name}")
    inside = implies(drawn.length.compare(">=", 1), within(dearest, drawn.length))
    owed.facts.assume(inside, FactOrigin.DEFINITION, DEAREST)
    cost = cost_of(drawn.at(dearest), shift(dearest))
    return times * Term.of(op.maximum([cost, Term.of(0)]))


def _as_often_as_changed(
    owed: Obligations, drawn: FamilyDraw, shift: OfIndex, cost_of: CostOf, index: Term, place: Place
) -> Term | None:
    """The greatest cost for each answer that changes; None where others are shifted, too."""
    facts, inputs, amount = owed.facts, owed.facts.inputs, shift(index)
    lists = _vectors_read(inputs, amount)
    same = [op.compare_numbers("==", *inputs.element_pair(name, index)) for name in lists]
    given, still = (within(index, drawn.length), *same), amount.compare("==", 0)
    if still is not True and not facts.caches.foresight.follows(facts.hypotheses(still, given).near, still):
        return None
    done = "charged" if owed.charging else "shifted"
    words = f"{drawn.name} is {done} only where the answer at its own index changes"
    owed.oblige("cost", still, place, words, given=given)
    spent = [change_so_far(inputs, drawn.length, name) for name in lists] if inputs.shared else [inputs.most_change]
    return _as_often_as_the_dearest(owed, drawn, shift, cost_of, sum(map(Term.of, spent), Term.of(0)))


def _unit(drawn: FamilyDraw, index: Term, cost_of: CostOf) -> Term:
    """The unit in which costs are counted, so that the solver sees the shifts and not the scale."""
    if drawn.distribution is CHOICE:
        return Term.of(1)
    unit = cost_of(drawn.at(index), Term.of(1))
    (symbol,) = index.atoms()
    return Term.of(1) if unit.sign != 1 or symbol in unit.within else unit


def _held_against(shift: Term, index: Term) -> list[Term]:
    """Indices that were selected and that a shift compares with its own index or its own noise."""
    within_shift = list(atoms_within(shift))
    compared = {a for c in within_shift if isinstance(c, Conditional) for a in atoms_within(c.condition)}
    indices = (a for a in within_shift if isinstance(a, Symbol) and a.role is Role.INDEX)
    # The iteration may be there for another reason, as where the answers of each have a part of one list.
    held = (a for a in indices if a in compared or not is_iteration(a))
    return [i for i in dict.fromkeys(map(Term.of, held)) if i != index]


def _over_indices(cost_at: OfIndex, indices: list[Term]) -> Term:
    """The sum of the costs at some indices."""
    total = Term.of(0)
    for number, i in enumerate(indices):
        # An index may have two names, and counts once. A name may lie outside the vector: since a cost below 0 counts
        # as 0, it does no harm there.
        new = conjunction(tuple(i.compare("!=", j) for j in indices[:number]))
        total = total + op.choose(new, op.maximum([cost_at(i), Term.of(0)]), Term.of(0))
    return total


def _over_selected(
    owed: Obligations,
    drawn: FamilyDraw,
    cost_at: OfIndex,
    unit: Term,
    indices: list[Term],
    selected: Selected,
    place: Place,
) -> Term:
    """A bound on the sum over what was selected and is not named: their number times the greatest cost among them."""
    words = "there are at least as many positions as are selected"
    owed.oblige("cost", within(selected.size, selected.ranking.values.length + 1), place, words)
    unnamed_count = selected.size
    for position in range(selected.offset):
        unnamed_count = unnamed_count - op.choose(selected.holds(position - selected.offset), Term.of(1), Term.of(0))
    for number, i in enumerate(indices):
        inside = within(i, drawn.length)
        counted = conjunction((selected.holds(i), inside, *(i.compare("!=", j) for j in indices[:number])))
        unnamed_count = unnamed_count - op.choose(counted, Term.of(1), Term.of(0))
    facts = owed.facts
    dearest = facts.indices.fresh("dearest of the selected")
    any_unnamed = unnamed_count.compare(">=", 1)
    inside = within(dearest, drawn.length)
    dearest_is_unnamed = conjunction((selected.holds(dearest), inside, *(dearest.compare("!=", i) for i in indices)))
    facts.assume(implies(any_unnamed, dearest_is_unnamed), FactOrigin.DEFINITION, DEAREST)
    greatest = Term.of(op.maximum([cost_at(dearest), Term.of(0)]))
    # Where the bound on the cost is linear, the sum is a distance in this unit.
    name = f"total shift of the selected {drawn.name}" if unit != Term.of(1) else f"what the selected {drawn.name} cost"
    symbol = Symbol(name, Role.STATE)
    facts.indices.bring(symbol, dearest)
    total = Term.of(symbol)
    facts.assume(total.compare("==", unnamed_count * greatest), FactOrigin.DEFINITION, DEAREST)
    # The same without the product, where the greatest cost is at most a small number.
    for most in BOUNDS:
        bounded = implies(greatest.compare("<=", most), total.compare("<=", unnamed_count * most))
        facts.assume(bounded, FactOrigin.SCHEMA, DEAREST)
    return total


def _by_change(
    owed: Obligations, drawn: FamilyDraw, shift: Term, cost_of: CostOf, index: Term, place: Place
) -> Term | None:
    """A bound by a rate for each unit of change, under l1 adjacency; None where there is no candidate for a rate."""
    facts, inputs = owed.facts, owed.facts.inputs
    cost, inside = cost_of(drawn.at(index), shift), within(index, drawn.length)
    names = _vectors_read(inputs, cost)
    changes = [inputs.change_of(name, index) for name in names]
    tried = [
        candidate_rates([(cost, change)], inputs, name if inputs.shared else None)
        for name, change in zip(names, changes, strict=True)
    ]
    if not tried or not all(tried):
        return None

    def goal(rates: Sequence[Term]) -> Any:
        return cost.compare("<=", sum((rate * change for rate, change in zip(rates, changes, strict=True)), Term.of(0)))

    rates = tuple(each[0] for each in tried)
    if any(inputs.least_change(name) for name in names):  # the largest rate at one point is not that at all others
        every = itertools.islice(itertools.product(*(reversed(each) for each in tried)), MOST_RATES)
        follows, goals = facts.caches.foresight.follows, {way: goal(way) for way in every}
        rates = next((w for w, g in goals.items() if follows(facts.hypotheses(g, (inside,)).near, g)), rates)
    spent = [change_so_far(inputs, drawn.length, n) if inputs.shared else inputs.sensitivity(n) for n in names]
    total = sum((rate * Term.of(most) for rate, most in zip(rates, spent, strict=True)), Term.of(0))
    listed = " or ".join(map(str, dict.fromkeys(rates)))
    words = f"{_costs(owed, drawn)} at most {listed} for each unit by which its answer changes"
    owed.oblige("cost", goal(rates), place, words, given=[inside])
    for rate in rates:
        owed.oblige("cost", rate.compare(">=", 0), place, f"the rate {rate} is at least 0")
    return total


def _vectors_read(inputs: Inputs, cost: Term) -> tuple[str, ...]:
    """The private lists whose answers a cost reads; where nothing is shared, the first."""
    if not inputs.shared:
        return inputs.vectors[:1]
    arrays = {atom.array.removesuffix(primed("")) for atom in atoms_within(cost) if isinstance(atom, Element)}
    return tuple(name for name in inputs.vectors if name in arrays)
