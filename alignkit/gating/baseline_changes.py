"""How an alignment differs from its entry in a baseline: what got worse or better, and what cannot be compared."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from alignkit.errors import LanguageError
from alignkit.gating.baseline import BaselineEntry
from alignkit.results import Verdict
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_decorator import Alignment
from alignkit.worst_case.claim_order import ClaimOrder, compare_claims


class Direction(enum.StrEnum):
    """Where a change leads. One that is ``changed`` is not shown to be no worse."""

    WORSE = "worse"
    BETTER = "better"
    CHANGED = "changed"


@dataclass(frozen=True)
class Change:
    """One difference from a baseline, in words."""

    direction: Direction
    words: str


def changes_from_baseline(alignment: Alignment, before: BaselineEntry, now: BaselineEntry) -> tuple[Change, ...]:
    """List the differences of an alignment from its entry.

    A scope and a worst case are compared only where both entries are proved: the verdict says the rest.
    """
    changes = [*_verdict(before, now), *_mechanism(before, now), *_adjacency(before, now)]
    changes += _sensitivities(before, now)
    changes += _claim(alignment, before, now)
    if before.verdict == now.verdict == Verdict.PROVED:
        changes += [*_scope(before, now), *_worst_case(alignment, before, now)]
    return tuple(changes)


def _verdict(before: BaselineEntry, now: BaselineEntry) -> Iterator[Change]:
    if before.expected != now.expected:
        words = f"it is expected to be {now.expected}, and was expected to be {before.expected}"
        lost, gained = before.expected == Verdict.PROVED, now.expected == Verdict.PROVED
        yield Change(_towards(better=gained, worse=lost), words)
    if before.verdict != now.verdict:
        lost = Verdict.PROVED == before.verdict == before.expected
        better = now.verdict == now.expected or before.verdict == Verdict.REFUTED
        refuted = now.verdict == Verdict.REFUTED != now.expected
        worse = lost or before.verdict == now.expected or refuted
        words = f"{before.verdict} became {now.verdict}"
        yield Change(_towards(better=better, worse=worse), words)


def _mechanism(before: BaselineEntry, now: BaselineEntry) -> Iterator[Change]:
    if before.mechanism != now.mechanism:
        yield Change(Direction.CHANGED, f"it is about {now.mechanism}, and was about {before.mechanism}")


def _adjacency(before: BaselineEntry, now: BaselineEntry) -> Iterator[Change]:
    if before.adjacency != now.adjacency:
        old, new = Adjacency.read(before.adjacency), Adjacency.read(now.adjacency)
        direction = _towards(better=new in old.covered_by, worse=old in new.covered_by)
        words = {Direction.BETTER: "grew", Direction.WORSE: "shrank", Direction.CHANGED: "changed"}[direction]
        yield Change(direction, f"the adjacency {words} from {old} to {new}")


def _sensitivities(before: BaselineEntry, now: BaselineEntry) -> Iterator[Change]:
    """Say which sensitivities changed: a claim for larger changes of the answers is a stronger one."""
    if before.sensitivities is None or now.sensitivities is None:
        return
    for name in dict.fromkeys([*before.sensitivities, *now.sensitivities]):
        old, new = before.sensitivities.get(name), now.sensitivities.get(name)
        if old is None or new is None:
            verb = "has" if old is None else "no longer has"
            words = f"the mechanism {verb} the private parameter {name}, of sensitivity {old or new}"
            yield Change(Direction.CHANGED, words)
        elif old != new:
            grew, shrank = _allows(new, old), _allows(old, new)
            verb = "shrank" if shrank else "grew" if grew else "changed"
            yield Change(_towards(better=grew, worse=shrank), f"the sensitivity of {name} {verb} from {old} to {new}")


def _allows(one: str, other: str) -> bool:
    """Whether a declared sensitivity is seen to allow all changes that another one does.

    One that holds under a condition only allows more than one that always holds.
    """
    (bound, local, condition), (bound_, local_, condition_) = (text.partition(" where ") for text in (one, other))
    with suppress(ValueError):
        larger = bound == bound_ or Fraction(bound) >= Fraction(bound_)
        return larger and (condition == condition_ or bool(local and not local_))
    return False


def _claim(alignment: Alignment, before: BaselineEntry, now: BaselineEntry) -> Iterator[Change]:
    if before.ex_post != now.ex_post:
        words = "the claim depends on the output now" if now.ex_post else "the claim no longer depends on the output"
        yield Change(_towards(better=not now.ex_post, worse=now.ex_post), words)
    if before.base != now.base:
        bases = [entry.base or "e" for entry in (before, now)]
        words = f"the claim changed from {before.claim} in base {bases[0]} to {now.claim} in base {bases[1]}"
        yield Change(Direction.CHANGED, words)
    elif before.claim != now.claim:
        yield from _sizes("the claim", alignment, before.claim, now.claim)
    yield from _delta(alignment, before.delta, now.delta)


def _delta(alignment: Alignment, old: str | None, new: str | None) -> Iterator[Change]:
    if old is None and new is not None:
        yield Change(Direction.WORSE, f"the claim has delta = {new} now, and was pure")
    elif old is not None and new is None:
        yield Change(Direction.BETTER, f"the claim is pure now, and had delta = {old}")
    elif old is not None and new is not None and old != new:
        yield from _sizes("delta", alignment, old, new)


def _scope(before: BaselineEntry, now: BaselineEntry) -> Iterator[Change]:
    for name in dict.fromkeys([*before.scope, *now.scope]):
        old, new = before.scope.get(name), now.scope.get(name)
        if old == new or (old is None and new == "all"):
            continue
        if old is None or new is None:
            verb = "names" if old is None else "no longer names"
            yield Change(Direction.CHANGED, f"the scope {verb} {name} ({old or new})")
        else:
            verb = "shrank" if old == "all" else "grew" if new == "all" else "changed"
            direction = _towards(better=new == "all", worse=old == "all")
            yield Change(direction, f"the scope of {name} {verb} from {old} to {new}")


# The entry does not say whether a run attains the bound, which alone makes it the worst case.
def _worst_case(alignment: Alignment, before: BaselineEntry, now: BaselineEntry) -> Iterator[Change]:
    old, new = before.worst_case, now.worst_case
    if old == new or before.base != now.base or before.delta != now.delta:
        return  # no cost of a claim with delta is bounded for all runs
    if old is None:
        yield Change(Direction.BETTER, f"a bound on the cost was proved, {new}")
    elif new is None:
        yield Change(Direction.WORSE, f"no bound on the cost was proved, and it was {old}")
    else:
        yield from _sizes("the proved bound on the cost", alignment, old, new)


def _sizes(what: str, alignment: Alignment, old: str, new: str) -> Iterator[Change]:
    """Say whether an expression grew or shrank, by proofs in both directions; nothing where both mean the same."""
    try:
        order = compare_claims(alignment.mechanism, alignment.adjacency, old, new)
    except LanguageError as problem:
        words = f"{what} changed from {old} to {new}, which cannot be compared: {problem.problem}"
        yield Change(Direction.CHANGED, words)
        return
    match order:
        case ClaimOrder.SMALLER:
            yield Change(Direction.WORSE, f"{what} grew from {old} to {new}")
        case ClaimOrder.LARGER:
            yield Change(Direction.BETTER, f"{what} shrank from {old} to {new}")
        case ClaimOrder.OPEN:
            words = "neither is proved to be at most the other"
            yield Change(Direction.CHANGED, f"{what} changed from {old} to {new}; {words}")


def _towards(*, better: bool, worse: bool) -> Direction:
    if worse:
        return Direction.WORSE
    return Direction.BETTER if better else Direction.CHANGED
