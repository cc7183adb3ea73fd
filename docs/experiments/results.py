"""What becomes of an experiment: a tidy table as CSV, its parameters and seeds as JSON, and figures by matplotlib."""

from __future__ import annotations

import csv
import hashlib
import importlib.util
import io
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from figure_plans import Curve, Experiment, Panel
from measuring import AxisPoint, Moments, Procedure, catalogue_mechanism
from quest import QuestParameters

from alignkit import __version__
from alignkit.data import ItemCounts

# Runs of one unit: enough that runs with the same threshold are made together, and some seconds of work.
UNIT_RUNS = 10_000

_SUFFIXES = (".gz", ".dat", ".csv", ".txt")


@dataclass(frozen=True)
class Measured:
    """The moments of each quantity of one procedure at one setting."""

    procedure: Procedure
    setting: AxisPoint
    runs: int
    moments: dict[str, Moments]


COLUMNS = ("experiment", "data", "procedure", "k", "eps", "quantity", "runs", "value", "standard_error", "theory")


@dataclass(frozen=True)
class TableRow:
    """One measured number: NaN for a standard error that is not known, and for a theory that there is not."""

    experiment: str
    data: str
    procedure: str
    k: int
    eps: float
    quantity: str
    runs: int
    value: float
    standard_error: float
    theory: float


def data_label(counts: ItemCounts) -> str:
    """A short name of the data, for figures and files.

    >>> data_label(ItemCounts(("1",), (3,), 3, "data/kosarak.dat.gz"))
    'kosarak'
    """
    if counts.source.startswith("generated "):
        return QuestParameters().name
    name = Path(counts.source.partition(" and a tail of ")[0]).name
    while Path(name).suffix in _SUFFIXES:
        name = Path(name).stem
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name) or "data"


def counts_digest(counts: ItemCounts) -> str:
    """A digest of the counts, in their order.

    >>> len(counts_digest(ItemCounts(("1",), (3,), 3, "data.csv")))
    32
    """
    text = ",".join(map(str, counts.counts))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def rows_of(experiment: Experiment, data: ItemCounts | None, measured: Sequence[Measured]) -> Iterator[TableRow]:
    """One row for each quantity that was measured, in the order of the measurements."""
    label = "" if data is None else data_label(data)
    for point in measured:
        for name, quantity in point.procedure.quantities.items():
            moments = point.moments[name]
            theory = point.procedure.theory(name, point.setting)
            if moments.whole:  # else no run has this quantity
                yield TableRow(
                    experiment.name,
                    label,
                    point.procedure.label,
                    point.setting.k,
                    float(point.setting.eps),
                    name,
                    point.runs,
                    quantity.value(moments),
                    quantity.error(moments),
                    math.nan if theory is None else theory,
                )


def csv_text(rows: Sequence[TableRow]) -> str:
    """Write rows as CSV, with an empty field for NaN; numbers are written to the last digit."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        values = [getattr(row, column) for column in COLUMNS]
        writer.writerow(["" if isinstance(value, float) and math.isnan(value) else value for value in values])
    return out.getvalue()


def json_text(experiment: Experiment, data: ItemCounts | None, *, runs: int, seed: int) -> str:
    """Write what an experiment was: the figure, the data, the procedures, the runs and how their seeds follow."""
    names = {name for procedure in experiment.procedures for name in procedure.mechanisms}
    document = {
        "experiment": experiment.name,
        "source": experiment.source,
        "title": experiment.title,
        "runs": runs,
        "runs_in_the_paper": experiment.runs,
        "seed": seed,
        "runs_per_unit": UNIT_RUNS,
        "seeds": "of each unit, from its procedure, point, block and the seed",
        "axis": experiment.axis,
        "points": [{"k": setting.k, "eps": str(setting.eps)} for setting in experiment.settings],
        "procedures": [procedure.described for procedure in experiment.procedures],
        "mechanisms": {name: catalogue_mechanism(name).digest for name in sorted(names)},
        "data": None if data is None else _data_document(data),
        "alignkit": __version__,
        "numpy": np.__version__,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _data_document(data: ItemCounts) -> dict[str, object]:
    return {
        "label": data_label(data),
        "source": data.source,
        "format": data.format,
        "items": len(data.counts),
        "transactions": data.transactions,
        "digest_of_counts": counts_digest(data),
    }


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
