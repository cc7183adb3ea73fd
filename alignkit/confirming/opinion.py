"""What the second opinion is asked, and what it answers."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.confirming.inductive import examine_loop
from alignkit.confirming.places import A_LOOP, examine_all_at_once
from alignkit.confirming.small_inputs import all_lemmas, examine

# Work of a question is counted in the solver's own units and in paths, so that answers are the same on every machine.
LITTLE = 60
MUCH = 4000


class Standing(enum.StrEnum):
    """What the second opinion on a proof is."""

    EVERY_N = "confirmed for every n"
    BOUNDED = "confirmed for small inputs"
    NOT_EXAMINED = "not examined"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True)
class Opinion:
    """The second opinion on one alignment.

    ``n`` and ``k`` are the sizes of small inputs up to which it was confirmed (lists of 1 to ``n`` answers, counts of 1
    to ``k``), or None; ``why`` says why it goes no further. ``inputs`` and ``problem`` are a contradiction: values of
    the parameters, those of D′ with an underscore, and of the noise under ``H``, all exact, on which Python fails the
    alignment. ``lemmas`` says how calls were read: by the callee's own function, or by the claims that are named.
    ``solver`` is the one that was asked, ``questions`` how often.
    """

    standing: Standing
    n: int | None = None
    k: int | None = None
    why: str = ""
    problem: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    lemmas: tuple[str, ...] = ()
    solver: str = "z3"
    questions: int = 0

    @property
    def contradicts(self) -> bool:
        """Whether the proof is contradicted."""
        return self.standing is Standing.CONTRADICTED

    def __str__(self) -> str:
        by = "" if self.solver == "z3" else f", by {self.solver}"
        match self.standing:
            case Standing.EVERY_N:
                return f"{self.standing}{by}"
            case Standing.BOUNDED:
                return f"confirmed for n <= {self.n}, k <= {self.k}{by}"
            case Standing.NOT_EXAMINED:
                return f"not examined: {self.why}"
            case Standing.CONTRADICTED:
                given = ", ".join(f"{name} = {value}" for name, value in self.inputs.items())
                return f"CONTRADICTED: {self.problem} ({given})"


def confirm_alignment(
    alignment: Any,
    *,
    n: int = 3,
    k: int = 2,
    effort: int = MUCH,
    solver: str = "z3",
) -> Opinion:
    """Reach the verdict on an alignment a second time, by running its own functions on symbolic numbers.

    Lists have 1 to ``n`` answers and counts are 1 to ``k``; every other number is arbitrary. What is confirmed there
    is then examined for every n, unless ``effort`` is ``LITTLE``. ``effort`` bounds the number of questions to the
    solver, which is z3 or cvc5, for small inputs and for every n each.
    """
    if solver not in ("z3", "cvc5"):
        raise ValueError(f"the solver is z3 or cvc5, not {solver}")
    confirmed, why, found, questions = examine(alignment, n, k, effort, solver)
    if found is not None:
        return Opinion(
            Standing.CONTRADICTED, problem=found.problem, inputs=found.inputs, solver=solver, questions=questions
        )
    if not confirmed:
        return Opinion(Standing.NOT_EXAMINED, why=why, solver=solver, questions=questions)
    if alignment.delta is not None:
        why = why or "claims with delta are examined for small inputs only"
    elif effort > LITTLE:
        further, more = _examine_every_n(alignment, effort, solver)
        questions += more
        if not further:
            return Opinion(Standing.EVERY_N, n=confirmed, k=k, solver=solver, questions=questions)
        why = "; ".join(part for part in (why, further) if part)
    names = sorted(lemma.mechanism.name for lemma in all_lemmas(alignment).values())
    lemmas = tuple(f"{name}: by its own function" for name in names)
    return Opinion(Standing.BOUNDED, n=confirmed, k=k, why=why, lemmas=lemmas, solver=solver, questions=questions)


def _examine_every_n(alignment: Any, effort: int, solver: str) -> tuple[str, int]:
    """Why an alignment is not confirmed for every n, or "" where it is; and the questions."""
    why, questions = examine_all_at_once(alignment, effort, solver)
    if why.endswith(A_LOOP):
        texts = tuple(text for text, _ in alignment.invariants)
        return examine_loop(alignment, texts, effort, solver)
    return why, questions
