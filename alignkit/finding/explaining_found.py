"""What is said of an alignment that was found: its proof, and why no cheaper one of its shape was found."""

from __future__ import annotations

from collections.abc import Iterator

from alignkit.errors import InputError
from alignkit.explaining.document import Block, BulletList, Document, Heading, Paragraph
from alignkit.explaining.explanation import explain
from alignkit.finding.bounds.shape_bounds import BoundAtCounts, ForcingRun, LowerBound
from alignkit.finding.findings import Findings
from alignkit.formatting import value_shown


def explain_found(findings: Findings, *, timeout: float = 60.0, seed: int = 0) -> Document:
    """The proof of the alignment that was found, checked anew, and what forces alignments of its shape to cost as much.

    Raises InputError where none was proved.

    >>> from alignkit import find
    >>> from alignkit.explaining import WRITERS
    >>> from alignkit.mechanisms.noisy_max import noisy_max
    >>> text = WRITERS["markdown"](explain_found(find(noisy_max)))
    >>> "Why no cheaper one of its shape was found" in text
    True
    """
    proposal = findings.proved
    if proposal is None or proposal.alignment is None:
        raise InputError(f"no alignment of {findings.mechanism} was found and proved, so there is none to explain")
    explanation = explain(proposal.alignment, timeout=timeout, seed=seed)
    return Document((*explanation.document.blocks, *_why_no_cheaper(findings.lower_bound, proposal.shape)))


def _why_no_cheaper(bound: LowerBound | None, shape: str) -> Iterator[Block]:
    yield Heading("Why no cheaper one of its shape was found")
    if bound is None:
        words = f"No lower bound was shown for alignments of the shape {shape}: a cheaper one may exist."
        yield Paragraph(f"{words} The search takes the cheapest shifts that carry the sampled runs of D over to D′.")
        return
    yield Paragraph(f"{_capital(str(bound))}.")
    yield Paragraph(
        "In each run below, the noise lies on the border of the comparisons that it makes, and D gives one output for "
        "all noise near it on one side. D′ must give the same output there, so the shifts must carry each of these "
        "comparisons over."
    )
    for case in bound.cases:
        yield from _forced(case)
    if not bound.met:
        yield Paragraph("The alignment above costs more than this bound, so a cheaper one of its shape may exist.")


def _forced(case: BoundAtCounts) -> Iterator[Block]:
    at = ", ".join(f"{name} = {value_shown(value)}" for name, value in {**case.counts, **case.at}.items())
    runs = "this run forces" if len(case.runs) == 1 else f"these {len(case.runs)} runs together force"
    where = f"With `{at}`, " if at else ""
    yield Paragraph(_capital(f"{where}{runs} a cost of at least `{case.text}`:"))
    yield BulletList(tuple(_run(run) for run in case.runs))


def _run(run: ForcingRun) -> str:
    witness = run.witness
    answers = [f"{name} = {value_shown(value)}" for name, value in witness.q.items()]
    primed = [f"{name}′ = {value_shown(value)}" for name, value in witness.q_.items()]
    noise = [f"{name} = {value_shown(value)}" for name, value in witness.H.items()]
    public = ", ".join(f"{name} = {value_shown(value)}" for name, value in witness.public.items())
    at = f"at `{public}`, " if public else ""
    return f"{_capital(at)}`{', '.join(answers)}` and `{', '.join(primed)}`, with noise at `{', '.join(noise)}`."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
