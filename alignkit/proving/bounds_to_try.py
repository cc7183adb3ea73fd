"""Bounds on the cost so far by what counters have gained that are worth trying.

Which these are shows only after an iteration has been run on all paths under the other invariants.

What an iteration costs where a scale that varies is as it is in the first iteration, as a source of rates to try.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from alignkit.interpreting.values import is_number
from alignkit.proving.conditions.cost_rates import candidate_rates
from alignkit.proving.conditions.released_values import Told, state_symbol
from alignkit.proving.deciding import Decider
from alignkit.proving.loops.invariants import Invariant, LoopPlan, cost_potential
from alignkit.proving.obligation import Obligation, exponentials
from alignkit.proving.proposals.counters_of_change import (
    change_counters,
    changes_by_list,
    changes_of_blocks,
    charged_rates,
    claimed_change,
    claimed_shares,
    claimed_sums,
    gain,
    multiples_passed,
    rates_at_offsets,
    rates_by_list,
    rates_by_number,
    rates_of_debt,
    rates_of_decay,
    rates_together,
    sums_shared,
)
from alignkit.proving.proposals.marked_iterations import rates_at_marks, rates_at_one_iteration
from alignkit.proving.proposals.running_totals import TotalOfBlock
from alignkit.proving.runs.grown_lists import name_of_length
from alignkit.proving.runs.loop_states import CHANGE, OUTPUTS, ROUNDS, Counter, Ghost, LoopRound
from alignkit.proving.runs.path_trace import Trace
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.proving.symbolic_trial import Exploration, Preview, Record
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role


def costs_at_the_start(trace: Trace) -> Iterator[Term]:
    """The cost of a path through an iteration where all variables are as before the loop, and all releases 0 or 1.

    There is none where scales do not vary, or where the cost has no value there.
    """
    if not trace.varying or trace.round is None:
        return
    names, start = trace.round.head.names, trace.round.start.names
    symbols = {state_symbol(value): start[name] for name, value in names.items() if is_number(start.get(name))}
    told = Told.by(trace, frozenset())
    for release in (0, 1):
        with suppress(ZeroDivisionError):
            cost = substitute(trace.cost, {a: Term.of(symbols[a.key]) for a in trace.cost.within if a.key in symbols})
            released = told.rewritten(cost)
            if released is not None:
                values = {atom: Term.of(release) for atom in released.within if atom.role is Role.OUTPUT}
                yield Term.of(substitute(released, values))


def _where_states_agree(cost: Term, round_: LoopRound) -> Term:
    """The cost of an iteration where all variables are on D′ as on D."""
    pairs = ((round_.head.names_.get(name), value) for name, value in round_.head.names.items() if is_number(value))
    same = {state_symbol(other): Term.of(value) for other, value in pairs if is_number(other) and other != value}
    try:
        return Term.of(substitute(cost, {a: same[a.key] for a in cost.within if a.key in same}))
    except ZeroDivisionError:
        return cost


# What a cost may be counted against: counters, each with its rate.
Rates = tuple[tuple[Counter, Term], ...]


def find_potentials(
    exploration: Exploration,
    plan: LoopPlan,
    preview: Preview,
    records: Iterable[Record],
    decider: Decider,
    *,
    inside: bool = False,
) -> tuple[Invariant, ...]:
    """Bounds on the cost by what counters gain, read off the costs that one iteration adds on each path.

    One bound is enough, but a claim that depends on the length of the output also needs one by the number of outputs,
    and where sums are released or several counters grow which bound is enough shows only at the end. In a loop
    ``inside`` another an iteration may cost what was fixed before the loop.
    """
    traced = (r.trace for r in records if r.trace is not None)
    rounds = [(t, t.round) for t in traced if t.round is not None and t.round.after is not None]
    changed = [name for name in preview.changed if name in plan.equal]
    lists: list[Counter] = [name_of_length(name) for name in preview.grown]
    # What each iteration changes alike says no more than the number of iterations, which comes last.
    alike = set() if inside else {name for name in (*changed, *lists) if _as_the_iterations(name, rounds)}
    counters: list[Counter] = [name for name in changed if name not in alike]
    counters += changes_by_list(exploration.inputs)
    if any(round_.head.changed is not None for _, round_ in rounds):
        counters.append(CHANGE)
    counters += [name for name in lists if name not in alike]
    counters += [ROUNDS, *(name for name in (*changed, *lists) if name in alike)]
    told = {invariant.block for invariant in plan.invariants if isinstance(invariant, TotalOfBlock)}
    blocks = sorted((block for block in told if not block.counter or block.counter in plan.equal), key=str)
    moved = [trace.cost for trace, _ in rounds]
    ghosts = change_counters(exploration.inputs, moved, blocks) if plan.alone else []

    def works(rates: Rates) -> bool:
        for trace, round_ in rounds:
            bound = sum((rate * gain(round_, counter) for counter, rate in rates), Term.of(0))
            goal = trace.cost.compare("<=", bound)
            known = trace.hypotheses.with_sums(goal).also(exponentials(goal) if exploration.charging else ())
            if not decider.decide(Obligation("cost", known, goal, "a rate")).holds:
                return False
        return True

    def at_most(rates: Rates, others: Rates) -> bool:
        one, other = (sum((rate for _, rate in each), Term.of(0)) for each in (rates, others))
        goal = one.compare("<=", other)
        return decider.decide(Obligation("cost", rounds[0][0].hypotheses, goal, "two rates")).holds

    groups: list[list[Counter]] = [[OUTPUTS], lists, counters] if exploration.alignment.ex_post else [counters]
    groups += [[ghost, CHANGE] for ghost in ghosts]
    groups += [[ghost] for ghost in multiples_passed(rounds)]
    costs = [(trace.cost, round_) for trace, round_ in rounds]
    blocks_read: list[list[Counter]] = [[ghost] for ghost in changes_of_blocks(exploration.inputs, costs)]
    # A loop around this one has of its cost what the first bound says.
    groups = [*blocks_read, *groups] if inside else [*groups, *blocks_read]
    costs += [(cost, round_) for trace, round_ in rounds for cost in costs_at_the_start(trace)]
    agreeing = ((cost, _where_states_agree(cost, round_), round_) for cost, round_ in costs)
    costs = [*costs, *((moved, round_) for cost, moved, round_ in agreeing if moved != cost)]
    fixed: list[Rates] = []
    if inside:
        fixed = [((ROUNDS, moved),) for moved in dict.fromkeys(moved for moved, r in costs if _is_fixed(moved, r))]

    def tried(group: list[Counter]) -> Iterator[Rates]:
        none: Rates = ()
        yield from (none, *fixed)
        if exploration.charging:
            yield from charged_rates(exploration.alignment, exploration.inputs, group, costs)
        yield from rates_by_list(exploration.inputs, costs)
        yield from _rates(costs, group, exploration.inputs)

    candidates: list[Iterable[Rates]] = [tried(group) for group in groups]
    candidates.append(rates_at_offsets(exploration.inputs, costs))
    candidates.append(rates_at_marks(plan.marks, costs, exploration.inputs))
    candidates.append(rates_at_one_iteration(costs, exploration.inputs))
    candidates.append(rates_of_decay(exploration.inputs, costs))
    candidates.append(rates_by_number(exploration.inputs, costs))
    if not inside:
        candidates.append(claimed_sums(exploration.alignment, exploration.inputs))
        candidates.append(sums_shared(exploration.inputs, costs))
    found = [next(filter(works, rates), None) for rates in candidates]
    if not any(map(_closest, found)):
        found.append(next(filter(works, rates_of_debt(exploration.inputs, costs, counters)), None))
    known = next((rates for group, rates in zip(groups, found, strict=False) if group is counters), None)
    if not _closest(known):
        further = (rates for rates in rates_together(exploration.inputs, costs, counters) if rates not in found)
        together = next(filter(works, further), None)
        if together is None and not inside:
            together = next(filter(works, claimed_change(exploration.alignment, exploration.inputs, costs)), None)
        found.append(together)
    elif known and not inside:  # where answers are clamped, what is counted may be dearer than the claim
        claimed = claimed_change(exploration.alignment, exploration.inputs, costs)
        found.append(next((rates for rates in claimed if not at_most(known, rates) and works(rates)), None))
    if known and not inside and all(counter == ROUNDS for counter, _ in known):
        shares = claimed_shares(exploration.alignment, exploration.inputs, costs)
        found.append(next((rates for rates in shares if rates not in found and works(rates)), None))
    bounds = (cost_potential(rates) for rates in found if rates is not None)
    return tuple({bound.name: bound for bound in bounds}.values())


def _closest(rates: Rates | None) -> bool:
    """Whether a bound counts the cost against nothing, or against the change of the answers alone."""
    return rates is not None and all(counter == CHANGE for counter, _ in rates)


def _rates(costs: list[tuple[Term, LoopRound]], counters: list[Counter], inputs: Inputs) -> Iterator[Rates]:
    """Rates to try: that of one counter, then those of a counter and of the change of the answers together."""
    single: dict[Counter, list[Term]] = {}
    for counter in counters:
        single[counter] = candidate_rates([(moved, gain(r, counter)) for moved, r in costs], inputs)
        yield from (((counter, rate),) for rate in reversed(single[counter]))
    ghosts = [counter for counter in counters if isinstance(counter, Ghost) and CHANGE in single]
    for ghost, rate in ((ghost, rate) for ghost in ghosts for rate in reversed(single[CHANGE])):
        left = [(moved - rate * gain(r, CHANGE), gain(r, ghost)) for moved, r in costs]
        yield from (((ghost, other), (CHANGE, rate)) for other in reversed(candidate_rates(left, inputs)))
    if CHANGE in counters:
        for counter, rate in ((c, rate) for c in counters if c != CHANGE for rate in single[c]):
            left = [(moved - rate * gain(r, counter), gain(r, CHANGE)) for moved, r in costs]
            yield from (((counter, rate), (CHANGE, other)) for other in candidate_rates(left, inputs))


def _as_the_iterations(name: Counter, rounds: list[tuple[Trace, LoopRound]]) -> bool:
    """Whether all iterations that go on add one and the same number to a counter."""
    added = {gain(round_, name).constant for _, round_ in rounds}
    return len(added) == 1 and None not in added


def _is_fixed(cost: Term, round_: LoopRound) -> bool:
    """Whether what an iteration costs was fixed before the loop, as by an answer that the loop around it is at."""
    head, start = round_.head, round_.start
    forgotten = [*head.names.values(), *head.names_.values(), head.cost, head.changed, head.outputs]
    known = {a.key for v in (*start.names.values(), *start.names_.values()) if isinstance(v, Term) for a in v.atoms()}
    moving = {a.key for v in (*forgotten, head.rounds) if isinstance(v, Term) for a in v.atoms()} - known
    allowed = {Role.PUBLIC, Role.PRIVATE, Role.INDEX}
    return not any(a.key in moving for a in atoms_within(cost)) and roles(cost) <= allowed
