"""What the checker says of each mutant, and why a proved one is private."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from mutation.arguments import Argument, argue
from mutation.mutants import Mutant
from support.defining import load

from alignkit import Alignment, InternalError, check
from alignkit.errors import AlignkitError

TIMEOUT = 8.0

# A mutant is broken where alignkit raises what it does not raise on purpose, or says that two engines disagree.
KINDS = REFUSED, REFUTED, UNDECIDED, PROVED, BROKEN = "refused", "refuted", "undecided", "proved", "broken"


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: one of KINDS, what is said against it, and for a proved one why it is private."""

    mutant: Mutant
    kind: str
    words: str = ""
    argument: Argument | None = None
    seconds: float = field(default=0, compare=False)

    @property
    def fails(self) -> bool:
        """Whether the mutant speaks against the checker."""
        return self.kind == BROKEN or (self.kind == PROVED and self.argument is None)

    def __str__(self) -> str:
        against = f" ({self.words})" if self.words else ""
        return f"{self.kind}{against}: {self.mutant}\n{self.mutant.source}"


def judge(mutant: Mutant, folder: Path, timeout: float = TIMEOUT, effort: int | None = None) -> Outcome:
    """Define a mutant in a file of its own, check it, and look for an argument where it is proved.

    With ``effort`` the mechanism is attacked too: a proof and an attack that contradict one another break the check.
    """
    started = time.monotonic()
    outcome = _judge(mutant, folder, timeout, effort)
    return Outcome(mutant, outcome.kind, outcome.words, outcome.argument, time.monotonic() - started)


def _judge(mutant: Mutant, folder: Path, timeout: float, effort: int | None) -> Outcome:
    try:
        changed = define(mutant, folder)
        result = check(changed, timeout=timeout, effort=effort)
    except InternalError as problem:
        return Outcome(mutant, BROKEN, str(problem))
    except AlignkitError as problem:
        return Outcome(mutant, REFUSED, str(problem).partition("\n")[0])
    except Exception as problem:
        return Outcome(mutant, BROKEN, f"{type(problem).__name__}: {problem}")
    if result.verdict == PROVED:
        return Outcome(mutant, PROVED, argument=argue(mutant, changed))
    against = [f"{c.name}: {c.how}" for c in result.conditions.values() if c.status == result.verdict]
    return Outcome(mutant, str(result.verdict), against[0] if against else "")


def define(mutant: Mutant, folder: Path) -> Alignment:
    """The alignment of a mutant. Its file stays, because a check reads it again."""
    name = "mutant_" + hashlib.sha256(mutant.source.encode()).hexdigest()[:16]
    path = folder / f"{name}.py"
    path.write_text(mutant.source, encoding="utf-8")
    found = getattr(load(path, name), mutant.entry.partition("/")[2])
    assert isinstance(found, Alignment)
    return found


class Judges:
    """Processes that judge mutants, one for each core; leaving the `with` block ends them."""

    def __init__(self, workers: int | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory()
        # Fresh processes: a fork would take along whatever threads the parent runs.
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(workers or os.cpu_count(), context, _ready, (list(sys.path),))

    def __enter__(self) -> Judges:
        return self

    def __exit__(self, kind: type[BaseException] | None, raised: object, trace: TracebackType | None) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._folder.cleanup()

    def judge(self, mutants: Sequence[Mutant], progress: Callable[[int], None] | None = None) -> list[Outcome]:
        """The outcomes, in the order of the mutants; ``progress`` is told how many there are."""
        waiting: list[Future[Outcome]] = [self._pool.submit(judge, m, Path(self._folder.name)) for m in mutants]
        try:
            for count, _ in enumerate(as_completed(waiting), 1):
                if progress is not None:
                    progress(count)
        except BaseException:
            for each in waiting:
                each.cancel()
            raise
        return [each.result() for each in waiting]


def _ready(path: list[str]) -> None:
    sys.path[:] = path
    # An interrupt goes to the whole group of processes; the parent says what is to be done about it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
