"""Both runs at the head of a loop of symbolic length: what they have done, what is forgotten there, and what follows.

What the body changes is forgotten on both sides and related again by the plan's invariants. The stages of a loop are
made of the steps that stand here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from alignkit.errors import Parted, Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Broke, Environment, Returned, Signal
from alignkit.language.kinds import NUMBERS
from alignkit.language.program import assigned
from alignkit.language.tags import Tag
from alignkit.proving.conditions import same_outputs
from alignkit.proving.conditions.one_to_one.by_order import acyclic_order
from alignkit.proving.conditions.shifts import cost_of_draws, cost_of_vectors
from alignkit.proving.conditions.vector_costs import Selected
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.loops import invariants as inv
from alignkit.proving.loops import output_lengths
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.loops.output_stream import OutputStream
from alignkit.proving.loops.returned_output import ReturnedOutput
from alignkit.proving.runs import grown_lists
from alignkit.proving.runs.alignment_run import AligningContext, loop_noise, noise_drawn
from alignkit.proving.runs.grown_lists import GrownList, grown_in
from alignkit.proving.runs.loop_states import CHANGE, LoopState
from alignkit.proving.runs.run_events import Emitted
from alignkit.proving.symbolic_inputs import primed
from alignkit.proving.symbolic_trial import AtLoop, SymbolicTrial
from alignkit.proving.vectors.rankings import agree
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.formulas import comparison
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


class LoopHead:
    """D, which has reached the loop, the alignment, and D′ up to the loop.

    ``drawn_before`` is the number of single draws before the loop.
    """

    def __init__(self, trial: SymbolicTrial, at: AtLoop, plan: LoopPlan) -> None:
        self.trial = trial
        self.facts = trial.facts
        self.oblige = trial.owed.oblige
        self.at = at
        self.plan = plan
        self.node = at.node
        self.changed = changed_variables(trial, at)
        self.grown = lists_grown(at)
        self.drawn_before = len(trial.run.drawn)
        self.stream = output_read(trial, at, plan)
        read = plan.drawn if trial.alignment.reads_noise else frozenset()
        noise, self.rounds_in_all = noise_drawn(trial.run), None
        if read:
            self.rounds_in_all = self.stream.rounds_in_all()
            noise |= loop_noise(read, self.rounds_in_all)
        continuous = trial.run.continuous if plan.by_pieces else frozenset()
        context = AligningContext(trial.owed, noise, continuous)
        trial.serving = "same_output"
        self.shifts = trial.align(self.stream.seen(context), context)
        self.entry_cost = cost_of_draws(trial.run.drawn, self.shifts)
        self.d_prime = trial.d_prime(self.shifts)
        at_ = trial.advance(self.d_prime.evaluator, trial.arguments(trial.inputs.values_))
        if not isinstance(at_, AtLoop) or at_.number != at.number:
            raise Parted("same_output", "D enters the loop, but D' does not", self.node.place)
        trial.in_step(self.d_prime)
        self.at_ = at_
        self.families = len(trial.run.families)

    @property
    def length(self) -> Term:
        """The number of iterations on D, unless one of them leaves the loop."""
        return Term.of(self.at.items.length)

    def cost_of_vectors(self) -> Term:
        """A bound on what vectors drawn before the loop cost; its outputs may name what was selected from them."""
        ranking = next(iter(self.stream.named.values()), None)
        selected = None if ranking is None else Selected(ranking, self.stream.length)
        trial = self.trial
        return cost_of_vectors(trial.owed, trial.run, self.shifts, (), selected, trial.place)

    # The head: where the loop begins, and what is forgotten there

    def begin(self) -> LoopState:
        """Oblige both loops to have one length, and the invariants to hold before the first iteration."""
        same_length = comparison(self.length - Term.of(self.at_.items.length), "==")
        words = "the loop has the same length on D and D'"
        self.trial.owed.lemma("same_output", same_length, self.node.place, words)
        spent = None if self.trial.inputs.most_change is None else Term.of(0)
        names, names_, outputs = dict(self.at.names), dict(self.at_.names), Term.of(self.stream.early)
        start = LoopState(names, names_, self.entry_cost, spent, Term.of(0), outputs)
        for name in self.grown:
            same = op.equal(names[name], names_[name], self.node.place)
            self.oblige("same_output", same, self.node.place, f"{name} is the same list on D and D'")
        self.establish(start, start, "holds when the loop begins")
        return start

    def forget(self, start: LoopState, rounds: Term) -> LoopState:
        """The state at the head after ``rounds`` iterations: what the body changes is unknown, but for the invariants.

        The variables of both runs take their new values.
        """
        names, names_ = self.at.names, self.at_.names
        kinds = self.trial.mechanism.kinds.at_loop[self.node.site]
        for name in self.changed:
            if name in self.plan.kept:
                continue
            whole = kinds[name].name == "int"
            names[name] = names_[name] = Term.of(Symbol(name, Role.STATE, integer=whole))
            if name not in self.plan.equal:
                names_[name] = Term.of(Symbol(primed(name), Role.STATE, integer=whole))
        for name in self.grown:
            names[name] = names_[name] = grown_lists.at_head(name)
            self.facts.assume(Term.of(names[name].length).compare(">=", start.counted(grown_lists.length_of(name))))
        cost_so_far = start.cost if self.plan.still else Term.of(Symbol("cost so far", Role.STATE))
        spent, most = None, self.trial.inputs.most_change
        if most is not None:
            spent = Term.of(Symbol(CHANGE, Role.STATE))
            self.facts.assume(spent.compare(">=", 0))
            self.facts.assume(spent.compare("<=", most))
        outputs = output_lengths.outputs_so_far(self.trial, start.outputs)
        head = LoopState(dict(names), dict(names_), cost_so_far, spent, rounds, outputs)
        for invariant in self.plan.invariants:
            self.facts.assume(invariant.holds(head, start))
        return head

    def establish(self, state: LoopState, start: LoopState, how: str) -> None:
        """Oblige the plan's invariants to hold of a state; ``how`` is what they do there, in words."""
        for name in sorted(self.plan.equal):
            goal = Term.of(state.names[name]).compare("==", state.names_[name])
            label = inv.equality(name)
            self.oblige("same_output", goal, self.node.place, f"{label}: {how}", invariant=label)
        for invariant in self.plan.invariants:
            condition, label = "cost" if invariant.about_cost else "same_output", invariant.name
            goal = invariant.holds(state, start)
            self.oblige(condition, goal, self.node.place, f"{label}: {how}", invariant=label)

    def selected_alike(self, rounds: Term) -> list[tuple[Ranking, Ranking]]:
        """Assume that D′ has selected, at the ranks so far, what D has; there are none when the loop begins."""
        if not self.plan.alike:
            return []
        pairs = zip(self.trial.run.rankings, self.d_prime.context.rankings, strict=False)
        alike = [(one, other) for one, other in pairs if one.node is other.node]
        for one, other in alike:
            agree(self.facts, one, other, rounds)
        return alike

    # An iteration

    def iterate(self, iteration: Term) -> Signal:
        """Run an iteration of D."""
        element = self.at.items.element(iteration)
        return self.trial.evaluator.iterate(self.node, iteration, element, self.at.names)

    def iterate_d_prime(self, iteration: Term, signal: Signal) -> Signal:
        """Run the iteration of D′, which must end as that of D did."""
        evaluator, element = self.d_prime.evaluator, self.at_.items.element(iteration)
        signal_ = evaluator.iterate(self.node, iteration, element, self.at_.names)
        if type(signal_) is not type(signal):
            words = f"D {_ending(signal)} and D' {_ending(signal_)}"
            raise Parted("same_output", words, evaluator.ended_at or self.node.place)
        return signal_

    def grown_alike(self) -> None:
        """Oblige an iteration of D′ to append to every list what D has appended to it."""
        for name in self.grown:
            one, other = self.at.names[name], self.at_.names[name]
            same_outputs.match_items(self.d_prime.context, one, other, self.node.place)

    def kept(self, head: LoopState) -> None:
        """Refuse an iteration that goes on and changes, on D or on D′, a variable that is to be kept."""
        for name in self.plan.kept:
            for now, before in ((self.at.names, head.names), (self.at_.names, head.names_)):
                if Term.of(now[name]) != Term.of(before[name]):
                    raise Unsupported(f"`{name}` changes, but was taken to be kept", self.node.place)

    def appended(self) -> tuple[Any, ...]:
        """What D has appended since the head, or has returned in the end, to lists of which every end returns all."""
        since = [self.at.names[name] for name in sorted(self.plan.returned.whole_lists)]
        if self.trial.run.emitted[self.stream.early :]:
            since = [grown for _, grown in grown_lists.lists_within(self.trial.run.emitted[-1].value)]
        return tuple((Tag(grown.name), *grown.items) for grown in since)

    def count_rounds(self, done: Term, *, more: bool) -> None:
        """Assume that ``done`` iterations are all there are, or with ``more`` that there are at least as many."""
        if self.rounds_in_all is not None:
            self.facts.assume(self.rounds_in_all.compare(">=" if more else "==", done))

    def as_planned(self, own: list[Emitted], goes_on: bool) -> None:
        """Oblige an iteration to draw, to end and to put out what the plan says of every one."""
        plan, place = self.plan, self.node.place
        drawn = {draw.where.key for draw in self.trial.run.drawn[self.drawn_before :]}
        for key in sorted(plan.drawn - drawn):
            name = inv.drawn_always(key)
            self.oblige("same_output", False, place, name, invariant=name)
        if plan.whole and not goes_on:
            self.oblige("same_output", False, place, inv.WHOLE, invariant=inv.WHOLE)
        for output in () if self.trial.returns else own:
            if not plan.shapes.admit(output.value):
                self.oblige("same_output", False, output.place, "an iteration gives an output of a different shape")

    def shifts_allowed(self) -> Term:
        """What the shifts since the head cost; every condition on the shifts of single draws is obliged."""
        run, trial = self.trial.run, self.trial
        since = run.drawn[self.drawn_before :]
        moved = cost_of_draws(since, self.shifts)
        trial.single_shifts_allowed(run.drawn, self.shifts)
        if self.plan.still and since:
            self.oblige("cost", False, self.node.place, "an iteration draws noise, but the loop was taken to draw none")
        if run.families and since:
            raise Unsupported("a vector of draws together with a loop that draws", run.families[0].place)
        if not run.families:
            acyclic_order(trial.owed, run.drawn, self.shifts, self.drawn_before, trial.place)
        return moved

    def changed_by(self, iteration: Term, head: LoopState) -> Term | None:
        """What adjacency has spent after an iteration, assumed to be at most what it may spend in all."""
        most = self.trial.inputs.most_change
        if head.changed is None or most is None:
            return None
        changed = head.changed + self.trial.inputs.change_at(iteration)
        self.facts.assume(changed.compare("<=", most))
        return changed

    # Where the loop is left

    def rest_of_d(self, signal: Signal) -> None:
        """Run D from where the loop was left, by ``signal`` or because it is over, to its end."""
        trial = self.trial
        left_by_break = isinstance(signal, Broke)
        if not isinstance(signal, Returned):
            signal = self._to_the_end(trial.evaluator, self.at.names)
        trial.finish_d(signal)
        if left_by_break and trial.ended == "end":
            trial.ended = "break"

    def rest_of_d_prime(self, signal: Signal) -> None:
        """Run D′ from where it left the loop to its end, which must be that of D."""
        trial, d_prime = self.trial, self.d_prime
        if not isinstance(signal, Returned):
            signal = self._to_the_end(d_prime.evaluator, self.at_.names)
        trial.ended = "return" if trial.ended == "return" else "end"
        trial.finish_d_prime(signal, d_prime)

    def _to_the_end(self, evaluator: Evaluator, names: Environment) -> Signal:
        """Run what follows the loop."""
        at = self.trial.advance(evaluator, names, self.at.number + 1)
        if isinstance(at, AtLoop):
            raise Unsupported("a second loop of symbolic length", at.node.place)
        return at.signal

    def no_vectors_since(self) -> None:
        """Refuse vectors that are drawn after the head."""
        families = self.trial.run.families
        if len(families) > self.families:
            raise Unsupported("a vector of draws after a loop", families[self.families].place)

    def within_claim(self, head: LoopState, cost_since: Term) -> None:
        """Oblige the cost of the whole run, which is over, to stay within the claim."""
        omega = output_lengths.output_of_claim(self.trial, head.outputs - self.stream.early)
        self.trial.within_claim(head.cost + cost_since, self.shifts, omega)


def output_read(trial: SymbolicTrial, at: AtLoop, plan: LoopPlan) -> OutputStream | ReturnedOutput:
    """The output as the alignment reads it."""
    if trial.returns and trial.reads_output:
        return ReturnedOutput(trial, at, plan)
    return OutputStream(trial, at, plan)


def forget_on_d(trial: SymbolicTrial, at: AtLoop, changed: Iterable[str]) -> None:
    """Forget on D what the body of a loop changes: these variables, and the lists that it makes longer."""
    kinds = trial.mechanism.kinds.at_loop[at.node.site]
    for name in changed:
        at.names[name] = Term.of(Symbol(name, Role.STATE, integer=kinds[name].name == "int"))
    for name in lists_grown(at):
        at.names[name] = grown_lists.at_head(name)


def lists_grown(at: AtLoop) -> tuple[str, ...]:
    """The lists that the body of a loop makes longer, where they have a fixed number of items when it begins."""
    return tuple(sorted(n for n in grown_in(at.node) & at.names.keys() if isinstance(at.names[n], tuple | GrownList)))


def changed_variables(trial: SymbolicTrial, at: AtLoop) -> tuple[str, ...]:
    """The variables that the body of a loop changes, but for lists that it makes longer; they must be numbers."""
    kinds = trial.mechanism.kinds.at_loop[at.node.site]
    changed = tuple(sorted((assigned((at.node,)) & at.names.keys()) - set(lists_grown(at))))
    for name in changed:
        if kinds[name].name not in NUMBERS:
            raise Unsupported(f"`{name}` changes in the loop and is not a number", at.node.place)
    return changed


def _ending(signal: Signal) -> str:
    if signal is None:
        return "goes on"
    return "leaves the loop" if isinstance(signal, Broke) else "returns"
