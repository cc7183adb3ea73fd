"""The work of a worker for ``alignkit explain``: it imports the target and explains its alignments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from alignkit.checking import check
from alignkit.cli.worker_loop import Service, interruptible
from alignkit.explaining import WRITERS, TracedPair, explain, html_trace, trace, trace_of
from alignkit.explorer.page import explorer_page
from alignkit.plotting.all_plots import plots_of
from alignkit.plotting.figures import svg
from alignkit.results import Result, Verdict
from alignkit.running.alignment_decorator import Alignment

# Seconds that a page or plots may take beyond the check: for variants that break the alignment, and for sampling.
_VARIANTS = 120.0


@dataclass(frozen=True)
class ExplainPlan:
    """The target and the settings, as sent to the worker."""

    target: str
    timeout: float
    seed: int
    form: str
    trace: bool = False
    inputs: Mapping[str, Any] | None = None
    page: bool = False
    plots: bool = False


@dataclass(frozen=True)
class ExplainTarget:
    """An alignment as the supervisor sees it."""

    label: str
    name: str


@dataclass(frozen=True)
class Explained:
    """The text on one alignment, and the exit code of its verdict.

    ``is_page`` says that the text is a page to explore, and ``left_out`` what that has no room for; ``plots`` are SVG
    texts by name.
    """

    text: str
    code: int
    is_page: bool = False
    left_out: tuple[str, ...] = ()
    plots: tuple[tuple[str, str], ...] = ()


@dataclass
class ExplainService(Service):
    """The calls that a worker answers; the request is the plan."""

    request: ExplainPlan

    def targets(self) -> tuple[ExplainTarget, ...]:
        """Import the target and list its alignments."""
        return tuple(ExplainTarget(_label(alignment), alignment.name) for alignment in self._alignments)

    def explain(self, index: int, shown: bool) -> Explained:
        """Check one alignment and explain the result; announce it where progress is ``shown``."""
        alignment, plan = self._alignments[index], self.request
        if plan.inputs is not None:
            with interruptible():
                return Explained(self._shown(trace(alignment, **plan.inputs)), 0)
        if shown:
            self.progress(f"{_label(alignment)}: checking")
        with interruptible():
            late = f"{_label(alignment)} is not decided: the check was ended at its time limit. This is not a proof."
            self.started(plan.timeout + (_VARIANTS if plan.page or plan.plots else 0), Explained(late, 3))
            if plan.page:
                return self._page(alignment)
            if plan.plots:
                return self._plots(alignment)
            explanation = explain(alignment, timeout=plan.timeout, seed=plan.seed)
        result = explanation.result
        code = _exit_code(result)
        if not plan.trace:
            return Explained(WRITERS[plan.form](explanation.document), code)
        pair = trace_of(alignment, result)
        if pair is None:
            words = f"{_label(alignment)} is {result.verdict}: no pair of runs stands for that; give --inputs"
            return Explained(words, code)
        return Explained(self._shown(pair), code)

    def _page(self, alignment: Alignment) -> Explained:
        page = explorer_page(alignment, timeout=self.request.timeout, seed=self.request.seed)
        return Explained(page.text, _exit_code(page.result), is_page=True, left_out=page.left_out)

    def _plots(self, alignment: Alignment) -> Explained:
        result = check(alignment, timeout=self.request.timeout, seed=self.request.seed)
        plots = tuple((name, svg(figure)) for name, figure in plots_of(alignment, result))
        words = "" if plots else f"{_label(alignment)}: no pair of runs was found that could be drawn"
        return Explained(words, _exit_code(result), plots=plots)

    def _shown(self, pair: TracedPair) -> str:
        return html_trace(pair) if self.request.form == "html" else str(pair)

    @cached_property
    def _alignments(self) -> list[Alignment]:
        from alignkit.catalogue import find_alignments

        return find_alignments([self.request.target])


def _exit_code(result: Result) -> int:
    return 0 if result.as_expected else 3 if result.verdict is Verdict.UNDECIDED else 1


def _label(alignment: Alignment) -> str:
    return f"{alignment.mechanism.name} / {alignment.dotted_name}"
