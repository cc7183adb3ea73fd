"""z3 behind the Solver interface."""

from __future__ import annotations

import time
from typing import Any

import z3

from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.z3_encoder import Encoder, new_context

# Deterministic work units: a few seconds of z3; the same question stops at the same point everywhere.
RESOURCE_LIMIT = 20_000_000


class Z3Solver:
    """z3 by its Python API, a fresh solver for each question.

    ``seconds`` bounds each question from outside; the resource limit is what usually ends one. Solvers may share an
    ``encoder``, which then writes a formula down once; what is known to one solver is not known to another.
    """

    name = "z3"

    def __init__(
        self,
        seconds: float = 10.0,
        resources: int = RESOURCE_LIMIT,
        encoders: tuple[Encoder, Encoder] | None = None,
    ) -> None:
        self.seconds = seconds
        self.resources = resources
        self.encoders = encoders or _encoders()

    @staticmethod
    def of_one_check() -> OfOneCheck:
        """Makes solvers, from the seconds each is given, that share their encoders and nothing of another check's."""
        return OfOneCheck()

    def decide(self, hypotheses: tuple[Any, ...], goal: Any) -> Answer:
        if goal is True or any(h is False for h in hypotheses):
            return Answer(Outcome.FOLLOWS)
        negated = True if goal is False else ~goal
        return self._refute((*hypotheses, negated))

    def satisfiable(self, hypotheses: tuple[Any, ...]) -> Answer:
        return Answer(Outcome.FOLLOWS) if any(h is False for h in hypotheses) else self._refute(hypotheses)

    def _refute(self, formulas: tuple[Any, ...]) -> Answer:
        started = time.monotonic()
        asked = [formula for formula in formulas if formula is not True]
        encoder, general = self.encoders
        encoded = encoder.question(asked)
        linear = [formula for formula, is_linear in encoded if is_linear]
        # What contradicts itself in its linear part does so as a whole, and linear questions are the easy ones: for
        # them z3's plain solver is several times as fast as the one that it would make for QF_UFLRA.
        plain = z3.SimpleSolver(ctx=encoder.context)
        # Interrupted, it would only say that it was canceled, as at its limits: Ctrl-C is left to Python, after it.
        plain.set("ctrl_c", False)
        solver, result = self._check(plain, linear, started)
        if len(linear) < len(encoded) and result != z3.unsat:
            encoder = general
            question = [formula for formula, _ in encoder.question(asked)]
            # z3's own solver for QF_NRA tries this tactic among others, and takes twice as long to set up and answer.
            solver, result = self._check(z3.Tactic("qfnra-nlsat", encoder.context).solver(), question, started)
            left = self.seconds - (time.monotonic() - started)
            if result == z3.unknown and left > 0 and "interrupted" not in solver.reason_unknown():
                solver, result = self._check(z3.SolverFor("QF_NRA", ctx=encoder.context), question, started)
        if result == z3.unsat:
            return Answer(Outcome.FOLLOWS)
        if result == z3.unknown:
            reason = solver.reason_unknown()
            if "interrupted" in reason:
                # z3 takes Ctrl-C for itself and reports it as an answer.
                raise KeyboardInterrupt
            # z3's clock may be a little ahead of this one.
            late = reason == "canceled" and time.monotonic() - started >= 0.9 * self.seconds
            return Answer(Outcome.UNKNOWN, reason="timeout" if late else reason)
        model = solver.model()  # at once: a solver is much larger than its model
        return Answer(Outcome.POSSIBLE, read=lambda: encoder.read(model, asked))

    def _check(self, solver: Any, formulas: list[Any], started: float) -> tuple[Any, Any]:
        left = self.seconds - (time.monotonic() - started)
        solver.set("timeout", max(1, int(left * 1000)))
        solver.set("rlimit", self.resources)
        context = self.encoders[0].context.ref()
        z3.Z3_solver_assert(context, solver.solver, self.encoders[0].build.all(formulas).as_ast())
        return solver, solver.check()


def _encoders() -> tuple[Encoder, Encoder]:
    context = new_context()
    return Encoder(functions=True, context=context), Encoder(context=context)


class OfOneCheck:
    """Makes the solvers of one check: they share their encoders."""

    def __init__(self) -> None:
        self._shared = _encoders()

    def __call__(self, seconds: float) -> Z3Solver:
        return Z3Solver(seconds, encoders=self._shared)

    def apart(self) -> OfOneCheck:
        """The same for questions of another mechanism, whose names may stand for other numbers."""
        return OfOneCheck()
