"""One symbolic trial: D on H, the alignment, D′ on φ(H), along one path; what it finds are obligations.

A program without a loop over the queries is run from end to end. One with such a loop is run to the loop's head;
there what the body changes is forgotten and related again by the plan's invariants; then either one arbitrary
iteration is run, and the rest of the program where it leaves the loop, or the loop is over and the rest is run.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from alignkit.errors import Parted
from alignkit.interpreting.evaluator import Environment, Evaluator, Returned, Signal
from alignkit.interpreting.values import NOISE, Family
from alignkit.language.program import For, Place
from alignkit.proving import cost_bounds
from alignkit.proving import invariants as inv
from alignkit.proving.aligning import AligningContext, Shifts
from alignkit.proving.conditions import cost, countable, noise_used, valid_noise
from alignkit.proving.conditions.noise_used import Drawn
from alignkit.proving.conditions.pieces import Volume, extra_cost, log_facts
from alignkit.proving.contexts import AlignedRunContext, RunContext
from alignkit.proving.cost_bounds import Bound
from alignkit.proving.events import SymbolicDraw
from alignkit.proving.hypotheses import Hypotheses
from alignkit.proving.inputs import Inputs
from alignkit.proving.ledger import Ledger, Presumption, Shared
from alignkit.proving.naming import Naming
from alignkit.proving.obligation import Obligation
from alignkit.proving.omega import OutputStream, Reading
from alignkit.proving.shapes import Shapes
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.claims import OMEGA
from alignkit.symbolic.paths import Path
from alignkit.symbolic.terms import Role, Term, roles


class Part(enum.Enum):
    """Which stretch of a program with a loop a trial covers."""

    ITERATION = "one arbitrary iteration"
    REST = "what follows the loop"
    HEAD = "up to the loop's head, where invariants are stated"
    PREVIEW = "D alone, to the end of one arbitrary iteration"
    PIECES = "a whole run, whose alignment is one-to-one by pieces"
    PAIRS = "two runs with one output, which must not have one image"


@dataclass(frozen=True)
class Trace:
    """What D did on one path: its outputs and how it ended, what it drew, and what is known there.

    ``public`` are the conditions on public values alone that lead down the path.
    """

    outputs: tuple[Any, ...]
    ended: str
    draws: tuple[Drawn, ...]
    public: tuple[Any, ...] = field(repr=False)
    hypotheses: Hypotheses = field(repr=False)
    places: tuple[int, ...]
    place: Place | None
    cost: Term
    round: inv.Round | None = None

    @property
    def key(self) -> Hashable:
        """Equal for traces that say the same."""
        return self.outputs, self.ended, self.draws, self.hypotheses.key


@dataclass(frozen=True)
class Iteration:
    """What D did in one arbitrary iteration: its draws, and the shapes of its outputs and of those before the loop."""

    outputs: int
    shapes: Shapes
    drawn: frozenset[str]
    goes_on: bool


@dataclass
class Record:
    """What one path gave rise to."""

    obligations: list[Obligation]
    presumed: list[Presumption]
    trace: Trace | None = None
    loop: For | None = None
    changed: tuple[str, ...] = ()
    bounds: list[Bound] = field(default_factory=list)
    seen: Iteration | None = None
    vectors: bool = False  # whether vectors are drawn before the loop
    named: frozenset[Naming] | None = None
    one_to_one: str = ""  # how, where it is not by an order of the noise
    pair: Hypotheses | None = None  # what is known where two runs are compared


class Trial:
    """Runs one path; made anew for each."""

    def __init__(
        self,
        alignment: Alignment,
        inputs: Inputs,
        plan: inv.Plan | None,
        part: Part,
        path: Path,
        tick: Callable[[], object],
        shared: Shared | None = None,
    ) -> None:
        self.alignment = alignment
        self.mechanism = alignment.mechanism
        self.inputs = inputs
        self.plan = plan
        self.part = part
        self.ledger = Ledger(path, inputs, tick, shared)
        self.record = Record(self.ledger.obligations, self.ledger.presumed)
        self.place = alignment.program.place
        self.run = RunContext(self.ledger, self.mechanism.keys)
        self.evaluator = Evaluator(self.run)
        self.stream = OutputStream()
        self.ended = "end"
        self.running = "termination"  # the condition that being defined serves just now: D's, or the others'

    def arguments(self, values: Any) -> Environment:
        """The arguments of a run, the noise included."""
        parameters = self.mechanism.program.parameters
        return {p: NOISE if p == self.mechanism.noise_name else values[p] for p in parameters}

    def advance(self, evaluator: Evaluator, names: Environment, start: int) -> Ended | AtLoop:
        """Run the body's statements from ``start`` to the first loop of symbolic length, or to the end."""
        body = self.mechanism.program.body
        for number, statement in enumerate(body[start:], start):
            if isinstance(statement, For):
                items = evaluator.iterable(statement.iterable, names)
                if isinstance(items, Family):
                    return AtLoop(number, statement, items)
            signal = evaluator.statement(statement, names)
            if signal is not None:
                return Ended(signal)
        return Ended(None)

    def finish_run(self, signal: Signal) -> None:
        """D is over: a returned value is its output."""
        self.ended = "return" if isinstance(signal, Returned) else "end"
        if not self.mechanism.program.is_generator:
            value = signal.value if isinstance(signal, Returned) else None
            self.run.emit(value, self.evaluator.ended_at or self.mechanism.program.place)

    def finish_aligned(self, signal: Signal, evaluator: Evaluator, aligned: AlignedRunContext) -> None:
        """D′ is over where D is, with as much noise drawn and as much put out."""
        ended = "return" if isinstance(signal, Returned) else "end"
        if ended != self.ended:
            raise Parted("same_output", f"D ends by {self.ended} and D' by {ended}", evaluator.ended_at or self.place)
        if not self.mechanism.program.is_generator:
            value = signal.value if isinstance(signal, Returned) else None
            aligned.emit(value, evaluator.ended_at or self.mechanism.program.place)
        self.in_step(aligned)

    def in_step(self, aligned: AlignedRunContext) -> None:
        """D′ has put out and drawn as much as D has so far."""
        if aligned.emitted != len(self.run.emitted):
            raise Parted("same_output", "D' gives fewer outputs than D", self.place)
        if aligned.drawn != len(self.run.drawn) or aligned.families != len(self.run.families):
            raise Parted("noise_used", "D' draws less noise than D", self.place)

    def stream_seen_by(self, context: AligningContext) -> Family | None:
        """The output that a loop makes, as the alignment reads it."""
        if not self.mechanism.program.is_generator:
            return None
        return self.stream.seen(Reading(context, self.place))

    def align(self, omega: Any, context: AligningContext) -> Shifts:
        """Run the alignment on what it may see."""
        known = {**self.inputs.values, "omega": omega, "H": None}
        known |= {f"{name}_": self.inputs.values_[name] for name in self.mechanism.private}
        arguments = tuple(known[name] for name in self.alignment.program.parameters)
        named = dict(Evaluator(context).call(self.alignment.program, arguments))
        return Shifts(self.alignment, self.ledger, named, context)

    def single_draws(self, drawn: list[SymbolicDraw], shifts: Shifts) -> None:
        """What is asked of the shift of each single draw."""
        for draw in drawn:
            shift = shifts.of(draw)
            valid_noise.stays_in_support(
                self.ledger, str(draw.where), draw.distribution, draw.arguments, draw.value, shift, self.place
            )
            cost.has_bound(self.ledger, str(draw.where), draw.distribution, shift, self.place)
            countable.discrete_only(self.ledger, f"the shift of {draw.where}", [shift], self.place)
        countable.discrete_only(self.ledger, "the alignment", shifts.context.conditions, self.place)

    def cost_of(self, drawn: list[SymbolicDraw], shifts: Shifts) -> Term:
        """What the shifts of single draws cost together."""
        return sum((cost.of_draw(d, shifts.of(d)) for d in drawn), Term.of(0))

    def within_claim(
        self, total: Term, context: AligningContext, omega: Any, volumes: Iterable[Volume] = ()
    ) -> None:
        """Oblige the whole cost to stay within the claim; on some pieces it is more than that of the shifts.

        ``omega`` is D's output, which the claim may depend on.
        """
        claim = self._claim(context, omega)
        self.record.bounds.append(cost_bounds.bound(self.ledger, total, claim))
        words = f"the shifts cost at most {self.alignment.claim}"
        self.ledger.oblige("cost", total.compare("<=", claim), self.place, words)
        for volume in volumes:
            whole = total + extra_cost(volume)
            given = (*volume.conditions, *log_facts(whole - claim))
            self.record.bounds.append(cost_bounds.bound(self.ledger, whole, claim, given))
            words = f"the shifts and -log |det J| cost at most {self.alignment.claim}"
            self.ledger.oblige("cost", whole.compare("<=", claim), self.place, words, given=given)

    def _claim(self, context: AligningContext, omega: Any) -> Term:
        """The claim, which must be defined like the alignment that it stands beside."""
        label, context.label = context.label, f" (in the claim {self.alignment.claim})"
        claim = Evaluator(context).number(self.alignment.claim_expression, {**self.inputs.values, OMEGA: omega})
        context.label = label
        return Term.of(claim)

    def shifted(self, shifts: Shifts) -> Any:
        """The aligned noise of a single draw."""
        return lambda draw: draw.value + shifts.of(draw)

    def shifted_family(self, shifts: Shifts) -> Any:
        """The shift of a vector's draw at an index."""
        return lambda drawn, index: shifts.of_family(drawn, index)

    def note(self, moved: Term, round_: inv.Round | None = None) -> None:
        """Note what D did on this path, up to here."""
        self.record.trace = Trace(
            outputs=tuple(e.value for e in self.run.emitted),
            ended=self.ended,
            draws=noise_used.drawn(self.ledger, self.run),
            public=tuple(f for f in self.ledger.path.assumed if roles(f) <= {Role.PUBLIC}),
            hypotheses=self.ledger.hypotheses(moved.compare("<=", 0)),
            places=tuple(e.place.line for e in self.run.emitted),
            place=self.evaluator.ended_at,
            cost=moved,
            round=round_,
        )


@dataclass(frozen=True)
class Ended:
    """A run that is over."""

    signal: Signal


@dataclass(frozen=True)
class AtLoop:
    """A run that has reached a loop of symbolic length."""

    number: int
    node: For
    items: Family

