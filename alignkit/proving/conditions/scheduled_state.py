"""Variables of a loop that follow a schedule: they depend on public values and on the number of iterations alone.

A place within a block is one. Two runs with the same public values agree on such variables at every iteration, so a
condition on them tells two paths apart as a condition on public values does.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from alignkit.proving.runs.loop_states import ITERATION, LoopRound
from alignkit.proving.runs.path_trace import Trace
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Role


def scheduled(traces: Sequence[Trace]) -> frozenset[str]:
    """The keys of the variables that follow a schedule.

    They begin with a public value, and what any path makes of them follows from public values, from them, and from the
    number of the iteration; paths that make different things of one are told apart by conditions on these.
    """
    rounds = [trace.round for trace in traces if trace.round is not None]
    if not rounds:
        return frozenset()
    keys = {name: state_symbol(value) for name, value in rounds[0].head.names.items()}
    kept = {name: key for name, key in keys.items() if key is not None and _begins_alike(rounds, name)}
    going_on = [trace for trace in traces if trace.round is not None and trace.round.after is not None]
    while True:
        names, symbols = list(kept), frozenset(kept.values())
        lost = {name for name in names if not _moves_alike(going_on, name, symbols)}
        if not lost:
            return symbols
        kept = {name: key for name, key in kept.items() if name not in lost}


def same_moment(first: Trace, second: Trace) -> bool:
    """Whether two paths pass the head of the loop after the same number of iterations."""
    if first.round is None or second.round is None:
        return False
    return first.round.head.rounds == second.round.head.rounds


def on_schedule(trace: Trace, symbols: frozenset[str] | None) -> tuple[Any, ...]:
    """The conditions of a path that two runs with the same public values share: on public values and such variables.

    Where ``symbols`` is None the runs may be at different iterations.
    """
    if symbols is None:
        return trace.public
    return (*trace.public, *(f for f in trace.of_state if _follows(f, symbols)))


def contradict(first: Iterable[Any], second: Iterable[Any]) -> bool:
    """Whether conditions of one path are plainly the opposite of conditions of another."""
    there = tuple(second)
    opposites = [~formula for formula in first]
    return any(opposite is True or opposite in there for opposite in opposites)


def state_symbol(value: Any) -> str | None:
    """The key of the symbol that stands for a variable at the head; None where the loop does not change it."""
    atoms = tuple(value.atoms()) if isinstance(value, Term) else ()
    if len(atoms) != 1 or value != Term.of(atoms[0]) or not isinstance(atoms[0], Symbol):
        return None
    return atoms[0].key if atoms[0].role is Role.STATE else None


def _begins_alike(rounds: Sequence[LoopRound], name: str) -> bool:
    first = rounds[0].start.names.get(name)
    if first is None:
        return False
    return roles(Term.of(first)) <= {Role.PUBLIC} and all(r.start.names.get(name) == first for r in rounds)


def _moves_alike(traces: Sequence[Trace], name: str, symbols: frozenset[str]) -> bool:
    """Whether two runs that agree on these variables agree on this one after the iteration."""
    ends = [(trace, trace.round.after.names) for trace in traces if trace.round and trace.round.after]
    made = [(trace, Term.of(names[name])) for trace, names in ends if name in names]
    if len(made) < len(ends) or not all(_follows(value, symbols) for _, value in made):
        return False
    return all(
        value == other or contradict(on_schedule(first, symbols), on_schedule(second, symbols))
        for (first, value), (second, other) in itertools.combinations(made, 2)
    )


def _follows(value: Any, symbols: frozenset[str]) -> bool:
    """Whether a term or condition mentions nothing but public values, these variables and the iteration's number."""
    allowed = {*symbols, ITERATION.key}
    return not value.unknowns and all(
        atom.role is None or atom.role is Role.PUBLIC or atom.key in allowed for atom in value.within
    )
