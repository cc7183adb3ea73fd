"""The work of a worker for ``alignkit implements``: it imports the target and compares functions with mechanisms."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, replace
from functools import cached_property

from alignkit.caching.folders import UnusableFolderError
from alignkit.caching.opening import OpenedCache
from alignkit.caching.verdict_cache import VerdictCache
from alignkit.catalogue import Problem
from alignkit.checking import check
from alignkit.cli.worker_loop import Service
from alignkit.gating.policy import Policy
from alignkit.implementing.catalogue_search import CatalogueAnswer
from alignkit.implementing.claims_from_text import ClaimText, StatedClaim, claims_of_targets
from alignkit.implementing.conformance import EFFORT, Conformance, Conformity, Implementation
from alignkit.implementing.conformance_cache import ConformanceCache
from alignkit.implementing.conformance_report import ConformanceReport, reported
from alignkit.implementing.shipping import shipping_breaches
from alignkit.reporting.sentences import file_shown
from alignkit.results import Result
from alignkit.running.alignment_decorator import Alignment


@dataclass(frozen=True)
class ImplementsPlan:
    """The claims and their settings, as sent to every worker. ``cache`` is None where verdicts are not taken or kept.

    ``text`` is what the flags say of the only target. ``project`` are the targets of the project's settings, among
    which proofs are looked for; they are the ``targets`` where nobody ``named`` others.
    ``timeout`` is for each comparison, and again for the catalogue and for the proofs that a policy asks for; ``seed``
    and ``confirm`` are for these proofs.
    """

    text: ClaimText
    targets: tuple[str, ...]
    named: bool
    project: tuple[str, ...]
    n: int
    k: int
    timeout: float
    cache: OpenedCache | None
    policy: Policy | None
    seed: int
    confirm: bool


@dataclass(frozen=True)
class ClaimLabel:
    """A claim as the supervisor sees it: its name."""

    label: str


@dataclass
class ImplementsService(Service):
    """The calls that a worker answers; the request is the plan."""

    request: ImplementsPlan

    def __post_init__(self) -> None:
        super().__post_init__()
        self.since = time.time_ns()  # nothing of the user's has been imported

    def claims(self) -> tuple[ClaimLabel, ...]:
        """Import the targets and list their claims, which are examined one by one."""
        return tuple(ClaimLabel(file_shown(c.target) if isinstance(c, Problem) else c.label) for c in self._claims)

    def examine(self, index: int, shown: bool) -> ConformanceReport:
        """Compare one function with its mechanism, ask the catalogue where that fails, and apply the policy."""
        stated, plan = self._claims[index], self.request
        if isinstance(stated, Problem):
            raise stated.error
        started = time.monotonic()
        if shown:
            self.progress(f"comparing {stated.label}")
        conformance, cached = (None, False) if stated.claim is None else self._compared(stated, stated.claim)
        report = reported(stated, plan.text, conformance, cached=cached, seconds=time.monotonic() - started)
        if conformance is None or conformance.verdict is Conformity.DIFFERS:
            late = CatalogueAnswer(complete=False)
            self.started(plan.timeout, self._judged(stated, replace(report, answer=late)), kept=True)
            answer = stated.ask(n=plan.n, k=plan.k, progress=self.progress if shown else None)
            report = replace(report, answer=answer, seconds=time.monotonic() - started)
        return self._judged(stated, report)

    def _compared(self, stated: StatedClaim, claim: Implementation) -> tuple[Conformance, bool]:
        plan = self.request
        cache = None if plan.cache is None else ConformanceCache(plan.cache, (plan.n, plan.k, EFFORT), self.since)
        told = f"{stated.label} {replace(plan.text, target=stated.label)!r}"
        known = None if cache is None else cache.recall(claim, told)
        if known is not None:
            return known, True
        late = Conformance(
            claim.name, claim.mechanism.name, Conformity.UNSUPPORTED,
            why=f"the comparison did not end within {plan.timeout:g} s, or its process died",
        )  # fmt: skip
        self.started(plan.timeout, self._judged(stated, reported(stated, plan.text, late)), kept=True)
        found = claim.check(n=plan.n, k=plan.k)
        memo = None if cache is None else cache.memo(claim, told, found)
        if cache is not None and memo is not None:
            with contextlib.suppress(UnusableFolderError):
                cache.opened.folder.keep(memo)
        return found, False

    def _judged(self, stated: StatedClaim, report: ConformanceReport) -> ConformanceReport:
        plan = self.request
        mechanism = None if stated.claim is None else stated.claim.mechanism
        if plan.policy is not None and plan.policy.implementations and report.exit_code == 0 and mechanism is not None:
            late = f"it was not decided in time whether an alignment of {mechanism.name} is proved"
            self.started(plan.timeout, replace(report, breaches=(late,)), kept=True)
        breaches = shipping_breaches(plan.policy, report.conformance, mechanism, self._decided, plan.project)
        return replace(report, breaches=breaches)

    def _decided(self, alignment: Alignment) -> Result:
        """The result of an alignment of the mechanism: of an earlier run, or of a check."""
        plan = self.request
        cache = None if plan.cache is None else VerdictCache(plan.cache, plan.timeout, plan.seed, plan.confirm)
        known = None if cache is None else cache.recall(alignment, bounded=False)
        if known is not None:
            return known
        return check(alignment, timeout=plan.timeout, seed=plan.seed, confirm=plan.confirm)

    @cached_property
    def _claims(self) -> list[StatedClaim | Problem]:
        plan = self.request
        return claims_of_targets(plan.text, plan.targets, named=plan.named)
