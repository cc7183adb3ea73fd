"""The output of a run through a loop, as the alignment reads it: what is assumed of it, and what is obliged for that.

Positions in the output are iterations only where every iteration gives exactly one output; that is an obligation where
the alignment reads the output.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Family, is_number
from alignkit.language.program import Yield, walk
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.runs.alignment_run import AligningContext
from alignkit.proving.runs.output_shapes import Shapes, shape
from alignkit.proving.runs.run_events import Emitted
from alignkit.proving.runs.seen_output import OtherOutput, Reading, seen
from alignkit.proving.symbolic_trial import AtLoop, SymbolicTrial
from alignkit.proving.vectors.named_positions import part_of
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.formulas import implies
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


def iterations_run(assume: Callable[[Any], None], plan: LoopPlan, length: Term) -> Term:
    """How many iterations D runs in all, as far as the length of the loop determines it."""
    rounds = Term.of(Symbol("iterations", Role.UNKNOWN, integer=True))
    assume(rounds.compare(">=", 0))
    assume(rounds.compare("<=", length))
    assume(implies(length.compare(">=", 1), rounds.compare(">=", 1)))
    if plan.whole:
        assume(rounds.compare("==", length))
    return rounds


class OutputStream:
    """The outputs of a run through a loop: those before it, the one of the iteration at hand, and unknown others.

    ``iterations`` is the length of the loop, ``early`` the number of outputs before it. ``shapes`` are those that any
    output of the run may have; ``named`` are the rankings whose positions the outputs name, and in which part.
    """

    def __init__(self, trial: SymbolicTrial, at: AtLoop, plan: LoopPlan) -> None:
        # Not the trial itself: what an alignment returns refers to this stream, and the two must not form a cycle.
        self.run = trial.run
        self.owed = trial.owed
        self.assume = trial.facts.assume
        self.plan = plan
        self.place = at.node.place
        self.place_of_alignment = trial.place
        self.iterations = Term.of(at.items.length)
        self.early = len(trial.run.emitted)
        self.is_read = trial.reads_output
        rest = trial.mechanism.program.body[at.number + 1 :]
        self.may_go_on = any(isinstance(node, Yield) for statement in rest for node in walk(statement))
        self.length = Term.of(Symbol("len(omega)", Role.UNKNOWN, integer=True))
        self.before: tuple[Any, ...] = ()
        self.position: Term | None = None
        self.current: Any = None
        self.named: dict[int | None, Ranking] = {}
        self.shapes = Shapes(None)
        if self.is_read:
            if trial.returns:
                raise Unsupported("the alignment reads what a function returns after a loop", self.place)
            self._limit()

    def _limit(self) -> None:
        """Assume how long the output can be, where every iteration gives exactly one item of it."""
        run, assume = self.run, self.assume
        assume(self.length.compare(">=", self.early))
        if self.may_go_on:
            return
        self.shapes = self.plan.shapes | Shapes.of(shape(output.value) for output in run.emitted)
        assume(self.length.compare("<=", self.iterations + self.early))
        if self.plan.steady:
            assume(implies(self.iterations.compare(">=", 1), self.length.compare(">=", self.early + 1)))
        if self.early == 0:
            ranked = (naming for naming in self.plan.names if naming.ranking < len(run.rankings))
            self.named = {naming.part: run.rankings[naming.ranking] for naming in ranked}

    def rounds_in_all(self) -> Term:
        """How many iterations D runs in all, as far as the length of the loop and of the output determine it.

        An iteration that goes on gives exactly one output where the alignment reads the output, and one that leaves
        the loop at most one; both are obligations of their own.
        """
        assume, plan = self.assume, self.plan
        rounds = iterations_run(self.assume, plan, self.iterations)
        if self.is_read:
            assume(self.length.compare(">=", rounds + self.early - (0 if plan.steady or plan.whole else 1)))
            if not self.may_go_on:
                assume(self.length.compare("<=", rounds + self.early))
        return rounds

    def one_output(self, own: list[Emitted], iteration: Term, *, needed: bool) -> None:
        """Oblige the iteration at hand to give exactly one output, where the alignment reads the output.

        ``own`` is what the iteration gives. One that leaves the loop may also give none, where it is not ``needed``.
        """
        if not self.is_read or (not own and not needed):
            return
        if len(own) != 1:
            words = f"an iteration gives {len(own)} outputs, so omega[i] need not be the output of iteration i"
            self.owed.oblige("same_output", False, self.place, words)
            return
        self.before = tuple(seen(e.value, f"omega[{i}]") for i, e in enumerate(self.run.emitted[: self.early]))
        self.position = iteration + self.early
        self.current = seen(own[0].value, "omega[i]")
        self.assume(self.length.compare(">=", self.position + 1))
        for part, ranking in self.named.items():
            value = part_of(own[0].value, part)
            same = is_number(value) and Term.of(value).compare("==", ranking.at(iteration))
            words = "the output of iteration i names the position of rank i"
            self.owed.oblige("same_output", same, self.place, words)

    def is_over(self, rounds: Term) -> None:
        """Assume how long the output is where the loop is left: ``rounds`` iterations before gave one output each."""
        if self.is_read:
            self.assume(self.length.compare("==", rounds + len(self.run.emitted)))

    def seen(self, context: AligningContext) -> Family:
        """The outputs as a sequence that an alignment reads."""
        reading = Reading(context, self.place_of_alignment)
        return Family(self.length, lambda index: self._at(Term.of(index), reading))

    def _at(self, index: Term, reading: Reading) -> Any:
        constant = index.constant
        if constant is not None and 0 <= constant < len(self.before):
            return self.before[int(constant)]
        if self.position is not None and index == self.position:
            return self.current
        positions = {part: ranking.at(index) for part, ranking in self.named.items()}
        if None in positions:
            return positions[None]
        return OtherOutput(f"omega[{index.key}]", self.shapes, reading, positions).plain()
