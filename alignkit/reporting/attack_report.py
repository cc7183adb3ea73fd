"""Attacks as the command line reports them: a certified loss with its target."""

from __future__ import annotations

from dataclasses import dataclass

from alignkit.reporting.full_report import Line
from alignkit.results import CertifiedLoss


@dataclass(frozen=True)
class AttackReport:
    """A certified loss with its target; ``alignment`` is None where the mechanism alone was attacked."""

    mechanism: str
    alignment: str | None
    adjacency: str
    claim: str | None
    bound: CertifiedLoss

    def lines(self) -> list[Line]:
        """List a heading, the loss, both databases, the event, and how to compute the loss again."""
        name = self.mechanism + (f" / {self.alignment}" if self.alignment else "")
        claim = "" if self.claim is None else f"    claim: {self.claim}{self._claimed()}"
        verdict = "NO CLAIM GIVEN" if self.claim is None else self.bound.verdict
        heading = f"{verdict}  {name}{claim}    adjacency: {self.adjacency}"
        return [Line(heading, "bold red" if self.bound.violates else "bold"), *map(Line, self.bound.lines())]

    def _claimed(self) -> str:
        """Return the value of the claim at these inputs, where the claim is an expression."""
        claim = self.bound.claim
        return "" if claim is None or self.claim == str(claim) else f" = {claim:.6g}"
