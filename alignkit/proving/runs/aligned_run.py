"""D′'s symbolic run on the aligned noise, in step with D's; listeners compare the two, event by event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from alignkit.errors import Parted
from alignkit.interpreting.values import Coordinate, Family, Where
from alignkit.language.program import Builtin, MechanismCall, Place
from alignkit.noise import CHOICE, Distribution
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.alignment_run import Shifts
from alignkit.proving.runs.grown_lists import ListMakingContext
from alignkit.proving.runs.lemma_calls import Chunk, LemmaCall
from alignkit.proving.runs.run_on_d import ArgumentsAt, ComparedStep, FamilyDraw, RunContext, SymbolicDraw
from alignkit.proving.vectors.hidden_sums import hidden_sum, oblige_same_sum
from alignkit.proving.vectors.selections import rank_alike
from alignkit.symbolic.terms import Term


@dataclass(frozen=True)
class InStep:
    """Listeners, called at every event of D′ with the event of D that comes at the same point of its run.

    ``draw`` and ``family`` take D's draw, then the distribution, arguments (and length) that D′ draws with; ``chosen``
    takes D's finite choice, then the weights and the outcome of D′; ``output`` takes what D put out and what D′ puts
    out; ``call`` takes a call of D and the arguments of that of D′. They may oblige and assume that the two are the
    same.
    """

    call: Callable[[LemmaCall, Mapping[str, Any]], None]
    draw: Callable[[SymbolicDraw, Distribution, tuple[Any, ...], Place], None]
    chosen: Callable[[SymbolicDraw, tuple[Any, ...], int, Place], None]
    family: Callable[[FamilyDraw, Distribution, ArgumentsAt, Any, Place], None]
    output: Callable[[AlignedRunContext, Any, Any, Place], None]


class AlignedRunContext(ListMakingContext):
    """D′'s run on the aligned noise. Parted where it does something that D did not do."""

    label = " (on D')"

    def __init__(self, owed: Obligations, run: RunContext, shifts: Shifts, in_step: InStep) -> None:
        super().__init__(owed, run.keys)
        self.run = run
        self.shifts = shifts
        self.in_step = in_step
        self.drawn = 0
        self.emitted = 0
        self.families = 0
        self.called = 0
        self.compared: list[ComparedStep] = []

    def decide(self, condition: Any, place: Place) -> bool:
        path = self.facts.path
        if not path.guards and not self.elements.uniform and path.decided(condition) is None:
            self.owed.foreseen(condition, place, "D' takes the only branch that D's run leaves open")
        way = super().decide(condition, place)
        if not isinstance(condition, bool):
            self.compared.append(ComparedStep(place, condition if way else ~condition))
        return way

    def reaches(self, family: Family, at: Term, place: Place, words: str) -> None:
        self.oblige(self.compare(">=", at, 0, place), place, words)
        reached = self.compare("<", at, family.length, place)
        if isinstance(self.facts.path.guarded(reached), bool):
            self.require(reached, place, words)
        else:  # what D presumes of public values is as true of D'
            self.oblige(reached, place, words, presuming=True)

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        if self.drawn >= len(self.run.drawn) or self.run.drawn[self.drawn].where != where:
            raise Parted("noise_used", f"D' draws {where} where D does not", place)
        of_d = self.run.drawn[self.drawn]
        self.drawn += 1
        if distribution is CHOICE:
            self.in_step.draw(of_d, distribution, arguments[0], place)
            outcome = self._chosen(of_d, place)
            self.in_step.chosen(of_d, arguments[0], outcome, place)
            return outcome
        self.in_step.draw(of_d, distribution, arguments, place)
        return of_d.value + self.shifts.of(of_d)

    def _chosen(self, of_d: SymbolicDraw, place: Place) -> int:
        """The outcome of a finite choice on D′, which must be one with a weight above 0."""
        assert of_d.outcome is not None
        aligned = self.shifts.of(of_d) + of_d.outcome
        for outcome in range(len(of_d.arguments)):
            if self.decide(aligned.compare("==", outcome), place):
                return outcome
        raise Parted("valid_noise", f"the aligned {of_d.where} is no outcome of the choice", place)

    def draw_family(
        self, where: Coordinate, distribution: Distribution, arguments: ArgumentsAt, length: Any, place: Place
    ) -> Family:
        if self.families >= len(self.run.families) or self.run.families[self.families].where != where:
            raise Parted("noise_used", f"D' draws {where} where D does not", place)
        of_d = self.run.families[self.families]
        self.families += 1
        self.in_step.family(of_d, distribution, self.unbranched(arguments), length, place)
        return Family(of_d.length, self.remembered(lambda index: self._aligned(of_d, Term.of(index))))

    def _aligned(self, of_d: FamilyDraw, index: Term) -> Term:
        return of_d.value(index) + self.shifts.of_family(of_d, index)

    def ranked(self, ranking: Ranking) -> Family:
        """The first positions of a ranking; what the output names of D's ranking must be named again."""
        number = len(self.rankings)
        positions = super().ranked(ranking)
        if number < len(self.run.rankings) and self.run.rankings[number].node is ranking.node:
            outputs = [e.value for e in self.run.emitted]
            rank_alike(self.owed, self.run.rankings[number], ranking, outputs)
        return positions

    def hidden_sum(self, family: Family, node: Builtin, where: Where, words: str) -> Any:
        total = hidden_sum(self, family, node, where, self.run.iteration, words)
        if not self.elements.revisiting:
            made, of_d = self.run.sums.get(total.key, (None, family))
            if made is not node:
                raise self.unsupported("a sum of noisy items that D' makes where D does not", node.place)
            oblige_same_sum(self, of_d, family, node)
        return total

    def mechanism_call(self, evaluator: Any, node: MechanismCall, arguments: tuple[Any, ...]) -> Any:
        if self.run.lemmas.of(node) is None:
            return self.inlined(evaluator, node, arguments)
        if self.called >= len(self.run.calls):
            raise Parted("noise_used", f"D' calls {node.function.name} where D does not", node.place)
        of_d = self.run.calls[self.called]
        if of_d.node is not node or of_d.where.index != evaluator.iteration:
            raise Parted("noise_used", f"D' calls {node.function.name} where D calls {of_d.where}", node.place)
        self.called += 1
        self.in_step.call(of_d, dict(zip(node.function.parameters, arguments, strict=True)))
        return of_d.value

    def emit_all(self, values: Any, place: Place) -> tuple[Any, ...]:
        return super().emit_all(values, place) if isinstance(values, tuple) else (self.emit(Chunk(values), place),)

    def emit(self, value: Any, place: Place) -> Any:
        if self.emitted >= len(self.run.emitted):
            raise Parted("same_output", "D' gives one more output than D", place)
        of_d = self.run.emitted[self.emitted]
        self.emitted += 1
        self.compared.append(ComparedStep(place, value, of_d.value))
        self.in_step.output(self, of_d.value, value, place)
        return of_d.value
