"""The work of a worker for ``alignkit find``: it imports the target and searches for alignments of its mechanisms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from alignkit.cli.worker_loop import Service, interruptible
from alignkit.finding.findings import Findings
from alignkit.finding.noise_findings import NoiseFindings
from alignkit.finding.noise_search import least_noise
from alignkit.finding.search import find
from alignkit.running.mechanism_decorator import Mechanism

_ENDED = "the search was ended at its budget, and what it had found by then is lost"


@dataclass(frozen=True)
class FindPlan:
    """The target of a search and its settings, as sent to every worker."""

    target: str
    adjacency: str
    claim: str | None
    shapes: tuple[str, ...] | None
    budget: float
    seed: int
    effort: int | None
    noise: bool = False


@dataclass
class FindService(Service):
    """The calls that a worker answers; the request is the plan."""

    request: FindPlan

    def targets(self) -> tuple[str, ...]:
        """Import the target and list the mechanisms that it names, which are searched one by one."""
        return tuple(mechanism.name for mechanism in self.mechanisms)

    def find(self, index: int, shown: bool) -> Findings | NoiseFindings:
        """Search for alignments of one mechanism, whose budget begins now; announce progress where it is ``shown``."""
        mechanism, plan = self.mechanisms[index], self.request

        def progress(text: str) -> None:
            if shown:
                self.progress(f"{mechanism.name}: {text}")

        if plan.noise:
            return self._least_noise(mechanism, progress)
        with interruptible():
            self.started(plan.budget, Findings(mechanism.name, plan.adjacency, (), 0, plan.budget, _ENDED, plan.claim))
            findings = find(
                mechanism, adjacency=plan.adjacency, claim=plan.claim, shapes=plan.shapes, budget=plan.budget,
                seed=plan.seed, effort=plan.effort, progress=progress,
            )  # fmt: skip
        return replace(
            findings, proposals=tuple(replace(proposal, alignment=None) for proposal in findings.proposals)
        )

    def _least_noise(self, mechanism: Mechanism, progress: Callable[[str], None]) -> NoiseFindings:
        """Search for the least noise that the claim needs."""
        plan, claim = self.request, str(self.request.claim)
        with interruptible():
            ended = NoiseFindings(mechanism.name, plan.adjacency, claim, (), None, 0, plan.budget, _ENDED)
            self.started(plan.budget, ended)
            return least_noise(
                mechanism, claim, adjacency=plan.adjacency, budget=plan.budget, seed=plan.seed, progress=progress
            ).without_alignments()

    @cached_property
    def mechanisms(self) -> list[Mechanism]:
        """The mechanism that the target names, or all mechanisms of a file."""
        from alignkit.catalogue import load, mechanisms_in

        target = self.request.target
        if target.endswith(".py") and "::" not in target:
            return mechanisms_in(target)
        member = load(target)
        return [member if isinstance(member, Mechanism) else member.mechanism]
