"""What the body of a loop changes: variables that are numbers, and lists that it makes longer; forgotten on D alone."""

from __future__ import annotations

from collections.abc import Iterable

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Environment
from alignkit.language.kinds import NUMBERS
from alignkit.language.program import assigned
from alignkit.proving.runs import grown_lists
from alignkit.proving.runs.grown_lists import GrownList, grown_in
from alignkit.proving.runs.loop_states import LoopNumber, in_loop
from alignkit.proving.symbolic_trial import AtLoop, SymbolicTrial
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


def forget_on_d(trial: SymbolicTrial, at: AtLoop, changed: Iterable[str], number: LoopNumber) -> None:
    """Forget on D what the body of a loop changes: these variables, and the lists that it makes longer."""
    whole = whole_variables(trial, at)
    for name in changed:
        at.names[name] = Term.of(Symbol(in_loop(name, number), Role.STATE, integer=name in whole))
    for name in lists_grown(trial, at):
        at.names[name] = grown_lists.at_head(name)


def whole_variables(trial: SymbolicTrial, at: AtLoop) -> frozenset[str]:
    """The variables that a loop changes and that are whole numbers at its head; heads oblige that they are."""
    kinds = trial.mechanism.kinds.at_loop[at.node.site]
    return frozenset(name for name in changed_variables(trial, at) if kinds[name].name == "int")


def lists_grown(trial: SymbolicTrial, at: AtLoop) -> tuple[str, ...]:
    """The lists that the body of a loop makes longer, where they have a fixed number of items when it begins.

    A program with several loops has none: its lists are those of one loop only.
    """
    if not trial.has_one_loop:
        return ()
    return tuple(sorted(n for n in grown_in(at.node) & at.names.keys() if isinstance(at.names[n], tuple | GrownList)))


def changed_variables(trial: SymbolicTrial, at: AtLoop) -> tuple[str, ...]:
    """The variables that the body of a loop changes, but for lists that it makes longer; they must be numbers."""
    kinds = trial.mechanism.kinds.at_loop[at.node.site]
    changed = tuple(sorted((assigned((at.node,)) & at.names.keys() & kinds.keys()) - set(lists_grown(trial, at))))
    for name in changed:
        if kinds[name].name not in NUMBERS:
            raise Unsupported(f"`{name}` changes in the loop and is not a number", at.node.place)
    return changed


def forget_dead(both: tuple[Environment, ...], alive: tuple[set[str], ...]) -> None:
    """Take from the names of both runs what a loop's body was the first to give a value: it has none after the loop."""
    for names, known in zip(both, alive, strict=True):
        for name in names.keys() - known:
            del names[name]
