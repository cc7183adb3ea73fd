"""Python that computes a certified loss again when pasted."""

from __future__ import annotations

import os
import re
from typing import Any

from alignkit.language.tags import ABOVE, BELOW, Tag
from alignkit.output_events import Anything, Event, Interval, OneOf
from alignkit.results import Witness
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.python_values import python_source


def certify_snippet(mechanism: Mechanism, inputs: Witness, event: Event) -> str:
    """The program's import, the event, and the call of ``certify``."""
    arguments = [f"event={event_text(event)}"]
    for name in mechanism.private:
        arguments += [f"{name}={_python(inputs.q[name])}", f"{name}_={_python(inputs.q_[name])}"]
    arguments += [f"{name}={_python(inputs.public[name])}" for name in mechanism.public]
    call = f"print(certify({mechanism.name}, {', '.join(arguments)}))"
    module = mechanism.python.__module__
    known = module.startswith("alignkit.mechanisms")
    # A notebook's cell is no file to load from, and its names are at hand.
    loaded = not known and os.path.isfile(mechanism.file)
    tags = sorted(set(re.findall(r"\b(ABOVE|BELOW|Tag)\b", call)))
    own = [*tags, *(["load"] if loaded else [])]
    events = [n for n in ("ANYTHING", "Event", "Interval", "OneOf", "certify") if re.search(rf"\b{n}\b", call)]
    lines = ["from fractions import Fraction"] if "Fraction(" in call else []
    lines += [f"from alignkit import {', '.join(own)}"] if own else []
    lines.append(f"from alignkit.attacking import {', '.join(events)}")
    if known:
        lines.append(f"from {module} import {mechanism.name}")
    elif loaded:
        lines.append(f'{mechanism.name} = load("{mechanism.file}::{mechanism.name}")')
    return "\n".join([*lines, call])


def event_text(event: Event) -> str:
    """An event as Python source."""
    more = ", more=True" if event.more else ""
    return f"Event({_pattern(event.pattern)}{more})"


def _pattern(pattern: Any) -> str:
    if isinstance(pattern, tuple):
        inside = ", ".join(map(_pattern, pattern))
        return f"({inside},)" if len(pattern) == 1 else f"({inside})"
    if isinstance(pattern, Anything):
        return "ANYTHING"
    if isinstance(pattern, Interval):
        ends = [f"{n}={_python(v)}" for n, v in (("low", pattern.low), ("high", pattern.high)) if v is not None]
        return f"Interval({', '.join(ends)})"
    if isinstance(pattern, OneOf):
        return f"OneOf(frozenset({{{', '.join(sorted(map(_python, pattern.values)))}}}))"
    return _python(pattern)


def _python(value: Any) -> str:
    if isinstance(value, Tag) and value not in (ABOVE, BELOW):
        return f"Tag({value.name!r})"
    return python_source(value)
