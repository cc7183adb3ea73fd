"""Claims that depend on how long the output is, where a loop makes it.

How many outputs there are at the loop's head is a number of its own, to which every iteration adds what it puts
out. A path that leaves the loop thus knows how many there are in the end: those at the head, those of the last
iteration, and those after the loop. The invariants tried relate this number to what the program itself counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Family
from alignkit.language.kinds import Kind
from alignkit.language.program import For, If, Statement, Yield
from alignkit.proving import invariants as inv
from alignkit.symbolic.terms import Role, Symbol, Term

if TYPE_CHECKING:
    from alignkit.proving.trial import Trial


def outputs_so_far(trial: Trial, before: Term) -> Term:
    """The number of outputs at the loop's head, of which ``before`` came ahead of the loop."""
    if not trial.alignment.ex_post:
        return before
    outputs = Term.of(Symbol("outputs so far", Role.STATE, integer=True))
    trial.ledger.assume(outputs.compare(">=", before))
    return outputs


def output(trial: Trial, unseen: Term) -> Any:
    """D's output as the claim sees it at the end of a path through a loop.

    ``unseen`` is the number of outputs that iterations before the one at hand have given: they are not on the path.
    """
    if not trial.alignment.ex_post:
        return None
    if not trial.mechanism.program.is_generator:
        return trial.run.emitted[-1].value
    return Family(unseen + len(trial.run.emitted), _unread)


def _unread(index: Any) -> Any:
    raise Unsupported("the claim reads an item of an output that a loop makes")


def invariants(loop: For, changed: tuple[str, ...], kinds: Mapping[str, Kind]) -> tuple[inv.Invariant, ...]:
    """Comparisons of the number of outputs with the iterations and with the loop's counters, worth trying."""
    counters = (inv.ROUNDS, *(name for name in changed if kinds[name].name == "int"))
    times = max(1, _most(loop.body))
    much = "as much" if times == 1 else f"{times} times as much"
    return tuple(
        inv.Invariant(
            f"{inv.OUTPUTS} gain {words} {much} as {counter}", partial(_gain, counter, relation, times)
        )
        for counter in counters
        for relation, words in (("<=", "at most"), (">=", "at least"))
    )


def _most(body: tuple[Statement, ...]) -> int:
    """How many outputs one run of the statements gives at most, inner loops counted once."""
    found = 0
    for statement in body:
        match statement:
            case Yield():
                found += 1
            case If(then=then, other=other):
                found += max(_most(then), _most(other))
            case For(body=inner):
                found += _most(inner)
    return found


def _gain(counter: str, relation: str, times: int, state: inv.State, start: inv.State) -> Any:
    gained = Term.of(inv.counted(state, counter)) - inv.counted(start, counter)
    return (state.outputs - start.outputs).compare(relation, gained * times)
