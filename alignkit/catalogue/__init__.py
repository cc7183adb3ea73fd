"""The catalogue and the user's own files: from a target to mechanisms and alignments."""

from __future__ import annotations

from alignkit.catalogue.targets import (
    CollectedTargets,
    Problem,
    alignments,
    alignments_in,
    collect,
    find_alignments,
    load,
    mechanisms,
    mechanisms_in,
    proof_modules,
    whereabouts,
)

__all__ = [
    "CollectedTargets",
    "Problem",
    "alignments",
    "alignments_in",
    "collect",
    "find_alignments",
    "load",
    "mechanisms",
    "mechanisms_in",
    "proof_modules",
    "whereabouts",
]
