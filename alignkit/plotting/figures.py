"""What the plots share: a figure without a window, and the message where matplotlib is missing."""

from __future__ import annotations

import importlib.util
import io
from typing import TYPE_CHECKING, Any

from alignkit.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Colours that colour-blind readers can tell apart (Okabe and Ito, 2008).
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")


MISSING = "plots need matplotlib: pip install 'alignkit[plots]'"


def has_matplotlib() -> bool:
    """Whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def new_figure(width: float, height: float, columns: int = 1) -> tuple[Figure, Any]:
    """A figure of a size in inches, and its axes in one row; InputError where matplotlib is not installed."""
    if not has_matplotlib():
        raise InputError(MISSING)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(1, columns, squeeze=False)[0]


def svg(figure: Figure) -> str:
    """A figure as SVG, the same text each time."""
    import matplotlib

    out = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "alignkit"}):
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
