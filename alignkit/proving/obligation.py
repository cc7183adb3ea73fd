"""Obligations: what must follow from what, for which condition of the proof, said in words."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from alignkit.errors import InternalError
from alignkit.language.program import Place
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.results import TITLES


@dataclass(frozen=True)
class Obligation:
    """``hypotheses ⊢ goal``, which serves one condition.

    ``goal`` is a Formula or a bool; False means that the hypotheses must contradict one another: the path that
    they describe is never taken. ``invariant`` names the invariant that this obligation establishes or keeps.
    ``settled`` says of a goal that is True that nothing is left to ask: it is listed, and not counted in reports.
    ``problem`` says that ``words`` name what is excluded, and not what holds.
    ``about_record`` says that a record of D's runs is held against this run: a proof for readers leaves it out.
    InternalError where ``condition`` is none of the proof's.
    """

    condition: str
    hypotheses: Hypotheses = field(repr=False)
    goal: Any
    words: str
    place: Place | None = field(default=None, repr=False)
    invariant: str | None = None
    settled: bool = False
    about_record: bool = False
    problem: bool = False

    def __post_init__(self) -> None:
        # A verdict is folded condition by condition: an obligation of no condition would be lost.
        if self.condition not in TITLES:
            raise InternalError(f"an obligation serves {self.condition!r}, which is no condition of the proof")

    @property
    def line(self) -> int | None:
        return None if self.place is None else self.place.line

    @cached_property
    def key(self) -> Hashable:
        """Equal for obligations that ask the same for the same condition."""
        # What was settled has no hypotheses to tell it by.
        return self.condition, self.goal, self.hypotheses.key, (self.words, self.line) if self.settled else None
