"""How many outputs a loop gives, for claims that depend on how long the output is.

The number of outputs at the loop's head is then a number of its own, to which every iteration adds what it puts out. A
path that leaves the loop thus knows how many there are in the end: those at the head, those of the last iteration, and
those after the loop. The invariants tried relate this number to what the program itself counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Family
from alignkit.language.kinds import Kind
from alignkit.language.program import For, If, Statement, Yield
from alignkit.proving.loops.invariants import Invariant
from alignkit.proving.runs.lemma_calls import Chunk
from alignkit.proving.runs.loop_states import OUTPUTS, ROUNDS, LoopNumber, LoopState, in_loop
from alignkit.proving.symbolic_trial import SymbolicTrial
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


def outputs_so_far(trial: SymbolicTrial, before: Term, number: LoopNumber = 0) -> Term:
    """The number of outputs at the head of a loop, of which ``before`` came ahead of it; loops count from 0."""
    if not trial.alignment.ex_post:
        return before
    return Term.of(Symbol(in_loop("outputs so far", number), Role.STATE, integer=True))


def output_of_claim(trial: SymbolicTrial, unseen: Term | None = None) -> Any:
    """D's output as the claim sees it at the end of a path.

    ``unseen`` is the number of outputs that iterations before the one at hand have given: they are not on the path.
    None where the whole output is on the path.
    """
    if not trial.alignment.ex_post:
        return None
    if trial.returns:
        return trial.run.emitted[-1].value
    values = tuple(output.value for output in trial.run.emitted)
    if unseen is None and not any(isinstance(value, Chunk) for value in values):
        return values
    return Family(trial.run.outputs if unseen is None else unseen + trial.run.outputs, _unread)


def _unread(index: Any) -> Any:
    raise Unsupported("the claim reads an item of an output that is made in a loop or by a call")


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
