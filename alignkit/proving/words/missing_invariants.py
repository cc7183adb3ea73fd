"""What a report says of a loop's invariants: what was kept, what was tried and given up, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from alignkit.proving.deciding import Decided
from alignkit.proving.loops import invariants as inv
from alignkit.proving.obligation import Obligation
from alignkit.running.alignment_program import PRIVACY_COST, ROUNDS_OVER
from alignkit.symbolic.terms import roles
from alignkit.symbolic.trees import Role


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
        conditions = {o.condition for o in failed if _may_follow(o)}
        unequal = [name for name in self.changed if inv.equality(name) in self.lost]
        missing: list[str] = []
        if "cost" in conditions:
            missing += self._missing_of_cost()
        if "same_output" in conditions or "noise_used" in conditions:
            unequal = [n for n in unequal if not any(text.startswith(f"{n}_ - {n} == ") for text in self.invariants)]
            if unequal:
                known = _closer(self._about(f"{name}_" for name in unequal))
                related = f"a relation{known} between the values of {', '.join(unequal)} on D and on D'"
                missing.append(_to_state(related, f"{unequal[0]}_ - {unequal[0]} == ..."))
        if self.changed and ("termination" in conditions or ("same_output" in conditions and not missing)):
            further = f"a {'further ' if self.invariants else ''}condition on {', '.join(self.changed)}"
            missing.append(_to_state(f"{further} that holds before every iteration", "..."))
        return [f"missing at the head of {self.loop}: {text}" for text in missing]

    def _missing_of_cost(self) -> Iterator[str]:
        bounds = [text for text in self.invariants if text.startswith(inv.COST)]
        stated = [text for text in self.invariants if PRIVACY_COST in text]
        example = f"{PRIVACY_COST} <= ..."
        if not bounds and not stated:
            equal = [name for name in self.changed if inv.equality(name) not in self.lost]
            numbers = " and ".join([*equal, f"{ROUNDS_OVER}, the number of iterations that are over"])
            yield _to_state(f"a bound on the cost in terms of {numbers}", example, "one")
            return
        parts = [part for text in bounds for part in text.split(" + ")]
        counters = {n: part for n in self.changed for part in parts if part.endswith(f" gain of {n}")}
        if counters:
            # The cost grows as a counter falls where its rate is below 0.
            sides = {n: (">=", "<=") if part.startswith("(-") else ("<=", ">=") for n, part in counters.items()}
            wrong = tuple(f"{n} {opposite}" for n, (_, opposite) in sides.items())
            known = [t for t in self._about(counters) if t not in (*bounds, *stated) and not t.startswith(wrong)]
            bound = f"a bound on {', '.join(counters)}{_closer(known)}"
            last = list(counters)[-1]
            implied = f"{bound}, so that the bound on the cost implies the claim when the loop ends"
            yield f"{_to_state(implied, f'{last} {sides[last][0]} ...')}{', or claim more' if known else ''}"
        elif inv.COST not in bounds:  # else no iteration costs anything
            bound = f"a bound on the cost{_closer([*stated, *bounds])} and implies the claim when the loop ends"
            yield f"{_to_state(bound, example, 'one')}, or claim more"

    def _about(self, names: Iterable[str]) -> list[str]:
        """The invariants that say of variables more than that they are equal on both sides."""
        words = [re.compile(rf"\b{re.escape(name)}\b") for name in names]
        equal = [inv.equality(name) for name in self.changed]
        return [text for text in self.invariants if text not in equal and any(word.search(text) for word in words)]


def _may_follow(owed: Obligation) -> bool:
    """Whether more invariants might show a goal: what an iteration puts out, and public values, are as they are."""
    if owed.about_record or owed.goal is True:
        return False
    return owed.goal is False or owed.condition == "cost" or not roles(owed.goal) <= {Role.PUBLIC, Role.INDEX}


def _closer(known: Sequence[str]) -> str:
    """That what is missing must say more than what is known, where something is."""
    return f" that is closer than {' and '.join(f'`{text}`' for text in known)}" if known else ""


def _to_state(missing: str, invariant: str, what: str = "it") -> str:
    """What is missing, and how the user states it (or "one" such bound)."""
    return f'{missing}; state {what} with @alignment(..., invariant="{invariant}")'
