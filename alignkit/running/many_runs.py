"""Many runs at once: a mechanism's arguments in the form that sampling takes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from alignkit.running.domain import Admitted
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.running.one_sample import evaluated, sample_arguments, sampler_of
from alignkit.sampling.sampled_runs import Sampled, SampledRuns, checked_runs, sample_chunks
from alignkit.sampling.stream_noise import StreamNoise


def sample_runs(
    mechanism: MechanismProgram,
    values: Admitted,
    runs: int,
    seed: int | np.random.Generator | None,
    each: Callable[..., Any] = map,
) -> SampledRuns:
    """The outputs of many runs on fresh noise, in arrays."""
    runs = checked_runs(runs)
    longest = max((len(v) for v in values.values() if isinstance(v, tuple)), default=1)
    return sample_chunks(functools.partial(program_of, mechanism, values), runs, seed, longest, each)


def program_of(mechanism: MechanismProgram, values: Admitted) -> Sampled:
    """A mechanism with its arguments, as many runs take it."""
    arguments = sample_arguments(mechanism, values)

    def by_evaluator(noise: StreamNoise, run: int) -> Any:
        return evaluated(mechanism, arguments, noise, f" (in run {run})")

    return Sampled(sampler_of(mechanism), mechanism.kinds.output, arguments, by_evaluator)


__all__ = ["program_of", "sample_runs"]
