"""Deciding obligations: every question goes to a fresh solver once; a verdict is folded from the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from alignkit.limits import Deadline
from alignkit.proving.obligation import Obligation
from alignkit.symbolic.formulas import And, Formula
from alignkit.symbolic.solver import Answer, Outcome, Solver
from alignkit.symbolic.trees import OneMeaning


@dataclass(frozen=True)
class Decided:
    """An obligation with its answer."""

    obligation: Obligation
    answer: Answer

    @property
    def holds(self) -> bool:
        return self.answer.outcome is Outcome.FOLLOWS


def _stated(obligation: Obligation) -> bool:
    """Whether the goal, or every part of it, is literally among the hypotheses."""
    if isinstance(obligation.goal, bool):
        return False
    keys = {part.key for hypothesis in obligation.hypotheses.near for part in _parts(hypothesis)}
    return all(part.key in keys for part in _parts(obligation.goal))


def _parts(formula: Formula | bool) -> tuple[Formula, ...]:
    if isinstance(formula, bool):
        return ()
    return formula.parts if isinstance(formula, And) else (formula,)


def _key(formula: Any) -> Any:
    return formula if formula is None or isinstance(formula, bool) else formula.key


def _question(hypotheses: tuple[Any, ...], goal: Any) -> tuple[Any, frozenset[Any]]:
    return _key(goal), frozenset(map(_key, hypotheses))


# The seconds that a question may take, and those for a question that no verdict depends on.
SECONDS = 10.0
BRIEF = 1.0


class Decider:
    """Puts every question to a solver once, within one budget of time."""

    def __init__(self, make_solver: Callable[[float], Solver], seconds: float) -> None:
        self._make = make_solver
        self._deadline = Deadline.after(seconds)
        self._answers: dict[tuple[Any, frozenset[Any]], Answer] = {}
        self._meaning = OneMeaning()
        self.queries = 0

    def apart(self) -> Decider:
        """A decider of the time that is left, for another mechanism, whose names may stand for other numbers."""
        return Decider(getattr(self._make, "apart", lambda: self._make)(), self.left)

    def quick(self) -> Decider:
        """A decider for questions that no verdict depends on: it has the time that is left, and gives up early."""
        return Decider(lambda seconds: self._make(min(BRIEF, seconds)), min(6.0, self.left))

    @property
    def left(self) -> float:
        """Seconds left, 0 where none are."""
        return self._deadline.left

    def remaining(self) -> float:
        """Seconds left; OutOfTime where none are."""
        self._deadline.check()
        return self.left

    def decide(self, obligation: Obligation) -> Decided:
        """Whether the obligation holds. A goal that is True, or one of the hypotheses, needs no solver."""
        self.remaining()
        self._meaning.require((obligation.goal, *obligation.hypotheses.near))
        if obligation.goal is True or _stated(obligation):
            return Decided(obligation, Answer(Outcome.FOLLOWS))
        answer = Answer(Outcome.UNKNOWN)
        for hypotheses in obligation.hypotheses.steps():
            answer = self._answer(hypotheses, obligation.goal)
            if answer.outcome is Outcome.FOLLOWS:
                break
        return Decided(obligation, answer)

    def _answer(self, hypotheses: tuple[Any, ...], goal: Any, most: float = SECONDS) -> Answer:
        self._meaning.require((*hypotheses, goal))
        question = _question(hypotheses, goal)
        if question not in self._answers:
            solver = self._make(min(most, self.remaining()))
            self.queries += 1
            answer = solver.decide(hypotheses, goal)
            if answer.outcome is Outcome.UNKNOWN and most < SECONDS:
                return answer  # with more time the same question may be answered yet
            self._answers[question] = answer
        return self._answers[question]

    def foresees(self, hypotheses: tuple[Any, ...], goal: Any) -> bool:
        """Whether a goal is shown, in a short time, to follow from hypotheses."""
        return self._answer(hypotheses, goal, most=BRIEF).outcome is Outcome.FOLLOWS

    def decide_all(self, obligations: Iterable[Obligation]) -> list[Decided]:
        """Every obligation with its answer.

        An obligation that arises on several paths is first asked under the hypotheses that they share.
        """
        owed = list(obligations)
        settled = {o.key for paths in self._of_one_goal(owed) if self._in_common(paths) for o in paths}
        return [Decided(o, Answer(Outcome.FOLLOWS)) if o.key in settled else self.decide(o) for o in owed]

    def _of_one_goal(self, obligations: list[Obligation]) -> list[list[Obligation]]:
        """Obligations that share their goal with others and need the solver, one list for each goal."""
        by_goal: dict[Any, list[Obligation]] = {}
        for o in obligations:
            needs_no_solver = isinstance(o.goal, bool) or _stated(o)
            if not needs_no_solver and _question(o.hypotheses.near, o.goal) not in self._answers:
                by_goal.setdefault(_key(o.goal), []).append(o)
        return [paths for paths in by_goal.values() if len({o.hypotheses.key for o in paths}) > 1]

    def _in_common(self, paths: list[Obligation]) -> bool:
        """Whether the goal of some obligations follows from the hypotheses that they share."""
        self.remaining()
        for of_paths in ([o.hypotheses.near for o in paths], [o.hypotheses.whole for o in paths]):
            shared = set.intersection(*({_key(h) for h in hypotheses} for hypotheses in of_paths))
            common = tuple(h for h in of_paths[0] if _key(h) in shared)
            if self._answer(common, paths[0].goal, most=BRIEF).outcome is Outcome.FOLLOWS:
                return True
        return False

    def satisfiable(self, hypotheses: Iterable[Any]) -> Answer:
        """Whether hypotheses can hold together: POSSIBLE where they can, FOLLOWS where they contradict one another."""
        asked = tuple(hypotheses)
        self._meaning.require(asked)
        question = _question(asked, None)
        if question not in self._answers:
            self.queries += 1
            self._answers[question] = self._make(min(SECONDS, self.remaining())).satisfiable(asked)
        return self._answers[question]
