"""What a report says of a loop's invariants: what was kept, what was tried and given up, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from alignkit.proving import invariants as inv
from alignkit.proving.deciding import Decided
from alignkit.proving.obligation import Obligation
from alignkit.proving.unbounded import Theory
from alignkit.running.alignment_decorator import PRIVACY_COST


def loop_notes(theory: Theory, decided: Sequence[Decided]) -> list[str]:
    """What is kept at the loop's head, what was tried and given up, and what is missing where the proof is not done."""
    if theory.loop is None:
        return []
    failed = [d.obligation for d in decided if not d.holds]
    wrong = dict.fromkeys(o.invariant for o in failed if o.invariant is not None)
    known = [*theory.invariants, *([inv.ALIKE] if any(d.obligation.invariant == inv.ALIKE for d in decided) else [])]
    kept = [text for text in known if text not in wrong]
    notes = [f"at the head of the loop: {'; '.join(kept)}"] if kept else []
    lost = [text for text in theory.tried if text not in theory.invariants]
    if lost:
        notes.append(f"tried and not kept by the loop: {'; '.join(lost)}")
    if wrong:
        notes.append(f"assumed at the head of the loop, and not shown: {'; '.join(wrong)}")
        return notes
    return [*notes, *_missing(theory, failed, lost)]


def _missing(theory: Theory, failed: Sequence[Obligation], lost: Sequence[str]) -> list[str]:
    conditions = {o.condition for o in failed}
    bounds = [text for text in theory.invariants if text.startswith(inv.COST)]
    missing = []
    if "cost" in conditions:
        missing.append(_of_cost(theory, bounds))
    if "same_output" in conditions or "noise_used" in conditions:
        unequal = [name for name in _variables(theory) if inv.equality(name) in lost]
        if unequal:
            name = unequal[0]
            missing.append(
                f"how {', '.join(unequal)} on D and on D' are related; state it with "
                f'@alignment(..., invariant="{name} - {name}_ <= ...")'
            )
    if "termination" in conditions or ("same_output" in conditions and not missing):
        missing.append('what holds of the loop\'s variables each time round; state it with @alignment(..., '
                       'invariant="...")')  # fmt: skip
    return [f"missing at the head of the loop: {text}" for text in missing]


def _of_cost(theory: Theory, bounds: Sequence[str]) -> str:
    if not bounds and not any(PRIVACY_COST in text for text in theory.invariants):
        return (
            'a bound on the cost by what counters gain; state one with @alignment(..., invariant="privacy_cost <= ...")'
        )
    parts = [part for text in bounds for part in text.split(" + ")]
    counters = {n: part for n in _variables(theory) for part in parts if part.endswith(f" gain of {n}")}
    if not counters:
        return (
            "a bound on the cost that gives the claim where the loop is left; state one with "
            '@alignment(..., invariant="privacy_cost <= ...")'
        )
    name, part = list(counters.items())[-1]
    relation = ">=" if part.startswith("(-") else "<="  # the cost grows as the counter falls
    return (
        f"how far {', '.join(counters)} can go, so that the bound on the cost gives the claim where the loop is left; "
        f'state it with @alignment(..., invariant="{name} {relation} ...")'
    )


def _variables(theory: Theory) -> list[str]:
    """What the loop changes."""
    heads: list[Any] = [trace.round.head for trace in theory.traces if trace.round is not None]
    known = heads[0].names if heads else {}
    candidates = {inv.equality(name): name for name in known}
    return [candidates[text] for text in theory.tried if text in candidates]
