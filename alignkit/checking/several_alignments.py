"""Several alignments of one mechanism: what their results show of the mechanism together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from alignkit.results import Result, Verdict
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_decorator import Alignment


def fold_privacy(alignments: Sequence[Alignment], results: Sequence[Result]) -> list[Result]:
    """Give each result what all alignments show of its mechanism: one proof of its claim makes it private as claimed.

    A proof under one adjacency speaks of another only where it covers it, and one for queries that are fixed in advance
    does not speak of adaptive ones. One of a larger claim bounds the loss but leaves open what is claimed. Raises
    InternalError where a certified loss is above a proved one.
    """
    proofs = [r for r in results if r.verdict is Verdict.PROVED and r.privacy.upper is not None]
    return [_with_privacy(a, r, proofs) for a, r in zip(alignments, results, strict=True)]


def _with_privacy(alignment: Alignment, result: Result, proofs: Sequence[Result]) -> Result:
    privacy = result.privacy
    for adjacency in Adjacency(result.adjacency).covered_by:
        for other in proofs:
            same = (other.mechanism_place, other.adjacency) == (result.mechanism_place, adjacency)
            if same and other.adaptive >= result.adaptive:
                bounded = replace(privacy, upper=other.privacy.upper, adjacency=str(adjacency))
                from alignkit.attacking.brackets import check_bracket

                check_bracket(alignment.mechanism, bounded)
                if privacy.status == "open" and _within(other.privacy.upper, alignment):
                    privacy = replace(bounded, status="private")
                elif privacy.upper is None:
                    privacy = bounded
    return replace(result, privacy=privacy)


def _within(upper: str | None, alignment: Alignment) -> bool:
    """Whether a proved bound on the loss is at most what an alignment claims, for all public parameters."""
    from alignkit.worst_case.claim_order import ClaimOrder, compare_claims

    if upper is None:
        return False
    order = compare_claims(alignment.mechanism, alignment.adjacency, upper, alignment.claim)
    return order in (ClaimOrder.SAME, ClaimOrder.SMALLER)
