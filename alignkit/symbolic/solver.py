"""What the prover asks of a solver: does a goal follow from hypotheses?"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from alignkit.symbolic.trees import lazy


class Outcome(enum.Enum):
    """Whether a goal follows, or a model is possible in which it does not hold. Only FOLLOWS proves anything."""

    FOLLOWS = "follows"
    POSSIBLE = "possible"
    UNKNOWN = "unknown"


# A value for each symbol by its key, and whether every value is the rational that the solver meant.
Model = tuple[Mapping[str, Fraction], bool]


def _no_model() -> Model:
    return {}, True


@dataclass(frozen=True)
class Answer:
    """A solver's answer; where the goal does not follow, a model, which is read when it is first looked at."""

    outcome: Outcome
    reason: str = ""
    read: Callable[[], Model] = field(default=_no_model, repr=False, compare=False)

    @lazy
    def _found(self) -> Model:
        return self.read()

    @property
    def model(self) -> Mapping[str, Fraction]:
        """A value for each symbol, by its key."""
        return self._found[0]

    @property
    def exact(self) -> bool:
        """Whether every value of the model is the rational that the solver meant."""
        return self._found[1]


class Solver(Protocol):
    """One solver behind the prover. Each question gets a fresh instance of it."""

    name: str

    def decide(self, hypotheses: tuple[Any, ...], goal: Any) -> Answer:
        """Whether the goal follows from the hypotheses, all Formulas or bools."""
        ...

    def satisfiable(self, hypotheses: tuple[Any, ...]) -> Answer:
        """POSSIBLE with a model where the hypotheses can hold together, FOLLOWS where they contradict."""
        ...
