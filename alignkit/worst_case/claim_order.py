"""Which of two claims on one mechanism is the smaller, as far as a solver proves it for all public parameters."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from alignkit.errors import OutOfTime, Undefined, Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Family
from alignkit.language.program import Expression
from alignkit.proving.cost_bounds import at_most
from alignkit.proving.deciding import Decider
from alignkit.proving.symbolic_inputs import unbounded
from alignkit.proving.vectors.summing import ClaimContext
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.claims import OMEGA, read_claim
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver

# The seconds that a comparison of two claims may take.
SECONDS = 5.0

_Decision = TypeVar("_Decision")


class ClaimOrder(enum.Enum):
    """How one claim compares with another for all public parameters and all lengths of the output."""

    SAME = "the same"
    SMALLER = "at most the other"
    LARGER = "at least the other"
    OPEN = "neither is proved to be at most the other"


def compare_claims(mechanism: Mechanism, adjacency: Adjacency, one: str, other: str) -> ClaimOrder:
    """Compare two claims, given as text, by proofs in both directions.

    Raises LanguageError where a text is no claim on this mechanism.
    """
    place = mechanism.program.place
    first, second = (read_claim(text, mechanism, place)[0] for text in (one, other))
    if one.strip() == other.strip():
        return ClaimOrder.SAME

    def order(terms: _Terms) -> ClaimOrder:
        smaller, larger = terms.at_most(first, second), terms.at_most(second, first)
        if smaller and larger:
            return ClaimOrder.SAME
        return ClaimOrder.SMALLER if smaller else ClaimOrder.LARGER if larger else ClaimOrder.OPEN

    return _decided(mechanism, adjacency, order, ClaimOrder.OPEN)


def claims_less(one: Alignment, other: Alignment) -> bool:
    """Whether one of two alignments of a mechanism is proved to claim no more than the other, and less somewhere.

    A pure claim is less than one with delta where its epsilon is no larger. Two claims with delta are not compared.
    """
    if one.delta is not None:
        return False

    def less(terms: _Terms) -> bool:
        claim, claimed = one.claim_expression, other.claim_expression
        return terms.at_most(claim, claimed) and (other.delta is not None or terms.somewhere_below(claim, claimed))

    return _decided(one.mechanism, one.adjacency, less, False)


@dataclass(frozen=True)
class _Terms:
    """The public parameters of a mechanism and the length of its output as terms, with a decider of questions."""

    values: Mapping[str, Any]
    domain: tuple[Any, ...]
    decider: Decider

    def at_most(self, one: Expression, other: Expression) -> bool:
        return at_most(self.decider, self.domain, self._term(one), self._term(other))

    def somewhere_below(self, one: Expression, other: Expression) -> bool:
        # That a state is possible is an invalid answer to its impossibility.
        state = (*self.domain, self._term(one).compare("<", self._term(other)))
        return self.decider.satisfiable(state).outcome is Outcome.POSSIBLE

    def _term(self, claim: Expression) -> Term:
        return Term.of(Evaluator(ClaimContext({})).number(claim, dict(self.values)))


def _decided(
    mechanism: Mechanism, adjacency: Adjacency, question: Callable[[_Terms], _Decision], otherwise: _Decision
) -> _Decision:
    """Answer a question on claims; ``otherwise`` where one of them is undefined somewhere or the time is over."""
    inputs = unbounded(mechanism, adjacency)
    length = Term.of(Symbol(f"len({OMEGA})", Role.PUBLIC, integer=True))
    values = {**inputs.values, OMEGA: Family(length, lambda index: None)}
    domain = (*inputs.domain, length.compare(">=", 0))
    try:
        return question(_Terms(values, domain, Decider(Z3Solver.of_one_check(), SECONDS)))
    except (Undefined, Unsupported, OutOfTime):
        return otherwise
