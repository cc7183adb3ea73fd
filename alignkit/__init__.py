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
    Unsupported,
)
from alignkit.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import TypeAlias

    from alignkit.attacking import attack
    from alignkit.catalogue import load
    from alignkit.checking import check, confirm
    from alignkit.explaining import explain
    from alignkit.finding import find, least_noise
    from alignkit.finding.findings import Findings
    from alignkit.implementing import implements
    from alignkit.language.functions import ceil, clamp, exp, exp2, floor, largest, lattice_points, log, power, sqrt
    from alignkit.language.parameters import Lattice, Sensitivity
    from alignkit.language.tags import ABOVE, BELOW, Tag
    from alignkit.laws import law, same_law
    from alignkit.noise import Bits, Noise, base2
    from alignkit.releasing import release, release_interactively
    from alignkit.results import Result, Verdict
    from alignkit.running.alignment_decorator import Alignment, alignment
    from alignkit.running.mechanism_decorator import Mechanism, mechanism
    from alignkit.running.noise_vectors import NoiseVector, Shift
    from alignkit.spreading import check_all

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
    "Findings",
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
    "Result",
    "Sensitivity",
    "Shift",
    "Tag",
    "TargetError",
    "UnprovedError",
    "Unsupported",
    "Verdict",
    "__version__",
    "alignment",
    "attack",
    "base2",
    "ceil",
    "check",
    "check_all",
    "clamp",
    "confirm",
    "exp",
    "exp2",
    "explain",
    "find",
    "floor",
    "implements",
    "largest",
    "lattice_points",
    "law",
    "least_noise",
    "load",
    "log",
    "mechanism",
    "power",
    "release",
    "release_interactively",
    "same_law",
    "sqrt",
]


def __getattr__(name: str) -> Any:
    """Import the module that defines a public name, when the name is first asked for.

    The checker brings z3 with it and sampling numpy, and the command line answers Ctrl-C while it loads them.
    """
    home: ModuleType
    match name:
        case "attack":
            import alignkit.attacking as home
        case "load":
            import alignkit.catalogue as home
        case "check" | "confirm":
            import alignkit.checking as home
        case "check_all":
            import alignkit.spreading as home
        case "explain":
            import alignkit.explaining as home
        case "find" | "least_noise":
            import alignkit.finding as home
        case "Findings":
            import alignkit.finding.findings as home
        case "implements":
            import alignkit.implementing as home
        case "ceil" | "clamp" | "exp" | "exp2" | "floor" | "largest" | "lattice_points" | "log" | "power" | "sqrt":
            import alignkit.language.functions as home
        case "Lattice" | "Sensitivity":
            import alignkit.language.parameters as home
        case "Count" | "Epsilon" | "Eta" | "Positive" | "Proportion" | "Queries" | "Query" | "Real" | "Reals":
            import alignkit.language.parameters as home
        case "ABOVE" | "BELOW" | "Tag":
            import alignkit.language.tags as home
        case "law" | "same_law":
            import alignkit.laws as home
        case "Bits" | "Noise" | "base2":
            import alignkit.noise as home
        case "release" | "release_interactively":
            import alignkit.releasing as home
        case "Result" | "Verdict":
            import alignkit.results as home
        case "Alignment" | "alignment":
            import alignkit.running.alignment_decorator as home
        case "Mechanism" | "mechanism":
            import alignkit.running.mechanism_decorator as home
        case "NoiseVector" | "Shift":
            import alignkit.running.noise_vectors as home
        case _:
            raise AttributeError(f"module 'alignkit' has no attribute {name!r}")
    # Not kept among the globals, where doctest would take it for defined here, without what its examples use.
    return getattr(home, name)


def __dir__() -> list[str]:
    # Modules become attributes of the package as they are imported; what is public stays the same.
    return sorted({*(name for name in globals() if name.startswith("_")), *__all__})
