"""The outputs of many runs in a few arrays: for each output the number of its form, and the numbers in it.

A form is the shape of a scalar, a `ConstantForm`, or a `Tuple` of forms. A float takes a place among the floats, a
whole number, a Boolean and a tag's code one among the ints, and an exact number two; a number or a scalar whose kind
varies takes three and one: what it is (0 a float, 1 an exact number, 2 a tag, 3 a Boolean), and its two whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from alignkit.language.kinds import Kind
from alignkit.language.program import Call, Constant, Function, walk
from alignkit.language.tags import Tag
from alignkit.sampling.value_shapes import ANY, EXACT, FLOAT, NUMBER, TAG, TRUTH, WHOLE, Tuple

Array = NDArray[Any]
PART_OF = {FLOAT: "number", WHOLE: "number", EXACT: "number", NUMBER: "number", TAG: "tag", TRUTH: "truth"}
NOTHING = {"tag": -1, "truth": -1, "number": np.nan}
TYPES = {"tag": np.int8, "truth": np.int8, "number": np.float64}
_SIZES = {FLOAT: (0, 1), WHOLE: (1, 0), EXACT: (2, 0), NUMBER: (3, 1), ANY: (3, 1), TAG: (1, 0), TRUTH: (1, 0)}
_VARIANTS = (FLOAT, EXACT, TAG, TRUTH)
_LARGEST = 2**62


@dataclass(frozen=True)
class ConstantForm:
    """A value that is the same in all outputs of a form."""

    kind: type
    value: Any


class Leaf(NamedTuple):
    """A scalar of a form: its shape or `ConstantForm`, and its places among the ints and the floats of an output."""

    form: Any
    whole: int
    real: int


def leaves_of(form: Any, whole: int = 0, real: int = 0) -> list[Leaf]:
    """The scalars of a form, in order."""
    if not isinstance(form, Tuple):
        return [Leaf(form, whole, real)]
    found: list[Leaf] = []
    for part in form.parts:
        inner = leaves_of(part, whole, real)
        found += inner
        for leaf in inner:
            more = (0, 0) if isinstance(leaf.form, ConstantForm) else _SIZES[leaf.form]
            whole, real = whole + more[0], real + more[1]
    return found


def size_of(form: Any) -> tuple[int, int]:
    """How many ints and floats an output of the form takes."""
    if isinstance(form, Tuple):
        sizes = [size_of(part) for part in form.parts]
        return sum(size[0] for size in sizes), sum(size[1] for size in sizes)
    return (0, 0) if isinstance(form, ConstantForm) else _SIZES[form]


@dataclass(frozen=True)
class Packed:
    """The outputs of some runs. ``ends`` says where each run ends among the outputs, the ints and the floats."""

    forms: Sequence[Any]
    codes: Array = field(repr=False)
    ints: Array = field(repr=False)
    floats: Array = field(repr=False)
    ends: Array = field(repr=False)

    @cached_property
    def lengths(self) -> Array:
        return np.diff(self.ends[:, 0], prepend=0)

    def outputs(self, run: int, tags: Sequence[Tag]) -> list[Any]:
        """The outputs of one run."""
        start = self.ends[run - 1] if run else (0, 0, 0)
        ints = iter(self.ints[start[1] : self.ends[run, 1]].tolist())
        floats = iter(self.floats[start[2] : self.ends[run, 2]].tolist())
        codes = self.codes[start[0] : self.ends[run, 0]].tolist()
        constant, forms = self._constant, self.forms
        return [
            constant[code] if code in constant else _read(forms[code], ints, floats, tags) for code in codes
        ]

    @cached_property
    def _constant(self) -> dict[int, Any]:
        """The outputs of the forms that have no number of their own."""
        nothing: Iterator[Any] = iter(())
        return {
            code: _read(form, nothing, nothing, ()) for code, form in enumerate(self.forms) if size_of(form) == (0, 0)
        }

    # Arrays of parts

    def parts(self, tags: Sequence[Tag]) -> dict[tuple[str, int], list[tuple[Array | None, Leaf]]]:
        """Each part of an output, by its kind and its number within the kind: the outputs that have it, and where.

        A part that all outputs of a form have is given with the number of the form in the place of the outputs.
        """
        found: dict[tuple[str, int], list[tuple[Any, Leaf]]] = {}
        for code, count in enumerate(np.bincount(self.codes, minlength=len(self.forms)).tolist()):
            if count:
                for rows, plain in self._plain(code, None, leaves_of(self.forms[code])):
                    numbers: dict[str, int] = {}
                    for leaf in plain:
                        part = _part(leaf.form)
                        if part is not None:
                            key = part, numbers.setdefault(part, 0)
                            numbers[part] += 1
                            found.setdefault(key, []).append((code if rows is None else rows, leaf))
        return found

    def _plain(self, code: int, rows: Array | None, found: list[Leaf]) -> Iterator[tuple[Array | None, list[Leaf]]]:
        """The leaves of a form, for outputs in which none is of varying kind."""
        place = next((i for i, leaf in enumerate(found) if leaf.form == ANY), None)
        if place is None:
            yield rows, found
            return
        rows = np.flatnonzero(self.codes == code) if rows is None else rows
        leaf = found[place]
        kinds = self.ints[self._int_at[rows] + leaf.whole]
        for kind, shape in enumerate(_VARIANTS):
            at = rows[kinds == kind]
            if len(at):
                plain = leaf._replace(form=shape, whole=leaf.whole + (1 if kind else 0))
                yield from self._plain(code, at, [*found[:place], plain, *found[place + 1 :]])

    @cached_property
    def _int_at(self) -> Array:
        return self._places(0)

    @cached_property
    def _float_at(self) -> Array:
        return self._places(1)

    def _places(self, which: int) -> Array:
        sizes = np.array([size_of(form)[which] for form in self.forms])[self.codes]
        before: Array = np.cumsum(sizes) - sizes
        return before

    def into(self, part: str, given: list[tuple[Any, Leaf]], array: Array, tags: Sequence[Tag], *, fast: bool) -> None:
        """Write one of the parts into an array of runs and positions."""
        varies = any(not isinstance(leaf.form, ConstantForm) for _, leaf in given)
        if fast and varies and all(isinstance(rows, int) for rows, _ in given):
            self._fill(part, given, array, tags)
            return
        flat = np.full(len(self.codes), NOTHING[part], dtype=TYPES[part])
        table = np.full(len(self.forms), NOTHING[part], dtype=TYPES[part])
        for rows, leaf in given:
            if isinstance(rows, int) and isinstance(leaf.form, ConstantForm):
                table[rows] = _number(leaf.form.value, tags)
        if (table == table).any() if part == "number" else (table != -1).any():
            flat = table.take(self.codes)
        for rows, leaf in given:
            if isinstance(rows, int):
                if isinstance(leaf.form, ConstantForm):
                    continue
                rows = np.flatnonzero(self.codes == rows)
            flat[rows] = self._values(rows, leaf, tags)
        width = array.shape[1]
        if len(self.codes) == array.size:
            array[:] = flat.reshape(array.shape)
            return
        array[:] = NOTHING[part]
        array[np.arange(width) < self.lengths[:, None]] = flat

    def _fill(self, part: str, given: list[tuple[Any, Leaf]], array: Array, tags: Sequence[Tag]) -> None:
        from alignkit.sampling.compiled_helpers import NAMES  # numba comes with it

        count = len(self.forms)
        source, whole, real = (np.zeros(count, dtype=np.int64) for _ in range(3))
        constant = np.full(count, float(NOTHING[part]))
        for code, leaf in given:
            if isinstance(leaf.form, ConstantForm):
                constant[code] = _number(leaf.form.value, tags)
            else:
                source[code] = {FLOAT: 1, EXACT: 3, NUMBER: 4}.get(leaf.form, 2)
                whole[code], real[code] = leaf.whole, leaf.real
        sizes = np.array([size_of(form) for form in self.forms], dtype=np.int64)
        places = source, constant, whole, real, sizes, float(NOTHING[part])
        NAMES["fill"](array, self.lengths, self.codes, self.ints, self.floats, *places)

    def _values(self, rows: Array, leaf: Leaf, tags: Sequence[Tag]) -> Any:
        if isinstance(leaf.form, ConstantForm):
            return _number(leaf.form.value, tags)
        if leaf.form == FLOAT:
            return self.floats[self._float_at[rows] + leaf.real]
        at = self._int_at[rows] + leaf.whole
        if leaf.form == NUMBER:
            exact = self.ints[at + 1] / self.ints[at + 2]
            return np.where(self.ints[at] == 0, self.floats[self._float_at[rows] + leaf.real], exact)
        return self.ints[at] / self.ints[at + 1] if leaf.form == EXACT else self.ints[at]


def _part(form: Any) -> str | None:
    if not isinstance(form, ConstantForm):
        return PART_OF[form]
    if isinstance(form.value, Tag):
        return "tag"
    return None if form.value is None else "truth" if isinstance(form.value, bool) else "number"


def _number(value: Any, tags: Sequence[Tag]) -> float:
    return tags.index(value) if isinstance(value, Tag) else float(value)


def _read(form: Any, ints: Iterator[int], floats: Iterator[float], tags: Sequence[Tag]) -> Any:
    """The next output of a form."""
    if isinstance(form, Tuple):
        return tuple([_read(part, ints, floats, tags) for part in form.parts])
    if isinstance(form, ConstantForm):
        return form.value
    if form == FLOAT:
        return next(floats)
    if form in (NUMBER, ANY):
        kind, top, below, real = next(ints), next(ints), next(ints), next(floats)
        return (real, _exact(top, below), tags[top] if kind == 2 else None, bool(top))[kind]
    value = next(ints)
    if form == EXACT:
        return _exact(value, next(ints))
    return tags[value] if form == TAG else bool(value) if form == TRUTH else value


def _exact(top: int, below: int) -> Any:
    value = Fraction(top, below)
    return value.numerator if value.denominator == 1 else value


def pack(runs: list[list[Any]]) -> Packed:
    """The outputs of runs as Python has them."""
    forms: dict[Any, int] = {}
    codes: list[int] = []
    ints: list[int] = []
    floats: list[float] = []
    ends = []
    plain = forms.setdefault(FLOAT, 0)
    for outputs in runs:
        for output in outputs:
            if type(output) is float:
                floats.append(output)
                codes.append(plain)
            else:
                codes.append(forms.setdefault(_written(output, ints, floats), len(forms)))
        ends.append((len(codes), len(ints), len(floats)))
    return Packed(
        list(forms), np.array(codes, dtype=np.int64), np.array(ints, dtype=np.int64), np.array(floats), np.array(ends)
    )


def _written(value: Any, ints: list[int], floats: list[float]) -> Any:
    """The form of a value, whose numbers go to the lists."""
    if type(value) is float:
        floats.append(value)
        return FLOAT
    if type(value) is int and abs(value) < _LARGEST:
        ints.append(value)
        return WHOLE
    if isinstance(value, tuple):
        return Tuple(tuple([_written(item, ints, floats) for item in value]))
    return ConstantForm(type(value), value)


# Outputs by the kind that was inferred for them


def tags_of(function: Function) -> list[Tag]:
    """The tags that stand in a program and in the functions that it calls, in order."""
    found: dict[Tag, None] = {}
    for node in walk(*function.body):
        if isinstance(node, Constant) and isinstance(node.value, Tag):
            found[node.value] = None
        if isinstance(node, Call):
            found.update(dict.fromkeys(tags_of(node.function)))
    return list(found)


def whole_numbers(kind: Kind) -> list[bool] | bool:
    """Which numbers of an output are whole in every output, by their order; or whether all or none of them are."""
    return _wholes(kind.parts[0] if is_several(kind) else kind)


def is_several(kind: Kind) -> bool:
    """Whether a value of the kind is a list of like outputs, and not one output."""
    return kind.name == "vector" or (kind.name == "tuple" and len(set(kind.parts)) == 1)


def _wholes(kind: Kind) -> list[bool] | bool:
    if kind.name == "tuple":
        found: list[bool] = []
        for part in kind.parts:
            wholes = _wholes(part)
            if isinstance(wholes, bool):
                if part.is_number:
                    found.append(wholes)
                elif part.name not in ("tag", "bool", "none"):
                    return False
            else:
                found += wholes
        return found
    return _wholes(kind.parts[0]) if kind.name == "vector" else kind.name == "int"
