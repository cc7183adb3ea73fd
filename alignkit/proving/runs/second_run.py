"""A second run of D and of the alignment, on another noise vector, beside the first.

What the first run needs to be defined is obliged for every noise vector, so that it may be assumed of the second. The
other noise has names that no program can give.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alignkit.errors import Infeasible, Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Coordinate, Family, Where, is_number
from alignkit.language.program import Builtin, MechanismCall, Place
from alignkit.language.tags import Tag
from alignkit.noise import CHOICE, Distribution
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.facts.ranges import within
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.alignment_run import AligningContext
from alignkit.proving.runs.run_on_d import ArgumentsAt, RunContext
from alignkit.proving.symbolic_context import SymbolicContext
from alignkit.proving.vectors.selections import agree
from alignkit.symbolic.formulas import implies
from alignkit.symbolic.terms import Term

# What the second run's coordinates are called after those of the first.
OTHER = "~"


class _UnaskedContext(SymbolicContext):
    """A run of which nothing is asked, since all that the first run needs is obliged for every noise vector."""

    def require(
        self, condition: Any, place: Place, words: str, *, known: bool = True, narrow: frozenset[str] | None = None
    ) -> None:
        if condition is False and not self.elements.revisiting and not self.facts.path.guards:
            raise Infeasible

    def oblige(self, condition: Any, place: Place, words: str, *, presuming: bool = False) -> None:
        self.require(condition, place, words)


class SecondRunContext(_UnaskedContext, RunContext):
    """D on another noise vector.

    ``named`` gives how many of a ranking's first positions the output names on every path.
    """

    label = " (on D, other noise)"
    suffix = OTHER

    def __init__(
        self, owed: Obligations, first: RunContext, named: Callable[[Ranking], Term | None] = lambda ranking: None
    ) -> None:
        super().__init__(owed, first.keys, first.on_draw)
        self.first = first
        self.named = named

    def mechanism_call(self, evaluator: Any, node: MechanismCall, arguments: tuple[Any, ...]) -> Any:
        if self.first.lemmas.of(node) is not None:
            raise Unsupported("a call by its lemma, in an alignment that is one-to-one by pieces", node.place)
        return self.inlined(evaluator, node, arguments)

    def hidden_sum(self, family: Family, node: Builtin, where: Where, words: str) -> Any:
        raise self.unsupported(f"{words}, in an alignment that is one-to-one by pieces", node.place)

    def ranked(self, ranking: Ranking) -> Family:
        """What the output names is the same in both runs, since their outputs are."""
        number = len(self.rankings)
        positions = super().ranked(ranking)
        of_first = self.first.rankings[number] if number < len(self.first.rankings) else None
        if of_first is not None and of_first.node is ranking.node:
            count = self.named(of_first)
            if count is not None and Term.of(of_first.values.length) == Term.of(ranking.values.length):
                agree(self.facts, of_first, ranking, count)
        return positions

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        if distribution is CHOICE:
            raise self.unsupported("noise.choice in a comparison of two noise vectors", place)
        return super().draw(where, distribution, arguments, place)

    def draw_family(
        self, where: Coordinate, distribution: Distribution, arguments: ArgumentsAt, length: Any, place: Place
    ) -> Family:
        if distribution is CHOICE:
            raise self.unsupported("noise.choice in a comparison of two noise vectors", place)
        return super().draw_family(Coordinate(where.key + OTHER, where.index), distribution, arguments, length, place)


class SecondAligningContext(_UnaskedContext, AligningContext):
    """The alignment on another noise vector."""

    label = " (in the alignment, other noise)"


def assume_same(facts: Facts, one: Any, other: Any, place: Place) -> None:
    """Take two outputs as the same; Infeasible where they are of different kinds, lengths or tags.

    Of values that cannot be compared nothing is assumed.
    """
    if isinstance(one, tuple) and isinstance(other, tuple):
        if len(one) != len(other):
            raise Infeasible
        for a, b in zip(one, other, strict=True):
            assume_same(facts, a, b, place)
        return
    plain = (Tag, bool, type(None))
    if isinstance(one, plain) or isinstance(other, plain):
        if one is not other:
            raise Infeasible
        return
    if is_number(one) and is_number(other):
        facts.assume(op.compare("==", one, other, place), FactOrigin.PAIR)
    if isinstance(one, Family) and isinstance(other, Family):
        facts.assume(op.compare("==", Term.of(one.length), other.length, place), FactOrigin.PAIR)

        def same(i: Term) -> Any:
            return implies(within(i, one.length), op.equal(one.element(i), other.element(i), place))

        facts.universal(same, FactOrigin.PAIR)
