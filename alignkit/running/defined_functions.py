"""Functions that are defined by a text instead of a file."""

from __future__ import annotations

import hashlib
import inspect
import linecache
from collections.abc import Callable, Mapping
from typing import Any


def defined_function(source: str, name: str, names: Mapping[str, Any], title: str) -> Any:
    """What a source text defines under a name, where it may use ``names``; its source can be read back as from a file.

    ``title`` stands in messages for the file.

    >>> defined_function("def twice(x):\\n    return 2 * x\\n", "twice", {}, "an example")(3)
    6
    """
    file = f"<{title} {hashlib.sha256(source.encode()).hexdigest()[:16]}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    known = dict(names)
    exec(compile(source, file, "exec", dont_inherit=True), known)
    return known[name]


def names_known_to(python: Callable[..., Any]) -> dict[str, Any]:
    """The names that a function can use: those of its module, and those of functions around it."""
    around = inspect.getclosurevars(python).nonlocals
    return {**python.__globals__, **around}
