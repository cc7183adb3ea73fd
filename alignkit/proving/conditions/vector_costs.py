"""The cost of a vector's shifts, where the vector's length is not a number, by one of two sum rules.

Either the shift is 0 outside a few named indices and the positions that D selected, and the cost is the sum over
these. Or every shift costs at most a rate times the change of its own answer, and under l1 adjacency the changes add up
to at most the sensitivity. The rules and their proofs are in docs/theory/selections.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.language.program import Place
from alignkit.proving.conditions.cost_rates import candidate_rates
from alignkit.proving.facts.instances import PROBE
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.facts.ranges import within
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.path_obligations import Obligations
from alignkit.proving.runs.run_events import FamilyDraw
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import conjunction, implies
from alignkit.symbolic.terms import Term, atoms_within
from alignkit.symbolic.trees import Role

Shift = Callable[[Term], Term]


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
        position = Term.of(index) + self.offset
        return conjunction((self.ranking.inside(position), self.ranking.rank(position).compare("<", self.size)))

    def seen_from(self, facts: Facts, drawn: FamilyDraw) -> Selected | None:
        """The same, seen from the vector whose coordinates the ranking's values contain; None where one is missing."""
        for offset in sorted(_offsets(facts, self.ranking, drawn)):
            if offset >= 0 and drawn.length + offset == Term.of(self.ranking.values.length):
                return replace(self, offset=offset)
        return None


def _offsets(facts: Facts, ranking: Ranking, drawn: FamilyDraw) -> set[int]:
    with facts.elements.looking():
        value = ranking.values.element(PROBE)
    own = (a for a in atoms_within(value) if isinstance(a, Element) and (a.role, a.array) == (Role.NOISE, drawn.key))
    distances = ((PROBE - atom.index).constant for atom in own)
    return {int(d) for d in distances if d is not None and d.denominator == 1}


def cost_of_family(
    owed: Obligations,
    drawn: FamilyDraw,
    shift: Shift,
    named: Iterable[Term],
    selected: Selected | None,
    place: Place,
) -> Term:
    """A bound on the cost of a vector's shifts, with the obligations that make it one.

    ``named`` are indices that the output names one by one.
    """
    selected = None if selected is None else selected.seen_from(owed.facts, drawn)
    index = owed.facts.indices.fresh(f"index of {drawn.key} in the cost")
    inside = within(index, drawn.length)
    at = shift(index)
    if at == Term.of(0):
        return Term.of(0)
    inputs = owed.facts.inputs
    if inputs.adjacency is Adjacency.L1:
        bound = _by_change(owed, drawn, at, index, inside, place)
        if bound is not None:
            return bound
    changed = [inputs.changed] if inputs.adjacency is Adjacency.ONE else []
    offset = 0 if selected is None else selected.offset
    held_against = (position - offset for position in _held_against(at, index))
    indices = list(dict.fromkeys([*named, *changed, *held_against]))
    elsewhere = [index.compare("!=", i) for i in indices]
    if selected is not None:
        elsewhere.append(op.negation(selected.holds(index)))
    among = [*(i.key for i in indices), *(["the selected positions"] if selected is not None else [])]
    moved = f"{drawn.key} is shifted only at {', '.join(among)}"
    words = moved if among else f"no coordinate of {drawn.key} is shifted"
    owed.oblige("cost", at.compare("==", 0), place, words, given=[inside, *elsewhere])
    costs = _costs(drawn, shift, index)
    total = _over_indices(costs, indices)
    if selected is not None:
        total = total + _over_selected(owed, drawn, costs, indices, selected, place)
    return total * costs.unit


@dataclass(frozen=True)
class Costs:
    """What shifts cost, as multiples of a unit, so that the solver sees the shifts and not the scale."""

    at: Callable[[Term], Term]
    unit: Term


def _costs(drawn: FamilyDraw, shift: Shift, index: Term) -> Costs:
    unit = Term.of(drawn.distribution.cost(Term.of(1), *drawn.arguments(index)))
    (symbol,) = index.atoms()
    if unit.sign != 1 or symbol in unit.within:
        unit = Term.of(1)
    return Costs(lambda i: Term.of(drawn.distribution.cost(shift(i), *drawn.arguments(i))) / unit, unit)


def _held_against(at: Term, index: Term) -> list[Term]:
    """Indices that were selected and that a shift compares with its own index or its own noise."""
    indices = (a for a in atoms_within(at) if isinstance(a, Symbol) and a.role is Role.INDEX)
    return [i for i in dict.fromkeys(map(Term.of, indices)) if i != index]


def _over_indices(costs: Costs, indices: list[Term]) -> Term:
    total = Term.of(0)
    for number, i in enumerate(indices):
        # An index may have two names, and counts once. A name may lie outside the vector: since a cost below 0 counts
        # as 0, it does no harm there.
        new = conjunction(tuple(i.compare("!=", j) for j in indices[:number]))
        total = total + op.choose(new, op.maximum([costs.at(i), Term.of(0)]), Term.of(0))
    return total


def _over_selected(
    owed: Obligations, drawn: FamilyDraw, costs: Costs, indices: list[Term], selected: Selected, place: Place
) -> Term:
    """A bound on the sum over what was selected and is not named: their number times the greatest cost among them."""
    words = "as many positions are selected as there are ranks"
    owed.oblige("cost", within(selected.size, selected.ranking.values.length + 1), place, words)
    left = selected.size
    for position in range(selected.offset):
        left = left - op.choose(selected.holds(position - selected.offset), Term.of(1), Term.of(0))
    for number, i in enumerate(indices):
        inside = within(i, drawn.length)
        counted = conjunction((selected.holds(i), inside, *(i.compare("!=", j) for j in indices[:number])))
        left = left - op.choose(counted, Term.of(1), Term.of(0))
    facts = owed.facts
    dearest = facts.indices.fresh("dearest of the selected")
    some = left.compare(">=", 1)
    inside = within(dearest, drawn.length)
    unnamed = conjunction((selected.holds(dearest), inside, *(dearest.compare("!=", i) for i in indices)))
    facts.assume(implies(some, unnamed))
    facts.assume(op.any_of([some, left.compare("==", 0)]))
    greatest = Term.of(op.maximum([costs.at(dearest), Term.of(0)]))
    symbol = Symbol(f"what the selected {drawn.key} cost", Role.STATE)
    facts.indices.bring(symbol, dearest)
    whole = Term.of(symbol)
    facts.assume(whole.compare("==", left * greatest))
    # What follows from that for a greatest cost of so much at most, without the product.
    for most in BOUNDS:
        facts.assume(implies(greatest.compare("<=", most), whole.compare("<=", left * most)))
    return whole


def _by_change(owed: Obligations, drawn: FamilyDraw, at: Term, index: Term, inside: Any, place: Place) -> Term | None:
    inputs = owed.facts.inputs
    name = inputs.vector
    if name is None:
        return None
    one, other = inputs.element_pair(name, index)
    cost = Term.of(drawn.distribution.cost(at, *drawn.arguments(index)))
    sensitivity = inputs.sensitivity(name)
    for rate in candidate_rates([(cost, abs(other - one))], inputs):
        words = f"the shift of {drawn.key} costs at most {rate} for each unit by which its answer changes"
        owed.oblige("cost", cost.compare("<=", rate * abs(other - one)), place, words, given=[inside])
        words = f"the rate {rate} is at least 0"
        owed.oblige("cost", rate.compare(">=", 0), place, words)
        return rate * sensitivity
    return None
