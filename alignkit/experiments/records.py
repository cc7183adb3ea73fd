"""The record of an experiment: a tidy table as CSV, and its parameters and seeds as JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from alignkit.data import ItemCounts
from alignkit.experiments.answers_given import catalogue_mechanism
from alignkit.experiments.experiment_run import Measured
from alignkit.experiments.figure_plans import Experiment
from alignkit.experiments.query_counts import counts_digest, data_label
from alignkit.experiments.units_of_work import UNIT_RUNS
from alignkit.version import __version__

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
