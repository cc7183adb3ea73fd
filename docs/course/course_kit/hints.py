"""Hints in steps: each is opened by a click, and says a little more than the one before."""

from __future__ import annotations

from typing import Any

import marimo as mo


def hints(*steps: str) -> Any:
    """An accordion with a fold for each hint, in Markdown."""
    return mo.accordion({f"Hint {number}": mo.md(step) for number, step in enumerate(steps, start=1)})
