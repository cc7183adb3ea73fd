"""What is known on one path through D, the alignment and D′, and where it was established."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from alignkit.proving.facts.caches import Caches
from alignkit.proving.facts.dependencies import Dependencies
from alignkit.proving.facts.elements import Elements
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.facts.indices import Indices
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.facts.universals import Quantifier, Universals
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.symbolic.formulas import conjunction, implies
from alignkit.symbolic.paths import Path
from alignkit.symbolic.terms import Term


class Facts:
    """The facts of one path.

    Ground facts are assumed on ``path``, under its guards; ``universals`` hold at every index. ``dependencies`` knows
    what indices were selected from, ``rankings`` are the orders in which values were ranked. ``spacings`` are the
    lattice steps of noise, by the key of its symbol, or of a vector's array. ``tick`` is called before each question
    and raises OutOfTime where the time is used up.
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
        self.universals = Universals(self.caches.instances)
        self.dependencies = Dependencies(self.elements)
        self.rankings: list[Ranking] = []
        self.spacings: dict[str, Term] = {}
        self.at_end: list[Callable[[], None]] = []
        self._by_substitution = True  # whether the instances of all universal facts are

    def over(self) -> None:
        """End the path: its sequences, which refer to it, must not keep alive what was known on it."""
        for release in self.at_end:
            release()
        self.at_end.clear()
        self.dependencies.clear()
        self.rankings.clear()
        self.caches, self.universals, self.tick = Caches(), Universals(), _nothing

    def assume(self, formula: Any) -> None:
        """Take a formula as known from here on; under a guard, only where the guard holds."""
        self.path.assume(formula)

    def universal(
        self, holds: Callable[..., Any], over: Quantifier = Quantifier.POSITION, about: frozenset[str] = frozenset()
    ) -> None:
        """Take as known what ``holds`` says at every index, under the guards of this moment."""
        guard = conjunction(tuple(self.path.guards))
        with self.elements.looking():  # at once: what the path comes to know later must be of no matter to it
            fact = self.universals.add(over, lambda *indices: implies(guard, holds(*indices)), about)
        self._by_substitution = fact.uniform and self._by_substitution

    def hypotheses(self, goal: Any = True, given: Iterable[Any] = ()) -> Hypotheses:
        """What is known here; universal facts and adjacency are stated at the indices that matter to the goal."""
        self.tick()
        asked = tuple(g for g in given if g is not True)
        if any(g is False for g in asked):
            return Hypotheses.of((False,))
        arbitrary = self.indices.arbitrary_in
        local = arbitrary(goal, *asked)
        stated = (*self.inputs.domain, *(f for f in self.path.assumed if arbitrary(f) <= local))
        facts = self.universals.now(self.indices.selected, self.dependencies.arrays)
        completing = partial(self.caches.adjacency, self.inputs)
        known = Hypotheses(stated, goal, asked, facts, completing, self.inputs, gathered=self.caches.hypotheses)
        if not self._by_substitution:
            with self.elements.looking():
                list(known.steps())  # now: a fact that is not uniform is evaluated where it is stated
        return known


def _nothing() -> None:
    """What is called between steps where no time is watched."""
