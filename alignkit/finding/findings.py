"""What a search for alignments comes to."""

from __future__ import annotations

from dataclasses import dataclass, field

from alignkit.results import Result
from alignkit.running.alignment_decorator import Alignment


@dataclass(frozen=True)
class Proposal:
    """An alignment that was proposed: its source, and what `check` says of it.

    ``file_text`` is a file that holds the alignment with the imports that it needs. The alignment itself stays behind
    when a proposal is sent to another process.
    """

    source: str
    imports: tuple[str, ...]
    claim: str
    result: Result
    alignment: Alignment | None = field(default=None, repr=False, compare=False)

    @property
    def file_text(self) -> str:
        """A file that holds the alignment."""
        return "\n".join([*self.imports, "", "", self.source])


@dataclass(frozen=True)
class Findings:
    """The alignments that were proposed for a mechanism: the proved one last, if there is one.

    ``reason`` says why none was proved. ``runs`` is how many pairs of runs the proposals were made from, and
    ``seconds`` the wall time of the search, proofs included.
    """

    mechanism: str
    adjacency: str
    proposals: tuple[Proposal, ...]
    runs: int
    seconds: float
    reason: str = ""

    @property
    def proved(self) -> Proposal | None:
        """The proposal that was proved; None where none was."""
        return next((proposal for proposal in self.proposals if proposal.result.proved), None)

    def __str__(self) -> str:
        """The report, as text."""
        of = f"{self.mechanism}    adjacency: {self.adjacency}"
        proposal = self.proved
        if proposal is None:
            return f"NOT FOUND  {of}\n  {self.reason}"
        lines = [f"FOUND AND PROVED  {of}    claim: {proposal.claim}"]
        cost = proposal.result.cost
        if cost is not None and cost != proposal.claim:
            lines.append(f"  worst case: {cost}")
        return "\n".join([*lines, "", *proposal.file_text.splitlines()])
