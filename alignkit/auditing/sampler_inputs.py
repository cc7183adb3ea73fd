"""Pairs of adjacent answer vectors: those that the user gives are checked, otherwise telling ones are made.

A uniform view of the callable that is attacked: one-run functions and vectorised samplers alike.
"""

from __future__ import annotations

import copy
import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.arguments import mapping
from alignkit.errors import AlignkitError, InputError
from alignkit.language.parameters import exact
from alignkit.running.adjacency import Adjacency, Breach, breach, exact_changes
from alignkit.running.adjacent_pairs import alone, alternating, first_against_rest, first_moves, halves, together

# What is attacked: a function from an input and a number of runs to that many independent outputs.
Runs = Callable[[Any, int, np.random.Generator], Any]


@dataclass(frozen=True)
class Sampler:
    """A user's callable as ``Runs``; ``read_sampler`` makes one from its signature.

    It is called as ``run(data, **parameters)`` for one output, or ``run(data, size=…, **parameters)`` for that many
    outputs of independent runs. Where it has a parameter ``rng`` it is given a numpy Generator.
    """

    run: Callable[..., Any]
    name: str
    vectorised: bool = False
    passes_rng: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """The outputs of ``size`` runs."""
        arguments = dict(self.parameters)
        if self.passes_rng:
            arguments["rng"] = rng
        if self.vectorised:
            outputs = self.run(data, size=size, **arguments)
            shape = getattr(outputs, "shape", None)
            if shape == () or (shape is None and not hasattr(outputs, "__len__")) or isinstance(outputs, str | bytes):
                raise InputError(
                    f"{self.name} has a parameter `size`, and returned one {type(outputs).__name__} for size={size}; "
                    "return an array or list of that many outputs, or give vectorised=False"
                )
            return outputs
        # Each run has a list of its own, in case it sorts or clips it; arrays are made read-only by the caller.
        if type(data) is list:
            return [self.run(list(data), **arguments) for _ in range(size)]
        return [self.run(data, **arguments) for _ in range(size)]


def read_sampler(
    run: Callable[..., Any],
    *,
    vectorised: bool | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Sampler:
    """The sampler of a callable; InputError where its signature does not take the parameters.

    >>> def laplace(data, size, rng, scale=1.0):
    ...     return data[0] + rng.laplace(scale=scale, size=size)
    >>> sampler = read_sampler(laplace, parameters={"scale": 2.0})
    >>> sampler.vectorised, sampler.passes_rng, sampler.name
    (True, True, 'laplace')
    """
    name = str(getattr(run, "__qualname__", "") or getattr(run, "__name__", "") or type(run).__name__)
    name = name.rsplit(".<locals>.", 1)[-1]
    if not callable(run):
        raise InputError(f"{run!r} cannot be called; give a function that takes a database and returns an output")
    if name == "<lambda>":
        name = "the lambda"
    given = mapping({} if parameters is None else parameters, "parameters", "a dict, such as {'scale': 2.0}")
    reserved = sorted({"size", "rng"} & given.keys())
    if reserved:
        raise InputError(f"parameters has {reserved[0]!r}, which is given to {name} by the attack; leave it out")
    try:
        signature = inspect.signature(run)
    except (TypeError, ValueError):
        return Sampler(run, name, bool(vectorised), False, given)
    takes = {p.name for p in signature.parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    vector = "size" in takes if vectorised is None else vectorised
    arguments = {**given, **({"size": 1} if vector else {}), **({"rng": None} if "rng" in takes else {})}
    try:
        signature.bind(None, **arguments)
    except TypeError as problem:
        raise InputError(
            f"{name}{signature} cannot be called with a database and {sorted(arguments) or 'nothing else'}: {problem}; "
            "give its other arguments as parameters={…}"
        ) from None
    return Sampler(run, name, vector, "rng" in takes, given)


def call_sampler(runs: Runs, data: Any, size: int, rng: np.random.Generator, name: str) -> Any:
    """The outputs of ``size`` runs; InputError where the sampler raises, or returns another number of them."""
    if isinstance(data, np.ndarray):
        data = data.copy()
        data.flags.writeable = False
    kept = copy.deepcopy(data) if isinstance(data, list | dict | set) else None
    try:
        outputs = runs(data, size, rng)
    except AlignkitError:
        raise
    except Exception as problem:
        raise InputError(
            f"{name} raised {type(problem).__name__}: {problem}; the input was {shortened(data)}"
        ) from problem
    if kept is not None and _differ(kept, data):
        raise InputError(f"{name} changes its input, so that each run begins with another; copy it first")
    try:
        count = len(outputs)
    except TypeError:
        raise InputError(f"{name} returned {type(outputs).__name__} where {size} outputs were asked for") from None
    if count != size:
        raise InputError(f"{name} returned {count} outputs where {size} were asked for; return one for each run")
    return outputs


def _differ(one: Any, other: Any) -> bool:
    try:
        return bool(one != other)
    except Exception:  # what cannot be compared as a whole, such as a list of arrays, is the user's to keep
        return False


def shortened(data: Any, width: int = 120) -> str:
    """An input as text, cut where it is long."""
    text = repr(data.tolist()) if isinstance(data, np.ndarray) else repr(data)
    return text if len(text) <= width else text[: width - 1] + "…"


Pair = tuple[Any, Any]


def check_pairs(pairs: Any, adjacency: Adjacency | None, sensitivity: float) -> tuple[list[Pair], tuple[str, ...]]:
    """The given pairs that are adjacent, with notes; InputError, saying why the first is not, where none is.

    Without an adjacency all are taken as they are: whether two databases are neighbours is then the user's to say.

    >>> check_pairs([([0, 0], [1, 2]), ([0, 0], [1, 1])], Adjacency.EACH, 1)
    ([([0, 0], [1, 1])], ('left out 1 of 2 pairs, which are not adjacent',))
    """
    try:
        given = [tuple(pair) for pair in pairs]
    except TypeError:
        raise InputError(f"pairs is {shortened(pairs)}; give a list of pairs, such as [([0, 0], [1, 1])]") from None
    if not given:
        raise InputError("pairs is empty; give at least one pair of databases, such as [([0, 0], [1, 1])]")
    for pair in given:
        if len(pair) != 2:
            raise InputError(f"pairs has {shortened(pair)}; each pair is (D, D_), two databases")
    if adjacency is None:
        return [(one, other) for one, other in given], ()
    reasons = [why_not_adjacent(one, other, adjacency, sensitivity) for one, other in given]
    kept = [(one, other) for (one, other), reason in zip(given, reasons, strict=True) if not reason]
    if not kept:
        one, other = given[0]
        raise InputError(
            f"no pair is adjacent by {adjacency.value!r} with sensitivity {sensitivity}: for the first, "
            f"{shortened(one)} and {shortened(other)}: {reasons[0]}"
        )
    left = len(given) - len(kept)
    return kept, (f"left out {left} of {len(given)} pairs, which are not adjacent",) if left else ()


def why_not_adjacent(one: Any, other: Any, adjacency: Adjacency, sensitivity: float) -> str:
    """What keeps two answer vectors (or single answers) from being adjacent; empty if nothing does."""
    a, b = _answers(one), _answers(other)
    if len(a) != len(b):
        return f"one has {len(a)} answers and the other {len(b)}"
    bound = Fraction(exact(sensitivity, "sensitivity"))
    changes = exact_changes(a, b, "an answer")
    breached = breach(adjacency, changes, bound)
    if breached is None:
        return ""
    why, i = breached
    if why is Breach.TOO_FAR:
        return f"answer {i} changes by {changes[i]}, more than {sensitivity}"
    if why is Breach.TOO_MUCH:
        return f"the changes add up to {sum(map(abs, changes))}, more than {sensitivity}"
    if why is Breach.SEVERAL:
        most = adjacency.most or "one"
        return f"more than {most} answer{'s change' if adjacency.most else ' changes'}"
    return "some answers rise and others fall"


def make_pairs(queries: int, adjacency: Adjacency, sensitivity: float, claim: float | None) -> list[Pair]:
    """Telling pairs of ``queries`` answers as arrays of floats: every level with every change, the plain ones first.

    >>> len(make_pairs(5, Adjacency.ONE, 1, 0.5))
    24
    """
    if isinstance(queries, bool) or not isinstance(queries, int) or queries < 1:
        raise InputError(f"queries is {queries!r}; it must be a whole number from 1: how many answers a database has")
    levels, changes = list(_levels(queries, sensitivity, claim)), list(_changes(queries, adjacency, sensitivity))
    places = itertools.product(range(len(levels)), range(len(changes)))
    order = sorted(places, key=lambda place: (sum(place), place))
    made: list[Pair] = []
    seen = set()
    for i, j in order:
        one = np.array(levels[i], dtype=np.float64)
        other = one + np.array(changes[j], dtype=np.float64)
        key = frozenset({tuple(one), tuple(other)})
        # Multiples of the sensitivity and of 1/claim may round: such a pair is left out, not attacked.
        if key not in seen and not why_not_adjacent(one, other, adjacency, sensitivity):
            made.append((one, other))
            seen.add(key)
    if not made:
        raise InputError(f"no adjacent pairs were found with sensitivity {sensitivity}; give pairs=[(D, D_), …]")
    return made


def _levels(n: int, sensitivity: float, claim: float | None) -> Iterator[list[float]]:
    """Answers of D: all equal, one high or low, half and half, spread; by the sensitivity and by the noise's scale.

    A mechanism that is to lose the claim draws noise of a multiple of sensitivity/claim.
    """
    scale = float(math.ceil(1 / claim)) * sensitivity if claim and claim < 1 else sensitivity
    half = n // 2
    yield [0.0] * n
    for gap in dict.fromkeys((sensitivity, scale, 4 * scale)):
        if n > 1:
            yield [gap] + [0.0] * (n - 1)
            yield [0.0] * half + [gap] * (n - half)
        yield [gap] * n
    if n > 1:
        yield [i * sensitivity for i in range(n)]
        yield [-scale] + [0.0] * (n - 1)


def _changes(n: int, adjacency: Adjacency, sensitivity: float) -> Iterator[list[float]]:
    """How the answers change. Each pair is tried in both directions, so a change and its negative are one."""
    patterns: list[Sequence[float]] = []
    if adjacency.most is not None:
        ways = (together(n), first_against_rest(n), alternating(n))
        patterns += [first_moves(way, int(adjacency.most)) for way in ways]
    if adjacency in (Adjacency.EACH, Adjacency.MONOTONE):
        patterns.append(together(n))
    if adjacency is Adjacency.EACH:
        patterns += [first_against_rest(n), halves(n), alternating(n)]
    patterns += [alone(n, 0), alone(n, n - 1)]
    if adjacency is Adjacency.MONOTONE and n > 1:
        patterns.append([0, *together(n - 1)])
    if adjacency is Adjacency.L1 and n > 1:
        patterns += [[0.5, way * 0.5, *[0] * (n - 2)] for way in (1, -1)]
    return ([sensitivity * way for way in pattern] for pattern in patterns)


def _answers(data: Any) -> list[Any]:
    if isinstance(data, np.ndarray):
        data = data.tolist()
    if isinstance(data, list | tuple) and not any(isinstance(value, Sequence) for value in data):
        return list(data)
    if isinstance(data, int | float | Fraction) and not isinstance(data, bool):
        return [data]
    raise InputError(
        f"{shortened(data)} is not a vector of answers; give adjacency=None where databases are of another kind"
    )
