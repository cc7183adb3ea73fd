"""D's symbolic run: noise is symbols, and what it draws and puts out is recorded.

The events of a symbolic run: draws and outputs, and that D′ parts from D.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from alignkit.errors import Infeasible
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Coordinate, Family, Where, is_condition
from alignkit.language.program import Builtin, MechanismCall, Place
from alignkit.noise import CHOICE, Distribution, Support
from alignkit.noise.distribution_parameters import LATTICE
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranges import within
from alignkit.proving.facts.universals import Quantifier
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.grown_lists import ListMakingContext
from alignkit.proving.runs.lemma_calls import (
    Chunk,
    LemmaCall,
    Lemmas,
    budget_is_public,
    call_on_d,
    from_a_call,
    outputs_in,
)
from alignkit.proving.vectors.hidden_sums import hidden_sum
from alignkit.proving.vectors.ties import equals_no_fixed_number, tie_negligible
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import conjunction, disjunction, implies
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Role

# The arguments of a vector of draws, at an index.
ArgumentsAt = Callable[[Any], tuple[Any, ...]]


@dataclass(frozen=True)
class ComparedStep:
    """A condition that D′ decides as D did, or a number that it puts out as D did, for a reader of the proof.

    ``other`` is what D put out, None for a condition. Nothing is decided by it.
    """

    place: Place
    shown: Any
    other: Any = None


@dataclass(frozen=True)
class SymbolicDraw:
    """One coordinate drawn on D: its value is a symbol.

    A finite choice has its weights for arguments, and the ``outcome`` that this path takes.
    """

    where: Coordinate
    distribution: Distribution
    arguments: tuple[Any, ...]
    value: Term
    place: Place
    outcome: int | None = None


@dataclass(frozen=True)
class FamilyDraw:
    """A vector of coordinates drawn by one comprehension of symbolic length, in an iteration or outside all loops.

    ``key`` is the name of the array that its coordinates are: each iteration has an array of its own.
    """

    where: Coordinate
    key: str
    distribution: Distribution
    arguments: ArgumentsAt = field(repr=False)
    length: Term
    place: Place

    @property
    def name(self) -> str:
        """The vector as the user knows it."""
        return str(self.where)

    def value(self, index: Term) -> Term:
        """The coordinate at an index."""
        return Term.of(Element(self.key, index, Role.NOISE))

    def at(self, index: Term) -> SymbolicDraw:
        """The draw of the coordinate at an index, which goes by the name of the vector."""
        arguments = self.arguments(index)
        return SymbolicDraw(Coordinate(self.name), self.distribution, arguments, self.value(index), self.place)


@dataclass(frozen=True)
class Emitted:
    """One output with the place that emitted it."""

    value: Any
    place: Place


# A listener that is called at every draw with its name, its distribution and its arguments, its place, and for a vector
# of draws with the index at which the arguments stand.
OnDraw = Callable[[str, Distribution, tuple[Any, ...], Place, Term | None], None]


SUPPORT = "the support of noise"


def in_support(value: Term, distribution: Distribution, arguments: Iterable[Any]) -> Any:
    """That a value of noise lies in its support, but for the lattice."""
    if distribution is CHOICE:
        weighed = ((i, Term.of(weight).compare(">", 0)) for i, weight in enumerate(arguments))
        return disjunction(tuple(conjunction((value.compare("==", i), above)) for i, above in weighed))
    return conjunction(tuple(value.compare(symbol, bound) for symbol, bound in distribution.bounds(*arguments)))


def drawn_in_support(drawn: FamilyDraw, index: Term) -> Any:
    """The same at an index of a vector of draws: beyond its end, the parameters may contradict one another."""
    possible = in_support(drawn.value(index), drawn.distribution, drawn.arguments(index))
    everywhere = drawn.distribution.support in (Support.NONNEGATIVE, Support.NONNEGATIVE_LATTICE)
    return possible if everywhere else implies(within(index, drawn.length), possible)


class RunContext(ListMakingContext):
    """D's run: noise is symbols, and what it does is recorded."""

    condition = "termination"
    branch = FactOrigin.BRANCH
    on_d = True
    label = " (on D)"
    suffix = ""  # of the names of noise

    def __init__(
        self, owed: Obligations, keys: Mapping[tuple[tuple[int, ...], int], str], on_draw: OnDraw
    ) -> None:
        super().__init__(owed, keys)
        self.on_draw = on_draw
        self.drawn: list[SymbolicDraw] = []
        self.families: list[FamilyDraw] = []
        self.emitted: list[Emitted] = []
        self.lemmas = Lemmas()
        self.calls: list[LemmaCall] = []
        self.sums: dict[str, tuple[Builtin, Family]] = {}  # hidden ones, by the key of the number that each is
        self.positions: set[str] = set()  # the keys of what calls gave that is a position in the first private list
        self.iteration: Term | None = None  # the arbitrary iteration of the loop, once it is run
        self.outer: Term | None = None  # that of the loop around it, where there is one

    def over(self) -> None:
        super().over()
        self.families.clear()
        self.sums.clear()

    @property
    def iterations_at_hand(self) -> frozenset[str]:
        at_hand = (iteration for iteration in (self.outer, self.iteration) if iteration is not None)
        return frozenset(atom.key for iteration in at_hand for atom in iteration.atoms())

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        around = where.index[: sum(isinstance(i, Term) for i in where.index)]
        in_both = around == (self.outer, self.iteration) and distribution is not CHOICE
        if len(where.index) > 1 and around not in ((), (self.iteration,)) and not in_both:
            raise self.unsupported("noise drawn in nested loops", place)
        if any(isinstance(i, Term) and i not in (self.outer, self.iteration) for i in where.index):
            raise self.unsupported("noise drawn by a function that a comprehension calls", place)
        value = self._symbol(where)
        if distribution is CHOICE:
            return self._chosen(where, arguments[0], value, place)
        if distribution.bounds(*arguments):
            self.facts.assume(in_support(value, distribution, arguments), FactOrigin.SUPPORT)
        self.on_draw(where.key, distribution, arguments, place, None)
        if not distribution.support.continuous:
            self.facts.spacings[value.key] = Term.of(arguments[-1])
        self.drawn.append(SymbolicDraw(where, distribution, arguments, value, place))
        return value

    def _chosen(self, where: Coordinate, weights: tuple[Any, ...], value: Term, place: Place) -> int:
        """The outcome of a finite choice on this path, which is one of those with a weight above 0."""
        if self.facts.path.guards:
            raise self.unsupported("noise.choice under a condition within an expression", place)
        self.on_draw(where.key, CHOICE, weights, place, None)
        possible = [i for i, weight in enumerate(weights) if op.compare(">", weight, 0, place) is not False]
        if not possible:
            raise Infeasible
        *others, last = possible
        outcome = next((i for i in others if self.decide(value.compare("==", i), place)), last)
        self.facts.assume(value.compare("==", outcome), FactOrigin.BRANCH)
        self.facts.assume(op.compare(">", weights[outcome], 0, place), FactOrigin.NULL_SET, SUPPORT)
        self.drawn.append(SymbolicDraw(where, CHOICE, weights, value, place, outcome))
        return outcome

    def _symbol(self, where: Coordinate) -> Term:
        terms = [i for i in where.index if isinstance(i, Term)]
        if terms:
            others = (*terms[:-1], *where.index[len(terms) :])
            array = "".join((where.key, *(f"[{Term.of(i).key}]" for i in others), self.suffix))
            return Term.of(Element(array, terms[-1], Role.NOISE))
        return Term.of(Symbol(str(where) + self.suffix, Role.NOISE))

    def draw_family(
        self, where: Coordinate, distribution: Distribution, arguments: ArgumentsAt, length: Any, place: Place
    ) -> Family:
        key = "".join((where.key, *(f"[{Term.of(i).key}]" for i in where.index)))
        drawn = FamilyDraw(where, key, distribution, self.unbranched(arguments), Term.of(length), place)
        if where.index:
            self._covered_in_iteration(drawn)
        index = self.facts.indices.fresh(f"index of {key}")
        with self.under(within(index, drawn.length)):
            scale = drawn.arguments(index)
            parameters = (scale,) if distribution is CHOICE else scale
            for number, symbol, bound, of in distribution.requirements(*parameters):
                words, required = of.format(drawn.name), op.compare(symbol, number, bound, place)
                if required is False:
                    raise self.unsupported(words, place)
                self.require(required, place, words)
            self.on_draw(drawn.name, distribution, scale, place, index)
            spacing = Term.of(scale[-1])
            if LATTICE in distribution.parameters and roles(spacing) <= {Role.PUBLIC}:
                self.facts.spacings[f"{key}[]"] = spacing
        if distribution.bounds(*scale):
            self.facts.universal(partial(drawn_in_support, drawn), FactOrigin.SUPPORT, over=Quantifier.VALUE)
        self.families.append(drawn)
        return Family(drawn.length, drawn.value)

    def _covered_in_iteration(self, drawn: FamilyDraw) -> None:
        """Refuse a vector that is not drawn in the iteration of one loop, or whose length may vary with the run."""
        alone = self.outer is None and drawn.where.index[1:] == ()
        if not alone or any(isinstance(i, Term) and i != self.iteration for i in drawn.where.index):
            raise self.unsupported("a list of draws of symbolic length inside loops in loops", drawn.place)
        if not roles(drawn.length) <= {Role.PUBLIC}:
            words = "a list of draws inside a loop whose length is not one public number for all iterations"
            raise self.unsupported(words, drawn.place)

    def mechanism_call(self, evaluator: Any, node: MechanismCall, arguments: tuple[Any, ...]) -> Any:
        lemma = self.lemmas.of(node)
        if lemma is None:
            return self.inlined(evaluator, node, arguments)
        call = call_on_d(self, evaluator, node, lemma, arguments)
        budget_is_public(self, call)
        self.calls.append(call)
        return call.value

    def hidden_sum(self, family: Family, node: Builtin, where: Where, words: str) -> Any:
        total = hidden_sum(self, family, node, where, self.iteration, words)
        if not self.elements.revisiting:
            self.sums[total.key] = node, family
        return total

    def emit_all(self, values: Any, place: Place) -> tuple[Any, ...]:
        if isinstance(values, tuple):
            return super().emit_all(values, place)
        return (self.emit(Chunk(values), place),)

    @property
    def outputs(self) -> Term:
        """How many outputs there are so far."""
        return outputs_in(output.value for output in self.emitted)

    def emit(self, value: Any, place: Place) -> Any:
        settled = self.settle(value, place)
        self.emitted.append(Emitted(settled, place))
        return settled

    def appended(self, item: Any, place: Place) -> Any:
        return self.settle(item, place)

    def settle(self, value: Any, place: Place) -> Any:
        """An output whose Booleans are decided: they are part of what is seen."""
        if isinstance(value, tuple):
            return tuple(self.settle(v, place) for v in value)
        if is_condition(value):
            return self.decide(value, place)
        return value

    @property
    def continuous(self) -> frozenset[str]:
        """The names of the noise drawn so far of which every single value has probability 0."""
        single = {d.where.key + self.suffix for d in self.drawn if not d.distribution.has_atoms}
        return frozenset(single | {f.key for f in self.families if not f.distribution.has_atoms})

    def spread(self, real: Term, drawn: int) -> bool:
        """Whether a number equals each fixed number with probability 0, by draws after the first ``drawn`` ones."""
        since = self.drawn[drawn:]
        continuous = frozenset(d.where.key + self.suffix for d in since if not d.distribution.has_atoms)
        return not self._by_a_call(real) and equals_no_fixed_number(self.facts, real, continuous)

    def strictly(self, difference: Term, distinct: tuple[Term, Term]) -> bool:
        return not self._by_a_call(difference) and tie_negligible(self.facts, difference, self.continuous, distinct)

    def _by_a_call(self, number: Term) -> bool:
        """Whether a number depends on what a call gives, which may be decided by any noise that it was passed."""
        opaque = bool(self.calls or self.sums)
        return opaque and any(from_a_call(atom) for atom in self.facts.dependencies.atoms(number))
