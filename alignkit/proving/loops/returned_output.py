"""What a function returns after a loop or from within it, as the alignment reads it in every iteration.

The value is one unknown for the whole run, and so is the iteration in which the run leaves the loop. What is known of
them before the run is over is that the run ends in one of the ways that its forms describe, and that it has not ended
yet; that every end has one of these forms is checked where it is run.

A list that a loop makes longer and the program returns, as the alignment reads it: its items are like outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Environment
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.loops.output_stream import Foreseen, OutputStream
from alignkit.proving.runs.alignment_run import AligningContext
from alignkit.proving.runs.grown_lists import GrownList, lists_within
from alignkit.proving.runs.returned_forms import LAST, OMEGA, Mark, ReturnedRange
from alignkit.proving.runs.run_on_d import Emitted
from alignkit.proving.runs.seen_output import OtherOutput, Reading, whole_part
from alignkit.proving.symbolic_trial import AtLoop, SymbolicTrial
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


class GrownOutput(OutputStream):
    """The items of a list: those before the loop, those of the iteration at hand, and unknown others.

    ``place_in_output`` is where the returned value has the list.
    """

    def __init__(
        self, trial: SymbolicTrial, at: AtLoop, plan: LoopPlan, place_in_output: tuple[int, ...], list_name: str
    ) -> None:
        self.name = "omega" + "".join(f"[{index}]" for index in place_in_output)
        self.list_name = list_name
        self.place_in_output = place_in_output
        self.start: tuple[Any, ...] = at.names[list_name]
        of_list = plan.lists.get(list_name)
        if of_list is None:
            raise Unsupported(f"the alignment reads {list_name}, and no iteration comes to its end", at.node.place)
        own = replace(
            plan,
            each=of_list.each,
            told=of_list.told,
            shapes=of_list.shapes,
            names=of_list.names,
            steady=False,
            silent=False,
            after=0,
        )
        super().__init__(trial, at, own)

    def given(self) -> tuple[Any, ...]:
        return (*self.start, *(item for grown in self._returned() for item in grown.items))

    def read_items(self, names: Any, iteration: Term, *, goes_on: bool) -> None:
        """Take note of what the iteration at hand has appended."""
        lists = [names[self.list_name]] if goes_on else list(self._returned())
        for grown in lists:
            self.has_shape(grown.items)
            self.items_of(grown.items, iteration, goes_on=goes_on)

    def is_over(self, rounds: Term, *, ended: bool = True) -> None:
        for grown in self._returned():
            self.foreseen.define(self.length.compare("==", grown.length))
        super().is_over(rounds, ended=ended)

    def _returned(self) -> Iterator[GrownList]:
        for output in self.run.emitted[-1:]:
            yield from (grown for path, grown in lists_within(output.value) if path == self.place_in_output)


RETURNED = "the end of a run"


class ReturnedOutput:
    """The value that a function returns, for which an alignment asks wherever it is run.

    ``iterations`` is the length of the loop, ``last`` the iteration that leaves it, or its length where none does.
    """

    def __init__(self, trial: SymbolicTrial, at: AtLoop, plan: LoopPlan) -> None:
        # Not the trial itself: what an alignment returns refers to this output, and the two must not form a cycle.
        self.run = trial.run
        self.owed = trial.owed
        self.foreseen = Foreseen(trial.owed, at.node.place, RETURNED)
        self.plan = plan
        self.place = at.node.place
        self.place_of_alignment = trial.place
        self.iterations = Term.of(at.items.length)
        self.early = len(trial.run.emitted)
        if not plan.returned.forms:
            raise Unsupported("the alignment reads what a function returns, and no way to its end is known", self.place)
        self.last = Term.of(Symbol(LAST, Role.UNKNOWN, integer=True))
        self.foreseen.assume(self.last.compare(">=", 0))
        self.foreseen.assume(self.last.compare("<=", self.iterations))
        self.foreseen.assume(plan.returned.one_holds(self.last, self.iterations))
        if len({form.lists for form in plan.returned.forms}) > 1:
            raise Unsupported("the alignment reads lists that are not returned at the same place always", self.place)
        self.before = {each.name: Term.of(at.names[each.name]) for each in plan.ranges}
        for each in plan.ranges:
            at_end = each.holds(whole_part(OMEGA, each.path), self.before[each.name], self.iterations)
            trial.facts.assume(at_end, FactOrigin.OBLIGED, each.words)
        self.lists = {path: GrownOutput(trial, at, plan, path, name) for path, name in plan.returned.lists}

    @property
    def named(self) -> dict[int | None, Ranking]:
        """The rankings whose positions the output names, where it is a list."""
        return self.lists[()].named if () in self.lists else {}

    @property
    def length(self) -> Term:
        """The number of items of the output; 1 where it is no list."""
        return self.lists[()].length if () in self.lists else Term.of(1)

    @property
    def lengths(self) -> tuple[Term, ...]:
        """How many items each of the lists has that are returned: the same for the whole run."""
        return tuple(grown.length for grown in self.lists.values())

    def rounds_in_all(self) -> Term:
        """How many iterations D runs in all, as far as the length of the loop and the last iteration determine it."""
        rounds = self.foreseen.iterations_run(self.plan, self.iterations)
        self.foreseen.assume(rounds.compare(">=", self.last))
        self.foreseen.assume(rounds.compare("<=", self.last + 1))
        return rounds

    def count_rounds(self, rounds: Term, done: Term) -> None:
        """Say how many iterations D has run, where the loop is over or left."""
        self.foreseen.define(rounds.compare("==", done))

    def outputs_of(self, own: list[Emitted], iteration: Term, names: Environment, *, goes_on: bool) -> None:
        """Assume that an iteration that goes on is not the last."""
        for grown in self.lists.values():
            grown.read_items(names, iteration, goes_on=goes_on)
        if goes_on:
            for each in self.plan.ranges:
                self._oblige_range(each, Term.of(names[each.name]), iteration + 1, iteration)
            self.owed.facts.assume(self.last.compare(">=", iteration + 1), FactOrigin.DEFINITION, RETURNED)
            for mark in self.plan.marks:
                known = mark.known(names, iteration + 1)
                before = mark.known(self.names_at_head, iteration)
                self.owed.of_runs("same_output", before, self.place, _says_before(mark), given=[known])
            self._say_of_marks(names, iteration + 1)

    def at_head(self, names: Environment, rounds: Term) -> None:
        """Assume what the output says of D's variables after ``rounds`` iterations.

        It says this at the end, and before each iteration if it does so after it: both are obliged.
        """
        self.names_at_head = dict(names)
        self._say_of_marks(names, rounds)

    def _say_of_marks(self, names: Environment, rounds: Term) -> None:
        for mark in self.plan.marks:
            self.owed.facts.assume(mark.known(names, rounds), FactOrigin.OBLIGED, _says_before(mark))

    def _oblige_range(
        self, each: ReturnedRange, value: Term, rounds: Term, at_head: Term, given: Iterable[Any] = ()
    ) -> None:
        """Oblige a range from what runs do, given that it held at the head, after ``at_head`` iterations."""
        before = self.before[each.name]
        held = each.holds(Term.of(self.names_at_head[each.name]), before, at_head)
        goal = each.holds(value, before, rounds)
        self.owed.of_runs("same_output", goal, self.place, each.words, given=(held, *given), invariant=each.words)

    def pass_to(self, at: AtLoop, plan: LoopPlan, rounds: Term) -> None:
        """Refuse to go on to another loop."""
        raise Unsupported("the alignment reads what a function with several loops returns", at.node.place)

    def is_over(self, rounds: Term, *, ended: bool = True) -> None:
        """Assume that the returned value is what D has returned, after ``rounds`` iterations that went on."""
        value, forms = self.run.emitted[-1].value, self.plan.returned
        inside = rounds != self.iterations
        words = "what is returned has a form that was seen"
        self.owed.of_runs("same_output", forms.admit(value, inside=inside), self.place, words)
        self.foreseen.define(self.last.compare("==", rounds))
        self.foreseen.define(forms.returned(value))
        self.foreseen.oblige()
        for mark in self.plan.marks:
            known = mark.known(self.names_at_head, rounds)
            words = f"the output is what {mark.name} is in the end"
            self.owed.of_runs("same_output", known, self.place, words, given=self.foreseen.defined)
        for each in self.plan.ranges:
            output = whole_part(OMEGA, each.path)
            self._oblige_range(each, output, self.iterations, rounds, self.foreseen.defined)
        for grown in self.lists.values():
            grown.is_over(rounds)

    def seen(self, context: AligningContext) -> Any:
        """The returned value, as an alignment reads it."""
        if () in self.lists:
            return self.lists[()].seen(context)
        returned = OtherOutput(OMEGA, self.plan.returned.shapes, Reading(context, self.place_of_alignment))
        if not self.lists:
            return returned.plain()
        # Every way to the end returns the lists at the same places, so that it returns as many parts as the others.
        widths = {len(shape) if isinstance(shape, tuple) else 0 for shape in returned.shapes.at(())}
        if len(widths) > 1 or any(len(path) != 1 for path in self.lists):
            raise Unsupported("the alignment reads lists that are returned deep within tuples", self.place)
        parts = range(widths.pop())
        return tuple(self.lists[i,].seen(context) if (i,) in self.lists else returned.part(i) for i in parts)


def _says_before(mark: Mark) -> str:
    return f"what the output says of {mark.name} after an iteration, it says before it"


def output_read(trial: SymbolicTrial, at: AtLoop, plan: LoopPlan) -> OutputStream | ReturnedOutput:
    """The output as the alignment reads it."""
    if trial.returns and trial.reads_output:
        return ReturnedOutput(trial, at, plan)
    return OutputStream(trial, at, plan)
