"""A worker process: it imports users' files and makes the calls that the supervising process asks for.

Nothing that a file does when it is imported reaches the report: a worker has a process group, a current folder and
streams of its own, and its stdout leads to stderr.

Messages from a worker process to the process of the command line; all of them are pickled.

Reading a message imports nothing but alignkit, numpy and the standard library: a value in it may name a user's module,
which the supervising process must not import.

The start of worker processes.
"""

from __future__ import annotations

import contextlib
import gc
import io
import multiprocessing
import os
import pickle
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any, TextIO

from alignkit.catalogue.failures import around_imports
from alignkit.cli.streams import ended_at_once
from alignkit.errors import AlignkitError, TargetError, error_text


@dataclass(frozen=True)
class Importing:
    """The worker imports a file from here on; None where the import is over."""

    file: str | None


@dataclass(frozen=True)
class Started:
    """Work with a time limit begins; ``otherwise`` is taken for the answer when the limit has passed.

    Where it is ``kept``, it is the answer too if the process dies.
    """

    seconds: float
    otherwise: Any
    kept: bool = False


@dataclass(frozen=True)
class Progressed:
    """Progress of the work, in words."""

    text: str


@dataclass(frozen=True)
class Done:
    """The value that the call returned."""

    value: Any


@dataclass(frozen=True)
class Failed:
    """The error that the call raised: a message that is ready to be shown, and the exit code.

    The exception itself is not sent: libraries that a file imports may change how exceptions are pickled.
    """

    text: str
    exit_code: int


Message = Importing | Started | Progressed | Done | Failed

# The packages whose classes a message may hold.
_TRUSTED = {"alignkit", "builtins", "collections", "datetime", "decimal", "fractions", "numpy", "pathlib"}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] not in _TRUSTED:
            raise pickle.UnpicklingError(f"an answer holds a {name} of the module {module}")
        return super().find_class(module, name)


def read_message(data: bytes) -> Message:
    """Read a message from bytes; raise UnpicklingError where it holds a class from outside alignkit."""
    message = _Reader(io.BytesIO(data)).load()
    if not isinstance(message, Message):
        raise pickle.UnpicklingError(f"a {type(message).__name__} is no message")
    return message


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
