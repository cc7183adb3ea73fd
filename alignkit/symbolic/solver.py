"""What the prover asks of a solver: does a goal follow from hypotheses?"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol


class Outcome(enum.Enum):
    """How a question was answered. Only VALID proves anything."""

    VALID = "valid"
    INVALID = "invalid"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Answer:
    """A solver's answer; where the goal does not follow, a model: a value for each symbol by its key.

    ``exact`` is whether every value of the model is the rational that the solver meant.
    """

    outcome: Outcome
    model: Mapping[str, Fraction] = field(default_factory=dict)
    exact: bool = True
    reason: str = ""


class Solver(Protocol):
    """One solver behind the prover. Each question gets a fresh instance of it."""

    name: str

    def decide(self, hypotheses: tuple[Any, ...], goal: Any) -> Answer:
        """Whether the goal follows from the hypotheses, all Formulas or bools."""
        ...

    def satisfiable(self, hypotheses: tuple[Any, ...]) -> Answer:
        """INVALID with a model where the hypotheses can hold together, VALID where they contradict."""
        ...
