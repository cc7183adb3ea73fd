"""Samplers compiled by numba, for many runs in one call. Needs the extra ``fast``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.language.program import Function
from alignkit.language.tags import Tag
from alignkit.sampling.compiled_helpers import NAMES, Full, Unsure, Wide
from alignkit.sampling.compiled_text import CompiledModule
from alignkit.sampling.fronts import Front
from alignkit.sampling.packing import Packed
from alignkit.sampling.python_sampler import compiled
from alignkit.sampling.stream_noise import generators
from alignkit.sampling.text_of_programs import Unwritable, write_function
from alignkit.sampling.value_shapes import (
    BITS,
    EXACT,
    FLOAT,
    NOISE,
    NOTHING,
    NUMBER,
    TAG,
    TRUTH,
    WHOLE,
    Items,
    Shape,
    Tuple,
    item_of,
)

_LARGEST = 2**62
_MOST = 2**27
_FIRST = 2**12


class CompiledSampler:
    """Makes many runs of a program on arguments of some shapes. Unwritable where the program has no text for numba."""

    def __init__(
        self, function: Function, front: Front, shapes: dict[str, Shape], known: Sequence[Shape], tags: Sequence[Tag],
        *, several: bool,
    ) -> None:  # fmt: skip
        self.tags = list(tags)
        self.shapes = [shape for shape in shapes.values() if shape != NOISE] + list(known)
        self.module = CompiledModule(tags, several=several)
        write_function(self.module, "run", function, shapes, front, known, whole=True)
        names = {**NAMES, **self.module.values}
        self._many = compiled([*self.module.texts, self._driver()], names, "many")
        self._capacity = _FIRST
        self.is_refused = False  # by numba, which finds out at the first call

    def _driver(self) -> str:
        names = [f"a{i}" for i in range(len(self.shapes))]
        lines = [f"    {name} = {_LISTED[item_of(shape)].format(name)}\n"  # type: ignore[index]
                 for name, shape in zip(names, self.shapes, strict=True)
                 if isinstance(shape, Items) and shape.item in _LISTED]  # fmt: skip
        given = ", ".join(names)
        return (
            f"@njit\ndef many(A, B, runs, forms, ints, floats, ends, {given}):\n{''.join(lines)}"
            "    nf, ni, nd = 0, 0, 0\n    for r in range(runs):\n"
            f"        nf, ni, nd = run(A, B, {given}, forms, ints, floats, nf, ni, nd)\n"
            "        ends[r, 0], ends[r, 1], ends[r, 2] = nf, ni, nd\n"
        )

    def runs(self, given: Sequence[Any], runs: int, seed: np.random.SeedSequence) -> Packed:
        """The outputs of runs. Raises anything where Python, or the evaluator, must make them."""
        lowered = [self._lowered(value, shape) for value, shape in zip(given, self.shapes, strict=True)]
        while True:
            ints, floats = np.empty(self._capacity, dtype=np.int64), np.empty(self._capacity)
            codes = np.empty(self._capacity, dtype=np.uint8 if len(self.module.forms) < 256 else np.int64)
            ends = np.zeros((runs, 3), dtype=np.int64)
            try:
                self._many(*generators(seed), runs, codes, ints, floats, ends, *lowered)
            except Full:
                self._capacity *= 8
                if self._capacity > _MOST:
                    raise
                continue
            except (Wide, Unsure):
                raise
            except Exception as problem:
                self.is_refused = True
                raise Unwritable("numba does not compile it") from problem
            outputs, wholes, reals = ends[-1]
            return Packed(
                self.module.forms, codes[:outputs].copy(), ints[:wholes].copy(), floats[:reals].copy(), ends
            )

    def _lowered(self, value: Any, shape: Shape) -> Any:
        """A value in the representation that the text has for it."""
        if isinstance(shape, Tuple):
            return tuple([self._lowered(part, of) for part, of in zip(value, shape.parts, strict=True)])
        if isinstance(shape, Items):
            return self._array(list(value), shape.item)
        if shape == TAG:
            return self.tags.index(value)
        if shape in (FLOAT, BITS):
            return float(value)
        if shape == TRUTH:
            return bool(value)
        if shape == WHOLE:
            return _small(value)
        if shape == EXACT:
            return _small(value.numerator), _small(value.denominator)
        raise Unwritable(f"{shape} is given")

    def _array(self, values: list[Any], item: Shape) -> Any:
        if item in (FLOAT, NOTHING):
            return np.array(values, dtype=np.float64)
        if item == EXACT:
            return np.array([(_small(v.numerator), _small(v.denominator)) for v in values], dtype=np.int64)
        if item == NUMBER:
            floats = np.array([v if type(v) is float else 0.0 for v in values])
            exact = [(0, 0, 1) if type(v) is float else (1, _small(v.numerator), _small(v.denominator)) for v in values]
            return np.array(exact, dtype=np.int64), floats
        if item in (WHOLE, TAG, TRUTH):
            return np.array([self._lowered(value, item) for value in values])
        raise Unwritable("lists of this kind")


# How a list becomes one of the text's own, in front of all runs.
_LISTED: dict[str, str] = {
    EXACT: "[({0}[i, 0], {0}[i, 1]) for i in range(len({0}))]",
    NUMBER: "[({0}[0][i, 0], {0}[1][i], {0}[0][i, 1], {0}[0][i, 2]) for i in range(len({0}[1]))]",
}


def _small(value: int | Fraction) -> int:
    if not -_LARGEST < value < _LARGEST:
        raise OverflowError
    return int(value)
