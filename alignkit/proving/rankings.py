"""The k largest of a sequence, in order, where neither the sequence's length nor k is a number.

A run's order is given by two arrays: the rank of each position, and the position at each rank. That they are the
order of ``largest`` (greatest first, the lowest position first among equals) is said by universal facts, which the
ledger instantiates at the ranks and positions that occur.

D′ makes a ranking of its own. By the selection lemma it agrees with D's on the first p ranks where every position of
D's first p ranks comes, on D′ too, before every position that D ranks after it; see docs/theory/selections.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from alignkit.interpreting.values import Family
from alignkit.language.program import Builtin, Place
from alignkit.proving.events import within
from alignkit.proving.instances import array_name
from alignkit.proving.universals import Kind
from alignkit.symbolic.formulas import conjunction, disjunction, implies
from alignkit.symbolic.terms import Element, Role, Symbol, Term

if TYPE_CHECKING:
    from alignkit.proving.contexts import SymbolicContext
    from alignkit.proving.ledger import Ledger

# The rank at which a sequence is looked at to see whether it lists a ranking.
ANY_RANK = Term.of(Symbol("rank that is looked at", Role.INDEX, integer=True))


# In how many parts of an output's items a position is looked for.
LONGEST_ITEM = 4


@dataclass(frozen=True, eq=False)
class Ranking:
    """The order of the values of a sequence on one run; its first ``count`` positions are what was asked for."""

    name: str
    values: Family = field(repr=False)
    count: Term
    node: Builtin = field(repr=False)
    _inside: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    _ranks: dict[str, Term] = field(default_factory=dict, init=False, repr=False)
    _among: dict[tuple[str, str, str], Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def positions(self) -> str:
        """The name of the array of positions, which is indexed by ranks."""
        return f"position in {self.name}"

    @property
    def ranks(self) -> str:
        """The name of the array of ranks, which is indexed by positions."""
        return f"rank in {self.name}"

    def at(self, rank: Any) -> Term:
        """The position at a rank."""
        return Term.of(Element(self.positions, Term.of(rank), Role.INDEX, integer=True))

    def rank(self, position: Any) -> Term:
        """The rank of a position, from 0."""
        at = Term.of(position)
        if at.key not in self._ranks:
            self._ranks[at.key] = Term.of(Element(self.ranks, at, Role.INDEX, integer=True))
        return self._ranks[at.key]

    def inside(self, position: Term) -> Any:
        """Whether an index is a position of the sequence at all."""
        if position.key not in self._inside:
            self._inside[position.key] = within(position, self.values.length)
        return self._inside[position.key]

    def among(self, position: Term, start: Term, end: Term) -> Any:
        """Whether an index is a position whose rank is one of ``start``, …, ``end`` - 1."""
        asked = position.key, start.key, end.key
        if asked not in self._among:
            rank = self.rank(position)
            from_start = True if start == Term.of(0) else rank.compare(">=", start)  # no rank lies below 0
            self._among[asked] = conjunction((self.inside(position), from_start, rank.compare("<", end)))
        return self._among[asked]

    def first(self, count: Any) -> Family:
        """The first positions in order."""
        return Family(Term.of(count), self.at)


def rank(context: SymbolicContext, family: Family, count: Term, node: Builtin) -> Ranking:
    """The ranking of a sequence on this run, with what is known of it."""
    ledger, place = context.ledger, node.place
    if family.admits is not None:
        raise context.unsupported("largest over a filtered sequence", place)
    if ledger.revisiting or ledger.in_element:
        raise context.unsupported("largest inside a sequence of symbolic length", place)
    words = "largest(values, k) needs a k between 1 and the number of values"
    context.require(conjunction((count.compare(">=", 1), family.length.compare(">=", count))), place, words)
    ranking = Ranking(f"the order of line {place.line} #{len(ledger.rankings)}", family, count, node)
    ledger.rankings.append(ranking)
    # Settled once, of any two different positions: almost surely, then, no two positions at all are tied.
    one, other = ledger.fresh("a position"), ledger.fresh("another position")
    strict = context.strictly(family.element(one) - family.element(other), (one, other))

    def held(at: Term) -> Any:
        position = ranking.at(at)
        known = (ranking.inside(position), ranking.rank(position).compare("==", at))
        return implies(within(at, family.length), conjunction(known))

    def ranked(position: Term) -> Any:
        return implies(ranking.inside(position), within(ranking.rank(position), family.length))

    def ordered(one: Term, other: Term) -> Any:
        before = _precedes(ranking, one, other), comes_first(ranking, one, other, strict)
        after = _precedes(ranking, other, one), comes_first(ranking, other, one, strict)
        cases = (one.compare("==", other), conjunction(before), conjunction(after))
        return implies(conjunction((ranking.inside(one), ranking.inside(other))), disjunction(cases))

    ledger.universal(held, Kind.RANK)
    ledger.universal(ranked)
    own = frozenset(array_name(array, Role.INDEX) for array in (ranking.positions, ranking.ranks))
    ledger.universal(ordered, Kind.PAIR, own)
    return ranking


def comes_first(ranking: Ranking, one: Term, other: Term, strict: bool) -> Any:
    """Whether, of two different positions, ``one`` has the greater value, or the same and is the lower one.

    ``strict`` is that no two values are the same.
    """
    lead = ranking.values.element(one) - ranking.values.element(other)
    ahead = lead.compare(">", 0)
    if strict:
        return ahead
    return disjunction((ahead, conjunction((lead.compare("==", 0), one.compare("<", other)))))


def _precedes(ranking: Ranking, one: Term, other: Term) -> Any:
    return ranking.rank(one).compare("<", ranking.rank(other))


def keep(context: SymbolicContext, ranking: Ranking, ranking_: Ranking, prefix: Term, place: Place) -> None:
    """Oblige D′ to rank the first ``prefix`` positions as D does, by the selection lemma, and take it as known."""
    ledger = context.ledger
    one, other = ledger.fresh("a selected position"), ledger.fresh("a position ranked after it")
    given = [
        ranking.inside(one),
        ranking.inside(other),
        ranking.rank(one).compare("<", prefix),
        _precedes(ranking, one, other),
        one.compare("!=", other),
    ]
    words = "what D selects comes, on D' too, before all that D ranks after it"
    ledger.oblige("same_output", comes_first(ranking_, one, other, strict=False), place, words, given=given)
    agree(ledger, ranking, ranking_, prefix)


def agree(ledger: Ledger, ranking: Ranking, ranking_: Ranking, prefix: Term) -> None:
    """Take as known that two runs have the same positions at their first ``prefix`` ranks."""

    def held(at: Term) -> Any:
        return implies(within(at, prefix), ranking_.at(at).compare("==", ranking.at(at)))

    def ranked(position: Term) -> Any:
        rank, rank_ = ranking.rank(position), ranking_.rank(position)
        among = conjunction((rank.compare("<", prefix), rank.compare("==", rank_)))
        beyond = conjunction((rank.compare(">=", prefix), rank_.compare(">=", prefix)))
        return implies(ranking.inside(position), disjunction((among, beyond)))

    ledger.universal(held, Kind.RANK)
    ledger.universal(ranked)


def agree_where_named(ledger: Ledger, one: Any, other: Any) -> None:
    """Of two outputs that are the same: where each lists a ranking of its own run, these agree on what is listed."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for a, b in zip(one, other, strict=True):
            agree_where_named(ledger, a, b)
    if not isinstance(one, Family) or not isinstance(other, Family):
        return
    for part in (None, *range(LONGEST_ITEM)):
        first, second = listed(ledger, one, part), listed(ledger, other, part)
        if first is None or second is None or first[1] != Term.of(0) or second[1] != Term.of(0):
            continue
        if Term.of(first[0].values.length) == Term.of(second[0].values.length):
            agree(ledger, first[0], second[0], Term.of(one.length))


# Sequences that list the positions of a ranking


def listed(ledger: Ledger, family: Family, part: int | None = None) -> tuple[Ranking, Term] | None:
    """The ranking whose positions a sequence lists, rank by rank, and the rank it starts at.

    ``part`` is the part of each item that is looked at, where the items are tuples.
    """
    if family.admits is not None:
        return None
    with ledger.looking():
        element = family.element(ANY_RANK)
    if part is not None:
        element = element[part] if isinstance(element, tuple) and part < len(element) else None
    return position_listed(ledger, element, ANY_RANK)


def position_listed(ledger: Ledger, element: Any, rank: Term) -> tuple[Ranking, Term] | None:
    """The ranking whose position at ``rank`` plus a number an element is, and that number."""
    if not isinstance(element, Term):
        return None
    for ranking in ledger.rankings:
        for atom in element.atoms():
            if isinstance(atom, Element) and atom.array == ranking.positions and element == Term.of(atom):
                start = atom.index - rank
                if start.constant is not None and start.constant >= 0:
                    return ranking, start
    return None


def holds(context: SymbolicContext, family: Family, position: Any, place: Place) -> Any:
    """Whether a position stands in a sequence that lists the positions of a ranking."""
    found = listed(context.ledger, family)
    if found is None:
        raise context.unsupported("`in` for a sequence of symbolic length that does not list what was selected", place)
    if not Term.of(position).integer:
        raise context.unsupported("`in` a list of indices for a number that may not be whole", place)
    ranking, start = found
    end = start + Term.of(family.length)
    # Beyond the last rank there is nothing to list: D's own run is undefined there.
    if not context.ledger.revisiting:
        context.oblige(end.compare("<=", ranking.values.length), place, "a listed rank may be out of range")
    return ranking.among(Term.of(position), start, end)


def revealed(ledger: Ledger, outputs: Iterable[Any], ranking: Ranking) -> Term | None:
    """How many of the ranking's first positions the outputs name; None where they name none."""
    for value in outputs:
        if isinstance(value, tuple):
            inner = revealed(ledger, value, ranking)
            if inner is not None:
                return inner
        if not isinstance(value, Family):
            continue
        for part in (None, *range(LONGEST_ITEM)):
            found = listed(ledger, value, part)
            if found is not None and found[0] is ranking and found[1] == Term.of(0):
                return Term.of(value.length)
    return None
