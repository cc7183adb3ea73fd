"""Batches of runs: what a chunk of them gives, on arrays or one run at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from alignkit.batching.batch_noise import BatchNoise, GeneratorNoise
from alignkit.batching.batch_values import Part, items_of
from alignkit.batching.collecting import Collected, Emitted, as_python, collect_parts, positions_of, python_outputs
from alignkit.batching.columns import Array
from alignkit.batching.frames import Usual
from alignkit.batching.unsupported import Unbatched
from alignkit.batching.walking import Walker
from alignkit.interpreting.output_form import in_one_form, with_whole_numbers
from alignkit.language.kinds import Kind
from alignkit.language.program import Function
from alignkit.language.tags import Tag

# One run by Python on the noise of a generator.
OneRun = Callable[[np.random.Generator], Any]


@dataclass(frozen=True)
class Sampled:
    """A program with its arguments: all that a chunk of runs needs beside a seed."""

    function: Function
    keys: Mapping[tuple[tuple[int, ...], int], str] = field(repr=False)
    kind: Kind
    names: Mapping[str, Any]
    tags: Mapping[Tag, int]
    one_run: OneRun = field(repr=False)


@dataclass(frozen=True)
class RunBatch:
    """The outputs of some runs: the lengths, and all outputs but the usual one with their rows and positions."""

    lengths: Array
    emitted: list[Emitted]
    returned: list[Part]
    usual: Usual

    def collected(self, tags: Mapping[Tag, int]) -> Collected:
        return collect_parts(self.lengths, self.emitted, self.usual, tags)

    def outputs(self, function: Function) -> list[Any]:
        """Each run's own output, as a single run of the function gives it out."""
        outputs = python_outputs(self.lengths, self.emitted, self.usual) if function.is_generator else self._returned()
        return [with_whole_numbers(in_one_form(function, output)) for output in outputs]

    def _returned(self) -> list[Any]:
        made: list[Any] = [None] * len(self.lengths)
        for at, value in self.returned:
            for row, each in zip(at.tolist(), as_python(value, len(at)), strict=True):
                made[row] = each
        return made


def run_on_arrays(sampled: Sampled, runs: Array, noise: BatchNoise) -> RunBatch:
    """All runs at once, on the noise given; Unbatched where the program cannot be run so."""
    frame = Walker(sampled.keys, noise).run(sampled.function, dict(sampled.names), runs)
    anchor = frame.anchor
    if sampled.function.is_generator:
        return RunBatch(anchor.lengths, anchor.emitted, [], anchor.usual)
    lengths, emitted = positions_of(anchor.returned, len(runs), sampled.kind)
    return RunBatch(lengths, emitted, anchor.returned, anchor.usual)


def random_batch(sampled: Sampled, runs: Array, seed: np.random.SeedSequence) -> RunBatch:
    """Runs on random noise; one by one, each with a generator of its own, where arrays do not serve."""
    try:
        return run_on_arrays(sampled, runs, GeneratorNoise(np.random.default_rng(seed)))
    except Unbatched:
        generator = np.random.default_rng(seed)
        return batch_of([sampled.one_run(generator) for _ in runs], sampled)


def batch_of(outputs: list[Any], sampled: Sampled) -> RunBatch:
    """The batch of outputs that single runs gave."""
    if sampled.function.is_generator:
        lengths = np.array([len(output) for output in outputs], dtype=np.int64)
        emitted = [
            (np.array([row]), np.array([i]), _frozen(x)) for row, output in enumerate(outputs)
            for i, x in enumerate(output)
        ]  # fmt: skip
        return RunBatch(lengths, emitted, [], Usual())
    returned = [Part(np.array([row]), _frozen(output)) for row, output in enumerate(outputs)]
    lengths, emitted = positions_of(returned, len(outputs), sampled.kind)
    return RunBatch(lengths, emitted, returned, Usual())


def _frozen(value: Any) -> Any:
    return items_of([_frozen(x) for x in value]) if isinstance(value, list | tuple) else value
