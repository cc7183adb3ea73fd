"""One mechanism, run on one source of noise by the text that `.sample` runs and by the exact function."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from alignkit import Mechanism
from alignkit.interpreting.output_form import in_one_form, with_whole_numbers
from alignkit.noise import Distribution, RandomNoise
from alignkit.running.one_sample import sample_arguments, sampler_of
from alignkit.running.replaying import UNDEFINED


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
    """What `.sample` and the exact function give, with all digits and types; both undefined where they raise."""
    arguments = sample_arguments(mechanism, values)
    return run_by_text(mechanism, arguments, OneOrder(seed)) or _given(
        lambda: sampler_of(mechanism).evaluated(arguments, OneOrder(seed))
    ), _given(lambda: _output(mechanism, mechanism.exact(**arguments, noise=OneOrder(seed))))


def run_by_text(mechanism: Mechanism, arguments: Mapping[str, Any], noise: RandomNoise) -> str:
    """What the generated text gives; nothing where it leaves the run to the evaluator."""
    try:
        return repr(sampler_of(mechanism).run(sampler_of(mechanism).given(arguments), noise))
    except (*UNDEFINED, TypeError):
        return ""


def _output(mechanism: Mechanism, given: Any) -> Any:
    return with_whole_numbers(in_one_form(mechanism.program, given))


def _given(run: Callable[[], Any]) -> str:
    try:
        return repr(run())
    except UNDEFINED:
        return "undefined"
