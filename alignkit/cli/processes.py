"""Worker processes of the command line."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
import warnings
from collections.abc import Iterator
from multiprocessing.context import BaseContext


def forking() -> BaseContext:
    """Forked workers start at once, alignments and solver in memory; elsewhere they load them."""
    if sys.platform != "linux":
        return multiprocessing.get_context()
    import alignkit.checking  # noqa: F401  (imported once, before the fork)

    return multiprocessing.get_context("fork")


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


def start_worker(path: list[str]) -> None:
    """What a worker does first: it finds the modules that its parent finds, and leaves Ctrl-C to it."""
    sys.path[:] = path
    # Ctrl-C reaches every process of a terminal; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
