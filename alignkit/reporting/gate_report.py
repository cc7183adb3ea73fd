"""What a project's policy and its baseline say of a run, as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alignkit.formatting import counted
from alignkit.reporting.full_report import Line

_BAD, _GOOD = "bold red", "green"


@dataclass(frozen=True)
class GateRemark:
    """A sentence on one alignment, which ``target`` names."""

    target: str
    message: str


@dataclass(frozen=True)
class BaselineReport:
    """The differences of a run from a baseline: what got worse or better, what cannot be compared, what is new or gone.

    ``lost`` says that an alignment that is gone was proved.
    """

    worse: tuple[GateRemark, ...] = ()
    changed: tuple[GateRemark, ...] = ()
    gone: tuple[GateRemark, ...] = ()
    new: tuple[GateRemark, ...] = ()
    better: tuple[GateRemark, ...] = ()
    lost: bool = False

    @property
    def fails(self) -> bool:
        """Whether something is not shown to be as good as in the baseline."""
        return bool(self.worse or self.changed or self.lost)


@dataclass(frozen=True)
class GateReport:
    """What breaks the policy, and the differences from the baseline; None for what the run does not have.

    ``lost`` are alignments that were to be proved at a revision with which the run is compared.
    """

    policy: tuple[GateRemark, ...] | None = None
    baseline: BaselineReport | None = None
    lost: tuple[GateRemark, ...] | None = None

    @property
    def fails(self) -> bool:
        """Whether the policy is broken, something is lost, or the run is worse than the baseline."""
        return bool(self.policy or self.lost) or (self.baseline is not None and self.baseline.fails)


NO_GATE = GateReport()


def failing_remarks(report: GateReport) -> tuple[tuple[str, GateRemark], ...]:
    """The remarks for which a run fails, each after what it is about in short."""
    baseline = report.baseline or BaselineReport()
    gone = baseline.gone if baseline.lost else ()
    kinds = {
        "policy broken": report.policy or (), "lost": report.lost or (), "worse than the baseline": baseline.worse,
        "changed from the baseline": baseline.changed, "gone from the baseline": gone,
    }  # fmt: skip
    return tuple((kind, remark) for kind, remarks in kinds.items() for remark in remarks)


def breach_shown(target: str, breach: str) -> str:
    """Write what an alignment breaks of a policy as a line of its own, for a report on this alignment alone."""
    return f"policy broken by {target}: {breach}"


@dataclass(frozen=True)
class Extent:
    """How much of what was asked for a run has checked: ``anything`` at all, ``everything``.

    ``but_for`` is what the policy asks for and the run does not examine.
    """

    anything: bool = True
    everything: bool = True
    but_for: str = ""


ALL_ASKED_FOR = Extent()


def gate_lines(
    report: GateReport, *, quiet: bool = False, checked: Extent = ALL_ASKED_FOR, fails: bool = False
) -> Iterator[Line]:
    """List the lines on a policy and a baseline; with ``quiet`` those that fail the run only.

    ``fails`` is whether the run fails for another reason.
    """
    yield from _section("lost", report.lost or (), _BAD)
    if report.policy:
        alignments = counted(len({remark.target for remark in report.policy}), "alignment")
        yield from _section(f"policy: broken by {alignments}", report.policy, _BAD)
    elif report.policy is not None and not quiet:
        by_what = "" if checked.everything else " by what was checked"
        if not checked.anything:
            yield Line("policy: nothing was checked")
        elif fails:
            yield Line(f"policy: not broken{by_what}; the run fails for another reason")
        else:
            but = f", but for {checked.but_for}" if checked.but_for else ""
            yield Line(f"policy: kept{by_what}{but}", "" if but else _GOOD)
    if report.baseline is not None:
        yield from _baseline_lines(report.baseline, quiet=quiet, checked=checked)


def _baseline_lines(report: BaselineReport, *, quiet: bool, checked: Extent) -> Iterator[Line]:
    yield from _section("baseline: worse", report.worse, _BAD)
    yield from _section("baseline: changed, and not shown to be no worse", report.changed, _BAD)
    if not quiet or report.lost:
        yield from _section("baseline: gone", report.gone, _BAD if report.lost else "")
    if quiet:
        return
    yield from _section("baseline: new", report.new, "")
    yield from _section("baseline: better", report.better, _GOOD)
    if not checked.anything:
        yield Line("baseline: nothing was checked")
    elif not report.fails:
        what = "nothing" if checked.everything else "nothing that was checked"
        yield Line(f"baseline: {what} got worse", _GOOD)


def _section(heading: str, remarks: Sequence[GateRemark], style: str) -> Iterator[Line]:
    if remarks:
        yield Line(heading, style)
    for remark in remarks:
        yield Line(f"  {remark.target}: {remark.message}", indent=4)
