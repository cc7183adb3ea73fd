"""alignkit: verify differential-privacy proofs by randomness alignment.

A mechanism is a Python function over its noise, an alignment says how the noise must move between adjacent
databases; ``check`` proves the privacy claim, refutes the proof with a counterexample, or says why it cannot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alignkit.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
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
    from alignkit.releasing import release
    from alignkit.running.alignment_decorator import Alignment, alignment
    from alignkit.running.mechanism_decorator import Mechanism, mechanism
    from alignkit.running.noise_vectors import NoiseVector, Shift

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
    "release",
    "same_law",
    "sqrt",
]


def _home(name: str) -> ModuleType | None:
    """Import the module that defines a public name; None for a name that is not public.

    Each module is imported when one of its names is first asked for: the checker brings z3 with it and sampling numpy,
    and the command line answers Ctrl-C while it loads them.
    """
    match name:
        case "attack":
            from alignkit import attacking

            return attacking
        case "load":
            from alignkit import catalogue

            return catalogue
        case "check":
            from alignkit import checking

            return checking
        case (
            "AlignkitError"
            | "DataError"
            | "InputError"
            | "InternalError"
            | "LanguageError"
            | "TargetError"
            | "UnprovedError"
        ):
            from alignkit import errors

            return errors
        case "clamp" | "exp" | "exp2" | "largest" | "lattice_points" | "log" | "power" | "sqrt":
            from alignkit.language import functions

            return functions
        case "Lattice" | "Sensitivity":
            from alignkit.language import metadata

            return metadata
        case "Count" | "Epsilon" | "Eta" | "Positive" | "Proportion" | "Queries" | "Query" | "Real" | "Reals":
            from alignkit.language import parameters

            return parameters
        case "ABOVE" | "BELOW" | "Tag":
            from alignkit.language import tags

            return tags
        case "law" | "same_law":
            from alignkit import laws

            return laws
        case "Bits" | "Noise" | "base2":
            from alignkit import noise

            return noise
        case "release":
            from alignkit import releasing

            return releasing
        case "Alignment" | "alignment":
            from alignkit.running import alignment_decorator

            return alignment_decorator
        case "Mechanism" | "mechanism":
            from alignkit.running import mechanism_decorator

            return mechanism_decorator
        case "NoiseVector" | "Shift":
            from alignkit.running import noise_vectors

            return noise_vectors
    return None


def __getattr__(name: str) -> Any:
    home = _home(name)
    if home is None:
        raise AttributeError(f"module 'alignkit' has no attribute {name!r}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    # Modules become attributes of the package as they are imported; what is public stays the same.
    return sorted({*(name for name in globals() if name.startswith("_")), *__all__})
