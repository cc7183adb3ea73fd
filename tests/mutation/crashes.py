"""Whether alignkit gets through a mutant: to a verdict, or to an error that it raises on purpose.

The random search refutes most mutants before anything else looks at them; the prover and the search by solver then run
alone.
"""

from __future__ import annotations

import hashlib
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from mutation.mutants import Mutant
from mutation.outcomes import REFUTED

import alignkit
from alignkit import Alignment, InternalError, check
from alignkit.errors import AlignkitError, TargetError, Undefined, Unsupported
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.refuting.model_search import bounded_search
from alignkit.symbolic.z3_solver import Z3Solver

TIMEOUT = 3.0

EVERY_LINE = range(1_000_000)

# A check may overrun its time by a step that cannot be broken off; what takes longer than this hangs.
MOST_SECONDS = 30.0


class Hang(BaseException):
    """A check has taken far longer than it was given."""


@dataclass(frozen=True)
class Passage:
    """How a mutant was got through: ``crash`` says what went wrong, and is empty where nothing did."""

    mutant: Mutant
    outcome: str
    crash: str = ""
    seconds: float = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.mutant}\n{self.mutant.source}\n{self.crash}"


def passage(mutant: Mutant, folder: Path, timeout: float = TIMEOUT, effort: int | None = 0) -> Passage:
    """Import a mutant as a user's file and check it; with ``effort`` its mechanism is attacked too."""
    started = time.monotonic()
    outcome, crash = "", ""
    try:
        with _no_longer_than(MOST_SECONDS):
            alignment = _imported(mutant, folder)
            outcome = check(alignment, timeout=timeout, effort=effort).verdict
            if outcome == REFUTED:
                prove(alignment, Decider(Z3Solver.of_one_check(), timeout), EVERY_LINE)
                bounded_search(alignment, Decider(Z3Solver.of_one_check(), timeout))
    except (InternalError, Undefined, Unsupported):  # the last two are for alignkit itself to deal with
        crash = traceback.format_exc()
    except AlignkitError as problem:
        outcome = str(problem)
        crash = _hidden_crash(problem)
    except (Exception, Hang):
        crash = traceback.format_exc()
    return Passage(mutant, outcome, crash, time.monotonic() - started)


def _imported(mutant: Mutant, folder: Path) -> Alignment:
    path = folder / f"wild_{hashlib.sha256(mutant.source.encode()).hexdigest()[:16]}.py"
    path.write_text(mutant.source, encoding="utf-8")
    found = alignkit.load(f"{path}::{mutant.entry.partition('/')[2]}")
    assert isinstance(found, Alignment)
    return found


def _hidden_crash(problem: AlignkitError) -> str:
    """What an import is said to have failed by, where alignkit itself raised it and not on purpose."""
    cause = problem.__cause__
    if not isinstance(problem, TargetError) or cause is None or isinstance(cause, AlignkitError | SyntaxError):
        return ""
    last = traceback.extract_tb(cause.__traceback__)[-1]
    inside = Path(last.filename).is_relative_to(Path(alignkit.__file__).parent)
    return "".join(traceback.format_exception(cause)) if inside else ""


@contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise Hang(f"not done after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
