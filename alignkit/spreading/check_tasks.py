"""What a worker is sent, and what it sends back: the place of an alignment, and its result or an error."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

from alignkit.catalogue import alignments_in, whereabouts
from alignkit.checking import check
from alignkit.errors import AlignkitError, DataError, InputError, InternalError, LanguageError, TargetError, described
from alignkit.results import Result
from alignkit.running.alignment_decorator import Alignment
from alignkit.version import __version__

# The errors that are made again of their text alone; every other error is an internal one here.
_KEPT = (DataError, InputError, LanguageError, TargetError)


@dataclass(frozen=True)
class SentAlignment:
    """An alignment as another process finds it again, by its file and its number there, and knows that it is the same.

    ``fingerprint`` is equal where the mechanism, the alignment and its claim are the same programs.
    """

    label: str
    file: str
    number: int
    line: int
    digest: str
    version: str

    @staticmethod
    def of(alignment: Alignment) -> SentAlignment:
        """Describe an alignment; raise InputError where another process cannot find it."""
        label = label_of(alignment)
        advice = "define it at the top of a file of its own, or use threads"
        if alignment.python.__module__ == "__main__":
            raise InputError(f"{label} cannot be sent to another process; {advice}")
        try:
            file, number = whereabouts(alignment)
        except TargetError as problem:
            raise InputError(f"{label} cannot be sent to another process: {problem}; {advice}") from None
        return SentAlignment(label, file, number, alignment.line, alignment.digest, __version__)

    def found(self) -> Alignment:
        """Find the alignment in this process; raise TargetError where it is missing or another one here."""
        if self.version != __version__:
            raise TargetError(f"the worker has alignkit {__version__}, and the caller has {self.version}")
        try:
            alignments = alignments_in(self.file)
        except TargetError as problem:
            raise TargetError(f"the worker cannot import it: {problem}") from problem
        if self.number < len(alignments):
            alignment = alignments[self.number]
            if (alignment.line, alignment.digest) == (self.line, self.digest):
                return alignment
        raise TargetError(
            f"the worker has another version of {self.file}, or one that differs from one import to the next; give all "
            "workers the same files, and restart workers that imported the file before it changed"
        )


@dataclass(frozen=True)
class CheckTask:
    """One check and its settings. An alignment itself stays in this process, and a sent one may go to another.

    ``call`` differs from call to call: dask takes equal tasks for one, and would answer with an earlier outcome.
    """

    alignment: Alignment | SentAlignment
    timeout: float
    seed: int
    table: tuple[frozenset[str], ...] | None
    effort: int | None
    confirm: bool
    call: str


@dataclass(frozen=True)
class Failure:
    """The error of a check, as it is sent back: exceptions themselves cannot all be pickled."""

    kind: type[AlignkitError]
    words: str
    trace: str = ""

    def error(self, label: str) -> AlignkitError:
        """Make the error for the caller, which names the alignment."""
        error = self.kind(f"{label}: {self.words}")
        if self.trace:
            error.add_note(self.trace)
        return error


def run_check(task: CheckTask) -> Result | Failure:
    """Check an alignment; an error is returned, so that it arrives whatever the executor does with exceptions."""
    try:
        alignment = task.alignment.found() if isinstance(task.alignment, SentAlignment) else task.alignment
        return check(
            alignment, timeout=task.timeout, seed=task.seed, table=task.table, effort=task.effort, confirm=task.confirm
        )
    except _KEPT as error:
        kind = next(kind for kind in _KEPT if isinstance(error, kind))
        return Failure(kind, str(error))
    except Exception as error:
        words = str(error) if isinstance(error, AlignkitError) else described(error)
        return Failure(InternalError, words, traceback.format_exc())


def label_of(alignment: Alignment) -> str:
    """The name of an alignment in messages."""
    return f"{alignment.mechanism.name} / {alignment.dotted_name}"
