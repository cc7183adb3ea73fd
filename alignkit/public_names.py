"""The mark of what users import from ``alignkit`` itself, whichever module defines it."""

from __future__ import annotations

import sys
from typing import Any, TypeVar

_Public = TypeVar("_Public", bound=Any)


def public(value: _Public) -> _Public:
    """Have a function or class say that it is of ``alignkit``, in help, tracebacks and pickles.

    >>> import alignkit
    >>> alignkit.check.__module__, alignkit.Result.__module__
    ('alignkit', 'alignkit')
    """
    home = vars(sys.modules[value.__module__])
    # Without this doctest would take a class for one that its module has imported.
    home.setdefault("__test__", {})[value.__name__] = value
    value.__module__ = "alignkit"
    return value
