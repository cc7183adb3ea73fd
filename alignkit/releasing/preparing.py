"""Checks of public values that are made before any private value is read.

Public numbers of a run, which remember the results of operations on them.

A mechanism draws noise of scale 2 / eps for each query. The quotient is the same each time, dividing fractions is slow,
and the tables of a draw are found quickest where its parameters are the very objects of the draw before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from alignkit.arguments import shown
from alignkit.errors import AlignkitError, InputError, InternalError
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import is_concrete
from alignkit.language.parameters import exact
from alignkit.language.program import Assign, Builtin, Comprehension, Draw, For, Name, target_names, walk
from alignkit.noise import Bits
from alignkit.noise.exact_sampling.drawing import sampler
from alignkit.results import Result
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_decorator import Mechanism
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
