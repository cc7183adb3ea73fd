"""Results as HTML, for notebooks: the verdict first, then tables. All is said in the text, nothing by colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR
from html import escape

from alignkit.attacking.brackets import loss_text
from alignkit.laws import Law, SameLaw
from alignkit.reporting.attacks import NO_PROOF as NO_PROOF_OF_PRIVACY
from alignkit.reporting.attacks import digits, method_shown, verdict_shown
from alignkit.reporting.words import (
    ADJACENCIES,
    NO_PROOF,
    NOT_A_LEAK,
    claim_shown,
    expectation_shown,
    leak_shown,
    number_model_shown,
    numbers_shown,
    privacy_shown,
    scope_shown,
    value_shown,
    worst_case_shown,
)
from alignkit.results import CONDITIONS, CertifiedLoss, Counterexample, Method, Result, Verdict, Witness
from alignkit.running.aligned_replay import comparison, rows

# A notebook aligns cells to the right and centres a table's head.
_LEFT = ' style="text-align: left"'

# More rows than this of a law are not shown; `print` shows all of them.
_MOST_OUTPUTS = 50


def result_html(result: Result) -> str:
    """A result of ``check``: the verdict, each condition or the two runs of the counterexample, and what it covers.

    >>> from alignkit import check
    >>> from alignkit.proofs.sparse_vector import gap_phi
    >>> result_html(check(gap_phi)).partition(" / ")[0]
    '<div><p><strong>PROVED</strong> sparse_vector_with_gap'
    """
    name = f"{result.mechanism} / {result.alignment}; claim: "
    heading = _heading(result.verdict.upper(), name + claim_shown(result.claim, result.ex_post, result.base))
    if result.stale:
        heading = _heading("STALE", f"{result.stale}; check it again") + heading
    parts = [heading]
    if not result.as_expected:
        parts.append(_paragraph(expectation_shown(result)))
    if result.counterexample is not None:
        parts.append(_counterexample(result, result.counterexample))
    else:
        shown = [(CONDITIONS.get(n, n), str(each.status), each.how) for n, each in result.conditions.items()]
        parts.append(_table(("condition", "status", "how"), shown))
    parts.append(_list(_facts(result)))
    if result.counterexample is not None:
        parts.append(_snippet(result.counterexample.snippet))
    return _all(parts)


def bound_html(bound: CertifiedLoss) -> str:
    """A result of ``attack``: whether it violates the claim, the loss, both databases and the event.

    >>> from alignkit.attacking.lower_bounds import nothing_found
    >>> bound_html(nothing_found("too large")).partition("<table>")[0]
    '<div><p><strong>NO VIOLATION</strong> loss at least 0.0000</p>'
    """
    claim = "" if bound.claim is None else f"; claim: {bound.claim:.6g}"
    parts = [_heading(verdict_shown(bound), f"loss at least {loss_text(bound.loss)}{claim}")]
    witness = bound.witness
    inputs = witness.q if isinstance(witness.q, Mapping) else {"data": witness.q}
    inputs_ = witness.q_ if isinstance(witness.q_, Mapping) else {"data": witness.q_}
    databases = [(name, value_shown(inputs[name]), value_shown(inputs_[name])) for name in inputs]
    public = [(name, value_shown(value), value_shown(value)) for name, value in witness.public.items()]
    low, high = digits(bound.low, ROUND_FLOOR), digits(bound.high, ROUND_CEILING)
    event = [("P(output in E)", f"at least {low}", f"at most {high}")]
    parts.append(_table(("", "D", "D'"), [*databases, *public, *event]))
    facts = [f"event E: the output is {bound.event}", f"certified by {method_shown(bound)}"]
    facts += [f"note: {note}" for note in bound.notes]
    if bound.method is not Method.SAMPLED:
        facts.append(f"numbers: {number_model_shown(bound.number_model)}")
    if not bound.violates:
        facts.append(NO_PROOF_OF_PRIVACY)
    parts.append(_list(facts))
    if bound.snippet:
        parts.append(_snippet(bound.snippet))
    return _all(parts)


def law_html(law: Law) -> str:
    """A result of ``law``: the probability of each output, up to 50 of them.

    >>> from alignkit import law
    >>> from alignkit.mechanisms.discrete_sampling import drawn_threshold
    >>> "<code>B/(B + 1)</code>" in law_html(law(drawn_threshold, q=0, tau=1, gamma=1))
    True
    """
    shown = [(repr(output), law.bases.show(law[output])) for output in list(law)[:_MOST_OUTPUTS]]
    parts = [_heading("LAW", f"{len(law)} output{'' if len(law) == 1 else 's'}")]
    parts.append(_table(("output", "probability"), shown, code=True))
    if len(law) > len(shown):
        parts.append(_paragraph(f"and {len(law) - len(shown)} outputs more, which print shows"))
    if law.bases.words():
        parts.append(_paragraph(f"with {law.bases.words()}"))
    return _all(parts)


def same_law_html(found: SameLaw) -> str:
    """A result of ``same_law``: whether the laws are the same, and what was compared or where they differ.

    >>> from alignkit import same_law
    >>> from alignkit.mechanisms.discrete_sampling import drawn_threshold, lazy_threshold
    >>> same_law_html(same_law(drawn_threshold, lazy_threshold, q=[0], tau=[1], gamma=[1])).partition("<ul>")[0]
    '<div><p><strong>SAME LAW</strong> drawn_threshold and lazy_threshold</p>'
    """
    parts = [_heading("SAME LAW" if found.same else "DIFFERENT LAWS", f"{found.one} and {found.other}")]
    difference = found.difference
    facts = [f"scope: {found.scope}"]
    if difference is None:
        facts.insert(0, f"{found.cases} inputs and {found.outputs} outputs were compared")
    else:
        at = ", ".join(f"{name} = {value}" for name, value in difference.at.items())
        probabilities = [(f"probability of {difference.output!r}", difference.one, difference.other)]
        if at:
            probabilities.append((f"where {at}", str(difference.one_at), str(difference.other_at)))
        inputs = [(name, value_shown(value), value_shown(value)) for name, value in difference.values.items()]
        parts.append(_table(("", found.one, found.other), [*inputs, *probabilities]))
        if difference.bases:
            facts.insert(0, f"with {difference.bases}")
    parts.append(_list(facts))
    return _all(parts)


def _counterexample(result: Result, found: Counterexample) -> str:
    """Both runs side by side, and what fails."""
    witness = found.witness
    runs = rows(witness, found.omega, found.omega_)
    parts = [_paragraph(f"{CONDITIONS.get(found.condition, found.condition)}, line {found.line}: {found.words}")]
    parts.append(_table(("", "D, H", "D', H'", ""), [(row.label, row.one, row.other, row.note) for row in runs]))
    if found.H_other is not None:
        again = rows(Witness({}, {}, {}, found.H_other, witness.H_), found.omega, found.omega_)
        parts.append(_paragraph("the other noise vector, with the same output"))
        parts.append(_table(("", "D, H", "D', H'", ""), [(row.label, row.one, row.other, row.note) for row in again]))
    cost = comparison(found.cost, found.claim, result.claim, at_least=found.at_least)
    parts.append(_paragraph(f"{cost}; confirmed by exact replay"))
    return "".join(parts)


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


def _all(parts: Iterable[str]) -> str:
    return f"<div>{''.join(parts)}</div>"


def _heading(verdict: str, text: str) -> str:
    return f"<p><strong>{escape(verdict)}</strong> {escape(text)}</p>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _list(texts: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"


def _snippet(text: str) -> str:
    return f"<p>reproduce in Python:</p><pre>{escape(text)}</pre>"


def _table(head: Sequence[str], body: Iterable[Sequence[str]], *, code: bool = False) -> str:
    before, after = ("<code>", "</code>") if code else ("", "")
    titles = "".join(f"<th{_LEFT}>{escape(title)}</th>" for title in head)
    lines = [
        f"<tr>{''.join(f'<td{_LEFT}>{before}{escape(cell)}{after}</td>' for cell in cells)}</tr>" for cells in body
    ]
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
