"""Readers for arguments that are numbers or arrays: each returns float64, or raises InputError."""

from __future__ import annotations

from numbers import Real

import numpy as np
import numpy.typing as npt

from alignkit.arguments import shown
from alignkit.errors import InputError

Floats = npt.NDArray[np.float64]


def real_array(value: object, name: str, example: str) -> Floats:
    """Read finite numbers of any shape; ``example`` is what a message proposes to write.

    >>> real_array([1, 2.5], "gaps", "[3.5, 1.2]").tolist()
    [1.0, 2.5]
    """
    array = _as_floats(value)
    if array is None:
        raise InputError(f"{name} must be numbers, such as {example}, not {shown(value)}")
    if array.size == 0:
        raise InputError(f"{name} must not be empty; write numbers, such as {example}")
    if not np.isfinite(array).all():
        raise InputError(f"{name} must be finite numbers, such as {example}; NaN or infinity is among them")
    return array


def _as_floats(value: object) -> Floats | None:
    """Whole numbers, floats and fractions as floats; None for anything else, such as Booleans or ragged lists."""
    try:
        given = np.asarray(value)
        if given.dtype.kind in "iuf":
            return given.astype(np.float64)
        real = given.dtype.kind == "O" and all(isinstance(x, Real) and not isinstance(x, bool) for x in given.flat)
        return given.astype(np.float64) if real else None
    except (TypeError, ValueError, OverflowError):
        return None


def real_vectors(value: object, name: str, example: str) -> Floats:
    """Read finite numbers with at least one axis, the last of which is that of a vector."""
    array = real_array(value, name, example)
    if array.ndim == 0:
        raise InputError(f"{name} must be a list of numbers, such as {example}, not {shown(value)}")
    return array


def above_zero(value: object, name: str, example: str) -> Floats:
    """Read finite numbers above 0."""
    array = real_array(value, name, example)
    if not (array > 0).all():
        raise InputError(f"{name} must be above 0; write {example}, not {array.min():g}")
    return array


def at_least_zero(value: object, name: str, example: str) -> Floats:
    """Read finite numbers from 0 up."""
    array = real_array(value, name, example)
    if not (array >= 0).all():
        raise InputError(f"{name} must be at least 0; write {example}, not {array.min():g}")
    return array


def between_zero_and_one(value: object, name: str, example: str) -> Floats:
    """Read numbers above 0 and below 1."""
    array = real_array(value, name, example)
    outside = array[~((array > 0) & (array < 1))]
    if outside.size:
        raise InputError(f"{name} must lie between 0 and 1; write {example}, not {outside[0]:g}")
    return array


def counts_from_one(value: object, name: str, example: str) -> Floats:
    """Read whole numbers from 1 up."""
    array = real_array(value, name, example)
    wrong = array[(array < 1) | (array != np.floor(array))]
    if wrong.size:
        raise InputError(f"{name} must be a whole number, at least 1; write {example}, not {wrong[0]:g}")
    return array


def fitting_together(arrays: dict[str, Floats]) -> list[Floats]:
    """Broadcast arrays, which are given by their names for the message."""
    try:
        return [np.array(array) for array in np.broadcast_arrays(*arrays.values())]
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise InputError(f"these shapes do not fit together: {shapes}; write arrays that numpy can broadcast") from None
