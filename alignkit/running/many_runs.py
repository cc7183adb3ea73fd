"""Many runs at once: a mechanism's arguments in the form that sampling takes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from alignkit.batching.collecting import tags_of
from alignkit.batching.run_batches import Sampled
from alignkit.batching.sampled_runs import SampledRuns, checked_runs, sample_chunks
from alignkit.errors import AlignkitError, InputError
from alignkit.interpreting.values import NOISE
from alignkit.running.domain import Admitted
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.running.replaying import UNDEFINED
from alignkit.running.sampling import sample_arguments, sample_output


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
    try:
        return sample_chunks(functools.partial(program_of, mechanism, values), runs, seed, longest, each)
    except InputError:
        raise
    except UNDEFINED as problem:
        if isinstance(problem, AlignkitError) and not hasattr(problem, "place"):
            raise
        raise InputError(f"{mechanism.name} is not defined on these arguments: {problem}") from problem


def program_of(mechanism: MechanismProgram, values: Admitted) -> Sampled:
    """A mechanism with its arguments, as a batch of runs takes it."""
    numbers = sample_arguments(mechanism, values)
    names = {name: tuple(v) if isinstance(v, list) else v for name, v in numbers.items()}
    names = {name: NOISE if name == mechanism.noise_name else names[name] for name in mechanism.program.parameters}
    tags = {tag: code for code, tag in enumerate(tags_of(mechanism.program))}
    one_run = functools.partial(sample_output, mechanism, values)
    return Sampled(mechanism.program, mechanism.keys, mechanism.kinds.output, names, tags, one_run)


__all__ = ["program_of", "sample_runs"]
