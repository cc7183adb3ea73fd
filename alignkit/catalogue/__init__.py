"""The catalogue and the user's own files: from a target on the command line to mechanisms and alignments.

A target is a file, a folder, ``file.py::name`` or a name of the catalogue. Files are imported, and so their code is
run; an error there is reported with the line of the file. Only ``cli``, ``pytest_plugin`` and
``spreading`` import from this room, which itself imports ``running``, errors and arguments. Start reading in
``targets``.
"""

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
    module_with_alignments,
    proof_modules,
    python_files,
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
    "module_with_alignments",
    "proof_modules",
    "python_files",
    "whereabouts",
]
