"""Which of the known facts a step rests on: the smallest set that is left when one after the other is left out."""

from __future__ import annotations

from typing import Any

from alignkit.proving.obligation import Obligation
from alignkit.symbolic.atoms import Conditional
from alignkit.symbolic.formulas import Formula, Or, disjunction
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import roles
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver

# Of more facts than these none is left out, which would take long.
_MOST = 60

# The seconds for one question; where it is not answered, the fact is kept.
_SECONDS = 0.5


def facts_used(obligation: Obligation, solver: Z3Solver) -> tuple[Any, ...] | None:
    """Facts from which the goal follows, and from no part of them; None where this was not worked out."""
    for facts in obligation.hypotheses.steps():
        if len(facts) <= _MOST and _follows(facts, obligation, solver):
            return _fewest(facts, obligation, solver)
    return None


def brief_solver() -> Z3Solver:
    """A solver for questions on which no verdict rests."""
    return Z3Solver(seconds=_SECONDS)


def _fewest(facts: tuple[Any, ...], obligation: Obligation, solver: Z3Solver) -> tuple[Any, ...]:
    # Long facts are left out first, so that of two sets the simple one is kept.
    for fact in sorted(facts, key=lambda fact: -len(str(fact))):
        fewer = tuple(other for other in facts if other is not fact)
        if _follows(fewer, obligation, solver):
            facts = fewer
    return facts


def _follows(facts: tuple[Any, ...], obligation: Obligation, solver: Z3Solver) -> bool:
    if obligation.goal is True:
        return True
    return solver.decide(facts, obligation.goal).outcome is Outcome.FOLLOWS


def telling_facts(facts: tuple[Any, ...], goal: Any, solver: Z3Solver) -> tuple[Any, ...]:
    """What is left of facts where the goal does not hold: without the ways that positions alone exclude.

    The others are left out: they say which positions there are.
    """
    plain = tuple(fact for fact in facts if not _is_telling(fact))
    known = plain if isinstance(goal, bool) or _is_telling(goal) else (*plain, ~goal)
    return tuple(_left(fact, known, solver) for fact in facts if _is_telling(fact))


def _is_telling(formula: Any) -> bool:
    return bool(roles(formula) & {Role.NOISE, Role.PRIVATE})


def _left(fact: Any, known: tuple[Any, ...], solver: Z3Solver) -> Any:
    """A fact without the ways that are excluded, and with its case distinctions resolved where they can be."""

    def excluded(way: Any) -> bool:
        return solver.decide(known, ~way).outcome is Outcome.FOLLOWS

    if isinstance(fact, Or):
        ways = [way for way in fact.parts if _is_telling(way) or not excluded(way)]
        fact = disjunction(tuple(ways)) if ways else fact
    resolved: dict[Any, Any] = {}
    for atom in fact.within if isinstance(fact, Formula) else ():
        if isinstance(atom, Conditional) and not _is_telling(atom.condition):
            if excluded(atom.condition):
                resolved[atom] = atom.other
            elif excluded(~atom.condition):
                resolved[atom] = atom.then
    return substitute(fact, resolved) if resolved else fact
