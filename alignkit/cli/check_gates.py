"""The policy and the baseline of a run of ``alignkit check``: what is asked of workers, and what is reported."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from alignkit.cli.check_worker import DescribedAlignment
from alignkit.gating.baseline import Baseline, BaselineEntry, entry_places
from alignkit.gating.baseline_changes import Direction
from alignkit.gating.judging import Judgement
from alignkit.gating.policy import Policy
from alignkit.reporting.gate_report import BaselineReport, GateRemark, GateReport
from alignkit.results import Result, Verdict

Judge = Callable[[DescribedAlignment, Result, Policy | None, BaselineEntry | None], Judgement]


@dataclass(frozen=True)
class Gates:
    """What a run is held against. ``targets`` are those that were asked for, as paths or names; none: everything."""

    policy: Policy | None = None
    baseline: Baseline | None = None
    targets: tuple[str, ...] = ()

    def report(
        self, pairs: Sequence[tuple[DescribedAlignment, Result]], unchecked: Sequence[str], judge: Judge
    ) -> GateReport:
        """Judge the results of a run. ``unchecked`` names targets and alignments that have no result."""
        results = [result for _, result in pairs]
        entries = {} if self.baseline is None else self.baseline.entries
        places = [""] * len(pairs) if self.baseline is None else entry_places(results, self.baseline.folder)
        breaches: list[GateRemark] = []
        changes: dict[Direction, list[GateRemark]] = {direction: [] for direction in Direction}
        for (described, result), place in zip(pairs, places, strict=True):
            before = entries.get(place)
            if self.policy is None and (before is None or before == BaselineEntry.of(result)):
                continue
            judged = judge(described, result, self.policy, before)
            breaches += (GateRemark(described.label, words) for words in judged.breaches)
            for change in judged.changes:
                changes[change.direction].append(GateRemark(place, change.words))
        if self.baseline is None:
            return GateReport(policy=None if self.policy is None else tuple(breaches))
        gone = list(self._gone(self.baseline, set(places), unchecked))
        return GateReport(
            policy=None if self.policy is None else tuple(breaches),
            baseline=BaselineReport(
                **{str(direction): tuple(remarks) for direction, remarks in changes.items()},
                new=tuple(
                    GateRemark(place, f"it is {result.verdict}, with the claim {result.claim}")
                    for place, result in zip(places, results, strict=True)
                    if place not in entries
                ),
                gone=tuple(GateRemark(place, f"it was {entries[place].verdict}") for place in gone),
                lost=any(entries[place].verdict == Verdict.PROVED for place in gone),
            ),
        )

    def _gone(self, baseline: Baseline, places: set[str], unchecked: Sequence[str]) -> Iterator[str]:
        """List the entries that the targets cover and the run has not met."""
        files = {place.rpartition("::")[0] for place in places}
        for place, entry in baseline.entries.items():
            file, _, name = place.rpartition("::")
            path = os.path.realpath(baseline.folder / file)
            if place in places or not self._covered(path, name.partition("#")[0], entry):
                continue
            label = f"{entry.mechanism} / {name.partition('#')[0]}"
            lacks_results = bool(unchecked) and file not in files and os.path.exists(path)
            if label not in unchecked and not lacks_results:
                yield place

    def _covered(self, path: str, name: str, entry: BaselineEntry) -> bool:
        """Whether the targets ask for an alignment: everything does, a file or folder around it, or its own name."""
        for target in self.targets:
            file, _, wanted = target.partition("::")
            within = Path(path).is_relative_to(os.path.realpath(file))
            if (within and wanted in ("", name, entry.mechanism)) or target == entry.mechanism:
                return True
        return not self.targets


def unused_names(policy: Policy | None, results: Sequence[Result]) -> str:
    """Say which mechanisms and parameters the policy names although no result is about them; empty where none."""
    names = () if policy is None else policy.unused_names(results)
    return f"the policy names {', '.join(names)}, and nothing that was checked has that name" if names else ""
