"""Bounds on the cost so far by what counters have gained, which every iteration keeps.

Which bounds to try shows only after an iteration has been run on all paths under the other invariants. They say
nothing of which paths there are, so that no path is run again: to what was known on each of them comes the bound at
the loop's head, and to what was obliged, the bound after the iteration.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from alignkit.language.program import For
from alignkit.proving import invariants as inv
from alignkit.proving.conditions import cost
from alignkit.proving.deciding import Decider
from alignkit.proving.hypotheses import Hypotheses
from alignkit.proving.inputs import Inputs
from alignkit.proving.obligation import Obligation
from alignkit.proving.trial import Record, Trace
from alignkit.running.alignment import Alignment
from alignkit.symbolic.terms import Term, atoms_within


def found(
    alignment: Alignment,
    inputs: Inputs,
    plan: inv.Plan,
    changed: tuple[str, ...],
    loop: For,
    records: list[Record],
    decider: Decider,
) -> tuple[inv.Invariant, ...]:
    """Bounds on the cost by what counters gain, tried from the costs that one iteration adds on each path.

    One is enough, but that a claim which depends on the length of the output is held against the outputs too.
    """
    traces = [r.trace for r in records if r.trace is not None and r.trace.after is not None]
    kinds = alignment.mechanism.kinds.at_loop[loop.site]
    counters = [name for name in changed if name in plan.equal and kinds[name].name in ("int", "real")]
    if traces and traces[0].head is not None and traces[0].head.changed is not None:
        counters.append(inv.CHANGE)
    counters.append(inv.ROUNDS)

    def works(rates: tuple[tuple[str, Term], ...]) -> bool:
        for trace in traces:
            assert trace.head is not None
            assert trace.after is not None
            bound = sum((rate * _gain(trace, counter) for counter, rate in rates), Term.of(0))
            goal = trace.cost.compare("<=", bound)
            if not decider.decide(Obligation("cost", trace.hypotheses, goal, "a rate")).holds:
                return False
        return True

    tried = [counters] if not alignment.ex_post else [[inv.OUTPUTS], counters]
    first = (next(filter(works, _rates(traces, some, inputs)), None) for some in tried)
    return tuple({inv.potential(rates).name: inv.potential(rates) for rates in first if rates is not None}.values())


def _rates(traces: list[Trace], counters: list[str], inputs: Inputs) -> list[tuple[tuple[str, Term], ...]]:
    """Rates to try: none, one counter's, then a counter's where nothing changes with the change of the answers."""
    found: list[tuple[tuple[str, Term], ...]] = [()]
    single: dict[str, list[Term]] = {}
    for counter in counters:
        single[counter] = cost.rates([(t.cost, _gain(t, counter)) for t in traces], inputs)
        found += [((counter, rate),) for rate in reversed(single[counter])]
    if inv.CHANGE in counters:
        for counter in counters:
            for rate in single[counter] if counter != inv.CHANGE else ():
                left = [(t.cost - rate * _gain(t, counter), _gain(t, inv.CHANGE)) for t in traces]
                found += [((counter, rate), (inv.CHANGE, other)) for other in cost.rates(left, inputs)]
    return found


def _gain(trace: Trace, counter: str) -> Term:
    assert trace.head is not None
    assert trace.after is not None
    return Term.of(inv.counted(trace.after, counter) - Term.of(inv.counted(trace.head, counter)))


def known(bounds: tuple[inv.Invariant, ...], loop: For, record: Record) -> Record:
    """A path through an iteration with the bounds known at the loop's head, and kept where the loop goes on.

    What was obliged before the head, or says nothing of the cost so far, stays as it was.
    """
    trace = record.trace
    if trace is None or trace.head is None or trace.start is None:
        return record
    at_head = tuple(held for bound in bounds if (held := bound.holds(trace.head, trace.start)) is not True)
    so_far = {atom.key for atom in trace.head.cost.atoms()}

    def with_bounds(hypotheses: Hypotheses, *about: Any) -> Hypotheses:
        mentioned = {atom.key for formula in about if not isinstance(formula, bool) for atom in atoms_within(formula)}
        return hypotheses.also(at_head) if so_far & mentioned else hypotheses

    obligations = [replace(o, hypotheses=with_bounds(o.hypotheses, o.goal)) for o in record.obligations]
    if trace.after is not None:
        obligations += [
            Obligation(
                "cost",
                with_bounds(trace.hypotheses, goal),
                goal,
                f"{bound.name}: is kept by every iteration",
                loop.place,
                bound.name,
            )
            for bound in bounds
            for goal in [bound.holds(trace.after, trace.start)]
        ]
    ends = [replace(b, hypotheses=with_bounds(b.hypotheses, b.total)) for b in record.bounds]
    return replace(record, obligations=obligations, bounds=ends)
