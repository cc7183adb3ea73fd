"""What one iteration of D adds to the variables of a loop, on one path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.proving.runs.loop_states import ITERATION
from alignkit.symbolic.atoms import Remainder
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role

# What the items of a running total may depend on.
OF_ANSWERS = frozenset({Role.PUBLIC, Role.PRIVATE, Role.INDEX})


@dataclass(frozen=True)
class Gains:
    """What an iteration of D makes of each variable on one path, what it adds, and what private conditions lead there.

    ``divisors`` are the public numbers by which the path divides the number of the iteration.
    """

    became: Mapping[str, Term] = field(default_factory=dict)
    gained: Mapping[str, Term] = field(default_factory=dict)
    when: Any = True
    divisors: frozenset[Term] = frozenset()

    @staticmethod
    def of(before: Mapping[str, Term], after: Mapping[str, Any], assumed: Iterable[Any]) -> Gains:
        """The gains of variables, on a path with these assumptions."""
        conditions = list(assumed)
        private = (f for f in conditions if Role.PRIVATE in roles(f) and roles(f) <= OF_ANSWERS)
        gained = {name: Term.of(after[name]) - value for name, value in before.items()}
        divided = {atom.key: atom for f in conditions for atom in atoms_within(f) if isinstance(atom, Remainder)}
        divisors = frozenset(
            atom.divisor
            for atom in divided.values()
            if ITERATION in atoms_within(atom.of) and roles(atom.divisor) <= {Role.PUBLIC}
        )
        became = {name: Term.of(after[name]) for name in before}
        return Gains(became, gained, conjunction(tuple(private)), divisors)

    def gain(self, name: str) -> Term | None:
        """What the iteration adds to a variable."""
        return self.gained.get(name)

    def after(self, name: str) -> Term | None:
        """What a variable is after the iteration."""
        return self.became.get(name)

    def taken(self, name: str) -> str | None:
        """The variable whose value, at the head, another variable takes."""
        before = {became - self.gained[other]: other for other, became in self.became.items()}
        return before.get(self.became[name]) if name in self.became else None
