"""Figures of experiments as PNG and SVG, by matplotlib (the extra ``plots``)."""

from __future__ import annotations

import importlib.util
import io
import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from alignkit.experiments.figure_plans import Curve, Experiment, Panel
from alignkit.experiments.records import TableRow

FORMATS_OF_FIGURES = ("png", "svg")

# Colours that colour-blind readers can tell apart (Okabe and Ito, 2008).
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def figure_files(experiment: Experiment, rows: Sequence[TableRow], caption: str) -> dict[str, bytes]:
    """Draw an experiment; the content of its file for each format.

    Measured values are points with bars of two standard errors, the theory is a line.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"font.size": 9, "svg.hashsalt": experiment.name, "axes.grid": True, "grid.alpha": 0.3}):
        figure = Figure(figsize=(4.4 * len(experiment.panels), 4.2), layout="constrained")
        axes = figure.subplots(1, len(experiment.panels), squeeze=False)[0]
        for panel, ax in zip(experiment.panels, axes, strict=True):
            _draw_panel(experiment, panel, rows, ax)
        figure.suptitle(f"{experiment.source}: {caption}", fontsize=9)
        return {name: _saved(figure, name) for name in FORMATS_OF_FIGURES}


def _saved(figure: Any, name: str) -> bytes:
    out = io.BytesIO()
    if name == "svg":
        figure.savefig(out, format=name, metadata={"Date": None})
        return out.getvalue()
    from PIL import Image

    figure.savefig(out, format=name, dpi=100)
    # A palette of colours makes a file a third as large.
    small = io.BytesIO()
    Image.open(out).convert("RGB").quantize(256).save(small, format=name, optimize=True)
    return small.getvalue()


def _draw_panel(experiment: Experiment, panel: Panel, rows: Sequence[TableRow], ax: Any) -> None:
    if panel.bars:
        _draw_bars(panel, rows, ax)
    else:
        for curve, colour in zip(panel.curves, _COLOURS, strict=False):
            _draw_curve(experiment, curve, _rows_of(curve, rows), colour, ax)
    ax.set_title(panel.title, fontsize=9)
    ax.set_xlabel("k" if experiment.axis == "k" else "ε")
    ax.set_ylabel(panel.y_label)
    # Below the axes, where it hides no point.
    ax.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.15), frameon=False)


def _rows_of(curve: Curve, rows: Sequence[TableRow]) -> list[TableRow]:
    return [row for row in rows if (row.procedure, row.quantity) == (curve.procedure, curve.quantity)]


def _draw_curve(experiment: Experiment, curve: Curve, rows: Sequence[TableRow], colour: str, ax: Any) -> None:
    x = [row.k if experiment.axis == "k" else row.eps for row in rows]
    errors = [0.0 if math.isnan(row.standard_error) else 2 * row.standard_error for row in rows]
    ax.errorbar(
        x, [row.value for row in rows], errors, fmt="o", markersize=3, capsize=2, color=colour, label=curve.procedure
    )
    if curve.beside and not any(math.isnan(row.theory) for row in rows):
        words = curve.beside if curve.beside != "theory" else "dashed: the papers' formula"
        # The formulas of all curves have one entry in the legend.
        words = "" if words in ax.get_legend_handles_labels()[1] else words
        ax.plot(x, [row.theory for row in rows], linewidth=1, linestyle="--", color=colour, label=words)


def _draw_bars(panel: Panel, rows: Sequence[TableRow], ax: Any) -> None:
    procedures = list(dict.fromkeys(curve.procedure for curve in panel.curves))
    marks = sorted({row.k for row in rows})
    width = min((b - a for a, b in pairwise(marks)), default=1) * 0.8 / len(procedures)
    bottom = {(procedure, k): 0.0 for procedure in procedures for k in marks}
    for curve, colour in zip(panel.curves, _COLOURS, strict=False):
        listed = _rows_of(curve, rows)
        shift = (procedures.index(curve.procedure) - (len(procedures) - 1) / 2) * width
        ax.bar(
            [row.k + shift for row in listed],
            [row.value for row in listed],
            width,
            bottom=[bottom[curve.procedure, row.k] for row in listed],
            yerr=[0.0 if math.isnan(row.standard_error) else 2 * row.standard_error for row in listed],
            color=colour,
            error_kw={"elinewidth": 0.8},
            label=_words_of(curve),
        )
        for row in listed:
            bottom[curve.procedure, row.k] += row.value


    if panel.bound is not None:
        listed = _rows_of(panel.bound, rows)
        ax.plot([row.k for row in listed], [row.theory for row in listed], "k_", label=panel.bound.beside)


def _words_of(curve: Curve) -> str:
    return curve.procedure + curve.quantity.removeprefix("answers").replace(" of the", ",")
