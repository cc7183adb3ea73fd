"""How many outputs a loop gives, for claims that depend on how long the output is.

The number of outputs at the loop's head is then a number of its own, to which every iteration adds what it puts out. A
path that leaves the loop thus knows how many there are in the end: those at the head, those of the last iteration, and
those after the loop.
"""

from __future__ import annotations

from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Family
from alignkit.proving.runs.lemma_calls import Chunk
from alignkit.proving.runs.loop_states import LoopNumber, in_loop
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
