"""The cost of an aligned run, by variable, against the claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alignkit.errors import InputError
from alignkit.explaining.tracing import replay_of
from alignkit.explorer.example_runs import first_example
from alignkit.plotting.figures import COLOURS, new_figure
from alignkit.results import Witness
from alignkit.running.aligned_replay import AlignedReplay, show
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.shift_costs import costs_of_shifts

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_costs(alignment: Alignment, /, *, at: Witness | None = None, **inputs: Any) -> Figure:
    """Draw what each shift of a run costs, as one bar beside the claim.

    ``inputs`` are those of `alignment.replay`; ``at`` takes their place with the inputs of a counterexample or of
    attained costs. Without either a small example is drawn. Raises InputError where the alignment gives no shifts.

    >>> from alignkit.proofs.sparse_vector import gap_phi
    >>> figure = plot_costs(gap_phi, q=[0], q_=[1], T=0, k=1, eps=1, H={"eta": 0, "eta_i": [1]})
    >>> figure.axes[0].get_title()
    'sparse_vector_with_gap / gap_phi'
    """
    replay = chosen_replay(alignment, at, inputs)
    trial = replay.trial
    if trial.cost is None:
        raise InputError(f"{alignment.name} gives no shifts for these inputs, so there is no cost to draw")
    figure, (axes,) = new_figure(6.4, 2.2)
    left = 0.0
    costs = [(where, float(cost)) for where, cost in costs_of_shifts(trial.run, trial.shifts) if cost]
    for number, (where, cost) in enumerate(costs):
        colour = COLOURS[number % len(COLOURS)]
        axes.barh(0, cost, left=left, height=0.5, color=colour, edgecolor="white", label=f"{where}: {cost:.4g}")
        left += cost
    axes.axvline(float(trial.claim), color="black", linewidth=2)
    axes.annotate(f"claim {alignment.claim} = {show(trial.claim)}", (float(trial.claim), 0.42), ha="right", fontsize=9)
    axes.set_ylim(-0.5, 0.7)
    axes.set_yticks([])
    least = "at least " if trial.at_least else ""
    axes.set_xlabel(f"privacy loss of the shifts: {least}{show(trial.cost)} together")
    axes.set_title(f"{alignment.mechanism.name} / {alignment.name}", fontsize=10)
    if costs:
        figure.legend(loc="outside right upper", fontsize=8)
    return figure


def chosen_replay(alignment: Alignment, at: Witness | None, inputs: dict[str, Any]) -> AlignedReplay:
    """The replay of given inputs, of a witness, or of a small example."""
    if inputs:
        alignment.mechanism.refuse_names(("at", "axes", "reach"), "the plots")
        return alignment.replay(**inputs)
    witness = at or first_example(alignment)
    if witness is None:
        raise InputError(f"no small example of {alignment.mechanism.name} was found; give the inputs of a replay")
    return replay_of(alignment, witness)
