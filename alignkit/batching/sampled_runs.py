"""What many runs gave, in arrays, and chunk by chunk how it comes about."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from alignkit.arguments import shown
from alignkit.batching.collecting import NUMBER, TAG, TRUTH, TYPES, Collected, whole_numbers
from alignkit.batching.columns import Array
from alignkit.batching.run_batches import RunBatch, Sampled, random_batch
from alignkit.errors import InputError
from alignkit.language.program import For, Function, walk
from alignkit.language.tags import Tag

# An array of this size is made and freed first: the C library then keeps the memory of smaller arrays for later ones,
# which it would otherwise return to the system each time.
_FREED = 2**21


@dataclass(frozen=True, eq=False)
class SampledRuns:
    """The outputs of many runs, in arrays whose first axis is the run and whose second is the position.

    A generator's outputs stand at positions 0, 1, … in the order of its yields. A list that is returned has its items
    there; any other value that is returned stands at position 0. The parts of an output are sorted by kind, each kind
    with an array, which is None where no output has any: ``tags`` (codes: the index in ``tag_names``), ``indices``
    (numbers that are whole by their kind), ``reals`` (all other numbers) and ``truths`` (1 and 0). If outputs have
    several parts of a kind, its array has a third axis. Where a run has no output, or the output no such part, there is
    -1, in ``reals`` NaN. ``lengths`` says how many outputs each run gave.

    ``samples[i]`` and ``outputs()`` give a run's own output, exact where it is exact. They compute its chunk again from
    the seed, since the arrays have floats only. All numbers come from arrays, or, if the program does what arrays
    cannot do, from runs that are made one by one.

    >>> from alignkit.mechanisms.sparse_vector import sparse_vector
    >>> samples = sparse_vector.sample_many([900, 10], T=100, k=1, eps=1, runs=3, seed=1)
    >>> samples.lengths, samples.tag_names
    (array([1, 1, 1]), (ABOVE, BELOW))
    >>> samples.tags[:, 0], samples[2]
    (array([0, 0, 0], dtype=int8), [ABOVE])
    """

    runs: int
    lengths: Array
    tag_names: tuple[Tag, ...]
    tags: Array | None = field(repr=False)
    truths: Array | None = field(repr=False)
    indices: Array | None = field(repr=False)
    reals: Array | None = field(repr=False)
    chunk: int = field(repr=False)
    _again: Callable[[int], list[Any]] = field(repr=False)

    def __len__(self) -> int:
        return self.runs

    def __getitem__(self, run: int) -> Any:
        """The output of one run, as ``.sample`` would have given it."""
        if not -self.runs <= run < self.runs:
            raise IndexError(f"run {run} of {self.runs}")
        number, place = divmod(run % self.runs, self.chunk)
        return self._again(number)[place]

    def __iter__(self) -> Iterator[Any]:
        return self.outputs()

    def outputs(self) -> Iterator[Any]:
        """The output of every run, in order."""
        for number in range(-(-self.runs // self.chunk)):
            yield from self._again(number)


class Prepared:
    """A program with its arguments, which another process builds again: programs themselves cannot be sent."""

    def __init__(self, build: Callable[[], Sampled]) -> None:
        self.build = build

    @functools.cached_property
    def sampled(self) -> Sampled:
        return self.build()

    def __reduce__(self) -> tuple[type[Prepared], tuple[Callable[[], Sampled]]]:
        return Prepared, (self.build,)


def sample_chunks(
    build: Callable[[], Sampled],
    runs: int,
    seed: int | np.random.Generator | None,
    longest: int,
    each: Callable[..., Any] = map,
) -> SampledRuns:
    """The samples of so many runs. ``each`` maps a function over the numbers of chunks, as ``map`` does.

    ``build`` gives the program with its arguments; it is what is sent to other processes.
    """
    entropy = _entropy(seed)
    prepared = Prepared(build)
    sampled = prepared.sampled
    size = chunk_size(sampled.function, longest)
    make = functools.partial(_chunk, prepared, runs, size, entropy)
    np.empty(_FREED)
    chunks = list(each(make, range(-(-runs // size))))

    @functools.lru_cache(maxsize=1)
    def again(number: int) -> list[Any]:
        batch = _batch(sampled, runs, size, entropy, number)
        return batch.outputs(sampled.function)

    return _joined(chunks, sampled, runs, size, again)


def chunk_size(function: Function, longest: int) -> int:
    """How many runs are made at once: fewer for long lists, so that their arrays stay small.

    A loop is run by blocks of iterations, which are small however many runs there are; without one, whole lists are.
    """
    places = 2**22 if any(isinstance(node, For) for node in walk(*function.body)) else 2**18
    return max(64, min(4096, places // max(1, longest)))


def checked_runs(runs: Any) -> int:
    """The number of runs, if it is one."""
    if isinstance(runs, bool) or not isinstance(runs, int | np.integer) or runs < 1:
        raise InputError(f"runs is {shown(runs)}; write a whole number of at least 1")
    return int(runs)


def _entropy(seed: int | np.random.Generator | None) -> Any:
    if isinstance(seed, np.random.Generator):
        return seed.integers(0, 2**32, size=4, dtype=np.uint32).tolist()
    try:
        if isinstance(seed, bool):
            raise TypeError
        return np.random.SeedSequence(seed).entropy
    except (TypeError, ValueError):
        raise InputError(f"seed is {shown(seed)}; write an int >= 0 or a numpy Generator") from None


def _batch(sampled: Sampled, runs: int, size: int, entropy: Any, number: int) -> RunBatch:
    within = np.arange(number * size, min(runs, (number + 1) * size))
    return random_batch(sampled, within, np.random.SeedSequence(entropy, spawn_key=(number,)))


def _chunk(prepared: Prepared, runs: int, size: int, entropy: Any, number: int) -> Collected:
    sampled = prepared.sampled
    return _batch(sampled, runs, size, entropy, number).collected(sampled.tags)


def _joined(
    chunks: list[Collected], sampled: Sampled, runs: int, size: int, again: Callable[[int], list[Any]]
) -> SampledRuns:
    longest = max(chunk.longest for chunk in chunks)
    parts = sorted({part for chunk in chunks for part in chunk.parts})
    wholes = whole_numbers(sampled.kind)

    def is_whole(number: int) -> bool:
        return wholes if isinstance(wholes, bool) else number < len(wholes) and wholes[number]

    def of(wanted: Iterable[tuple[str, int]]) -> Array | None:
        return _array(chunks, list(wanted), (runs, longest))

    numbers = [part for part in parts if part[0] == NUMBER]
    indices = of(part for part in numbers if is_whole(part[1]))
    return SampledRuns(
        runs=runs,
        lengths=np.concatenate([chunk.lengths for chunk in chunks]),
        tag_names=tuple(sampled.tags),
        tags=of(part for part in parts if part[0] == TAG),
        truths=of(part for part in parts if part[0] == TRUTH),
        indices=None if indices is None else np.where(np.isnan(indices), -1, indices).astype(np.int64),
        reals=of(part for part in numbers if not is_whole(part[1])),
        chunk=size,
        _again=again,
    )


def _array(chunks: list[Collected], parts: list[tuple[str, int]], shape: tuple[int, int]) -> Array | None:
    """The array of some parts of one kind, with an axis for them where there are several."""
    if not parts:
        return None
    array = np.empty((len(parts), *shape), dtype=TYPES[parts[0][0]])
    start = 0
    for chunk in chunks:
        end = start + len(chunk.lengths)
        for i, part in enumerate(parts):
            chunk.into(part, array[i, start:end])
        start = end
    return array[0] if len(parts) == 1 else np.moveaxis(array, 0, 2)
