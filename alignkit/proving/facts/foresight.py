"""What follows from few facts, asked of a solver while paths are explored: a way that it rules out is not explored.

No verdict rests on these answers: whoever relies on one obliges it too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

# Whether a goal follows from hypotheses; False where that is not known.
Question = Callable[[tuple[Any, ...], Any], bool]


def _unasked(hypotheses: tuple[Any, ...], goal: Any) -> bool:
    return False


@dataclass
class Foresight:
    """Remembers every answer of ``ask``, so that all paths with the same choices are the same path."""

    ask: Question = _unasked
    _answers: dict[tuple[Any, frozenset[Any]], bool] = field(default_factory=dict, repr=False)

    def follows(self, hypotheses: tuple[Any, ...], goal: Any) -> bool:
        """Whether the goal is found to follow from the hypotheses."""
        question = goal, frozenset(hypotheses)
        if question not in self._answers:
            self._answers[question] = self.ask(hypotheses, goal)
        return self._answers[question]
