"""One mechanism, run on one source of noise by the function that `.sample` runs and by the exact function."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from alignkit import Mechanism
from alignkit.noise import Distribution, RandomNoise
from alignkit.running.replaying import UNDEFINED
from alignkit.running.sampling import sample_arguments


class OneOrder(RandomNoise):
    """Noise that does not depend on when buffers are filled, nor on whether lists of draws are taken at once."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seed = seed
        self.generators: dict[str, np.random.Generator] = {}

    def many(self, name: str, count: int, *parameters: Any) -> list[Any]:
        return [getattr(self, name)(*parameters) for _ in range(count)]

    def _buffer(self, distribution: Distribution, parameters: tuple[Any, ...], size: int) -> list[Any]:
        law = f"{distribution.name}{parameters}"
        if law not in self.generators:
            self.generators[law] = np.random.default_rng([self.seed, zlib.crc32(law.encode())])
        drawn: list[Any] = distribution.sample(self.generators[law], *parameters, size=size).tolist()
        return drawn


def both_ways(mechanism: Mechanism, values: Mapping[str, Any], seed: int) -> tuple[str, str]:
    """What `.sample`'s function and the exact function give or raise, with all digits and types."""
    arguments = sample_arguments(mechanism, values)
    fast, exact = (_given(f, arguments, seed) for f in (mechanism.for_sampling, mechanism.exact))
    return fast, exact


def _given(function: Callable[..., Any], arguments: Mapping[str, Any], seed: int) -> str:
    outputs: list[Any] = []
    try:
        given = function(**arguments, noise=OneOrder(seed))
        if not hasattr(given, "__next__"):
            return repr(given)
        outputs.extend(given)
    except (*UNDEFINED, TypeError) as problem:
        return f"{outputs} {type(problem).__name__}: {problem}"
    return repr(outputs)
