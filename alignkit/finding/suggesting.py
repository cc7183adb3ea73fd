"""What to suggest in place of an alignment: one of the same mechanism that is proved, or proved for less."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alignkit.errors import OutOfTime, Undefined, Unsupported
from alignkit.finding.search import find
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Family
from alignkit.proving.cost_bounds import at_most
from alignkit.proving.deciding import Decider
from alignkit.proving.symbolic_context import DefinedContext
from alignkit.proving.symbolic_inputs import unbounded
from alignkit.results import Result, Suggestion, Verdict
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.claims import OMEGA
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver

# The seconds that a comparison of two claims may take.
_SECONDS = 5.0


def suggestion(
    alignment: Alignment,
    result: Result,
    *,
    budget: float,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Suggestion | str:
    """An alignment of the same mechanism and adjacency that `find` proves, or why there is none to suggest.

    ``result`` is that of the alignment. Where it is proved, only one with a claim that is proved to be smaller is
    suggested. ``budget`` is in seconds.
    """
    findings = find(
        alignment.mechanism,
        adjacency=str(alignment.adjacency),
        budget=budget,
        seed=seed,
        effort=0,
        bound=False,
        progress=progress,
    )
    proposal = findings.proved
    if proposal is None or proposal.alignment is None:
        return findings.reason
    cheaper = result.verdict is Verdict.PROVED
    if cheaper and not claims_less(proposal.alignment, alignment):
        return f"the claim {proposal.claim} was found, which is not shown to be smaller"
    return Suggestion(proposal.claim, proposal.result.cost, proposal.file_text, cheaper)


def claims_less(one: Alignment, other: Alignment) -> bool:
    """Whether one of two alignments of a mechanism is proved to claim no more than the other, and less somewhere."""
    inputs = unbounded(one.mechanism, one.adjacency)
    length = Term.of(Symbol(f"len({OMEGA})", Role.PUBLIC, integer=True))
    values = {**inputs.values, OMEGA: Family(length, lambda index: None)}
    decider = Decider(Z3Solver.of_one_check(), _SECONDS)
    try:
        claim, claimed = (_claim(alignment, values) for alignment in (one, other))
        domain = (*inputs.domain, length.compare(">=", 0))
        if not at_most(decider, domain, claim, claimed):
            return False
        # That a state is possible is an invalid answer to its impossibility.
        return decider.possible((*domain, claim.compare("<", claimed))).outcome is Outcome.INVALID
    except (Undefined, Unsupported, OutOfTime):
        return False


def _claim(alignment: Alignment, values: dict[str, Any]) -> Term:
    return Term.of(Evaluator(DefinedContext({})).number(alignment.claim_expression, values))
