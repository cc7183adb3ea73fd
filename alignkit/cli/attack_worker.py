"""The work of a worker for ``alignkit attack``: it imports the target and attacks what it names."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from alignkit.attacking.attack_aim import nothing_found
from alignkit.attacking.mechanism_attack import attack
from alignkit.cli.worker_loop import Service, interruptible
from alignkit.errors import AlignkitError, TargetError
from alignkit.reporting.json_documents import AttackReport
from alignkit.results import CertifiedLoss
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.mechanism_decorator import Mechanism

_ENDED = "the attack was ended at its time limit, and what it had found by then is lost"


@dataclass(frozen=True)
class AttackPlan:
    """The target of an attack and its settings, as sent to every worker."""

    target: str
    eps: Fraction | None
    claim: str | None
    delta: str | None
    adjacency: str | None
    parameters: Mapping[str, Any]
    timeout: float | None
    seed: int
    jobs: int
    effort: int | None = None


@dataclass(frozen=True)
class AttackTarget:
    """A target as the supervisor sees it: its name, and whether it is expected to be broken."""

    label: str
    expected: bool


@dataclass
class AttackService(Service):
    """The calls that a worker answers; the request is the plan."""

    request: AttackPlan

    def targets(self) -> tuple[AttackTarget, ...]:
        """Import the target and list what it names, which is attacked one by one."""
        return tuple(
            AttackTarget(_label(target), isinstance(target, Alignment) and target.expect == "refuted")
            for target in self._targets
        )

    def attack(self, index: int, shown: bool) -> AttackReport:
        """Attack one of the targets, whose time begins now; announce progress where it is ``shown``."""
        target, plan = self._targets[index], self.request
        executor = self._executor

        def progress(text: str) -> None:
            self.progress(f"{_label(target)}: {text}")

        with interruptible():
            if plan.timeout is not None:
                self.started(plan.timeout, _report(target, nothing_found(_ENDED), plan))
            bound = attack(
                target, eps=plan.eps, claim=plan.claim, delta=plan.delta, adjacency=plan.adjacency,
                parameters=plan.parameters, timeout=plan.timeout, effort=plan.effort, seed=plan.seed,
                executor=executor, progress=progress if shown else None,
            )  # fmt: skip
        return _report(target, bound, plan)

    @cached_property
    def _targets(self) -> list[Alignment | Mechanism]:
        """The alignments of the target, or else the mechanism that it names."""
        from alignkit.catalogue import find_alignments, load

        try:
            alignments = find_alignments([self.request.target])
        except TargetError as problem:
            try:
                return [load(self.request.target)]
            except AlignkitError as other:
                # Of a file without alignments the second error lists the mechanisms.
                raise (other if self.request.target.endswith(".py") else problem) from None
        distinct = {(id(a.mechanism), a.claim, a.delta, a.adjacency): a for a in reversed(alignments)}
        return list(reversed(distinct.values()))

    @cached_property
    def _executor(self) -> Executor | None:
        """Processes for the climbs, which end with this one; None where only one process is wanted."""
        if self.request.jobs == 1:
            return None
        from concurrent.futures import ProcessPoolExecutor

        from alignkit.cli.worker_loop import quiet_start, start_worker, worker_context

        start = (list(sys.path), os.getpid())
        executor = ProcessPoolExecutor(self.request.jobs, worker_context(), initializer=start_worker, initargs=start)
        with quiet_start():
            executor.submit(int).result()
        return executor


def _label(target: Alignment | Mechanism) -> str:
    return target.name if isinstance(target, Mechanism) else f"{target.mechanism.name} / {target.name}"


def _report(target: Alignment | Mechanism, bound: CertifiedLoss, plan: AttackPlan) -> AttackReport:
    if isinstance(target, Mechanism):
        return AttackReport(target.name, None, plan.adjacency or "each", plan.claim, bound, plan.delta)
    # A claim that is given is pure where no delta is given with it.
    claim, delta = (target.claim, plan.delta or target.delta) if plan.claim is None else (plan.claim, plan.delta)
    adjacency = plan.adjacency or str(target.adjacency)
    return AttackReport(target.mechanism.name, target.name, adjacency, claim, bound, delta)
