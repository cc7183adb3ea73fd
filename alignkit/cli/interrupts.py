"""What Ctrl-C does while modules are loaded."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def ended_at_once() -> Iterator[None]:
    """Let Ctrl-C end the program with one line, where there is nothing to clean up.

    A module that is being imported may swallow a KeyboardInterrupt, or report it in other words.
    """
    handler = signal.getsignal(signal.SIGINT)
    # A process in the background may have been told to ignore Ctrl-C, and only the main thread may set what it does.
    if handler is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def _end(number: int, frame: FrameType | None) -> None:
    with contextlib.suppress(OSError, ValueError):
        os.write(2, b"alignkit: interrupted\n")
    os._exit(130)
