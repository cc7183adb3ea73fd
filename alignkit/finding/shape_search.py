"""The search within one shape: propose, check, learn from the counterexample, and propose again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from alignkit.checking.five_hops import check
from alignkit.errors import InputError, LanguageError
from alignkit.finding.findings import Proposal
from alignkit.finding.programs import cheapest_solution
from alignkit.finding.proposed_invariants import with_invariants
from alignkit.finding.proposing import claimed, read, written
from alignkit.finding.search_grounds import SearchGrounds, pose
from alignkit.finding.shapes import Shape
from alignkit.limits import Deadline
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_decorator import Mechanism

# How often an alignment of one shape is mended after a counterexample.
_ROUNDS = 4

Say = Callable[[str], None]


@dataclass(frozen=True)
class Wanted:
    """What is searched for: the claim, if one is given, and the work of the attack beside a proof."""

    claim: str | None = None
    effort: int = 0


def proposals_of(
    grounds: SearchGrounds, shape: Shape, wanted: Wanted, deadline: Deadline, say: Say
) -> Iterator[Proposal]:
    """Alignments of one shape with what `check` says of them, until one is proved.

    Counterexamples to a proposal join the paired runs.
    """
    samples = grounds.samples.copy()
    seen: set[str] = set()
    for _ in range(_ROUNDS):
        deadline.check()
        runs = samples.for_shape(shape)
        solution = cheapest_solution(shape, runs.pairs)
        if solution is None:
            return
        learned = False
        if wanted.claim is None:
            candidates = claimed(solution, runs.pairs, runs.public)
        else:
            candidates = iter([(written(solution, runs.pairs, runs.public), wanted.claim)])
        for text, claim in candidates:
            source = text.source(claim)
            if source in seen:
                continue
            seen.add(source)
            say(f"checking the claim {claim}")
            deadline.check()
            try:
                alignment = read(shape.mechanism, source)
            except (InputError, LanguageError):  # a name of the mechanism is also one of the alignment's own
                continue
            result = check(alignment, timeout=deadline.left_to_use(), effort=wanted.effort)
            proposal = Proposal(source, text.imports, claim, result, shape.name, alignment)
            yield proposal
            if result.proved:
                return
            stating = with_invariants(text, proposal, deadline, wanted.effort)
            if stating is not None:
                yield stating
                return
            if result.counterexample is not None:
                learned |= samples.learn(result.counterexample.witness)
        if not learned:
            return


@dataclass(frozen=True)
class ShapeTask:
    """The search within one shape as it is sent to a worker, which runs the mechanism itself with the same seed."""

    mechanism: Mechanism
    adjacency: Adjacency
    seed: int
    number: int  # of the shape among those of the grounds
    wanted: Wanted
    seconds: float

    def run(self) -> list[Proposal]:
        """The proposals, without the alignments: those cannot be sent."""
        deadline = Deadline.after(self.seconds)
        grounds = pose(self.mechanism, self.adjacency, self.seed, deadline)
        found = proposals_of(grounds, grounds.shapes[self.number], self.wanted, deadline, lambda text: None)
        return [replace(proposal, alignment=None) for proposal in found]
