"""The start of worker processes."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from multiprocessing.context import BaseContext

from alignkit.cli.interrupts import ended_at_once

# From linux/prctl.h.
_PR_SET_PDEATHSIG = 1


def worker_context(*, checking: bool = True) -> BaseContext:
    """Choose how workers start. Forked ones have the solver in memory if they are ``checking``; others load it."""
    if sys.platform != "linux":
        return multiprocessing.get_context()
    if checking and "alignkit.checking" not in sys.modules:
        with ended_at_once():
            import alignkit.checking  # noqa: F401  (imported once, before the fork)
    return multiprocessing.get_context("fork")


def _end_with(parent: int) -> None:
    """Have this process killed when the process that started it ends, where the system can do that."""
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before
        os._exit(1)


@contextlib.contextmanager
def quiet_start() -> Iterator[None]:
    """Hold back Ctrl-C while workers start, and the warning about threads (numpy's, which are idle)."""
    masked = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masked else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_worker(path: list[str], parent: int) -> None:
    """Make a worker find the modules that its parent finds, leave Ctrl-C to it, and end with it."""
    sys.path[:] = path
    _end_with(parent)
    # Ctrl-C reaches every process of a terminal; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
