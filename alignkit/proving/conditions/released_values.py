"""What the output of a run tells: real parts that are put out, and variables of a loop that follow from outputs.

A scale may read such values (docs/theory/loops.md). Where an output is a sum with some noise, that noise is what the
output leaves of the sum. So a term that follows from the output mentions, once this is put in, public values and real
parts of the output only.

Variables of a loop that follow a schedule: they depend on public values and on the number of iterations alone.

A place within a block is one. Two runs with the same public values agree on such variables at every iteration, so a
condition on them tells two paths apart as a condition on public values does.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.interpreting.values import Family, is_number
from alignkit.language.tags import Tag
from alignkit.proving.runs.lemma_calls import from_a_call
from alignkit.proving.runs.loop_states import ITERATION, LoopRound, is_iteration
from alignkit.proving.runs.path_trace import Trace, numbers_within
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role


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


@dataclass(frozen=True)
class Told:
    """What a reader of the output knows at the end of a path.

    ``known`` has what the output says of atoms of the path, in order; ``state`` are the keys of the variables of the
    loop that follow from the outputs before the iteration.
    """

    known: tuple[tuple[Atom, Term], ...]
    state: frozenset[str]

    @classmethod
    def by(cls, trace: Trace, state: frozenset[str]) -> Told:
        """What the outputs of a path tell."""
        known: list[tuple[Atom, Term]] = []
        for number, part in enumerate(numbers_within(trace.outputs)):
            left = _rewritten(part, known)
            found = None if left is None else _solved(left, Term.of(Symbol(f"output {number}", Role.OUTPUT)))
            if found is not None:
                known.append(found)
        return cls(tuple(known), state)

    def rewritten(self, value: Any) -> Any:
        """A term or condition in which outputs stand for what they tell; None where that has no value."""
        return _rewritten(value, self.known)

    def follows(self, value: Any, *indices: str) -> bool:
        """Whether a rewritten term or condition mentions only what a reader of the output knows."""
        if isinstance(value, bool):
            return True
        return value is not None and not value.unknowns and all(
            atom.role in (None, Role.PUBLIC, Role.OUTPUT)
            or is_iteration(atom)
            or atom.key in self.state
            or atom.key in indices
            for atom in value.within
        )

    def conditions(self, trace: Trace) -> tuple[Any, ...]:
        """The conditions that lead down a path, as far as a reader of the output knows them."""
        rewritten = (self.rewritten(condition) for condition in trace.assumed)
        return tuple(c for c in rewritten if c is not None and not isinstance(c, bool) and self.follows(c))


def form(output: Any) -> Any:
    """An output without its numbers."""
    if isinstance(output, tuple):
        return tuple(map(form, output))
    if isinstance(output, Tag | bool) or output is None:
        return output
    return "a list" if isinstance(output, Family) else "a number" if is_number(output) else "a value"


def told_state(traces: Sequence[Trace]) -> frozenset[str]:
    """The keys of the variables of the only loop that follow from public values and the outputs so far.

    They begin with such a value, and two iterations with the same output that agree on them before agree on them after.
    """
    rounds = [trace for trace in traces if trace.round is not None]
    if not rounds:
        return frozenset()
    names = rounds[0].round.head.names if rounds[0].round else {}
    kept = {name: key for name in names if (key := state_symbol(names[name])) and _begins_told(rounds, name)}
    going_on = [trace for trace in rounds if trace.round and trace.round.after]
    while True:
        state = frozenset(kept.values())
        told = [(trace, Told.by(trace, state)) for trace in going_on]
        lost = {name for name in kept if not _moves_told(told, name)}
        if not lost:
            return state
        kept = {name: key for name, key in kept.items() if name not in lost}


def _begins_told(rounds: Iterable[Trace], name: str) -> bool:
    values = set()
    for trace in rounds:
        assert trace.round is not None
        start, told = trace.round.start.names.get(name), Told.by(trace, frozenset())
        value = told.rewritten(Term.of(start)) if is_number(start) else None
        if not told.follows(value) or any(is_iteration(atom) for atom in atoms_within(value)):
            return False
        values.add(value)
    return len(values) == 1


def _moves_told(told: Sequence[tuple[Trace, Told]], name: str) -> bool:
    """Whether two iterations with one output that agree on what is known before agree on this variable after."""
    made = []
    for trace, known in told:
        assert trace.round is not None
        assert trace.round.after is not None
        after = trace.round.after.names.get(name)
        value = known.rewritten(Term.of(after)) if is_number(after) else None
        if not known.follows(value):
            return False
        made.append((trace, known, value))
    return all(
        value == other or told_apart(first, one, second, another)
        for (first, one, value), (second, another, other) in itertools.combinations(made, 2)
    )


def told_apart(first: Trace, one: Told, second: Trace, other: Told) -> bool:
    """Whether a reader of the output plainly tells two paths apart, which pass the head after as many iterations."""
    if form(first.outputs) != form(second.outputs) or first.ended != second.ended:
        return True
    if first.round is not None and not same_moment(first, second):
        return False
    return contradict(one.conditions(first), other.conditions(second))


def _rewritten(value: Any, known: Iterable[tuple[Atom, Term]]) -> Any:
    """None where something divides by 0."""
    try:
        for atom, term in known:
            value = substitute(value, {atom: term})
    except ZeroDivisionError:
        return None
    return value


def _solved(part: Term, output: Term) -> tuple[Atom, Term] | None:
    """An atom of what is put out, and what the output says that it is; None where it does not say that."""
    for atom, coefficient in _candidates(part):
        rest = part - Term.of(atom) * coefficient
        if atom.key not in {inner.key for inner in atoms_within(rest)}:
            return atom, (output - rest) * (1 / coefficient)
    return None


def _candidates(part: Term) -> Iterator[tuple[Atom, Fraction]]:
    """The atoms that stand alone in a sum, times a number other than 0."""
    for monomial, coefficient in part.parts.items():
        if len(monomial) == 1 and monomial[0][1] == 1:
            atom = monomial[0][0]
            if atom.role in (None, Role.NOISE) and not from_a_call(atom):
                yield atom, Fraction(coefficient)
