"""What many runs gave, in arrays, and chunk by chunk how it comes about."""

from __future__ import annotations

import functools
import importlib.util
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from alignkit.arguments import shown
from alignkit.errors import InputError
from alignkit.interpreting.output_form import returns_list
from alignkit.language.kinds import Kind
from alignkit.language.program import Function
from alignkit.language.tags import Tag
from alignkit.sampling.packing import TYPES, Array, Packed, is_several, pack, tags_of, whole_numbers
from alignkit.sampling.python_sampler import PythonSampler
from alignkit.sampling.stream_noise import StreamNoise

NOTE = "the runs were made one by one; they are made many times faster once `pip install 'alignkit[fast]'` is done"

# Runs are compiled once the text that Python runs has taken so many seconds.
_PATIENCE = 1.0
# Arrays of so many places are worth compiled code.
_MANY_PLACES = 2**20


@dataclass(frozen=True, eq=False)
class SampledRuns:
    """The outputs of many runs, in arrays whose first axis is the run and whose second is the position.

    A generator's outputs stand at positions 0, 1, … in the order of its yields. A list that is returned has its items
    there; any other value that is returned stands at position 0. The parts of an output are sorted by kind, each kind
    with an array, which is None where no output has any: ``tags`` (codes: the index in ``tag_names``), ``indices``
    (numbers that are whole by their kind), ``reals`` (all other numbers) and ``truths`` (1 and 0). If outputs have
    several parts of a kind, its array has a third axis. Where a run has no output, or the output no such part, there is
    -1, in ``reals`` NaN. ``lengths`` says how many outputs each run gave.

    ``samples[i]`` and ``outputs()`` give a run's own output, exact where it is exact. ``note`` says how the runs might
    be made faster; it is empty where there is nothing to say.

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
    note: str = field(repr=False)
    _chunks: list[Packed] = field(repr=False)
    _function: Function = field(repr=False)
    _kind: Kind = field(repr=False)

    def __len__(self) -> int:
        return self.runs

    def __getitem__(self, run: int) -> Any:
        """The output of one run, as ``.sample`` would have given it."""
        if not -self.runs <= run < self.runs:
            raise IndexError(f"run {run} of {self.runs}")
        number, place = divmod(run % self.runs, len(self._chunks[0].ends))
        return self._output(self._chunks[number], place)

    def __iter__(self) -> Iterator[Any]:
        return self.outputs()

    def outputs(self) -> Iterator[Any]:
        """The output of every run, in order."""
        for chunk in self._chunks:
            for place in range(len(chunk.ends)):
                yield self._output(chunk, place)

    def _output(self, chunk: Packed, place: int) -> Any:
        outputs = chunk.outputs(place, self.tag_names)
        if self._function.is_generator:
            return outputs
        if is_several(self._kind):
            return outputs if returns_list(self._function) else tuple(outputs)
        return outputs[0]

    @functools.cached_property
    def tags(self) -> Array | None:
        return self._array(part for part in self._parts if part[0] == "tag")

    @functools.cached_property
    def truths(self) -> Array | None:
        return self._array(part for part in self._parts if part[0] == "truth")

    @functools.cached_property
    def indices(self) -> Array | None:
        indices = self._array(part for part in self._parts if part[0] == "number" and self._is_whole(part[1]))
        return None if indices is None else np.where(np.isnan(indices), -1, indices).astype(np.int64)

    @functools.cached_property
    def reals(self) -> Array | None:
        return self._array(part for part in self._parts if part[0] == "number" and not self._is_whole(part[1]))

    @functools.cached_property
    def _places(self) -> list[dict[tuple[str, int], Any]]:
        return [chunk.parts(self.tag_names) for chunk in self._chunks]

    @property
    def _parts(self) -> list[tuple[str, int]]:
        return sorted({part for places in self._places for part in places})

    def _is_whole(self, number: int) -> bool:
        wholes = whole_numbers(self._kind)
        return wholes if isinstance(wholes, bool) else number < len(wholes) and wholes[number]

    def _array(self, parts: Iterable[tuple[str, int]]) -> Array | None:
        """The array of some parts of one kind, with an axis for them where there are several."""
        listed = list(parts)
        if not listed:
            return None
        shape = self.runs, int(self.lengths.max())
        array = np.empty((len(listed), *shape), dtype=TYPES[listed[0][0]])
        fast = array.size > _MANY_PLACES and is_fast()
        start = 0
        for chunk, places in zip(self._chunks, self._places, strict=True):
            end = start + len(chunk.ends)
            for i, part in enumerate(listed):
                chunk.into(part[0], places.get(part, []), array[i, start:end], self.tag_names, fast=fast)
            start = end
        return array[0] if len(listed) == 1 else np.moveaxis(array, 0, 2)


def is_fast() -> bool:
    """Whether the extra is there that compiles."""
    return importlib.util.find_spec("numba") is not None


@dataclass(eq=False)
class Sampled:
    """A program with its arguments: all that a chunk of runs needs beside a seed.

    ``evaluated(noise, run)`` is the run of a number by the evaluator, and says what is wrong where it is not defined.
    """

    sampler: PythonSampler
    kind: Kind
    arguments: Mapping[str, Any]
    evaluated: Callable[[StreamNoise, int], Any]
    spent: float = 0.0  # seconds of runs one by one

    @property
    def function(self) -> Function:
        return self.sampler.function

    @functools.cached_property
    def tags(self) -> tuple[Tag, ...]:
        return tuple(tags_of(self.function))

    @functools.cached_property
    def given(self) -> list[Any] | None:
        """What the texts take; None where it cannot be computed in front of a run."""
        try:
            return self.sampler.given(self.arguments)
        except Exception:  # the evaluator finds out what it was, if a run comes to it
            return None

    @property
    def is_several(self) -> bool:
        return not self.function.is_generator and is_several(self.kind)

    def made(self, first: int, runs: int, seed: np.random.SeedSequence) -> Packed:
        """The outputs of some runs, the first of which has the number ``first``."""
        if self.given is not None and is_fast():
            compiled = self.sampler.compiled(self.given, self.tags, self.is_several, now=self.spent > _PATIENCE)
            if compiled is not None and not compiled.is_refused:
                try:
                    return compiled.runs(self.given, runs, seed)
                except Exception:  # something does not fit into its numbers, or is not defined
                    pass
        start = time.perf_counter()
        packed = pack([self._outputs(output) for output in self._one_by_one(first, runs, seed)])
        self.spent += time.perf_counter() - start
        return packed

    def _outputs(self, output: Any) -> list[Any]:
        if self.function.is_generator or (self.is_several and output is not None):
            return list(output)
        return [output]

    def _one_by_one(self, first: int, runs: int, seed: np.random.SeedSequence) -> list[Any]:
        noise, outputs = StreamNoise(seed), []
        given = self.given
        if given is not None:
            try:
                for _ in range(runs):
                    outputs.append(self.sampler.run(given, noise))
                return outputs
            except Exception:  # the noise of the runs before this one is drawn again
                noise = StreamNoise(seed)
                for _ in outputs:
                    self.sampler.run(given, noise)
        return outputs + [self.evaluated(noise, first + run) for run in range(len(outputs), runs)]


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
    size = chunk_size(longest)
    make = functools.partial(_chunk, prepared, runs, size, entropy)
    chunks = list(each(make, range(-(-runs // size))))
    note = NOTE if sampled.spent > _PATIENCE and not is_fast() else ""
    lengths = np.concatenate([chunk.lengths for chunk in chunks])
    return SampledRuns(runs, lengths, sampled.tags, note, chunks, sampled.function, sampled.kind)


def chunk_size(longest: int) -> int:
    """How many runs are made at once: fewer for long lists, so that a chunk takes a second at most."""
    return max(64, min(4096, 2**20 // max(1, longest)))


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


def _chunk(prepared: Prepared, runs: int, size: int, entropy: Any, number: int) -> Packed:
    first = number * size
    return prepared.sampled.made(first, min(size, runs - first), np.random.SeedSequence(entropy, spawn_key=(number,)))
