"""What is known on one path through D, the alignment and D′, and where it was established."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from alignkit.errors import Clash
from alignkit.proving.facts.dependencies import Dependencies
from alignkit.proving.facts.elements import Elements
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.hypotheses import Caches, Hypotheses, Premise
from alignkit.proving.facts.indices import Indices
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.facts.universals import Quantifier, Universal, UniversalFacts
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.symbolic.formulas import conjunction, implies
from alignkit.symbolic.paths import Path
from alignkit.symbolic.terms import Term


class Facts:
    """The facts of one path.

    Ground facts are assumed on ``path``, under its guards; ``universals`` hold at every index. ``dependencies`` knows
    what indices were selected from, ``rankings`` are the orders in which values were ranked. ``spacings`` are the
    lattice steps of noise, by the key of its symbol, or of a vector's array; ``rates`` are by how much what is summed
    may change for each unit by which its answer changes, by the key of what is summed. ``tick`` is called before each
    question and raises OutOfTime where the time is used up. ``at_end`` calls what is to be called when the path
    is over.
    """

    def __init__(
        self, path: Path, inputs: Inputs, tick: Callable[[], object], caches: Caches | None = None
    ) -> None:
        self.path = path
        self.inputs = inputs
        self.tick = tick
        self.caches = caches or Caches()
        self.elements = Elements()
        self.indices = Indices()
        self.universals: list[Universal] = []
        self.dependencies = Dependencies(self.elements)
        self.rankings: list[Ranking] = []
        self.spacings: dict[str, Term] = {}
        self.rates: dict[str, Term] = {}
        self.origins: dict[Any, tuple[FactOrigin, str]] = {}  # of formulas by their keys, and of universal facts
        # The obligations whose goals are known: their words or invariant, and the goal where that counts.
        self.relied_on: set[tuple[str, Any]] = set()
        self.at_end = ExitStack()
        self._of_pairs = True  # whether facts about two positions are stated

    def over(self) -> None:
        """End the path: its sequences, which refer to it, must not keep alive what was known on it."""
        self.at_end.close()
        self.dependencies.clear()
        self.rankings.clear()
        self.universals.clear()
        self.origins.clear()
        self.caches = Caches()

    def assume(self, formula: Any, origin: FactOrigin, words: str = "") -> None:
        """Take a formula as known from here on; under a guard, only where the guard holds.

        ``words`` say what is assumed, for the reader of a report; of what is obliged they are those of the obligation,
        or its invariant. Clash where the formula is plainly false although nothing but the prover says that it holds.
        """
        self._rely(origin, words)
        guarded = self.path.guarded(formula)
        if guarded is False and origin.assumed:
            raise Clash(words)
        new = guarded is not True and guarded is not False and guarded.key not in self.path.keys
        self.path.assume(formula)
        if new or (not isinstance(guarded, bool) and origin.of_runs):
            self.origins[guarded.key] = origin, words

    def decide(self, condition: Any, origin: FactOrigin) -> bool:
        """Which way an undecided condition goes on this path; it is known from here on."""
        known = len(self.path.assumed)
        way = self.path.decide(condition)
        for formula in self.path.assumed[known:]:
            self.origins[formula.key] = origin, ""
        return way

    def universal(
        self,
        holds: Callable[..., Any],
        origin: FactOrigin,
        words: str = "",
        over: Quantifier = Quantifier.POSITION,
        about: frozenset[str] = frozenset(),
    ) -> None:
        """Take as known what ``holds`` says at every index, under the guards of this moment."""
        self._rely(origin, words)
        guard = conjunction(tuple(self.path.guards))
        with self.elements.looking():  # at once, so that what the path comes to know later does not matter
            fact = Universal.of(over, lambda *indices: implies(guard, holds(*indices)), about)
        self.universals.append(fact)
        self.origins[fact] = origin, words

    def _rely(self, origin: FactOrigin, words: str) -> None:
        if origin is FactOrigin.OBLIGED:
            self.relied_on.add((words, None))

    @contextmanager
    def without_pairs(self) -> Iterator[None]:
        """Leave facts about two positions out for a while."""
        outer, self._of_pairs = self._of_pairs, False
        try:
            yield
        finally:
            self._of_pairs = outer

    def about(self, goal: Any) -> Hypotheses:
        """The part of what is known here that mentions no hidden value but those of the goal, and adjacency.

        Paths that differ elsewhere have this part in common.
        """
        hidden = self.caches.hidden(goal)
        stated = self._stated(goal, of=lambda formula: self.caches.hidden(formula) <= hidden)
        return Hypotheses(stated, goal, inputs=self.inputs, caches=self.caches)

    def _stated(self, *formulas: Any, of: Callable[[Any], bool] | None = None) -> tuple[Any, ...]:
        """The domain, and what is assumed of all indices or of those that some formulas mention.

        With ``of``, only formulas for which it is true.
        """
        arbitrary = self.indices.arbitrary_in
        local = arbitrary(*formulas)
        domain, assumed = (x if of is None else filter(of, x) for x in (self.inputs.domain, self.path.assumed))
        return (*domain, *(f for f in assumed if arbitrary(f) <= local))

    def premise(self, goal: Any = True) -> Premise:
        """What is known here, which must be possible; ``goal`` mentions the indices that matter."""
        stated = {f.key: words for f in self.path.assumed for origin, words in [self._origin(f)] if origin.assumed}
        everywhere = [words for fact in self.universals for origin, words in [self._origin(fact)] if origin.assumed]
        return Premise(
            self.hypotheses(goal),
            self.hypotheses(goal, of=lambda origin: origin.of_runs or origin.assumed),
            self.of_runs(goal),
            tuple(stated.items()),
            tuple(dict.fromkeys(everywhere)),
        )

    def of_runs(self, goal: Any, given: Iterable[Any] = ()) -> Hypotheses:
        """What says which runs are spoken of here, and nothing that a prover assumes of them or has obliged."""
        return replace(self.hypotheses(goal, given, of=lambda origin: origin.of_runs), inputs=None)

    def _origin(self, fact: Any) -> tuple[FactOrigin, str]:
        """Where a fact comes from, with its words; what an expression of a trial decides is a branch of D."""
        return self.origins.get(fact if isinstance(fact, Universal) else fact.key, (FactOrigin.BRANCH, ""))

    def hypotheses(
        self, goal: Any = True, given: Iterable[Any] = (), of: Callable[[FactOrigin], bool] = lambda origin: True
    ) -> Hypotheses:
        """What is known here; universal facts and adjacency are stated at the indices that matter to the goal.

        ``of`` says of an origin whether facts from there count.
        """
        self.tick()
        asked = tuple(g for g in given if g is not True)
        if any(g is False for g in asked):
            return Hypotheses.of((False,))
        stated = tuple(f for f in self._stated(goal, *asked) if of(self._origin(f)[0]))
        universals = tuple(
            f
            for f in self.universals
            if (self._of_pairs or f.over is not Quantifier.PAIR) and of(self._origin(f)[0])
        )
        selected = tuple((index, self.dependencies.arrays.get(index.key)) for index in self.indices.selected)
        facts = UniversalFacts(universals, selected, self.caches.instances)
        rates = tuple(self.rates.items())
        hypotheses = Hypotheses(stated, goal, asked, facts, self.inputs, rates, caches=self.caches)
        if not all(fact.uniform for fact in self.universals):
            with self.elements.looking():
                list(hypotheses.steps())  # now: a fact that is not uniform is evaluated where it is stated
        return hypotheses
