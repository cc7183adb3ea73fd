"""The worst case: whether expressions of public parameters bound the cost, and the claim, on every path.

Where a path ends, the cost of the whole run is a term, and what is known on the path are hypotheses; that the term
stays within the claim is an obligation there. With another expression in place of the claim the same obligations
say that this expression is a bound too. Where candidates come from does not matter to that.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from alignkit.proving.conditions.cost import Bound
from alignkit.proving.deciding import Decider
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.obligation import Obligation
from alignkit.symbolic.atoms import Conditional
from alignkit.symbolic.formulas import conjunction, implies
from alignkit.symbolic.terms import Term


def bounds_cost(decider: Decider, bounds: Sequence[Bound], most: Term, *, strictly: bool = False) -> bool:
    """Whether the cost is proved to be at most (below, where strictly) ``most`` at the end of every path."""
    relation = "<" if strictly else "<="
    return _everywhere(decider, [(b, _within(b.total, relation, most)) for b in bounds])


def bounds_claim(decider: Decider, bounds: Sequence[Bound], most: Term) -> bool:
    """Whether a claim that depends on the output is proved to be at most ``most`` at the end of every path."""
    return _everywhere(decider, [(b, _within(b.claim, "<=", most)) for b in bounds])


def share_of_claim(decider: Decider, bounds: Sequence[Bound], share: Fraction) -> bool:
    """Whether the cost is proved to be at most this share of the claim, at the end of every path."""
    return _everywhere(decider, [(b, b.total.compare("<=", b.claim * share)) for b in bounds])


def at_most(decider: Decider, domain: tuple[Any, ...], one: Term, other: Term) -> bool:
    """Whether one expression of public parameters is proved to be at most another."""
    goal = _within(-other, "<=", -one)
    return decider.decide(Obligation("cost", Hypotheses.of(domain), goal, "a smaller bound")).holds


def _within(value: Term, relation: str, most: Term) -> Any:
    """``value relation most``; where ``most`` is one of two terms by a condition, the same in both cases.

    The conditions are then formulas of their own, and what they say of whole numbers is not lost.
    """
    for monomial, coefficient in most.parts.items():
        for atom, power in monomial:
            if isinstance(atom, Conditional) and len(most.parts) == len(monomial) == power == 1:
                one, other = (value.compare(relation, case * coefficient) for case in (atom.then, atom.other))
                return conjunction((implies(atom.condition, one), implies(~atom.condition, other)))
    return value.compare(relation, most)


def _everywhere(decider: Decider, goals: Sequence[tuple[Bound, Any]]) -> bool:
    # No path at all proves nothing.
    words = "a bound on every path"
    return bool(goals) and all(decider.decide(Obligation("cost", b.hypotheses, g, words)).holds for b, g in goals)
