"""The output of a run through a loop, as the alignment reads it: what is assumed of it, and what is obliged for that.

Positions in the output are iterations only where every iteration gives exactly one output; that is an obligation where
the alignment reads the output. The outputs of a later loop follow those of the loops before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Environment, Family, is_number
from alignkit.language.program import Place
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranges import within
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.alignment_run import AligningContext
from alignkit.proving.runs.lemma_calls import UNKNOWN_OUTPUTS, is_unknown
from alignkit.proving.runs.output_shapes import Path, Shapes, Simple, keep, numbers_at, offsets, part_name, shape
from alignkit.proving.runs.run_on_d import Emitted
from alignkit.proving.runs.seen_output import OtherOutput, Reading, fixed_at_the_start, seen, whole_numbers_are
from alignkit.proving.symbolic_trial import AtLoop, SymbolicTrial
from alignkit.proving.vectors.selections import part_of
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import Unknown, implies
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Role

# Stands for the iteration where there is none: no number lies at a fixed distance from it.
OUTSIDE = Term.of(Symbol("no iteration", Role.INDEX, integer=True))


class Foreseen:
    """What a proof takes for known of a whole run before it is over; obliged where the run ends.

    ``words`` say of what it is known.
    """

    def __init__(self, owed: Obligations, place: Place, words: str) -> None:
        self.owed = owed
        self.place = place
        self.words = words
        self.assumed: list[Any] = []
        self.defined: list[Any] = []

    def assume(self, formula: Any) -> None:
        """Take for known what every run is to come to."""
        self.assumed.append(formula)
        self.owed.facts.relied_on.add((self._obligation, formula))
        self.owed.facts.assume(formula, FactOrigin.DEFINITION, self.words)

    def define(self, formula: Any) -> None:
        """Say what a symbol stands for, at the end of a run or of a loop."""
        self.defined.append(formula)
        self.owed.facts.assume(formula, FactOrigin.DEFINITION, self.words)

    def iterations_run(self, plan: LoopPlan, length: Term) -> Term:
        """How many iterations D runs in all, as far as the length of the loop determines it."""
        rounds = length if plan.whole else Term.of(Symbol("iterations", Role.UNKNOWN, integer=True))
        self.assume(rounds.compare(">=", 0))
        self.assume(rounds.compare("<=", length))
        self.assume(implies(length.compare(">=", 1), rounds.compare(">=", 1)))
        return rounds

    def oblige(self) -> None:
        """Oblige the run, which is over, to be as it was taken to be."""
        for formula in self.assumed:
            self.owed.of_runs("same_output", formula, self.place, self._obligation, given=self.defined)

    @property
    def _obligation(self) -> str:
        return f"{self.words} is as foreseen"


LENGTH = "the length of the output"
SAME_POSITION = "outputs at one position"


def _given_after(count: int) -> str:
    given = {0: "nothing is", 1: "one output is"}.get(count, f"{count} outputs are")
    return f"{given} put out after the loop"


class OutputStream:
    """The outputs of a run through loops: those outside them, the one of the iteration at hand, and unknown others.

    Of the loop at hand, ``iterations`` is the length; ``early`` is the number of outputs on the path before it,
    ``unseen`` that of the outputs that earlier iterations of the loops before it gave. ``shapes`` are those that any
    output of the run may have; ``named`` are the rankings whose positions the outputs name, and in which part.
    """

    def __init__(self, trial: SymbolicTrial, at: AtLoop, plan: LoopPlan) -> None:
        # Not the trial itself: what an alignment returns refers to this stream, and the two must not form a cycle.
        self.run = trial.run
        self.owed = trial.owed
        self.assume = trial.facts.assume
        self.foreseen = Foreseen(trial.owed, at.node.place, LENGTH)
        self.drawn_before = len(trial.run.drawn)
        self.place_of_alignment = trial.place
        self.unseen = Term.of(0)
        self.known: list[tuple[Term, Any]] = []
        self.reals = None if plan.by_pieces else trial.record.reals
        self.last_held: dict[Path, Term] = {}  # by the place in the last output, what is there
        self.asked: dict[str, Term] = {}  # the positions asked for that stay the same for the whole run
        self._enter(at, plan)
        self.is_read = trial.reads_output
        # Where queries are chosen along the way, so are the public values that come with them.
        self.is_fixed = fixed_at_the_start if trial.alignment.adaptive else lambda number: True
        self.after = plan.after
        self.length = Term.of(Symbol(f"len({self.name})", Role.UNKNOWN, integer=True))
        self.named: dict[int | None, Ranking] = {}
        self.positions: frozenset[int | None] = frozenset()
        self.vector = trial.inputs.vector
        self.inputs = trial.inputs
        self.shapes = Shapes(None)
        if self.is_read:
            self._limit()

    name = "omega"

    @property
    def lengths(self) -> tuple[Term, ...]:
        """How many items what the alignment reads has: the same for the whole run."""
        return (self.length,)

    def given(self) -> tuple[Any, ...]:
        """The outputs that are on the path."""
        return tuple(output.value for output in self.run.emitted)

    def _enter(self, at: AtLoop, plan: LoopPlan) -> None:
        """Come to a loop; the outputs on the path so far are known."""
        self.plan = plan
        self.place = at.node.place
        self.iterations = Term.of(at.items.length)
        self.silent = plan.silent
        self.at_hand: tuple[tuple[Term, Any], ...] = ()
        self.own: tuple[Any, ...] | None = None
        self.iteration: Term | None = None
        self.drawn_before = len(self.run.drawn)
        self._know()
        self.early = len(self.given())

    def _know(self) -> None:
        """Know the outputs that came to the path since the last that are known."""
        since = len(self.known)
        for number, value in enumerate(self.given()[since:], since):
            position = self.unseen + number
            self.known.append((position, seen(value, f"{self.name}[{position.key}]", reals=self.reals)))

    def pass_to(self, at: AtLoop, plan: LoopPlan, rounds: Term) -> None:
        """Go on to the next loop; of the one at hand, ``rounds`` iterations are not on the path."""
        if not self.silent:
            if self.is_read and self.plan.each is None:
                raise Unsupported("outputs after a loop whose iterations give varying numbers of them", at.node.place)
            self.unseen = self.unseen + rounds * (self.plan.each or 1)
        self._enter(at, plan)

    def _limit(self) -> None:
        """Assume how long the output can be, where every iteration gives as many items of it as planned."""
        run, foreseen = self.run, self.foreseen
        self._at_least(Term.of(self.early))
        if self.plan.shapes_of_rest or self.after is not None:
            self.shapes = self.plan.shapes | Shapes.of(shape(output.value) for output in run.emitted)
        if self.plan.whole and self.plan.each is not None and not self.silent:
            foreseen.assume(self.length.compare(">=", self.iterations * self.plan.each + self.early))
        if self.after is None or self.plan.each is None:
            return
        around = self.early + self.after
        foreseen.assume(self.length.compare("<=", self.iterations * self.plan.each + around))
        if self.plan.steady:
            foreseen.assume(implies(self.iterations.compare(">=", 1), self.length.compare(">=", around + 1)))
        # Where an iteration gives several items, the number of an item is not that of its iteration.
        if around == 0 and self.plan.each == 1:
            ranked = (naming for naming in self.plan.names if naming.ranking < len(run.rankings))
            self.positions = self.plan.positions
            self.named = {naming.part: run.rankings[naming.ranking] for naming in ranked}

    def rounds_in_all(self) -> Term:
        """How many iterations D runs in all, as far as the length of the loop and of the output determine it.

        An iteration that goes on gives exactly one output where the alignment reads the output, and one that leaves
        the loop at most one; both are obligations of their own.
        """
        foreseen, plan = self.foreseen, self.plan
        rounds = foreseen.iterations_run(plan, self.iterations)
        if self.is_read and not self.silent and plan.each is not None:
            surely = rounds if plan.steady or plan.whole else rounds - 1
            foreseen.assume(self.length.compare(">=", surely * plan.each + self.early))
            if self.after is not None:
                foreseen.assume(self.length.compare("<=", rounds * plan.each + self.early + self.after))
        return rounds

    def outputs_of(self, own: list[Emitted], iteration: Term, names: Environment, *, goes_on: bool) -> None:
        """Oblige the iteration at hand to give as many outputs as planned, where the alignment reads the output.

        ``own`` is what the iteration gives. One that leaves the loop may also give fewer, unless the plan is steady.
        """
        if self.is_read:
            values = tuple(output.value for output in own)
            self.has_shape(values)
            self.items_of(values, iteration, goes_on=goes_on)
            self._holds_last(values, iteration, names, goes_on=goes_on)

    def has_shape(self, outputs: Iterable[Any]) -> None:
        """Oblige outputs to have shapes that are planned, where the alignment may ask for their shapes."""
        for output in outputs if self.shapes.alternatives is not None else ():
            words = "every output has one of the shapes that were seen"
            self.owed.of_runs("same_output", self.shapes.admit(output), self.place, words)

    def at_head(self, names: Environment, rounds: Term) -> None:
        """Take note of the variables that are numbers of the last output."""
        self.last_held = {at: Term.of(names[name]) for at, name in self.plan.held if name in names}

    def _holds_last(self, own: tuple[Any, ...], iteration: Term, names: Environment, *, goes_on: bool) -> None:
        """Note that the output before that of the iteration at hand is what variables are at the head.

        An iteration that goes on is obliged to leave them so, and where there is none before nothing may be read.
        """
        if self.plan.each != 1 or self.silent or self.reals is None:
            return
        for at, name in self.plan.held if goes_on else ():
            same = dict(numbers_at(own[0])).get(at) if len(own) == 1 else None
            goal = same is not None and Term.of(names[name]).compare("==", same)
            self.owed.of_runs("same_output", goal, self.place, f"{name} is a number of the last output")
        before = f"{self.name}[{(self.unseen + iteration + self.early - 1).key}]"
        for at, number in self.last_held.items() if own else ():
            self.reals.note(part_name(before, at), number, iteration.compare(">=", 1))

    def items_of(self, own: tuple[Any, ...], iteration: Term, *, goes_on: bool) -> None:
        """Oblige the iteration at hand to give so many items of the sequence, and take note of them."""
        if is_unknown(own):
            raise Unsupported(UNKNOWN_OUTPUTS, self.place_of_alignment)
        self.own, self.iteration = own, iteration
        self._name_only(self.own, iteration)
        each = self.plan.each
        if self.silent:
            self.owed.of_runs("same_output", not own, self.place, "an iteration gives no output")
            return
        if each is None:
            self._at_least(Term.of(self.early + len(own)))
            return
        if not own and not goes_on and not self.plan.steady:
            return
        as_planned = len(own) == each or (0 < len(own) < each and not goes_on)
        words = (
            f"an iteration gives {len(own)} outputs, so omega[i] need not be the output of iteration i: yield the same "
            "number of outputs in each, a tag where there is nothing to tell"
        )
        self.owed.of_runs("same_output", as_planned, self.place, words)
        if not as_planned:
            return
        first = self.unseen + iteration * each + self.early
        # By their positions, as any other output is named: a public parameter may be called i.
        names = [f"{self.name}[{(first + number).key}]" for number in range(each)]
        is_fixed, reals = self.is_fixed, self.reals
        outputs = (seen(o, name, self._spread, is_fixed, reals) for o, name in zip(own, names, strict=False))
        self.at_hand = tuple((first + i, output) for i, output in enumerate(outputs))
        for index in self.asked.values():
            self._known_where_asked(index, self.at_hand)
        self._at_least(first + len(own))
        if each > 1:
            for position, _ in self.at_hand:
                self.assume(position.compare("<", self.length), FactOrigin.DEFINITION, LENGTH)
        for part in self.positions:
            for output in own:
                value = part_of(output, part)
                inside = is_number(value) and within(Term.of(value), self._items())
                words = "the output of iteration i is a position in the list"
                self.owed.oblige("same_output", inside, self.place, words)
        for part, ranking in self.named.items():
            value = part_of(own[0], part)
            same = is_number(value) and Term.of(value).compare("==", ranking.at(iteration))
            words = "the output of iteration i names the position of rank i"
            self.owed.oblige("same_output", same, self.place, words)

    def _at_least(self, given: Term) -> None:
        """Assume that the output has what is given so far, and what follows the loop."""
        self.assume(self.length.compare(">=", given), FactOrigin.DEFINITION, LENGTH)
        if self.after:
            longer = self.length.compare(">=", given + self.after)
            self.assume(longer, FactOrigin.OBLIGED, _given_after(self.after))

    def _spread(self, real: Term) -> bool:
        """Whether a real part of this iteration's output equals each fixed number with probability 0.

        It must be so by the iteration's own noise: one who chooses the next query may know of earlier noise.
        """
        return self.run.spread(real, self.drawn_before)

    def _name_only(self, outputs: Iterable[Any], iteration: Term) -> None:
        """Oblige outputs to name no other numbers than those that the plan says they name."""
        if self.plan.told:
            words = "the outputs name the iterations that gave them, and no others"
            self.owed.of_runs("same_output", keep(self.plan.told, offsets(outputs, iteration)), self.place, words)

    def names(self, path: Path, number: Term) -> Any:
        """Whether some output has a number in its part at ``path``: that of the iteration at hand, or an unknown."""
        if path not in self.plan.told or Simple.BOOLEAN in self.shapes.at(path):
            raise Unsupported("`in` for outputs that do not all name their own iteration", self.place_of_alignment)
        if self.iteration is not None and number == self.iteration + self.plan.told[path]:
            return any(at == path for at, _ in offsets(self.own or (), self.iteration))
        return Unknown(f"{number.key} in {part_name(f'{self.name}[.]', path)}")

    def is_over(self, rounds: Term, *, ended: bool = True) -> None:
        """Assume how long the output is where the loop is left: ``rounds`` iterations before gave all that is planned.

        Where the run has not ``ended``, it is at least as long.
        """
        if self.is_read:
            self._length_is_known(rounds, ended=ended)
        if ended:
            self.foreseen.oblige()

    def _length_is_known(self, rounds: Term, *, ended: bool) -> None:
        given = self.given()
        own = 0 if self.own is None else len(self.own)
        since = given[self.early :]
        if is_unknown(given):
            raise Unsupported(UNKNOWN_OUTPUTS, self.place_of_alignment)
        self.has_shape(since)
        if self.after is not None:
            words = _given_after(self.after)
            self.owed.of_runs("same_output", len(since) == own + self.after, self.place, words)
        # Outputs from outside the loop have no iteration: no number of theirs is one that the plan knows of.
        self._name_only((*given[: self.early], *since[own:]), OUTSIDE)
        each = 0 if self.silent else self.plan.each
        if each is None:
            return
        whole = self.unseen + rounds * each + len(given)
        if self.after:
            self._know_rest(whole - self.after, since[own:])
        if ended:
            self.foreseen.define(self.length.compare("==", whole))
        else:
            self.assume(self.length.compare(">=", whole), FactOrigin.DEFINITION, LENGTH)

    def _know_rest(self, first: Term, rest: Iterable[Any]) -> None:
        """Know the outputs after the loop, the first of which stands at position ``first``.

        Shifts may not read their real parts: they are of noise that is drawn after that of the iterations.
        """
        positions = ((first + number, output) for number, output in enumerate(rest))
        self.at_hand = (*self.at_hand, *((at, seen(output, f"{self.name}[{at.key}]")) for at, output in positions))
        for index in self.asked.values():
            self._known_where_asked(index, self.at_hand)

    def count_rounds(self, rounds: Term, done: Term) -> None:
        """Say how many iterations D has run, where the loop is over or left."""
        self.foreseen.define(rounds.compare("==", done))

    def seen(self, context: AligningContext) -> Family:
        """The outputs as a sequence that an alignment reads."""
        names = self.names if self.plan.told else None
        reading = Reading(context, self.place_of_alignment, self.length, names)
        return Family(self.length, lambda index: self._at(Term.of(index), reading))

    def _items(self) -> Term:
        """The number of items of the first private list."""
        assert self.vector is not None
        values = self.inputs.values[self.vector]
        return Term.of(values.length if isinstance(values, Family) else len(values))

    def _position_at(self, part: int | None, index: Term) -> Term:
        """A part of another output that is a position in the first private list, as that of every iteration is."""
        name = "omega[.]" if part is None else f"omega[.][{part}]"
        position = Term.of(Element(f"{name}, a position", index, Role.UNKNOWN, integer=True))
        self.assume(within(position, self._items()), FactOrigin.DEFINITION, LENGTH)
        return position

    def _at(self, index: Term, reading: Reading) -> Any:
        for position, output in (*self.known, *self.at_hand):
            if index == position:
                return output
        positions = {part: ranking.at(index) for part, ranking in self.named.items()}
        positions |= {part: self._position_at(part, index) for part in self.positions if part not in positions}
        if None in positions:
            return positions[None]
        if index.key not in self.asked and not self.owed.facts.indices.arbitrary_in(index):
            if roles(index) <= {Role.UNKNOWN, Role.PUBLIC}:
                self.asked[index.key] = index
            self._known_where_asked(index, (*self.known, *self.at_hand))
        return OtherOutput(f"{self.name}[{index.key}]", self.shapes, reading, positions).plain()

    def _known_where_asked(self, index: Term, outputs: Iterable[tuple[Term, Any]]) -> None:
        """Say of an output that was asked for that it is the one at the same position, wherever there is one."""
        name = f"{self.name}[{index.key}]"
        for position, output in outputs:
            alike = self.shapes.matched(name, shape(output)) & whole_numbers_are(name, self.shapes, output)
            self.assume(implies(index.compare("==", position), alike), FactOrigin.DEFINITION, SAME_POSITION)
