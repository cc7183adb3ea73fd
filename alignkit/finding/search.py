"""The search for an alignment: runs, a linear program, source text, and the check that decides.

What to suggest in place of an alignment: one of the same mechanism that is proved, or proved for less.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pickle import PicklingError

from alignkit.arguments import check_callable, items, seconds, shown, whole
from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.brackets import attacked
from alignkit.attacking.mechanism_attack import INTERRUPTED, attack
from alignkit.auditing.sampling_attack import executor_of
from alignkit.errors import AlignkitError, InputError, InternalError, OutOfTime, error_text
from alignkit.finding.bounds.shape_bounds import LowerBound, is_of_shape, lower_bound
from alignkit.finding.candidates import SearchGrounds, pose
from alignkit.finding.findings import Findings, Proposal
from alignkit.finding.noise_limits import LimitedDraws, limited_draws
from alignkit.finding.programs import Contradiction, contradiction
from alignkit.finding.proposing import read
from alignkit.finding.released_search import released_proposals
from alignkit.finding.shape_search import Say, ShapeTask, only_limits_are_open, proposals_of
from alignkit.finding.shapes import PLAIN, RELEASED, SHAPES, Shape
from alignkit.finding.source_text import NOT_SEARCHED, adjacency_of_search, check_name
from alignkit.limits import Deadline
from alignkit.markup import quietly, shown_progress
from alignkit.public_names import public
from alignkit.results import CertifiedLoss, Result, Suggestion, Verdict
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.claims import read_claim, read_delta
from alignkit.running.draws import called_mechanisms
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.worst_case.claim_order import claims_less

# The work of the attack where nothing is found.
_WORK = 150

# How many claims that were not proved are named.
_MOST_NAMED = 3

# The delta of a pure claim.
_PURE = "0"


@public
def find(
    mechanism: Mechanism,
    *,
    adjacency: str = "each",
    claim: str | None = None,
    delta: str | float | None = None,
    shapes: Iterable[str] | None = None,
    timeout: float = 60.0,
    seed: int = 0,
    effort: int | None = None,
    bound: bool = True,
    executor: Executor | None = None,
    progress: Say | None = None,
    so_far: Callable[[Findings], None] | None = None,
) -> Findings:
    """Propose alignments of a mechanism, the cheapest claim first, until `check` proves one.

    The proposals come from runs of the mechanism on adjacent databases: what the output and the way through the program
    ask of the shifts is a linear program. ``claim`` is one that is to be proved, such as ``"eps"``; where it is not
    reached the cheapest claim is looked for all the same. Where no pure claim is proved, alignments with limits of the
    noise are proposed, which claim (epsilon, delta)-differential privacy. ``delta`` is one that is to be proved, and 0
    asks for pure claims only; a ``claim`` without it is pure. ``shapes`` names those of docs/finding.md to try
    (default: all). ``timeout`` is in seconds for the whole search, proofs included. ``seed`` steers the choice of the
    runs. ``effort`` is the work of the attack (see ``attack``) beside a proof (default: none) and where nothing is
    found (default: a little). ``bound`` is whether a lower bound on the cost of all alignments of the shape of a proved
    one is looked for. Any ``executor`` of concurrent.futures tries the shapes side by side; one of processes needs a
    mechanism that can be imported by name. ``progress`` is called with a text for each step (default: a notebook
    or prompt shows it), and ``so_far`` with what there is each time that something was proved, before anything else is
    tried. Nothing that is proposed is trusted: the verdict is that of `check`. Ctrl-C ends the search with what has
    been proposed, and a step after the proof that fails leaves the proof, with a note that names the step. Raises
    InputError for bad arguments.

    >>> from alignkit.mechanisms.noisy_max import noisy_max
    >>> print(find(noisy_max).proved.claim)
    eps
    """
    if not isinstance(mechanism, Mechanism):
        raise InputError(f"find takes a mechanism, not {shown(mechanism)}; decorate the function with @mechanism")
    kind = adjacency_of_search(adjacency, mechanism)
    check_name(mechanism)
    if claim is not None:
        if not isinstance(claim, str):
            raise InputError(f"the claim must be a string such as 'eps / 2', not {shown(claim)}")
        read_claim(claim, mechanism, mechanism.program.place)
    delta = _delta(delta, mechanism)
    names = _shape_names(shapes)
    timeout, seed = seconds(timeout, "the timeout"), whole(seed, "seed")
    effort = None if effort is None else whole(effort, "effort")
    executor = executor_of(executor)
    check_callable(progress, "progress", "a function of one string")
    mechanism.ensure_current()
    check_callable(so_far, "so_far", "a function of findings")
    tell = so_far or (lambda findings: None)
    with shown_progress(progress) as say:
        search = _Search(mechanism, kind, seed, claim, delta, names, Deadline.after(timeout), executor, say, tell)
        search.run()
        search.attack_mechanism(effort)
        if bound:
            search.bound_cost()
    return search.findings()


def _delta(delta: str | float | None, mechanism: Mechanism) -> str | None:
    """The text of a delta that is asked for."""
    if delta is None:
        return None
    if isinstance(delta, bool) or not isinstance(delta, str | int | float):
        raise InputError(f"delta must be a string such as 'exp(-eps * tau) / 2', or a number, not {shown(delta)}")
    if delta == 0 or delta == _PURE:
        return _PURE
    read_delta(str(delta), mechanism, mechanism.program.place)
    return str(delta)


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
    claim: str | None
    delta: str | None
    shape_names: tuple[str, ...]
    deadline: Deadline
    executor: Executor | None
    say: Say
    so_far: Callable[[Findings], None]
    proposals: list[Proposal] = field(default_factory=list)
    grounds: SearchGrounds | None = None
    reason: str = ""
    contradiction: Contradiction | None = None
    loss: CertifiedLoss | None = None
    lower_bound: LowerBound | None = None
    notes: list[str] = field(default_factory=list)
    interrupted: bool = False
    proved_shape: Shape | None = None
    started: float = field(default_factory=time.monotonic)

    def findings(self) -> Findings:
        """What there is by now."""
        findings = Findings(
            mechanism=self.mechanism.name,
            adjacency=str(self.adjacency),
            proposals=tuple(self.proposals),
            runs=0 if self.grounds is None else len(self.grounds.samples.pairs),
            seconds=time.monotonic() - self.started,
            claim=self.claim,
            delta=self._asked_delta,
            contradiction=self.contradiction,
            loss=self.loss,
            lower_bound=self.lower_bound,
            notes=tuple(self.notes),
            interrupted=self.interrupted,
        )
        if findings.proved is not None:
            return findings
        instead = findings.proved_instead
        if instead is None:
            return replace(findings, reason=self.reason)
        reached = f"the claim {findings.asked} was not reached; what was proved is {instead.whole_claim}"
        return replace(findings, reason=reached)

    @property
    def _asked_delta(self) -> str | None:
        return None if self.delta == _PURE else self.delta

    def run(self) -> None:
        """Propose until one is proved."""
        with self._step("the search for a smaller claim", unsound=InternalError):
            self.reason = self._reason()

    @contextmanager
    def _step(self, what: str, *, unsound: type[Exception] | tuple[()] = ()) -> Iterator[None]:
        """Note it where a step ends before its time; an error passes where nothing is proved that it would lose.

        ``unsound`` is the kind of error after which what was proved is not to be relied on.
        """
        try:
            yield
            return
        except OutOfTime:
            problem = "the time was used up"
        except KeyboardInterrupt:
            self.interrupted, problem = True, INTERRUPTED
        except unsound:
            raise
        except Exception as error:
            if self._last_proved is None:
                raise
            problem = error_text(error)
        if self._last_proved is None:
            self.reason = problem
        else:
            self.notes.append(f"{what} was not finished: {problem}")

    @property
    def _last_proved(self) -> Proposal | None:
        return next((proposal for proposal in reversed(self.proposals) if proposal.result.proved), None)

    def _keep(self, proposal: Proposal) -> None:
        self.proposals.append(proposal)
        if proposal.result.proved:
            self.so_far(self.findings())

    def _reason(self) -> str:
        # Noise that is cut off is moved within limits only.
        own = [draw.distribution for draw in self.mechanism.draws if not draw.distribution.homogeneous]
        for distribution in own:
            if self.delta == _PURE or distribution.upper_tail is None:
                return f"no shift of noise.{distribution.name} is proposed; write the alignment yourself"
        if called_mechanisms(self.mechanism.program):
            return "no alignment with lemmas is proposed; write it yourself, with @alignment(..., lemmas=[...])"
        self.say("running the mechanism")
        self.grounds = grounds = pose(self.mechanism, self.adjacency, self.seed, self.deadline)
        if not grounds.samples.pairs:
            return grounds.samples.lacking
        claims: list[str | None] = [self.claim] if self.claim is None else [self.claim, None]
        pure = not own and self._asked_delta is None
        if pure and any(self._proved(grounds, claim) for claim in claims):
            return ""
        limited = [] if self.delta == _PURE else list(limited_draws(self.mechanism))
        if self._asked_delta is not None and not limited:
            return "no limit of noise is proposed that delta would pay for; leave delta out"
        asked = [(self._asked_delta, claim) for claim in claims]
        for delta, claim in dict.fromkeys([*asked, (None, None)]):
            if any(self._proved_with_limits(grounds, replace(each, delta=delta), claim) for each in limited):
                return ""
        return self._why_none(grounds)

    def _why_none(self, grounds: SearchGrounds) -> str:
        """Why nothing was proved; keeps the demands that contradict one another."""
        tried = [shape for shape in grounds.shapes if shape.name in self.shape_names]
        for shape in reversed(tried):
            if self.contradiction is None and not shape.raised and not shape.given:
                self.contradiction = contradiction(shape, grounds.samples.pairs)
        if not tried:
            return f"none of the shapes that were asked for fits; others are {', '.join(SHAPES)}"
        if not self.proposals:
            count = len(grounds.samples.pairs)
            return f"no alignment of the shapes that were tried meets the demands of {count} pairs of runs"
        last = self.proposals[-1].result.verdict
        if len(self.proposals) == 1:
            return f"one alignment was proposed, and it is {last}"
        claims = list(dict.fromkeys(proposal.whole_claim for proposal in self.proposals))
        named, more = ", ".join(claims[:_MOST_NAMED]), len(claims) - _MOST_NAMED
        at = f"at the claim{'s' * (len(claims) > 1)} {named}" + (f" and {more} more" if more > 0 else "")
        return f"none of {len(self.proposals)} proposals was proved, {at}; the last one is {last}"

    def _proved(self, grounds: SearchGrounds, wanted: str | None) -> bool:
        """Add the proposals of one shape after the other until one is proved."""
        numbers = [n for n, shape in enumerate(grounds.shapes) if shape.name in self.shape_names]
        if self.executor is None:
            found = self._proved_here(grounds, numbers, wanted)
        else:
            found = self._proved_on(self.executor, grounds, numbers, wanted)
        if found or RELEASED not in self.shape_names:
            return found
        for proposal in released_proposals(self.mechanism, self.adjacency, grounds, wanted, self.deadline, self.say):
            self._keep(proposal)
        return bool(self.proposals) and self.proposals[-1].result.proved

    def _proved_with_limits(self, grounds: SearchGrounds, limited: LimitedDraws, wanted: str | None) -> bool:
        """The same, with limits of the noise; of the shapes whose shifts go by answers alone."""
        for shape in grounds.shapes:
            if shape.name != PLAIN or PLAIN not in self.shape_names:
                continue
            last = None
            for last in proposals_of(grounds, replace(shape, limited=limited), wanted, self.deadline, self.say):
                self._keep(last)
            if last is not None and (last.result.proved or only_limits_are_open(last.result)):
                return last.result.proved
        return False

    def _proved_here(self, grounds: SearchGrounds, numbers: list[int], wanted: str | None) -> bool:
        for number in numbers:
            for proposal in proposals_of(grounds, grounds.shapes[number], wanted, self.deadline, self.say):
                self._keep(proposal)
            if self.proposals and self.proposals[-1].result.proved:
                self._keep_shape(grounds, number)
                return True
        return False

    def _keep_shape(self, grounds: SearchGrounds, number: int) -> None:
        """Note the shape of what was proved, where every alignment of it must meet the demands."""
        if all(pair.strict for _, pair in grounds.samples.pairs):
            self.proved_shape = grounds.shapes[number]

    def _proved_on(self, executor: Executor, grounds: SearchGrounds, numbers: list[int], wanted: str | None) -> bool:
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
                    self._keep(replace(proposal, alignment=alignment))
                if self.proposals and self.proposals[-1].result.proved:
                    self._keep_shape(grounds, number)
                    return True
        finally:
            for future in waiting:
                future.cancel()
        return False

    def attack_mechanism(self, effort: int | None) -> None:
        """Have an attack certify a loss: beside a proof where that is wanted, or where the claim was not proved.

        Raises InternalError where the loss is above the one that was proved.
        """
        proposal = self._last_proved
        reached = proposal is not None and proposal.meets(self.claim, self._asked_delta)
        if self.interrupted or effort == 0 or self.deadline.passed or (reached and effort is None):
            return
        self.say("attacking the mechanism")
        if reached and proposal is not None and proposal.alignment is not None and effort is not None:
            with self._step("the attack", unsound=InternalError):
                result = attacked(proposal.alignment, proposal.result, effort, self.seed, self.deadline.left)
                self.proposals[self.proposals.index(proposal)] = replace(proposal, result=result)
            return
        with self._step("the attack"), _without_what_is_not_covered():
            self.loss = attack(
                self.mechanism, adjacency=str(self.adjacency), claim=self.claim,
                delta=None if self.claim is None else self._asked_delta, effort=effort or _WORK,
                timeout=self.deadline.left, seed=self.seed, progress=quietly,
            )  # fmt: skip
            self.interrupted |= INTERRUPTED in self.loss.notes

    def bound_cost(self) -> None:
        """Look for what every alignment of the shape that was proved costs at least.

        Raises InternalError where that is more than what was proved.
        """
        proposal = self._last_proved
        if self.interrupted or self.grounds is None or self.proved_shape is None or proposal is None:
            return
        alignment = proposal.alignment
        if alignment is None:
            return
        self.say("looking for a lower bound")
        with self._step("the lower bound", unsound=InternalError), _without_what_is_not_covered():
            if not is_of_shape(alignment, self.proved_shape, self.grounds.samples.pairs):
                return
            bound = lower_bound(self.proved_shape, alignment, self.deadline)
            loss = proposal.result.privacy.leak if self.loss is None else self.loss
            if bound is not None and (loss is None or bound.share > _share(loss, alignment)):
                self.lower_bound = bound


def _share(loss: CertifiedLoss, alignment: Alignment) -> float:
    """A certified loss as a share of what an alignment claims there; 0 where the claim has no value there."""
    try:
        claimed = AttackAim.of(alignment, None, None).claimed(loss.witness.values, loss.event)
    except AlignkitError:
        return 0.0
    return loss.loss / claimed if claimed else 0.0


@contextmanager
def _without_what_is_not_covered() -> Iterator[None]:
    """Pass over programs that an attack or a bound does not cover."""
    try:
        yield
    except InternalError:
        raise
    except AlignkitError:
        return


def suggestion(
    alignment: Alignment,
    result: Result,
    *,
    timeout: float,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Suggestion | str:
    """An alignment of the same mechanism and adjacency that `find` proves for a pure claim, or why there is none.

    ``result`` is that of the alignment. Where it is proved, only one with a claim that is proved to be smaller is
    suggested. ``timeout`` is in seconds.
    """
    return suggestions([(alignment, result)], timeout=timeout, seed=seed, progress=progress)[0]


def suggestions(
    pairs: Sequence[tuple[Alignment, Result]],
    *,
    timeout: float,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> list[Suggestion | str]:
    """What one search suggests in place of each of several alignments of one mechanism and adjacency."""
    alignment, _ = pairs[0]
    if alignment.adjacency.most is not None:
        return [f"{NOT_SEARCHED} {alignment.adjacency}"] * len(pairs)
    findings = find(
        alignment.mechanism,
        adjacency=str(alignment.adjacency),
        delta=_PURE,
        timeout=timeout,
        seed=seed,
        effort=0,
        bound=False,
        progress=progress,
    )
    return [_suggested(findings, alignment, result) for alignment, result in pairs]


def _suggested(findings: Findings, alignment: Alignment, result: Result) -> Suggestion | str:
    proposal = findings.proved
    if proposal is None or proposal.alignment is None:
        return findings.reason
    cheaper = result.verdict is Verdict.PROVED
    if cheaper and not claims_less(proposal.alignment, alignment):
        return f"the claim {proposal.claim} was found, which is not shown to be smaller"
    return Suggestion(proposal.claim, proposal.result.cost, proposal.file_text, cheaper)
