"""One call for each member of a target, in turn, in a worker that is replaced where it is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from alignkit.cli.worker_process import Worker, await_answer
from alignkit.errors import WorkerError
from alignkit.markup import ProgressLine


def answers_in_turn(
    start: Callable[[], Worker],
    members: Callable[..., Any],
    call: Callable[..., Any],
    progress: ProgressLine,
) -> Iterator[tuple[Any, Any]]:
    """Ask a worker for the ``members`` of its target, and yield each with what ``call`` answers, or a WorkerError.

    The call is given the number of the member, and whether progress is shown. Raises WorkerError where the target
    cannot be used, and KeyboardInterrupt where the call was interrupted and had nothing to answer with.
    """
    worker = start()
    try:
        worker.ask(members)
        for index, member in enumerate(await_answer(worker, progress.show)):
            if not worker.alive:
                worker = start()
            worker.ask(call, index, progress.enabled)
            try:
                answer = await_answer(worker, progress.show, interruptible=True)
            except WorkerError as problem:
                if problem.exit_code == 130:
                    raise KeyboardInterrupt from None
                answer = problem
            progress.clear()
            yield member, answer
    finally:
        progress.clear()
        worker.close()
