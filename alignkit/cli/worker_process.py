"""Supervising worker processes: they import users' files and work within time limits that hold whatever they do.

This process never imports a target. It ends a worker that hangs, with all its processes, and notices one that ended
itself. The last announcement of the worker says what it was doing then: importing a file, or checking an alignment.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import wait
from typing import Any

from alignkit.cli.options import IMPORT_SECONDS
from alignkit.cli.worker_loop import serve
from alignkit.cli.worker_messages import Done, Importing, Message, Progressed, Raised, Started, WorkerCall, read_message
from alignkit.cli.worker_start import quiet_start, worker_context
from alignkit.errors import WorkerError, WorkerLost

# A worker is ended at LATER times its limit plus GRACE: its own answer says more than the one that takes its place.
LATER, GRACE = 1.1, 1.0

# How many seconds an interrupted worker has to answer with what it has found.
LAST_WORDS = 5.0


class Worker:
    """A worker process with the state of its present call."""

    def __init__(self, import_seconds: float = IMPORT_SECONDS, *, checking: bool = True) -> None:
        context = worker_context(checking=checking)
        self.checking = checking
        self.import_seconds = import_seconds
        self.importing: str | None = None
        self.until: float | None = None  # when it is ended, by the monotonic clock
        self.otherwise: Any = None  # what is taken for its answer then
        self.connection, theirs = Pipe()
        arguments = (theirs, self.connection, list(sys.path), os.getpid())
        self.process = context.Process(target=serve, args=arguments)  # type: ignore[attr-defined]
        try:
            with quiet_start():
                self.process.start()
                with contextlib.suppress(OSError, AttributeError):
                    os.setpgid(self.process.pid, 0)
        except BaseException:  # Ctrl-C, which was held back
            self.stop()
            raise
        finally:
            theirs.close()

    @property
    def alive(self) -> bool:
        """Whether it can be asked for more."""
        return not self.connection.closed and self.process.is_alive()

    def ask(self, function: Callable[..., Any], *arguments: Any, skipped: Mapping[str, str] | None = None) -> None:
        """Send it a call to make: ``function(serving, *arguments)``."""
        with contextlib.suppress(OSError):  # where it is gone, the next `receive` says so
            self.connection.send(WorkerCall(function, arguments, skipped or {}))

    def receive(self) -> Message:
        """Read the next message, which must be there; raise WorkerLost where the worker is gone."""
        try:
            message = read_message(self.connection.recv_bytes())
        except (EOFError, OSError):
            raise self._lost() from None
        except Exception as problem:
            self.stop()
            raise WorkerLost(f"internal error: the worker's answer cannot be read: {problem}", 4) from None
        if isinstance(message, Importing):
            self.importing = message.file
            self.until = None if message.file is None else time.monotonic() + self.import_seconds
        elif isinstance(message, Started):
            self.until, self.otherwise = time.monotonic() + LATER * message.seconds + GRACE, message.otherwise
        elif isinstance(message, Done | Raised):
            self.until = None
        return message

    def late(self) -> Message:
        """End the worker, whose time is over, and return the answer that stands in for its own.

        Raises WorkerLost where it was importing.
        """
        self.stop()
        if self.importing is not None:
            words = f"its import did not finish within {self.import_seconds:g} s"
            hint = "; allow more time with --import-timeout" if self.checking else ""
            raise WorkerLost(f"{self.importing}: {words}{hint}", 2, self.importing)
        return Done(self.otherwise)

    def _lost(self) -> WorkerLost:
        self.process.join(1)
        code = self.process.exitcode
        self.stop()
        if self.importing is not None:
            words = f"the file ended the process that imported it ({_how(code)})"
            return WorkerLost(f"{self.importing}: {words}", 2, self.importing)
        words = f"internal error: the process that checked it died ({_how(code)}; out of memory, or a solver's crash)"
        return WorkerLost(words, 4)

    def interrupt(self) -> None:
        """Ask it to stop its task and to answer with what it has found so far."""
        if self.process.pid is not None and self.alive:
            os.kill(self.process.pid, signal.SIGINT)

    def stop(self) -> None:
        """End the worker and all processes of its group, once: its number may be reused afterwards."""
        if self.connection.closed:
            return
        self.connection.close()
        pid = self.process.pid
        if pid is None:
            return  # it never started
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()


def _how(code: int | None) -> str:
    if code is None:
        return "it no longer responds"
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def next_messages(workers: Sequence[Worker]) -> Iterator[tuple[Worker, Message | WorkerLost]]:
    """Wait for the next messages of the workers. A worker that is late or gone is ended, and its message says so."""
    limits = [worker.until for worker in workers if worker.until is not None]
    seconds = max(0.0, min(limits) - time.monotonic()) if limits else None
    ready = wait([worker.connection for worker in workers], seconds)
    for worker in workers:
        try:
            if worker.connection in ready:
                yield worker, worker.receive()
            elif worker.until is not None and time.monotonic() >= worker.until:
                yield worker, worker.late()
        except WorkerLost as lost:
            yield worker, lost


def await_answer(
    worker: Worker,
    heard: Callable[[Importing | Progressed], None] = lambda message: None,
    *,
    interruptible: bool = False,
) -> Any:
    """Wait for the value that the call returns.

    Raises WorkerError for what the call raised, and WorkerLost where the worker is gone.

    Where it is ``interruptible``, Ctrl-C gets what it has found by then.
    """
    while True:
        try:
            for _, message in next_messages([worker]):
                if isinstance(message, WorkerLost):
                    raise message
                if isinstance(message, Raised):
                    raise WorkerError(message.message, message.exit_code)
                if isinstance(message, Done):
                    return message.value
                if isinstance(message, Importing | Progressed):
                    heard(message)
        except KeyboardInterrupt:
            if not interruptible or worker.importing is not None or worker.until is None:
                raise
            interruptible = False  # once more, and it is ended
            worker.interrupt()
            worker.until = min(worker.until, time.monotonic() + LAST_WORDS)


@contextlib.contextmanager
def supervised(worker: Worker) -> Iterator[Worker]:
    """Give a worker to a block, and end it whatever happens there."""
    try:
        yield worker
    finally:
        worker.stop()
