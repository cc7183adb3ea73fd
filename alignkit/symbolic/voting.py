"""A vote on what z3 called valid: cvc5 is asked each such question too, and where it disagrees nothing is proved."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from alignkit.errors import InternalError, Unsupported
from alignkit.limits import NEVER, Deadline
from alignkit.results import Vote
from alignkit.symbolic.cvc5_solver import SECONDS, Cvc5Solver, require_cvc5
from alignkit.symbolic.smtlib import Question
from alignkit.symbolic.solver import Answer, Outcome, Solver
from alignkit.symbolic.z3_solver import Z3Solver

Formulas = tuple[Any, ...]

# Where questions on which the solvers disagree are saved, below the current folder.
DISAGREEMENTS = Path(".alignkit", "disagreements")


class Voting:
    """Makes solvers, as ``Decider`` wants them, that answer as z3 does; what they call valid is kept for a vote.

    The vote is taken after the proof, so that no verdict depends on the time that it takes. Raises InputError where
    cvc5 is not installed.
    """

    def __init__(self) -> None:
        require_cvc5()
        self._make: Callable[[float], Solver] = Z3Solver.of_one_check()
        self._valid: list[Formulas] = []

    def __call__(self, seconds: float) -> Solver:
        return _Recorded(self._make(seconds), self._valid)

    def apart(self) -> Voting:
        """The same for questions of another mechanism, which are put to the same vote."""
        other = Voting()
        other._valid = self._valid
        return other

    def vote(self, folder: Path = DISAGREEMENTS, deadline: Deadline = NEVER) -> Vote:
        """Ask cvc5 each question that was called valid; after the deadline the rest count as unknown.

        Raises InternalError where cvc5 refutes one. The question is then in ``folder``, as SMT-LIB text.
        """
        agreed = unknown = not_encoded = 0
        reasons: dict[str, None] = {}
        for text, problem in self._texts():
            if text is None:
                not_encoded += 1
                reasons[problem] = None
                continue
            second = Cvc5Solver(min(SECONDS, deadline.left))
            answer = Answer(Outcome.UNKNOWN, "the time limit was reached") if deadline.passed else second.answer(text)
            if answer.outcome is Outcome.POSSIBLE:
                said = f"z3 answers unsat, {second.name} {second.version} answers sat"
                raise InternalError(_disagreement(said, text, folder))
            if answer.outcome is Outcome.FOLLOWS:
                agreed += 1
            else:
                unknown += 1
                reasons[answer.reason] = None
        return Vote(agreed, unknown, not_encoded, tuple(reasons))

    def _texts(self) -> Iterator[tuple[str | None, str]]:
        """Each different question as text, or why it was not written."""
        seen: set[object] = set()
        for formulas in self._valid:
            text, problem = None, ""
            try:
                text = Question(formulas).text
            except Unsupported as why:
                problem = str(why)
            except RecursionError:
                problem = "a question that is nested too deeply to be written as text"
            question = text or frozenset(formulas)
            if question not in seen:
                seen.add(question)
                yield text, problem


class _Recorded:
    """A solver whose questions that were called valid are noted, but for those that no solver needs to see."""

    def __init__(self, solver: Solver, valid: list[Formulas]) -> None:
        self.name = solver.name
        self._solver = solver
        self._valid = valid

    def decide(self, hypotheses: Formulas, goal: Any) -> Answer:
        answer = self._solver.decide(hypotheses, goal)
        return self._noted(answer, (*hypotheses, not goal if isinstance(goal, bool) else ~goal))

    def satisfiable(self, hypotheses: Formulas) -> Answer:
        return self._noted(self._solver.satisfiable(hypotheses), hypotheses)

    def _noted(self, answer: Answer, formulas: Formulas) -> Answer:
        if answer.outcome is Outcome.FOLLOWS and not any(formula is False for formula in formulas):
            self._valid.append(formulas)
        return answer


def _disagreement(said: str, text: str, folder: Path) -> str:
    """Save the question, and say what the solvers answered and where it is."""
    path = folder / f"disagreement-{hashlib.sha256(text.encode()).hexdigest()[:16]}.smt2"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(f"; {said}\n{text}", encoding="utf-8")
        where = f"the question is saved in {path}"
    except OSError as problem:
        where = f"the question could not be saved in {path} ({problem}) and is\n{text}"
    return f"DISAGREEMENT: two solvers disagree, so that nothing is proved here: {said}; {where}"
