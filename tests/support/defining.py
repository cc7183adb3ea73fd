"""Programs of the tests, in real files: the language is read from source."""

from __future__ import annotations

import importlib.util
import itertools
import sys
import textwrap
from pathlib import Path
from types import ModuleType

PRELUDE = (
    "from typing import Annotated; "
    "from alignkit import ABOVE, BELOW, Count, Epsilon, Lattice, Noise, Positive, Proportion, Queries, Query, Real, "
    "Reals, Sensitivity, Tag, alignment, ceil, clamp, exp, exp2, floor, largest, lattice_points, log, mechanism, "
    "power, sqrt\n"
)

_numbers = itertools.count()


def define_in(folder: Path, source: str, *, prelude: bool = True, postponed: bool = False) -> ModuleType:
    """The module of a source text, imported from a file of its own.

    With ``prelude`` it imports alignkit's names; where ``postponed``, its annotations are kept as text.
    """
    name = f"program_{next(_numbers)}"
    path = folder / f"{name}.py"
    above = ("from __future__ import annotations; " if postponed else "") + (PRELUDE if prelude else "")
    path.write_text(above + textwrap.dedent(source), encoding="utf-8")
    return load(path, name)


def load(path: Path, name: str) -> ModuleType:
    """Import a file; the module is known to Python only while it is being imported."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    return module
