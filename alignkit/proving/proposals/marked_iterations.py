"""What holds on both sides around the iteration that a returned variable marks, and what this iteration costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.proving.conditions.cost_rates import candidate_rates, size_of_rate
from alignkit.proving.loops.invariants import Invariant
from alignkit.proving.proposals.counters_of_change import TriedGhost
from alignkit.proving.runs.loop_states import ROUNDS, Ghost, LoopRound, only_of_states, placeholder
from alignkit.proving.runs.returned_forms import OMEGA, Mark
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.symbolic.atoms import Conditional
from alignkit.symbolic.formulas import Comparison, comparison
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.summation import BOUND_SYMBOL, running_sums
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role


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


# Against at most so many ghosts together is a cost counted.
MOST_TOGETHER = 4


def rates_at_one_iteration(
    costs: Iterable[tuple[Term, LoopRound]], inputs: Inputs
) -> Iterator[tuple[tuple[Ghost, Term], ...]]:
    """That the cost is counted against whether an iteration is over that a shift names, such as ``len(omega) - 1``.

    Where an answer decides which iterations pay, ``v == j`` or ``low + j * w <= v < low + (j + 1) * w``, it is counted
    against whether all of those are over which the answers of D and of D′ name.
    """
    listed = list(costs)
    by_number = {at: _of_iteration(at, listed, inputs) for at in dict.fromkeys(_numbers_named(listed, inputs))}
    for at, rates in by_number.items():
        if Role.PRIVATE not in roles(at):
            yield from (((_passed(at), rate),) for rate in rates)
    crossed = {ghost.name: ghost for cost, r in listed for ghost in _crossed(cost, r, inputs)}
    together = [*(_passed(at) for at in by_number if Role.PRIVATE in roles(at)), *crossed.values()]
    if not 0 < len(together) <= MOST_TOGETHER:
        return
    of_any = candidate_rates([(cost, Term.of(1)) for cost, _ in listed], inputs) if crossed else []
    tried = dict.fromkeys(rate for rates in (*by_number.values(), of_any) for rate in rates)
    for rate in sorted(tried, key=size_of_rate):
        yield tuple((ghost, rate) for ghost in together)


def _of_iteration(at: Term, costs: list[tuple[Term, LoopRound]], inputs: Inputs) -> list[Term]:
    """What an iteration costs whose number is ``at``."""
    return candidate_rates([(_put_at(at, cost, round_), Term.of(1)) for cost, round_ in costs], inputs)


def _comparisons(cost: Term, inputs: Inputs) -> Iterator[Comparison]:
    """The comparisons that decide what an iteration costs; in sums, those of the answer that changes."""
    changing = (substitute(each.body, {BOUND_SYMBOL: inputs.changed}) for each in running_sums((cost,)))
    for atom in (atom for term in (cost, *changing) for atom in atoms_within(term)):
        yield from atom.condition.comparisons() if isinstance(atom, Conditional) else ()


def _numbers_named(costs: list[tuple[Term, LoopRound]], inputs: Inputs) -> Iterator[Term]:
    """The numbers, the same for the whole run, that costs compare the number of the iteration with."""
    for cost, round_ in costs:
        (iteration,) = round_.head.rounds.parts
        for equal in _comparisons(cost, inputs):
            factor = equal.term.parts.get(iteration, 0)
            if equal.relation in ("==", "!=") and abs(factor) == 1:
                other = round_.head.rounds - equal.term * factor
                if _is_fixed(other, (atom for atom in other.atoms() if atom.key.startswith(_LENGTH)), inputs):
                    yield other


def _is_fixed(number: Term, known: Iterable[Atom], inputs: Inputs) -> bool:
    """Whether a number is made of inputs, and of what is ``known`` to be fixed; sums of answers are not looked at."""
    return only_of_states(number, (*known, *inputs.changed.atoms())) and not running_sums((number,))


def _crossed(cost: Term, round_: LoopRound, inputs: Inputs) -> Iterator[TriedGhost]:
    """Whether an answer lies below a number that rises from one iteration to the next: where it ended in the last."""
    (iteration,) = round_.head.rounds.atoms()
    for below in _comparisons(cost, inputs):
        rise = below.term - substitute(below.term, {iteration: round_.head.rounds + 1})
        own = (atom for atom in below.term.atoms() if atom == iteration)  # an answer at its own index is another one
        alone = not any(iteration in atom.within for atom in below.term.atoms() if atom != iteration)
        of_answers = alone and Role.PRIVATE in roles(below) and _is_fixed(below.term, own, inputs)
        if below.relation in ("<", "<=") and rise.sign == 1 and of_answers:
            yield _whether_below(below, iteration)


def _whether_below(below: Comparison, iteration: Atom) -> TriedGhost:
    def at(rounds: Term) -> Term:
        ended = comparison(substitute(below.term, {iteration: rounds - 1}), below.relation)
        return Term.of(op.choose(ended, 1, 0))

    def gain(round_: LoopRound) -> Term:
        return at(round_.head.rounds + 1) - at(round_.head.rounds)

    words = f"whether {below.term} {below.relation} 0 in an iteration that is over"
    return TriedGhost(words, at(placeholder(ROUNDS)), gain)


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
