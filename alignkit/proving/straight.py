"""The rest of a trial of a program without a loop over the queries: selections, and single draws."""

from __future__ import annotations

from typing import Any

from alignkit.proving.aligning import AligningContext, Shifts, noise_vector
from alignkit.proving.conditions import cost, countable, one_to_one, pieces, valid_noise
from alignkit.proving.contexts import AlignedRunContext
from alignkit.proving.events import Parted, within
from alignkit.proving.omega import seen
from alignkit.proving.trial import Ended, Part, Trial
from alignkit.running.evaluator import Evaluator
from alignkit.symbolic.terms import Term


def run_straight(trial: Trial) -> None:
    """The alignment and D′, D being over."""
    values = [e.value for e in trial.run.emitted]
    output = tuple(values) if trial.mechanism.program.is_generator else values[0]
    trial.note(Term.of(0))
    by_pieces = trial.part is Part.PIECES
    context = AligningContext(trial.ledger, noise_vector(trial.run, trial.inputs.bounded))
    if by_pieces:
        context.continuous = pieces.continuous_keys(trial.run)
    trial.running = "same_output"
    shifts, _ = trial.align(seen(output), context.noise, context)
    trial.single_draws(trial.run.drawn, shifts)
    total = trial.cost_of(trial.run.drawn, shifts)
    indices = tuple(_index_terms(output))
    for drawn in trial.run.families:
        total = total + _family(trial, drawn, shifts, indices)
    volumes: list[pieces.Volume] = []
    if by_pieces:
        volumes = pieces.volumes(
            trial.ledger,
            [(d, shifts.of(d)) for d in trial.run.drawn],
            [(f, lambda i, f=f: shifts.of_family(f, i)) for f in trial.run.families],  # type: ignore[misc]
            trial.place,
        )
        trial.record.one_to_one = pieces.PAID if volumes else pieces.UNIT
    elif trial.run.families:
        families = {f.key: (f, lambda i, f=f: shifts.of_family(f, i)) for f in trial.run.families}
        singles = {d.value.key: shifts.of(d) for d in trial.run.drawn}
        one_to_one.two_ranks(trial.ledger, families, singles, context.conditions, trial.place)
    else:
        shifted = [one_to_one.Shifted(d, shifts.of(d), before=False) for d in trial.run.drawn]
        one_to_one.acyclic_order(trial.ledger, shifted, context.conditions, trial.place)
    trial.within_claim(total, context, volumes)
    aligned = AlignedRunContext(trial.ledger, trial.run, trial.shifted(shifts), trial.shifted_family(shifts))
    evaluator = Evaluator(aligned)
    names = trial.arguments(trial.inputs.values_)
    at = trial.advance(evaluator, names, 0)
    if not isinstance(at, Ended):
        raise Parted("same_output", "D' enters a loop of another length", at.node.place)
    trial.finish_aligned(at.signal, evaluator, aligned)


def _family(trial: Trial, drawn: Any, shifts: Shifts, outputs: tuple[Term, ...]) -> Term:
    shifts.lengths_match(drawn)
    with trial.ledger.arbitrary() as index:
        shift = shifts.of_family(drawn, index)
        inside = within(index, drawn.length)
        valid_noise.stays_in_support(
            trial.ledger, drawn.key, drawn.distribution, drawn.arguments(index), drawn.value(index), shift,
            trial.place, given=[inside],
        )  # fmt: skip
        countable.discrete_only(trial.ledger, f"the shift of {drawn.key}", [shift], trial.place)
    named = (*outputs, *trial.ledger.chosen_indices()) if trial.part is Part.PIECES else outputs
    return cost.of_family(trial.ledger, drawn, lambda i: shifts.of_family(drawn, i), named, trial.place)


def _index_terms(output: Any) -> list[Term]:
    """The indices that an output names."""
    if isinstance(output, tuple):
        return [index for part in output for index in _index_terms(part)]
    return [output] if isinstance(output, Term) and output.integer else []
