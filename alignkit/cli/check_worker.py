"""The work of a worker for ``alignkit check``: it imports targets, checks alignments and folds their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alignkit.cli.streams import error_text
from alignkit.cli.worker_loop import Serving
from alignkit.errors import TargetError
from alignkit.language.program import walk
from alignkit.running.alignment_decorator import Alignment

if TYPE_CHECKING:
    from alignkit.results import Result

Table = Sequence[frozenset[str]]

# The imported alignments and the table, among what a worker keeps.
_COLLECTED, _TABLE = "collected", "table"


@dataclass(frozen=True)
class CheckRequest:
    """The settings of a check, sent to a worker with each alignment; the table is sent with the first only."""

    timeout: float
    seed: int
    table: Table | None
    progress: bool = False


@dataclass(frozen=True)
class DescribedAlignment:
    """An alignment as the supervisor sees it, which does not import users' files.

    ``place`` is where another process finds it, a file and a number (None: as one of the targets only); those of one
    mechanism have its number in common. ``length`` is a guess at how long its check takes.
    """

    label: str
    line: int
    place: tuple[str, int] | None
    mechanism: int
    length: int


@dataclass(frozen=True)
class AlignmentPlace:
    """The place at which any worker finds an alignment: an index among those of the targets, or a file and a number."""

    targets: tuple[str, ...]
    index: int
    described: DescribedAlignment


def alignment_label(alignment: Alignment) -> str:
    """Name an alignment in messages."""
    return f"{alignment.mechanism.name} / {alignment.name}"


def collect_targets(
    serving: Serving, targets: tuple[str, ...]
) -> tuple[tuple[DescribedAlignment, ...], tuple[tuple[str, str, int], ...]]:
    """Import targets; return their alignments, and what could not be used as target, message and exit code."""
    from alignkit.catalogue import collect

    collected = collect(targets)
    serving.kept[_COLLECTED] = collected.alignments
    numbers: dict[int, int] = {}
    described = []
    for alignment in collected.alignments:
        number = numbers.setdefault(id(alignment.mechanism), len(numbers))
        label, place = alignment_label(alignment), _place(alignment)
        described.append(DescribedAlignment(label, alignment.line, place, number, _length(alignment)))
    problems = tuple((p.target, error_text(p.error), p.error.exit_code) for p in collected.problems)
    return tuple(described), problems


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


def check_one(serving: Serving, place: AlignmentPlace, request: CheckRequest) -> Result:
    """Check an alignment; its time limit begins now."""
    from alignkit import checking

    alignment = _found(serving, place)
    serving.started(request.timeout, checking.timed_out(alignment, request.timeout))
    if request.table is not None:
        serving.kept[_TABLE] = request.table
    extra: dict[str, Any] = {"table": serving.kept[_TABLE]} if _TABLE in serving.kept else {}
    progress = serving.progress if request.progress else None
    return checking.check(alignment, timeout=request.timeout, seed=request.seed, progress=progress, **extra)


def fold_results(
    serving: Serving, groups: list[list[AlignmentPlace]], results: list[list[Result]]
) -> list[list[Result]]:
    """Fold the results of each mechanism's alignments, so that each has what all of them show of the mechanism."""
    from alignkit.checking import fold_privacy

    return [
        list(fold_privacy([_found(serving, place) for place in group], decided))
        for group, decided in zip(groups, results, strict=True)
    ]


def _found(serving: Serving, place: AlignmentPlace) -> Alignment:
    """Find the alignment at a place, importing it if need be; raise TargetError where another one is there now."""
    alignment: Any = _by_file(place) if _COLLECTED not in serving.kept else None
    if alignment is None:
        if _COLLECTED not in serving.kept:
            collect_targets(serving, place.targets)
        collected = serving.kept[_COLLECTED]
        alignment = collected[place.index] if place.index < len(collected) else None
    if isinstance(alignment, Alignment) and _fits(alignment, place.described):
        return alignment
    why = "its file has changed, or it differs from one import to the next"
    raise TargetError(f"{place.described.label} was not found again: {why}")


def _by_file(place: AlignmentPlace) -> Any:
    from alignkit.catalogue import alignments_in

    if place.described.place is None:
        return None
    file, number = place.described.place
    alignments = alignments_in(file)
    return alignments[number] if number < len(alignments) else None


def _fits(alignment: Alignment, described: DescribedAlignment) -> bool:
    return (alignment_label(alignment), alignment.line) == (described.label, described.line)
