"""The catalogue and the user's own files: from a target to mechanisms and alignments."""

from __future__ import annotations

from alignkit.catalogue.targets import (
    Found,
    Problem,
    alignments,
    alignments_in,
    collect,
    find,
    load,
    mechanisms,
    mechanisms_in,
    proof_modules,
    whereabouts,
)

__all__ = [
    "Found",
    "Problem",
    "alignments",
    "alignments_in",
    "collect",
    "find",
    "load",
    "mechanisms",
    "mechanisms_in",
    "proof_modules",
    "whereabouts",
]
