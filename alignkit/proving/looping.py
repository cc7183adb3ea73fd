"""The rest of a trial of a program with a loop over the queries, from the loop's head on.

What the body changes is forgotten on both sides and related again by the plan's invariants. Then either one
arbitrary iteration is run, and the rest of the program where it leaves the loop, or the loop is over and the rest
is run.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from alignkit.errors import Parted, Unsupported
from alignkit.interpreting.evaluator import Broke, Environment, Evaluator, Returned, Signal
from alignkit.interpreting.values import Family, is_number
from alignkit.language.kinds import NUMBERS
from alignkit.language.program import For, Place, Yield, assigned, walk
from alignkit.proving import ex_post
from alignkit.proving import invariants as inv
from alignkit.proving.aligning import AligningContext, loop_noise, noise_vector
from alignkit.proving.conditions import one_to_one, pieces
from alignkit.proving.conditions.injective import run_pair_to_loop
from alignkit.proving.conditions.noise_used import ITERATION
from alignkit.proving.contexts import AlignedRunContext
from alignkit.proving.events import Emitted, within
from alignkit.proving.inputs import primed
from alignkit.proving.naming import named, part_of
from alignkit.proving.rankings import Ranking, agree
from alignkit.proving.shapes import Shapes, shape
from alignkit.proving.trial import AtLoop, Iteration, Part, Trial
from alignkit.proving.vectors import vectors_before
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.formulas import comparison, implies
from alignkit.symbolic.terms import Role, Symbol, Term


class Looping:
    """One path from the head of the loop on."""

    def __init__(self, trial: Trial, at: AtLoop, names: Environment) -> None:
        self.trial = trial
        self.at = at
        self.names = names

    def preview(self) -> None:
        """D alone, to the end of one arbitrary iteration: what the body changes, draws and puts out."""
        trial, node = self.trial, self.at.node
        trial.record.loop = node
        trial.record.vectors = bool(trial.run.families)
        trial.record.changed = changed = self._changed()
        kinds = trial.mechanism.kinds.at_loop[node.site]
        for name in changed:
            self.names[name] = Term.of(Symbol(name, Role.STATE, integer=kinds[name].name == "int"))
        marks, drawn = len(trial.run.emitted), len(trial.run.drawn)
        at_head = tuple(trial.run.rankings)
        trial.run.iteration = iteration = Term.of(Symbol(ITERATION, Role.INDEX, integer=True))
        trial.ledger.assume(within(iteration, Term.of(self.at.items.length)))
        signal = self._iterate(trial.evaluator, node, iteration, self.at.items, self.names)
        own = trial.run.emitted[marks:]
        trial.record.seen = Iteration(
            outputs=len(own),
            shapes=Shapes.of(shape(each.value) for each in trial.run.emitted),
            drawn=frozenset(draw.where.key for draw in trial.run.drawn[drawn:]),
            goes_on=signal is None,
        )
        if not trial.run.rankings or not trial.mechanism.program.is_generator:
            return
        for each in own:
            found = named(trial.ledger, at_head, each.value, iteration)
            trial.record.named = found if trial.record.named is None else trial.record.named & found

    def _changed(self) -> tuple[str, ...]:
        """The variables that the body changes; they must be numbers."""
        node = self.at.node
        kinds = self.trial.mechanism.kinds.at_loop[node.site]
        changed = tuple(sorted(assigned((node,)) & self.names.keys()))
        for name in changed:
            if kinds[name].name not in NUMBERS:
                raise Unsupported(f"`{name}` changes in the loop and is not a number", node.place)
        return changed

    def pair(self) -> None:
        """Two runs of D to the loop, with one output and one image."""
        assert self.trial.plan is not None
        self._outputs_bounded(self.at, self.trial.plan)
        run_pair_to_loop(self.trial)

    def run(self) -> None:
        """The alignment, D′ up to the loop, and the plan's part of both runs from there."""
        trial, at, names, node = self.trial, self.at, self.names, self.at.node
        kinds = trial.mechanism.kinds.at_loop[node.site]
        changed = self._changed()
        plan = trial.plan or inv.candidates(node, kinds, changed)
        before = len(trial.run.drawn)
        self._outputs_bounded(at, plan)
        read = plan.drawn if trial.alignment.reads_noise else frozenset()
        rounds_in_all = self._rounds_bounded(at, plan) if read else None
        noise = noise_vector(trial.run)
        if rounds_in_all is not None:
            noise |= loop_noise(read, rounds_in_all)
        context = AligningContext(trial.ledger, noise)
        if plan.by_pieces:
            context.continuous = pieces.continuous_keys(trial.run)
        trial.running = "same_output"
        shifts = trial.align(trial.stream_seen_by(context), context)
        entry_cost = trial.cost_of(trial.run.drawn, shifts)
        aligned = AlignedRunContext(trial.ledger, trial.run, trial.shifted(shifts), trial.shifted_family(shifts))
        evaluator = Evaluator(aligned)
        names_ = trial.arguments(trial.inputs.values_)
        at_ = trial.advance(evaluator, names_, 0)
        if not isinstance(at_, AtLoop) or at_.number != at.number:
            raise Parted("same_output", "D enters the loop and D' does not", node.place)
        trial.in_step(aligned)
        families = len(trial.run.families)
        of_vectors = vectors_before(trial, shifts, context, plan.by_pieces)
        length, length_ = Term.of(at.items.length), Term.of(at_.items.length)
        same_length = comparison(length - length_, "==")
        trial.ledger.oblige("same_output", same_length, node.place, "the loop has the same length on D and D'")
        trial.ledger.assume(same_length)

        vectors = any(kind.vector for kind in trial.mechanism.private.values())
        spends = vectors and trial.inputs.adjacency in (Adjacency.ONE, Adjacency.L1)
        spent = Term.of(0) if spends else None
        marks = len(trial.run.emitted)
        start = inv.State(dict(names), dict(names_), entry_cost, spent, Term.of(0), Term.of(marks))
        self._establish(plan, start, start, node.place, "holds when the loop begins")
        iteration = Term.of(Symbol(ITERATION, Role.INDEX, integer=True))
        rounds = iteration if trial.part is Part.ITERATION else length
        head = self._forget(names, names_, plan, changed, kinds, start, rounds, node.place)
        if trial.part is Part.HEAD:
            return
        alike = self._alike(plan, aligned, rounds)
        trial.ledger.assume(within(iteration, length) if trial.part is Part.ITERATION else True)
        trial.run.iteration = iteration
        trial.running = "termination"
        signal = self._iterate(trial.evaluator, node, iteration, at.items, names)
        goes_on = trial.part is Part.ITERATION and signal is None
        if rounds_in_all is not None:
            done = rounds + 1 if trial.part is Part.ITERATION else rounds
            trial.ledger.assume(rounds_in_all.compare(">=" if goes_on else "==", done))
        trial.ended = "next" if goes_on else "break" if isinstance(signal, Broke) else "end"
        own = trial.run.emitted[marks:]
        if not goes_on:
            self._rest_of_run(signal, at.number, names)
        if len(trial.run.families) > families:
            raise Unsupported("a vector of draws after a loop", trial.run.families[families].place)
        trial.running = "same_output"
        if trial.part is Part.ITERATION:
            self._one_output(own, marks, iteration, node.place, goes_on or plan.steady)
            self._as_planned(own, before, plan, goes_on)
        if not goes_on:
            self._whole_output(own, marks, rounds)
        moved = trial.cost_of(trial.run.drawn[before:], shifts)
        trial.single_draws(trial.run.drawn, shifts)
        if plan.still and len(trial.run.drawn) > before:
            trial.ledger.oblige("cost", False, node.place, "an iteration draws noise, which was not to be")
        if trial.run.families and len(trial.run.drawn) > before:
            raise Unsupported("a vector of draws beside a loop that draws", trial.run.families[0].place)
        if not trial.run.families:
            shifted = [one_to_one.Shifted(d, shifts.of(d), i < before) for i, d in enumerate(trial.run.drawn)]
            one_to_one.acyclic_order(trial.ledger, shifted, context.conditions, trial.place)
        after_change = head.changed
        if after_change is not None and trial.part is Part.ITERATION:
            after_change = after_change + self._change(iteration)
            trial.ledger.assume(after_change.compare("<=", self._change_bound()))
        outputs = head.outputs + len(own)
        after = inv.State(dict(names), {}, head.cost + moved, after_change, rounds + 1, outputs)
        trial.note(moved, inv.Round(start, head, after if goes_on else None))
        if not goes_on:
            total = head.cost + moved + of_vectors
            trial.within_claim(total, context, ex_post.output(trial, head.outputs - marks))
        signal_ = self._iterate(evaluator, node, iteration, at_.items, names_)
        if type(signal_) is not type(signal):
            words = f"D {_words(signal)} and D' {_words(signal_)}"
            raise Parted("same_output", words, evaluator.ended_at or node.place)
        if goes_on:
            trial.in_step(aligned)
            both = replace(after, names_=dict(names_))
            self._establish(plan, both, start, node.place, "is kept by every iteration")
            for one, other in alike:
                same = one.at(iteration).compare("==", other.at(iteration))
                trial.ledger.oblige("same_output", same, node.place, inv.ALIKE, invariant=inv.ALIKE)
            return
        self._rest_of_aligned(signal_, at.number, names_, evaluator, aligned)

    def _alike(self, plan: inv.Plan, aligned: AlignedRunContext, rounds: Term) -> list[tuple[Ranking, Ranking]]:
        """At the loop's head D′ has selected, at the ranks so far, what D has; there are none at the start."""
        if not plan.alike:
            return []
        pairs = zip(self.trial.run.rankings, aligned.rankings, strict=False)
        alike = [(one, other) for one, other in pairs if one.node is other.node]
        for one, other in alike:
            agree(self.trial.ledger, one, other, rounds)
        return alike

    def _outputs_bounded(self, at: AtLoop, plan: inv.Plan) -> None:
        """How long the output can be, where every iteration gives exactly one (which is an obligation of its own)."""
        if "omega" not in self.trial.alignment.program.parameters:
            return
        if not self.trial.mechanism.program.is_generator:
            raise Unsupported("the alignment reads what a function returns after a loop", at.node.place)
        early = len(self.trial.run.emitted)
        self.trial.ledger.assume(self.trial.stream.length.compare(">=", early))
        if self._gives_output_later(at):
            return
        self.trial.stream.shapes = plan.shapes | Shapes.of(shape(each.value) for each in self.trial.run.emitted)
        self.trial.ledger.assume(self.trial.stream.length.compare("<=", Term.of(at.items.length) + early))
        if plan.steady:
            some = Term.of(at.items.length).compare(">=", 1)
            self.trial.ledger.assume(implies(some, self.trial.stream.length.compare(">=", early + 1)))
        if early == 0:
            self.trial.stream.named = {
                each.part: self.trial.run.rankings[each.ranking]
                for each in plan.names
                if each.ranking < len(self.trial.run.rankings)
            }

    def _rounds_bounded(self, at: AtLoop, plan: inv.Plan) -> Term:
        """How many iterations D runs in all, as far as the length of the loop and of the output say.

        An iteration that goes on gives exactly one output where the alignment reads the output, and one that leaves
        the loop at most one; both are obligations of their own.
        """
        ledger, stream = self.trial.ledger, self.trial.stream
        rounds, length = Term.of(Symbol("iterations", Role.UNKNOWN, integer=True)), Term.of(at.items.length)
        ledger.assume(rounds.compare(">=", 0))
        ledger.assume(rounds.compare("<=", length))
        ledger.assume(implies(length.compare(">=", 1), rounds.compare(">=", 1)))
        if plan.whole:
            ledger.assume(rounds.compare("==", length))
        if "omega" in self.trial.alignment.program.parameters and self.trial.mechanism.program.is_generator:
            early = len(self.trial.run.emitted)
            ledger.assume(stream.length.compare(">=", rounds + early - (0 if plan.steady or plan.whole else 1)))
            if not self._gives_output_later(at):
                ledger.assume(stream.length.compare("<=", rounds + early))
        return rounds

    def _gives_output_later(self, at: AtLoop) -> bool:
        """Whether there may be outputs after the loop."""
        rest = self.trial.mechanism.program.body[at.number + 1 :]
        return any(isinstance(node, Yield) for statement in rest for node in walk(statement))

    def _as_planned(self, own: list[Emitted], before: int, plan: inv.Plan, goes_on: bool) -> None:
        """Oblige the iteration to draw, to end and to put out what the plan says of every one."""
        oblige, place = self.trial.ledger.oblige, self.at.node.place
        drawn = {draw.where.key for draw in self.trial.run.drawn[before:]}
        for key in sorted(plan.drawn - drawn):
            name = inv.drawn_always(key)
            oblige("same_output", False, place, name, invariant=name)
        if plan.whole and not goes_on:
            oblige("same_output", False, place, inv.WHOLE, invariant=inv.WHOLE)
        for each in own:
            if not plan.shapes.admit(each.value):
                oblige("same_output", False, each.place, "an iteration gives an output unlike those of the others")

    def _iterate(self, evaluator: Evaluator, node: For, iteration: Term, items: Family, names: Environment) -> Signal:
        if self.trial.part is Part.REST:
            return None
        return evaluator.iterate(node, iteration, items.element(iteration), names)

    def _rest_of_run(self, signal: Signal, number: int, names: Environment) -> None:
        if isinstance(signal, Returned):
            self.trial.finish_run(signal)
            return
        at = self.trial.advance(self.trial.evaluator, names, number + 1)
        if isinstance(at, AtLoop):
            raise Unsupported("a second loop of symbolic length", at.node.place)
        left = self.trial.ended
        self.trial.finish_run(at.signal)
        self.trial.ended = self.trial.ended if self.trial.ended == "return" else left

    def _rest_of_aligned(
        self, signal: Signal, number: int, names: Environment, evaluator: Evaluator, aligned: AlignedRunContext
    ) -> None:
        if not isinstance(signal, Returned):
            at = self.trial.advance(evaluator, names, number + 1)
            if isinstance(at, AtLoop):
                raise Unsupported("a second loop of symbolic length", at.node.place)
            signal = at.signal
        self.trial.ended = "return" if self.trial.ended == "return" else "end"
        self.trial.finish_aligned(signal, evaluator, aligned)

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
            symbol = Symbol(name, Role.STATE, integer=kind == "int")
            names[name] = Term.of(symbol)
            names_[name] = names[name]
            if name not in plan.equal:
                names_[name] = Term.of(Symbol(primed(name), Role.STATE, integer=kind == "int"))
        cost_so_far = start.cost if plan.still else Term.of(Symbol("cost so far", Role.STATE))
        spent = None
        if start.changed is not None:
            spent = Term.of(Symbol(inv.CHANGE, Role.STATE))
            self.trial.ledger.assume(spent.compare(">=", 0))
            self.trial.ledger.assume(spent.compare("<=", self._change_bound()))
        outputs = ex_post.outputs_so_far(self.trial, start.outputs)
        head = inv.State(dict(names), dict(names_), cost_so_far, spent, rounds, outputs)
        for each in plan.invariants:
            self.trial.ledger.assume(each.holds(head, start))
        return head

    def _establish(self, plan: inv.Plan, state: inv.State, start: inv.State, place: Place, how: str) -> None:
        for name in sorted(plan.equal):
            goal = Term.of(state.names[name]).compare("==", state.names_[name])
            label = inv.equality(name)
            self.trial.ledger.oblige("same_output", goal, place, f"{label}: {how}", invariant=label)
        for each in plan.invariants:
            condition = "cost" if each.about_cost else "same_output"
            self.trial.ledger.oblige(
                condition, each.holds(state, start), place, f"{each.name}: {how}", invariant=each.name
            )

    def _one_output(self, own: list[Any], before: int, iteration: Term, place: Place, needed: bool) -> None:
        """Positions in the output are iterations only where every iteration gives exactly one output.

        One that leaves the loop may also give none, where it is not needed.
        """
        if "omega" not in self.trial.alignment.program.parameters or (not own and not needed):
            return
        if len(own) != 1:
            words = f"an iteration gives {len(own)} outputs, so that omega[i] need not be the i-th iteration's"
            self.trial.ledger.oblige("same_output", False, place, words)
            return
        self.trial.stream.now(tuple(e.value for e in self.trial.run.emitted[:before]), iteration, own[0].value)
        self.trial.ledger.assume(self.trial.stream.length.compare(">=", iteration + before + 1))
        for part, ranking in self.trial.stream.named.items():
            value = part_of(own[0].value, part)
            same = is_number(value) and Term.of(value).compare("==", ranking.at(iteration))
            words = "the output of an iteration names what was selected at its rank"
            self.trial.ledger.oblige("same_output", same, place, words)

    def _whole_output(self, own: list[Any], before: int, rounds: Term) -> None:
        """How long the output is where the loop is left: each iteration before gave one output."""
        if "omega" in self.trial.alignment.program.parameters and self.trial.mechanism.program.is_generator:
            after = len(self.trial.run.emitted) - before - len(own)
            whole = rounds + before + len(own) + after
            self.trial.ledger.assume(self.trial.stream.length.compare("==", whole))

    def _change(self, iteration: Term) -> Term:
        """What adjacency spends in this iteration."""
        name = next(n for n, kind in self.trial.mechanism.private.items() if kind.vector)
        one, other = self.trial.inputs.element_pair(name, iteration)
        change = other - one
        if self.trial.inputs.adjacency is Adjacency.ONE:
            return change.compare("!=", 0).choose(1, 0)  # type: ignore[no-any-return]
        return abs(change)

    def _change_bound(self) -> Term:
        name = next(n for n, kind in self.trial.mechanism.private.items() if kind.vector)
        return Term.of(1) if self.trial.inputs.adjacency is Adjacency.ONE else self.trial.inputs.sensitivity(name)


def _words(signal: Signal) -> str:
    if signal is None:
        return "goes on"
    return "leaves the loop" if isinstance(signal, Broke) else "returns"
