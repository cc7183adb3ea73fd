"""A certified lower bound on the privacy loss, with what certifies it."""

from __future__ import annotations

import enum
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.output_events import ANYTHING, Event


class Method(enum.StrEnum):
    """How the two probabilities were bounded."""

    EXACT = "closed form"
    INTERVALS = "interval arithmetic"
    SAMPLED = "Clopper-Pearson"


@dataclass(frozen=True)
class LowerBound:
    """An event and two adjacent inputs, and what the loss ln P(M(D) in E) / P(M(D′) in E) is at least.

    ``loss`` is rounded down, and infinite where the event is possible under D and impossible under D′; ``low`` is what
    P(M(D) in E) is at least and ``high`` what P(M(D′) in E) is at most. ``q`` and ``q_`` map each private parameter to
    its answers on D and D′, or are the two inputs of a sampler that is not ours. ``claim`` is the claimed loss at these
    ``parameters``. Where it was sampled, the bound fails with probability ``error`` at most, after so many ``samples``
    of each side; otherwise both are None. ``number_model`` is what the noise is taken to be: ideal reals, or a
    lattice. ``snippet`` reproduces it when pasted into Python.

    The loss is at least 0: by the whole output as event, every mechanism has that.
    """

    loss: float
    method: Method
    event: Event
    q: Any
    q_: Any
    parameters: Mapping[str, Any] = field(default_factory=dict)
    low: float = 1.0
    high: float = 1.0
    claim: float | None = None
    error: float | None = None
    samples: int | None = None
    snippet: str = ""
    notes: tuple[str, ...] = ()
    number_model: str = "ideal reals"

    @property
    def violates(self) -> bool:
        """Whether the loss is certified to be above the claim."""
        return self.claim is not None and self.loss > self.claim

    def __str__(self) -> str:
        """The full report, which `print` shows; `repr` gives the fields."""
        # By name, since reports stand above this layer.
        return str(importlib.import_module("alignkit.reporting.attacks").bound_text(self))

    def _repr_html_(self) -> str:
        """The bound as HTML, which a notebook shows."""
        # By name, since reports stand above this layer.
        return str(importlib.import_module("alignkit.reporting.notebooks").bound_html(self))


def nothing_found(*notes: str) -> LowerBound:
    """The bound that every mechanism has, 0, with notes on why there is no better one."""
    return LowerBound(0.0, Method.EXACT, Event(ANYTHING), {}, {}, notes=notes)
