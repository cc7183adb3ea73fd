"""What to suggest in place of an alignment: one of the same mechanism that is proved, or proved for less."""

from __future__ import annotations

from collections.abc import Callable

from alignkit.finding.search import find
from alignkit.results import Result, Suggestion, Verdict
from alignkit.running.alignment_decorator import Alignment
from alignkit.worst_case.claim_order import claims_less


def suggestion(
    alignment: Alignment,
    result: Result,
    *,
    budget: float,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Suggestion | str:
    """An alignment of the same mechanism and adjacency that `find` proves, or why there is none to suggest.

    ``result`` is that of the alignment. Where it is proved, only one with a claim that is proved to be smaller is
    suggested. ``budget`` is in seconds.
    """
    findings = find(
        alignment.mechanism,
        adjacency=str(alignment.adjacency),
        budget=budget,
        seed=seed,
        effort=0,
        bound=False,
        progress=progress,
    )
    proposal = findings.proved
    if proposal is None or proposal.alignment is None:
        return findings.reason
    cheaper = result.verdict is Verdict.PROVED
    if cheaper and not claims_less(proposal.alignment, alignment):
        return f"the claim {proposal.claim} was found, which is not shown to be smaller"
    return Suggestion(proposal.claim, proposal.result.cost, proposal.file_text, cheaper)
