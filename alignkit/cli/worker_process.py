"""Supervising worker processes: they import users' files and work within time limits that hold whatever they do.

This process never imports a target. It ends a worker that hangs, with all its processes, and notices one that ended
itself. The last announcement of the worker says what it was doing then: importing a file, or checking an alignment.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import wait
from typing import Any

from alignkit.cli.options import IMPORT_SECONDS
from alignkit.cli.worker_loop import (
    Done,
    Failed,
    Importing,
    Message,
    Progressed,
    Service,
    Started,
    quiet_start,
    read_message,
    serve,
    worker_context,
)
from alignkit.errors import WorkerError, WorkerLost
from alignkit.limits import NEVER, Deadline

# A worker is ended at LATER times its limit plus GRACE: its own answer says more than the one that takes its place.
LATER, GRACE = 1.1, 1.0

# How many seconds an interrupted worker has to answer with what it has found.
LAST_WORDS = 5.0


class Worker:
    """A worker process with the state of its present call.

    The process makes a service of the ``request``, which all its calls share, and refuses to import the files
    ``skipped``, each with the message for it. It loads the solver at its start unless it is not ``checking``.
    """

    def __init__(
        self,
        service_class: type[Service] = Service,
        request: Any = None,
        *,
        skipped: Mapping[str, str] | None = None,
        import_seconds: float = IMPORT_SECONDS,
        checking: bool = True,
        preload: bool = True,
    ) -> None:
        context = worker_context(checking=checking and preload)
        self.checking = checking
        self.import_seconds = import_seconds
        self.importing: str | None = None
        self.deadline = NEVER  # when it is ended
        self.otherwise: Any = None  # what is taken for its answer then
        self.kept = False  # whether that is its answer too if it dies
        self.connection, other_end = Pipe()
        make_service = functools.partial(service_class, other_end, request, skipped or {})
        arguments = (make_service, self.connection, list(sys.path), os.getpid())
        self.process = context.Process(target=serve, args=arguments)  # type: ignore[attr-defined]
        try:
            with quiet_start():
                self.process.start()
                with contextlib.suppress(OSError, AttributeError):
                    os.setpgid(self.process.pid, 0)
        except BaseException:  # Ctrl-C, which was held back
            self.close()
            raise
        finally:
            other_end.close()

    @property
    def alive(self) -> bool:
        """Whether it can be asked for more."""
        return not self.connection.closed and self.process.is_alive()

    def ask(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Send it a call to make: ``function(service, *arguments)``."""
        with contextlib.suppress(OSError):  # where it is gone, the next `receive` says so
            self.connection.send((function, arguments))

    def receive(self) -> Message | WorkerError:
        """Read the next message, which must be there; return what the call raised, or that the worker is gone."""
        try:
            message = read_message(self.connection.recv_bytes())
        except (EOFError, OSError):
            return self._lost()
        except Exception as problem:
            self.close()
            return WorkerLost(f"internal error: the worker's answer cannot be read: {problem}", 4)
        match message:
            case Importing(file):
                self.importing = file
                self.deadline = NEVER if file is None else Deadline.after(self.import_seconds)
            case Started(seconds, otherwise, kept):
                self.deadline, self.otherwise = Deadline.after(LATER * seconds + GRACE), otherwise
                self.kept = kept
            case Done():
                self.deadline, self.kept = NEVER, False
            case Failed(text, exit_code):
                self.deadline, self.kept = NEVER, False
                return WorkerError(text, exit_code)
        return message

    def late(self) -> Done | WorkerLost:
        """End the worker, whose time is over; return what stands in for its answer, or a WorkerLost if it imported."""
        self.close()
        if self.importing is None:
            return Done(self.otherwise)
        words = f"its import did not finish within {self.import_seconds:g} s"
        hint = "; allow more time with --import-timeout" if self.checking else ""
        return WorkerLost(f"{self.importing}: {words}{hint}", 2, self.importing)

    def _lost(self) -> Done | WorkerLost:
        self.process.join(1)
        code = self.process.exitcode
        self.close()
        if self.kept:
            return Done(self.otherwise)
        if self.importing is not None:
            words = f"the file ended the process that imported it ({_exit_in_words(code)})"
            return WorkerLost(f"{self.importing}: {words}", 2, self.importing)
        cause = f"{_exit_in_words(code)}; out of memory, or a solver's crash"
        return WorkerLost(f"internal error: the process that checked it died ({cause})", 4)

    def interrupt(self) -> None:
        """Ask it to stop its task and to answer with what it has found so far."""
        if self.process.pid is not None and self.alive:
            os.kill(self.process.pid, signal.SIGINT)

    def close(self) -> None:
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


# The operating system takes no wait of any length; whoever waits longer waits again.
_LONGEST_WAIT = 86_400.0


def _exit_in_words(code: int | None) -> str:
    if code is None:
        return "it no longer responds"
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def next_messages(workers: Sequence[Worker]) -> Iterator[tuple[Worker, Message | WorkerError]]:
    """Wait for the next messages of the workers. A worker that is late or gone is ended, and its message says so."""
    seconds = min(worker.deadline.left for worker in workers)
    ready = wait([worker.connection for worker in workers], min(seconds, _LONGEST_WAIT))
    for worker in workers:
        if worker.connection in ready:
            yield worker, worker.receive()
        elif worker.deadline.passed:
            yield worker, worker.late()


def await_answer(
    worker: Worker, show: Callable[[str], None] = lambda text: None, *, interruptible: bool = False
) -> Any:
    """Wait for the value that the call returns; ``show`` is given its progress.

    Raises WorkerError for what the call raised, and WorkerLost where the worker is gone. Where it is ``interruptible``,
    Ctrl-C gets what it has found by then.
    """
    while True:
        try:
            for _, message in next_messages([worker]):
                match message:
                    case WorkerError():
                        raise message
                    case Done(value):
                        return value
                    case Progressed(text):
                        show(text)
                    case Importing(str(file)):
                        show(f"importing {file}")
        except KeyboardInterrupt:
            if not interruptible or worker.importing is not None or worker.deadline == NEVER:
                raise
            interruptible = False  # once more, and it is ended
            worker.interrupt()
            worker.deadline = worker.deadline.sooner(LAST_WORDS)
