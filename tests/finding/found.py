"""What `find` makes of mechanisms of the catalogue where nothing is set: once in a process, for all tests."""

from __future__ import annotations

from functools import cache

from alignkit import find, load
from alignkit.finding.findings import Findings


@cache
def found(name: str, adjacency: str = "each") -> Findings:
    """The findings for a mechanism of the catalogue, frozen and so the same for every test."""
    return find(load(name), adjacency=adjacency)
