"""The output streams: messages on stderr, and streams that are closed, full or without a reader.

Also what Ctrl-C does while modules are loaded: it ends the command at once.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, TextIO, cast

from alignkit.errors import AlignkitError, UnwrittenError, error_text


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


_UNBOUNDED = 10_000


def never_fail_to_print() -> None:
    """Replace a closed stream by one that discards its text, and characters that a stream lacks by substitutes."""
    # Python has None for a stream that was closed before it started.
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and "utf" not in stream.encoding.lower():
            stream.reconfigure(errors="replace")


def say(text: str) -> None:
    """Print a message on stderr; a message that cannot be printed leaves the exit code as it is."""
    try:
        print(f"alignkit: {text}", file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def exit_code_of(command: Callable[[], int]) -> int:
    """Run a command and return its exit code; print a message for an error that users can mend."""
    try:
        return command()
    except AlignkitError as error:
        say(error_text(error))
        return error.exit_code
    except SystemExit as stop:  # argparse has printed its help
        return stop.code if isinstance(stop.code, int) else 0


def output_width() -> int:
    """Return how many characters a line on stdout may have: any number in a pipe, unless COLUMNS says otherwise."""
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS"):
        return _UNBOUNDED
    return shutil.get_terminal_size().columns


class _WatchedStream:
    """A stream whose failures raise UnwrittenError, and so differ from those of any other file."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write to the stream; raise UnwrittenError where it does not take the text."""
        with _failures_told_apart():
            return self._stream.write(text)

    def flush(self) -> None:
        """Flush the stream; raise UnwrittenError where it does not take what was written."""
        with _failures_told_apart():
            self._stream.flush()


@contextlib.contextmanager
def _failures_told_apart() -> Iterator[None]:
    """Raise UnwrittenError for an OSError, except where the reader has gone."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise UnwrittenError(problem.strerror or str(problem)) from problem


@contextlib.contextmanager
def watched_stdout() -> Iterator[None]:
    """Let stdout raise UnwrittenError where it cannot be written."""
    with contextlib.redirect_stdout(cast(TextIO, _WatchedStream(sys.stdout))):
        yield
        sys.stdout.flush()


def discard(stream: TextIO) -> None:
    """Send what a stream still holds nowhere, so that Python does not complain about it at exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # stays open until Python ends, as standard streams do
