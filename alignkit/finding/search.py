"""The search for an alignment: runs, a linear program, source text, and the check that decides."""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pickle import PicklingError

from alignkit.arguments import check_callable, items, seconds, shown, whole
from alignkit.attacking.mechanism_attack import INTERRUPTED, attack
from alignkit.auditing.audit_arguments import executor_of
from alignkit.errors import AlignkitError, InputError, InternalError, OutOfTime
from alignkit.finding.bounds.shape_bounds import LowerBound, lower_bound
from alignkit.finding.contradictions import Contradiction, contradiction
from alignkit.finding.findings import Findings, Proposal
from alignkit.finding.proposing import read
from alignkit.finding.released_search import released_proposals
from alignkit.finding.search_grounds import SearchGrounds, pose
from alignkit.finding.shape_search import Say, ShapeTask, Wanted, proposals_of
from alignkit.finding.shapes import RELEASED, SHAPES, Shape
from alignkit.finding.source_text import check_name
from alignkit.limits import Deadline
from alignkit.noise import CHOICE
from alignkit.results import CertifiedLoss
from alignkit.running.adjacency import Adjacency, check_one_sensitivity
from alignkit.running.claims import read_claim
from alignkit.running.draws import called_mechanisms
from alignkit.running.mechanism_decorator import Mechanism

# The work of the attack where nothing is found, and the most seconds that it may take.
_WORK, _MOST_SECONDS = 150, 10.0


def find(
    mechanism: Mechanism,
    *,
    adjacency: str = "each",
    claim: str | None = None,
    shapes: Iterable[str] | None = None,
    budget: float = 60.0,
    seed: int = 0,
    effort: int | None = None,
    bound: bool = True,
    executor: Executor | None = None,
    progress: Say | None = None,
) -> Findings:
    """Propose alignments of a mechanism, the cheapest claim first, until `check` proves one.

    The proposals come from runs of the mechanism on adjacent databases: what the output and the way through the program
    ask of the shifts is a linear program. ``claim`` is one that is to be proved, such as ``"eps"``; where it is not
    reached the cheapest claim is looked for all the same. ``shapes`` names those of docs/theory/finding.md to try
    (default: all). ``budget`` is in seconds for the whole search, proofs included. ``seed`` steers the choice of the
    runs. ``effort`` is the work of the attack (see ``attack``) beside a proof (default: none) and where nothing is
    found (default: a little). ``bound`` is whether a lower bound on the cost of all alignments of the shape of a proved
    one is looked for. Any ``executor`` of concurrent.futures tries the shapes side by side; one of processes needs a
    mechanism that can be imported by name. ``progress`` is called with a text for each step. Nothing that is proposed
    is trusted: the verdict is that of `check`. Ctrl-C ends the search with what has been proposed. Raises InputError
    for bad arguments.

    >>> from alignkit.mechanisms.noisy_max import noisy_max
    >>> print(find(noisy_max).proved.claim)
    eps
    """
    if not isinstance(mechanism, Mechanism):
        raise InputError(f"find takes a mechanism, not {shown(mechanism)}; decorate the function with @mechanism")
    kind = Adjacency.read(adjacency)
    check_one_sensitivity(kind, mechanism)
    check_name(mechanism)
    if claim is not None:
        if not isinstance(claim, str):
            raise InputError(f"the claim must be a string such as 'eps / 2', not {shown(claim)}")
        read_claim(claim, mechanism, mechanism.program.place)
    names = _shape_names(shapes)
    budget, seed = seconds(budget, "the budget"), whole(seed, "seed")
    effort = None if effort is None else whole(effort, "effort")
    executor = executor_of(executor)
    check_callable(progress, "progress", "a function of one string")
    mechanism.ensure_current()
    started = time.monotonic()
    wanted, deadline, say = Wanted(claim, effort or 0), Deadline.after(budget), progress or (lambda text: None)
    search = _Search(mechanism, kind, seed, wanted, names, deadline, executor, say)
    reason = search.run()
    loss = search.attacked(effort) if reason else None
    least = search.bounded() if bound else None
    return Findings(
        mechanism=mechanism.name,
        adjacency=str(kind),
        proposals=tuple(search.proposals),
        runs=search.runs,
        seconds=time.monotonic() - started,
        reason=reason,
        claim=claim,
        contradiction=search.contradiction,
        loss=loss,
        lower_bound=least,
    )


def _shape_names(shapes: Iterable[str] | None) -> tuple[str, ...]:
    if shapes is None:
        return SHAPES
    names = items((shapes,) if isinstance(shapes, str) else shapes, "shapes", "a list of names of shapes")
    for name in names:
        if name not in SHAPES:
            raise InputError(f"{shown(name)} is no shape; the shapes are {', '.join(SHAPES)}")
    if not names:
        raise InputError(f"shapes is empty; the shapes are {', '.join(SHAPES)}")
    return names


@dataclass
class _Search:
    """One search: what was proposed so far."""

    mechanism: Mechanism
    adjacency: Adjacency
    seed: int
    wanted: Wanted
    shape_names: tuple[str, ...]
    deadline: Deadline
    executor: Executor | None
    say: Say
    proposals: list[Proposal] = field(default_factory=list)
    runs: int = 0
    contradiction: Contradiction | None = None
    interrupted: bool = False
    proved_shape: Shape | None = None

    def run(self) -> str:
        """Propose until one is proved; return why none was."""
        try:
            return self._reason()
        except OutOfTime:
            return "the budget was used up"
        except KeyboardInterrupt:
            self.interrupted = True
            return INTERRUPTED

    def _reason(self) -> str:
        if any(draw.distribution is CHOICE for draw in self.mechanism.draws):
            return "no shift of noise.choice is proposed; write the alignment yourself"
        if called_mechanisms(self.mechanism.program):
            return "no alignment with lemmas is proposed; write it yourself, with @alignment(..., lemmas=[...])"
        self.say("running the mechanism")
        grounds = pose(self.mechanism, self.adjacency, self.seed, self.deadline)
        self.runs = len(grounds.samples.pairs)
        if not grounds.samples.pairs:
            return grounds.samples.lacking
        if self._proved(grounds, self.wanted):
            return ""
        if self.wanted.claim is not None and self._proved(grounds, replace(self.wanted, claim=None)):
            return f"the claim {self.wanted.claim} was not reached; what was proved is {self.proposals[-1].claim}"
        tried = [shape for shape in grounds.shapes if shape.name in self.shape_names]
        for shape in reversed(tried):
            if self.contradiction is None and not shape.raised and not shape.given:
                self.contradiction = contradiction(shape, grounds.samples.pairs)
        if not tried:
            return f"none of the shapes that were asked for fits; others are {', '.join(SHAPES)}"
        if not self.proposals:
            return f"no alignment of the shapes that were tried meets the demands of {self.runs} pairs of runs"
        last = self.proposals[-1].result.verdict
        if len(self.proposals) == 1:
            return f"one alignment was proposed, and it is {last}"
        claims = ", ".join(dict.fromkeys(proposal.claim for proposal in self.proposals))
        return f"none of {len(self.proposals)} proposals was proved, at the claims {claims}; the last one is {last}"

    def _proved(self, grounds: SearchGrounds, wanted: Wanted) -> bool:
        """Add the proposals of one shape after the other until one is proved."""
        numbers = [n for n, shape in enumerate(grounds.shapes) if shape.name in self.shape_names]
        if self.executor is None:
            found = self._proved_here(grounds, numbers, wanted)
        else:
            found = self._proved_on(self.executor, grounds, numbers, wanted)
        if found or RELEASED not in self.shape_names:
            return found
        self.proposals += released_proposals(self.mechanism, self.adjacency, grounds, wanted, self.deadline, self.say)
        return bool(self.proposals) and self.proposals[-1].result.proved

    def _proved_here(self, grounds: SearchGrounds, numbers: list[int], wanted: Wanted) -> bool:
        for number in numbers:
            for proposal in proposals_of(grounds, grounds.shapes[number], wanted, self.deadline, self.say):
                self.proposals.append(proposal)
            if self.proposals and self.proposals[-1].result.proved:
                self._keep_shape(grounds, number)
                return True
        return False

    def _keep_shape(self, grounds: SearchGrounds, number: int) -> None:
        """Note the shape of what was proved, where every alignment of it must meet the demands."""
        if all(pair.strict for _, pair in grounds.samples.pairs):
            self.proved_shape = grounds.shapes[number]

    def _proved_on(self, executor: Executor, grounds: SearchGrounds, numbers: list[int], wanted: Wanted) -> bool:
        """The same on an executor, where all shapes are tried at once; of several proofs the first shape's is taken."""
        left = self.deadline.left
        tasks = [ShapeTask(self.mechanism, self.adjacency, self.seed, number, wanted, left) for number in numbers]
        try:
            waiting = [executor.submit(ShapeTask.run, task) for task in tasks]
        except (PicklingError, TypeError, AttributeError) as problem:
            raise InputError(f"the executor's workers cannot be sent the mechanism: {problem}") from None
        try:
            for number, future in zip(numbers, waiting, strict=True):
                for proposal in future.result():
                    alignment = read(self.mechanism, proposal.source)
                    self.proposals.append(replace(proposal, alignment=alignment))
                if self.proposals and self.proposals[-1].result.proved:
                    self._keep_shape(grounds, number)
                    return True
        finally:
            for future in waiting:
                future.cancel()
        return False

    def bounded(self) -> LowerBound | None:
        """What every alignment of the shape that was proved costs at least."""
        if self.proved_shape is None or self.proposals[-1].alignment is None or self.interrupted:
            return None
        self.say("looking for a lower bound")
        try:
            return lower_bound(self.proved_shape, self.proposals[-1].alignment, self.deadline)
        except InternalError:
            raise
        except (AlignkitError, KeyboardInterrupt):
            return None

    def attacked(self, effort: int | None) -> CertifiedLoss | None:
        """What an attack certifies where nothing was proved."""
        seconds_left = min(self.deadline.left, _MOST_SECONDS)
        if self.interrupted or effort == 0 or seconds_left <= 0:
            return None
        self.say("attacking the mechanism")
        try:
            return attack(
                self.mechanism, adjacency=str(self.adjacency), claim=self.wanted.claim, effort=effort or _WORK,
                budget=seconds_left, seed=self.seed,
            )  # fmt: skip
        except InternalError:
            raise
        except AlignkitError:
            return None
