"""How many outputs a loop gives: what the alignment may rely on, what is obliged for that, and claims that count them.

Positions in the output are iterations only where every iteration gives exactly one output; that is an obligation where
the alignment reads the output. Where the claim depends on how long the output is, the number of outputs at the loop's
head is a number of its own, to which every iteration adds what it puts out. A path that leaves the loop thus knows how
many there are in the end: those at the head, those of the last iteration, and those after the loop. The invariants
tried relate this number to what the program itself counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Family, is_number
from alignkit.language.kinds import Kind
from alignkit.language.program import For, If, Place, Statement, Yield, walk
from alignkit.proving.loops.invariants import Invariant, LoopPlan
from alignkit.proving.loops.output_stream import OutputStream
from alignkit.proving.runs.loop_states import OUTPUTS, ROUNDS, LoopState
from alignkit.proving.runs.output_shapes import Shapes, shape
from alignkit.proving.runs.run_events import Emitted
from alignkit.proving.symbolic_trial import AtLoop, SymbolicTrial
from alignkit.proving.vectors.named_positions import part_of
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.formulas import implies
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

# The output as an alignment reads it


def limit_stream(trial: SymbolicTrial, at: AtLoop, plan: LoopPlan, stream: OutputStream) -> None:
    """Assume how long the output can be, where every iteration gives exactly one (which is an obligation elsewhere)."""
    if not _reads_output(trial):
        return
    if not trial.mechanism.program.is_generator:
        raise Unsupported("the alignment reads what a function returns after a loop", at.node.place)
    run, assume = trial.run, trial.facts.assume
    early, length = len(run.emitted), Term.of(at.items.length)
    assume(stream.length.compare(">=", early))
    if _gives_output_later(trial, at):
        return
    stream.shapes = plan.shapes | Shapes.of(shape(each.value) for each in run.emitted)
    assume(stream.length.compare("<=", length + early))
    if plan.steady:
        assume(implies(length.compare(">=", 1), stream.length.compare(">=", early + 1)))
    if early == 0:
        known = (each for each in plan.names if each.ranking < len(run.rankings))
        stream.named = {each.part: run.rankings[each.ranking] for each in known}


def rounds_in_all(trial: SymbolicTrial, at: AtLoop, plan: LoopPlan, stream: OutputStream) -> Term:
    """How many iterations D runs in all, as far as the length of the loop and of the output determine it.

    An iteration that goes on gives exactly one output where the alignment reads the output, and one that leaves
    the loop at most one; both are obligations of their own.
    """
    assume = trial.facts.assume
    rounds, length = Term.of(Symbol("iterations", Role.UNKNOWN, integer=True)), Term.of(at.items.length)
    assume(rounds.compare(">=", 0))
    assume(rounds.compare("<=", length))
    assume(implies(length.compare(">=", 1), rounds.compare(">=", 1)))
    if plan.whole:
        assume(rounds.compare("==", length))
    if _reads_stream(trial):
        early = len(trial.run.emitted)
        assume(stream.length.compare(">=", rounds + early - (0 if plan.steady or plan.whole else 1)))
        if not _gives_output_later(trial, at):
            assume(stream.length.compare("<=", rounds + early))
    return rounds


def one_output(
    trial: SymbolicTrial,
    stream: OutputStream,
    early: int,
    own: list[Emitted],
    iteration: Term,
    place: Place,
    *,
    needed: bool,
) -> None:
    """Oblige an iteration to give exactly one output, where the alignment reads the output.

    ``own`` is what the iteration gives, after ``early`` outputs ahead of the loop. One that leaves the loop may also
    give none, where it is not ``needed``.
    """
    if not _reads_output(trial) or (not own and not needed):
        return
    oblige = trial.owed.oblige
    if len(own) != 1:
        words = f"an iteration gives {len(own)} outputs, so omega[i] need not be the output of iteration i"
        oblige("same_output", False, place, words)
        return
    stream.now(tuple(e.value for e in trial.run.emitted[:early]), iteration, own[0].value)
    trial.facts.assume(stream.length.compare(">=", iteration + early + 1))
    for part, ranking in stream.named.items():
        value = part_of(own[0].value, part)
        same = is_number(value) and Term.of(value).compare("==", ranking.at(iteration))
        oblige("same_output", same, place, "the output of iteration i names the position of rank i")


def whole_output(trial: SymbolicTrial, stream: OutputStream, rounds: Term) -> None:
    """Assume how long the output is where the loop is left: ``rounds`` iterations before gave one output each."""
    if _reads_stream(trial):
        trial.facts.assume(stream.length.compare("==", rounds + len(trial.run.emitted)))


def _reads_output(trial: SymbolicTrial) -> bool:
    return "omega" in trial.alignment.program.parameters


def _reads_stream(trial: SymbolicTrial) -> bool:
    return _reads_output(trial) and trial.mechanism.program.is_generator


def _gives_output_later(trial: SymbolicTrial, at: AtLoop) -> bool:
    """Whether there may be outputs after the loop."""
    rest = trial.mechanism.program.body[at.number + 1 :]
    return any(isinstance(node, Yield) for statement in rest for node in walk(statement))


# Claims that depend on how long the output is


def outputs_so_far(trial: SymbolicTrial, before: Term) -> Term:
    """The number of outputs at the loop's head, of which ``before`` came ahead of the loop."""
    if not trial.alignment.ex_post:
        return before
    outputs = Term.of(Symbol("outputs so far", Role.STATE, integer=True))
    trial.facts.assume(outputs.compare(">=", before))
    return outputs


def output_of_claim(trial: SymbolicTrial, unseen: Term) -> Any:
    """D's output as the claim sees it at the end of a path through a loop.

    ``unseen`` is the number of outputs that iterations before the one at hand have given: they are not on the path.
    """
    if not trial.alignment.ex_post:
        return None
    if not trial.mechanism.program.is_generator:
        return trial.run.emitted[-1].value
    return Family(unseen + len(trial.run.emitted), _unread)


def _unread(index: Any) -> Any:
    raise Unsupported("the claim reads an item of an output that is made in a loop")


def length_invariants(loop: For, changed: tuple[str, ...], kinds: Mapping[str, Kind]) -> tuple[Invariant, ...]:
    """Comparisons of the number of outputs with the iterations and with the loop's counters, worth trying."""
    counters = (ROUNDS, *(name for name in changed if kinds[name].name == "int"))
    times = max(1, _most_outputs(loop.body))
    much = "as much" if times == 1 else f"{times} times as much"
    return tuple(
        Invariant(f"{OUTPUTS} gain {words} {much} as {counter}", partial(_gain, counter, relation, times))
        for counter in counters
        for relation, words in (("<=", "at most"), (">=", "at least"))
    )


def _most_outputs(body: tuple[Statement, ...]) -> int:
    """The most outputs that one run of the statements gives, inner loops counted once."""
    most = 0
    for statement in body:
        match statement:
            case Yield():
                most += 1
            case If(then=then, other=other):
                most += max(_most_outputs(then), _most_outputs(other))
            case For(body=inner):
                most += _most_outputs(inner)
    return most


def _gain(counter: str, relation: str, times: int, state: LoopState, start: LoopState) -> Any:
    gained = state.counted(counter) - start.counted(counter)
    return (state.outputs - start.outputs).compare(relation, gained * times)
