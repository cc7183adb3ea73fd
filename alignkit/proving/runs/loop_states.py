"""The two runs at the head of a loop, and what one iteration makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.proving.runs.grown_lists import GrownList, length_of
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

# The index of the arbitrary iteration, which is public.
ITERATION = Symbol("iteration", Role.INDEX, integer=True)

# What the cost may be counted against, besides the program's own variables.
CHANGE = "the change of the answers"
ROUNDS = "the iterations"
OUTPUTS = "the outputs"


@dataclass(frozen=True)
class LoopState:
    """The two runs at the loop's head: their names, the cost of the shifts so far, and the change so far.

    ``changed`` is what adjacency has spent up to here: the sum of |q_i - q'_i| under l1, the number of changed
    answers under one; None under the others. ``rounds`` is the number of iterations so far, ``outputs`` the number
    of outputs (counted where the claim depends on it).
    """

    names: Mapping[str, Any]
    names_: Mapping[str, Any]
    cost: Term
    changed: Term | None
    rounds: Term
    outputs: Term = field(default_factory=lambda: Term.of(0))

    def counted(self, counter: str) -> Term:
        """The value of a counter: a variable of D, or one of those above."""
        if counter in (ROUNDS, OUTPUTS):
            return self.rounds if counter == ROUNDS else self.outputs
        for name, value in self.names.items():
            if isinstance(value, GrownList | tuple) and length_of(name) == counter:
                return Term.of(len(value) if isinstance(value, tuple) else value.length)
        return Term.of(self.changed if counter == CHANGE else self.names[counter])


@dataclass(frozen=True)
class LoopRound:
    """A loop when it began, at its head, and after an iteration: None where that left the loop, or the loop is over."""

    start: LoopState
    head: LoopState
    after: LoopState | None

    def gain(self, counter: str) -> Term:
        """By how much an iteration changes a counter, where the loop goes on."""
        assert self.after is not None
        return self.after.counted(counter) - self.head.counted(counter)
