"""alignkit: verify differential-privacy proofs by randomness alignment.

A mechanism is a Python function over its noise, an alignment says how the noise must move between adjacent
databases; ``check`` proves the privacy claim, refutes the proof with a counterexample, or says why it cannot.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from alignkit.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from alignkit.attacking import attack
    from alignkit.catalogue import load
    from alignkit.checking import check
    from alignkit.errors import (
        AlignkitError,
        DataError,
        InputError,
        InternalError,
        LanguageError,
        TargetError,
        UnprovedError,
    )
    from alignkit.language.functions import clamp, exp, exp2, largest, lattice_points, log, power, sqrt
    from alignkit.language.metadata import Lattice, Sensitivity
    from alignkit.language.tags import ABOVE, BELOW, Tag
    from alignkit.laws import law, same_law
    from alignkit.noise import Bits, Noise, base2
    from alignkit.running.alignment import Alignment, alignment
    from alignkit.running.mechanism import Mechanism, mechanism
    from alignkit.running.noise_vector import NoiseVector, Shift

    # To a type checker a parameter is what the mechanism's body computes with. At run time these are classes of
    # alignkit.language.parameters.
    Count: TypeAlias = int
    Epsilon: TypeAlias = float
    Eta: TypeAlias = float
    Positive: TypeAlias = float
    Proportion: TypeAlias = float
    Queries: TypeAlias = Sequence[float]
    Query: TypeAlias = float
    Real: TypeAlias = float
    Reals: TypeAlias = Sequence[float]

__all__ = [
    "ABOVE",
    "BELOW",
    "AlignkitError",
    "Alignment",
    "Bits",
    "Count",
    "DataError",
    "Epsilon",
    "Eta",
    "InputError",
    "InternalError",
    "LanguageError",
    "Lattice",
    "Mechanism",
    "Noise",
    "NoiseVector",
    "Positive",
    "Proportion",
    "Queries",
    "Query",
    "Real",
    "Reals",
    "Sensitivity",
    "Shift",
    "Tag",
    "TargetError",
    "UnprovedError",
    "__version__",
    "alignment",
    "attack",
    "base2",
    "check",
    "clamp",
    "exp",
    "exp2",
    "largest",
    "lattice_points",
    "law",
    "load",
    "log",
    "mechanism",
    "power",
    "same_law",
    "sqrt",
]


# Where each name is defined. Each is imported when it is first asked for: the checker brings z3 with it and sampling
# numpy, and the command line answers Ctrl-C while it loads them.
_HOMES = {
    "catalogue": ("load",),
    "checking": ("check",),
    "errors": (
        "AlignkitError", "DataError", "InputError", "InternalError", "LanguageError", "TargetError", "UnprovedError",
    ),
    "language.functions": ("clamp", "exp", "exp2", "largest", "lattice_points", "log", "power", "sqrt"),
    "language.metadata": ("Lattice", "Sensitivity"),
    "language.parameters": (
        "Count", "Epsilon", "Eta", "Positive", "Proportion", "Queries", "Query", "Real", "Reals",
    ),
    "language.tags": ("ABOVE", "BELOW", "Tag"),
    "laws": ("law", "same_law"),
    "attacking": ("attack",),
    "noise": ("Bits", "Noise", "base2"),
    "running.alignment": ("Alignment", "alignment"),
    "running.mechanism": ("Mechanism", "mechanism"),
    "running.noise_vector": ("NoiseVector", "Shift"),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(importlib.import_module(f"alignkit.{home}"), name)
            return value
    raise AttributeError(f"module 'alignkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    # Modules become attributes of the package as they are imported; what is public stays the same.
    return sorted({*(name for name in globals() if name.startswith("_")), *__all__})
