"""alignkit: verify differential-privacy proofs by randomness alignment.

A mechanism is a Python function over its noise, an alignment says how the noise must move between adjacent
databases; ``check`` proves the privacy claim, refutes the proof with a counterexample, or says why it cannot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from alignkit.language.parameters import Count, Epsilon, Eta, Positive, Proportion, Queries, Query, Real, Reals
from alignkit.language.tags import ABOVE, BELOW, Tag
from alignkit.noise import Bits, Noise, base2
from alignkit.running.alignment import Alignment, alignment
from alignkit.running.mechanism import Mechanism, mechanism
from alignkit.version import __version__

if TYPE_CHECKING:
    from alignkit.catalogue import load
    from alignkit.checking import check
    from alignkit.laws import law, same_law
    from alignkit.losses import attack

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
    "Mechanism",
    "Noise",
    "Positive",
    "Proportion",
    "Queries",
    "Query",
    "Real",
    "Reals",
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


def __getattr__(name: str) -> Any:
    # The checker brings z3 with it; sampling and replaying do not need it.
    if name == "check":
        from alignkit.checking import check

        return check
    if name == "attack":
        from alignkit.losses import attack

        return attack
    if name in ("law", "same_law"):
        from alignkit import laws

        return getattr(laws, name)
    if name == "load":
        from alignkit.catalogue import load

        return load
    raise AttributeError(f"module 'alignkit' has no attribute {name!r}")
