"""The work of a worker for ``alignkit find``: it imports the target and searches for alignments of its mechanisms."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from alignkit.attacking.brackets import held_against
from alignkit.attacking.mechanism_attack import INTERRUPTED
from alignkit.cli.worker_loop import Service, interruptible
from alignkit.errors import TargetError, error_text
from alignkit.explaining import WRITERS
from alignkit.finding.findings import Findings, explain_found, whole_claim
from alignkit.finding.scales.noise_findings import NoiseFindings
from alignkit.finding.scales.noise_search import least_noise
from alignkit.finding.search import find
from alignkit.running.mechanism_decorator import Mechanism

_ENDED = "the search was ended before it had proved anything"
_ENDED_LATER = "what comes after the proof was not finished: the search was ended, or its process died"
_NOISE_ENDED = "the search was ended at its time limit, and what it had found by then is lost"


@dataclass(frozen=True)
class FindPlan:
    """The target of a search and its settings, as sent to every worker."""

    target: str
    adjacency: str
    claim: str | None
    shapes: tuple[str, ...] | None
    timeout: float
    seed: int
    effort: int | None
    noise: bool = False
    explain: bool = False
    delta: str | None = None


@dataclass
class FindService(Service):
    """The calls that a worker answers; the request is the plan."""

    request: FindPlan

    def targets(self) -> tuple[str, ...]:
        """Import the target and list the mechanisms that it names, which are searched one by one."""
        if not self.mechanisms:
            raise TargetError(f"{self.request.target} has no mechanism; write one with @mechanism")
        for mechanism in self.mechanisms:
            _check_file(mechanism)
        return tuple(mechanism.name for mechanism in self.mechanisms)

    def find(self, index: int, shown: bool) -> Findings | NoiseFindings:
        """Search for alignments of one mechanism, whose time begins now; announce progress where it is ``shown``."""
        mechanism, plan = self.mechanisms[index], self.request

        def progress(text: str) -> None:
            if shown:
                self.progress(f"{mechanism.name}: {text}")

        if plan.noise:
            return self._least_noise(mechanism, progress)

        def proved(findings: Findings) -> None:
            """Announce what was proved, which is the answer if this process does not come to another."""
            left = max(0.0, plan.timeout - findings.seconds)
            answer = replace(findings, notes=(*findings.notes, _ENDED_LATER)).without_alignments()
            self.started(left, answer, kept=True)

        with interruptible():
            ended = Findings(mechanism.name, plan.adjacency, (), 0, plan.timeout, _ENDED, plan.claim)
            self.started(plan.timeout, ended)
            findings = find(
                mechanism, adjacency=plan.adjacency, claim=plan.claim, shapes=plan.shapes, timeout=plan.timeout,
                seed=plan.seed, effort=plan.effort, progress=progress, so_far=proved, delta=plan.delta,
            )  # fmt: skip
            findings = self._beside_the_claims(mechanism, findings)
            if plan.explain and findings.proved is not None:
                findings = _explained(findings, plan)
        return findings.without_alignments()

    def _least_noise(self, mechanism: Mechanism, progress: Callable[[str], None]) -> NoiseFindings:
        """Search for the least noise that the claim needs."""
        plan, claim = self.request, str(self.request.claim)
        with interruptible():
            ended = NoiseFindings(mechanism.name, plan.adjacency, claim, (), None, 0, plan.timeout, _NOISE_ENDED)
            self.started(plan.timeout, ended)
            return least_noise(
                mechanism, claim, adjacency=plan.adjacency, timeout=plan.timeout, seed=plan.seed, progress=progress
            ).without_alignments()

    def _beside_the_claims(self, mechanism: Mechanism, findings: Findings) -> Findings:
        """The findings whose loss, where no claim was asked for, is held against those that the target's file has."""
        from alignkit.catalogue import alignments_in

        file, loss = self.request.target.partition("::")[0], findings.loss
        if loss is None or loss.empty or self.request.claim is not None or not file.endswith(".py"):
            return findings
        claims = [a for a in alignments_in(file) if a.mechanism is mechanism and a.expect == "proved"]
        compared = [(a, held) for a in claims if (held := held_against(a, loss)) is not None]
        if not compared:
            return findings
        alignment, held = next(((a, held) for a, held in compared if held.violates), compared[0])
        note = f"the claim is {whole_claim(alignment.claim, alignment.delta)}, that of {alignment.dotted_name}"
        return replace(findings, loss=replace(held, notes=(*held.notes, note)))

    @cached_property
    def mechanisms(self) -> list[Mechanism]:
        """The mechanism that the target names, or all mechanisms of a file."""
        from alignkit.catalogue import load, mechanisms_in

        target = self.request.target
        if target.endswith(".py") and "::" not in target:
            return mechanisms_in(target)
        try:
            member = load(target)
        except TargetError:
            if os.path.isdir(target):
                raise TargetError(f"{target} is a folder; name a file in it") from None
            raise
        return [member if isinstance(member, Mechanism) else member.mechanism]


def _explained(findings: Findings, plan: FindPlan) -> Findings:
    """The findings with their explanation; where that fails, with a note that says so."""
    try:
        document = explain_found(findings, timeout=plan.timeout, seed=plan.seed)
    except (Exception, KeyboardInterrupt) as problem:
        interrupted = isinstance(problem, KeyboardInterrupt)
        note = f"the explanation was not finished: {INTERRUPTED if interrupted else error_text(problem)}"
        return replace(findings, notes=(*findings.notes, note), interrupted=interrupted)
    return replace(findings, explanation=WRITERS["markdown"](document))


def _check_file(mechanism: Mechanism) -> None:
    """Raise TargetError where a proof cannot import the mechanism from its file."""
    from alignkit.catalogue.modules import has_importable_name

    file = mechanism.python.__code__.co_filename
    if has_importable_name(mechanism.python.__module__, file):
        return
    stem = re.sub(r"\W", "_", Path(file).stem)
    better = stem if stem != Path(file).stem and stem.isidentifier() else f"my_{stem}"
    raise TargetError(
        f"{Path(file).name}: a proof imports the mechanism from its file, which Python cannot do by this name; "
        f"rename it, for example to {better}.py"
    )
