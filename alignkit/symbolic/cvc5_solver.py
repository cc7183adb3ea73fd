"""cvc5 behind the Solver interface: a second opinion on what z3 answers, asked in a text of our own."""

from __future__ import annotations

import time
from typing import Any

from alignkit.arguments import shown
from alignkit.errors import InputError, InternalError, Unsupported
from alignkit.symbolic.smtlib import Question
from alignkit.symbolic.solver import Answer, Model, Outcome

MISSING = "the second solver needs cvc5: pip install 'alignkit[verify]'"

# What a question may take, from outside; its limits of work are reached before, unless the machine is slow.
SECONDS = 30.0

# Ways of cvc5 to treat products, tried in this order, each with its limit in cvc5's deterministic work units (a few
# seconds each): its own choice, then lemmas about products beside the covering of space, and then such lemmas alone.
WAYS: tuple[tuple[int, dict[str, str]], ...] = (
    (200_000, {}),
    (500_000, {"nl-ext": "full"}),
    (500_000, {"nl-cov": "false", "nl-ext": "full", "nl-ext-tplanes": "true"}),
)


class Cvc5Solver:
    """cvc5, a fresh instance for each question, which it is given as SMT-LIB text.

    ``seconds`` bounds each question from outside; the limits in ``ways`` are what usually ends one. Its answers have
    no models. Raises InputError where cvc5 is not installed.
    """

    name = "cvc5"

    def __init__(self, seconds: float = SECONDS, ways: tuple[tuple[int, dict[str, str]], ...] = WAYS) -> None:
        self._cvc5 = require_cvc5()
        self.seconds = seconds
        self.ways = ways

    @property
    def version(self) -> str:
        return str(self._cvc5.__version__)

    def decide(self, hypotheses: tuple[Any, ...], goal: Any) -> Answer:
        return self.satisfiable((*hypotheses, not goal if isinstance(goal, bool) else ~goal))

    def satisfiable(self, hypotheses: tuple[Any, ...]) -> Answer:
        try:
            return self.answer(Question(hypotheses).text)
        except Unsupported as problem:
            return Answer(Outcome.UNKNOWN, str(problem))

    def answer(self, text: str) -> Answer:
        """FOLLOWS where what an SMT-LIB text asserts contradicts itself, POSSIBLE where it does not."""
        started = time.monotonic()
        said = ""
        for resources, options in self.ways:
            left = self.seconds - (time.monotonic() - started)
            if said and left <= 0:
                break
            limits = {"rlimit": str(resources), "tlimit-per": str(max(1, int(left * 1000)))}
            said = self._said(text, {**limits, **options})
            if said in _OUTCOMES:
                return Answer(_OUTCOMES[said], read=_no_model)
        return Answer(Outcome.UNKNOWN, said)

    def _said(self, text: str, options: dict[str, str]) -> str:
        solver = self._cvc5.Solver(self._cvc5.TermManager())
        for name, value in options.items():
            solver.setOption(name, value)
        parser = self._cvc5.InputParser(solver)
        try:
            parser.setStringInput(self._cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
            said = ""
            while not (command := parser.nextCommand()).isNull():
                said = command.invoke(solver, parser.getSymbolManager()).strip()
        except RuntimeError as problem:
            raise InternalError(f"cvc5 does not read a question that was written for it: {problem}") from problem
        if said not in _OUTCOMES and not said.startswith("unknown"):
            raise InternalError(f"cvc5 does not answer a question that was written for it, but says {said!r}")
        return said


_OUTCOMES = {"unsat": Outcome.FOLLOWS, "sat": Outcome.POSSIBLE}


def _no_model() -> Model:
    """No values, which are not those of a case in which the goal fails."""
    return {}, False


def require_solver(name: str) -> None:
    """Raise InputError where a solver is neither z3 nor cvc5, or where it is cvc5 and that is not installed."""
    if name not in ("z3", "cvc5"):
        raise InputError(f"the solver is z3 or cvc5, not {shown(name)}")
    if name == "cvc5":
        require_cvc5()


def require_cvc5() -> Any:
    """The module cvc5; InputError where it is not installed."""
    try:
        import cvc5
    except ImportError:
        raise InputError(MISSING) from None
    return cvc5
