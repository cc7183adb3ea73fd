"""One alignment judged by a project: what it breaks of the policy, and how it differs from the baseline."""

from __future__ import annotations

from dataclasses import dataclass

from alignkit.gating.baseline import BaselineEntry
from alignkit.gating.baseline_changes import Change, Direction, baseline_changes
from alignkit.gating.breaches import policy_breaches
from alignkit.gating.policy import Policy
from alignkit.results import Result
from alignkit.running.alignment_decorator import Alignment


@dataclass(frozen=True)
class Judgement:
    """What an alignment breaks of a policy, and its differences from a baseline."""

    breaches: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


NOT_JUDGED = Judgement()


def judgement(alignment: Alignment, result: Result, policy: Policy | None, before: BaselineEntry | None) -> Judgement:
    """Judge an alignment with its result; without a policy, or without an entry, that part is empty."""
    now = BaselineEntry.of(result)
    return Judgement(
        () if policy is None else policy_breaches(policy, alignment, result),
        () if before is None or before == now else baseline_changes(alignment, before, now),
    )


def unjudged(policy: Policy | None, before: BaselineEntry | None) -> Judgement:
    """Make the judgement of an alignment whose judgement did not end: nothing is shown, and so nothing accepted."""
    words = "the comparison of its claim was ended at its time limit"
    return Judgement(
        () if policy is None else (words,), () if before is None else (Change(Direction.CHANGED, words),)
    )
