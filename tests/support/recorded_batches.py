"""Batches of runs whose noise is recorded, so that each run can be replayed on its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from alignkit import Mechanism
from alignkit.errors import InputError
from alignkit.interpreting.values import Coordinate
from alignkit.noise import CHOICE
from alignkit.running.many_runs import sampled
from alignkit.running.replaying import alike, by_name
from alignkit.sampling.batches import run_batch
from alignkit.sampling.columns import Column, as_column
from alignkit.sampling.drawing import GeneratorNoise


class RecordedNoise(GeneratorNoise):
    """Noise that is recorded by run and coordinate; ``coarse`` noise falls on few values, so that there are ties."""

    records = True

    def __init__(self, seed: int, *, coarse: bool = False) -> None:
        super().__init__(np.random.default_rng(seed))
        self.coarse = coarse
        self.noise: dict[int, dict[Coordinate, Any]] = {}

    def draw(self, key, iteration, runs, distribution, arguments, shape):
        if self.coarse and distribution.support.continuous:
            steps = self.generator.integers(0 if distribution.support.one_sided else -12, 13, size=shape)
            column = Column(steps / 4.0)
        else:
            column = super().draw(key, iteration, runs, distribution, arguments, shape)

        def listed(value: Any) -> list[Any]:
            return as_column(value).map(lambda array: np.broadcast_to(array, shape)).values()

        at = list(zip(*map(listed, iteration), strict=True)) if iteration else [()] * column_size(shape)
        numbers = np.broadcast_to(runs, shape).ravel().tolist()
        for run, index, value in zip(numbers, at, listed(column), strict=True):
            self.noise.setdefault(run, {})[Coordinate(key, tuple(index))] = value
        assert distribution is not CHOICE or column.whole
        return column


def column_size(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape))


def assert_replays_agree(mechanism: Mechanism, values: dict[str, Any], runs: int, seed: int, *, coarse: bool) -> int:
    """Every run of a batch gives, to the last bit, what a replay on its noise gives; how many runs were compared.

    The values are those that ``mechanism.read`` gives. If a run is not defined, the batch is not, and some run of it
    is not.
    """
    program = sampled(mechanism, values)
    noise = RecordedNoise(seed, coarse=coarse)
    try:
        outputs = run_batch(program, np.arange(runs), noise).outputs(generator=mechanism.program.is_generator)
    except InputError:
        raise
    given = {name: program.names[name] for name in mechanism.parameters}
    for run, output in enumerate(outputs):
        H = by_name(noise.noise.get(run, {}))
        replayed = mechanism.replay(**given, H=H)
        assert alike(output, replayed), f"{mechanism.name} {given} {H}: {output} is not {replayed}"
    return len(outputs)
