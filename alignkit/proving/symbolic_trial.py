"""One symbolic trial: D on H, the alignment, and D′ on φ(H), along one path.

A trial offers the steps that stages are made of; which steps are taken, and what is asked between them, is the
stage's own. What a path gave rise to is its record.

Exploring a stage: one trial for each path through it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from alignkit.errors import Clash, Infeasible, Parted, Undefined, Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.exploring import explore
from alignkit.interpreting.values import Environment, Family, LimitOf, Returned, Signal
from alignkit.language.program import For, LimitForm, walk
from alignkit.proving.conditions import cost, noise_used, same_outputs
from alignkit.proving.conditions import shifts as countable
from alignkit.proving.conditions.cost import Bound
from alignkit.proving.conditions.finite_choices import choice_allowed
from alignkit.proving.conditions.lemma_obligations import same_call
from alignkit.proving.conditions.one_to_one.by_pieces import Volume
from alignkit.proving.conditions.shifts import shift_allowed
from alignkit.proving.conditions.valid_noise import kept_within
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.hypotheses import Caches, Hypotheses, Premise
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.facts.ranges import within
from alignkit.proving.facts.universals import Quantifier
from alignkit.proving.obligation import Obligation, Obligations
from alignkit.proving.runs.aligned_run import AlignedRunContext, InStep
from alignkit.proving.runs.alignment_run import BESIDE_ONE_LOOP, AligningContext, ChargedLimit, Shifts
from alignkit.proving.runs.lemma_calls import UNKNOWN_OUTPUTS, LemmaCall, Lemmas, is_unknown
from alignkit.proving.runs.loop_states import ITERATION, Gains, LoopRound
from alignkit.proving.runs.output_shapes import Held, Offsets, Shape, Shapes
from alignkit.proving.runs.path_trace import Trace, VaryingScale, kind_given, numbers_within, of_iteration, traced_draws
from alignkit.proving.runs.returned_forms import ReturnForm
from alignkit.proving.runs.run_on_d import ComparedStep, FamilyDraw, RunContext, SymbolicDraw
from alignkit.proving.runs.seen_output import RealParts
from alignkit.proving.symbolic_inputs import Inputs, direction
from alignkit.proving.vectors.selections import Naming
from alignkit.running.alignment_program import DIRECTION, AlignmentProgram
from alignkit.running.claims import OMEGA
from alignkit.running.draws import called_mechanisms
from alignkit.symbolic.formulas import conjunction, implies
from alignkit.symbolic.paths import Path
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role
from alignkit.verdicts import CallPart, Presumed

# What conditions on the variables of a loop may mention.
_OF_LOOP = {Role.STATE, Role.INDEX}
_OF_STATE = {Role.PUBLIC, *_OF_LOOP}


@dataclass(frozen=True)
class Appended:
    """What D appended to a list in one arbitrary iteration: how many items, of which shapes, how far their numbers lie
    from the iteration, and which selected positions each of them names.
    """

    items: int
    shapes: Shapes
    offsets: Offsets
    named: frozenset[Naming] = frozenset()


@dataclass(frozen=True)
class Iteration:
    """What D did in one arbitrary iteration.

    ``shapes`` are those of its outputs and of those before the loop, ``drawn`` are its draws, ``called`` says whether
    it calls mechanisms by their lemmas or draws vectors, ``positions`` are the parts of every output that a call gave,
    or D selected, and that are a position in the first private list (None: it puts nothing out), ``named`` is what its
    outputs name (None: not looked for), ``gains`` what it adds to the variables. ``discrete`` is whether its outputs
    have no real part, and ``offsets`` how far their numbers lie from the iteration. ``appended`` is what it appends to
    lists, by name, ``kept`` are the variables that it leaves as they are, and ``marked`` those that it sets to its
    number, each with what is added to that. ``held`` are those that it sets to a number of its only output, each with
    the number's place.
    """

    outputs: int
    shapes: Shapes
    drawn: frozenset[str]
    called: bool
    positions: frozenset[int | None] | None
    goes_on: bool
    named: frozenset[Naming] | None
    discrete: bool
    gains: Gains
    offsets: Offsets = ()
    appended: tuple[tuple[str, Appended], ...] = ()
    kept: frozenset[str] = frozenset()
    marked: tuple[tuple[str, int], ...] = ()
    held: frozenset[Held] = frozenset()


@dataclass(frozen=True)
class Preview:
    """What D's path to a loop and through one iteration shows of the loop.

    ``changed`` are the variables that the body changes, ``grown`` the lists that it makes longer, ``vectors`` is
    whether vectors are drawn before the loop. ``iteration`` is None where none came to its end, and ``returned`` where
    the path does not end, or returns nothing. ``outputs_after`` are the shapes of the outputs after the loop.
    """

    loop: For
    changed: tuple[str, ...]
    vectors: bool
    iteration: Iteration | None = None
    grown: tuple[str, ...] = ()
    returned: ReturnForm | None = None
    outputs_after: tuple[Shape, ...] = ()


@dataclass
class Record:
    """What one path gave rise to.

    ``left_to_others`` are obligations that other stages list, or are to be listed because none does.
    ``one_to_one`` says how, where it is not by an order of the noise. ``pair`` is what is known where two runs with
    one output and one image are compared. ``premises`` is
    what must be possible. ``varying`` are the draws so far whose scales vary. ``compared`` is what D′
    decided and put out, in order. ``relied_on`` names the obligations whose goals were taken as known,
    ``orders`` are those of the noise, and ``told_by_draws`` the conditions on noise without which an order was found.
    ``reals`` are the numbers that D puts out, and which of them shifts have read. For a reader of the proof, ``named``
    are the numbers by the names of D, then those of the alignment, ``named_again`` those of the alignment on a second
    noise vector, ``shifts`` those by which noise was moved, ``after_`` the variables of D′ after an iteration that
    goes on, and ``charged`` what draws were charged for limits; nothing is decided by them.
    """

    obligations: list[Obligation]
    left_to_others: list[Obligation]
    presumed: list[Presumed]
    relied_on: set[tuple[str, Any]] = field(repr=False)
    orders: list[tuple[frozenset[str], tuple[str, ...]]] = field(repr=False)
    told_by_draws: list[Any] = field(repr=False)
    trace: Trace | None = None
    bounds: list[Bound] = field(default_factory=list)
    preview: Preview | None = None
    one_to_one: str = ""
    calls: list[CallPart] = field(default_factory=list)
    pair: Hypotheses | None = None
    premises: list[Premise] = field(default_factory=list, repr=False)
    varying: list[VaryingScale] = field(default_factory=list)
    compared: list[ComparedStep] = field(default_factory=list, repr=False)
    reals: RealParts = field(default_factory=RealParts, repr=False)
    named: tuple[Mapping[str, Term], Mapping[str, Term]] = field(default=({}, {}), repr=False)
    named_again: Mapping[str, Term] = field(default_factory=dict, repr=False)
    shifts: dict[Term, Term] = field(default_factory=dict, repr=False)
    after_: Mapping[str, Any] = field(default_factory=dict, repr=False)
    charged: list[ChargedLimit] = field(default_factory=list, repr=False)


@dataclass(frozen=True)
class Ended:
    """A run that is over."""

    signal: Signal


@dataclass(frozen=True)
class AtLoop:
    """A run that has reached a loop of symbolic length, with its variables there."""

    number: int
    node: For
    items: Family
    names: Environment


@dataclass(frozen=True)
class DPrime:
    """D′'s run: what it decides and records, and what evaluates it."""

    context: AlignedRunContext
    evaluator: Evaluator


class SymbolicTrial:
    """The runs of one path; made anew for each path.

    ``serving`` is the condition that being defined serves at the moment: termination on D, others later. ``ways``
    are the loops that are over, each with how it ended.
    """

    def __init__(
        self,
        alignment: AlignmentProgram,
        inputs: Inputs,
        path: Path,
        tick: Callable[[], object],
        caches: Caches | None = None,
        lemmas: Lemmas | None = None,
        *,
        charging: bool = False,
    ) -> None:
        self.charging = charging
        self._within_limits = [0, 0]  # of how many single draws and vectors it is known that no limit is broken
        self.alignment = alignment
        self.mechanism = alignment.mechanism
        self.inputs = inputs
        self.facts = Facts(path, inputs, tick, caches)
        self.owed = Obligations(self.facts, charging=charging)
        owed = self.owed
        self.record = Record(
            owed.listed, owed.left_to_others, owed.presumed, self.facts.relied_on, owed.orders, owed.told_by_draws
        )
        self.place = alignment.program.place
        on_draw = partial(noise_used.note_scale, self.owed, self.record.varying)
        self.run = RunContext(self.owed, self.mechanism.keys, on_draw)
        self.run.lemmas = lemmas or Lemmas(alignment.lemmas)
        self.evaluator = Evaluator(self.run)
        self.ended = "end"
        self.ways: tuple[str, ...] = ()
        self.names_of_d: Environment = {}
        self.names_of_alignment: Environment = {}
        self.names_of_other: Environment = {}
        self.serving = "termination"

    @property
    def reads_output(self) -> bool:
        """Whether the alignment reads the output."""
        return "omega" in self.alignment.program.parameters

    @property
    def returns(self) -> bool:
        """Whether the program returns its output, instead of yielding it item by item."""
        return not self.mechanism.program.is_generator

    @property
    def has_one_loop(self) -> bool:
        """Whether the program's own text has no more than one loop, and inlines no mechanism that might have others."""
        program = self.mechanism.program
        loops = sum(isinstance(node, For) for node in walk(*program.body))
        return loops <= 1 and all(self.run.lemmas.of(node) is not None for node in called_mechanisms(program))

    # The runs

    @property
    def values_(self) -> Mapping[str, Any]:
        """The arguments of the second run: those of D′, or where D's limits are charged for, of D itself."""
        return self.inputs.values if self.charging else self.inputs.values_

    def arguments(self, values: Any) -> Environment:
        """The arguments of a run, the noise included."""
        return self.mechanism.environment(values)

    def advance(self, evaluator: Evaluator, names: Environment, start: int = 0) -> Ended | AtLoop:
        """Run the body's statements from ``start`` to the first loop of symbolic length, or to the end."""
        body = self.mechanism.program.body
        for number, statement in enumerate(body[start:], start):
            if isinstance(statement, For):
                items = evaluator.iterable(statement.iterable, names)
                if isinstance(items, Family):
                    return AtLoop(number, statement, items, names)
            signal = evaluator.statement(statement, names)
            if signal is not None:
                return Ended(signal)
        return Ended(None)

    def run_d(self) -> Ended | AtLoop:
        """Run D from its start to the first loop of symbolic length, or to its end."""
        names = self.arguments(self.inputs.values)
        self.names_of_d = names
        at = self.advance(self.evaluator, names)
        if isinstance(at, Ended):
            self.finish_d(at.signal)
        return at

    def finish_d(self, signal: Signal) -> None:
        """Record how D ended; a returned value is its output."""
        self.ended = "return" if isinstance(signal, Returned) else "end"
        if not self.mechanism.program.is_generator:
            value = signal.value if isinstance(signal, Returned) else None
            self.run.emit(value, self.evaluator.ended_at or self.mechanism.program.place)

    def align(self, omega: Any, context: AligningContext, *, beside_loop: bool = False) -> Shifts:
        """Run the alignment on what it may see; its loops of symbolic length must stand beside one of the mechanism."""
        if self.reads_output and is_unknown(tuple(output.value for output in self.run.emitted)):
            raise Unsupported(UNKNOWN_OUTPUTS, self.place)
        values = {**self.inputs.values, "omega": omega, "H": None}
        values |= {f"{name}_": self.inputs.values_[name] for name in self.mechanism.private}
        values.setdefault(DIRECTION, direction())
        names = {name: values[name] for name in self.alignment.program.parameters}
        signal = Evaluator(context).block(self.alignment.program.body, names)
        self.names_of_other = names if self.names_of_alignment else {}
        self.names_of_alignment = self.names_of_alignment or names
        if context.loops and not beside_loop:
            raise Unsupported(BESIDE_ONE_LOOP, context.loops[0].node.place)
        returned: Any = signal.value if isinstance(signal, Returned) else None
        named = dict(returned)
        limits = {key: value for key, value in named.items() if isinstance(key, LimitOf)}
        shifts = {key: value for key, value in named.items() if key not in limits and not self.charging}
        context.taken_at_once = tuple(context.conditions)
        charged = self.record.charged
        return Shifts(
            shifts, context, self.place, self.record.shifts, limits, charging=self.charging, charged=charged
        )

    def no_limit_broken(self, shifts: Shifts) -> None:
        """Take as known that what D has drawn so far keeps within the limits of the alignment.

        Where D's limits are charged for, nothing is: what is charged there covers all runs.
        """
        if self.charging or not shifts.limits:
            return
        singles, vectors = self._within_limits
        self._within_limits = [len(self.run.drawn), len(self.run.families)]
        for draw in self.run.drawn[singles:]:
            for limit in shifts.limits_at(draw.where):
                if limit.form is not LimitForm.DISTINCT:
                    self.facts.assume(kept_within(self.owed, draw, limit), FactOrigin.LIMIT)
        for drawn in self.run.families[vectors:]:
            shifts.lengths_match(drawn)
            self.facts.universal(partial(self._all_within, shifts, drawn), FactOrigin.LIMIT)
            if LimitOf(drawn.where.key, LimitForm.DISTINCT) in shifts.limits:
                self.facts.universal(partial(_distinct, shifts, drawn), FactOrigin.LIMIT, over=Quantifier.PAIR)

    def _all_within(self, shifts: Shifts, drawn: FamilyDraw, index: Term) -> Any:
        limits = shifts.limits_at(drawn.where, index)
        alone = (limit for limit in limits if limit.form is not LimitForm.DISTINCT)
        kept = tuple(kept_within(self.owed, drawn.at(index), limit) for limit in alone)
        return implies(within(index, drawn.length), conjunction(kept))

    def d_prime(self, shifts: Shifts) -> DPrime:
        """D′ on the aligned noise, held against D at each of its events; it is not started yet."""
        self.no_limit_broken(shifts)
        draw, family = partial(noise_used.same_draw, self.owed), partial(noise_used.same_family, self.owed)
        chosen = partial(choice_allowed, self.owed, shifts)
        in_step = InStep(partial(_same_call, self.owed, self.record.calls), draw, chosen, family, same_outputs.match)
        context = AlignedRunContext(self.owed, self.run, shifts, in_step)
        self.record.compared = context.compared
        self.must_be_possible()
        return DPrime(context, Evaluator(context))

    def finish_d_prime(self, signal: Signal, d_prime: DPrime) -> None:
        """End D′, which must end as D did, with as much noise drawn and as much put out."""
        ended_at = d_prime.evaluator.ended_at
        ended = "return" if isinstance(signal, Returned) else "end"
        if ended != self.ended:
            raise Parted("same_output", f"D ends by {self.ended}, but D' by {ended}", ended_at or self.place)
        if not self.mechanism.program.is_generator:
            value = signal.value if isinstance(signal, Returned) else None
            d_prime.context.emit(value, ended_at or self.mechanism.program.place)
        self.in_step(d_prime)

    def in_step(self, d_prime: DPrime) -> None:
        """Raise Parted unless D′ has put out and drawn as much as D has so far."""
        aligned = d_prime.context
        if aligned.emitted != len(self.run.emitted):
            raise Parted("same_output", "D' gives fewer outputs than D", self.place)
        if aligned.called != len(self.run.calls):
            raise Parted("noise_used", "D' makes fewer calls than D", self.place)
        if aligned.drawn != len(self.run.drawn) or aligned.families != len(self.run.families):
            raise Parted("noise_used", "D' makes fewer draws than D", self.place)
        self.owed.settled("same_output", self.place, "D' gives as many outputs as D")
        self.owed.settled("noise_used", self.place, "D' makes the draws of D, and no others")

    # The conditions that every stage asks

    def single_shifts_allowed(self, drawn: list[SymbolicDraw], shifts: Shifts) -> None:
        """Oblige the shift of each single draw to be valid noise, to have a bound on its cost, and to be countable."""
        self.no_limit_broken(shifts)
        for draw in drawn:
            shift_allowed(self.owed, draw, shifts.of(draw), self.place)
        if not drawn:
            self.owed.settled("valid_noise", self.place, "where no single draw is made, none is moved")
        branches = "a branch of the alignment", shifts.context.conditions
        countable.discrete_only(self.owed, *branches, self.place, countable.READ_IN_BRANCHES)

    def within_claim(self, total: Term, shifts: Shifts, omega: Any, volumes: Iterable[Volume] = ()) -> None:
        """Oblige the whole cost to stay within the claim, and note what it is; ``omega`` is D's output."""
        claim = self._claim(shifts.context, omega)
        self.record.bounds += cost.within_claim(self.owed, total, claim, self.alignment.claim, self.place, volumes)

    def _claim(self, context: AligningContext, omega: Any) -> Term:
        """The claim, which must be defined like the alignment that it stands beside."""
        with context.labelled(f" (in the claim {self.alignment.claim})"):
            names = {**self.inputs.values, OMEGA: omega}
            return Term.of(Evaluator(context).number(self.alignment.claim_expression, names))

    def must_be_possible(self, goal: Any = True) -> None:
        """Record what is known here, where the proof speaks of runs; ``goal`` mentions the indices that matter."""
        self.record.premises.append(self.facts.premise(goal))

    def note(
        self,
        moved: Term,
        round_: LoopRound | None = None,
        appended: tuple[Any, ...] = (),
        drawn_before: int = 0,
    ) -> None:
        """Record what D did on this path up to here, where the shifts cost ``moved``.

        ``appended`` is what it has appended to lists of which the output shows everything, and ``drawn_before`` the
        number of single draws that are not the noise of its last step.
        """
        self.owed.settled("termination", self.place, f"D's run comes to an end: {self.ended}")
        outputs = (*(e.value for e in self.run.emitted), *appended)
        self.must_be_possible(moved.compare("<=", 0))
        self.record.trace = Trace(
            outputs=outputs,
            kinds=tuple(kind_given(self.facts, emitted.value) for emitted in self.run.emitted),
            ended="; ".join((*self.ways, self.ended)),
            draws=traced_draws(self.facts, self.run),
            public=tuple(f for f in self.facts.path.assumed if roles(f) <= {Role.PUBLIC}),
            hypotheses=self.facts.hypotheses(moved.compare("<=", 0)),
            places=tuple(e.place.line for e in self.run.emitted),
            place=self.evaluator.ended_at,
            cost=moved,
            round=round_,
            spread=self._spread(outputs, drawn_before),
            of_iteration=tuple(f for f in self.facts.path.assumed if ITERATION in atoms_within(f) and of_iteration(f)),
            of_state=tuple(f for f in self.facts.path.assumed if roles(f) & _OF_LOOP and roles(f) <= _OF_STATE),
            assumed=tuple(self.facts.path.assumed),
            varying=tuple(self.record.varying),
        )

    def _spread(self, outputs: tuple[Any, ...], drawn_before: int) -> frozenset[str]:
        """The keys of the real parts of outputs that equal each fixed number with probability 0, by draws since."""
        reals = (part for part in numbers_within(outputs) if not part.integer)
        return frozenset(real.key for real in reals if self.run.spread(real, drawn_before))


def _distinct(shifts: Shifts, drawn: FamilyDraw, one: Term, other: Term) -> Any:
    """That two different draws of a list have different sums, where a limit is given for both."""
    limits = (shifts.limits_at(drawn.where, index) for index in (one, other))
    first, second = ([limit for limit in each if limit.form is LimitForm.DISTINCT] for each in limits)
    places = within(one, drawn.length), within(other, drawn.length), one.compare("!=", other)
    lead = drawn.value(one) - drawn.value(other)
    differ = (
        implies(conjunction((a.given, b.given)), (lead + a.value - b.value).compare("!=", 0))
        for a, b in zip(first, second, strict=True)
    )
    return implies(conjunction(places), conjunction(tuple(differ)))


def _same_call(owed: Obligations, noted: list[CallPart], call: LemmaCall, other: Mapping[str, Any]) -> None:
    """Oblige what a call needs for its lemma, and note it for the report."""
    before = len(owed.listed)
    same_call(owed, call, other)
    if owed.facts.path.repeats:
        return
    words = (o.words.partition(": ")[2] for o in owed.listed[before:] if o.condition in ("cost", "noise_used"))
    lemma, line = call.lemma.alignment.name, call.node.place.line
    obligations = tuple(dict.fromkeys(words))
    noted.append(CallPart(call.where.key, line, lemma, _price(call), bool(call.where.index), obligations))


def _price(call: LemmaCall) -> str:
    """What a call costs at most, for a report."""
    if call.equal:
        return "0, since its answers are the same on D and D'"
    return f"{call.claim}{', or 0 where its answers do not change' if call.expected else ''}"


# Runs one path of a trial.
Stage = Callable[[SymbolicTrial], None]


@dataclass(frozen=True)
class Exploration:
    """Explores the stages of an alignment on given inputs; ``tick`` raises OutOfTime where the time is used up.

    With ``charging`` it explores what the alignment's limits cost in probability: D alone, twice.

    ``last_run`` remembers, for ``planned_runs``, under what each stage was last run, with its records.
    """

    alignment: AlignmentProgram
    inputs: Inputs
    tick: Callable[[], object]
    lemmas: Lemmas | None = None
    caches: Caches = field(default_factory=Caches, repr=False)
    charging: bool = False
    last_run: dict[Hashable, tuple[Any, list[Record]]] = field(default_factory=dict, repr=False, compare=False)

    def records(self, stage: Stage) -> list[Record]:
        """One record for each path through a stage."""
        return list(explore(lambda choices: self._run(stage, Path(choices, self.tick))))

    def _run(self, stage: Stage, path: Path) -> Record:
        """What a path gives rise to. However it ends, the obligations from before its end stand."""
        trial = SymbolicTrial(
            self.alignment, self.inputs, path, self.tick, self.caches, self.lemmas, charging=self.charging
        )
        try:
            stage(trial)
        except Parted as parted:
            trial.owed.exclude(parted.condition, parted.place, parted.words)
        except Undefined as problem:
            # A requirement may have obliged this already, but not every way of being undefined comes with one.
            trial.owed.exclude(trial.serving, problem.place, f"the run is defined: {problem.problem}")
        except Clash as clash:
            words = f"what is assumed of {clash.words} is what runs do"
            hypotheses = trial.facts.of_runs(False)
            trial.record.obligations.append(Obligation("same_output", hypotheses, False, words, trial.place))
        except Infeasible:
            pass
        finally:
            trial.facts.over()
        trial.record.named = _numbers(trial.names_of_d), _numbers(trial.names_of_alignment)
        trial.record.named_again = _numbers(trial.names_of_other)
        return trial.record


def _numbers(names: Environment) -> dict[str, Term]:
    return {name: value for name, value in names.items() if isinstance(value, Term)}
