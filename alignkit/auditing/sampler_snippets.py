"""What to paste into Python to certify an event of a sampler again, by other samples."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.language.tags import Tag
from alignkit.output_events import Anything, Event, Interval, OneOf
from alignkit.results import CertifiedLoss

_LONGEST = 4000
_IMPORTS = """from fractions import Fraction
from numpy import array
from alignkit import Tag
from alignkit.output_events import Anything, Event, Interval, OneOf
from alignkit.auditing.sampling_attack import certify_event
"""


def certify_event_snippet(
    sampler: Callable[..., Any],
    bound: CertifiedLoss,
    *,
    as_arrays: bool,
    vectorised: bool,
    parameters: Mapping[str, Any],
) -> str:
    """The call that certifies a bound's event on fresh samples; empty where an input cannot be written down."""
    name = str(getattr(sampler, "__qualname__", ""))
    module = str(getattr(sampler, "__module__", ""))
    # A method's name leads to the class, not to the object whose method it is.
    if not name.replace(".", "").isidentifier() or inspect.ismethod(sampler) or not bound.samples:
        return ""
    try:
        parts = (bound.event, bound.witness.q, bound.witness.q_, dict(parameters))
        event, one, other, given = map(python_text, parts)
    except ValueError:
        return ""
    if as_arrays:
        one, other = f"array({one})", f"array({other})"
    start = "" if module in ("__main__", "") else f"from {module} import {name.split('.')[0]}\n"
    text = (
        f"{_IMPORTS}{start}print(certify_event({name}, ({one}, {other}), {event},\n"
        f"    samples={bound.samples}, claim={bound.claim!r}, parameters={given}, vectorised={vectorised}))\n"
    )
    return text if len(text) <= _LONGEST else ""


def python_text(value: Any) -> str:
    """Python that makes an equal value; ValueError where there is none.

    >>> python_text(Event((Tag("BELOW"), Interval(low=Fraction(1, 2)))))
    "Event((Tag('BELOW'), Interval(Fraction(1, 2), None)), False)"
    """
    if isinstance(value, Event):
        return f"Event({python_text(value.pattern)}, {value.more})"
    if isinstance(value, Interval):
        return f"Interval({python_text(value.low)}, {python_text(value.high)})"
    if isinstance(value, Anything):
        return "Anything()"
    if isinstance(value, OneOf):
        return f"OneOf({python_text(value.values)})"
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(sorted(map(python_text, value)))}}})" if value else "frozenset()"
    if isinstance(value, Tag):
        return f"Tag({value.name!r})"
    if isinstance(value, np.ndarray):
        return f"array({python_text(value.tolist())})"
    if type(value) is tuple:
        return f"({', '.join(map(python_text, value))}{',' if len(value) == 1 else ''})"
    if type(value) is list:
        return f"[{', '.join(map(python_text, value))}]"
    if type(value) is dict:
        return "{" + ", ".join(f"{python_text(key)}: {python_text(part)}" for key, part in value.items()) + "}"
    if type(value) is float and not math.isfinite(value):
        return f'float("{value}")'
    if value is None or type(value) in (bool, int, float, str, bytes, Fraction):
        return repr(value)
    raise ValueError(f"no source for {type(value).__name__}")
