"""A mechanism that has no closed form is attacked as the sampler that it also is."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.cases import SIZES, AttackCase, cases_without_event, public_settings
from alignkit.attacking.lower_bounds import nothing_found
from alignkit.auditing.sampling_attack import attack_by_sampling
from alignkit.errors import AlignkitError, InputError
from alignkit.output_events import ANYTHING, Event
from alignkit.results import CertifiedLoss
from alignkit.running.mechanism_decorator import Mechanism

_MOST_PAIRS = 12

# Fewer runs than this show nothing; sampling makes about as many in any case.
_LEAST_RUNS = 2000

OF_THE_SAMPLER = (
    "certified for the floating-point sampler; the difference between its noise and ideal noise is not covered"
)


@dataclass(frozen=True)
class MechanismRuns:
    """Runs of a mechanism with given public parameters; an input is the private answers, by name."""

    mechanism: Mechanism
    public: Mapping[str, Any]

    def __call__(self, data: Mapping[str, Any], size: int, rng: np.random.Generator) -> list[Any]:
        """The outputs of ``size`` runs."""
        return [self.mechanism.sample(**data, **self.public, seed=rng) for _ in range(size)]


def attack_as_sampler(
    aim: AttackAim,
    given: Mapping[str, Any],
    eps: Fraction,
    *,
    why: str,
    budget: float,
    samples: int | None,
    seed: int,
    executor: Executor | None,
    progress: Callable[[str], None] | None,
) -> CertifiedLoss:
    """What samples of a mechanism certify; ``why`` says what stands in the way of more."""
    found = list(itertools.islice(_cases(aim, given, eps, random.Random(seed)), _MOST_PAIRS))
    if not found:
        raise InputError(f"{aim.mechanism.name} is not defined on any input that was tried; give parameters={{…}}")
    public = found[0].public
    pairs = [(inputs.q, inputs.q_) for inputs in (case.inputs(aim.mechanism) for case in found)]
    try:
        claim = aim.claimed(public, Event(ANYTHING))
    except AlignkitError:
        claim = None  # a claim that depends on the output
    if samples is None and _LEAST_RUNS * _seconds(aim.mechanism, found[0]) > budget:
        return nothing_found(f"no closed form: {why}", "a run takes too long for samples within the budget")
    bound = attack_by_sampling(
        MechanismRuns(aim.mechanism, public),
        pairs,
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
    return replace(bound, witness=replace(bound.witness, public=dict(public)))


def _cases(aim: AttackAim, given: Mapping[str, Any], eps: Fraction, source: random.Random) -> Iterator[AttackCase]:
    """Inputs on which the mechanism runs, all with the same public parameters and number of answers."""
    for size in SIZES:
        for public in public_settings(aim.mechanism, given, eps, size):
            options = list(cases_without_event(aim.mechanism, aim.adjacency, public, size))
            if options and _runs(aim.mechanism, options[0]):
                source.shuffle(options)
                yield from options
                return


def _seconds(mechanism: Mechanism, case: AttackCase) -> float:
    """How long a run takes."""
    started = time.monotonic()
    _runs(mechanism, case)
    return time.monotonic() - started


def _runs(mechanism: Mechanism, case: AttackCase) -> bool:
    try:
        mechanism.sample(**case.inputs(mechanism).values, seed=0)
    except InputError:
        return False
    return True
