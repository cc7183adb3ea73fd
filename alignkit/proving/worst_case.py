"""The worst case: which expressions of public parameters bound the cost, and the claim, on every path.

Where a path ends, the cost of the whole run is a term, and what is known on the path are hypotheses; that the term
stays within the claim is an obligation there. With another expression in place of the claim the same obligations
say that this expression is a bound too. Where the candidates come from is of no matter to that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from alignkit.proving.deciding import Decider
from alignkit.proving.obligation import Obligation
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.terms import Role, Symbol, Term

if TYPE_CHECKING:
    from alignkit.proving.ledger import Ledger

# Stands for any expression of public parameters where hypotheses are gathered.
_ANY = Term.of(Symbol("worst case", Role.UNKNOWN))


@dataclass(frozen=True)
class Bound:
    """The end of one path: what is known there, the cost of the run (a bound on it), and the claim."""

    hypotheses: tuple[Any, ...] = field(repr=False)
    total: Term
    claim: Term


def bound(ledger: Ledger, total: Term, claim: Term) -> Bound:
    """What a path says of its cost at its end."""
    # Both terms are in the goal, so that universal facts are instantiated at the indices of both.
    goal = conjunction((total.compare("<=", _ANY), claim.compare("<=", _ANY)))
    return Bound(ledger.hypotheses(goal), total, claim)
