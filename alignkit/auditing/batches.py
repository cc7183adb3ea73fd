"""Batches of runs, seeded one by one, in this process or on any ``concurrent.futures.Executor``."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import math
import pickle
import random
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from alignkit.auditing.outputs import Group, Outputs, check_kinds
from alignkit.auditing.sampler_inputs import Runs, call_sampler
from alignkit.errors import InputError
from alignkit.output_events import Event

T = TypeVar("T")

# Outputs of one batch at most: enough that a batch's own cost does not count, few enough for memory.
BATCH = 65_536
# Batches given to an executor before the first is waited for: enough for a cluster, few enough to be called back.
_AHEAD = 256
# Rare outputs tell batches apart only where there are many.
_HEADS = (32, 128, 4096)


@dataclass(frozen=True)
class Batch:
    """So many runs on an input; ``seed`` and the numbers in ``place`` fix their randomness."""

    runs: Runs
    data: Any
    size: int
    seed: int
    place: tuple[int, ...]
    name: str


@dataclass(frozen=True)
class BatchOutputs:
    """The outputs of a batch."""

    outputs: Outputs
    digests: frozenset[str]


@dataclass(frozen=True)
class BatchHits:
    """The number of outputs of a batch that lie in each event."""

    hits: tuple[int, ...]
    kinds: frozenset[str]
    digests: frozenset[str]


def run_batch(batch: Batch) -> BatchOutputs:
    """Run a batch."""
    sequence = np.random.SeedSequence(batch.seed, spawn_key=batch.place)
    # A sampler without ``rng`` may use these: forked workers would all hold the same state of them.
    state = sequence.generate_state(8)
    random.seed(int.from_bytes(state.tobytes(), "big"))
    np.random.seed(state)
    rng = np.random.default_rng(sequence.spawn(1)[0])
    values = call_sampler(batch.runs, batch.data, batch.size, rng, batch.name)
    outputs = Outputs.of(values, name=batch.name)
    check_kinds(outputs.kinds, batch.name)
    digests = (_digest(group, head) for group in outputs.groups for head in _HEADS)
    return BatchOutputs(outputs, frozenset(filter(None, digests)))


def count_hits(batch: Batch, events: tuple[Event, ...]) -> BatchHits:
    """Run a batch and count: what is sent back is small."""
    drawn = run_batch(batch)
    hits = tuple(drawn.outputs.hits(event) for event in events)
    return BatchHits(hits, drawn.outputs.kinds, drawn.digests)


def batch_sizes(runs: int, parts: int) -> list[int]:
    """The sizes of ``parts`` batches, as equal as possible; of more where they would exceed the largest batch.

    >>> batch_sizes(10, 4), batch_sizes(2, 4)
    ([3, 3, 2, 2], [1, 1])
    """
    parts = max(1, min(runs, max(parts, math.ceil(runs / BATCH))))
    return [runs // parts + (i < runs % parts) for i in range(parts)]


def _result(waiting: deque[Future[T]]) -> T:
    future = waiting[0]
    try:
        result = future.result()
    except InputError:
        raise
    except (BrokenExecutor, CancelledError) as problem:
        raise InputError(f"the executor's workers stopped: {type(problem).__name__}: {problem}") from problem
    except (pickle.PicklingError, AttributeError, TypeError) as problem:
        if "pickle" not in str(problem).lower() and "local object" not in str(problem):  # as Python 3.13 has it
            raise
        raise InputError(
            f"the executor could not send the sampler to its workers: {problem}; define the sampler at the top level "
            "of a module, or use threads"
        ) from problem
    waiting.popleft()
    return result


@dataclass(frozen=True)
class Sampling:
    """What all parts of an attack by samples share: the runs and their name, the error of the bound, and how to run.

    ``heads`` are the digests of the outputs that batches began with, by the input. With an ``epsilon`` what is looked
    for is a delta at it, and no loss.
    """

    runs: Runs
    name: str
    error: float
    seed: int
    executor: Executor | None = None
    progress: Callable[[str], None] | None = None
    heads: set[tuple[Any, ...]] = field(default_factory=set)
    epsilon: float | None = None

    def batches(self, pair: tuple[Any, Any], sizes: Sequence[int], phase: int, number: int) -> list[Batch]:
        """Batches of these sizes on both sides of a pair, in turns; ``number`` is the pair's.

        ``phase`` makes their samples fresh: no other part of the attack may have it.
        """
        return [
            self.batch(pair[side], size, phase, number, side, i) for i, size in enumerate(sizes) for side in (0, 1)
        ]

    def batch(self, data: Any, size: int, *place: int) -> Batch:
        """One batch, whose place no other has."""
        return Batch(self.runs, data, size, self.seed, place, self.name)

    def results(self, work: Callable[..., T], tasks: Iterable[tuple[Any, ...]]) -> Generator[T, None, None]:
        """The results of the tasks, in their order; what has not begun is cancelled when the reader stops."""
        if self.executor is None:
            yield from itertools.starmap(work, tasks)
            return
        waiting: deque[Future[T]] = deque()
        try:
            for task in tasks:
                waiting.append(self.executor.submit(work, *task))
                if len(waiting) >= _AHEAD:
                    yield _result(waiting)
            while waiting:
                yield _result(waiting)
        finally:
            for future in waiting:
                future.cancel()

    def check_fresh(self, batch: Batch, digests: frozenset[str]) -> None:
        """Raise InputError if a batch on this input began with the same outputs: the runs would not be independent.

        That happens where each worker, or each batch, gets a copy of a generator in the same state.
        """
        # Which side of which pair: the place without the phase of the attack and the batch's number.
        heads = {(batch.place[1:-1], digest) for digest in digests}
        if heads & self.heads:
            raise InputError(
                f"{self.name} returned the same outputs in two batches of runs: it repeats its random numbers; "
                "give it a parameter `rng` and draw from that, or let every run draw fresh randomness"
            )
        self.heads.update(heads)

    def report(self, text: str) -> None:
        """Tell the user how far the attack is."""
        if self.progress is not None:
            self.progress(text)


@contextlib.contextmanager
def global_randomness_kept() -> Iterator[None]:
    """Give ``random`` and ``numpy.random`` of this process their state back."""
    python, legacy = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(legacy)


def _digest(group: Group, count: int) -> str:
    """A digest of the first outputs of a group; empty where independent batches may well agree on all of them."""
    head = group.head(count)
    if not head:
        return ""
    counts = Counter(head).values()
    # Two independent batches agree with about the probability c^m, of which this asks for less than e^-80.
    collision = sum(k * k for k in counts) / len(head) ** 2
    if collision >= 1 or -math.log(collision) * len(head) < 80:
        return ""
    return hashlib.blake2b(repr((group.structure, head)).encode(), digest_size=16).hexdigest()
