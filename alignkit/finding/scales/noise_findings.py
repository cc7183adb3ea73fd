"""What a search for the least noise comes to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from alignkit.attacking.mechanism_attack import INTERRUPTED
from alignkit.finding.findings import Proposal
from alignkit.markup import preformatted
from alignkit.results import Result
from alignkit.running.alignment_decorator import Alignment

_ROUNDING = 1e-9


@dataclass(frozen=True)
class NewScale:
    """The scale of a draw before and after; of a rate, the rate."""

    draw: str
    before: str
    after: str


@dataclass(frozen=True)
class MeasuredAt:
    """The sum of variances before and after, at stated public parameters."""

    parameters: Mapping[str, str]
    before: float
    after: float


@dataclass(frozen=True)
class MendedMechanism:
    """A mechanism with other scales, whose claim is proved: its source, and the alignment that proves it.

    ``common`` says that one factor is common to all draws. The alignment itself stays behind when the value is sent to
    another process.
    """

    name: str
    source: str
    alignment_source: str
    imports: tuple[str, ...]
    scales: tuple[NewScale, ...]
    measured: tuple[MeasuredAt, ...]
    common: bool
    result: Result
    alignment: Alignment | None = field(default=None, repr=False, compare=False)

    @property
    def file_text(self) -> str:
        """A file that holds the mechanism and its alignment."""
        return "\n".join([*self.imports, "", "", self.source, "", self.alignment_source])

    @property
    def noise(self) -> float:
        """The product of the sums of variances at all stated parameters, which orders mended mechanisms."""
        return math.prod(each.after for each in self.measured)

    @property
    def saves(self) -> bool:
        """Whether its noise is less than the original's, and nowhere more."""
        ratios = [each.after / each.before for each in self.measured]
        return min(ratios) < 1 - _ROUNDING and max(ratios) < 1 + _ROUNDING


@dataclass(frozen=True)
class NoiseFindings:
    """The mended mechanisms that are proved at a claim, the one with the least noise first.

    ``as_it_is`` is the proof of the mechanism itself at the claim, where it was proved and no less noise was found.
    ``reason`` says why nothing was proved. ``notes`` are what a reader of the mended mechanism should know. ``runs`` is
    how many pairs of runs the search was made from, and ``seconds`` its wall time, proofs included.
    """

    mechanism: str
    adjacency: str
    claim: str
    mended: tuple[MendedMechanism, ...]
    as_it_is: Proposal | None
    runs: int
    seconds: float
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the search."""
        return self.reason == INTERRUPTED

    @property
    def least(self) -> MendedMechanism | None:
        """The mended mechanism with the least noise; None where none was proved."""
        return self.mended[0] if self.mended else None

    @property
    def proved(self) -> MendedMechanism | Proposal | None:
        """The mended mechanism with the least noise, or the proof of the mechanism as it is; None without either."""
        return self.least or self.as_it_is

    def without_alignments(self) -> NoiseFindings:
        """The same without the alignments themselves, which cannot be sent to another process."""
        as_it_is = None if self.as_it_is is None else replace(self.as_it_is, alignment=None)
        return replace(self, mended=tuple(replace(each, alignment=None) for each in self.mended), as_it_is=as_it_is)

    def _repr_html_(self) -> str:
        """The report as HTML, which a notebook shows."""
        return preformatted(str(self))

    def __str__(self) -> str:
        """The report, as text."""
        of = f"{self.mechanism}    adjacency: {self.adjacency}    claim: {self.claim}"
        least = self.least
        if least is None:
            if self.as_it_is is None:
                return f"NOT FOUND  {of}\n  {self.reason}"
            words = "the claim is proved for the mechanism as it is; no scales with less noise were found to suffice"
            return f"NO LESS NOISE FOUND  {of}\n  {words}"
        lines = [f"{'LESS NOISE SUFFICES' if least.saves else 'MENDED WITH MORE NOISE'}  {of}"]
        width = max(len(scale.draw) for scale in least.scales)
        lines += [f"  {scale.draw:{width}}  {scale.before}  ->  {scale.after}" for scale in least.scales]
        lines += [f"  sum of variances{_at(each)}: {_in_words(each)}" for each in least.measured]
        for other in self.mended[1:]:
            scales = ", ".join(f"{scale.draw}: {scale.after}" for scale in other.scales)
            lines.append(f"  with one factor for all draws, also proved: {scales}")
            lines += [f"    sum of variances{_at(each)}: {_in_words(each)}" for each in other.measured]
        lines += [f"  {note}" for note in self.notes]
        return "\n".join([*lines, "", *least.file_text.splitlines()])


def _at(measured: MeasuredAt) -> str:
    at = ", ".join(f"{name} = {value}" for name, value in measured.parameters.items())
    return f" at {at}" if at else ""


def _in_words(measured: MeasuredAt) -> str:
    ratio = measured.after / measured.before
    share = Fraction(ratio).limit_denominator(1000)
    times = str(share) if abs(share - ratio) < 1e-9 else f"{ratio:.3g}"
    return f"{measured.before:.4g} -> {measured.after:.4g} (times {times})"
