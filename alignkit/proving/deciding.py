"""Deciding obligations: each goes to a fresh solver once; the answers are what a verdict is folded from."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from alignkit.proving.ledger import Shared
from alignkit.proving.obligation import Obligation
from alignkit.symbolic.formulas import And, Formula
from alignkit.symbolic.solver import Answer, Outcome, Solver


@dataclass(frozen=True)
class Decided:
    """An obligation with its answer."""

    obligation: Obligation
    answer: Answer

    @property
    def holds(self) -> bool:
        return self.answer.outcome is Outcome.VALID


def _stated(obligation: Obligation) -> bool:
    """Whether the goal, or each of its parts, stands among the hypotheses word for word."""
    if isinstance(obligation.goal, bool):
        return False
    known = {part.key for h in obligation.hypotheses for part in _parts(h)}
    return all(part.key in known for part in _parts(obligation.goal))


def _parts(formula: Formula | bool) -> tuple[Formula, ...]:
    if isinstance(formula, bool):
        return ()
    return formula.parts if isinstance(formula, And) else (formula,)


class OutOfTime(Exception):
    """The time given for the whole check is used up."""


class Decider:
    """Puts questions to a solver, each once, within one budget of time."""

    def __init__(self, make_solver: Callable[[float], Solver], seconds: float) -> None:
        self._make = make_solver
        self._until = time.monotonic() + seconds
        self._known: dict[tuple[str, str], Answer] = {}
        self.queries = 0
        self.shared = Shared()

    def quick(self) -> Decider:
        """A decider within the time that is left that gives up early, for questions no verdict depends on."""
        return Decider(lambda seconds: self._make(min(1.0, seconds)), min(6.0, self.left))

    @property
    def left(self) -> float:
        """Seconds left, 0 where none are."""
        return max(0.0, self._until - time.monotonic())

    def remaining(self) -> float:
        """Seconds left; OutOfTime where none are."""
        if self.left <= 0:
            raise OutOfTime
        return self.left

    def decide(self, obligation: Obligation) -> Decided:
        """Whether the obligation holds. A goal that is plain, or one of the hypotheses, needs no solver."""
        if obligation.goal is True or _stated(obligation):
            return Decided(obligation, Answer(Outcome.VALID))
        _, goal, hypotheses = obligation.key
        known = self._known.get((goal, hypotheses))
        if known is None:
            solver = self._make(min(10.0, self.remaining()))
            self.queries += 1
            known = solver.decide(obligation.hypotheses, obligation.goal)
            self._known[goal, hypotheses] = known
        return Decided(obligation, known)

    def all(self, obligations: Iterable[Obligation]) -> list[Decided]:
        """Every obligation with its answer."""
        return [self.decide(o) for o in obligations]

    def possible(self, hypotheses: tuple[object, ...]) -> Answer:
        """Whether hypotheses can hold together."""
        self.queries += 1
        return self._make(min(10.0, self.remaining())).satisfiable(hypotheses)
