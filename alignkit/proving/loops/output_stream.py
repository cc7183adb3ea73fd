"""The output of a run through a loop, as the alignment sees it in one arbitrary iteration."""

from __future__ import annotations

from typing import Any

from alignkit.interpreting.values import Family
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.runs.output_shapes import Shapes
from alignkit.proving.runs.seen_output import OtherOutput, Reading, seen
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


class OutputStream:
    """The outputs of a run through a loop: those before it, the one of the iteration at hand, and unknown others.

    ``shapes`` are those that any output of the run may have.
    """

    def __init__(self) -> None:
        self.length = Term.of(Symbol("len(omega)", Role.UNKNOWN, integer=True))
        self.before: tuple[Any, ...] = ()
        self.position: Term | None = None
        self.current: Any = None
        self.named: dict[int | None, Ranking] = {}
        self.shapes = Shapes(None)

    def seen(self, reading: Reading) -> Family:
        """The outputs as a sequence that an alignment reads."""
        return Family(self.length, lambda index: self._at(index, reading))

    def now(self, before: tuple[Any, ...], iteration: Term, current: Any) -> None:
        """The iteration at hand gives ``current``, after ``before`` came ahead of the loop."""
        self.before = tuple(seen(value, f"omega[{i}]") for i, value in enumerate(before))
        self.position = iteration + len(before)
        self.current = seen(current, "omega[i]")

    def _at(self, index: Any, reading: Reading) -> Any:
        at = Term.of(index)
        constant = at.constant
        if constant is not None and 0 <= constant < len(self.before):
            return self.before[int(constant)]
        if self.position is not None and at == self.position:
            return self.current
        known = {part: ranking.at(at) for part, ranking in self.named.items()}
        return known[None] if None in known else OtherOutput(f"omega[{at.key}]", self.shapes, reading, known).plain()
