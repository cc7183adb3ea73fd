"""Functions that are defined by a text instead of a file.

Values as Python source, for the snippets that replay what a report shows.
"""

from __future__ import annotations

import hashlib
import inspect
import linecache
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any


def python_source(value: Any) -> str:
    """A value as Python source that makes an equal one; tuples become lists.

    >>> python_source((Fraction(1, 2), Fraction(3), None))
    '[Fraction(1, 2), 3, None]'
    """
    if isinstance(value, tuple):
        return "[" + ", ".join(python_source(x) for x in value) + "]"
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    try:
        return repr(value)
    except ValueError:  # more digits than Python reads or writes; hexadecimal ones have no limit
        parts = [hex(part) for part in value.as_integer_ratio()]
        return f"Fraction({', '.join(parts)})" if isinstance(value, Fraction) else parts[0]


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
