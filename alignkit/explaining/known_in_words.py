"""What adjacency says of answers, and a theorem of sums of them, in words: for facts that no reader wants as formulas.

A fact is put in words only where it is one of those that the proof itself takes from adjacency or from the theorem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from alignkit.explaining.grounds import fewest, follows
from alignkit.explaining.readable_formulas import readable_term
from alignkit.proving.facts.known_sums import Rates, counts_change, facts_of_sums, of_items
from alignkit.proving.obligation import Obligation
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.atoms import Element
from alignkit.symbolic.formulas import And, Comparison, Or
from alignkit.symbolic.summation import RunningSum, running_sums
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role
from alignkit.symbolic.z3_solver import Z3Solver

# The page of the theorem of sums.
SUMS_PAGE = "docs/theory/loops.md#what-is-known"

# What the theorem of sums says, by the numbers of its parts: true of all programs.
_THEOREM = {
    "1": "a sum gains its next item",
    "2": "before the first answer nothing has changed, and all changes add up to no more than adjacency allows",
    "3": "where one answer changes, a sum changes by what this answer adds to it",
    "4": "over any range the sums of D and D′ are apart by no more than the changes of its answers add up to, times "
    "the slope of what is summed (triangle inequality)",
    "4, items": "over any range the sums of D and D′ are apart by no more than the items of what is summed are, times "
    "the length of the range",
    "5, growth": "a window gains what the one before it did, with the term that enters, less the one that leaves",
    "5, terms": "a window gains between 0 and what adjacency allows for each of its iterations, and nothing before the "
    "first answer",
    "6": "sums of the same items, equally many, are equal where what the items read besides is equal",
}

# What part 4 says besides, under ``monotone``.
_MONOTONE = ", and a sum of answers moves as they do"

# What part 4 says where changes are counted.
_COUNTED = {
    "4": "over any range the sums of D and D′ are apart by no more than the sensitivity times the slope of what is "
    "summed, for each answer that changes",
    "4, items": "over any range the sums of D and D′ are apart by no more than the items of what is summed are, for "
    "each answer that changes",
}

# The parts as they are left out where others will do: the plainest are kept.
_LEFT_OUT_FIRST = ("5, growth", "5, terms", "6", "1", "3", "2", "4", "4, items")

# Of more facts than these it would take long to leave some out.
_MOST_OF_ORDER = 150

# Names of the positions of greatest and smallest values.
_EXTREMA = ("#argmax", "#argmin")

_ADJACENCY = {
    Adjacency.EACH: "no answer changes by more than its sensitivity",
    Adjacency.MONOTONE: "all answers change in one direction, none by more than its sensitivity",
    Adjacency.ONE: "at most one answer changes, by no more than its sensitivity",
    Adjacency.L1: "the changes of all answers add up to at most the sensitivity",
}


def by_adjacency(obligation: Obligation, facts: Sequence[Any]) -> str:
    """What adjacency says, where each of the facts is a part of that; empty elsewhere."""
    hypotheses, inputs = obligation.hypotheses, obligation.hypotheses.inputs
    if inputs is None or not facts:
        return ""
    known = set(hypotheses.caches.adjacency(inputs, [*facts, obligation.goal]))
    few = f"at most {inputs.adjacency.most} answers change, none by more than its sensitivity"
    words = _ADJACENCY.get(inputs.adjacency, few)
    if inputs.mechanism.domain.where:
        words += ", where it has one"
    if inputs.adjacency is Adjacency.L1 and any(isinstance(fact, Or) for fact in facts):
        words += ", and those on a lattice that differ lie at least a step of it apart"
    return f"since, by adjacency, {words}" if known.issuperset(facts) else ""


def by_sums(obligation: Obligation, solver: Z3Solver) -> tuple[str, tuple[Any, ...]]:
    """The parts of the theorem of sums that a goal follows from, with few other facts; empty where it does not.

    Parts without which it follows too are left out.
    """
    hypotheses, inputs = obligation.hypotheses, obligation.hypotheses.inputs
    if inputs is None:
        return "", ()
    for facts in hypotheses.steps():
        theorem = {f for f in facts_of_sums(inputs, dict(hypotheses.rates), [*facts, obligation.goal]) if f is not True}
        of_sums = [fact for fact in facts if fact in theorem]
        others = tuple(fact for fact in _known(facts) if fact not in theorem)
        rates = dict(hypotheses.rates)
        parts = {number: [f for f in of_sums if _part(f, inputs, rates) == number] for number in _THEOREM}
        if of_sums and follows((*of_sums, *others), obligation.goal, solver):
            for number in _LEFT_OUT_FIRST:
                fewer = [fact for other, own in parts.items() if other != number for fact in own]
                if follows((*fewer, *others), obligation.goal, solver):
                    parts[number] = []
            given = tuple(fact for own in parts.values() for fact in own)
            numbers = [number for number, own in parts.items() if own]
            besides = {"4": _MONOTONE} if inputs.adjacency is Adjacency.MONOTONE else {}
            words = _THEOREM | (_COUNTED if inputs.adjacency.counts_changes else {})
            told = "; ".join(f"({number[0]}) {words[number]}{besides.get(number, '')}" for number in numbers)
            return f"{told} [{SUMS_PAGE}]" if told else "", fewest(others, obligation.goal, solver, given)
    return "", ()


def by_selection_order(obligation: Obligation, solver: Z3Solver) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """The order of `largest` and the positions of greatest values that a goal follows from, with few other facts.

    Empty where it does not, or where it has nothing to do with that order.
    """
    for facts in map(_known, obligation.hypotheses.steps()):
        ranks = tuple(fact for fact in facts if _is_of_order(fact) and not _extrema((fact,)))
        if ranks and len(facts) <= _MOST_OF_ORDER and follows(facts, obligation.goal, solver):
            extrema = {atom: [f for f in facts if atom in set(atoms_within(f))] for atom in _extrema(facts)}
            of_extrema = {fact for own in extrema.values() for fact in own}
            others = tuple(fact for fact in facts if fact not in ranks and fact not in of_extrema)
            for atom in reversed(tuple(extrema)):
                fewer = [f for other, own in extrema.items() if other is not atom for f in own]
                if follows((*ranks, *fewer, *others), obligation.goal, solver):
                    del extrema[atom]
            given = (*ranks, *(f for own in extrema.values() for f in own))
            names = tuple(readable_term(Term.of(atom)) for atom in extrema)
            return names, fewest(others, obligation.goal, solver, given)
    return (), ()


def by_images(obligation: Obligation, solver: Z3Solver) -> tuple[tuple[str, ...], bool, bool, tuple[str, ...]]:
    """From what it follows that two noise vectors with one output and one image are the same, with few of the facts.

    These are the positions at which the images are equal, whether the outputs are, whether it matters what D selects,
    and the positions that `max` selects. Empty where it does not follow.
    """
    facts = _known(obligation.hypotheses.whole)
    if len(facts) > _MOST_OF_ORDER or not follows(facts, obligation.goal, solver):
        return (), False, False, ()
    few = fewest(facts, obligation.goal, solver)
    images = [f for f in few if isinstance(f, Or) and _is_equation_of_two(f.parts[-1])]
    at = (a for f in images for a in atoms_within(f.parts[0]) if a.role is Role.INDEX)
    outputs = any(isinstance(f, Comparison) and _is_equation_of_two(f) for f in few)
    others = (f for f in few if f not in images and not _extrema((f,)) and not _is_equation_of_two(f))
    selected = any(Role.NOISE in roles(f) or _is_of_order(f) for f in others)
    named = sorted(readable_term(Term.of(atom)) for atom in _extrema(few))
    # The obligation is about any coordinate i.
    positions = (readable_term(Term.of(a)) for a in at)
    shown = ("i" if text.startswith("index of ") else text for text in positions)
    return tuple(dict.fromkeys(shown)), outputs, selected, tuple(named)


def _is_equation_of_two(formula: Any) -> bool:
    """Whether a formula says that numbers of two noise vectors are equal."""
    noise = {a.array.endswith("~") for a in atoms_within(formula) if isinstance(a, Element) and a.role is Role.NOISE}
    return isinstance(formula, Comparison) and formula.relation == "==" and len(noise) == 2


def _known(facts: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(fact for fact in facts if fact is not True)


def _is_of_order(fact: Any) -> bool:
    return any(isinstance(atom, Element) and "rank" in atom.array for atom in atoms_within(fact))


def _extrema(facts: tuple[Any, ...]) -> tuple[Atom, ...]:
    atoms = (atom for fact in facts for atom in atoms_within(fact))
    return tuple(dict.fromkeys(atom for atom in atoms if atom.key.startswith(_EXTREMA)))


def _part(fact: Any, inputs: Inputs, rates: Rates) -> str:
    """The part of the theorem that a fact is of."""
    atoms = tuple(atoms_within(fact))
    sums = [atom for atom in atoms if isinstance(atom, RunningSum)]
    if any(isinstance(inner, RunningSum) for each in sums for inner in each.summands):
        equal = (running_sums([c]) for c in _comparisons(fact) if c.relation == "==")
        return "5, growth" if any(len(each) > 1 for each in equal) else "5, terms"
    one = len({each.array for each in sums}) == 1
    spent = any(counts_change(inputs, each.body) for each in sums)
    if inputs.adjacency is Adjacency.ONE and any(inputs.changed in atom.within for atom in atoms):
        return "3"
    if not one and len({each.general.key for each in sums}) == 1:
        return "6"
    if one:
        items = any(isinstance(atom, Element) and not isinstance(atom, RunningSum) for atom in atoms)
        return "2" if spent and not items else "1"
    if any(c.relation == "==" and running_sums([c]) for c in _comparisons(fact)):
        return "2"
    return "4, items" if any(of_items(each.general.key) in rates for each in sums) else "4"


def _comparisons(formula: Any) -> Iterator[Comparison]:
    if isinstance(formula, Comparison):
        yield formula
    elif isinstance(formula, And | Or):
        for part in formula.parts:
            yield from _comparisons(part)
