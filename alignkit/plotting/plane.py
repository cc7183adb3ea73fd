"""An alignment over two noises: regions of equal output under D and under D′, and arrows from H to H′."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.errors import InputError
from alignkit.interpreting.values import Coordinate
from alignkit.language.tags import Tag
from alignkit.plotting.costs import chosen_replay
from alignkit.plotting.figures import COLOURS, new_figure
from alignkit.results import Witness
from alignkit.running.aligned_replay import show
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.both_runs import run_both
from alignkit.running.replaying import DrawnNoise, RecordingContext, Run, run_program

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
    inputs (see `plot_costs`). A colour stands for the discrete part of an output: tags, indices and lengths. Raises
    InputError where D draws fewer than two noises.

    >>> from alignkit.proofs.noisy_max import phi
    >>> figure = plot_plane(phi, q=[0, 0], q_=[1, -1], eps=1, H={"eta": [0, 0]})
    >>> [each.get_title() for each in figure.axes]
    ['D on H', 'D′ on H′']
    """
    replay = chosen_replay(alignment, at, inputs)
    drawn = [each for each in replay.trial.run.drawn if each.distribution.support.continuous]
    named = {str(each.where): each.where for each in drawn}
    wanted = list(axes) if axes is not None else list(named)[:2]
    if len(wanted) != 2 or any(name not in named for name in wanted):
        raise InputError(
            f"a plane needs two continuous noises that D draws for these inputs; it draws {', '.join(named) or 'none'}"
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
        figure.suptitle(f"{self.alignment.mechanism.name} / {self.alignment.name}", fontsize=10)
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
                if self.x not in trial.shifts or self.y not in trial.shifts:
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
