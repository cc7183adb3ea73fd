"""The search within one shape: propose, check, learn from the counterexample, and propose again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from alignkit.checking.five_hops import check
from alignkit.errors import InputError, LanguageError, OutOfTime
from alignkit.finding.candidates import SearchGrounds, pose
from alignkit.finding.findings import Proposal
from alignkit.finding.programs import cheapest_solution
from alignkit.finding.proposed_invariants import with_invariants
from alignkit.finding.proposing import claimed, read, written
from alignkit.finding.public_expressions import LENGTH
from alignkit.finding.shapes import Shape
from alignkit.finding.source_text import AlignmentText
from alignkit.limits import Deadline
from alignkit.results import Result, Verdict
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.mechanism_decorator import Mechanism

# How often an alignment of one shape is mended after a counterexample.
_ROUNDS = 4

Say = Callable[[str], None]


def proposals_of(
    grounds: SearchGrounds, shape: Shape, wanted: str | None, deadline: Deadline, say: Say
) -> Iterator[Proposal]:
    """Alignments of one shape with what `check` says of them, until one is proved; then at its worst case, too.

    ``wanted`` is the claim to be proved; None looks for the cheapest. Counterexamples to a proposal join the paired
    runs.
    """
    samples = grounds.samples.copy()
    seen: set[str] = set()
    for _ in range(_ROUNDS):
        deadline.check()
        runs = samples.for_shape(shape)
        solution = cheapest_solution(shape, runs.pairs)
        if solution is None:
            return
        learned = proved = False
        if wanted is None:
            candidates = claimed(solution, runs.pairs, runs.public)
        else:
            candidates = iter([(written(solution, runs.pairs, runs.public), wanted)])
        for proposal in checked(candidates, shape.name, wanted, deadline, say, seen):
            yield proposal
            proved |= proposal.result.proved
            if proposal.result.counterexample is not None:
                learned |= samples.learn(proposal.result.counterexample.witness)
        if proved or not learned:
            return


def checked(
    candidates: Iterable[tuple[AlignmentText, str]],
    shape: str,
    wanted: str | None,
    deadline: Deadline,
    say: Say,
    seen: set[str],
) -> Iterator[Proposal]:
    """What `check` says of alignments with their claims, until one is proved; the last is the cheapest proved one.

    ``seen`` are the sources that were checked before; those that are checked join them.
    """
    for text, claim in candidates:
        source = text.source(claim)
        if source in seen:
            continue
        seen.add(source)
        deadline.check()
        try:
            alignment = read(text.mechanism, source)
        except (InputError, LanguageError):  # a name of the mechanism is also one of the alignment's own
            continue
        result = _checked(alignment, deadline, say)
        proposal = Proposal(source, text.imports, claim, result, shape, alignment=alignment)
        yield proposal
        if result.verdict is Verdict.UNDECIDED:
            say(f"the claim {claim}: looking for invariants")
        proved = proposal if result.proved else with_invariants(text, proposal, deadline)
        if proved is None:
            continue
        if proved is not proposal:
            yield proved
        if wanted is None:
            yield from _tightened(text, proved, deadline, say)
        return


def _checked(alignment: Alignment, deadline: Deadline, say: Say) -> Result:
    def said(words: str) -> None:
        say(f"the claim {alignment.claim}: {words}")

    # The mechanism is attacked once, beside the claim that the search ends with.
    return check(alignment, timeout=deadline.left_to_use(), effort=0, progress=said)


def _tightened(text: AlignmentText, proposal: Proposal, deadline: Deadline, say: Say) -> Iterator[Proposal]:
    """The same alignment with its worst case for a claim, where that is proved too."""
    cost = proposal.result.cost
    if cost is None or cost == proposal.claim or LENGTH in proposal.claim or deadline.passed:
        return
    source = replace(text, invariants=proposal.invariants).source(cost)
    try:
        alignment = read(text.mechanism, source)
        result = _checked(alignment, deadline, say)
    except (InputError, LanguageError, OutOfTime):
        return
    if result.proved:
        yield replace(proposal, source=source, claim=cost, result=result, alignment=alignment)


@dataclass(frozen=True)
class ShapeTask:
    """The search within one shape as it is sent to a worker, which runs the mechanism itself with the same seed."""

    mechanism: Mechanism
    adjacency: Adjacency
    seed: int
    number: int  # of the shape among those of the grounds
    wanted: str | None
    seconds: float

    def run(self) -> list[Proposal]:
        """The proposals, without the alignments: those cannot be sent."""
        deadline = Deadline.after(self.seconds)
        grounds = pose(self.mechanism, self.adjacency, self.seed, deadline)
        found = proposals_of(grounds, grounds.shapes[self.number], self.wanted, deadline, lambda text: None)
        return [replace(proposal, alignment=None) for proposal in found]
