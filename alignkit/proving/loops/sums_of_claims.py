"""What a claim sums up as counters: a loop may pay for its iterations out of the items of a public list.

Such a counter is the sum of the first items, as many as there were iterations; an iteration adds its own item. So a
cost is held against the items one by one, by induction, and never against a sum of numbers.
"""

from __future__ import annotations

from alignkit.interpreting.values import Family
from alignkit.proving.runs.loop_states import ROUNDS, Counter, Ghost, LoopRound, LoopState
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.proving.vectors.claim_sums import claim_of_sums
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.summation import RunningSum, running_sum, running_sums, summand
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom


def claimed_sums(alignment: AlignmentProgram, inputs: Inputs) -> list[tuple[tuple[Counter, Term], ...]]:
    """Rates to try: all sums in the claim, each with its factor there, also with what the claim has for an item."""
    claim = None if inputs.bounded else claim_of_sums(alignment, inputs)
    sums = () if claim is None else running_sums([claim])
    if claim is None or not sums:
        return []
    factors = [(each, _factor(claim, each)) for each in sums]
    if any(running_sums([factor]) for _, factor in factors):
        return []
    rates: tuple[tuple[Counter, Term], ...] = tuple((_counter(each), factor) for each, factor in factors)
    rest = substitute(claim, {each: Term.of(0) for each in sums})
    lengths = (atom for value in inputs.values.values() if isinstance(value, Family) for atom in value.length.atoms())
    by_item = dict.fromkeys(_factor(rest, length) for length in lengths)
    return [rates, *((*rates, (ROUNDS, rate)) for rate in by_item if rate != Term.of(0))]


def _factor(claim: Term, atom: Atom) -> Term:
    """What a claim multiplies an atom by, where it is linear in that atom."""
    return Term.of(substitute(claim, {atom: Term.of(1)}) - substitute(claim, {atom: Term.of(0)}))


def _counter(each: RunningSum) -> Ghost:
    def value(state: LoopState) -> Term:
        return running_sum(each.body, state.rounds)

    def gain(round_: LoopRound) -> Term:
        return summand(each.body, round_.head.rounds)

    return Ghost(f"{each.array} so far", value, gain)
