"""The work of a worker for ``alignkit attack``: it imports the target and attacks what it names."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.attacking.lower_bounds import nothing_found
from alignkit.attacking.mechanism_attack import attack
from alignkit.cli.worker_loop import Serving, interruptible
from alignkit.errors import AlignkitError, TargetError
from alignkit.reporting.attack_report import AttackReport
from alignkit.results import CertifiedLoss
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.mechanism_decorator import Mechanism

# The imported targets and the processes for the climbs, among what a worker keeps.
_TARGETS, _EXECUTOR = "targets", "executor"

_ENDED = "the attack was ended at its budget, and what it had found by then is lost"


@dataclass(frozen=True)
class AttackPlan:
    """The target of an attack and its settings, as sent to every worker."""

    target: str
    eps: Fraction | None
    claim: str | None
    adjacency: str | None
    parameters: Mapping[str, Any]
    budget: float
    seed: int
    jobs: int


@dataclass(frozen=True)
class AttackTarget:
    """A target as the supervisor sees it: its name, and whether it is expected to be broken."""

    label: str
    expected: bool


def targets_of(serving: Serving, target: str) -> tuple[AttackTarget, ...]:
    """Import a target and list what it names, which is attacked one by one."""
    return tuple(
        AttackTarget(_label(each), getattr(each, "expect", "proved") == "refuted") for each in _kept(serving, target)
    )


def attack_one(serving: Serving, plan: AttackPlan, index: int, shown: bool) -> AttackReport:
    """Attack one of the targets; its budget begins now."""
    target = _kept(serving, plan.target)[index]
    executor = _executor(serving, plan.jobs)

    def progress(text: str) -> None:
        serving.progress(f"{_label(target)}: {text}")

    with interruptible():
        serving.started(plan.budget, _attacked(target, nothing_found(_ENDED), plan))
        bound = attack(
            target, eps=plan.eps, claim=plan.claim, adjacency=plan.adjacency, parameters=plan.parameters,
            budget=plan.budget, seed=plan.seed, executor=executor, progress=progress if shown else None,
        )  # fmt: skip
    return _attacked(target, bound, plan)


def _kept(serving: Serving, text: str) -> list[Alignment | Mechanism]:
    if _TARGETS not in serving.kept:
        serving.kept[_TARGETS] = _targets(text)
    kept: list[Alignment | Mechanism] = serving.kept[_TARGETS]
    return kept


def _targets(text: str) -> list[Alignment | Mechanism]:
    """List the alignments of a target, or else the mechanism that it names."""
    from alignkit.catalogue import find_alignments, load

    try:
        alignments = find_alignments([text])
    except TargetError as problem:
        try:
            named = load(text)
        except AlignkitError:
            raise problem from None
        return [named]
    distinct = {(id(a.mechanism), a.claim, a.adjacency): a for a in reversed(alignments)}
    return list(reversed(distinct.values()))


def _label(target: Alignment | Mechanism) -> str:
    return target.name if isinstance(target, Mechanism) else f"{target.mechanism.name} / {target.name}"


def _attacked(target: Alignment | Mechanism, bound: CertifiedLoss, plan: AttackPlan) -> AttackReport:
    if isinstance(target, Mechanism):
        return AttackReport(target.name, None, plan.adjacency or "each", plan.claim, bound)
    adjacency = plan.adjacency or str(target.adjacency)
    return AttackReport(target.mechanism.name, target.name, adjacency, plan.claim or target.claim, bound)


def _executor(serving: Serving, number: int) -> Executor | None:
    """Start processes for the climbs, which end with this one; return None where only one process is wanted."""
    if number == 1:
        return None
    if _EXECUTOR not in serving.kept:
        from concurrent.futures import ProcessPoolExecutor

        from alignkit.cli.worker_start import quiet_start, start_worker, worker_context

        start = (list(sys.path), os.getpid())
        executor = ProcessPoolExecutor(number, worker_context(), initializer=start_worker, initargs=start)
        with quiet_start():
            executor.submit(int).result()
        serving.kept[_EXECUTOR] = executor
    kept: Executor = serving.kept[_EXECUTOR]
    return kept
