"""The k largest values of a sequence, in order, where neither the sequence's length nor k is a number.

That the two arrays of a ranking are the order of ``largest`` (greatest first, the lowest position first among equals)
is said by universal facts, which are instantiated at the ranks and positions that occur.

D′ makes a ranking of its own. By the selection lemma it agrees with D's on the first p ranks where every position of
D's first p ranks comes, on D′ too, before every position that D ranks after it; see docs/theory/selections.md.
"""

from __future__ import annotations

from typing import Any

from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family
from alignkit.language.program import Builtin, Place
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.instances import array_name
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.facts.ranges import within
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.facts.universals import Quantifier
from alignkit.proving.path_obligations import Obligations
from alignkit.proving.symbolic_context import SymbolicContext
from alignkit.proving.vectors.named_positions import listed, revealed
from alignkit.proving.vectors.selections import comes_first
from alignkit.symbolic.formulas import conjunction, disjunction, implies
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

RANKED = "the order of values"


def rank_values(context: SymbolicContext, family: Family, count: Term, node: Builtin) -> Ranking:
    """A ranking of a sequence on this run; it is assumed to be the order of the values."""
    facts, place = context.facts, node.place
    if family.admits is not None:
        raise context.unsupported("largest over a filtered sequence", place)
    if facts.elements.revisiting or facts.elements.uniform:
        raise context.unsupported("largest inside a sequence of symbolic length", place)
    words = "largest(values, k) needs a k between 1 and the number of values"
    context.require(conjunction((count.compare(">=", 1), family.length.compare(">=", count))), place, words)
    ranking = Ranking(f"the order of line {place.line} #{len(facts.rankings)}", family, count, node)
    facts.rankings.append(ranking)
    # Decided once, for any two different positions: if it holds, almost surely no two positions at all are tied.
    one, other = facts.indices.fresh("a position"), facts.indices.fresh("another position")
    strict = context.strictly(family.element(one) - family.element(other), (one, other))

    def position_at_rank(at: Term) -> Any:
        position = ranking.at(at)
        inverse = (ranking.inside(position), ranking.rank(position).compare("==", at))
        return implies(within(at, family.length), conjunction(inverse))

    def sorted_by_value(one: Term, other: Term) -> Any:
        before = _precedes(ranking, one, other), comes_first(ranking.values, one, other, strict)
        after = _precedes(ranking, other, one), comes_first(ranking.values, other, one, strict)
        cases = (one.compare("==", other), conjunction(before), conjunction(after))
        return implies(conjunction((ranking.inside(one), ranking.inside(other))), disjunction(cases))

    facts.universal(position_at_rank, FactOrigin.SCHEMA, RANKED, Quantifier.RANK)
    own = frozenset(array_name(array, Role.INDEX) for array in (ranking.positions, ranking.ranks))
    facts.universal(sorted_by_value, FactOrigin.SCHEMA, RANKED, Quantifier.PAIR, own)
    return ranking


def _precedes(ranking: Ranking, one: Term, other: Term) -> Any:
    return ranking.rank(one).compare("<", ranking.rank(other))


def rank_alike(owed: Obligations, of_d: Ranking, of_d_: Ranking, outputs: list[Any]) -> None:
    """Oblige D′ to rank as many values as D, and to select what the outputs name; take both as known from here on."""
    place = of_d_.node.place
    for one, other, what in (
        (of_d.values.length, of_d_.values.length, "equally many values are ranked"),
        (of_d.count, of_d_.count, "equally many positions are selected"),
    ):
        same = op.compare("==", Term.of(one), Term.of(other), place)
        owed.lemma("same_output", same, place, f"{what} on D and on D'")
    prefix = revealed(owed.facts, outputs, of_d)
    if prefix is not None:
        _keep_selection(owed, of_d, of_d_, prefix, place)


def _keep_selection(owed: Obligations, ranking: Ranking, ranking_: Ranking, prefix: Term, place: Place) -> None:
    """Oblige D′ to rank the first ``prefix`` positions as D does, by the selection lemma, and take it as known."""
    indices = owed.facts.indices
    one, other = indices.fresh("a selected position"), indices.fresh("a position ranked after it")
    given = [
        ranking.inside(one),
        ranking.inside(other),
        ranking.rank(one).compare("<", prefix),
        _precedes(ranking, one, other),
        one.compare("!=", other),
    ]
    words = "on D' too, what D selects comes before everything that D ranks after it"
    owed.oblige("same_output", comes_first(ranking_.values, one, other, strict=False), place, words, given=given)
    agree(owed.facts, ranking, ranking_, prefix, FactOrigin.OBLIGED, words)


def agree(
    facts: Facts,
    ranking: Ranking,
    ranking_: Ranking,
    prefix: Term,
    origin: FactOrigin = FactOrigin.SCHEMA,
    words: str = "equal outputs, which name the same positions",
) -> None:
    """Take as known that two runs have the same positions at their first ``prefix`` ranks."""

    def same_rank(position: Term) -> Any:
        rank, rank_ = ranking.rank(position), ranking_.rank(position)
        among = conjunction((rank.compare("<", prefix), rank.compare("==", rank_)))
        beyond = conjunction((rank.compare(">=", prefix), rank_.compare(">=", prefix)))
        return implies(ranking.inside(position), disjunction((among, beyond)))

    facts.universal(same_rank, origin, words)


def agree_where_named(facts: Facts, one: Any, other: Any) -> None:
    """Take as known, of two equal outputs that list rankings of their own runs, that these agree on what is listed."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for a, b in zip(one, other, strict=True):
            agree_where_named(facts, a, b)
    if not isinstance(one, Family) or not isinstance(other, Family):
        return
    others = listed(facts, other)
    for part, ranking in listed(facts, one).items():
        if part in others and Term.of(ranking.values.length) == Term.of(others[part].values.length):
            agree(facts, ranking, others[part], Term.of(one.length))
