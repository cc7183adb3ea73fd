"""The search within one shape: propose, check, learn from the counterexample, and propose again.

An alignment that is not proved without invariants is given some: those that hold in runs, and that the loop keeps.
Templates give candidates: how far a variable on D and on D′ may lie apart, how variables and public parameters are
ordered, and what the shifts may have cost so far. Of those that hold in all runs that were seen, the ones that the loop
does not keep are given up, then those that the proof does not need. `check` decides, as about everything proposed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any

from alignkit.checking.five_hops import check
from alignkit.errors import InputError, LanguageError, OutOfTime, TooManyDigits, TooManyPaths, Undefined, Unsupported
from alignkit.finding.candidates import SearchGrounds, pose
from alignkit.finding.findings import Proposal
from alignkit.finding.programs import cheapest_solution
from alignkit.finding.proposing import claimed, read
from alignkit.finding.public_expressions import LENGTH, fitting_claims
from alignkit.finding.shapes import Shape
from alignkit.finding.source_text import AlignmentText
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Environment, Signal
from alignkit.language.parameters import Epsilon, Eta
from alignkit.language.program import For, output_lines
from alignkit.limits import Deadline
from alignkit.markup import quietly
from alignkit.proving.deciding import Decider
from alignkit.proving.planning import loop_to_plan, stated_and_kept
from alignkit.proving.proof import prove
from alignkit.proving.symbolic_inputs import unbounded
from alignkit.proving.symbolic_trial import Exploration
from alignkit.refuting.random_search import search_at_random
from alignkit.results import Result, Verdict, Witness
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_program import PRIVACY_COST
from alignkit.running.binding import exact_arguments
from alignkit.running.both_runs import AlignedRun
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.replaying import ReplayContext
from alignkit.running.shift_costs import costs_of_shifts
from alignkit.symbolic.z3_solver import Z3Solver
from alignkit.verdicts import LIMITS

# Adjacent pairs to run, and the seconds that this may take.
_PAIRS, _SECONDS = 120, 5.0


@dataclass(frozen=True)
class SeenState:
    """The two runs at the head of a loop, where ``rounds`` iterations are over; what the shifts so far have cost."""

    public: Mapping[str, Any]
    names: Mapping[str, Any]
    names_: Mapping[str, Any]
    cost: Fraction
    rounds: int

    @property
    def environment(self) -> dict[str, Any]:
        """The values of the names that an invariant may use."""
        primed = {f"{name}_": value for name, value in self.names_.items()}
        return {**self.public, **self.names, **primed, PRIVACY_COST: self.cost}


def states_in_runs(alignment: Alignment, loop: For, changed: tuple[str, ...]) -> list[SeenState]:
    """The states of the variables that a loop changes, at its head, in random runs of an alignment."""
    search = search_at_random(alignment, trials=_PAIRS, seconds=_SECONDS)
    return [state for witness, trial in search.passed for state in _states(alignment, witness, trial, loop, changed)]


def _states(
    alignment: Alignment, witness: Witness, trial: AlignedRun, loop: For, changed: tuple[str, ...]
) -> Iterator[SeenState]:
    if trial.run_ is None or trial.close:
        return
    costs = [Fraction(cost) for _, cost in costs_of_shifts(trial.run, trial.shifts, trial.run_)]
    spent = [Fraction(0), *accumulate(costs)]
    one = _heads(alignment, witness.values, trial.run.H, loop, changed)
    other = _heads(alignment, witness.values_, trial.run_.H, loop, changed)
    public = {name: witness.public[name] for name, kind in alignment.mechanism.public.items() if not kind.vector}
    for rounds, ((names, drawn), (names_, _)) in enumerate(zip(one, other, strict=False)):
        yield SeenState(public, names, names_, spent[drawn], rounds)


def _heads(
    alignment: Alignment, values: Mapping[str, Any], noise: Mapping[str, Any], loop: For, changed: tuple[str, ...]
) -> list[tuple[dict[str, Any], int]]:
    """The variables each time that a run is at the head of the loop, and how many draws it had made by then."""
    context = ReplayContext(alignment.mechanism, noise)
    watcher = _Watcher(context, loop, changed)
    arguments = exact_arguments(alignment.mechanism, values)
    watcher.block(alignment.mechanism.program.body, alignment.mechanism.environment(arguments))
    return watcher.heads


class _Watcher(Evaluator):
    """Runs a program and notes the variables at the head of one loop."""

    def __init__(self, context: ReplayContext, loop: For, changed: tuple[str, ...]) -> None:
        super().__init__(context)
        self.replay = context
        self.watched = loop
        self.changed = changed
        self.heads: list[tuple[dict[str, Any], int]] = []

    def iterate(self, node: For, index: Any, item: Any, names: Environment) -> Signal:
        if node is self.watched and index == 0:
            self._note(names)
        signal = super().iterate(node, index, item, names)
        if node is self.watched and signal is None:
            self._note(names)
        return signal

    def _note(self, names: Environment) -> None:
        self.heads.append(({name: names[name] for name in self.changed}, len(self.replay.drawn)))


# How many sensitivities a variable on D and on D′ may lie apart.
_DISTANCES = (1, 2, 3)

# How many expressions are tried for what an iteration costs, and for what is paid before the loop.
_EXPRESSIONS = 2


def with_invariants(text: AlignmentText, unaided: Proposal, deadline: Deadline) -> Proposal | None:
    """The proposal with invariants under which it is proved, as few as it needs; None where none are found.

    ``text`` is the source of the ``unaided`` proposal.
    """
    claim = unaided.claim
    if unaided.result.verdict is not Verdict.UNDECIDED:
        return None
    # Other claims and shapes need time too.
    own = deadline.sooner(deadline.left / 2)
    try:
        kept = _fewest(text, claim, _kept(text, claim, unaided.result, own), own)
        if not kept:
            return None
        alignment = _stating(text, claim, kept)
        result = check(alignment, timeout=deadline.left_to_use(), effort=0, progress=quietly)
    except (InputError, LanguageError, Unsupported, OutOfTime, TooManyPaths, TooManyDigits, RecursionError):
        return None
    source = replace(text, invariants=kept).source(claim)
    return replace(
        unaided, source=source, result=result, invariants=kept, alignment=alignment
    ) if result.proved else None


def _kept(text: AlignmentText, claim: str, result: Result, deadline: Deadline) -> tuple[str, ...]:
    """The candidates that hold in all runs and that the loop keeps."""
    unaided = _stating(text, claim, ())
    inputs = unbounded(unaided.mechanism, unaided.adjacency)
    found = loop_to_plan(Exploration(unaided, inputs, deadline.check))
    if found is None:
        return ()
    states = states_in_runs(unaided, *found)
    if not states:
        return ()
    of_cost = result.conditions["cost"].status is not Verdict.PROVED
    candidates = _templates(unaided.mechanism, found[1], states, of_cost=of_cost)
    aided = _stating(text, claim, tuple(dict.fromkeys(candidates)))
    seen = tuple(name for name, expression in aided.invariants if _holds(expression, states))
    if not seen:
        return ()
    exploration = Exploration(_stating(text, claim, seen), inputs, deadline.check)
    return stated_and_kept(exploration, Decider(Z3Solver.of_one_check(), deadline.left))


def _stating(text: AlignmentText, claim: str, invariants: tuple[str, ...]) -> Alignment:
    return read(text.mechanism, replace(text, invariants=invariants).source(claim))


def _holds(invariant: Any, states: Sequence[SeenState]) -> bool:
    """Whether an invariant holds of all states that were seen."""
    evaluator = Evaluator(Context({}))
    try:
        return all(evaluator.condition(invariant, state.environment) is True for state in states)
    except Undefined:
        return False


def _fewest(text: AlignmentText, claim: str, kept: tuple[str, ...], deadline: Deadline) -> tuple[str, ...]:
    """Invariants of which the proof can leave none out, the plain ones if there is a choice; none if all are too few.

    Where the time is used up, there may be more than the proof needs.
    """

    def suffice(invariants: tuple[str, ...]) -> bool:
        if not invariants or deadline.passed:
            return False
        alignment = _stating(text, claim, invariants)
        # `check` has the last word, and it alone looks at which lines are reached.
        every_line = output_lines(alignment.mechanism.program)
        return prove(alignment, Decider(Z3Solver.of_one_check(), deadline.left), every_line).complete

    if not suffice(kept):
        return ()
    size = len(kept) // 2
    while size:
        for end in range(len(kept), 0, -size):
            fewer = kept[: max(0, end - size)] + kept[end:]
            if suffice(fewer):
                kept = fewer
        size //= 2
    return kept


# Templates, the plain ones first


def _templates(
    mechanism: Mechanism, changed: Sequence[str], states: Sequence[SeenState], *, of_cost: bool
) -> Iterator[str]:
    public = [n for n, kind in mechanism.public.items() if not kind.vector and not isinstance(kind, Epsilon | Eta)]
    counts = [name for name, kind in mechanism.public.items() if kind.integer and not kind.vector]
    for name in changed:
        yield from _distances(mechanism, name, states)
    for name in changed:
        for bound in ("0", "1", *public):
            yield f"{name} >= {bound}"
            yield f"{name} <= {bound}"
        yield from (f"{name} <= {count} - 1" for count in counts)
        if any(state.names[name] < 0 for state in states):
            yield from (f"{name} >= -{bound}" for bound in public)
    for one, other in itertools.combinations(changed, 2):
        yield f"{one} <= {other}"
        yield f"{one} >= {other}"
        for total in ("0", *public):
            yield f"{one} + {other} == {total}"
            yield f"{one} + {other} <= {total}"
            yield f"{one} - {other} == {total}"
    if of_cost:
        yield from _cost_bounds(mechanism, changed, states)


def _distances(mechanism: Mechanism, name: str, states: Sequence[SeenState]) -> Iterator[str]:
    """How far a variable may lie above its value on D′, and how far below; equality is among the prover's own."""
    gaps = [Fraction(state.names[name]) - Fraction(state.names_[name]) for state in states]
    if not any(gaps):
        return
    bounds = dict.fromkeys(str(kind.sensitivity) for kind in mechanism.private.values())
    yield f"{name} <= {name}_"
    yield f"{name} >= {name}_"
    for bound, times in itertools.product(bounds, _DISTANCES):
        most = _multiple(times, bound)
        yield f"{name}_ == {name} + {most}"
        yield f"{name} == {name}_ + {most}"
        yield f"{name} - {name}_ <= {most}"
        yield f"{name}_ - {name} <= {most}"


def _multiple(times: int, bound: str) -> str:
    try:
        return str(times * Fraction(bound))
    except ValueError:  # the name of a public parameter
        return bound if times == 1 else f"{times} * {bound}"


def _cost_bounds(mechanism: Mechanism, changed: Sequence[str], states: Sequence[SeenState]) -> Iterator[str]:
    """Bounds on the cost so far, by what a variable has gained since the loop began."""
    entry = _largest((state.public, state.cost) for state in states if not state.rounds)
    for paid in _expressions(mechanism, entry):
        yield f"{PRIVACY_COST} <= {paid or '0'}"
    for name in changed:
        for start in ("0", *(n for n, kind in mechanism.public.items() if kind.integer and not kind.vector)):
            yield from _by_gain(mechanism, name, start, states, entry)


_Costs = Mapping[tuple[tuple[str, Any], ...], Fraction]
"""The largest cost, or rate, that was seen for each setting of the public parameters."""


def _by_gain(
    mechanism: Mechanism, name: str, start: str, states: Sequence[SeenState], entry: _Costs
) -> Iterator[str]:
    """Bounds that are linear in how far a variable has come from where it starts."""
    gains = [(state, Fraction(state.names[name]) - _start(state, start)) for state in states]
    if any(gain for state, gain in gains if not state.rounds):
        return
    falls = all(gain <= 0 for _, gain in gains)
    if not falls and not all(gain >= 0 for _, gain in gains):
        return
    since = [
        (state.public, (state.cost - entry.get(_key(state.public), Fraction(0))) / abs(gain))
        for state, gain in gains
        if gain
    ]
    gained = name if start == "0" else f"({name} - {start})"
    if falls:
        gained = f"(-{name})" if start == "0" else f"({start} - {name})"
    for paid, rate in itertools.product(_expressions(mechanism, entry), _expressions(mechanism, _largest(since))):
        if rate:
            parted = f"({rate})" if " + " in rate or " - " in rate else rate
            yield f"{PRIVACY_COST} <= {f'{paid} + ' if paid else ''}{gained} * {parted}"


def _start(state: SeenState, start: str) -> Fraction:
    return Fraction(0) if start == "0" else Fraction(state.public[start])


def _key(public: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(public.items())


def _largest(points: Iterator[tuple[Mapping[str, Any], Fraction]] | Sequence[Any]) -> _Costs:
    most: dict[tuple[tuple[str, Any], ...], Fraction] = {}
    for public, cost in points:
        most[_key(public)] = max(most.get(_key(public), Fraction(0)), cost)
    return most


def _expressions(mechanism: Mechanism, costs: _Costs) -> list[str]:
    """Expressions of the public parameters that are never below the costs; empty text for 0."""
    if not any(costs.values()):
        return [""]
    return list(itertools.islice(fitting_claims(mechanism, [(dict(key), c) for key, c in costs.items()]), _EXPRESSIONS))


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
        candidates = claimed(solution, runs.pairs, runs.public, wanted)
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

    ``seen`` are the sources that were checked before; those that are checked join them. No larger claim makes up for a
    delta that is too small, and no larger delta for a claim that is.
    """
    refuted: set[str] = set()
    fitting: str | None = None
    for text, claim in candidates:
        source = text.source(claim)
        if source in seen or claim in refuted or fitting not in (None, claim):
            continue
        seen.add(source)
        deadline.check()
        try:
            alignment = read(text.mechanism, source)
        except (InputError, LanguageError):  # a name of the mechanism is also one of the alignment's own
            continue
        result = _checked(alignment, deadline, say)
        delta = text.deltas[0] if text.deltas else None
        proposal = Proposal(source, text.imports, claim, result, shape, alignment=alignment, delta=delta)
        yield proposal
        if delta is not None and result.verdict is Verdict.REFUTED:
            refuted.add(claim)
        if only_limits_are_open(result):
            fitting = claim
            continue
        if result.verdict is Verdict.UNDECIDED:
            say(f"the claim {claim}: looking for invariants")
        proved = proposal if result.proved else with_invariants(text, proposal, deadline)
        if proved is None:
            continue
        if proved is not proposal:
            yield proved
        if wanted is None and delta is None:
            yield from _tightened(text, proved, deadline, say)
        return


def only_limits_are_open(result: Result) -> bool:
    """Whether a proof lacks but a larger delta, for which no invariant makes up."""
    return [name for name, of in result.conditions.items() if of.status is not Verdict.PROVED] == [LIMITS]


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
