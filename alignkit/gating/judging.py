"""One alignment judged by a project: what it breaks of the policy, and how it differs from the baseline."""

from __future__ import annotations

from dataclasses import dataclass

from alignkit.gating.baseline import BaselineEntry
from alignkit.gating.baseline_changes import Change, Direction, changes_from_baseline
from alignkit.gating.breaches import policy_breaches
from alignkit.gating.policy import Policy
from alignkit.results import Result
from alignkit.running.alignment_decorator import Alignment


@dataclass(frozen=True)
class Judgement:
    """What an alignment breaks of a policy, and its differences from a baseline."""

    breaches: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


def judgement(alignment: Alignment, result: Result, policy: Policy | None, before: BaselineEntry | None) -> Judgement:
    """Judge an alignment with its result; without a policy, or without an entry, that part is empty."""
    now = BaselineEntry.of(result)
    return Judgement(
        () if policy is None else policy_breaches(policy, alignment, result),
        () if before is None or before == now else changes_from_baseline(alignment, before, now),
    )


def unjudged(policy: Policy | None, before: BaselineEntry | None) -> Judgement:
    """Make the judgement of an alignment that could not be judged: nothing is shown, and so nothing accepted."""
    words = "its claim could not be compared: the comparison did not end"
    return Judgement(
        () if policy is None else (words,), () if before is None else (Change(Direction.CHANGED, words),)
    )
