"""Cells of a notebook: texts that run in one namespace, each under a file name of its own that has a source."""

from __future__ import annotations

import hashlib
import linecache
import textwrap
from typing import Any

from support.defining import PRELUDE


class Notebook:
    """Runs cells one after the other, as IPython does; ``names`` are the notebook's globals."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.run(PRELUDE)

    def run(self, text: str) -> None:
        """Run a cell."""
        source = textwrap.dedent(text)
        file = f"<ipython-input-{hashlib.sha256(source.encode()).hexdigest()[:12]}>"
        # No time of change: linecache keeps what has no file.
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), self.names)

    def __getitem__(self, name: str) -> Any:
        return self.names[name]
