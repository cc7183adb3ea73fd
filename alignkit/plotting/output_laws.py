"""The law of an output on both databases, with the event of an attack."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from alignkit.formatting import lower_bound_shown
from alignkit.output_events import Event, flattened
from alignkit.plotting.figures import COLOURS, new_figure
from alignkit.results import CertifiedLoss
from alignkit.running.aligned_replay import show
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.replaying import as_tuples

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The most outputs of a discrete law that are drawn, and the number of classes of a density.
_OUTPUTS, _CLASSES = 12, 60

# So many outputs of the event are drawn where none of them is among the most frequent.
_OF_EVENT = 3

# A density of fewer runs than these on a side would be noise; frequencies are drawn instead.
_FEWEST = 50

# An output without its floats, and whether it lies in the event.
Counted = tuple[Any, bool]


def plot_densities(mechanism: Mechanism, loss: CertifiedLoss, *, runs: int = 20_000, seed: int = 0) -> Figure:
    """Draw how often each output comes about on the two databases of a certified loss, with its event shaded.

    Where the event holds numbers, the density of the first of them is drawn, over the runs that agree with the rest
    of the event, if these are at least 50 on each database; elsewhere the most frequent outputs and those of the
    event. Both are estimated from ``runs`` runs on each database, in floating point; the loss itself is certified,
    not estimated.

    >>> from alignkit import attack
    >>> from alignkit.mechanisms.laplace import laplace_mechanism
    >>> figure = plot_densities(laplace_mechanism, attack(laplace_mechanism, effort=20), runs=500)
    >>> len(figure.axes)
    1
    """
    witness = loss.witness
    outputs = [
        [as_tuples(output) for output in mechanism.sample_many(**values, runs=runs, seed=seed + number).outputs()]
        for number, values in enumerate((witness.values, witness.values_))
    ]
    figure, (axes,) = new_figure(7.2, 3.8)
    numbers = [[_number(loss.event, output) for output in side] for side in outputs]
    found = [[x for x in side if x is not None] for side in numbers]
    if min(map(len, found)) >= _FEWEST:
        _draw_density(axes, loss.event, found, runs)
    else:
        _draw_frequencies(axes, loss.event, outputs, runs)
    words = f"loss {lower_bound_shown(loss.loss)}, certified by {loss.method}"
    axes.set_title(f"{mechanism.name}: {words}\nevent: the output is {loss.event}"[:160], fontsize=9)
    axes.legend(fontsize=8)
    return figure


def _interval_at(event: Event) -> int | None:
    """Which part of the output the event bounds, counted over all parts that are no tuples."""
    parts = list(flattened(event.pattern))
    return next((i for i, part in enumerate(parts) if hasattr(part, "low")), None)


def _number(event: Event, output: Any) -> float | None:
    """The number of an output that the event bounds, where the rest of the output agrees with the event."""
    at = _interval_at(event)
    parts = list(flattened(output))
    if at is None or at >= len(parts) or isinstance(parts[at], bool) or not isinstance(parts[at], int | float):
        return None
    patterns = list(flattened(event.pattern))
    if not event.more and len(patterns) != len(parts):
        return None
    agrees = all(Event(p).holds(x) for i, (p, x) in enumerate(zip(patterns, parts, strict=False)) if i != at)
    return float(parts[at]) if agrees else None


def _draw_density(axes: Any, event: Event, found: list[list[float]], runs: int) -> None:
    import numpy as np

    low, high = (float(x) for x in np.quantile(np.concatenate([np.array(side) for side in found]), (0.002, 0.998)))
    edges = np.linspace(low, high if high > low else low + 1, _CLASSES + 1)
    for side, colour, label in zip(found, COLOURS, ("D", "D′"), strict=False):
        heights = np.histogram(side, edges)[0] / (runs * np.diff(edges))
        axes.stairs(heights, edges, color=colour, linewidth=1.8, label=label)
    at = _interval_at(event)
    assert at is not None
    interval = list(flattened(event.pattern))[at]
    start = edges[0] if interval.low is None else float(interval.low)
    end = edges[-1] if interval.high is None else float(interval.high)
    axes.axvspan(max(start, edges[0]), min(end, edges[-1]), color="grey", alpha=0.25, label="the event")
    axes.set_xlabel("the number in the output")
    axes.set_ylabel("density")


def _draw_frequencies(axes: Any, event: Event, outputs: list[list[Any]], runs: int) -> None:
    counted = [Counter((_discrete_part(output), event.holds(output)) for output in side) for side in outputs]
    common = _bars(event, counted[0] + counted[1])
    for number, (side, colour, label) in enumerate(zip(counted, COLOURS, ("D", "D′"), strict=False)):
        heights = [side[output] / runs for output in common]
        places = [i + (number - 0.5) * 0.4 for i in range(len(common))]
        axes.bar(places, heights, width=0.4, color=colour, label=label)
    inside = [i for i, (_, holds) in enumerate(common) if holds]
    for i in inside:
        axes.axvspan(i - 0.5, i + 0.5, color="grey", alpha=0.25, label="the event" if i == inside[0] else None)
    labels = [show(output)[:24] for output, _ in common]
    axes.set_xticks(range(len(common)), labels, rotation=30, ha="right", fontsize=7)
    axes.set_ylabel("share of the runs")
    if any(0 < side[output] < runs / 100 for side in counted for output in common):
        axes.set_yscale("log")


def _bars(event: Event, together: Counter[Counted]) -> list[Counted]:
    """The most frequent outputs, among them the most frequent ones of the event, or the event where no run was in it.

    >>> _bars(Event(30), Counter({(n, n == 30): 100 - n for n in range(40)}))[-2:]
    [(10, False), (30, True)]
    >>> _bars(Event(7), Counter({(n, False): 1 for n in range(3)}))
    [(0, False), (1, False), (2, False), (7, True)]
    """
    frequent = [output for output, _ in together.most_common(_OUTPUTS)]
    if any(holds for _, holds in frequent):
        return frequent
    inside = [output for output, _ in together.most_common() if output[1]][:_OF_EVENT]
    single = event.pattern if not event.more and event.holds(event.pattern) else str(event)
    return frequent[: _OUTPUTS - max(1, len(inside))] + (inside or [(single, True)])


def _discrete_part(output: Any) -> Any:
    """An output whose floats are left out, so that outputs can be counted."""
    if isinstance(output, tuple):
        return tuple(map(_discrete_part, output))
    return "number" if isinstance(output, float) and not output.is_integer() else output
