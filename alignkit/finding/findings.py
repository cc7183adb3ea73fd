"""What a search for alignments comes to.

What is said of an alignment that was found: its proof, and why no cheaper one of its shape was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from alignkit.errors import InputError
from alignkit.explaining.explanation import explain
from alignkit.explaining.writers import Block, BulletList, Document, Heading, Paragraph
from alignkit.finding.bounds.shape_bounds import BoundAtCounts, ForcingRun, LowerBound
from alignkit.finding.programs import Contradiction
from alignkit.formatting import loss_shown, value_shown
from alignkit.markup import bullet_list, division, heading, paragraph, preformatted
from alignkit.public_names import public
from alignkit.results import TITLES, CertifiedLoss, Result, Verdict
from alignkit.running.alignment_decorator import Alignment

# A line of the proposal's source alone.
_LINE = re.compile(r"^line \d+: ")

_NO_LOSS = "an attack found no loss above 0 on the inputs that it tried, which is not a proof of privacy"


@dataclass(frozen=True)
class Proposal:
    """An alignment that was proposed: its source, what `check` says of it, its shape's name and its invariants.

    ``delta`` is that of its claim, None where the claim is pure.
    ``file_text`` is a file that holds the alignment with the imports that it needs. The alignment itself stays behind
    when a proposal is sent to another process.
    """

    source: str
    imports: tuple[str, ...]
    claim: str
    result: Result
    shape: str
    invariants: tuple[str, ...] = ()
    alignment: Alignment | None = field(default=None, repr=False, compare=False)
    delta: str | None = None

    @property
    def whole_claim(self) -> str:
        """The claim, with its delta."""
        return whole_claim(self.claim, self.delta)

    def meets(self, claim: str | None, delta: str | None) -> bool:
        """Whether this is what was asked for; a claim that is asked for without a delta is a pure one."""
        return claim in (None, self.claim) and (delta == self.delta or (claim is None and delta is None))

    @property
    def file_text(self) -> str:
        """A file that holds the alignment."""
        return "\n".join([*self.imports, "", "", self.source])


def whole_claim(claim: str, delta: str | None) -> str:
    """A claim in one line, with its delta if it has one.

    >>> whole_claim("eps", None), whole_claim("eps", "exp(-eps * tau)")
    ('eps', 'eps with delta = exp(-eps * tau)')
    """
    return claim if delta is None else f"{claim} with delta = {delta}"


@public
@dataclass(frozen=True)
class Findings:
    """The alignments that were proposed for a mechanism, in order.

    ``claim`` is the one that was asked for, if any, and ``delta`` its delta. ``reason`` says why it was not proved, or
    where none was asked for why nothing was; ``contradiction`` are demands of runs that no alignment of a shape meets,
    and ``loss`` is what an attack certifies then. ``runs`` is how many pairs of runs the proposals were made from, and
    ``seconds`` the wall time of the search, proofs included. ``lower_bound`` is what every alignment of the shape of
    the proved one costs at least; None where none was shown, where it says nothing, and where an attack beside the
    proof says more. ``notes`` name the steps after the proof that were not finished, and why; ``interrupted`` is
    whether Ctrl-C ended the search. ``explanation`` is the text of `explain_found`, where it was asked for.
    """

    mechanism: str
    adjacency: str
    proposals: tuple[Proposal, ...]
    runs: int
    seconds: float
    reason: str = ""
    claim: str | None = None
    contradiction: Contradiction | None = None
    loss: CertifiedLoss | None = None
    lower_bound: LowerBound | None = None
    notes: tuple[str, ...] = ()
    interrupted: bool = False
    explanation: str = ""
    delta: str | None = None

    @property
    def cheapest(self) -> bool:
        """Whether no alignment of the same shape proves less, for the counts that ``lower_bound`` names."""
        return self.lower_bound is not None and self.lower_bound.met and self.lower_bound.symbolic

    @property
    def asked(self) -> str:
        """The claim that was asked for, with its delta; empty where none was."""
        if self.claim is None:
            return "" if self.delta is None else f"any with delta = {self.delta}"
        return whole_claim(self.claim, self.delta)

    @property
    def proved(self) -> Proposal | None:
        """The last proposal that was proved, at the claim that was asked for; None where none was."""
        wanted = [p for p in self.proposals if p.result.proved and p.meets(self.claim, self.delta)]
        return wanted[-1] if wanted else None

    @property
    def proved_instead(self) -> Proposal | None:
        """The proposal that was proved where the claim that was asked for was not reached."""
        if self.proved is not None:
            return None
        return next((proposal for proposal in reversed(self.proposals) if proposal.result.proved), None)

    @property
    def undecided(self) -> Proposal | None:
        """The last proposal where none was proved, if it is undecided: what it lacks may be found by hand."""
        last = self.proposals[-1] if self.proposals else None
        nothing = self.proved is None and self.proved_instead is None
        return last if nothing and last is not None and last.result.verdict is Verdict.UNDECIDED else None

    def without_alignments(self) -> Findings:
        """The same without the alignments themselves, which cannot be sent to another process."""
        return replace(self, proposals=tuple(replace(proposal, alignment=None) for proposal in self.proposals))

    def __str__(self) -> str:
        """The report, as text."""
        of = f"{self.mechanism}    adjacency: {self.adjacency}"
        proposal = self.proved
        if proposal is not None:
            return "\n".join([f"FOUND AND PROVED  {of}    claim: {proposal.whole_claim}", *self._shown(proposal)])
        lines = [f"NOT FOUND  {of}" + (f"    claim: {self.asked}" if self.asked else ""), f"  {self.reason}"]
        if self.contradiction is not None:
            lines += [f"  {line}" for line in self.contradiction.lines()]
        if self.loss is not None and self.loss.loss == 0:
            lines.append(f"  {_NO_LOSS}")
        elif self.loss is not None:
            lines += ["  an attack:", *(f"    {line}" for line in _of_short_search(str(self.loss)).splitlines())]
        if self.undecided is not None:
            lines += ["", f"THE LAST PROPOSAL, UNDECIDED  {of}    claim: {self.undecided.whole_claim}"]
            lines += [*(f"  {line}" for line in _open_points(self.undecided.result)), ""]
            lines += self.undecided.file_text.splitlines()
        if self.proved_instead is not None:
            lines += ["", f"PROVED INSTEAD  {of}    claim: {self.proved_instead.whole_claim}"]
            lines += self._shown(self.proved_instead)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The report as HTML, which a notebook shows."""
        proposal = self.proved
        if proposal is not None:
            of = f"{self.mechanism}, adjacency {self.adjacency}, claim {proposal.whole_claim}"
            return division([heading("FOUND AND PROVED", of), *self._html_of(proposal)])
        claim = f", claim {self.asked}" if self.asked else ""
        parts = [heading("NOT FOUND", f"{self.mechanism}, adjacency {self.adjacency}{claim}"), paragraph(self.reason)]
        if self.contradiction is not None:
            parts.append(preformatted("\n".join(self.contradiction.lines())))
        if self.loss is not None and self.loss.loss == 0:
            parts.append(paragraph(_NO_LOSS))
        elif self.loss is not None:
            parts += [paragraph("An attack:"), _of_short_search(self.loss._repr_html_())]
        if self.undecided is not None:
            parts.append(heading("THE LAST PROPOSAL, UNDECIDED", f"claim {self.undecided.whole_claim}"))
            parts += [bullet_list(_open_points(self.undecided.result)), preformatted(self.undecided.file_text)]
        if self.proved_instead is not None:
            parts.append(heading("PROVED INSTEAD", f"claim {self.proved_instead.whole_claim}"))
            parts += self._html_of(self.proved_instead)
        return division(parts)

    def _html_of(self, proposal: Proposal) -> list[str]:
        facts = self._facts(proposal)
        return [*([bullet_list(facts)] if facts else []), preformatted(proposal.file_text)]

    def _shown(self, proposal: Proposal) -> list[str]:
        return [*(f"  {fact}" for fact in self._facts(proposal)), "", *proposal.file_text.splitlines()]

    def _facts(self, proposal: Proposal) -> list[str]:
        """What there is to say of an alignment that was proved."""
        cost, loss = proposal.result.cost, proposal.result.privacy.leak
        facts = []
        if proposal.delta is None and cost not in (None, proposal.claim):
            facts.append(f"worst case of the shifts: {cost}")
        if self.lower_bound is not None:
            facts.append(str(self.lower_bound))
        if loss is not None and proposal.delta is not None and loss.delta:
            facts.append(f"certified of the mechanism: {loss.certified_shown()}, with {_at(loss)}")
        elif loss is not None and proposal.delta is None and loss.loss > 0:
            facts.append(f"certified loss of the mechanism: {loss_shown(loss.loss)} at {_at(loss)}")
        return [*facts, *(f"note: {note}" for note in self.notes)]


def _open_points(result: Result) -> list[str]:
    """The conditions that were not decided, and why; and what is noted on them."""
    undecided = [c for c in result.conditions.values() if c.status is Verdict.UNDECIDED]
    open_ = (f"{TITLES.get(c.name, c.name)}: {_LINE.sub('', c.how)}" for c in undecided)
    return [*open_, *(f"note: {note}" for note in result.notes)]


def _of_short_search(text: str) -> str:
    """The report of an attack that had little time."""
    return text.replace("NO VIOLATION", "NO VIOLATION FOUND (short search)", 1)


def _at(loss: CertifiedLoss) -> str:
    return ", ".join(f"{name} = {value_shown(value)}" for name, value in loss.witness.public.items())


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
