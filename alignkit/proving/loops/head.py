"""Both runs at the head of a loop of symbolic length: what they have done, what is forgotten there, and what follows.

What the body changes is forgotten on both sides and related again by the plan's invariants. The stages of a loop are
made of the steps that stand here. The head of a later loop goes on from where both runs are after the one before.

What both runs bring to the head of a loop: what all loops of a path have in common, and what was done before.

What the body of a loop changes: variables that are numbers, and lists that it makes longer; forgotten on D alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from alignkit.errors import Parted, Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Broke, Environment, Family, FilteredList, Returned, Signal, is_condition
from alignkit.language.kinds import BOOL
from alignkit.language.program import assigned
from alignkit.language.tags import Tag
from alignkit.proving.conditions import adaptive_queries, same_outputs
from alignkit.proving.conditions.adaptive_queries import Theorem
from alignkit.proving.conditions.one_to_one.by_order import NOTHING, Earlier, acyclic_order, after_all_else
from alignkit.proving.conditions.shifts import cost_of_draws, cost_of_vectors
from alignkit.proving.conditions.vector_costs import Selected, indices_named, selection_named
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.known_sums import change_so_far, step
from alignkit.proving.facts.ranges import either_way, within
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.loops import invariants as inv
from alignkit.proving.loops import output_lengths
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.loops.output_stream import OutputStream
from alignkit.proving.loops.returned_output import ReturnedOutput, output_read
from alignkit.proving.runs import grown_lists
from alignkit.proving.runs.alignment_run import AligningContext, Shifts, loop_noise, noise_drawn
from alignkit.proving.runs.grown_lists import GrownList, grown_in
from alignkit.proving.runs.lemma_calls import price_of_calls
from alignkit.proving.runs.loop_states import (
    CHANGE,
    LoopNumber,
    LoopState,
    in_loop,
    iteration_of,
    list_at_head,
    number_of,
    of_alignment,
    outer_iteration,
    put,
    variable_at_head,
)
from alignkit.proving.runs.run_on_d import FamilyDraw
from alignkit.proving.symbolic_inputs import primed
from alignkit.proving.symbolic_trial import AtLoop, DPrime, Ended, SymbolicTrial
from alignkit.proving.vectors.selections import agree
from alignkit.proving.vectors.summing import oblige_rate
from alignkit.running.online import chosen_along
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.formulas import comparison
from alignkit.symbolic.summation import running_sums
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom, Role
from alignkit.verdicts import ADAPTIVE_QUERIES


@dataclass(frozen=True)
class Aligned:
    """What all loops of a path have in common: the alignment's shifts, D′ on the aligned noise, and D's outputs.

    ``rounds_in_all`` is how many iterations of the first loop D runs; None where the alignment does not read its noise.
    ``by_pieces`` is whether the noise before the first loop is one-to-one by the general theorem.
    """

    shifts: Shifts
    d_prime: DPrime
    stream: OutputStream | ReturnedOutput
    rounds_in_all: Term | None
    by_pieces: bool


@dataclass(frozen=True)
class Before:
    """What both runs have done before a loop.

    ``loops`` is how many loops are over, or the number of a loop inside another, ``cost`` what the shifts of single
    draws cost, ``outputs`` how many outputs there are, ``settled`` how many single draws on the path have shifts that
    other stages ask about, and ``vectors`` a bound on what vectors cost. ``earlier`` is the noise that is not asked
    about.
    """

    cost: Term
    outputs: Term
    loops: LoopNumber = 0
    settled: int = 0
    earlier: Earlier = NOTHING
    vectors: Term | None = None


def forget_on_d(trial: SymbolicTrial, at: AtLoop, changed: Iterable[str], number: LoopNumber) -> None:
    """Forget on D what the body of a loop changes: these variables, and the lists that it makes longer."""
    whole, truths = whole_variables(trial, at), truths_kept(trial, at)
    for name in changed:
        at.names[name] = variable_at_head(in_loop(name, number), integer=name in whole, truth=name in truths)
    for name in lists_grown(trial, at):
        at.names[name] = grown_lists.at_head(name)
    for name in changed_variables(trial, at, lists=True):
        at.names[name] = list_at_head(in_loop(name, number), at.names[name], truths=name in truths)


def whole_variables(trial: SymbolicTrial, at: AtLoop) -> frozenset[str]:
    """The variables that a loop changes and that are whole numbers at its head; heads oblige that they are."""
    kinds = trial.mechanism.kinds.at_loop[at.node.site]
    return frozenset(name for name in changed_variables(trial, at) if kinds[name].name == "int")


def truths_kept(trial: SymbolicTrial, at: AtLoop) -> frozenset[str]:
    """The variables that hold True or False at the head of a loop, or a list of these."""
    kinds = trial.mechanism.kinds.at_loop[at.node.site]
    return frozenset(name for name, kind in kinds.items() if BOOL in (kind, *kind.parts))


def lists_grown(trial: SymbolicTrial, at: AtLoop) -> tuple[str, ...]:
    """The lists that the body of a loop makes longer, where they have a fixed number of items when it begins.

    A program with several loops has none: its lists are those of one loop only.
    """
    if not trial.has_one_loop:
        return ()
    return tuple(sorted(n for n in grown_in(at.node) & at.names.keys() if isinstance(at.names[n], tuple | GrownList)))


def changed_variables(trial: SymbolicTrial, at: AtLoop, *, lists: bool = False) -> tuple[str, ...]:
    """The numbers that the body of a loop changes; with ``lists``, the lists of numbers that it replaces by others.

    True and False are as good as numbers. Nothing else may change but lists that it makes longer.
    """
    kinds = trial.mechanism.kinds.at_loop[at.node.site]
    changed = sorted((assigned((at.node,)) & at.names.keys() & kinds.keys()) - set(lists_grown(trial, at)))
    for name in changed:
        kind, value = kinds[name], at.names[name]
        of_one = all(part.is_number for part in kind.parts) or all(part == BOOL for part in kind.parts)
        listed = kind.is_sequence and of_one
        remade = listed and (type(value) is Family or (isinstance(value, tuple) and value))
        if not kind.is_number and kind != BOOL and not remade:
            words = "changes in the loop and is neither a number nor a list of numbers that keeps its length"
            raise Unsupported(f"`{name}` {words}", at.node.place)
    return tuple(name for name in changed if kinds[name].is_sequence is lists)


def forget_dead(both: tuple[Environment, ...], alive: tuple[set[str], ...]) -> None:
    """Take from the names of both runs what a loop's body was the first to give a value: it has none after the loop."""
    for names, known in zip(both, alive, strict=True):
        for name in names.keys() - known:
            del names[name]


SPENT = "what adjacency spends"
ITERATIONS = "how many iterations are run"
OF_ITERATIONS = "an invariant that speaks of one iteration, and not of any state of the loop"
OTHER_LOOP = "a loop that some paths come to where others come to another loop, with other variables"


def first_head(trial: SymbolicTrial, at: AtLoop, plan: LoopPlan) -> LoopHead:
    """The head of the first loop, which D has reached: the alignment is run, and D′ up to the loop."""
    stream = output_read(trial, at, plan)
    read = plan.drawn if trial.alignment.reads_noise else frozenset()
    noise, rounds_in_all = noise_drawn(trial.run), None
    if read:
        rounds_in_all = stream.rounds_in_all()
        noise |= loop_noise(read, rounds_in_all)
    continuous = trial.run.continuous if plan.by_pieces else frozenset()
    context = AligningContext(trial.owed, noise, continuous)
    context.reals = context.reals if plan.by_pieces else trial.record.reals
    outputs = trial.run.outputs
    trial.serving = "same_output"
    shifts = trial.align(stream.seen(context), context, beside_loop=trial.has_one_loop)
    aligned = Aligned(shifts, trial.d_prime(shifts), stream, rounds_in_all, plan.by_pieces)
    at_ = trial.advance(aligned.d_prime.evaluator, trial.arguments(trial.values_))
    before = Before(cost_of_draws(trial.run.drawn, shifts) + price_of_calls(trial.run.calls), outputs)
    return LoopHead(trial, at, at_, plan, aligned, before)


class LoopHead:
    """D and D′, which have reached the loop.

    ``drawn_before`` is the number of single draws on the path before the loop, ``drawn_since`` after the iteration;
    ``families`` and ``families_since`` are those of vectors.
    """

    def __init__(
        self, trial: SymbolicTrial, at: AtLoop, at_: Ended | AtLoop, plan: LoopPlan, aligned: Aligned, before: Before
    ) -> None:
        self.trial = trial
        self.facts = trial.facts
        self.oblige = trial.owed.oblige
        self.at = at
        self.plan = plan
        self.node = at.node
        self.aligned = aligned
        self.before = before
        self.changed = changed_variables(trial, at)
        self.whole = whole_variables(trial, at)
        self.truths = truths_kept(trial, at)
        self.grown = lists_grown(trial, at)
        self.remade = changed_variables(trial, at, lists=True)
        self.drawn_before = self.drawn_since = len(trial.run.drawn)
        self.called_before = len(trial.run.calls)
        self.emitted_before = len(trial.run.emitted)
        self.outputs_before = trial.run.outputs
        self.stream = aligned.stream
        self.shifts = aligned.shifts
        self.d_prime = aligned.d_prime
        self.rounds_in_all = aligned.rounds_in_all if before.loops == 0 else None
        if not isinstance(at_, AtLoop) or at_.number != at.number:
            raise Parted("same_output", "D enters the loop, but D' does not", self.node.place)
        trial.in_step(self.d_prime)
        self.at_ = at_
        # What has a value here on some paths only may not be read any more: nobody keeps it up to date.
        forget_dead((at.names, at_.names), (set(trial.mechanism.kinds.at_loop[at.node.site]),) * 2)
        self.families = self.families_since = len(trial.run.families)
        self.state: LoopState | None = None  # once it is forgotten what the body changes
        self.beside: dict[str, Term] = {}  # what loops of the alignment keep at this moment
        self.inner_cost = Term.of(0)  # what loops inside the iteration at hand cost
        self.begun = 0  # the statement of the body from which D′ goes on, where it stands at a loop inside

    @property
    def iteration(self) -> Term:
        """The index of the arbitrary iteration of this loop."""
        return iteration_of(self.before.loops)

    @property
    def length(self) -> Term:
        """The number of iterations on D, unless one of them leaves the loop."""
        return Term.of(self.at.items.length)

    @property
    def outputs_since(self) -> Term:
        """How many outputs there are since the head."""
        return self.trial.run.outputs - self.outputs_before

    def cost_of_vectors(self) -> Term:
        """A bound on what vectors drawn before the loop cost; its outputs may name what was selected from them."""
        if self.before.vectors is not None:
            return self.before.vectors
        ranking = next(iter(self.stream.named.values()), None)
        selected = None if ranking is None else Selected(ranking, self.stream.length)
        trial = self.trial
        return cost_of_vectors(trial.owed, trial.run.families, self.shifts, (), selected, trial.place)

    # The head: where the loop begins, and what is forgotten there

    def begin(self) -> LoopState:
        """Oblige both loops to have one length, and the invariants to hold before the first iteration."""
        same_length = comparison(self.length - Term.of(self.at_.items.length), "==")
        words = "the loop has the same length on D and D'"
        self.trial.owed.lemma("same_output", same_length, self.node.place, words)
        spent = None if self.trial.inputs.most_change is None else Term.of(0)
        names, names_, outputs = dict(self.at.names), dict(self.at_.names), self.before.outputs
        self.beside = {key: value for loop in self.shifts.context.loops for key, value in loop.start().items()}
        start = LoopState(names, names_, self.before.cost, spent, Term.of(0), outputs, self.beside)
        self.stream.at_head(names, start.rounds)
        for name in self.grown:
            same = op.equal(names[name], names_[name], self.node.place)
            self.oblige("same_output", same, self.node.place, f"{name} is the same list on D and D'")
        for invariant in self.plan.invariants:
            if not invariant.speaks_of_states(self._fixed()):
                raise Unsupported(f"{OF_ITERATIONS}: {invariant.name}", self.node.place)
        self.establish(start, start, "holds when the loop begins")
        return start

    def _fixed(self) -> Iterator[Atom]:
        """What stays the same while the loop runs, besides the inputs: invariants may speak of it."""
        yield from outer_iteration(self.before.loops)
        yield from self.trial.inputs.changed.atoms()
        for length in self.stream.lengths:
            yield from length.atoms()
        for mark in self.plan.marks:
            yield from mark.output.atoms()

    def forget(self, start: LoopState, rounds: Term) -> LoopState:
        """The state at the head after ``rounds`` iterations: what the body changes is unknown, but for the invariants.

        The variables of both runs take their new values.
        """
        names, names_ = self.at.names, self.at_.names
        for name in self.changed:
            if name in self.plan.kept:
                continue
            made = partial(variable_at_head, integer=name in self.whole, truth=name in self.truths)
            names[name] = names_[name] = made(in_loop(name, self.before.loops))
            if name not in self.plan.equal:
                names_[name] = made(in_loop(primed(name), self.before.loops))
        for name in self.grown:
            names[name] = names_[name] = grown_lists.at_head(name)
        for name in self.remade:
            own, truths = in_loop(name, self.before.loops), name in self.truths
            names[name] = names_[name] = list_at_head(own, start.names[name], truths=truths)
        for known in either_way(self.length):
            self.facts.assume(known, FactOrigin.SCHEMA, "a condition holds or does not")
        cost_so_far = start.cost if self.plan.still else self._state("cost so far")
        spent, most = None, self.trial.inputs.most_change
        if most is not None:
            named = self.before.loops == 0 or self.trial.inputs.shared
            spent = Term.of(change_so_far(self.trial.inputs, rounds)) if named else self._state(CHANGE)
            self.facts.assume(spent.compare(">=", 0), FactOrigin.SCHEMA, SPENT)
            self.facts.assume(spent.compare("<=", most), FactOrigin.SCHEMA, SPENT)
        outputs = output_lengths.outputs_so_far(self.trial, start.outputs, self.before.loops)
        head = LoopState(dict(names), dict(names_), cost_so_far, spent, rounds, outputs)
        alike = {i.variable: put(i.number, head, start) for i in reversed(self.plan.alike_in_alignment)}
        self.beside = {key: alike.get(key, self._state(key)) for key in self.beside}
        head = replace(head, beside=self.beside)
        for invariant in self.plan.invariants:
            known = invariant.holds(head, start)
            for each in running_sums([known]):
                oblige_rate(self.trial.owed, each.body, self.node.place)
            self.facts.assume(known, FactOrigin.OBLIGED, invariant.name)
        self.stream.at_head(names, rounds)
        self.state = head
        return head

    def _state(self, name: str) -> Term:
        """The unknown number at this head of something that iterations change."""
        return Term.of(Symbol(in_loop(name, self.before.loops), Role.STATE))

    def establish(self, state: LoopState, start: LoopState, how: str) -> None:
        """Oblige the plan's invariants to hold of a state; ``how`` is what they do there, in words."""
        for name in sorted(self.whole):
            numbers = (Term.of(names[name]) for names in (state.names, state.names_))
            words = f"{name} is a whole number on D and D': {how}"
            self.trial.owed.of_runs("same_output", all(n.integer for n in numbers), self.node.place, words)
        for name in (*self.changed, *self.remade):
            values = (names.get(name) for names in (state.names, state.names_))
            words = f"{name} holds {'True or False' if name in self.truths else 'numbers'} on D and D': {how}"
            alike = all(self._holds_truths(value) is (name in self.truths) for value in values)
            self.trial.owed.of_runs("same_output", alike, self.node.place, words)
        if not self.plan.equal <= state.names.keys():
            raise Unsupported(OTHER_LOOP, self.node.place)
        for name in sorted(self.plan.equal):
            goal = number_of(state.names[name]).compare("==", number_of(state.names_[name]))
            label = inv.equality(name)
            self.oblige("same_output", goal, self.node.place, f"{label}: {how}", invariant=label)
        for name in self.remade:
            self._is_list_of_both(name, state, start)
        for invariant in self.plan.invariants:
            condition, label = "cost" if invariant.about_cost else "same_output", invariant.name
            try:
                goal = invariant.holds(state, start)
            except KeyError:
                raise Unsupported(OTHER_LOOP, self.node.place) from None
            self.oblige(condition, goal, self.node.place, f"{label}: {how}", invariant=label)

    def _holds_truths(self, value: Any) -> bool | None:
        """Whether a variable holds conditions, as itself or as the items of a list; None where some items are ones."""
        if isinstance(value, Family):
            with self.facts.elements.looking(), self.facts.indices.arbitrary() as index:
                return is_condition(value.element(index))
        held = {is_condition(item) for item in (value if isinstance(value, tuple) else (value,))}
        return held.pop() if len(held) == 1 else None

    def _is_list_of_both(self, name: str, state: LoopState, start: LoopState) -> None:
        """Oblige a list to have the length that it had before the loop, and to be the same on D and D′."""
        one, before, place = state.names[name], start.names[name], self.node.place
        if any(isinstance(part, FilteredList) for part in (one, before)):
            raise Unsupported(f"a filtered list in `{name}`, which a loop changes", place)
        lengths = [Term.of(len(part) if isinstance(part, tuple) else part.length) for part in (one, before)]
        as_long = isinstance(one, tuple) is isinstance(before, tuple) and lengths[0].compare("==", lengths[1])
        self.oblige("same_output", as_long, place, f"every iteration leaves as many numbers in {name}")
        same_outputs.match(self.d_prime.context, one, state.names_[name], place, name)

    def selected_alike(self, rounds: Term) -> list[tuple[Ranking, Ranking]]:
        """Assume that D′ has selected, at the ranks so far, what D has; there are none when the loop begins."""
        if not self.plan.alike:
            return []
        pairs = zip(self.trial.run.rankings, self.d_prime.context.rankings, strict=False)
        alike = [(one, other) for one, other in pairs if one.node is other.node]
        for one, other in alike:
            agree(self.facts, one, other, rounds, FactOrigin.OBLIGED, inv.ALIKE)
        return alike

    # An iteration

    def iterate(self, iteration: Term) -> Signal:
        """Run an iteration of D."""
        element = self.at.items.element(iteration)
        self.trial.run.iteration = iteration
        signal = self.trial.evaluator.iterate(self.node, iteration, element, self.at.names)
        self.is_iterated()
        return signal

    def is_iterated(self) -> None:
        """Note where the iteration of D has ended."""
        self.drawn_since = len(self.trial.run.drawn)
        self.families_since = len(self.trial.run.families)
        for drawn in self.own_vectors:
            if self.plan.inner:
                raise Unsupported("a list of draws of symbolic length beside a loop inside a loop", drawn.place)
            if self.aligned.by_pieces:
                raise Unsupported("a loop that draws in an alignment by pieces", drawn.place)

    @property
    def own_vectors(self) -> list[FamilyDraw]:
        """The vectors that the iteration at hand draws."""
        return self.trial.run.families[self.families : self.families_since]

    def iterate_d_prime(self, iteration: Term, signal: Signal) -> Signal:
        """Run the iteration of D′, which must end as that of D did."""
        evaluator, element = self.d_prime.evaluator, self.at_.items.element(iteration)
        return self.same_ending(signal, evaluator.iterate(self.node, iteration, element, self.at_.names))

    def same_ending(self, signal: Signal, signal_: Signal) -> Signal:
        """How the iteration of D′ ends, which must be as that of D did."""
        if type(signal_) is not type(signal):
            words = f"D {_ending(signal)} and D' {_ending(signal_)}"
            raise Parted("same_output", words, self.d_prime.evaluator.ended_at or self.node.place)
        return signal_

    def grown_alike(self) -> None:
        """Oblige an iteration of D′ to append to every list what D has appended to it."""
        for name in self.grown:
            one, other = self.at.names[name], self.at_.names[name]
            same_outputs.match_items(self.d_prime.context, one, other, self.node.place)

    def kept(self, head: LoopState) -> None:
        """Oblige an iteration that goes on to keep, on D and on D′, the variables that are to be kept."""
        for name in sorted(self.plan.kept):
            for now, before in ((self.at.names, head.names), (self.at_.names, head.names_)):
                same = number_of(now[name]).compare("==", number_of(before[name]))
                self.oblige("same_output", same, self.node.place, f"every iteration that goes on keeps {name}")

    def appended(self) -> tuple[Any, ...]:
        """What D has appended since the head, or has returned in the end, to lists of which every end returns all."""
        since = [self.at.names[name] for name in sorted(self.plan.returned.whole_lists)]
        if self.trial.run.emitted[self.stream.early :]:
            since = [grown for _, grown in grown_lists.lists_within(self.trial.run.emitted[-1].value)]
        return tuple((Tag(grown.name), *grown.items) for grown in since)

    def count_rounds(self, done: Term, *, more: bool) -> None:
        """Say that ``done`` iterations are all there are, or with ``more`` that there are at least as many."""
        if self.rounds_in_all is None:
            return
        if more:
            self.facts.assume(self.rounds_in_all.compare(">=", done), FactOrigin.DEFINITION, ITERATIONS)
        else:
            self.stream.count_rounds(self.rounds_in_all, done)

    def as_planned(self, goes_on: bool) -> None:
        """Oblige an iteration to draw and to end as the plan says of every one."""
        plan, place, of_runs = self.plan, self.node.place, self.trial.owed.of_runs
        own_draws = self.trial.run.drawn[self.drawn_before :]
        drawn = {draw.where.key for draw in own_draws if len(draw.where.index) == 1}
        for key in sorted(plan.drawn):
            name = inv.drawn_always(key)
            of_runs("same_output", key in drawn, place, name, invariant=name)
        if plan.whole:
            of_runs("same_output", goes_on, place, inv.WHOLE, invariant=inv.WHOLE)
        assert self.state is not None
        kept = self.state.names.keys() - {*self.changed, *self.grown, *self.remade}
        same = all(self.at.names[name] is self.state.names[name] for name in kept)
        of_runs("same_output", same or not goes_on, place, "an iteration changes no other variables")
        lists = {name: self.at.names[name] for name in self.grown}
        grown = all(isinstance(one, GrownList) and one.name == name for name, one in lists.items())
        of_runs("same_output", grown or not goes_on, place, "an iteration only appends to a list that it makes longer")

    def shifts_allowed(self) -> Term:
        """What the shifts since the head cost; every condition on the shifts of single draws is obliged."""
        run, trial = self.trial.run, self.trial
        since = run.drawn[self.drawn_before :]
        calls = run.calls[self.called_before :]
        vectors = self.own_vectors
        moved = cost_of_draws(since, self.shifts) + price_of_calls(calls) + self.inner_cost + self.cost_of_own_vectors()
        trial.single_shifts_allowed(run.drawn[self.before.settled :], self.shifts)
        draws = self.drawn_since > self.drawn_before or vectors or calls or self.inner_cost != Term.of(0)
        if self.plan.still and draws:
            trial.owed.exclude("cost", self.node.place, "an iteration draws noise, but the loop was taken to draw none")
        if self.plan.theorem is not None and vectors:
            words = f"an iteration draws a list, {vectors[0].where.key}"
            trial.owed.exclude(ADAPTIVE_QUERIES, trial.place, words)
        if self.plan.theorem is Theorem.STEPS:
            if self.beside:
                words = f"{', '.join(sorted(self.beside))}: a loop of the alignment keeps what earlier steps have made"
                trial.owed.exclude(ADAPTIVE_QUERIES, trial.place, words)
            along = chosen_along(trial.mechanism)
            adaptive_queries.shifts_by_step(trial.owed, run, self.shifts, self.drawn_before, along, trial.place)
        families = run.families[: self.families]
        if families and since and self.aligned.by_pieces:
            raise Unsupported("a loop that draws in an alignment by pieces", families[0].place)
        if families and not since:
            return moved
        # What is drawn beside vectors has two ranks, and comes before all that is drawn from here on.
        settled = self.drawn_before if families else self.before.settled
        drawn, earlier = run.drawn[settled:], self.drawn_on_path(settled)
        acyclic_order(trial.owed, drawn, self.shifts, self.drawn_before - settled, trial.place, earlier)
        return moved

    def drawn_on_path(self, count: int) -> Earlier:
        """All noise before the first ``count`` single draws on the path are over, and all of earlier iterations."""
        run, before = self.trial.run, self.before.earlier
        keys = before.keys | {draw.value.key for draw in run.drawn[:count]}
        return Earlier(keys, before.arrays | {family.key for family in run.families[: self.families]})

    def changed_by(self, iteration: Term, head: LoopState) -> Term | None:
        """What adjacency has spent after an iteration, assumed to be at most what it may spend in all."""
        most = self.trial.inputs.most_change
        if head.changed is None or most is None:
            return None
        inputs = self.trial.inputs
        changed = head.changed + inputs.change_at(iteration)
        self.facts.assume(changed.compare("<=", most), FactOrigin.SCHEMA, SPENT)
        for name in inputs.vectors if inputs.shared else ():
            self.facts.assume(step(inputs, iteration, name), FactOrigin.SCHEMA, SPENT)
        return changed

    # Loops of the alignment, which run beside this one

    def iterate_alignment(self, iteration: Term, *, goes_on: bool) -> None:
        """Run the iteration of the alignment's loops that is beside the iteration of D at hand.

        They have none beside one in which D leaves its loop and neither draws nor puts anything out.
        """
        context, run = self.shifts.context, self.trial.run
        known = {invariant.variable for invariant in self.plan.alike_in_alignment}
        for key in self.beside.keys() - known:
            words = f"{key}, which its loop changes, is not shown to be a number of the mechanism's loop"
            raise Unsupported(words, context.loops[0].node.place)
        draws = self.drawn_since > self.drawn_before or self.own_vectors
        beside = goes_on or draws or len(run.emitted) > self.emitted_before
        for loop in context.loops if beside else ():
            inside = within(iteration, Term.of(loop.items.length))
            words = "the alignment's loop goes on as long as that of D"
            self.trial.owed.lemma("same_output", inside, loop.node.place, words)
        if beside:
            self.beside = context.iterate(iteration, self.beside)
        if not goes_on:
            self.alignment_is_over(iteration + 1 if beside else iteration)

    def alignment_is_over(self, rounds: Term) -> None:
        """Oblige the alignment's loops to have no iterations but those of D's loop, which are over."""
        for loop in self.shifts.context.loops:
            ended = Term.of(loop.items.length).compare("<=", rounds)
            words = "the alignment's loop has no more iterations than D has run"
            self.oblige("same_output", ended, loop.node.place, words)
        known, run = {invariant.variable for invariant in self.plan.alike_in_alignment}, self.trial.run
        kept = ((symbol, of_alignment(name)) for o in self.shifts.context.loops for name, symbol in o.last.items())
        vectors = (family.key for family in run.families[: self.families_since])
        drawn = (*(draw.where for draw in run.drawn[: self.drawn_since]), *vectors)
        self.shifts.loops_are_over({symbol: self.beside[key] for symbol, key in kept if key in known}, drawn)

    # Where the loop is left

    def rest_of_d(self, signal: Signal) -> AtLoop | None:
        """Run D from where the loop was left, by ``signal`` or because it is over, to its end or to the next loop."""
        trial = self.trial
        left_by_break = isinstance(signal, Broke)
        at = Ended(signal) if isinstance(signal, Returned) else self._go_on(trial.evaluator, self.at.names)
        if isinstance(at, AtLoop):
            trial.ended = "break, then the next loop" if left_by_break else "the next loop"
            return at
        trial.finish_d(at.signal)
        if left_by_break and trial.ended == "end":
            trial.ended = "break"
        return None

    def rest_of_d_prime(self, signal: Signal, next_loop: AtLoop | None) -> AtLoop | None:
        """Run D′ from where it left the loop to its end, or to the next loop, which must be that of D."""
        trial, d_prime = self.trial, self.d_prime
        at_ = Ended(signal) if isinstance(signal, Returned) else self._go_on(d_prime.evaluator, self.at_.names)
        if next_loop is not None:
            if not isinstance(at_, AtLoop) or at_.number != next_loop.number:
                raise Parted("same_output", "D enters the next loop, but D' does not", next_loop.node.place)
            trial.in_step(d_prime)
            return at_
        if isinstance(at_, AtLoop):
            raise Parted("same_output", "D' enters another loop, but D does not", at_.node.place)
        trial.ended = "return" if trial.ended == "return" else "end"
        trial.finish_d_prime(at_.signal, d_prime)
        return None

    def _go_on(self, evaluator: Evaluator, names: Environment) -> Ended | AtLoop:
        """Run what follows the loop, to the end or to the next loop."""
        return self.trial.advance(evaluator, names, self.at.number + 1)

    def cost_of_own_vectors(self) -> Term:
        """A bound on what vectors cost that the iteration draws: they come after its single draws."""
        return self._cost_of_last(self.own_vectors, self.drawn_on_path(self.drawn_since))

    def cost_of_later_vectors(self) -> Term:
        """A bound on what vectors that are drawn after the loop cost."""
        families = self.trial.run.families[self.families_since :]
        if families and self.aligned.by_pieces:
            raise Unsupported("a vector of draws after a loop in an alignment by pieces", families[0].place)
        return self._cost_of_last(families, self.drawn_so_far(self.families_since))

    def _cost_of_last(self, families: list[FamilyDraw], earlier: Earlier) -> Term:
        """A bound on what vectors cost whose shifts read ``earlier`` noise only, with what is obliged of them."""
        trial, run = self.trial, self.trial.run
        if not families:
            return Term.of(0)
        serving, trial.serving = trial.serving, "same_output"
        named = indices_named(tuple(output.value for output in run.emitted[self.emitted_before :]))
        selected = selection_named(self.facts, run)
        after_all_else(trial.owed, families, self.shifts, earlier, trial.place)
        cost = cost_of_vectors(trial.owed, families, self.shifts, named, selected, trial.place)
        trial.serving = serving
        return cost

    def drawn_so_far(self, vectors: int) -> Earlier:
        """All single draws so far, in earlier iterations too, and the first vectors on the path."""
        earlier, run = self.before.earlier, self.trial.run
        in_iterations = {draw.where.key for draw in run.drawn if draw.where.index} | self.plan.drawn
        return Earlier(
            earlier.keys | {draw.value.key for draw in run.drawn},
            earlier.arrays | in_iterations | {family.key for family in run.families[:vectors]},
        )

    def within_claim(self, head: LoopState, cost_since: Term) -> None:
        """Oblige the cost of the whole run, which is over, to stay within the claim."""
        omega = output_lengths.output_of_claim(self.trial, head.outputs - self.outputs_before)
        self.trial.within_claim(head.cost + cost_since, self.shifts, omega)


def _ending(signal: Signal) -> str:
    if signal is None:
        return "goes on"
    return "leaves the loop" if isinstance(signal, Broke) else "returns"
