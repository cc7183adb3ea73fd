"""A worker process: it imports users' files and makes the calls that the supervising process asks for.

Nothing that a file does when it is imported reaches the report: a worker has a process group, a current folder and
streams of its own, and its stdout leads to stderr.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TextIO

from alignkit.catalogue.failures import around_imports
from alignkit.cli.worker_messages import Done, Failed, Importing, Message, Progressed, Started
from alignkit.cli.worker_start import start_worker
from alignkit.errors import AlignkitError, TargetError, error_text


@dataclass
class Service:
    """The state that the calls of one worker share; commands derive classes from it whose methods are the calls.

    ``request`` is what the worker was started for. ``skipped`` holds the files that an earlier worker could not import,
    each with the message for it.
    """

    connection: Connection
    request: Any
    skipped: Mapping[str, str]
    import_depth: int = 0

    def __post_init__(self) -> None:
        self.folder = os.getcwd()
        self.recursion_limit = sys.getrecursionlimit()

    def started(self, seconds: float, otherwise: Any, *, kept: bool = False) -> None:
        """Announce work with a time limit; ``otherwise`` is taken for the answer when the limit has passed.

        Where it is ``kept``, it is taken too if this process dies.
        """
        self.send(Started(seconds, otherwise, kept))

    def progress(self, text: str) -> None:
        """Show how the work gets on."""
        self.send(Progressed(text))

    def send(self, message: Message) -> None:
        self.connection.send_bytes(pickle.dumps(message))

    @contextlib.contextmanager
    def around_import(self, path: Path) -> Iterator[None]:
        """Announce an import, so that its failure can be told even if this process does not survive it."""
        if self.import_depth == 0:
            if str(path) in self.skipped:
                raise TargetError(self.skipped[str(path)])
            self.send(Importing(str(path)))
        self.import_depth += 1
        streams = sys.stdout, sys.stderr
        try:
            yield
        except KeyboardInterrupt:  # the file's own doing: Ctrl-C does not reach this process
            raise TargetError(f"{path}: the file raises KeyboardInterrupt while it is imported") from None
        finally:
            self.import_depth -= 1
            if self.import_depth == 0:
                self._restore(*streams)
                self.send(Importing(None))

    def _restore(self, stdout: TextIO, stderr: TextIO) -> None:
        """Undo what an import may have changed and others rely on."""
        with contextlib.suppress(OSError):
            os.chdir(self.folder)
        sys.setrecursionlimit(self.recursion_limit)
        _redirect()
        sys.stdout = _on_stderr() if stdout.closed else stdout
        sys.stderr = _on_stderr() if stderr.closed else stderr


def serve(make_service: Callable[[], Service], other_end: Connection, path: list[str], parent: int) -> None:
    """Make the calls that arrive, each a function of the service with its arguments, until ``other_end`` is closed."""
    start_worker(path, parent)
    other_end.close()
    with contextlib.suppress(OSError, AttributeError):
        os.setpgid(0, 0)
    _redirect()
    sys.stdout, sys.stderr = _on_stderr(), _on_stderr()
    # What was loaded before the fork stays: the garbage collector need not look at it again and again.
    gc.freeze()
    service = make_service()
    with around_imports(service.around_import), contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            function, arguments = service.connection.recv()
            answer = _answer(service, function, arguments)
            try:
                service.send(answer)
            except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as problem:
                service.send(Failed(error_text(problem), 4))


def _answer(service: Service, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Message:
    """Make a call; an error is described with its traceback where ALIGNKIT_DEBUG asks for it."""
    try:
        return Done(function(service, *arguments))
    except KeyboardInterrupt:
        return Failed("interrupted", 130)
    except BaseException as problem:
        exit_code = problem.exit_code if isinstance(problem, AlignkitError) else 4
        lines = traceback.format_exception(problem) if os.environ.get("ALIGNKIT_DEBUG") else []
        return Failed("\n".join([error_text(problem), *map(str.rstrip, lines)]), exit_code)


def _redirect() -> None:
    """Give this process an empty stdin, and lead both its outputs to stderr."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 0)
        try:
            os.fstat(2)
        except OSError:
            os.dup2(nowhere, 2)
        os.dup2(2, 1)
        if nowhere > 2:  # else it was opened in the place of one that was closed
            os.close(nowhere)


def _on_stderr() -> io.TextIOWrapper:
    return io.TextIOWrapper(
        open(2, "wb", buffering=0, closefd=False), "utf-8", "backslashreplace", write_through=True
    )  # fmt: skip


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Let a SIGINT from the supervisor raise KeyboardInterrupt here."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "pthread_sigmask"):  # a worker starts with Ctrl-C held back
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
