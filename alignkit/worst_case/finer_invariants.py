"""A finer theory of a loop, for the worst case: variables that move in steps, and guards that fail from the start.

Where every path changes a variable by a whole multiple of one step, its change since the loop began is such a multiple
too: a budget that must stay below a limit then stays a whole step below it. A guard is the condition of a break. Where
it may hold before the loop, then at the loop's head it failed in the iteration before, *or* nothing that it reads has
changed yet. Both invariants speak of D alone, and plainly hold where the loop begins. That an iteration keeps the first
is plain, that it keeps the second is proved. The paths, and what is known on them, are those of the proof; what the
invariants say at the loop's head is added to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import is_number
from alignkit.language.program import For, Name, assigned, walk
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
class _FinerInvariants:
    """The step in which each variable moves, where it has one, and the invariants of the guards."""

    steps: Mapping[str, Term]
    of_guards: tuple[Invariant, ...]

    def at_head(self, round_: LoopRound, hypotheses: Hypotheses) -> tuple[Substitution, Hypotheses]:
        """The hypotheses of an iteration with what holds at the loop's head.

        The substitution, which they are under, puts a whole number of steps for a variable that moves in steps.
        """
        by_steps = {}
        for name, step in self.steps.items():
            [variable] = Term.of(round_.head.names[name]).atoms()
            number = Term.of(Symbol(f"steps of {name}", Role.STATE, integer=True))
            by_steps[variable] = Term.of(round_.start.names[name]) + step * number
        put = Substitution(by_steps)
        at_head = (invariant.holds(round_.head, round_.start) for invariant in self.of_guards)
        return put, Hypotheses.of(put(formula) for formula in (*hypotheses.whole, *at_head))

    def keep(self, invariant: Invariant, round_: LoopRound, hypotheses: Hypotheses, decider: Decider) -> bool:
        """Whether an iteration that begins under these invariants keeps one of them."""
        assert round_.after is not None
        put, at_head = self.at_head(round_, hypotheses)
        goal = put(invariant.holds(round_.after, round_.start))
        return decider.decide(Obligation("cost", at_head, goal, invariant.name)).holds


def bounds_refined(theory: Theory, decider: Decider) -> tuple[Bound, ...] | None:
    """The ends of all paths, under the finer invariants where a path comes to the loop; None where there are none.

    ``theory`` is that of a complete proof: what ends a path early, and what a path takes as given, is settled.
    """
    traces = [record.trace for record in theory.records if record.trace is not None]
    rounds = [(trace.round, trace.hypotheses) for trace in traces if trace.round is not None]
    iterations = [(round_, hypotheses) for round_, hypotheses in rounds if round_.after is not None]
    if theory.loop is None or not iterations:
        return None
    names = iterations[0][0].head.names
    changed = sorted(name for name in assigned((theory.loop,)) & names.keys() if is_number(names[name]))
    steps = {name: common_step([round_.gain(name) for round_, _ in iterations]) for name in changed}
    candidates = [
        invariant
        for invariant in _guard_invariants(theory.loop, theory.invariants, changed)
        if all(_has_value(invariant, round_) for round_, _ in rounds)
    ]
    finer = _FinerInvariants({name: step for name, step in steps.items() if step is not None}, tuple(candidates))
    while True:
        kept = tuple(i for i in finer.of_guards if all(finer.keep(i, *iteration, decider) for iteration in iterations))
        if kept == finer.of_guards:
            break
        finer = replace(finer, of_guards=kept)
    return _path_ends(theory, finer) if finer.steps or finer.of_guards else None


def _guard_invariants(loop: For, proved: Sequence[str], changed: Sequence[str]) -> list[Invariant]:
    """For each guard: that it failed, or nothing that it reads has changed; unless it is proved that it failed."""
    invariants = []
    for guard in guards(loop.body):
        names = {node.name for node in walk(guard) if isinstance(node, Name) and node.name in changed}
        missed = guard_missed(guard)
        if names and missed.name not in proved:
            invariants.append(_or_unchanged(missed, sorted(names)))
    return invariants


def _or_unchanged(missed: Invariant, names: Sequence[str]) -> Invariant:
    def holds(state: LoopState, start: LoopState) -> Any:
        unchanged = (Term.of(state.names[name]).compare("==", start.names[name]) for name in names)
        of_d = replace(state, names_={})
        return disjunction((missed.holds(of_d, start), conjunction(tuple(unchanged))))

    return Invariant(f"{missed.name}, or nothing has changed", holds)


def _has_value(invariant: Invariant, round_: LoopRound) -> bool:
    """Whether all that an invariant reads has a value where an iteration begins and ends."""
    try:
        for state in filter(None, (round_.head, round_.after)):
            invariant.holds(state, round_.start)
    except Unsupported:
        return False
    return True


def _path_ends(theory: Theory, finer: _FinerInvariants) -> tuple[Bound, ...]:
    ends = []
    for record in theory.records:
        round_ = None if record.trace is None else record.trace.round
        for bound in record.bounds:
            if round_ is not None:
                put, hypotheses = finer.at_head(round_, bound.hypotheses)
                bound = Bound(hypotheses, put.term(bound.total), put.term(bound.claim))
            ends.append(bound)
    return tuple(ends)


def common_step(gains: list[Term]) -> Term | None:
    """The largest term of which every gain is plainly a whole multiple; None where there is none to be seen.

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
