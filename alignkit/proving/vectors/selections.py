"""Selections over a sequence of symbolic length: the maximum, and the k largest in order.

What is selected is named by new indices. Ground facts about these indices say that they are selected, together with
one universal fact, which is instantiated at the indices that occur; the solver sees no quantifier.
Ties go to the lowest index, as in Python.

Positions of a ranking that sequences and outputs name, rank by rank.

A loop over what was selected gives its outputs in the order of the selection. That the output of iteration i names
the position at rank i is guessed from one arbitrary iteration of D, and obliged of every iteration that is run; the
alignment may then know what the whole output names.

The k largest values of a sequence, in order, where neither the sequence's length nor k is a number.

That the two arrays of a ranking are the order of ``largest`` (greatest first, the lowest position first among equals)
is said by universal facts, which are instantiated at the ranks and positions that occur.

D′ makes a ranking of its own. By the selection lemma it agrees with D's on the first p ranks where every position of
D's first p ranks comes, on D′ too, before every position that D ranks after it; see docs/theory/selections.md.

Symbolic runs that select: extrema, the largest values, and whether a position was selected.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family, Where, is_condition, is_number
from alignkit.language.program import Builtin, Place
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.path_facts import Facts, of_any_index, of_own_index
from alignkit.proving.facts.ranges import belongs, concatenated, within
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.facts.universals import Quantifier, array_name
from alignkit.proving.obligation import Obligations
from alignkit.proving.symbolic_context import SymbolicContext
from alignkit.proving.vectors.summing import total_of
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import conjunction, disjunction, implies
from alignkit.symbolic.summation import NotASum
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

# The rank at which a sequence is looked at to see whether it lists a ranking.
ANY_RANK = Term.of(Symbol("rank that is looked at", Role.INDEX, integer=True))


@dataclass(frozen=True)
class Naming:
    """Part ``part`` of the i-th output is the position at rank i of the ``ranking``-th ranking that its run made.

    ``part`` is None where the output is the position itself.
    """

    part: int | None
    ranking: int


def part_of(output: Any, part: int | None) -> Any:
    """A part of an output, or the whole of it; None where there is no such part."""
    if part is None:
        return output
    return output[part] if isinstance(output, tuple) and part < len(output) else None


def parts_of(item: Any) -> dict[int | None, Any]:
    """The parts of an item by their numbers; by None the item itself, where it has none."""
    return dict(enumerate(item)) if isinstance(item, tuple) else {None: item}


def positions_named(facts: Facts, rankings: Sequence[Ranking], output: Any, iteration: Term) -> frozenset[Naming]:
    """The positions that the output of an arbitrary iteration names."""
    named = _named_by(facts, output, iteration).items()
    return frozenset(Naming(part, rankings.index(ranking)) for part, ranking in named if ranking in rankings)


def listed(facts: Facts, family: Family) -> dict[int | None, Ranking]:
    """The rankings whose first positions a sequence lists, by the part of its items that is the position."""
    return _named_by(facts, _item(facts, family), ANY_RANK)


def revealed(facts: Facts, outputs: Iterable[Any], ranking: Ranking) -> Term | None:
    """How many of the ranking's first positions the outputs name; None where they name none."""
    for value in outputs:
        if isinstance(value, tuple):
            inner = revealed(facts, value, ranking)
            if inner is not None:
                return inner
        if isinstance(value, Family) and ranking in listed(facts, value).values():
            return Term.of(value.length)
    return None


def is_listed(context: SymbolicContext, family: Family, position: Any, place: Place) -> Any:
    """Whether a position stands in a sequence that lists the positions of a ranking."""
    first = _position(context.facts, _item(context.facts, family), ANY_RANK)
    if first is None:
        raise context.unsupported("`in` for a sequence of symbolic length that does not list selected positions", place)
    if not Term.of(position).integer:
        raise context.unsupported("`in` looks up a number that may not be whole in a list of indices", place)
    ranking, start = first
    end = start + Term.of(family.length)
    # Beyond the last rank there is nothing to list: D's own run is undefined there.
    if not context.elements.revisiting:
        context.oblige(end.compare("<=", ranking.values.length), place, "a listed rank may be out of range")
    return ranking.among(Term.of(position), start, end)


def _item(facts: Facts, family: Family) -> Any:
    """The item of a sequence at any rank; None where filters decide what is listed at all."""
    if family.admits is not None:
        return None
    with facts.elements.looking():
        return family.element(ANY_RANK)


def _named_by(facts: Facts, item: Any, rank: Term) -> dict[int | None, Ranking]:
    """The rankings whose positions at ``rank`` the parts of an item are, by part; by None for the item itself."""
    named = ((part, _position(facts, value, rank)) for part, value in parts_of(item).items())
    return {part: name[0] for part, name in named if name is not None and name[1] == Term.of(0)}


def _position(facts: Facts, value: Any, rank: Term) -> tuple[Ranking, Term] | None:
    """The ranking whose position at ``rank`` plus a number a value is, and that number."""
    if not isinstance(value, Term):
        return None
    for ranking in facts.rankings:
        for atom in value.atoms():
            if isinstance(atom, Element) and atom.array == ranking.positions and value == Term.of(atom):
                start = atom.index - rank
                if start.constant is not None and start.constant >= 0:
                    return ranking, start
    return None


# So many positions of a selection are told apart one by one, each from each.
MOST_BY_RANK = 100


SELECTED = "what max, min and largest select"


def select_extremum(context: SymbolicContext, function: str, family: Family, node: Builtin) -> Any:
    """The maximum or minimum: the value at a new index that no other index beats."""
    facts, place = context.facts, node.place
    key = _identity(context, function, family)
    if facts.elements.revisiting:
        # The facts about a selection are stated where it is first made, under the conditions there.
        if key not in context.extrema or of_any_index(key):
            raise context.unsupported(f"a {function} that differs from element to element", place)
        return family.element(context.extrema[key])
    candidates = [Term.of(0)]
    if family.admits is not None:
        ends = [r.at(at) for r in facts.rankings for at in (Term.of(0), r.count - 1)]
        candidates += [*facts.indices.selected, *ends, Term.of(1), Term.of(2)]
    not_empty = disjunction(tuple(belongs(family, c) for c in candidates))
    context.require(not_empty, place, f"{function} needs a sequence that is not empty", known=False)
    earlier = context.extrema.get(key)
    if earlier is not None:
        facts.assume(belongs(family, earlier), FactOrigin.SCHEMA, SELECTED)
        return family.element(earlier)
    index = facts.indices.select(f"arg{function}")
    context.extrema[key] = index
    facts.dependencies.note(index, family, on_d=context.on_d)
    best = family.element(index)
    if not is_number(best):
        raise place.error(f"{function} of {op.kind(best)}", "give it numbers")
    facts.assume(belongs(family, index), FactOrigin.SCHEMA, SELECTED)
    strict = _no_ties(context, family)
    relation = ("<" if function == "max" else ">") + ("" if strict else "=")

    def beaten(i: Term) -> Any:
        among = belongs(family, i)
        other = conjunction((among, i.compare("!=", index))) if strict else among
        return implies(other, op.compare(relation, family.element(i), best, place))

    facts.universal(beaten, FactOrigin.SCHEMA, SELECTED)
    return best


def _no_ties(context: SymbolicContext, family: Family) -> bool:
    """Whether two elements at different fixed indices are equal with probability 0 only."""
    with context.facts.indices.arbitrary() as one, context.facts.indices.arbitrary() as other:
        first, second = family.element(one), family.element(other)
    return is_number(first) and context.strictly(Term.of(first) - second, (one, other))


def select_largest(context: SymbolicContext, family: Family, k: int, node: Builtin) -> tuple[Term, ...]:
    """The indices of the k largest, in order."""
    facts, place = context.facts, node.place
    if family.admits is not None:
        raise context.unsupported("largest over a filtered sequence", place)
    if facts.elements.revisiting:
        raise context.unsupported("largest inside a sequence of symbolic length", place)
    if k > MOST_BY_RANK:
        raise context.unsupported(f"largest(values, k) with a number above {MOST_BY_RANK}; make k a parameter", place)
    context.require(k >= 1, place, f"largest(values, {k}) needs a k of at least 1")
    context.require(family.length.compare(">=", k), place, f"largest needs at least {k} values")
    indices = tuple(facts.indices.select("best" if rank == 0 else f"best {rank + 1}") for rank in range(k))
    for index in indices:
        facts.assume(belongs(family, index), FactOrigin.SCHEMA, SELECTED)
        facts.dependencies.note(index, family, on_d=context.on_d)
    for one, other in itertools.combinations(indices, 2):
        facts.assume(one.compare("!=", other), FactOrigin.SCHEMA, SELECTED)
    for one, other in itertools.pairwise(indices):
        facts.assume(_beats(context, family, one, other), FactOrigin.SCHEMA, SELECTED)
    last = indices[-1]

    def beaten(index: Term) -> Any:
        other = conjunction((belongs(family, index), *(index.compare("!=", i) for i in indices)))
        return implies(other, _beats(context, family, last, index))

    facts.universal(beaten, FactOrigin.SCHEMA, SELECTED)
    return indices


def _beats(context: SymbolicContext, family: Family, one: Term, other: Term) -> Any:
    """``one`` comes before ``other`` in the order of ``largest``; the two indices are different."""
    lead = family.element(one) - family.element(other)
    return comes_first(family, one, other, context.strictly(lead, (one, other)))


def comes_first(values: Family, one: Term, other: Term, strict: bool) -> Any:
    """Whether, of two different positions, ``one`` has the greater value, or the same and is the lower one.

    ``strict`` is that the two values are not the same.
    """
    lead = values.element(one) - values.element(other)
    ahead = lead.compare(">", 0)
    if strict:
        return ahead
    return disjunction((ahead, conjunction((lead.compare("==", 0), one.compare("<", other)))))


def select_largest_of_few(context: SymbolicContext, values: tuple[Any, ...], k: int, node: Builtin) -> tuple[int, ...]:
    """The indices of the k largest of a sequence whose length is a number, one path for each outcome."""
    remaining = list(range(len(values)))
    chosen = []
    for _ in range(k):
        best = remaining[0]
        for candidate in remaining[1:]:
            if context.decide(op.compare(">", values[candidate], values[best], node.place), node.place):
                best = candidate
        chosen.append(best)
        remaining.remove(best)
    return tuple(chosen)


def _identity(context: SymbolicContext, function: str, family: Family) -> str:
    """A text that is equal for families that are the same sequence, element by element."""
    with context.facts.indices.arbitrary() as index, context.under(belongs(family, index)):
        element = family.element(index)
        admits = True if family.admits is None else family.admits(index)
    # An index that it captured keeps its name.
    return of_own_index(f"{function} {family.length!r} {element!r} {admits!r}", index)


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


# What the items of a sum may not depend on, in words.
_DEPENDS_ON = {
    Role.NOISE: "noise",
    Role.STATE: "what a loop changes",
    Role.INDEX: "the position in a list or loop around it",
    Role.OUTPUT: "the output",
}
_MORE = "more than answers and public values"


class SelectingContext(SymbolicContext):
    """A symbolic run, with the rankings that it has made."""

    def __init__(self, owed: Obligations, keys: Mapping[tuple[tuple[int, ...], int], str]) -> None:
        super().__init__(owed, keys)
        self.rankings: list[Ranking] = []

    def over(self) -> None:
        super().over()
        self.rankings.clear()

    def reduce(self, function: str, family: Family, node: Builtin, where: Where) -> Any:
        if function in ("max", "min"):
            return select_extremum(self, function, family, node)
        if function == "sum":
            return self.sum(family, node, where)
        return self.quantified(function, family, node)

    def quantified(self, function: str, family: Family, node: Builtin) -> Any:
        """any and all: whether the greatest of 0 and a 1 for each item that decides them is 1."""

        def decides(index: Any) -> Term:
            condition = family.element(index)
            if not is_condition(condition):
                raise node.place.error(f"{function} of {op.kind(condition)}", "write the comparison out")
            decisive = condition if function == "any" else op.negation(condition)
            admitted = True if family.admits is None else family.admits(index)
            return Term.of(op.choose(conjunction((admitted, decisive)), 1, 0))

        numbers = concatenated([Family(family.length, decides), (0,)], node.place)
        some = op.compare("==", select_extremum(self, "max", numbers, node), 1, node.place)
        return some if function == "any" else op.negation(some)

    def sum(self, family: Family, node: Builtin, where: Where) -> Any:
        try:
            return total_of(self.owed, family, node)
        except NotASum as problem:
            cause = next((words for role, words in _DEPENDS_ON.items() if role in problem.depends_on), _MORE)
            words = f"a sum over a sequence of symbolic length whose items depend on {cause}"
            return self.hidden_sum(family, node, where, words)

    def hidden_sum(self, family: Family, node: Builtin, where: Where, words: str) -> Any:
        """A sum that is no running sum, as ``words`` say."""
        raise self.unsupported(words, node.place)

    def largest(self, family: Any, k: Any, node: Builtin) -> Any:
        count = self.whole(k, node.place)
        if isinstance(family, tuple) and isinstance(k, int):
            return select_largest_of_few(self, family, k, node)
        if isinstance(k, int):
            return select_largest(self, family, k, node)
        if not isinstance(family, Family):
            called = "largest(values, k) of a list of fixed length, with a k that is not a number"
            raise self.unsupported(called, node.place)
        return self.ranked(rank_values(self, family, count, node))

    def ranked(self, ranking: Ranking) -> Family:
        """The first positions of a ranking that this run has made."""
        self.rankings.append(ranking)
        return ranking.first(ranking.count)

    def joined(self, parts: list[tuple[Any, ...] | Family], place: Place) -> Family:
        if any(isinstance(part, Family) and part.admits is not None for part in parts):
            raise self.unsupported("a list that is joined with a filtered list", place)
        return concatenated(parts, place)

    def member(self, value: Any, family: Family, place: Place) -> Any:
        return is_listed(self, family, value, place)
