"""A finer theory of a loop, for the worst case: budgets that move in steps, and guards that fail at the first round.

Where every path changes a variable by a whole multiple of one step, its change since the loop began is such a
multiple too, and a budget that must stay below a limit stays a whole step below it. Where the condition of a break
may hold before the loop, it failed at the loop's head *or* nothing has changed yet. Both are invariants like others:
the finer theory's obligations are all decided anew, and what they do not carry is not told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from alignkit.language.program import Name, assigned, walk
from alignkit.proving import invariants as inv
from alignkit.symbolic.formulas import conjunction, disjunction
from alignkit.symbolic.terms import Role, Symbol, Term, roles

if TYPE_CHECKING:
    from alignkit.proving.deciding import Decider
    from alignkit.proving.inputs import Inputs
    from alignkit.proving.unbounded import Theory
    from alignkit.proving.worst_case import Bound
    from alignkit.running.alignment import Alignment


def stepped(variable: str, start: inv.State, step: Term) -> Term:
    """A variable at the loop's head: where it started, and some number of steps."""
    steps = Term.of(Symbol(f"steps of {variable}", Role.STATE, integer=True))
    return Term.of(start.names[variable]) + step * steps


def refined(alignment: Alignment, inputs: Inputs, theory: Theory, decider: Decider) -> tuple[Bound, ...] | None:
    """The ends of all paths under the finer invariants; None where there are none, or not all of it is proved."""
    from alignkit.proving.trial import Part
    from alignkit.proving.unbounded import explore_all, kept

    traces = [t for t in theory.traces if t.head is not None and t.after is not None]
    if theory.plan is None or theory.loop is None or not traces:
        return None
    loop = theory.loop
    changed = tuple(sorted(assigned((loop,)) & traces[0].head.names.keys()))  # type: ignore[union-attr]
    moves = {name: [_move(t.head, t.after, name) for t in traces] for name in changed}
    steps = {name: step for name, gains in moves.items() if (step := common_step(gains)) is not None}
    found = [inv.Invariant(inv.in_steps(name, step), partial(_in_steps, name, step)) for name, step in steps.items()]
    known = {i.name for i in theory.plan.invariants}
    for guard in inv.guards(loop.body):
        missed = inv.guard_missed(guard)
        names = tuple(n.name for n in walk(guard) if isinstance(n, Name) and n.name in changed)
        if missed.name not in known and names:
            found.append(inv.Invariant(f"{missed.name}, or nothing has changed", partial(_or_unchanged, missed, names)))
    if not found:
        return None
    # The finer ones come last: a cost potential, say, stays stated as it was.
    plan = replace(theory.plan, invariants=(*theory.plan.invariants, *found), steps=steps)
    plan, records = kept(alignment, inputs, plan, frozenset(known), decider)
    records = [*records, *explore_all(alignment, inputs, plan, Part.REST, decider)]
    if not all(decider.decide(o).holds for record in records for o in record.obligations):
        return None
    return tuple(bound for record in records for bound in record.bounds)


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


def _move(head: inv.State | None, after: inv.State | None, name: str) -> Term:
    assert head is not None
    assert after is not None
    move: Term = Term.of(after.names[name]) - head.names[name]
    return move


def _in_steps(name: str, step: Term, state: inv.State, start: inv.State) -> bool:
    """Whether the change since the loop began is plainly a whole multiple of the step."""
    change: Term = (Term.of(state.names[name]) - start.names[name]) / step
    return change.integer


def _or_unchanged(missed: inv.Invariant, names: tuple[str, ...], state: inv.State, start: inv.State) -> Any:
    same = conjunction(tuple(_same(state.names, start.names, name) for name in names))
    return disjunction((missed.holds(state, start), same))


def _same(now: Mapping[str, Any], then: Mapping[str, Any], name: str) -> Any:
    return Term.of(now[name]).compare("==", then[name])
