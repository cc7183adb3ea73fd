"""One symbolic trial: D on H, the alignment, D′ on φ(H), along one path; what it finds are obligations.

A program without a loop over the queries is run from end to end. One with such a loop is run to the loop's head;
there what the body changes is forgotten and related again by the plan's invariants; then either one arbitrary
iteration is run, and the rest of the program where it leaves the loop, or the loop is over and the rest is run.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any

from alignkit.language.program import For, Place, Yield, assigned, walk
from alignkit.proving import invariants as inv
from alignkit.proving.aligning import AligningContext, Shifts, noise_vector, stream_noise
from alignkit.proving.conditions import cost, countable, one_to_one, valid_noise
from alignkit.proving.conditions.noise_used import ITERATION
from alignkit.proving.contexts import AlignedRunContext, Parted, RunContext, SymbolicDraw, within
from alignkit.proving.inputs import Inputs, primed
from alignkit.proving.ledger import Ledger, Presumption
from alignkit.proving.obligation import Obligation
from alignkit.proving.omega import OutputStream, seen
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment import Alignment
from alignkit.running.evaluator import Broke, Environment, Evaluator, Returned, Signal
from alignkit.running.values import NOISE, Family, Undefined, Unsupported
from alignkit.symbolic.formulas import comparison
from alignkit.symbolic.paths import Infeasible, Path
from alignkit.symbolic.terms import Role, Symbol, Term, roles


class Part(enum.Enum):
    """Which stretch of a program with a loop a trial covers."""

    ITERATION = "one arbitrary iteration"
    REST = "what follows the loop"


@dataclass(frozen=True)
class Trace:
    """What D did on one path: its discrete output, what it drew, and what is known there."""

    signature: Any
    draws: tuple[str, ...]
    hypotheses: tuple[Any, ...] = field(repr=False)
    places: tuple[int, ...]
    place: Place | None
    cost: Term
    head: inv.State | None = None
    after: inv.State | None = None


@dataclass
class Record:
    """What one path gave rise to."""

    obligations: list[Obligation]
    presumed: list[Presumption]
    trace: Trace | None = None
    loop: For | None = None
    changed: tuple[str, ...] = ()


class Trial:
    """Runs one path; made anew for each."""

    def __init__(self, alignment: Alignment, inputs: Inputs, plan: inv.Plan | None, part: Part, path: Path) -> None:
        self.alignment = alignment
        self.mechanism = alignment.mechanism
        self.inputs = inputs
        self.plan = plan
        self.part = part
        self.ledger = Ledger(path, inputs)
        self.record = Record(self.ledger.obligations, self.ledger.presumed)
        self.place = alignment.program.place
        self.run = RunContext(self.ledger, self.mechanism.keys)
        self.evaluator = Evaluator(self.run)
        self.stream = OutputStream()
        self.ended = "end"

    def __call__(self) -> Record:
        try:
            self._whole()
        except Parted as parted:
            self.ledger.oblige(parted.condition, False, parted.place, parted.words)
        except (Undefined, Infeasible):
            pass  # the path ends here; what it obliges up to here, this end included, is in the ledger
        return self.record

    def _whole(self) -> None:
        names = self._arguments(self.inputs.values)
        at = self._advance(self.evaluator, names, 0)
        if isinstance(at, Ended):
            self._finish_run(at.signal)
            self._straight()
        else:
            self._loop(at, names)

    def _arguments(self, values: Any) -> Environment:
        parameters = self.mechanism.program.parameters
        return {p: NOISE if p == self.mechanism.noise_name else values[p] for p in parameters}

    def _advance(self, evaluator: Evaluator, names: Environment, start: int) -> Ended | AtLoop:
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

    def _finish_run(self, signal: Signal) -> None:
        """D is over: a returned value is its output."""
        self.ended = "return" if isinstance(signal, Returned) else "end"
        if not self.mechanism.program.is_generator:
            value = signal.value if isinstance(signal, Returned) else None
            self.run.emit(value, self.evaluator.ended_at or self.mechanism.program.place)

    def _finish_aligned(self, signal: Signal, evaluator: Evaluator, aligned: AlignedRunContext) -> None:
        """D′ is over where D is, with as much noise drawn and as much put out."""
        ended = "return" if isinstance(signal, Returned) else "end"
        if ended != self.ended:
            raise Parted("same_output", f"D ends by {self.ended} and D' by {ended}", evaluator.ended_at or self.place)
        if not self.mechanism.program.is_generator:
            value = signal.value if isinstance(signal, Returned) else None
            aligned.emit(value, evaluator.ended_at or self.mechanism.program.place)
        self._in_step(aligned)

    def _in_step(self, aligned: AlignedRunContext) -> None:
        if aligned.emitted != len(self.run.emitted):
            raise Parted("same_output", "D' gives fewer outputs than D", self.place)
        if aligned.drawn != len(self.run.drawn) or aligned.families != len(self.run.families):
            raise Parted("noise_used", "D' draws less noise than D", self.place)

    # A program without a loop over the queries

    def _straight(self) -> None:
        values = [e.value for e in self.run.emitted]
        output = tuple(values) if self.mechanism.program.is_generator else values[0]
        self._trace(Term.of(0))
        shifts, context = self._align(seen(output), noise_vector(self.run, self.inputs.bounded))
        self._single_draws(self.run.drawn, shifts)
        total = self._cost_of(self.run.drawn, shifts)
        indices = tuple(_index_terms(output))
        for drawn in self.run.families:
            total = total + self._family(drawn, shifts, indices)
        if self.run.families:
            families = {f.key: (f, lambda i, f=f: shifts.of_family(f, i)) for f in self.run.families}
            singles = {d.value.key: shifts.of(d) for d in self.run.drawn}
            one_to_one.two_ranks(self.ledger, context, families, singles, context.conditions, self.place)
        else:
            shifted = [one_to_one.Shifted(d, shifts.of(d), before=False) for d in self.run.drawn]
            one_to_one.acyclic_order(self.ledger, shifted, context.conditions, self.place)
        self._within_claim(total, context)
        aligned = AlignedRunContext(self.ledger, self.run, self._shifted(shifts), self._shifted_family(shifts))
        evaluator = Evaluator(aligned)
        names = self._arguments(self.inputs.values_)
        at = self._advance(evaluator, names, 0)
        if not isinstance(at, Ended):
            raise Parted("same_output", "D' enters a loop of another length", at.node.place)
        self._finish_aligned(at.signal, evaluator, aligned)

    def _family(self, drawn: Any, shifts: Shifts, outputs: tuple[Term, ...]) -> Term:
        shifts.lengths_match(drawn)
        with self.ledger.arbitrary() as index:
            shift = shifts.of_family(drawn, index)
            inside = within(index, drawn.length)
            valid_noise.stays_in_support(
                self.ledger, drawn.key, drawn.distribution, drawn.arguments(index), drawn.value(index), shift,
                self.place, given=[inside],
            )  # fmt: skip
            countable.discrete_only(self.ledger, f"the shift of {drawn.key}", [shift], self.place)
        return cost.of_family(
            self.ledger, drawn, lambda i: shifts.of_family(drawn, i), outputs, self.place
        )

    # A program with a loop over the queries

    def _loop(self, at: AtLoop, names: Environment) -> None:
        node = at.node
        kinds = self.mechanism.kinds.at_loop[node.site]
        self.record.loop = node
        self.record.changed = changed = tuple(sorted(assigned((node,)) & names.keys()))
        plan = self.plan or inv.candidates(node, kinds, changed)
        before = len(self.run.drawn)
        self._outputs_bounded(at)
        shifts, context = self._align(
            self.stream.family if self.mechanism.program.is_generator else None,
            {**stream_noise({d.key: d.depth for d in self.mechanism.draws}), **noise_vector(self.run, False)},
        )
        entry_cost = self._cost_of(self.run.drawn, shifts)
        aligned = AlignedRunContext(self.ledger, self.run, self._shifted(shifts), self._shifted_family(shifts))
        evaluator = Evaluator(aligned)
        names_ = self._arguments(self.inputs.values_)
        at_ = self._advance(evaluator, names_, 0)
        if not isinstance(at_, AtLoop) or at_.number != at.number:
            raise Parted("same_output", "D enters the loop and D' does not", node.place)
        self._in_step(aligned)
        length, length_ = Term.of(at.items.length), Term.of(at_.items.length)
        same_length = comparison(length - length_, "==")
        self.ledger.oblige("same_output", same_length, node.place, "the loop has the same length on D and D'")
        self.ledger.assume(same_length)

        vectors = any(kind.vector for kind in self.mechanism.private.values())
        spends = vectors and self.inputs.adjacency in (Adjacency.ONE, Adjacency.L1)
        spent = Term.of(0) if spends else None
        start = inv.State(dict(names), dict(names_), entry_cost, spent, Term.of(0))
        self._establish(plan, start, start, node.place, "holds when the loop begins")
        iteration = Term.of(Symbol(ITERATION, Role.INDEX, integer=True))
        rounds = iteration if self.part is Part.ITERATION else length
        head = self._forget(names, names_, plan, changed, kinds, start, rounds, node.place)
        self.ledger.assume(within(iteration, length) if self.part is Part.ITERATION else True)
        marks = len(self.run.emitted)
        self.run.iteration = iteration
        signal = self._iterate(self.evaluator, node, iteration, at.items, names)
        goes_on = self.part is Part.ITERATION and signal is None
        self.ended = "next" if goes_on else "break" if isinstance(signal, Broke) else "end"
        own = self.run.emitted[marks:]
        if not goes_on:
            self._rest_of_run(signal, at.number, names)
        if self.run.families:
            raise Unsupported("a vector of draws beside a loop over the queries", self.run.families[0].place)
        if self.part is Part.ITERATION:
            self._one_output(own, marks, iteration, context, node.place)
        moved = self._cost_of(self.run.drawn[before:], shifts)
        self._single_draws(self.run.drawn, shifts)
        shifted = [one_to_one.Shifted(d, shifts.of(d), i < before) for i, d in enumerate(self.run.drawn)]
        one_to_one.acyclic_order(self.ledger, shifted, context.conditions, self.place)
        after_change = head.changed
        if after_change is not None and self.part is Part.ITERATION:
            after_change = after_change + self._change(iteration)
            self.ledger.assume(after_change.compare("<=", self._change_bound()))
        after = inv.State(dict(names), {}, head.cost + moved, after_change, rounds + 1)
        self._trace(moved, head, after if goes_on else None)
        if not goes_on:
            self._within_claim(head.cost + moved, context)
        signal_ = self._iterate(evaluator, node, iteration, at_.items, names_)
        if type(signal_) is not type(signal):
            words = f"D {_words(signal)} and D' {_words(signal_)}"
            raise Parted("same_output", words, evaluator.ended_at or node.place)
        if goes_on:
            self._in_step(aligned)
            both = inv.State(dict(names), dict(names_), after.cost, after.changed, after.rounds)
            self._establish(plan, both, start, node.place, "is kept by every iteration")
            return
        self._rest_of_aligned(signal_, at.number, names_, evaluator, aligned)

    def _outputs_bounded(self, at: AtLoop) -> None:
        """How long the output can be, where every iteration gives exactly one (which is an obligation of its own)."""
        if "omega" not in self.alignment.program.parameters:
            return
        if not self.mechanism.program.is_generator:
            raise Unsupported("the alignment reads what a function returns after a loop", at.node.place)
        early = len(self.run.emitted)
        self.ledger.assume(self.stream.length.compare(">=", early))
        rest = self.mechanism.program.body[at.number + 1 :]
        if not any(isinstance(node, Yield) for statement in rest for node in walk(statement)):
            self.ledger.assume(self.stream.length.compare("<=", Term.of(at.items.length) + early))

    def _iterate(self, evaluator: Evaluator, node: For, iteration: Term, items: Family, names: Environment) -> Signal:
        if self.part is Part.REST:
            return None
        return evaluator.iterate(node, iteration, items.element(iteration), names)

    def _rest_of_run(self, signal: Signal, number: int, names: Environment) -> None:
        if isinstance(signal, Returned):
            self._finish_run(signal)
            return
        at = self._advance(self.evaluator, names, number + 1)
        if isinstance(at, AtLoop):
            raise Unsupported("a second loop of symbolic length", at.node.place)
        left = self.ended
        self._finish_run(at.signal)
        self.ended = self.ended if self.ended == "return" else left

    def _rest_of_aligned(
        self, signal: Signal, number: int, names: Environment, evaluator: Evaluator, aligned: AlignedRunContext
    ) -> None:
        if not isinstance(signal, Returned):
            at = self._advance(evaluator, names, number + 1)
            if isinstance(at, AtLoop):
                raise Unsupported("a second loop of symbolic length", at.node.place)
            signal = at.signal
        self.ended = "return" if self.ended == "return" else "end"
        self._finish_aligned(signal, evaluator, aligned)

    def _forget(
        self,
        names: Environment,
        names_: Environment,
        plan: inv.Plan,
        changed: tuple[str, ...],
        kinds: Any,
        start: inv.State,
        rounds: Term,
        place: Place,
    ) -> inv.State:
        """At the loop's head: what the body changes is unknown, but for the invariants."""
        for name in changed:
            kind = kinds[name].name
            if kind not in ("int", "real"):
                raise Unsupported(f"`{name}` changes in the loop and is not a number", place)
            symbol = Symbol(name, Role.STATE, integer=kind == "int")
            names[name] = Term.of(symbol)
            names_[name] = names[name]
            if name not in plan.equal:
                names_[name] = Term.of(Symbol(primed(name), Role.STATE, integer=kind == "int"))
        cost_so_far = Term.of(Symbol("cost so far", Role.STATE))
        spent = None
        if start.changed is not None:
            spent = Term.of(Symbol(inv.CHANGE, Role.STATE))
            self.ledger.assume(spent.compare(">=", 0))
            self.ledger.assume(spent.compare("<=", self._change_bound()))
        head = inv.State(dict(names), dict(names_), cost_so_far, spent, rounds)
        for each in plan.invariants:
            self.ledger.assume(each.holds(head, start))
        return head

    def _establish(self, plan: inv.Plan, state: inv.State, start: inv.State, place: Place, how: str) -> None:
        for name in sorted(plan.equal):
            goal = Term.of(state.names[name]).compare("==", state.names_[name])
            label = inv.equality(name)
            self.ledger.oblige("same_output", goal, place, f"{label}: {how}", invariant=label)
        for each in plan.invariants:
            condition = "cost" if each.about_cost else "same_output"
            self.ledger.oblige(
                condition, each.holds(state, start), place, f"{each.name}: {how}", invariant=each.name
            )

    def _one_output(
        self, own: list[Any], before: int, iteration: Term, context: AligningContext, place: Place
    ) -> None:
        """Positions in the output are iterations only where every iteration gives exactly one output."""
        if "omega" not in self.alignment.program.parameters:
            return
        if len(own) != 1:
            words = f"an iteration gives {len(own)} outputs, so that omega[i] need not be the i-th iteration's"
            self.ledger.oblige("same_output", False, place, words)
            return
        self.stream.now(tuple(e.value for e in self.run.emitted[:before]), iteration, own[0].value)
        self.ledger.assume(self.stream.length.compare(">=", iteration + before + 1))

    def _change(self, iteration: Term) -> Term:
        """What adjacency spends in this iteration."""
        name = next(n for n, kind in self.mechanism.private.items() if kind.vector)
        one, other = self.inputs.element_pair(name, iteration)
        change = other - one
        if self.inputs.adjacency is Adjacency.ONE:
            return change.compare("!=", 0).choose(1, 0)  # type: ignore[no-any-return]
        return abs(change)

    def _change_bound(self) -> Term:
        name = next(n for n, kind in self.mechanism.private.items() if kind.vector)
        return Term.of(1) if self.inputs.adjacency is Adjacency.ONE else self.inputs.sensitivity(name)

    # The alignment, and what both kinds of program ask of it

    def _align(self, omega: Any, noise: dict[str, Any]) -> tuple[Shifts, AligningContext]:
        context = AligningContext(self.ledger, noise)
        known = {**self.inputs.values, "omega": omega, "H": None}
        known |= {f"{name}_": self.inputs.values_[name] for name in self.mechanism.private}
        arguments = tuple(known[name] for name in self.alignment.program.parameters)
        named = dict(Evaluator(context).call(self.alignment.program, arguments))
        return Shifts(self.alignment, self.ledger, named, context), context

    def _single_draws(self, drawn: list[SymbolicDraw], shifts: Shifts) -> None:
        for draw in drawn:
            shift = shifts.of(draw)
            valid_noise.stays_in_support(
                self.ledger, str(draw.where), draw.distribution, draw.arguments, draw.value, shift, self.place
            )
            countable.discrete_only(self.ledger, f"the shift of {draw.where}", [shift], self.place)
        countable.discrete_only(self.ledger, "the alignment", shifts.context.conditions, self.place)

    def _cost_of(self, drawn: list[SymbolicDraw], shifts: Shifts) -> Term:
        return sum((cost.of_draw(d, shifts.of(d)) for d in drawn), Term.of(0))

    def _within_claim(self, total: Term, context: AligningContext) -> None:
        claim = Evaluator(context).number(self.alignment.claim_expression, dict(self.inputs.values))
        goal = total.compare("<=", claim)
        self.ledger.oblige("cost", goal, self.place, f"the shifts cost at most {self.alignment.claim}")

    def _shifted(self, shifts: Shifts) -> Any:
        return lambda draw: draw.value + shifts.of(draw)

    def _shifted_family(self, shifts: Shifts) -> Any:
        return lambda drawn, index: shifts.of_family(drawn, index)

    def _trace(self, moved: Term, head: inv.State | None = None, after: inv.State | None = None) -> None:
        public = tuple(sorted(f.key for f in self.ledger.path.assumed if roles(f) <= {Role.PUBLIC}))
        signature = (public, tuple(_signature(e.value) for e in self.run.emitted), self.ended)
        draws = tuple(str(d.where) for d in self.run.drawn) + tuple(f.key for f in self.run.families)
        places = tuple(e.place.line for e in self.run.emitted)
        self.record.trace = Trace(
            signature[1:] if not public else (signature[1], f"{self.ended}; {'; '.join(public)}"),
            draws, self.ledger.hypotheses(), places, self.evaluator.ended_at, moved, head, after,
        )  # fmt: skip


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


def _words(signal: Signal) -> str:
    if signal is None:
        return "goes on"
    return "leaves the loop" if isinstance(signal, Broke) else "returns"


def _signature(value: Any) -> Any:
    """The discrete part of an output, for telling paths apart."""
    if isinstance(value, tuple):
        return tuple(_signature(part) for part in value)
    if isinstance(value, Term):
        return value.key if value.integer else "a real"
    return "a list" if isinstance(value, Family) else str(value)


def _index_terms(output: Any) -> list[Term]:
    """The indices that an output names."""
    if isinstance(output, tuple):
        return [index for part in output for index in _index_terms(part)]
    return [output] if isinstance(output, Term) and output.integer else []
