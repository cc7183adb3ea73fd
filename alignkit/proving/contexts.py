"""Symbolic runs: what the evaluator asks for, on D, in the alignment and on D′."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from alignkit.errors import Parted, Undefined
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Coordinate, Family, is_condition
from alignkit.language.program import Builtin, Comprehension, Place
from alignkit.language.tags import Tag
from alignkit.noise import CHOICE, Distribution
from alignkit.proving import rankings, selections, sequences
from alignkit.proving.conditions import noise_used, same_output
from alignkit.proving.events import Emitted, FamilyDraw, SymbolicDraw, within
from alignkit.proving.irrational import TermContext
from alignkit.proving.ledger import Ledger
from alignkit.proving.rankings import Ranking
from alignkit.proving.ties import tie_negligible
from alignkit.proving.universals import Kind
from alignkit.symbolic.formulas import implies
from alignkit.symbolic.terms import Element, Role, Symbol, Term, roles


class SymbolicContext(TermContext):
    """What the three symbolic runs have in common."""

    condition = "same_output"  # the condition that definedness serves
    on_d = False
    label = ""

    def __init__(self, ledger: Ledger, keys: Mapping[tuple[tuple[int, ...], int], str]) -> None:
        super().__init__(keys)
        self.ledger = ledger
        self.tick = ledger.tick
        self.extrema: dict[str, Term] = {}
        self.rankings: list[Ranking] = []
        ledger.runs.append(self)

    def over(self) -> None:
        """The path is over: what refers to this run is not kept by it in its turn, so that all can be freed."""
        self.rankings.clear()

    def decide(self, condition: Any, place: Place) -> bool:
        # A branch taken at one index says nothing of the others: an element must be one term for all of them.
        if (self.ledger.instantiating or self.ledger.in_element) and not isinstance(condition, bool):
            raise self.unsupported("a branch inside a sequence of symbolic length", place)
        return self.ledger.path.decide(condition)

    def require(self, condition: Any, place: Place, words: str, *, known: bool = True) -> None:
        if condition is True or self.ledger.revisiting:
            return
        self.ledger.require(self.condition, condition, place, f"{words}{self.label}", known=known)
        if condition is False and not self.ledger.path.guards:
            raise Undefined(words, place)

    @contextmanager
    def under(self, condition: Any) -> Iterator[None]:
        with self.ledger.path.under(condition):
            yield

    def unbranched(self, arguments: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], tuple[Any, ...]]:
        """The scale of a vector of draws, which must be one term for all indices."""

        def at(index: Any) -> tuple[Any, ...]:
            outer, self.ledger.in_element = self.ledger.in_element, True
            try:
                return arguments(index)
            finally:
                self.ledger.in_element = outer

        return at

    def element(self, family: Family, index: Any, place: Place) -> Any:
        at = self._whole(index, place)
        constant = at.constant
        if constant is not None and constant < 0:
            at = family.length + at
        if self.ledger.revisiting:
            return family.element(at)
        words = "an index may be out of range"
        # Python counts a negative index from the end: that it is none must be shown, never presumed.
        # That positions are in range follows from what they are; in which order they come is of no matter here.
        with self.ledger.universals.without_pairs():
            self.oblige(op.compare(">=", at, 0, place), place, words)
            self.require(op.compare("<", at, family.length, place), place, words)
        return family.element(at)

    def oblige(self, condition: Any, place: Place, words: str) -> None:
        """Like ``require``, but never taken as given where it is public."""
        if condition is True or self.ledger.revisiting:
            return
        goal = implies(op.all_of(list(self.ledger.path.guards)), condition)
        self.ledger.oblige(self.condition, goal, place, f"{words}{self.label}")
        self.ledger.assume(condition)

    def _whole(self, value: Any, place: Place) -> Term:
        """A number that must be whole, such as an index; an alignment may find another one in the output."""
        whole = Term.of(value)
        if not whole.integer:
            raise self.unsupported("an index, a length or a limit of range that may not be a whole number", place)
        return whole

    def select(self, sequence: tuple[Any, ...], index: Any, place: Place) -> Any:
        self._whole(index, place)
        for position, item in enumerate(sequence):
            if self.decide(op.compare("==", index, position, place), place):
                return item
        if self.ledger.revisiting:
            raise self.unsupported("an item of a short list inside a sequence of symbolic length", place)
        self.require(False, place, "an index may be out of range")
        # Still here: it is under a condition, which is obliged to be impossible. The path itself is not, and goes on
        # with any item at all.
        if not sequence:
            raise self.unsupported("an item of an empty list under a condition", place)
        return sequence[0]

    def family(self, made: Family, node: Comprehension) -> Family:
        # Python builds the whole list at once, so that every element must be defined.
        with self.ledger.arbitrary() as index:
            in_range = within(index, made.length)
            if made.admits is not None:
                with self.under(in_range), self._required():
                    made.admits(index)
            with self.under(selections.inside(made, index)), self._required():
                made.element(index)
        return made

    @contextmanager
    def _required(self) -> Iterator[None]:
        self.ledger.whole = True
        try:
            yield
        finally:
            self.ledger.whole = False

    def remembered(self, element: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Each element is evaluated once; what it needs to be defined is asked at the arbitrary index only."""
        known: dict[str, Any] = {}
        ledger = self.ledger

        def once(index: Any) -> Any:
            at = Term.of(index)
            if at.key not in known:
                outer = ledger.quiet, ledger.in_element
                ledger.quiet, ledger.in_element = not ledger.whole, True
                ledger.whole = False
                try:
                    known[at.key] = element(at)
                finally:
                    ledger.quiet, ledger.in_element = outer
            return known[at.key]

        return once

    def reduce(self, function: str, family: Family, node: Builtin) -> Any:
        if function in ("max", "min"):
            return selections.extremum(self, function, family, node)
        raise self.unsupported(f"{function} over a sequence of symbolic length", node.place)

    def largest(self, family: Any, k: Any, node: Builtin) -> Any:
        count = self._whole(k, node.place)
        if isinstance(family, tuple) and isinstance(k, int):
            return selections.largest_of_few(self, family, k, node)
        if isinstance(k, int):
            return selections.largest(self, family, k, node)
        if not isinstance(family, Family):
            raise self.unsupported("largest(values, k) of few values for a k that is not a number", node.place)
        return self.ranked(rankings.rank(self, family, count, node))

    def ranked(self, ranking: Ranking) -> Family:
        """The first positions of a ranking that this run has made."""
        self.rankings.append(ranking)
        return ranking.first(ranking.count)

    def joined(self, parts: list[tuple[Any, ...] | Family], place: Place) -> Family:
        if any(isinstance(part, Family) and part.admits is not None for part in parts):
            raise self.unsupported("a list that is joined from a filtered one", place)
        return sequences.joined(parts, place)

    def member(self, value: Any, family: Family, place: Place) -> Any:
        return rankings.holds(self, family, value, place)

    def strictly(self, difference: Term, distinct: tuple[Term, Term]) -> bool:
        """Whether ties between two candidates may be left out of account on this run."""
        return False

    def range(self, start: Any, stop: Any, node: Builtin) -> Any:
        first, last = self._whole(start, node.place), self._whole(stop, node.place)
        length = last - first
        some = length.compare(">=", 0)
        length = length if some is True else op.choose(some, length, Term.of(0))
        return Family(length, lambda index: Term.of(index) + first)


class RunContext(SymbolicContext):
    """D's run: noise is symbols, and what it does is recorded."""

    condition = "termination"
    on_d = True
    label = " (on D)"

    def __init__(self, ledger: Ledger, keys: Mapping[tuple[tuple[int, ...], int], str]) -> None:
        super().__init__(ledger, keys)
        self.drawn: list[SymbolicDraw] = []
        self.families: list[FamilyDraw] = []
        self.emitted: list[Emitted] = []
        self.iteration: Term | None = None  # the arbitrary iteration of the loop, once it is run

    def over(self) -> None:
        super().over()
        self.families.clear()

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        if distribution is CHOICE:
            raise self.unsupported("noise.choice", place)
        if len(where.index) > 1:
            raise self.unsupported("noise drawn in nested loops", place)
        if any(isinstance(i, Term) and i != self.iteration for i in where.index):
            raise self.unsupported("noise drawn by a function that a comprehension calls", place)
        value = self._symbol(where)
        if distribution.support.one_sided:
            self.ledger.assume(value.compare(">=", 0))
        self._public_scale(where.key, arguments, place)
        if not distribution.support.continuous:
            self.ledger.spacings[value.key] = Term.of(arguments[-1])
        self.drawn.append(SymbolicDraw(where, distribution, arguments, value, place))
        return value

    def _symbol(self, where: Coordinate) -> Term:
        if where.index and isinstance(where.index[0], Term):
            return Term.of(Element(where.key, where.index[0], Role.NOISE))
        return Term.of(Symbol(str(where), Role.NOISE))

    def draw_family(
        self,
        key: str,
        distribution: Distribution,
        arguments: Callable[[Any], tuple[Any, ...]],
        length: Any,
        place: Place,
    ) -> Family:
        if distribution is CHOICE:
            raise self.unsupported("noise.choice", place)
        drawn = FamilyDraw(key, distribution, self.unbranched(arguments), Term.of(length), place)
        index = self.ledger.fresh(f"index of {key}")
        with self.under(within(index, drawn.length)):
            scale = drawn.arguments(index)
            for argument, parameter in zip(scale, distribution.parameters, strict=True):
                words = f"the {parameter.name} of {key} is not above 0"
                positive = op.compare(">", argument, 0, place)
                if positive is False:
                    raise self.unsupported(words, place)
                self.require(positive, place, words)
            self._public_scale(key, scale, place, index)
            spacing = Term.of(scale[-1])
            if not distribution.support.continuous and roles(spacing) <= {Role.PUBLIC}:
                self.ledger.spacings[f"{key}[]"] = spacing
        if distribution.support.one_sided:
            self.ledger.universal(lambda i: drawn.value(i).compare(">=", 0), Kind.VALUE)
        self.families.append(drawn)
        return Family(drawn.length, drawn.value)

    def _public_scale(self, key: str, arguments: tuple[Any, ...], place: Place, index: Term | None = None) -> None:
        noise_used.public_scale(self.ledger, key, arguments, place, index)

    def emit(self, value: Any, place: Place) -> Any:
        settled = self.settle(value, place)
        self.emitted.append(Emitted(settled, place))
        return settled

    def settle(self, value: Any, place: Place) -> Any:
        """An output whose Booleans are decided: they are part of what is seen."""
        if isinstance(value, tuple):
            return tuple(self.settle(v, place) for v in value)
        if is_condition(value):
            return self.decide(value, place)
        return value

    def strictly(self, difference: Term, distinct: tuple[Term, Term]) -> bool:
        continuous = {d.where.key for d in self.drawn if d.distribution.support.continuous} | {
            f.key for f in self.families if f.distribution.support.continuous
        }
        return tie_negligible(self.ledger, difference, frozenset(continuous), distinct)


class AlignedRunContext(SymbolicContext):
    """D′'s run on the aligned noise, held against D's run step by step."""

    label = " (on D')"

    def __init__(self, ledger: Ledger, run: RunContext, shifted: Callable[[SymbolicDraw], Term],
                 shifted_family: Callable[[FamilyDraw, Term], Term]) -> None:  # fmt: skip
        super().__init__(ledger, run.keys)
        self.run = run
        self.shifted = shifted
        self.shifted_family = shifted_family
        self.drawn = 0
        self.emitted = 0
        self.families = 0

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        if self.drawn >= len(self.run.drawn) or self.run.drawn[self.drawn].where != where:
            raise Parted("noise_used", f"D' draws {where} where D does not", place)
        drawn = self.run.drawn[self.drawn]
        self.drawn += 1
        if drawn.distribution is not distribution:
            raise Parted("noise_used", f"D' draws {where} from another distribution", place)
        for one, other in zip(drawn.arguments, arguments, strict=True):
            same = op.compare("==", one, other, place)
            self.ledger.oblige("noise_used", same, place, f"{where} has the same scale on D and D'")
            self.ledger.assume(same)
        return self.shifted(drawn)

    def draw_family(
        self,
        key: str,
        distribution: Distribution,
        arguments: Callable[[Any], tuple[Any, ...]],
        length: Any,
        place: Place,
    ) -> Family:
        if self.families >= len(self.run.families) or self.run.families[self.families].key != key:
            raise Parted("noise_used", f"D' draws {key} where D does not", place)
        drawn = self.run.families[self.families]
        self.families += 1
        if drawn.distribution is not distribution:
            raise Parted("noise_used", f"D' draws {key} from another distribution", place)
        same = op.compare("==", drawn.length, length, place)
        self.ledger.oblige("noise_used", same, place, f"as many {key} are drawn on D and on D'")
        self.ledger.assume(same)
        index = self.ledger.fresh(f"index of {key}")
        arguments = self.unbranched(arguments)
        for one, other in zip(drawn.arguments(index), arguments(index), strict=True):
            equal = op.compare("==", one, other, place)
            inside = [within(index, drawn.length)]
            self.ledger.oblige("noise_used", equal, place, f"{key} has the same scale on D and D'", given=inside)
        return Family(drawn.length, self.context_value(drawn))

    def ranked(self, ranking: Ranking) -> Family:
        """What the output names of D's ranking must be named again, by the selection lemma."""
        number = len(self.rankings)
        made = super().ranked(ranking)
        place = ranking.node.place
        if number >= len(self.run.rankings) or self.run.rankings[number].node is not ranking.node:
            return made
        of_d = self.run.rankings[number]
        for one, other, what in (
            (of_d.values.length, ranking.values.length, "as many values are ranked"),
            (of_d.count, ranking.count, "as many are selected"),
        ):
            same = op.compare("==", Term.of(one), Term.of(other), place)
            self.ledger.oblige("same_output", same, place, f"{what} on D and on D'")
            self.ledger.assume(same)
        named = rankings.revealed(self.ledger, [e.value for e in self.run.emitted], of_d)
        if named is not None:
            rankings.keep(self, of_d, ranking, named, place)
        return made

    def context_value(self, drawn: FamilyDraw) -> Callable[[Any], Term]:
        """The aligned noise at an index."""
        return self.remembered(lambda index: drawn.value(Term.of(index)) + self.shifted_family(drawn, Term.of(index)))

    def emit(self, value: Any, place: Place) -> Any:
        if self.emitted >= len(self.run.emitted):
            raise Parted("same_output", "D' gives one output more than D", place)
        expected = self.run.emitted[self.emitted]
        self.emitted += 1
        self.match(expected.value, value, place)
        return expected.value

    def match(self, expected: Any, value: Any, place: Place) -> None:
        """The output of D′ must be the output of D, real parts included."""
        same_output.match(self, expected, value, place)


def is_discrete(value: Any) -> bool:
    """Whether an output is seen in full through its discrete part."""
    if isinstance(value, Tag | bool | int) or not isinstance(value, Term):
        return True
    return value.integer or roles(value) <= {Role.PUBLIC}
