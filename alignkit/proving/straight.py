"""The rest of a trial of a program without a loop over the queries: selections, and single draws."""

from __future__ import annotations

from typing import Any

from alignkit.errors import Parted
from alignkit.interpreting.evaluator import Evaluator
from alignkit.proving.aligning import AligningContext, Shifts, noise_vector
from alignkit.proving.conditions import one_to_one, pieces
from alignkit.proving.conditions.family_cost import Selected
from alignkit.proving.contexts import AlignedRunContext
from alignkit.proving.omega import seen
from alignkit.proving.rankings import revealed
from alignkit.proving.trial import Ended, Part, Trial
from alignkit.proving.vectors import by_pieces, cost_of_vectors, in_two_ranks
from alignkit.symbolic.terms import Term


def run_straight(trial: Trial) -> None:
    """The alignment and D′, D being over."""
    values = [e.value for e in trial.run.emitted]
    output = tuple(values) if trial.mechanism.program.is_generator else values[0]
    trial.note(Term.of(0))
    context = AligningContext(trial.ledger, noise_vector(trial.run))
    if trial.part is Part.PIECES:
        context.continuous = pieces.continuous_keys(trial.run)
    trial.running = "same_output"
    shifts = trial.align(seen(output), context)
    trial.single_draws(trial.run.drawn, shifts)
    total = trial.cost_of(trial.run.drawn, shifts)
    total = total + cost_of_vectors(trial, shifts, _index_terms(output), _selected(trial, values))
    volumes = _one_to_one(trial, shifts, context)
    trial.within_claim(total, context, output, volumes)
    aligned = AlignedRunContext(trial.ledger, trial.run, trial.shifted(shifts), trial.shifted_family(shifts))
    evaluator = Evaluator(aligned)
    names = trial.arguments(trial.inputs.values_)
    at = trial.advance(evaluator, names, 0)
    if not isinstance(at, Ended):
        raise Parted("same_output", "D' enters a loop of another length", at.node.place)
    trial.finish_aligned(at.signal, evaluator, aligned)


def _one_to_one(trial: Trial, shifts: Shifts, context: AligningContext) -> list[pieces.Volume]:
    """One-to-one by an order, or what the pieces ask; the pieces whose volume changes."""
    if trial.part is Part.PIECES:
        return by_pieces(trial, shifts)
    if trial.run.families:
        in_two_ranks(trial, shifts, context)
    else:
        shifted = [one_to_one.Shifted(d, shifts.of(d), before=False) for d in trial.run.drawn]
        one_to_one.acyclic_order(trial.ledger, shifted, context.conditions, trial.place)
    return []


def _selected(trial: Trial, outputs: list[Any]) -> Selected | None:
    """The selection of symbolic size that the output names, where there is one."""
    for ranking in trial.run.rankings:
        size = revealed(trial.ledger, outputs, ranking)
        if size is not None:
            return Selected(ranking, size)
    return None


def _index_terms(output: Any) -> list[Term]:
    """The indices that an output names."""
    if isinstance(output, tuple):
        return [index for part in output for index in _index_terms(part)]
    return [output] if isinstance(output, Term) and output.integer else []
