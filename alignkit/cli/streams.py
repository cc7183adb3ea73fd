"""What goes to stderr, and what becomes of stdout when its reader is gone."""

from __future__ import annotations

import contextlib
import io
import os
import sys

from alignkit.errors import AlignkitError, InternalError, described


def never_fail_to_print() -> None:
    """Where a stream cannot show a character of a report, let it print a substitute."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and "utf" not in stream.encoding.lower():
            stream.reconfigure(errors="replace")


def say(text: str) -> None:
    """Print a message on stderr."""
    with contextlib.suppress(BrokenPipeError):
        print(f"alignkit: {text}", file=sys.stderr, flush=True)


def error_text(error: BaseException) -> str:
    """The message for an error; paths below the current folder are shown relative to it."""
    if isinstance(error, AlignkitError) and not isinstance(error, InternalError):
        return str(error).replace(os.path.join(os.getcwd(), ""), "")
    words = str(error) if isinstance(error, AlignkitError) else described(error)
    return f"internal error: {words} (please report; ALIGNKIT_DEBUG=1 shows the traceback)"


def close_stdout() -> None:
    """Keep Python from complaining at exit that nobody reads stdout."""
    with contextlib.suppress(OSError, ValueError, io.UnsupportedOperation):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


class Progress:
    """One line on stderr that is overwritten, where stderr is a terminal; else nothing."""

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled and sys.stderr.isatty()
        self.width = 0

    def show(self, text: str) -> None:
        """Replace the line."""
        if not self.enabled:
            return
        text = text[: _terminal_width() - 1]
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)

    def clear(self) -> None:
        """Take the line away."""
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
            self.width = 0


def _terminal_width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError, io.UnsupportedOperation):
        return 80
