"""What holds on both sides around the iteration that a returned variable marks, and what this iteration costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.proving.conditions.cost_rates import candidate_rates
from alignkit.proving.loops.invariants import Invariant
from alignkit.proving.proposals.counters_of_change import TriedGhost
from alignkit.proving.runs.loop_states import ROUNDS, Ghost, LoopRound, placeholder
from alignkit.proving.runs.returned_forms import OMEGA, Mark
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.symbolic.atoms import Conditional
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within
from alignkit.symbolic.trees import Role


def around_marks(some: Iterable[Mark], numbers: Iterable[str], inputs: Inputs) -> Iterator[Invariant]:
    """Invariants worth trying: D′ marks what D does once it is the output, and other variables are so far apart."""
    distances = sorted({0, *(by for name in inputs.vectors for by in _either_way(inputs.sensitivity(name)))}, key=str)
    others = list(numbers)
    for mark in some:
        yield Invariant(f"{mark.name} is equal on D and D' once it is the output", _same_once_over(mark))
        yield Invariant(f"{mark.name} is that before the loop or marks an iteration that is over", _is_over(mark))
        for name in others:
            for by in distances:
                for relation in ("<=", ">="):
                    apart = f"{name}_ - {name} {relation} {by}"
                    until, since = _apart(mark, name, relation, by, still=True), _apart(mark, name, relation, by)
                    yield Invariant(f"{apart} until {mark.name} is the output", until)
                    yield Invariant(f"{apart} once {mark.name} is the output", since)


def rates_at_marks(
    some: Iterable[Mark], costs: Iterable[tuple[Term, LoopRound]], inputs: Inputs
) -> Iterator[tuple[tuple[Ghost, Term], ...]]:
    """That the cost is counted against whether the iteration is over that the output marks, with its rate."""
    listed = list(costs)
    for mark in some:
        yield from (((_over(mark), rate),) for rate in _costs_of_marked(mark, listed, inputs))


# How the keys begin of the lengths of what the alignment reads.
_LENGTH = f"{Role.UNKNOWN.prefix}len({OMEGA}"


def rates_at_one_iteration(
    costs: Iterable[tuple[Term, LoopRound]], inputs: Inputs
) -> Iterator[tuple[tuple[Ghost, Term], ...]]:
    """That the cost is counted against whether an iteration is over that a shift names, such as ``len(omega) - 1``."""
    listed = list(costs)
    for at in dict.fromkeys(at for moved, round_ in listed for at in _named(moved, round_)):
        moved = [(_put_at(at, cost, round_), Term.of(1)) for cost, round_ in listed]
        yield from (((_passed(at), rate),) for rate in candidate_rates(moved, inputs))


def _named(cost: Term, round_: LoopRound) -> Iterator[Term]:
    """The numbers, the same for the whole run, that a cost compares the number of the iteration with."""
    (iteration,) = round_.head.rounds.parts
    for atom in atoms_within(cost):
        for equal in atom.condition.comparisons() if isinstance(atom, Conditional) else ():
            factor = equal.term.parts.get(iteration, 0)
            if equal.relation in ("==", "!=") and abs(factor) == 1:
                other = round_.head.rounds - equal.term * factor
                if all(atom.role is Role.PUBLIC or atom.key.startswith(_LENGTH) for atom in other.atoms()):
                    yield other


def _put_at(at: Term, cost: Term, round_: LoopRound) -> Term:
    (iteration,) = round_.head.rounds.atoms()
    return Term.of(substitute(cost, {iteration: at}))


def _passed(at: Term) -> Ghost:
    def gain(round_: LoopRound) -> Term:
        return Term.of(op.choose(at.compare("==", round_.head.rounds), 1, 0))

    value = Term.of(op.choose(at.compare("<", placeholder(ROUNDS)), 1, 0))
    return TriedGhost(f"whether iteration {at} is over", value, gain)


def _costs_of_marked(mark: Mark, costs: list[tuple[Term, LoopRound]], inputs: Inputs) -> list[Term]:
    """What the iteration costs that the output marks."""
    (output,) = mark.output.atoms()
    marked = [(substitute(moved, {output: round_.head.rounds + mark.offset}), Term.of(1)) for moved, round_ in costs]
    return candidate_rates(marked, inputs)


def _over(mark: Mark) -> Ghost:
    value = Term.of(mark.to_come(placeholder(ROUNDS)).choose(0, 1))

    def gain(round_: LoopRound) -> Term:
        at_hand = mark.output.compare("==", round_.head.rounds + mark.offset)
        return Term.of(at_hand.choose(1, 0))

    return TriedGhost(f"the iteration that the output marks by {mark.name}", value, gain)


def _either_way(by: Any) -> tuple[Any, Any]:
    return by, -by


def _same_once_over(mark: Mark) -> Any:
    return _apart(mark, mark.name, "==", 0)


def _is_over(mark: Mark) -> Any:
    return _is_over_on(mark, primed=False) & _is_over_on(mark, primed=True)


def _is_over_on(mark: Mark, *, primed: bool) -> Any:
    number, before = (placeholder(mark.name, primed=primed, before=before) for before in (False, True))
    over = number.compare(">=", mark.offset) & number.compare("<", placeholder(ROUNDS) + mark.offset)
    return number.compare("==", before) | over


def _apart(mark: Mark, name: str, relation: str, by: Any, *, still: bool = False) -> Any:
    apart = (placeholder(name, primed=True) - placeholder(name)).compare(relation, by)
    to_come = mark.to_come(placeholder(ROUNDS))
    return apart | (~to_come if still else to_come)
