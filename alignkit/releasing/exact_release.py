"""A release: public values are checked first, then private ones are read, then there is one run on exact noise.

The private answers of a release: exact numbers on their lattice. No error message shows a value or its position.

Which proofs allow a release: a proof of this very mechanism, on a lattice, of the inputs at hand.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from alignkit.arguments import shown
from alignkit.errors import InputError, InternalError
from alignkit.interpreting.output_form import in_one_form
from alignkit.interpreting.values import Coordinate
from alignkit.language.parameters import Epsilon, Eta, ParameterType, Proportion, Query, exact
from alignkit.language.program import Builtin, Call, Function, Place, walk
from alignkit.noise import Bits, Distribution
from alignkit.noise.exact_sampling.drawing import ExactNoise, samplable
from alignkit.noise.exact_sampling.randomness import RandomBits, SecureBits
from alignkit.releasing.preparing import as_plain, check_presumed, check_rounding, prepare, remembering
from alignkit.results import Result, Verdict
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import random_pairs
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.domain import Condition, Domain
from alignkit.running.interactive_run import InteractiveRun
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.online import chosen_along
from alignkit.running.replaying import UNDEFINED, DrawnNoise, RecordingContext, run_program, run_python

ROUNDINGS = ("refuse", "nearest")


def read_private(rounding: str, name: str, kind: Query, value: Any, lattice: Fraction | None) -> Any:
    """Read one private argument: a list of exact numbers, or one number.

    >>> from alignkit import Queries
    >>> read_private("refuse", "q", Queries(), [3, 2.5], Fraction(1, 2))
    [3, Fraction(5, 2)]
    >>> read_private("nearest", "q", Queries(), [0.2, -0.5, 0.5], Fraction(1))
    [0, 0, 1]
    """
    items = _exact(_listed(value, name) if kind.vector else [value], name)
    if lattice is not None:
        items = _on_lattice(items, lattice, name, rounding)
    return items if kind.vector else items[0]


def _listed(value: Any, name: str) -> Sequence[Any]:
    items = None
    with suppress(Exception):  # whatever an object of the caller's does: its words may show values
        if getattr(value, "ndim", 1) == 1 and not isinstance(value, str | bytes | dict | set | frozenset):
            # What is checked is what runs, whatever the caller's list does when it is read again.
            items = list(value.tolist() if hasattr(value, "tolist") else value)
    if items is None:
        raise InputError(f"{name} must be one list of numbers, not {type(value).__name__}")
    if not items:
        raise InputError(f"{name} is empty; give at least one query answer")
    return items


def _exact(items: Sequence[Any], name: str) -> Sequence[int | Fraction]:
    if _whole(items):
        return items
    with suppress(InputError):
        return [exact(x, name) for x in items]
    # Not while that problem is handled: its message shows the value, and it would be kept as this one's context.
    raise InputError(f"an answer of {name} is not a finite number; give numbers such as 3, 0.7 or 1/3")


def _on_lattice(
    items: Sequence[int | Fraction], lattice: Fraction, name: str, rounding: str
) -> Sequence[int | Fraction]:
    if lattice == 1 and _whole(items):
        return items
    step = lattice.numerator if lattice.denominator == 1 else lattice
    if rounding == "nearest":
        return [math.floor(Fraction(x) / step + Fraction(1, 2)) * step if x % step else x for x in items]
    if any(x % step for x in items):
        raise InputError(
            f"an answer of {name} is not a multiple of the lattice {shown(lattice)}; give multiples, or have answers "
            f'rounded with rounding="nearest" (this refusal depends on private data, and rounding does not: '
            f"docs/release.md)"
        )
    return items


def _whole(items: Sequence[Any]) -> bool:
    """Tell whether all are ints; True and False do not count as ints."""
    return set(map(type, items)) == {int}


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


# Parameters of `release` itself.
OWN = ("proof", "rounding", "true_sensitivity")

Output = TypeVar("Output")


def release(
    mechanism: Mechanism[Output],
    /,
    *answers: Any,
    proof: Any,
    rounding: str = "refuse",
    true_sensitivity: Any = None,
    **parameters: Any,
) -> Output:
    """Run a mechanism on exact noise from the operating system's secure randomness, if it was proved on a lattice.

    ``proof`` is the result of ``check``, which serves for many releases, or an alignment, which is then checked.
    Private parameters go by position or by name, public ones by name; a float means the decimal it prints as.
    Answers off their lattice are refused, or with ``rounding="nearest"`` rounded to it: then ``true_sensitivity``
    says by how much an answer may change before it is rounded, and the sensitivity that the mechanism declares
    must be at least 2 lattice steps more. Raises InputError, before any private value is read, where there is no
    such proof, and for bad public values; see docs/release.md.
    """
    if not isinstance(mechanism, Mechanism):
        raise InputError(f"release takes a mechanism, not {shown(mechanism)}; decorate the function with @mechanism")
    output: Output = release_on(SecureBits(), mechanism, answers, parameters, proof, rounding, true_sensitivity)
    return output


def release_on(
    source: RandomBits,
    mechanism: Mechanism,
    answers: tuple[Any, ...],
    parameters: Mapping[str, Any],
    proof: Any,
    rounding: str = "refuse",
    true_sensitivity: Any = None,
) -> Any:
    """Release with the given random bits. Tests make them from a seed; `release` takes secure ones."""
    result = _admitted(mechanism, proof, rounding, true_sensitivity)
    mechanism.ensure_current()
    exact, domain = compared_function(mechanism), _domain(mechanism, result, rounding, true_sensitivity)
    values = domain.admit(domain.named(answers, parameters), functools.partial(read_private, rounding))
    arguments = {name: _argument(value, mechanism.parameters[name]) for name, value in values.items()}
    return _run(mechanism, exact, {**arguments, mechanism.noise_name: ExactNoise(source)})


def _domain(mechanism: Mechanism, proof: Result, rounding: str, true_sensitivity: Any) -> Domain:
    """What a release admits: the inputs that the proof speaks of, with scales and bounds that exact noise has."""
    conditions: list[Condition] = [
        lambda public, counts: prepare(mechanism, public),
        lambda public, counts: check_presumed(mechanism, proof, public, counts),
    ]
    if rounding == "nearest":
        near = proof.adjacency
        conditions.append(lambda public, counts: check_rounding(mechanism, public, near, true_sensitivity, counts))
    return mechanism.domain.under(*conditions)


class _NoiseForComparison(RecordingContext):
    """Noise on a lattice from a seed, for comparing two readings of a program: mostly small, sometimes large."""

    def __init__(self, mechanism: Mechanism, source: random.Random) -> None:
        super().__init__(mechanism)
        self._source = source

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        value = Fraction(arguments[-1]) * self._source.choice(_STEPS)
        value = abs(value) if distribution.support.one_sided else value
        self.drawn.append(DrawnNoise(where, distribution, arguments, value, place))
        return value


COMPARED = 48

_STEPS = (0, 0, 1, -1, 2, -2, 3, 1000, -1000, 10**9)


@functools.lru_cache(maxsize=64)
def compared_function(mechanism: Mechanism) -> Callable[..., Any]:
    """The function that a release runs, held against the program that was proved: on random inputs both do the same.

    Raises InternalError where they differ.
    """
    exact, source = mechanism.exact_at_once, random.Random(0)
    for inputs in itertools.islice(random_pairs(mechanism, Adjacency.EACH, source), COMPARED):
        far = source.choice((1, 1, 1000, 10**7))  # a multiple of an answer is on its lattice too
        values = {name: _times(far, v) if name in mechanism.private else v for name, v in inputs.values.items()}
        run = run_program(mechanism, values, _NoiseForComparison(mechanism, source))
        try:
            with suppress(InputError):  # where neither is defined
                run_python(mechanism, values, run, exact)
        except NameError as problem:
            raise InternalError(f"Python cannot run {mechanism.name}: {problem}") from problem
    return exact


def _times(factor: int, value: Any) -> Any:
    return tuple(factor * x for x in value) if isinstance(value, tuple) else factor * value


def _run(mechanism: Mechanism, exact: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    try:
        output = exact(**arguments)
        return as_plain(in_one_form(mechanism.program, output))
    except InternalError:
        raise
    except (*UNDEFINED, TypeError) as problem:
        # Without the problem's own words, which may show private values.
        kind = type(problem).__name__
    raise InputError(f"{mechanism.name} is not defined on these arguments ({kind})")


def release_interactively(
    mechanism: Mechanism, /, *, proof: Any, rounding: str = "refuse", true_sensitivity: Any = None, **parameters: Any
) -> InteractiveRun:
    """Start a release that takes one answer at a time, for an analyst who chooses each query after the last output.

    ``proof`` must be of a claim on adaptive queries, ``@alignment(…, queries="adaptive")``; all else is as for
    ``release``. Public parameters go by name, private answers one by one to ``.ask`` of what comes back. An answer that
    ``.ask`` refuses is not to be told to the analyst (docs/theory/adaptive-queries.md). Raises InputError as
    ``release`` does.
    """
    if not isinstance(mechanism, Mechanism):
        raise InputError(f"release takes a mechanism, not {shown(mechanism)}; decorate the function with @mechanism")
    return release_interactively_on(SecureBits(), mechanism, parameters, proof, rounding, true_sensitivity)


def release_interactively_on(
    source: RandomBits,
    mechanism: Mechanism,
    parameters: Mapping[str, Any],
    proof: Any,
    rounding: str = "refuse",
    true_sensitivity: Any = None,
) -> InteractiveRun:
    """Release query by query with the given random bits. Tests make them from a seed."""
    result = _admitted(mechanism, proof, rounding, true_sensitivity)
    if not result.adaptive:
        raise InputError(
            f"the proof {result.alignment} of {mechanism.name} is for queries that are fixed in advance; "
            'prove the claim for all analysts: @alignment(…, queries="adaptive")'
        )
    along = sorted(chosen_along(mechanism))
    if along:
        raise InputError(f"{mechanism.name} takes {along[0]} with each query, which a release query by query does not")
    if rounding == "nearest" and result.adjacency == Adjacency.L1:
        raise InputError('rounding="nearest" moves every answer, and how many will be asked is not known under l1')
    mechanism.ensure_current()
    compared_function(mechanism)
    return InteractiveRun(
        mechanism, _domain(mechanism, result, rounding, true_sensitivity), parameters, ExactNoise(source),
        convert=functools.partial(read_private, rounding), number=_argument, shown=as_plain,
    )  # fmt: skip


def _admitted(mechanism: Mechanism, proof: Any, rounding: str, true_sensitivity: Any) -> Result:
    """The proof that allows the release, with all that can be refused without looking at arguments."""
    taken = [name for name in OWN if name in mechanism.parameters]
    if taken:
        raise InputError(f"{mechanism.name} has a parameter `{taken[0]}`, which release takes for itself; rename it")
    if rounding not in ROUNDINGS:
        raise InputError(f"rounding must be one of {', '.join(ROUNDINGS)}, not {shown(rounding)}")
    if true_sensitivity is not None and rounding == "refuse":
        counts = "without rounding, the declared sensitivity counts"
        raise InputError(f'true_sensitivity is for rounding="nearest"; {counts}')
    return accepted_proof(mechanism, proof)


def _argument(value: Any, kind: ParameterType | None) -> Any:
    """Prepare a value for the run: of the public ones, all but whole numbers become numbers that remember.

    A privacy budget remembers always: noise is drawn with quotients of it.
    """
    if kind is not None and kind.private:
        return list(value) if isinstance(value, tuple) else value
    if isinstance(value, tuple):
        return [_argument(x, None) for x in value]
    if isinstance(value, int) and not isinstance(kind, Epsilon | Eta | Proportion):
        return value
    return remembering(value if isinstance(value, Bits) else Fraction(value))
