"""The work of a worker for ``alignkit check``: it imports targets, checks alignments and folds their results.

Where an error of a target stands: the file, and the line and column where they are known.
"""

from __future__ import annotations

import os
import re
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from alignkit.cli.worker_loop import Service
from alignkit.errors import LanguageError, TargetError, error_text
from alignkit.language.program import walk
from alignkit.limits import Deadline
from alignkit.results import Verdict
from alignkit.running.alignment_decorator import Alignment

if TYPE_CHECKING:
    from alignkit.caching.folders import Memo
    from alignkit.caching.opening import OpenedCache
    from alignkit.caching.verdict_cache import VerdictCache
    from alignkit.catalogue import Problem
    from alignkit.gating.baseline import BaselineEntry
    from alignkit.gating.breaches import Judgement
    from alignkit.gating.policy import Policy
    from alignkit.results import Result, Suggestion
    from alignkit.symbolic.voting import Voting


@dataclass(frozen=True)
class ErrorPlace:
    """A place in a file; ``line`` and ``column`` count from 1."""

    file: str | None = None
    line: int | None = None
    column: int | None = None


def error_place(error: BaseException, target: str) -> ErrorPlace:
    """Find the place that an error is about: where the program is wrong, or where the target's file raised it."""
    cause = error.__cause__
    if isinstance(error, LanguageError) and error.line:
        if os.path.isfile(error.file):
            return ErrorPlace(error.file, error.line, error.column + 1)
        inner = re.fullmatch(r"(.*):(\d+) \(\w+\)", error.file, re.DOTALL)  # a text inside the file, such as a claim
        if inner and os.path.isfile(inner[1]):
            return ErrorPlace(inner[1], int(inner[2]))
    if isinstance(cause, SyntaxError) and cause.filename and os.path.isfile(cause.filename):
        return ErrorPlace(cause.filename, cause.lineno or None, max(1, cause.offset or 1) if cause.lineno else None)
    file = target.rpartition("::")[0] or target
    if not os.path.isfile(file):
        return ErrorPlace()
    frames = traceback.extract_tb(cause.__traceback__) if cause is not None else ()
    lines = [f.lineno for f in frames if f.lineno and os.path.realpath(f.filename) == os.path.realpath(file)]
    return ErrorPlace(file, lines[-1] if lines else None)


# The seconds after which the judgement of one alignment is ended; each of its comparisons takes fewer.
_JUDGING = 60.0


@dataclass(frozen=True)
class CheckRequest:
    """The targets of a run and its settings, which every worker is started with.

    With ``suggest``, the time that a check leaves is used to find a better alignment. Without a ``cache`` nothing is
    recalled from earlier runs. With ``confirm``, a second program is asked in full about each proof. The ``solver``
    that both ask is z3 or cvc5. With ``vote``, cvc5 is asked again what z3 called valid. Without ``bounded``, an attack
    bounds the loss from below only where a full report shows it: of a single alignment, and of what is not as expected.
    """

    targets: tuple[str, ...]
    timeout: float
    seed: int
    table: Sequence[frozenset[str]] | None
    suggest: bool = False
    cache: OpenedCache | None = None
    confirm: bool = False
    solver: str = "z3"
    vote: bool = False
    bounded: bool = True


@dataclass(frozen=True)
class Checked:
    """A result, whether an attack was to bound the loss from below, and what the cache is to keep of it."""

    result: Result
    memo: Memo | None = None
    bounded: bool = True


@dataclass(frozen=True)
class DescribedAlignment:
    """An alignment as the supervisor sees it, which does not import users' files.

    ``index`` is its number among the alignments of all targets. ``place`` is where another process finds it without
    the other targets, a file and a number there (None: it cannot). The alignments of one mechanism have the number
    ``mechanism`` in common. ``length`` is a guess at how long its check takes. ``files`` are those of the
    alignment, of its mechanism and of the module that it is in. ``expected`` is the verdict that it declares.
    """

    index: int
    label: str
    line: int
    place: tuple[str, int] | None
    mechanism: int
    length: int
    files: tuple[str, ...]
    expected: str

    @property
    def name(self) -> str:
        """The name of the alignment in its file."""
        return self.label.partition(" / ")[2]

    @property
    def file(self) -> str:
        """The file that holds the alignment."""
        return self.files[0]


@dataclass(frozen=True)
class Unusable:
    """What could not be checked, and why; ``target`` is None where the run itself broke off.

    ``file``, ``line`` and ``column`` say where the error stands, as far as that is known.
    """

    target: str | None
    message: str
    exit_code: int
    file: str | None = None
    line: int | None = None
    column: int | None = None


@dataclass
class CheckService(Service):
    """The calls that a worker answers; ``collected`` are the alignments of all targets, once they are imported."""

    request: CheckRequest
    collected: tuple[Alignment, ...] | None = None

    def collect(self) -> tuple[tuple[DescribedAlignment, ...], tuple[Unusable, ...]]:
        """Import the targets; return their alignments, and what could not be used."""
        from alignkit.catalogue import collect

        targets = collect(self.request.targets)
        self.collected = targets.alignments
        numbers: dict[int, int] = {}
        described = []
        for index, alignment in enumerate(self.collected):
            number = numbers.setdefault(id(alignment.mechanism), len(numbers))
            label, place, length = _label(alignment), _place(alignment), _length(alignment)
            files = (alignment.file, alignment.mechanism.file, *(place or ())[:1])
            expected = str(alignment.expect)
            described.append(DescribedAlignment(index, label, alignment.line, place, number, length, files, expected))
        return tuple(described), tuple(map(_unusable, targets.problems))

    def recall(self, several: Sequence[DescribedAlignment], bounded: bool) -> dict[int, Result]:
        """Return the results that the cache has, by the numbers of their alignments.

        Where they are to be ``bounded``, or are not as expected, their losses are.
        """
        cache = self._cache()
        recalled: dict[int, Result] = {}
        self.started(self.request.timeout, recalled)  # counterexamples are replayed
        for described in several:
            alignment = self._find(described)
            result = None if cache is None else cache.recall(alignment, bounded=bounded)
            if cache is not None and result is not None and not (bounded or result.as_expected):
                result = cache.recall(alignment)
            if result is not None:
                recalled[described.index] = result
        return recalled

    def check(self, described: DescribedAlignment, shown: bool, bounded: bool) -> Checked:
        """Check an alignment, whose time limit begins now; announce progress where it is ``shown``.

        The loss is bounded from below where it is to be ``bounded``, and where the verdict is not as expected.
        """
        from alignkit import checking
        from alignkit.symbolic.voting import Voting

        alignment, request = self._find(described), self.request
        cache = self._cache()
        kept = cache.recall(alignment, bounded=False) if cache is not None and bounded else None
        if cache is not None and kept is not None:
            self.started(request.timeout, Checked(kept))
            result = self._bounded(alignment, kept)
            return Checked(result, cache.memo(alignment, result))
        late = replace(checking.timed_out(alignment, request.timeout), solver=request.solver)
        self.started(request.timeout, Checked(late))
        voting = Voting() if request.vote else None
        result, _ = checking.check_with_proof(
            alignment, timeout=request.timeout, seed=request.seed, table=request.table,
            progress=self.progress if shown else None, solver=request.solver, voting=voting,
            effort=0,
        )  # fmt: skip
        bounded = bounded or not result.as_expected
        if bounded:
            if shown:
                self.progress("bounding the loss from below")
            result = self._bounded(alignment, result)
        if request.confirm and result.verdict is Verdict.PROVED:
            result = self._confirmed(alignment, result, shown)
        if voting is not None:
            result = self._voted(voting, result, shown)
        return Checked(result, None if cache is None else cache.memo(alignment, result, bounded=bounded), bounded)

    def bound(self, described: DescribedAlignment, result: Result) -> Result:
        """Bound the loss of a result from below, in the time that its check has left."""
        self.started(self.request.timeout, result)
        return self._bounded(self._find(described), result)

    def _bounded(self, alignment: Alignment, result: Result) -> Result:
        from alignkit.attacking.brackets import attacked

        started = time.monotonic()
        result = attacked(alignment, result, None, self.request.seed, self.request.timeout - result.seconds)
        return replace(result, seconds=result.seconds + time.monotonic() - started)

    def _confirmed(self, alignment: Alignment, result: Result, shown: bool) -> Result:
        """Give a proof the second opinion, which has as much time as the check; without one the proof stands."""
        from alignkit.checking.second_opinions import not_examined, opinion_on_proof

        if shown:
            self.progress("asking for a second opinion")
        seconds, solver = self.request.timeout, self.request.solver
        late = not_examined(f"the second program did not end within {seconds:g} s, or its process died", solver)
        self.started(seconds, Checked(replace(result, opinion=late, opinion_asked=True)), kept=True)
        return replace(result, opinion=opinion_on_proof(alignment, asked=True, solver=solver), opinion_asked=True)

    def _voted(self, voting: Voting, result: Result, shown: bool) -> Result:
        """Have cvc5 vote on what z3 called valid, in as much time as the check; what it leaves open is unknown."""
        if shown:
            self.progress("asking a second solver")
        seconds = self.request.timeout
        nothing_asked = voting.vote(deadline=Deadline.after(0))
        late = replace(nothing_asked, reasons=(f"the vote did not end within {seconds:g} s, or its process died",))
        self.started(seconds, Checked(replace(result, vote=late)), kept=True)
        return replace(result, vote=voting.vote(deadline=Deadline.after(seconds)))

    def _cache(self) -> VerdictCache | None:
        from alignkit.caching.verdict_cache import VerdictCache

        request = self.request
        if request.cache is None:
            return None
        return VerdictCache(request.cache, request.timeout, request.seed, request.confirm)

    def suggest(
        self, group: list[tuple[DescribedAlignment, Result]], seconds: float, shown: bool
    ) -> list[Suggestion | str]:
        """Find what to suggest in place of alignments of one mechanism and adjacency, or say why there is nothing."""
        from alignkit.finding.search import suggestions

        def progress(text: str) -> None:
            if shown:
                self.progress(f"finding another alignment: {text}")

        pairs = [(self._find(described), result) for described, result in group]
        self.started(seconds, ["the search did not end in the time that the check had left"] * len(pairs))
        return suggestions(pairs, timeout=seconds, seed=self.request.seed, progress=progress)

    def fold(self, groups: list[list[tuple[DescribedAlignment, Result]]]) -> list[Result]:
        """Return the results of each mechanism's alignments with what all of them show of the mechanism."""
        from alignkit.checking import fold_privacy

        folded: list[Result] = []
        for group in groups:
            alignments = [self._find(described) for described, _ in group]
            folded += fold_privacy(alignments, [result for _, result in group])
        return folded

    def judge(
        self, described: DescribedAlignment, result: Result, policy: Policy | None, before: BaselineEntry | None
    ) -> Judgement:
        """Judge an alignment by the policy, and by its entry in the baseline."""
        from alignkit.gating.breaches import judgement, unjudged

        self.started(_JUDGING, unjudged(policy, before))
        return judgement(self._find(described), result, policy, before)

    def _find(self, described: DescribedAlignment) -> Alignment:
        """Find an alignment, importing it if need be; raise TargetError where another one is in its place now."""
        alignments, number = self._alignments_around(described)
        if number < len(alignments):
            alignment = alignments[number]
            if (_label(alignment), alignment.line) == (described.label, described.line):
                return alignment
        why = "its file has changed, or it differs from one import to the next"
        raise TargetError(f"{described.label} was not found again: {why}")

    def _alignments_around(self, described: DescribedAlignment) -> tuple[Sequence[Alignment], int]:
        """Return alignments with the number that the described one has among them, importing as little as possible."""
        from alignkit.catalogue import alignments_in

        if self.collected is None and described.place is not None:
            file, number = described.place
            return alignments_in(file), number
        if self.collected is None:
            self.collect()
        return self.collected or (), described.index


def _unusable(problem: Problem) -> Unusable:
    error, place = problem.error, error_place(problem.error, problem.target)
    return Unusable(problem.target, error_text(error), error.exit_code, place.file, place.line, place.column)


def _label(alignment: Alignment) -> str:
    return f"{alignment.mechanism.name} / {alignment.dotted_name}"


def _place(alignment: Alignment) -> tuple[str, int] | None:
    from alignkit.catalogue import whereabouts

    try:
        return whereabouts(alignment)
    except (TargetError, ValueError):
        return None


def _length(alignment: Alignment) -> int:
    """Guess how long a check takes: longer where there is more to read."""
    programs = (alignment.mechanism.program, alignment.program)
    return sum(1 for program in programs for statement in program.body for _ in walk(statement))
