"""Runs of one mechanism on one stream of noise: by the text that Python runs, compiled, and by the evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from alignkit import Mechanism
from alignkit.interpreting.output_form import in_one_form, with_whole_numbers
from alignkit.noise import Distribution
from alignkit.running.many_runs import program_of
from alignkit.running.one_sample import sample_arguments, sampler_of
from alignkit.running.replaying import UNDEFINED
from alignkit.sampling.compiled_helpers import Full, Unsure, Wide
from alignkit.sampling.sampled_runs import Sampled, SampledRuns
from alignkit.sampling.stream_noise import StreamNoise
from alignkit.sampling.text_of_programs import Unwritable


class CoarseNoise(StreamNoise):
    """Continuous noise that falls on few values, so that there are ties."""

    def standard(self, distribution: Distribution) -> Callable[[], float]:
        drawing = super().standard(distribution)
        return lambda: round(2 * drawing()) / 4


def seed_of(number: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(5, spawn_key=(number,))


def assert_text_agrees(
    mechanism: Mechanism, values: dict[str, Any], runs: int, seed: int, *, coarse: bool, early: bool = False
) -> int:
    """Each run gives, by the text, what the evaluator and Python's own exact function give, to the last bit.

    With ``early`` the text may raise where they do not, and the evaluator makes the run: it computes in front of a loop
    what the loop does not change, though the loop might not have come to it.

    How many runs gave an output. A run that is not defined ends the comparison: no machine may give an output for it.
    """
    sampler = sampler_of(mechanism)
    arguments = sample_arguments(mechanism, values)
    kind = CoarseNoise if coarse else StreamNoise
    try:
        given = sampler.given(arguments)
    except (*UNDEFINED, TypeError):
        return 0
    noises = [kind(seed_of(seed)) for _ in range(3)]
    for run in range(runs):
        outputs = [
            _given(lambda: sampler.run(given, noises[0])),
            _given(lambda: sampler.evaluated(arguments, noises[1])),
            _given(lambda: _by_python(mechanism, arguments, noises[2])),
        ]
        by_text = outputs[1] if early and outputs[0] == "undefined" else outputs[0]
        assert by_text == outputs[1] == outputs[2], f"{mechanism.name} {values}"
        if outputs[0] == "undefined":
            return run
    return runs


def assert_compiled_agrees(mechanism: Mechanism, values: dict[str, Any], runs: int, seed: int) -> int:
    """The compiled text gives what the text gives that Python runs, to the last bit; how many runs it gave.

    It may give none where one of the runs is not defined, or its numbers do not suffice.
    """
    sampled = program_of(mechanism, values)
    if sampled.given is None:
        return 0
    compiled = sampler_of(mechanism).compiled(sampled.given, sampled.tags, sampled.is_several)
    assert compiled is not None, f"{mechanism.name} is not compiled"
    try:
        packed = compiled.runs(sampled.given, runs, seed_of(seed))
    except Unwritable as problem:
        raise AssertionError(f"{mechanism.name} is not compiled") from problem
    except (Wide, Unsure, Full, OverflowError):
        return 0
    samples = SampledRuns(runs, packed.lengths, sampled.tags, "", [packed], sampled.function, sampled.kind)
    noise = StreamNoise(seed_of(seed))
    for run, output in enumerate(samples):
        alone = sampler_of(mechanism).run(sampled.given, noise)
        assert exactly_alike(output, alone), f"{mechanism.name} {values} run {run}: {output} is not {alone}"
    return runs


def exactly_alike(one: Any, other: Any) -> bool:
    """Whether two outputs are the same to the last bit; a sum of no floats may be the float 0."""
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(exactly_alike, one, other))
    return one is other or ((type(one) is type(other) or one == 0) and bool(one == other))


def _given(run: Callable[[], Any]) -> str:
    try:
        return repr(run())
    except (*UNDEFINED, TypeError):
        return "undefined"


def _by_python(mechanism: Mechanism, arguments: dict[str, Any], noise: StreamNoise) -> Any:
    output = mechanism.exact(**arguments, **{mechanism.noise_name: noise})
    return with_whole_numbers(in_one_form(mechanism.program, output))


__all__ = ["Sampled", "assert_compiled_agrees", "assert_text_agrees"]
