"""The command line: ``alignkit check``, ``run``, ``list`` and ``new``."""

from __future__ import annotations

from alignkit.cli.entry import main

__all__ = ["main"]
