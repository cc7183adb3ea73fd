"""A result as HTML, for notebooks: the verdict first, then tables. The text says everything, and colour nothing."""

from __future__ import annotations

from collections.abc import Sequence

from alignkit.formatting import number_model_shown
from alignkit.markup import bullet_list, division, heading, paragraph, snippet_html, table_html
from alignkit.reporting.sentences import (
    NOT_A_LEAK,
    adjacency_shown,
    claim_shown,
    confirmed_by,
    expectation_shown,
    leak_shown,
    next_step,
    notes_shown,
    opinion_shown,
    privacy_shown,
    scope_shown,
    worst_case_shown,
)
from alignkit.results import TITLES, Counterexample, Result, Verdict, Witness
from alignkit.running.aligned_replay import Row, cost_against_claim, rows
from alignkit.verdicts import LIMITS


def result_html(result: Result) -> str:
    """Write the verdict, the conditions or the two runs of the counterexample, and what the result covers.

    >>> from alignkit import check
    >>> from alignkit.proofs.sparse_vector import gap_phi
    >>> result_html(check(gap_phi)).partition(" / ")[0]
    '<div><p><strong>PROVED</strong> sparse_vector_with_gap'
    """
    name = f"{result.mechanism} / {result.alignment}; claim: "
    title = heading(result.verdict.upper(), name + claim_shown(result.claim, result.ex_post, result.base, result.delta))
    if result.stale:
        title = heading("STALE", f"{result.stale}; check it again") + title
    parts = [title]
    if not result.as_expected:
        parts.append(paragraph(expectation_shown(result)))
    if result.counterexample is not None:
        parts.append(_counterexample(result, result.counterexample))
    else:
        shown = [(TITLES.get(n, n), str(c.status), c.how) for n, c in result.conditions.items()]
        parts.append(table_html(("condition", "status", "how"), shown))
    parts.append(bullet_list(_facts(result)))
    if result.counterexample is not None:
        parts.append(snippet_html(result.counterexample.snippet))
    return division(parts)


def _counterexample(result: Result, refutation: Counterexample) -> str:
    """Show both runs side by side, and the condition that fails."""
    witness = refutation.witness
    title = TITLES.get(refutation.condition, refutation.condition)
    parts = [paragraph(f"{title}, line {refutation.line}: {refutation.words}")]
    parts.append(_side_by_side(rows(witness, refutation.omega, refutation.omega_)))
    if refutation.H_other is not None:
        other = Witness({}, {}, {}, refutation.H_other, witness.H_)
        parts.append(paragraph("the other noise vector, with the same output"))
        parts.append(_side_by_side(rows(other, refutation.omega, refutation.omega_)))
    confirmed = f"confirmed by {confirmed_by(refutation.condition)}"
    if refutation.condition != LIMITS:
        cost = cost_against_claim(refutation.cost, refutation.claim, result.claim, at_least=refutation.at_least)
        confirmed = f"{cost}; {confirmed}"
    parts.append(paragraph(confirmed))
    return "".join(parts)


def _side_by_side(runs: Sequence[Row]) -> str:
    return table_html(("", "D, H", "D', H'", ""), [(row.label, row.one, row.other, row.note) for row in runs])


def _facts(result: Result) -> list[str]:
    """List what stands below the table: the scope, the assumptions, and the state of the mechanism."""
    facts = []
    if result.verdict is not Verdict.REFUTED:
        facts.append(f"scope: {scope_shown(result.scope)}")
    facts.append(adjacency_shown(result.adjacency, result.sensitivities.values()))
    if result.verdict is Verdict.PROVED:
        facts += worst_case_shown(result)
    facts += filter(None, [opinion_shown(result)])
    facts.append(f"numbers: {number_model_shown(result.number_model)}")
    facts += [f"assumption: {assumption}" for assumption in result.assumptions]
    facts += notes_shown(result)
    if result.verdict is Verdict.REFUTED and result.privacy.status != "not private":
        facts.append(NOT_A_LEAK)
    leak = "; ".join(leak_shown(result.privacy))
    facts.append(privacy_shown(result) + (f"; {leak}" if leak else ""))
    facts += filter(None, [next_step(result)])
    return facts
