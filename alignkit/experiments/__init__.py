"""The papers' experiments: their figures, measured by the catalogue's own mechanisms on real or generated counts.

``figure_plans`` says what each figure measures; start reading there. ``procedures`` says what a procedure is,
``experiment_run`` splits an experiment into units and adds up what they measure, and ``records`` and
``drawing_figures`` write the result. Mechanisms are run in ``answers_given`` only. No proof rests on this room. It may
import every room but the command line and the plugin of pytest.
"""

from __future__ import annotations

from alignkit.experiments.experiment_run import Interrupted, Measured, UnitsLeft, run_experiment
from alignkit.experiments.figure_plans import EXPERIMENTS, Experiment
from alignkit.experiments.query_counts import GENERATED, experiment_data

__all__ = [
    "EXPERIMENTS",
    "GENERATED",
    "Experiment",
    "Interrupted",
    "Measured",
    "UnitsLeft",
    "experiment_data",
    "run_experiment",
]
