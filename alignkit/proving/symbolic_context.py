"""What the evaluator asks for where numbers are terms, and on a symbolic run of D, of the alignment or of D′."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from alignkit.errors import Undefined, Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.context import BRANCH_NOT_COVERED, Context
from alignkit.interpreting.values import Family
from alignkit.language.program import Builtin, Comprehension, MechanismCall, Place
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranges import belongs, within
from alignkit.proving.obligation import Obligations
from alignkit.symbolic.terms import Term


class TermContext(Context):
    """A run on exact numbers and terms; an irrational number is a term, never a float."""

    counts_on = False

    def special(self, function: str, value: Any) -> Any:
        try:
            number = op.special(function, value)
        except OverflowError:
            number = None
        return op.special(function, Term.of(value)) if number is None or isinstance(number, float) else number

    def whole(self, value: Any, place: Place) -> Term:
        """A number as a term that must be whole, such as an index; an alignment may find another one in the output."""
        whole = Term.of(value)
        if not whole.integer:
            raise self.unsupported("an index, a length or a limit of range that may not be a whole number", place)
        return whole

    def range(self, start: Any, stop: Any, node: Builtin) -> Any:
        first, last = self.whole(start, node.place), self.whole(stop, node.place)
        length = last - first
        some = length.compare(">=", 0)
        length = length if some is True else op.choose(some, length, Term.of(0))
        return Family(length, lambda index: Term.of(index) + first)


class DefinedContext(TermContext):
    """Evaluates an expression that is no part of a run, such as an invariant: Undefined where it may have no value."""

    def require(self, condition: Any, place: Place, words: str) -> None:
        if condition is not True:
            raise Undefined(words, place)


class SymbolicContext(TermContext):
    """A run whose values are terms: conditions split the path, and what must hold to be defined is obliged."""

    condition = "same_output"  # the condition that definedness serves
    branch = FactOrigin.CASE  # where the conditions that are decided come from
    on_d = False
    label = ""

    def __init__(self, owed: Obligations, keys: Mapping[tuple[tuple[int, ...], int], str]) -> None:
        super().__init__(keys)
        self.owed = owed
        self.facts = owed.facts
        self.elements = owed.facts.elements
        self.extrema: dict[str, Term] = {}
        self.tick = owed.facts.tick
        calculations = owed.facts.caches.calculations
        self.arithmetic, self.compare = calculations.arithmetic, calculations.compare
        self.facts.at_end.callback(self.over)

    def over(self) -> None:
        """End the path: what refers to this run is not kept by it in its turn, so that all can be freed."""

    @property
    def by_parts(self) -> bool:  # type: ignore[override]
        return self.elements.uniform

    def decide(self, condition: Any, place: Place) -> bool:
        # A branch taken at one index says nothing of the others: an element must be one term for all of them.
        if self.elements.uniform and not isinstance(condition, bool):
            raise self.unsupported(BRANCH_NOT_COVERED, place)
        return self.facts.decide(condition, self.branch)

    def known(self, condition: Any) -> Any:
        return self.facts.path.known(condition)

    def require(
        self, condition: Any, place: Place, words: str, *, known: bool = True, narrow: frozenset[str] | None = None
    ) -> None:
        if self.elements.revisiting:
            return
        self.owed.require(self.condition, condition, place, f"{words}{self.label}", known=known, narrow=narrow)
        if condition is False and not self.facts.path.guards:
            raise Undefined(words, place)

    @property
    def iterations_at_hand(self) -> frozenset[str]:
        """The keys of the iterations at hand."""
        return frozenset()

    @contextmanager
    def under(self, condition: Any) -> Iterator[None]:
        with self.facts.path.under(condition):
            yield

    @contextmanager
    def labelled(self, label: str) -> Iterator[None]:
        """What is obliged inside says where it arises by another label."""
        outer, self.label = self.label, label
        try:
            yield
        finally:
            self.label = outer

    def inlined(self, evaluator: Any, node: MechanismCall, arguments: tuple[Any, ...]) -> Any:
        """The value of a mechanism that is called, by running it as a part of this run."""
        try:
            return evaluator.inlined(node, arguments)
        except Unsupported as problem:
            if "its lemma" in problem.problem:
                raise
            name = node.function.name
            raise Unsupported(
                f"{problem.problem}, in the call of {name}, which is taken as a part of its caller; "
                f"name its lemma, a proved alignment of {name}, to use its claim: @alignment(…, lemmas=[…])",
                node.place,
            ) from problem

    def unbranched(self, arguments: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], tuple[Any, ...]]:
        """The arguments of a vector of draws, which must be one term for all indices."""

        def at(index: Any) -> tuple[Any, ...]:
            with self.elements.unbranched():
                return arguments(index)

        return at

    def element(self, family: Family, index: Any, place: Place) -> Any:
        at = self.whole(index, place)
        constant = at.constant
        if constant is not None and constant < 0:
            at = family.length + at
        if self.elements.revisiting:
            return family.element(at)
        words = "an index may be out of range"
        # That positions are in range follows from what they are; their order does not matter here.
        with self.facts.without_pairs():
            self.reaches(family, at, place, words)
        return family.element(at)

    def reaches(self, family: Family, at: Term, place: Place, words: str) -> None:
        """Require a position that is read to be one of a sequence."""
        # Python counts a negative index from the end: that the index is not negative must be shown, never presumed.
        self.oblige(self.compare(">=", at, 0, place), place, words)
        self.require(self.compare("<", at, family.length, place), place, words, narrow=self.iterations_at_hand)

    def oblige(self, condition: Any, place: Place, words: str, *, presuming: bool = False) -> None:
        """Oblige the condition like ``require``, but never presume it of the inputs where it is public.

        ``presuming`` is as for ``Obligations.oblige``.
        """
        if self.elements.revisiting:
            return
        goal = self.facts.path.guarded(condition)
        self.owed.oblige(self.condition, goal, place, f"{words}{self.label}", presuming=presuming)
        self.facts.assume(condition, FactOrigin.OBLIGED, f"{words}{self.label}")

    def select(self, sequence: tuple[Any, ...], index: Any, place: Place) -> Any:
        read = "an item of a list of fixed length, read inside a sequence of symbolic length"
        if self.whole(index, place).constant is None and self.elements.uniform:
            raise self.unsupported(read, place)
        for position, item in enumerate(sequence):
            if self.decide(op.compare("==", index, position, place), place):
                return item
        if self.elements.revisiting:
            raise self.unsupported(read, place)
        self.require(False, place, "an index may be out of range")
        # Still here: it is under a condition, which is obliged to be impossible. The path itself is not, and goes on
        # with any item at all.
        if not sequence:
            raise self.unsupported("an item of an empty list under a condition", place)
        return sequence[0]

    def family(self, made: Family, node: Comprehension) -> Family:
        admits = None if made.admits is None else self.remembered(made.admits)
        made = Family(made.length, self.remembered(made.element), admits)
        # Python builds the whole list at once, so that every element must be defined.
        with self.facts.indices.arbitrary() as index:
            in_range = within(index, made.length)
            if made.admits is not None:
                with self.under(in_range), self.elements.in_full():
                    made.admits(index)
            with self.under(belongs(made, index)), self.elements.in_full():
                made.element(index)
        return made

    def remembered(self, element: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """An element function that evaluates each element once, and asks what it needs at the arbitrary index only."""
        elements: dict[str, Any] = {}

        def once(index: Any) -> Any:
            at = Term.of(index)
            if at.key not in elements:
                with self.elements.inside_one():
                    elements[at.key] = element(at)
            return elements[at.key]

        return once

    def strictly(self, difference: Term, distinct: tuple[Term, Term]) -> bool:
        """Whether ties between two candidates, whose values differ by ``difference``, may be ignored on this run."""
        return False
