"""A release: public values are checked first, then private ones are read, then there is one run on exact noise.

The private answers of a release: exact numbers on their lattice. No error message shows a value or its position.

Which proofs allow a release: a proof of this very mechanism, on a lattice, of the inputs at hand.

Checks of public values that are made before any private value is read.

Public numbers of a run, which remember the results of operations on them.

A mechanism draws noise of scale 2 / eps for each query. The quotient is the same each time, dividing fractions is slow,
and the tables of a draw are found quickest where its parameters are the very objects of the draw before.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from alignkit.arguments import column, shown
from alignkit.errors import AlignkitError, InputError, InternalError
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.output_form import in_one_form
from alignkit.interpreting.values import Coordinate, is_concrete
from alignkit.language.parameters import Epsilon, Eta, ParameterType, Proportion, Query, exact
from alignkit.language.program import (
    Assign,
    Builtin,
    Call,
    Comprehension,
    Draw,
    For,
    Function,
    Name,
    Place,
    target_names,
    walk,
)
from alignkit.noise import Bits, Distribution
from alignkit.noise.exact_sampling.drawing import ExactNoise, samplable, sampler
from alignkit.noise.exact_sampling.randomness import RandomBits, SecureBits
from alignkit.public_names import public
from alignkit.results import Result, Verdict
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import random_pairs
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.domain import Condition, Domain
from alignkit.running.interactive_run import InteractiveRun
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.online import chosen_along
from alignkit.running.replaying import UNDEFINED, DrawnNoise, RecordingContext, run_program, run_python
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.substitution import holds
from alignkit.symbolic.trees import Role


def _once(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Make an operation that is computed once for each int, and once for each number that remembers.

    An int is known by its value, another number by its identity; it is kept, so that its identity stays its own.
    """
    name = compute.__name__
    by_int, by_number = f"_{name}_by_int", f"_{name}_by_number"

    def operation(self: Any, other: Any) -> Any:
        kind = type(other)
        if kind is int:
            memory, key = self.__dict__.setdefault(by_int, {}), other
        elif kind is PublicFraction or kind is PublicBits:
            memory, key = self.__dict__.setdefault(by_number, {}), id(other)
        else:
            return compute(self, other)
        kept = memory.get(key)
        if kept is None:
            kept = memory[key] = remembering(compute(self, other)), other
        return kept[0]

    return operation


class PublicFraction(Fraction):
    """A Fraction that remembers its products and quotients.

    >>> eps = PublicFraction(Fraction(7, 10))
    >>> 2 / eps, 2 / eps is 2 / eps, eps * 3, eps + 1
    (PublicFraction(20, 7), True, PublicFraction(21, 10), Fraction(17, 10))
    """

    __truediv__ = _once(Fraction.__truediv__)
    __rtruediv__ = _once(Fraction.__rtruediv__)
    __mul__ = __rmul__ = _once(Fraction.__mul__)


class PublicBits(Bits):
    """A base-2 privacy parameter that remembers its products and quotients.

    >>> from alignkit import base2
    >>> eta = remembering(base2(3, 2, 2))
    >>> eta / 2 is eta / 2, eta / 2 == base2(3, 2)
    (True, True)
    """

    __hash__ = Bits.__hash__
    __truediv__ = _once(Bits.__truediv__)
    __mul__ = __rmul__ = _once(Bits.__mul__)


def remembering(value: Any) -> Any:
    """Turn an exact public number into one that remembers, and return any other value as it is."""
    if isinstance(value, Bits):
        return PublicBits(value.parts)
    return PublicFraction(value) if isinstance(value, Fraction) else value


def as_plain(value: Any) -> Any:
    """Turn the numbers of an output into ints where they are whole, and into Fractions elsewhere.

    >>> as_plain((PublicFraction(Fraction(4, 2)), [Fraction(1, 3), True, None]))
    (2, [Fraction(1, 3), True, None])
    """
    if value is None or isinstance(value, bool) or type(value) is int:
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else Fraction(value.numerator, value.denominator)
    if isinstance(value, float):
        raise InternalError("a release computed a float")
    if isinstance(value, tuple | list | set | frozenset):
        kind = next(k for k in (tuple, list, set, frozenset) if isinstance(value, k))
        return kind(as_plain(x) for x in value)
    return value


@dataclass(frozen=True)
class _PublicPart:
    """The part of a program that reads public values alone: draws, clamps, and the assignments that they read."""

    names: frozenset[str]
    assignments: tuple[Assign, ...]
    draws: tuple[Draw, ...]
    clamps: tuple[Builtin, ...]


def prepare(mechanism: Mechanism, public: Mapping[str, Any]) -> None:
    """Compute what depends on public values alone, and raise InputError where it does not fit draws or clamps.

    These are the parameters of draws and the bounds of clamp, where they are expressions of the public parameters and
    of locals that are assigned once. The samplers that a run needs are made here.
    """
    part = _public_part(mechanism)
    environment = {name: value for name, value in public.items() if name in part.names}
    evaluator = Evaluator(Context({}))
    for node in part.assignments:
        values = _values(evaluator, (node.value,), environment)
        if values is not None:
            with suppress(AlignkitError):
                evaluator.bind(node.target, values[0], environment, node.place)
    for draw in part.draws:
        values = _values(evaluator, draw.arguments, environment)
        if values is not None:
            sampler(draw.distribution, values)
    for clamp in part.clamps:
        values = _values(evaluator, clamp.arguments[1:], environment)
        if values is not None:
            _check_clamp(mechanism, public, clamp, values)


@lru_cache(maxsize=64)
def _public_part(mechanism: Mechanism) -> _PublicPart:
    body = mechanism.program.body
    nodes = [node for statement in body for node in walk(statement)]
    binding = [node for node in nodes if isinstance(node, Assign | For | Comprehension)]
    bound = Counter(name for node in binding for name in target_names(node.target))
    names = {name for name in mechanism.public if not bound[name]}
    assignments = []
    for node in body:
        if not isinstance(node, Assign) or any(bound[name] > 1 for name in target_names(node.target)):
            continue
        if _readable(node.value, names):
            names.update(target_names(node.target))
            assignments.append(node)
    return _PublicPart(
        frozenset(names),
        tuple(assignments),
        tuple(n for n in nodes if isinstance(n, Draw) and all(_readable(a, names) for a in n.arguments)),
        tuple(
            n
            for n in nodes
            if isinstance(n, Builtin) and n.function == "clamp" and all(_readable(a, names) for a in n.arguments[1:])
        ),
    )


def _readable(expression: Any, names: Collection[str]) -> bool:
    """Tell whether an expression reads no other names."""
    return not any(isinstance(n, Draw) or (isinstance(n, Name) and n.name not in names) for n in walk(expression))


def _values(evaluator: Evaluator, nodes: tuple[Any, ...], environment: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Evaluate expressions; None where one is undefined, which matters only to a run that reaches it."""
    try:
        return tuple(evaluator.value(node, dict(environment)) for node in nodes)
    except (AlignkitError, ArithmeticError):
        return None


def check_presumed(
    mechanism: Mechanism, result: Result, public: Mapping[str, Any], sizes: Callable[[], Mapping[str, int]]
) -> None:
    """Raise InputError unless the program is defined for these public values, wherever the proof presumes that it is.

    A mechanism that is undefined for some noise or on some databases only would show by that what they are. ``sizes()``
    are the numbers of private answers, which are public; it is called only where they matter.
    """

    def value(atom: Any) -> Fraction:
        if not isinstance(atom, Symbol | Element) or atom.role is not Role.PUBLIC:
            raise KeyError(atom)
        if isinstance(atom, Element):
            index = atom.index.constant
            return Fraction(public[atom.array][int(index)]) if index is not None else Fraction(public[atom.key])
        if not atom.name.startswith("len("):
            return Fraction(public[atom.name])
        vector = atom.name[len("len(") : -1]
        return Fraction(len(public[vector]) if vector in public else sizes()[vector])

    for presumption in result.presumed:
        try:
            defined = holds(presumption.formula, value)
        except (ArithmeticError, LookupError, TypeError):
            raise InputError(
                f"the proof {result.alignment} of {mechanism.name} presumes that the program is defined "
                f"({presumption.words}), which cannot be decided for these values; "
                "write the program so that it is always defined"
            ) from None
        if not defined:
            raise InputError(
                f"{mechanism.name} is not defined for these public values ({presumption.words}), and the proof "
                f"{result.alignment} presumes that it is"
            )


def check_rounding(
    mechanism: Mechanism, public: Mapping[str, Any], adjacency: str, stated: Any, sizes: Callable[[], Mapping[str, int]]
) -> None:
    """Raise InputError unless the declared sensitivities cover those that answers have once they are rounded.

    Rounding moves an answer and its neighbour by less than a lattice step each: 2 steps in all (Ilvento, Section 4).
    Where the changes of all answers together are bounded, each answer may have changed; ``sizes()`` are their numbers.
    """
    if stated is None:
        raise InputError(
            'rounding="nearest" needs true_sensitivity=…, by how much an answer may change before it is rounded'
        )
    by_name = dict(stated) if isinstance(stated, Mapping) else dict.fromkeys(mechanism.private, stated)
    unknown = [name for name in by_name if name not in mechanism.private]
    missing = [name for name in mechanism.private if name not in by_name]
    if unknown or missing:
        raise InputError(f"true_sensitivity must name {', '.join(mechanism.private)}, and nothing else")
    added = adjacency == Adjacency.L1
    if added and len(set(by_name.values())) > 1:
        raise InputError("under l1 true_sensitivity is one number, which the changes of all answers add up to at most")
    lattices = {name: mechanism.domain.lattice(name, public) for name in mechanism.private}
    for name, lattice in lattices.items():
        if lattice is None:
            raise InputError(f"{name} has no lattice to round to; declare {name}: Annotated[Queries, Lattice(…)]")
    for name, lattice in lattices.items():
        assert lattice is not None
        true = exact(by_name[name], "true_sensitivity")
        if true <= 0:
            raise InputError(f"true_sensitivity must be above 0, not {shown(true)}")
        number = sizes() if added else {}
        moved = sum(2 * (lattices[n] or 0) * count for n, count in number.items()) if added else 2 * lattice
        needed = -(-(true + moved) // lattice) * lattice  # rounded up to the lattice
        declared = mechanism.domain.sensitivity(name, public)
        if declared < needed:
            raise InputError(
                f"{mechanism.name} declares the sensitivity {shown(declared)} of {name}; answers that may change by "
                f"{shown(true)} and are then rounded to multiples of {shown(lattice)} may change by up to "
                f"{shown(true)} + {shown(moved)}, so it must declare at least {shown(needed)}"
            )


def _check_clamp(mechanism: Mechanism, public: Mapping[str, Any], node: Builtin, bounds: tuple[Any, ...]) -> None:
    low, high = bounds
    where = f"line {node.place.line}: clamp(…, {shown(low)}, {shown(high)})"
    if low > high:
        raise InputError(f"{where}: the bounds are reversed; write the lower one first")
    lattices = {mechanism.domain.lattice(name, public) for name in mechanism.private}
    lattice = lattices.pop() if len(lattices) == 1 else None
    for bound in bounds:
        if lattice is not None and is_concrete(bound) and Fraction(bound) % lattice:
            instead = "choose bounds that are multiples"
            raise InputError(f"{where}: {shown(bound)} is not a multiple of the lattice {shown(lattice)}; {instead}")


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
    items, kind = None, type(value).__name__
    if isinstance(value, Counter | defaultdict):
        raise InputError(
            f"{name} is a {kind}: which keys it has, and in which order, depends on the private data; give one answer "
            f"for each of a public list of keys, [counts[key] for key in KEYS]"
        )
    with suppress(Exception):  # whatever an object of the caller's does: its words may show values
        # What is checked is what runs, whatever the caller's list does when it is read again.
        items = list(column(value, name))
    if items is None:
        holds = "; an array, or one column of a table, must hold numbers" if hasattr(type(value), "dtype") else ""
        raise InputError(f"{name} must be one list of numbers, not {kind}{holds}")
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


@public
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


@public
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
        convert=functools.partial(read_private, rounding), number=_step_argument, shown=as_plain,
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


def _step_argument(value: Any, kind: ParameterType | None) -> Any:
    """Prepare a value for a run step by step, which the evaluator takes: its lists are tuples."""
    prepared = _argument(value, kind)
    return tuple(prepared) if isinstance(prepared, list) else prepared


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
