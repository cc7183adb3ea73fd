"""Which proofs allow a release: a proof of this very mechanism, on a lattice, of the inputs at hand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from alignkit.errors import InputError
from alignkit.language.program import Builtin, Call, Function, walk
from alignkit.noise.exact_sampling.drawing import samplable
from alignkit.results import Result, Verdict
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.mechanism_decorator import Mechanism

# Their values need not be fractions, even at fractions.
INEXACT = ("sqrt", "exp", "exp2", "log")


def accepted_proof(mechanism: Mechanism, proof: Any) -> Result:
    """Return the result that allows a release of the mechanism; raise InputError where there is none.

    An alignment is checked here; what can be refused without that is refused first.
    """
    if not isinstance(proof, Alignment | Result):
        raise InputError(
            f"release needs proof=…, an alignment of {mechanism.name} or the result of checking one, "
            f"not {type(proof).__name__}; write proof=check(phi)"
        )
    _check_exact(mechanism)
    result = _checked(mechanism, proof) if isinstance(proof, Alignment) else proof
    if not result.digest or result.digest != mechanism.digest:
        raise _of_another(mechanism, result.mechanism)
    what = f"the proof {result.alignment} of {mechanism.name}"
    if result.cached:
        raise InputError(f"{what} is from the cache of an earlier run; give proof=check({result.alignment})")
    if result.verdict is not Verdict.PROVED:
        raise InputError(f"{what} is {result.verdict}; only a mechanism that is proved private is released")
    if result.number_model != "lattice":
        raise InputError(f"{what} is about {result.number_model}; write the mechanism with noise on a lattice")
    if result.ex_post and result.cost is None:
        raise InputError(f"{what} claims ex-post privacy, and no bound for all outputs was proved")
    for name, reach in result.scope.items():
        if reach != "all":
            raise InputError(f"{what} covers {name} {reach} only; a release needs a proof for every {name}")
    return result


def _checked(mechanism: Mechanism, alignment: Alignment) -> Result:
    if alignment.mechanism.digest != mechanism.digest:
        raise _of_another(mechanism, alignment.mechanism.name)
    from alignkit.checking import check  # the checker brings the solver with it

    return check(alignment, effort=0)


def _of_another(mechanism: Mechanism, name: str) -> InputError:
    if name == mechanism.name:
        return InputError(f"the proof is of another version of {name}; check its alignment again")
    return InputError(f"the proof is of {name}, not of {mechanism.name}; give a proof of {mechanism.name}")


@lru_cache(maxsize=64)
def _check_exact(mechanism: Mechanism) -> None:
    """Raise InputError where the mechanism computes or draws what is not exact."""
    if not mechanism.draws:
        raise InputError(f"{mechanism.name} draws no noise; there is nothing to release under a proof")
    for draw in mechanism.draws:
        if samplable(draw.distribution):
            continue
        drawn = f"{mechanism.name} draws {draw.key} from noise.{draw.distribution.name}"
        instead = "write the mechanism with noise.discrete_laplace or noise.geometric"
        if not draw.distribution.support.continuous:
            raise InputError(f"{drawn}, which has no exact sampler; {instead}")
        reals = "noise over ideal reals: a proof over them does not cover what a computer draws"
        raise InputError(f"{drawn}, {reals}; {instead}, prove that, and release it")
    for node in _everywhere(mechanism.program):
        if isinstance(node, Builtin) and node.function in INEXACT:
            raise node.place.error(
                f"`{node.function}` is not exact, and a release computes with fractions only",
                "compute the number beforehand, make it a public parameter, and prove the claim for that",
            )


def _everywhere(program: Function) -> Iterator[Any]:
    for statement in program.body:
        for node in walk(statement):
            yield node
            if isinstance(node, Call):
                yield from _everywhere(node.function)
