"""A mechanism that has no closed form is attacked as the sampler that it also is."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from timeit import timeit
from typing import Any

import numpy as np

from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.cases import AttackCase, cases_without_event, settings
from alignkit.attacking.lower_bounds import nothing_found
from alignkit.auditing.sampling_attack import attack_by_sampling
from alignkit.errors import AlignkitError, InputError
from alignkit.output_events import ANY_OUTPUT
from alignkit.results import CertifiedLoss
from alignkit.running.many_runs import sample_runs
from alignkit.running.mechanism_decorator import Mechanism

_MOST_PAIRS = 12

# Fewer runs than this show nothing; sampling makes about as many in any case.
_LEAST_RUNS = 2000
# Runs that are made on trial: enough that a batch's own cost does not count.
_FEW_RUNS = 64

OF_THE_SAMPLER = (
    "certified for the floating-point sampler; the difference between its noise and ideal noise is not covered"
)

MORE_SAMPLES = "a longer budget takes more samples; attack_sampler takes pairs of databases of your choice"


def sampled_outputs(
    mechanism: Mechanism, public: Mapping[str, Any], data: Mapping[str, Any], size: int, rng: np.random.Generator
) -> list[Any]:
    """The outputs of so many runs of a mechanism; ``data`` are the private answers, by name."""
    values = mechanism.read((), {**data, **public})
    return list(sample_runs(mechanism, values, size, rng).outputs())


def attack_as_sampler(
    aim: AttackAim,
    given: Mapping[str, Any],
    *,
    why: str,
    budget: float,
    samples: int | None,
    seed: int,
    executor: Executor | None,
    progress: Callable[[str], None] | None,
) -> CertifiedLoss:
    """What samples of a mechanism certify; ``why`` says what stands in the way of more."""
    cases = _cases(aim, given, random.Random(seed))[:_MOST_PAIRS]
    if not cases:
        words = "fix public parameters at which it is (parameters={…}, or --set NAME=VALUE)"
        raise InputError(f"{aim.mechanism.name} is not defined on any input that was tried; {words}")
    public = cases[0].public
    try:
        claim = aim.claimed(public, ANY_OUTPUT)
    except AlignkitError:
        claim = None  # a claim that depends on the output, or on how many answers there are
    if samples is None and _takes_too_long(aim.mechanism, cases[0], budget):
        return nothing_found(f"no closed form: {why}", "a run takes too long for samples within the budget")
    bound = attack_by_sampling(
        partial(sampled_outputs, aim.mechanism, public),
        [(case.inputs.q, case.inputs.q_) for case in cases],
        claim=claim,
        parameters=public,
        budget=budget,
        samples=samples,
        seed=seed,
        executor=executor,
        progress=progress,
        name=aim.mechanism.name,
        notes=(f"no closed form: {why}", OF_THE_SAMPLER),
    )
    return bound if bound.loss > 0 else replace(bound, notes=(*bound.notes, MORE_SAMPLES))


def _cases(aim: AttackAim, given: Mapping[str, Any], source: random.Random) -> list[AttackCase]:
    """Inputs on which the mechanism runs, all with the same public parameters and number of answers."""
    for private in settings(aim.mechanism, given):
        cases = cases_without_event(aim, private)
        if cases and _runs(aim.mechanism, cases[0]):
            source.shuffle(cases)
            return cases
    return []


def _takes_too_long(mechanism: Mechanism, case: AttackCase, budget: float) -> bool:
    """Whether so many runs take longer than the budget, made one by one and made together."""
    seconds = timeit(lambda: _runs(mechanism, case), number=1)
    if _LEAST_RUNS * seconds <= budget:
        return False
    if _FEW_RUNS * seconds > budget / 4:
        return True
    generator, data = np.random.default_rng(0), case.inputs.q
    together = timeit(lambda: sampled_outputs(mechanism, case.public, data, _FEW_RUNS, generator), number=1)
    return _LEAST_RUNS / _FEW_RUNS * together > budget


def _runs(mechanism: Mechanism, case: AttackCase) -> bool:
    """Whether the mechanism is defined on these inputs."""
    try:
        mechanism.sample(**case.inputs.values, seed=0)
    except InputError:
        return False
    return True
