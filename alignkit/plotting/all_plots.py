"""The plots that an alignment has, and one picture of many mechanisms.

The cost of an aligned run, by variable, against the claim; the law of an output on both databases, with the event of an
attack; an alignment over two noises, with regions of equal output under D and under D′ and arrows from H to H′. The
picture of many mechanisms shows what is certified of their losses, and what is proved.
"""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.checking import check
from alignkit.errors import InputError, LanguageError
from alignkit.explaining.tracing import replay_of
from alignkit.explorer.example_runs import first_example
from alignkit.formatting import lower_bound_shown, six_digits
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Coordinate
from alignkit.language.tags import Tag
from alignkit.noise import Support
from alignkit.output_events import Event, flattened
from alignkit.plotting.figures import COLOURS, new_figure
from alignkit.results import CertifiedLoss, Result, Witness
from alignkit.running.aligned_replay import AlignedReplay, show
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.binding import exact_arguments
from alignkit.running.both_runs import run_both
from alignkit.running.claims import read_claim
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.replaying import DrawnNoise, RecordingContext, Run, as_tuples, run_program
from alignkit.running.shift_costs import costs_of_shifts

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class LossBracket:
    """The loss of a mechanism as a share of its claim: at least ``low``, certified, at most ``high``, proved.

    ``high`` is None where nothing was proved.
    """

    name: str
    low: float
    high: float | None


def loss_bracket(alignment: Alignment, *, effort: int | None = None, timeout: float = 60.0) -> LossBracket:
    """Check an alignment, attack its mechanism, and give both ends at the parameters of the attack.

    Raises InputError where no loss above 0 is certified, and for a claim with delta, which bounds no loss.

    >>> from alignkit.proofs.laplace import phi
    >>> found = loss_bracket(phi)
    >>> 0.9 < found.low <= found.high == 1
    True
    """
    if alignment.delta is not None:
        raise InputError(f"{alignment.name} has a claim with delta, which does not bound the privacy loss")
    result = check(alignment, effort=effort, timeout=timeout)
    leak, upper = result.privacy.leak, result.privacy.upper
    if leak is None or leak.claim is None or leak.claim <= 0:
        raise InputError(f"no loss of {alignment.mechanism.name} was certified that could be drawn")
    high = None
    if upper is not None:
        names = exact_arguments(alignment.mechanism, leak.witness.values)
        try:
            bound, _ = read_claim(upper, alignment.mechanism, alignment.program.place)
            unit = math.log(2) if alignment.base else 1.0  # certified losses are in natural units
            high = float(Evaluator(Context({})).number(bound, names)) * unit / leak.claim
        except LanguageError:
            high = None
    return LossBracket(f"{alignment.mechanism.name} / {alignment.name}", leak.loss / leak.claim, high)


def plot_brackets(brackets: Sequence[LossBracket]) -> Figure:
    """Draw brackets below one another, the claim of each at 1; a certified loss above it is marked.

    >>> plot_brackets([LossBracket("laplace", 0.99, 1.0)]).axes[0].get_xlabel()
    'privacy loss as a share of the claim'
    """
    if not brackets:
        raise InputError("plot_brackets needs at least one bracket")
    figure, (axes,) = new_figure(7.6, 0.9 + 0.24 * len(brackets))
    most = max([1.1, *(min(b.low, 3.0) * 1.05 for b in brackets), *(b.high or 0 for b in brackets)])
    for row, bracket in enumerate(reversed(brackets)):
        broken = bracket.low > 1
        end = bracket.high if bracket.high is not None else most
        axes.plot([min(bracket.low, most), end], [row, row], color=COLOURS[0], alpha=0.5, linewidth=4,
                  linestyle="-" if bracket.high is not None else ":")  # fmt: skip
        axes.plot(min(bracket.low, most), row, "X" if broken else "|", color=COLOURS[5] if broken else COLOURS[0],
                  markersize=8, markeredgewidth=1 if broken else 3)  # fmt: skip
        if bracket.high is not None:
            axes.plot(bracket.high, row, "|", color="black", markersize=8, markeredgewidth=2)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks(range(len(brackets)), [b.name for b in reversed(brackets)], fontsize=7)
    axes.set_xlim(0, most)
    axes.set_ylim(-0.6, len(brackets) - 0.4)
    axes.set_xlabel("privacy loss as a share of the claim")
    axes.set_title("certified (|, ✕ where above the claim) to proved (black)", fontsize=9)
    return figure


def plot_costs(alignment: Alignment, /, *, at: Witness | None = None, **inputs: Any) -> Figure:
    """Draw what each shift of a run costs, as one bar beside the claim.

    ``inputs`` are those of `alignment.replay`; ``at`` takes their place with the inputs of a counterexample or of
    attained costs. Without either a small example is drawn. Raises InputError where the alignment gives no shifts, and
    where the noise breaks a limit of it.

    >>> from alignkit.proofs.sparse_vector import gap_phi
    >>> figure = plot_costs(gap_phi, q=[0], q_=[1], T=0, k=1, eps=1, H={"eta": 0, "eta_i": [1]})
    >>> figure.axes[0].get_title()
    'sparse_vector_with_gap / gap_phi'
    """
    replay = chosen_replay(alignment, at, inputs)
    trial = replay.trial
    if trial.cost is None:
        raise InputError(f"{alignment.name} gives no shifts for these inputs, so there is no cost to draw")
    if trial.outside is not None:
        raise InputError(f"{replay.outcome}, and its cost is not bounded")
    figure, (axes,) = new_figure(6.4, 2.2)
    left = 0.0
    costs = [(where, float(cost)) for where, cost in costs_of_shifts(trial.run, trial.shifts, trial.run_) if cost]
    for number, (where, cost) in enumerate(costs):
        colour = COLOURS[number % len(COLOURS)]
        axes.barh(0, cost, left=left, height=0.5, color=colour, edgecolor="white", label=f"{where}: {cost:.4g}")
        left += cost
    axes.axvline(float(trial.claim), color="black", linewidth=2)
    claim = "claim" if alignment.delta is None else "epsilon"
    words = f"{claim} {alignment.claim} = {show(trial.claim)}"
    axes.annotate(words, (float(trial.claim), 0.42), ha="right", fontsize=9)
    axes.set_ylim(-0.5, 0.7)
    axes.set_yticks([])
    least = "at least " if trial.at_least else ""
    axes.set_xlabel(f"privacy loss of the shifts: {least}{show(trial.cost)} together")
    axes.set_title(_in_lines(f"{alignment.mechanism.name} / {alignment.name}"), fontsize=10)
    if costs:
        figure.legend(loc="outside right upper", fontsize=8)
    return figure


def chosen_replay(alignment: Alignment, at: Witness | None, inputs: dict[str, Any]) -> AlignedReplay:
    """The replay of given inputs, of a witness, or of a small example."""
    if inputs:
        alignment.mechanism.refuse_names(("at", "axes", "reach"), "the plots")
        return alignment.replay(**inputs)
    witness = at or first_example(alignment, 0)
    if witness is None:
        raise InputError(f"no small example of {alignment.mechanism.name} was found; give the inputs of a replay")
    return replay_of(alignment, witness)


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
    words = f"loss {lower_bound_shown(loss.loss)}"
    if loss.delta is not None:
        words = f"delta at least {six_digits(loss.delta, ROUND_FLOOR)} for epsilon = {loss.claim:.6g}"
    title = f"{mechanism.name}: {words}, certified by {loss.method}\nevent: the output is {loss.event}"
    axes.set_title(_in_lines(title), fontsize=9)
    axes.legend(fontsize=8)
    return figure


def _in_lines(text: str, width: int = 80) -> str:
    """A title or label in lines that have room, broken at blanks: nothing of it is cut off."""
    wrapper = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    return "\n".join(wrapper.fill(line) for line in text.splitlines())


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
    labels = [_in_lines(show(output), 24) for output, _ in common]
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


# Points along each axis: for the regions, and for the arrows.
_POINTS, _ARROWS = 41, 7


def plot_plane(
    alignment: Alignment,
    /,
    *,
    axes: Sequence[str] | None = None,
    reach: float = 4.0,
    at: Witness | None = None,
    **inputs: Any,
) -> Figure:
    """Draw where each output comes about over two noise coordinates, under D and D′, and how φ moves the noise.

    ``axes`` name the two coordinates, such as ``("eta", "eta_i[0]")``; without it they are the first two that D draws.
    They run from ``-reach`` to ``reach`` around 0, those of one-sided noise from 0; all other noise stays as in the
    inputs (see `plot_costs`). A colour stands for the discrete part of an output: tags, indices and lengths. Noise that
    breaks a limit of the alignment has no arrow. Raises InputError where D draws fewer than two noises.

    >>> from alignkit.proofs.noisy_max import phi
    >>> figure = plot_plane(phi, q=[0, 0], q_=[1, -1], eps=1, H={"eta": [0, 0]})
    >>> [each.get_title() for each in figure.axes]
    ['D on H', 'D′ on H′']
    """
    replay = chosen_replay(alignment, at, inputs)
    unbounded = (Support.REALS, Support.NONNEGATIVE)
    drawn = [each for each in replay.trial.run.drawn if each.distribution.support in unbounded]
    named = {str(each.where): each.where for each in drawn}
    wanted = list(axes) if axes is not None else list(named)[:2]
    if len(wanted) != 2 or any(name not in named for name in wanted):
        raise InputError(
            "a plane needs two continuous noises without an upper bound that D draws for these inputs; "
            f"it draws {', '.join(named) or 'none'}"
        )
    one_sided = {str(each.where) for each in drawn if each.distribution.support.one_sided}
    lines = [_Line(named[name], Fraction(reach).limit_denominator(8), name in one_sided) for name in wanted]
    return _Grid(alignment, replay.witness, *lines).figure(dict(replay.trial.run.noise))


class _Line:
    """The values of one coordinate that are drawn: around 0, or from 0 up where the noise is one-sided."""

    def __init__(self, where: Coordinate, reach: Fraction, one_sided: bool) -> None:
        self.where = where
        self.low, self.high = (Fraction(0) if one_sided else -reach), reach
        step = (self.high - self.low) / (_POINTS - 1)
        self.points = [self.low + step * i for i in range(_POINTS)]
        # A point between two others belongs to no boundary at a round number.
        self.between = [value + step / 3 for value in self.points]

    @property
    def ends(self) -> tuple[float, float]:
        return float(self.low), float(self.high)

    @property
    def origins(self) -> list[Fraction]:
        """Where arrows begin."""
        every = (_POINTS - 1) // (_ARROWS + 1)
        return self.points[every:-1:every]


class _Grid:
    """The runs over two coordinates of the noise."""

    def __init__(self, alignment: Alignment, inputs: Witness, across: _Line, up: _Line) -> None:
        self.alignment, self.inputs, self.across, self.up = alignment, inputs, across, up
        self.x, self.y = across.where, up.where
        self.kinds: dict[Any, int] = {}

    def figure(self, noise: dict[Coordinate, Any]) -> Figure:
        from matplotlib.colors import ListedColormap
        from matplotlib.patches import Patch

        regions = [self._kinds(values, noise) for values in (self.inputs.values, self.inputs.values_)]
        figure, (one, other) = new_figure(9.6, 4.6, columns=2)
        many = max(len(self.kinds), 1)
        colours = ListedColormap([COLOURS[i % len(COLOURS)] for i in range(many)])
        left, right = self.across.ends
        low, high = self.up.ends
        for axes, region, title in ((one, regions[0], "D on H"), (other, regions[1], "D′ on H′")):
            axes.imshow(
                region, origin="lower", extent=(left, right, low, high), cmap=colours, vmin=-0.5, vmax=many - 0.5,
                alpha=0.55, interpolation="nearest", aspect="auto",
            )  # fmt: skip
            axes.set_title(title, fontsize=10)
            axes.set_xlabel(str(self.x))
            axes.set_ylabel(str(self.y))
        self._arrows(one, other, noise)
        for axes in (one, other):
            axes.set(xlim=(left, right), ylim=(low, high))
            axes.set_box_aspect(1)
        patches = [Patch(color=colours(number), alpha=0.55, label=_label(kind)) for kind, number in self.kinds.items()]
        figure.legend(handles=patches, loc="outside lower center", ncols=4, fontsize=8)
        figure.suptitle(_in_lines(f"{self.alignment.mechanism.name} / {self.alignment.name}"), fontsize=10)
        return figure

    def _kinds(self, values: Mapping[str, Any], noise: dict[Coordinate, Any]) -> list[list[int]]:
        """The number of the output's discrete part at each point, row by row from below."""
        return [
            [self._kind(self._run(values, {**noise, self.x: x, self.y: y})) for x in self.across.between]
            for y in self.up.between
        ]

    def _run(self, values: Mapping[str, Any], noise: Mapping[Coordinate, Any]) -> Run:
        return run_program(self.alignment.mechanism, values, _GivenNoise(self.alignment, noise))

    def _kind(self, run: Run) -> int:
        kind = _discrete(run.output) if run.defined else "no output"
        return self.kinds.setdefault(kind, len(self.kinds))

    def _arrows(self, one: Any, other: Any, noise: dict[Coordinate, Any]) -> None:
        """Arrows from H to H′ on D's side, and their heads, in the colour of D's output, on the side of D′."""
        for x in self.across.origins:
            for y in self.up.origins:
                given = {**noise, self.x: x, self.y: y}
                trial = run_both(self.alignment, self.inputs, _GivenNoise(self.alignment, given))
                if trial.outside is not None or self.x not in trial.shifts or self.y not in trial.shifts:
                    continue
                end = [float(given[c] + trial.shifts[c]) for c in (self.x, self.y)]
                one.annotate("", end, (float(x), float(y)), arrowprops={"arrowstyle": "->", "lw": 1.0}, clip_on=True)
                colour = COLOURS[self._kind(trial.run) % len(COLOURS)]
                other.plot(*end, "o", color=colour, markeredgecolor="black", markersize=5)


class _GivenNoise(RecordingContext):
    """A run whose noise is given by coordinate; a coordinate that is not given is 0."""

    def __init__(self, alignment: Alignment, noise: Mapping[Coordinate, Any]) -> None:
        super().__init__(alignment.mechanism)
        self.noise = noise

    def draw(self, where: Coordinate, distribution: Any, arguments: tuple[Any, ...], place: Any) -> Any:
        value = self.noise.get(where, Fraction(0))
        if distribution.support.one_sided:
            value = max(value, Fraction(0))
        elif not distribution.contains(value, *arguments):
            value = distribution.possible(value, *arguments)
        self.drawn.append(DrawnNoise(where, distribution, arguments, value, place))
        return value


def _discrete(output: Any) -> Any:
    """An output without its real parts."""
    if isinstance(output, tuple):
        return tuple(_discrete(part) for part in output)
    if isinstance(output, bool | Tag) or output is None or type(output) is int:
        return output
    return "a number"


def _label(kind: Any) -> str:
    if isinstance(kind, tuple):
        return "(" + ", ".join(map(_label, kind)) + ("," if len(kind) == 1 else "") + ")"
    return kind if isinstance(kind, str) else show(kind)


def plots_of(alignment: Alignment, result: Result) -> Iterator[tuple[str, Figure]]:
    """The plots of a checked alignment, each with its name: ``costs``, ``plane``, ``densities``.

    Left out are those that it does not have: a plane takes two continuous noises, densities a certified loss.

    >>> from alignkit import check
    >>> from alignkit.proofs.sparse_vector import gap_phi
    >>> [name for name, _ in plots_of(gap_phi, check(gap_phi, effort=0))]
    ['costs', 'plane']
    """
    witness = _shown_inputs(alignment, result)
    for name, draw in (("costs", plot_costs), ("plane", plot_plane)):
        try:
            yield name, draw(alignment, at=witness)
        except InputError:
            continue
    loss = result.privacy.leak
    if loss is not None:
        try:
            yield "densities", plot_densities(alignment.mechanism, loss)
        except InputError:
            return


def _shown_inputs(alignment: Alignment, result: Result) -> Witness | None:
    if result.counterexample is not None:
        return result.counterexample.witness
    return first_example(alignment, 0)
