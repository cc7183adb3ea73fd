"""A uniform view of the callable that is attacked: one-run functions and vectorised samplers alike."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from alignkit.arguments import mapping
from alignkit.errors import AlignkitError, InputError

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
