"""What a report says of a loop's invariants: what was kept, what was tried and given up, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from alignkit.proving.deciding import Decided
from alignkit.proving.loops import invariants as inv
from alignkit.proving.obligation import Obligation
from alignkit.running.alignment_decorator import PRIVACY_COST


@dataclass(frozen=True)
class HeadOfLoop:
    """The invariants of a loop that are obliged, all that were tried, and the variables at the loop's head.

    ``loop`` says which loop it is, in words.
    """

    loop: str
    invariants: Sequence[str]
    tried: Sequence[str]
    variables: Iterable[str]

    @property
    def lost(self) -> list[str]:
        """What was tried and given up."""
        return [text for text in self.tried if text not in self.invariants]

    @property
    def changed(self) -> list[str]:
        """The variables that the loop changes."""
        return sorted(name for name in self.variables if inv.equality(name) in self.tried)

    def notes(self, decided: Sequence[Decided], instead: str | None = None) -> list[str]:
        """What is kept, what was tried and given up, and what is missing where the proof is not done.

        ``instead`` is what to write where no invariant that can be stated would help.
        """
        failed = [d.obligation for d in decided if not d.holds]
        wrong = dict.fromkeys(o.invariant for o in failed if o.invariant is not None)
        alike = [inv.ALIKE] if any(d.obligation.invariant == inv.ALIKE for d in decided) else []
        kept = [text for text in (*self.invariants, *alike) if text not in wrong]
        notes = [f"invariants at the head of {self.loop}: {'; '.join(kept)}"] if kept else []
        if self.lost:
            notes.append(f"tried, but not kept by {self.loop}: {'; '.join(self.lost)}")
        if wrong:
            notes.append(f"assumed at the head of {self.loop}, but not shown: {'; '.join(wrong)}")
            return notes
        if instead is not None:
            return [*notes, instead] if failed else notes
        return [*notes, *self._missing(failed)]

    def _missing(self, failed: Sequence[Obligation]) -> list[str]:
        conditions = {o.condition for o in failed}
        missing = []
        if "cost" in conditions:
            missing.append(self._missing_of_cost())
        if "same_output" in conditions or "noise_used" in conditions:
            unequal = [name for name in self.changed if inv.equality(name) in self.lost]
            if unequal:
                related = f"how the values of {', '.join(unequal)} on D and on D' are related"
                missing.append(_to_state(related, f"{unequal[0]} - {unequal[0]}_ <= ..."))
        if "termination" in conditions or ("same_output" in conditions and not missing):
            missing.append(_to_state("a condition on the loop's variables that holds before every iteration", "..."))
        return [f"missing at the head of {self.loop}: {text}" for text in missing]

    def _missing_of_cost(self) -> str:
        bounds = [text for text in self.invariants if text.startswith(inv.COST)]
        example = f"{PRIVACY_COST} <= ..."
        if not bounds and not any(PRIVACY_COST in text for text in self.invariants):
            return _to_state("a bound on the cost in terms of the counters", example, "one")
        parts = [part for text in bounds for part in text.split(" + ")]
        counters = {n: part for n in self.changed for part in parts if part.endswith(f" gain of {n}")}
        if not counters:
            return _to_state("a bound on the cost that implies the claim when the loop ends", example, "one")
        name, part = list(counters.items())[-1]
        relation = ">=" if part.startswith("(-") else "<="  # the cost grows as the counter falls
        bound = f"a bound on {', '.join(counters)}, so that the bound on the cost implies the claim when the loop ends"
        return _to_state(bound, f"{name} {relation} ...")


def _to_state(missing: str, invariant: str, what: str = "it") -> str:
    """What is missing, and how the user states it (or "one" such bound)."""
    return f'{missing}; state {what} with @alignment(..., invariant="{invariant}")'
