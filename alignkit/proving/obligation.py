"""Obligations: what must follow from what, for which condition of the proof, said in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from alignkit.language.program import Place

# The lines of every report, in the order in which they are told.
CONDITIONS = (
    "termination",
    "noise_used",
    "distributions",
    "valid_noise",
    "same_output",
    "one_to_one",
    "cost",
    "countable",
)


@dataclass(frozen=True)
class Obligation:
    """``hypotheses ⊢ goal``, which serves one condition.

    ``goal`` is a Formula or a bool; False means that the hypotheses must contradict one another: the path that
    they describe is never taken. ``invariant`` names the invariant that this obligation establishes or keeps.
    """

    condition: str
    hypotheses: tuple[Any, ...] = field(repr=False)
    goal: Any
    words: str
    place: Place | None = field(default=None, repr=False)
    invariant: str | None = None

    @property
    def line(self) -> int | None:
        return None if self.place is None else self.place.line

    @cached_property
    def key(self) -> tuple[str, str, str]:
        """Equal for obligations that ask the same for the same condition."""
        return (self.condition, _key(self.goal), " & ".join(sorted(_key(h) for h in self.hypotheses)))


def _key(formula: Any) -> str:
    return str(formula) if isinstance(formula, bool) else str(formula.key)
