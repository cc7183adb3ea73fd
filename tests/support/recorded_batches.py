"""Batches of runs whose noise is recorded, so that each run can be replayed on its own."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from alignkit import InputError, Mechanism
from alignkit.batching.batch_noise import GeneratorNoise
from alignkit.batching.columns import NumberColumn, as_column
from alignkit.batching.run_batches import run_on_arrays
from alignkit.interpreting.values import Coordinate
from alignkit.noise import CHOICE
from alignkit.running.many_runs import program_of
from alignkit.running.replaying import UNDEFINED, alike, by_name


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
            column = NumberColumn(steps / 4.0)
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
    """Every run of a batch gives, to the last bit, what a replay on its noise gives; how many runs gave an output.

    The values are those that ``mechanism.read`` gives. A batch that is not defined has a run whose replay is
    not defined either: the run that it names.
    """
    program = program_of(mechanism, values)
    given = {name: program.names[name] for name in mechanism.parameters}
    noise = RecordedNoise(seed, coarse=coarse)
    outputs, problem = [], ""
    try:
        outputs = run_on_arrays(program, np.arange(runs), noise).outputs(mechanism.program)
    except UNDEFINED as undefined:
        problem = str(undefined)
    if problem:
        named = re.search(r"in run (\d+)", problem)
        suspects = [int(named[1])] if named else range(runs)
        assert any(_undefined(mechanism, given, by_name(noise.noise.get(run, {}))) for run in suspects), problem
    for run, output in enumerate(outputs):
        H = by_name(noise.noise.get(run, {}))
        replayed = mechanism.replay(**given, H=H)
        assert alike(output, replayed), f"{mechanism.name} {given} {H}: {output} is not {replayed}"
    return len(outputs)


def _undefined(mechanism: Mechanism, given: dict[str, Any], H: dict[str, Any]) -> bool:
    try:
        mechanism.replay(**given, H=H)
    except InputError:
        return True
    return False
