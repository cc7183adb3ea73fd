"""A finer theory of a loop, for the worst case: budgets that move in steps, and guards that fail at the first round.

Where every path changes a variable by a whole multiple of one step, its change since the loop began is such a
multiple too, and a budget that must stay below a limit stays a whole step below it. Where the condition of a break
may hold before the loop, it failed at the loop's head *or* nothing has changed yet. Both speak of D alone, hold plainly
where the loop begins, and are kept by every iteration: the one plainly, the other is shown. The paths,
and what is known on them, are those of the proof; what these invariants say at the loop's head is added to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from alignkit.errors import Unsupported
from alignkit.language.program import Name, assigned, walk
from alignkit.proving.cost_bounds import Bound
from alignkit.proving.deciding import Decider
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.gathering import Theory
from alignkit.proving.loops.invariants import Invariant, guard_missed, guards
from alignkit.proving.obligation import Obligation
from alignkit.proving.runs.loop_states import LoopRound, LoopState
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.formulas import conjunction, disjunction
from alignkit.symbolic.substitution import Substitution
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Role


@dataclass(frozen=True)
class _Guard:
    """The condition of a break, which did not hold at the loop's head, or nothing that it reads has changed yet."""

    missed: Invariant
    names: tuple[str, ...]

    def holds(self, state: LoopState, start: LoopState) -> Any:
        """What it says of D."""
        same = (Term.of(state.names[name]).compare("==", start.names[name]) for name in self.names)
        return disjunction((self.missed.holds(replace(state, names_={}), start), conjunction(tuple(same))))


@dataclass(frozen=True)
class _Finer:
    """The finer invariants: the steps in which variables move, and guards."""

    steps: Mapping[str, Term]
    guards: tuple[_Guard, ...]

    def known(self, at: LoopRound, hypotheses: Hypotheses) -> tuple[Substitution, Hypotheses]:
        """What is known of an iteration besides, and how a variable at the loop's head is put by its steps."""
        instead = {}
        for name, step in self.steps.items():
            [variable] = Term.of(at.head.names[name]).atoms()
            steps = Term.of(Symbol(f"steps of {name}", Role.STATE, integer=True))
            instead[variable] = Term.of(at.start.names[name]) + step * steps
        put = Substitution(instead)
        guards = (guard.holds(at.head, at.start) for guard in self.guards)
        return put, Hypotheses.of(put(formula) for formula in (*hypotheses.whole, *guards))

    def keeps(self, guard: _Guard, at: LoopRound, hypotheses: Hypotheses, decider: Decider) -> bool:
        """Whether an iteration keeps what is said of a guard."""
        assert at.after is not None
        put, known = self.known(at, hypotheses)
        goal = put(guard.holds(at.after, at.start))
        return decider.decide(Obligation("cost", known, goal, f"{guard.missed.name}, or nothing has changed")).holds


def bounds_refined(theory: Theory, decider: Decider) -> tuple[Bound, ...] | None:
    """The ends of all paths, under the finer invariants where a path comes to the loop; None where there are none.

    ``theory`` is that of a complete proof: what ends a path early, and what a path takes as given, is settled.
    """
    traces = [record.trace for record in theory.records if record.trace is not None]
    rounds = [(trace.round, trace.hypotheses) for trace in traces if trace.round is not None]
    iterations = [(at, hypotheses) for at, hypotheses in rounds if at.after is not None]
    if theory.loop is None or not iterations:
        return None
    changed = sorted(assigned((theory.loop,)) & iterations[0][0].head.names.keys())
    moves = {name: common_step([at.gain(name) for at, _ in iterations]) for name in changed}
    guards = tuple(g for g in _guards(theory, changed) if all(_written(g, at) for at, _ in rounds))
    finer = _Finer({name: step for name, step in moves.items() if step is not None}, guards)
    while True:
        left = tuple(g for g in finer.guards if all(finer.keeps(g, *each, decider) for each in iterations))
        if left == finer.guards:
            break
        finer = replace(finer, guards=left)
    return _ends(theory, finer) if finer.steps or finer.guards else None


def _guards(theory: Theory, changed: Sequence[str]) -> tuple[_Guard, ...]:
    assert theory.loop is not None
    found = []
    for guard in guards(theory.loop.body):
        names = tuple(dict.fromkeys(n.name for n in walk(guard) if isinstance(n, Name) and n.name in changed))
        missed = guard_missed(guard)
        if names and missed.name not in theory.invariants:
            found.append(_Guard(missed, names))
    return tuple(found)


def _written(guard: _Guard, at: LoopRound) -> bool:
    """Whether a guard can be written down where an iteration begins and ends: all that it reads has a value there."""
    try:
        for state in filter(None, (at.head, at.after)):
            guard.holds(state, at.start)
    except Unsupported:
        return False
    return True


def _ends(theory: Theory, finer: _Finer) -> tuple[Bound, ...]:
    found = []
    for record in theory.records:
        at = None if record.trace is None else record.trace.round
        for bound in record.bounds:
            if at is not None:
                put, known = finer.known(at, bound.hypotheses)
                bound = Bound(known, put.term(bound.total), put.term(bound.claim))
            found.append(bound)
    return tuple(found)


def common_step(gains: list[Term]) -> Term | None:
    """The largest term of which every gain is plainly a whole multiple; None where that is not to be seen.

    >>> x = Term.of(Symbol("x", Role.PUBLIC, positive=True))
    >>> common_step([x / 2, Term.of(0), x / 3])
    x / 6
    """
    moved = [g for g in gains if g != Term.of(0)]
    if not moved or any(len(g.parts) != 1 or not roles(g) <= {Role.PUBLIC} or g.sign is None for g in moved):
        return None
    monomials = {tuple(g.parts) for g in moved}
    if len(monomials) != 1:
        return None
    [[monomial]] = monomials
    sizes = [abs(Fraction(g.parts[monomial])) for g in moved]
    shared = lcm(*(s.denominator for s in sizes))
    return Term({monomial: Fraction(gcd(*(int(s * shared) for s in sizes)), shared)})
