"""A result as HTML, for notebooks: the verdict first, then tables. The text says everything, and colour nothing."""

from __future__ import annotations

from collections.abc import Sequence

from alignkit.markup import bullet_list, division, heading, paragraph, snippet_html, table_html
from alignkit.reporting.sentences import (
    ADJACENCIES,
    NO_PROOF,
    NOT_A_LEAK,
    claim_shown,
    expectation_shown,
    leak_shown,
    numbers_shown,
    privacy_shown,
    scope_shown,
    worst_case_shown,
)
from alignkit.results import CONDITIONS, Counterexample, Result, Verdict, Witness
from alignkit.running.tables import Row, comparison, rows


def result_html(result: Result) -> str:
    """A result of ``check``: the verdict, each condition or the two runs of the counterexample, and what it covers.

    >>> from alignkit import check
    >>> from alignkit.proofs.sparse_vector import gap_phi
    >>> result_html(check(gap_phi)).partition(" / ")[0]
    '<div><p><strong>PROVED</strong> sparse_vector_with_gap'
    """
    name = f"{result.mechanism} / {result.alignment}; claim: "
    title = heading(result.verdict.upper(), name + claim_shown(result.claim, result.ex_post, result.base))
    if result.stale:
        title = heading("STALE", f"{result.stale}; check it again") + title
    parts = [title]
    if not result.as_expected:
        parts.append(paragraph(expectation_shown(result)))
    if result.counterexample is not None:
        parts.append(_counterexample(result, result.counterexample))
    else:
        shown = [(CONDITIONS.get(n, n), str(each.status), each.how) for n, each in result.conditions.items()]
        parts.append(table_html(("condition", "status", "how"), shown))
    parts.append(bullet_list(_facts(result)))
    if result.counterexample is not None:
        parts.append(snippet_html(result.counterexample.snippet))
    return division(parts)


def _counterexample(result: Result, found: Counterexample) -> str:
    """Both runs side by side, and what fails."""
    witness = found.witness
    parts = [paragraph(f"{CONDITIONS.get(found.condition, found.condition)}, line {found.line}: {found.words}")]
    parts.append(_side_by_side(rows(witness, found.omega, found.omega_)))
    if found.H_other is not None:
        other = Witness({}, {}, {}, found.H_other, witness.H_)
        parts.append(paragraph("the other noise vector, with the same output"))
        parts.append(_side_by_side(rows(other, found.omega, found.omega_)))
    cost = comparison(found.cost, found.claim, result.claim, at_least=found.at_least)
    parts.append(paragraph(f"{cost}; confirmed by exact replay"))
    return "".join(parts)


def _side_by_side(runs: Sequence[Row]) -> str:
    return table_html(("", "D, H", "D', H'", ""), [(row.label, row.one, row.other, row.note) for row in runs])


def _facts(result: Result) -> list[str]:
    """What stands below the table: what the verdict covers, what it assumes, and what is known of the mechanism."""
    facts = []
    if result.verdict is not Verdict.REFUTED:
        facts.append(f"scope: {scope_shown(result.scope)}")
    facts.append(f"adjacency {result.adjacency}: {ADJACENCIES.get(result.adjacency, '')}")
    if result.verdict is Verdict.PROVED:
        facts += worst_case_shown(result)
    facts.append(f"numbers: {numbers_shown(result)}")
    facts += [f"assumption: {assumption}" for assumption in result.assumptions]
    facts += [f"note: {note}" for note in result.notes]
    if result.verdict is Verdict.UNDECIDED and not any("counterexample" in note for note in result.notes):
        facts.append(NO_PROOF)
    if result.verdict is Verdict.REFUTED and result.privacy.status != "not private":
        facts.append(NOT_A_LEAK)
    leak = "; ".join(leak_shown(result.privacy))
    facts.append(privacy_shown(result) + (f"; {leak}" if leak else ""))
    return facts
