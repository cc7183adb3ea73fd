"""Several alignments: each is checked by itself, and then what is known of their mechanisms is put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from alignkit.arguments import items
from alignkit.checking.five_hops import check
from alignkit.data.counts import read_records
from alignkit.results import Result, Verdict
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_decorator import Alignment


def check_all(
    alignments: Iterable[Alignment],
    *,
    timeout: float = 60.0,
    seed: int = 0,
    table: Iterable[frozenset[str]] | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[Result]:
    """Check several alignments, one after the other, each with the whole timeout."""
    alignments = items(alignments, "alignments", "a list of alignments")
    records = None if table is None else read_records(table)
    results = [check(a, timeout=timeout, seed=seed, table=records, progress=progress) for a in alignments]
    return fold_privacy(alignments, results)


def fold_privacy(alignments: Sequence[Alignment], results: Sequence[Result]) -> list[Result]:
    """Give each result what all alignments show of its mechanism: one proof makes it private.

    A proof under one adjacency speaks of another only where it covers it. Raises InternalError where a certified loss
    is above a proved one.
    """
    proofs = [r for r in results if r.verdict is Verdict.PROVED and r.privacy.upper is not None]
    return [_with_privacy(a, r, proofs) for a, r in zip(alignments, results, strict=True)]


def _with_privacy(alignment: Alignment, result: Result, proofs: Sequence[Result]) -> Result:
    privacy = result.privacy
    for adjacency in Adjacency(result.adjacency).covered_by:
        for other in proofs:
            if (other.mechanism_place, other.adjacency) == (result.mechanism_place, adjacency):
                bounded = replace(privacy, upper=other.privacy.upper, adjacency=str(adjacency))
                from alignkit.attacking.brackets import check_bracket

                check_bracket(alignment.mechanism, bounded)
                if privacy.upper is None:
                    status = "private" if privacy.status == "open" else privacy.status
                    privacy = replace(bounded, status=status)
    return replace(result, privacy=privacy)
