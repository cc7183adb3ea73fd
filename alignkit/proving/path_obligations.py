"""What is owed on one path: obligations with their words and places, and what the program presumes of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from alignkit.errors import Infeasible, Parted, Undefined
from alignkit.language.program import Place
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.obligation import Obligation
from alignkit.results import Presumed
from alignkit.symbolic.terms import roles
from alignkit.symbolic.trees import Role


class Obligations:
    """The obligations of one path; each must follow from the facts that are known where it arises."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.listed: list[Obligation] = []
        self.left_to_others: list[Obligation] = []
        self.presumed: list[Presumed] = []
        # Of the noise, where each shift reads earlier noise only: what comes before, and what follows in order.
        self.orders: list[tuple[frozenset[str], tuple[str, ...]]] = []
        self._none = Hypotheses((), caches=facts.caches)  # what a goal that is settled rests on
        self._elsewhere = False  # whether what is owed at the moment is an obligation of another stage

    @contextmanager
    def shown_elsewhere(self) -> Iterator[None]:
        """Leave everything that is owed inside to another stage, which runs the same steps and obliges it.

        What is left is recorded, and obliged after all where no other stage does so. A path on which D′ parts from D,
        or a run is undefined, ends here: that it is impossible is left to the other stage.
        """
        outer, self._elsewhere = self._elsewhere, True
        try:
            yield
        except Parted as parted:
            self.exclude(parted.condition, parted.place, parted.words)
            raise Infeasible from parted
        except Undefined as problem:
            self.exclude("same_output", problem.place, f"the run is defined: {problem.problem}")
            raise Infeasible from problem
        finally:
            self._elsewhere = outer

    def oblige(
        self,
        condition: str,
        goal: Any,
        place: Place | None,
        words: str,
        *,
        given: Iterable[Any] = (),
        invariant: str | None = None,
    ) -> None:
        """Oblige the goal to follow from what is known now, and from ``given``.

        What an earlier path has obliged at this very point is not listed again.
        """
        self._owe(self.facts.hypotheses, condition, goal, place, words, given, invariant)

    def of_runs(
        self,
        condition: str,
        goal: Any,
        place: Place | None,
        words: str,
        *,
        given: Iterable[Any] = (),
        invariant: str | None = None,
    ) -> None:
        """Oblige the goal to follow from what runs do and ``given``, without what is assumed or obliged of them.

        So is obliged what a proof foresees of all runs: where one does something else, nothing that was foreseen may
        help to show that the path is impossible.
        """
        self._owe(
            self.facts.of_runs, condition, goal, place, words, given, invariant, settled=goal is True, record=True
        )

    def exclude(self, condition: str, place: Place | None, problem: str) -> None:
        """Oblige that a path on which there is a problem is never taken."""
        self._owe(self.facts.hypotheses, condition, False, place, problem, problem=True)

    def settled(self, condition: str, place: Place | None, words: str) -> None:
        """List what was settled by looking at a term: no condition is proved by an empty list."""
        self._owe(self.facts.of_runs, condition, True, place, words, settled=True)

    def _owe(
        self,
        known: Callable[[Any, Iterable[Any]], Hypotheses],
        condition: str,
        goal: Any,
        place: Place | None,
        words: str,
        given: Iterable[Any] = (),
        invariant: str | None = None,
        *,
        settled: bool = False,
        record: bool = False,
        problem: bool = False,
    ) -> None:
        if self.facts.path.repeats:
            return
        hypotheses = self._none if goal is True else known(goal, given)
        owed = self.left_to_others if self._elsewhere else self.listed
        owed.append(Obligation(condition, hypotheses, goal, words, place, invariant, settled, record, problem))

    def lemma(self, condition: str, goal: Any, place: Place | None, words: str) -> None:
        """Oblige a goal, and take it as known from here on."""
        self.oblige(condition, goal, place, words)
        self.facts.assume(goal, FactOrigin.OBLIGED, words)

    def foreseen(self, condition: Any, place: Place, words: str) -> None:
        """Settle which way a condition goes on D′, where the facts about what it mentions decide that.

        That it goes this way is obliged, and known from here on, so that the other way is not explored.
        """
        about = self.facts.about(condition)
        for goal in (condition, ~condition):
            hypotheses = replace(about, goal=goal)
            if self.facts.caches.foresight.follows(hypotheses.whole, goal):
                if not self.facts.path.repeats:
                    self.listed.append(Obligation("same_output", hypotheses, goal, words, place))
                self.facts.assume(goal, FactOrigin.OBLIGED, words)
                return

    def require(self, condition: str, formula: Any, place: Place, words: str, *, known: bool = True) -> None:
        """Oblige a run to be defined, which it is where the formula holds; with ``known`` it is a fact from here on.

        Where D's run needs something of public values alone, that narrows the inputs: a program makes no claim for
        inputs on which it is undefined. The alignment and D′ get no such allowance.
        """
        goal = self.facts.path.guarded(formula)
        if goal is True:
            self.settled(condition, place, words)
            return
        if condition == "termination" and goal is not False and roles(goal) <= {Role.PUBLIC}:
            self.presumed.append(Presumed(goal, f"line {place.line}: {words}"))
            self.facts.assume(formula, FactOrigin.PRESUMED)
            return
        self.oblige(condition, goal, place, words)
        if known:
            self.facts.assume(formula, FactOrigin.OBLIGED, words)
