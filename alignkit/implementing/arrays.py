"""numpy on symbolic numbers: arrays of Python objects that pass for arrays of floats.

An operation is done by numpy itself, element by element, by Python's own operators. Comparisons are decided on the
way, so that masks, orders and positions are concrete.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.confirming.normal_forms import Comparison, NotExaminedError, Number, divided, tidy
from alignkit.confirming.trials import is_whole
from alignkit.confirming.worlds import Functions

numbers.Real.register(Number)

# numpy's own functions, which stand under other names while a function runs.
_ARRAY, _AS_ARRAY, _EMPTY, _FULL, _WHERE, _NONZERO, _IS_CLOSE, _PARTITIONED = (
    np.array, np.asarray, np.empty, np.full, np.where, np.nonzero, np.isclose, np.argpartition,
)  # fmt: skip


def exact_number(value: Any) -> Any:
    """A float as the simplest fraction that has it as its float, so that 1/3 stands for a third."""
    if isinstance(value, float | np.floating):
        value = float(value)
        if not math.isfinite(value):
            return value
        simple = Fraction(value).limit_denominator(10**6)
        return tidy(simple if float(simple) == value else Fraction(repr(value)))
    if isinstance(value, np.bool_):
        return bool(value)
    return int(value) if isinstance(value, np.integer) else value


class RealArray(np.ndarray):
    """An array of floats to the function that runs, whose elements are symbolic numbers and fractions."""

    @property
    def dtype(self) -> Any:
        """What the function is told that the elements are."""
        return np.dtype(float)

    def __array_ufunc__(self, operation: Any, method: Any, *inputs: Any, **named: Any) -> Any:  # type: ignore[override]
        return array_operation(operation, method, inputs, named)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function in _FUNCTIONS:
            return _FUNCTIONS[function](*args, **kwargs)
        return super().__array_function__(function, types, args, kwargs)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, **named: Any) -> Any:
        """The mean; numpy's own makes a float of a number that says that it is one."""
        if out is not None or isinstance(axis, tuple):
            raise NotExaminedError("numpy.mean into an array, or along several axes")
        total = self.sum(axis, **named)
        count = self.size if axis is None else self.shape[axis]
        return total / count if isinstance(total, np.ndarray) else divided(total, count)

    def __setitem__(self, place: Any, value: Any) -> None:
        several = isinstance(value, np.ndarray | list | tuple)
        super().__setitem__(place, objects(value) if several else exact_number(value))

    def astype(self, kind: Any, *args: Any, **named: Any) -> Any:  # type: ignore[override]
        """A copy; of another kind than floats where all elements are known."""
        if np.dtype(kind) in (np.dtype(float), np.dtype(np.float32), np.dtype(object)):
            return self.copy()
        return _known(self).astype(kind)

    def argpartition(self, kth: Any, axis: Any = -1, *_: Any, **__: Any) -> Any:
        """Places in an order that numpy may give."""
        return argpartition(self, kth, axis)

    def round(self, *_: Any, **__: Any) -> Any:
        """Rounding is not followed."""
        raise NotExaminedError("rounding of an array")


def _known(array: Any) -> Any:
    if any(isinstance(value, Number) for value in base(array).flat):
        raise NotExaminedError("numbers that are not known, as whole numbers")
    return _ARRAY([float(value) for value in base(array).flat]).reshape(array.shape)


def base(value: Any) -> Any:
    """The same array, as numpy knows it."""
    return value.view(np.ndarray) if isinstance(value, RealArray) else value


def objects(value: Any) -> Any:
    """An array of Python objects: numbers as they are here."""
    if isinstance(value, RealArray):
        return base(value)
    if isinstance(value, np.ndarray):
        return _objects(value.tolist(), value.shape)
    shape = _shape(value)
    return _objects(value, shape)


def _shape(value: Any) -> tuple[int, ...]:
    if isinstance(value, np.ndarray):
        return tuple(value.shape)
    if isinstance(value, list | tuple):
        return (len(value), *(_shape(value[0]) if value else ()))
    return ()


def _objects(value: Any, shape: tuple[int, ...]) -> Any:
    made = _EMPTY(shape, dtype=object)
    if not shape:
        made[()] = exact_number(value)
        return made
    for place in np.ndindex(*shape):
        part = value
        for i in place:
            part = part[i]
        made[place] = exact_number(part.item() if isinstance(part, np.ndarray) and part.ndim == 0 else part)
    return made


def has_numbers(value: Any) -> bool:
    """Whether a symbolic number, or a fraction, is in a value or in its parts."""
    if isinstance(value, RealArray | Number | Fraction | Comparison):
        return True
    if isinstance(value, np.ndarray):
        return bool(value.dtype == object) and any(map(has_numbers, value.flat))
    return isinstance(value, list | tuple) and any(map(has_numbers, value))


def array_of_numbers(value: Any) -> Any:
    """An array that passes for one of floats; a single number is returned itself."""
    made = objects(value)
    return made.view(RealArray) if made.ndim else made[()]


# Operations, element by element


def world_of(*values: Any) -> Any:
    """The world of the first symbolic number among values; None where there is none."""
    for value in values:
        if isinstance(value, Number):
            return value.world
    return None


def _function(name: str) -> Callable[[Any], Any]:
    def applied(value: Any) -> Any:
        world = world_of(value)
        if world is None:
            return float(getattr(math, name)(value))
        return getattr(world.calculus, name)(value)

    return applied


class Calculus:
    """Functions of symbolic numbers, those that noise may go into included."""

    def __init__(self, world: Any) -> None:
        self._world, self._functions = world, Functions(world)

    def exp(self, value: Any) -> Any:
        """e to a power."""
        return self._functions.exp(exact_number(value))

    def exp2(self, value: Any) -> Any:
        """2 to a power."""
        return self._functions.exp2(exact_number(value))

    def expm1(self, value: Any) -> Any:
        """e to a power, less 1."""
        return self.exp(value) - 1

    def sqrt(self, value: Any) -> Any:
        """The square root."""
        return self._functions.sqrt(exact_number(value))

    def log(self, value: Any) -> Any:
        """The natural logarithm, of a uniform number too."""
        return self._world.logarithm(exact_number(value), self._functions.log)

    def log1p(self, value: Any) -> Any:
        """The natural logarithm of 1 and a number."""
        return self.log(1 + exact_number(value))

    def log2(self, value: Any) -> Any:
        """The logarithm in base 2."""
        return divided(self.log(value), self._functions.log(2))

    def cos(self, value: Any) -> Any:
        """The cosine."""
        return self._world.of_noise("cos", exact_number(value))

    def sin(self, value: Any) -> Any:
        """The sine."""
        return self._world.of_noise("sin", exact_number(value))


def _truth(value: Any) -> bool:
    return bool(value)


def _sign(value: Any) -> int:
    return 1 if value > 0 else -1 if value < 0 else 0


def floor_of(value: Any) -> Any:
    """The largest whole number that is not above a value."""
    if isinstance(value, Number):
        return value if is_whole(value) else value.world.floor(value)  # type: ignore[attr-defined]
    return math.floor(value)


def truncated(value: Any) -> Any:
    """The whole part of a value, as Python's ``int`` takes it."""
    return value if is_whole(value) else floor_of(value) if value >= 0 else -floor_of(-value)


def _rounded(value: Any) -> Any:
    if isinstance(value, Number) and not is_whole(value):
        raise NotExaminedError("rounding of a number that is not known")
    return value if isinstance(value, Number) else round(value)


def _power(value: Any, exponent: Any) -> Any:
    exponent = exact_number(exponent)
    if isinstance(exponent, Fraction) and exponent == Fraction(1, 2):
        return _function("sqrt")(value)
    return value**exponent


_TRUTHS: Mapping[Any, Callable[..., Any]] = {
    np.greater: lambda a, b: _truth(a > b),
    np.greater_equal: lambda a, b: _truth(a >= b),
    np.less: lambda a, b: _truth(a < b),
    np.less_equal: lambda a, b: _truth(a <= b),
    np.equal: lambda a, b: _truth(a == b),
    np.not_equal: lambda a, b: not _truth(a == b),
    np.logical_and: lambda a, b: _truth(a) and _truth(b),
    np.logical_or: lambda a, b: _truth(a) or _truth(b),
    np.logical_not: lambda a: not _truth(a),
    np.isfinite: lambda a: isinstance(a, Number) or math.isfinite(a),
    np.isinf: lambda a: not isinstance(a, Number) and math.isinf(a),
    np.isnan: lambda a: not isinstance(a, Number) and math.isnan(a),
    np.signbit: lambda a: _truth(a < 0),
}
_NUMBERS: Mapping[Any, Callable[..., Any]] = {
    np.add: lambda a, b: a + b,
    np.subtract: lambda a, b: a - b,
    np.multiply: lambda a, b: a * b,
    np.divide: divided,
    np.negative: lambda a: -a,
    np.positive: lambda a: a,
    np.absolute: abs,
    np.fabs: abs,
    np.square: lambda a: a * a,
    np.reciprocal: lambda a: divided(1, a),
    np.power: _power,
    np.float_power: _power,
    np.maximum: lambda a, b: a if a >= b else b,
    np.minimum: lambda a, b: a if a <= b else b,
    np.fmax: lambda a, b: a if a >= b else b,
    np.fmin: lambda a, b: a if a <= b else b,
    np.sign: _sign,
    np.exp: _function("exp"),
    np.exp2: _function("exp2"),
    np.expm1: _function("expm1"),
    np.log: _function("log"),
    np.log2: _function("log2"),
    np.log1p: _function("log1p"),
    np.sqrt: _function("sqrt"),
    np.cos: _function("cos"),
    np.sin: _function("sin"),
    np.floor: floor_of,
    np.ceil: lambda a: -floor_of(-a),
    np.rint: _rounded,
    np.trunc: truncated,
}
_CLIP = np._core.umath.clip  # type: ignore[attr-defined]
_IDENTITIES = {np.add: 0, np.multiply: 1, np.logical_and: True, np.logical_or: False}
_OBJECTWISE = {
    operation: np.frompyfunc(function, operation.nin, 1)
    for operation, function in {
        **_TRUTHS, **_NUMBERS, _CLIP: lambda a, low, high: low if a < low else high if a > high else a,
    }.items()
}  # fmt: skip


def array_operation(operation: Any, method: str, inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """What a universal function of numpy gives where an operand is symbolic, or an array of such numbers."""
    if operation is np.matmul and method == "__call__" and named.get("out") is None:
        return array_of_numbers(np.matmul(*map(objects, inputs)))
    objectwise = _OBJECTWISE.get(operation)
    if objectwise is None or method not in ("__call__", "reduce", "accumulate", "outer"):
        raise NotExaminedError(f"numpy.{operation.__name__} of numbers that are not known")
    out = named.pop("out", None)
    for dropped in ("dtype", "casting", "order", "subok"):
        named.pop(dropped, None)
    if method == "reduce" and named.get("initial", np._NoValue) is np._NoValue:
        named.pop("initial", None)
        if operation in _IDENTITIES:
            named["initial"] = _IDENTITIES[operation]
    given = inputs[:1] if method in ("reduce", "accumulate") else inputs
    rest = inputs[len(given) :]
    result = getattr(objectwise, method if method != "__call__" else "__call__")(*map(objects, given), *rest, **named)
    if operation in _TRUTHS:
        return _AS_ARRAY(result, dtype=bool) if isinstance(result, np.ndarray) and result.ndim else bool(result)
    made = array_of_numbers(result) if isinstance(result, np.ndarray) else result
    if out is not None and out[0] is not None:
        if not isinstance(out[0], RealArray):
            raise NotExaminedError("noise that is written into an array that was made elsewhere")
        out[0][...] = made
        return out[0]
    return made


# numpy's functions that make arrays, or that are written for floats


def _made(original: Callable[..., Any]) -> Callable[..., Any]:
    """A function such as ``np.zeros``: its arrays of floats may take symbolic numbers."""

    def making(*args: Any, **named: Any) -> Any:
        if has_numbers(args) or has_numbers(tuple(named.values())):
            return _of_numbers(original, args, named)
        result = original(*args, **named)
        if isinstance(result, np.ndarray) and result.ndim and result.dtype == np.dtype(float):
            return array_of_numbers(result)
        return result

    return making


def _of_numbers(original: Callable[..., Any], args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    kind = named.get("dtype", args[1] if len(args) > 1 and original.__name__ in ("array", "asarray") else None)
    name = original.__name__
    if name in ("array", "asarray", "asanyarray", "copy", "ascontiguousarray"):
        if name.startswith("as") and isinstance(args[0], RealArray) and kind in (None, float, np.float64):
            return args[0]
        made = objects(args[0]).copy().view(RealArray)
        return made if kind is None else made.astype(kind)
    if name == "full":
        made = _EMPTY(args[0], dtype=object)
        made[...] = objects(args[1] if len(args) > 1 else named["fill_value"])
        return made.view(RealArray)
    if name in ("zeros_like", "ones_like", "empty_like", "full_like"):
        filling = {"ones_like": 1, "full_like": args[1] if len(args) > 1 else named.get("fill_value")}.get(name, 0)
        if kind is not None and np.dtype(kind) != np.dtype(float):
            return _FULL(np.shape(base(args[0])), filling, dtype=kind)
        made = _EMPTY(np.shape(base(objects(args[0]))), dtype=object)
        made[...] = exact_number(filling)
        return made.view(RealArray)
    if name == "fromiter":
        return array_of_numbers(list(args[0]))
    raise NotExaminedError(f"numpy.{name} of numbers that are not known")


class _Operation:
    """A universal function of numpy that takes fractions too, and functions of known numbers exactly."""

    def __init__(self, original: Any, calculus: Calculus) -> None:
        self._original, self._calculus = original, calculus

    def __call__(self, *values: Any, **named: Any) -> Any:
        if self._original.__name__ in IRRATIONAL and type(values[0]) in (int, float, Fraction):
            return getattr(self._calculus, self._original.__name__)(values[0])
        if has_numbers(values[: self._original.nin]):
            return array_operation(self._original, "__call__", values, named)
        return self._original(*values, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def _is_close(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    if not has_numbers((a, b)):
        return _IS_CLOSE(a, b, rtol, atol, equal_nan)
    one, other = array_of_numbers(a), array_of_numbers(b)
    near = np.absolute(one - other) <= exact_number(atol) + exact_number(rtol) * np.absolute(other)
    return near if isinstance(near, np.ndarray) else bool(near)


def _all_close(*args: Any, **named: Any) -> bool:
    return bool(np.all(_is_close(*args, **named)))


def _where(condition: Any, *values: Any) -> Any:
    if not values:
        return _NONZERO(condition)
    mask = _AS_ARRAY(_truths(condition))
    made = _WHERE(mask, *(objects(value) for value in values))
    return made.view(RealArray) if made.ndim else made[()]


def _truths(value: Any) -> Any:
    if not has_numbers(value):
        return value
    made = objects(value)
    return _ARRAY([_truth(part) for part in made.flat], dtype=bool).reshape(made.shape)


def _nonzero(value: Any) -> Any:
    return _NONZERO(_truths(value))


def _round(*_: Any, **__: Any) -> Any:
    raise NotExaminedError("rounding of an array")


def _median(value: Any, *args: Any, **named: Any) -> Any:
    ordered = sorted(objects(value).flat)
    if args or named or not ordered:
        raise NotExaminedError("numpy.median along an axis")
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else divided(ordered[middle - 1] + ordered[middle], 2)


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.isclose: _is_close,
    np.allclose: _all_close,
    np.where: _where,
    np.nonzero: _nonzero,
    np.round: _round,
    np.around: _round,
    np.median: _median,
    **{
        function: _made(function)
        for function in (np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.copy)
    },
}

MAKERS = (
    "array", "asarray", "asanyarray", "ascontiguousarray", "zeros", "ones", "empty", "full", "linspace", "zeros_like",
    "ones_like", "empty_like", "full_like", "fromiter", "copy",
)  # fmt: skip
# Functions of which one constant is no float, but the number that it stands for.
IRRATIONAL = ("exp", "exp2", "expm1", "log", "log2", "log1p", "sqrt")


def replacements(calculus: Calculus) -> dict[tuple[Any, str], Any]:
    """What stands in numpy for its own functions while a function runs on symbolic numbers."""
    found: dict[tuple[Any, str], Any] = {(np, name): _made(getattr(np, name)) for name in MAKERS}
    names = [name for name in vars(np) if isinstance(getattr(np, name), np.ufunc)]
    found |= {(np, name): _Operation(getattr(np, name), calculus) for name in names if getattr(np, name) in _OBJECTWISE}
    found |= {(np, name): _of_list(getattr(np, name)) for name in ("mean", "average")}
    found |= {(np, "isclose"): _is_close, (np, "allclose"): _all_close, (np, "where"): _where_or(np.where)}
    return found


def argpartition(a: Any, kth: Any, axis: Any = -1, *rest: Any, **named: Any) -> Any:
    """Places in an order that numpy may give: between those of ``kth`` it promises none, and machines differ.

    Small arrays are sorted in full on many machines, which a function must not rely on.
    """
    if np.ndim(base(a)) != 1:
        return _PARTITIONED(a, kth, axis, *rest, **named)
    length = len(a)
    _PARTITIONED(_EMPTY(length), kth)
    ordered, found, start = np.argsort(a, kind="stable"), [], 0
    for place in (*sorted({int(k) % length for k in np.ravel(kth)}), length):
        found += [*ordered[start:place][::-1], *ordered[place : place + 1]]
        start = place + 1
    return _ARRAY(found, dtype=np.intp)


def partition(a: Any, kth: Any, axis: Any = -1, *rest: Any, **named: Any) -> Any:
    """The values in the order of ``argpartition``."""
    array = a if isinstance(a, np.ndarray) else np.asarray(a)
    return array[argpartition(array, kth, axis)] if array.ndim == 1 else _PARTITION(array, kth, axis, *rest, **named)


_PARTITION = np.partition


def _of_list(original: Any) -> Callable[..., Any]:
    """A function of numpy that makes an array of a list by itself."""

    def applied(value: Any, *args: Any, **named: Any) -> Any:
        several = isinstance(value, list | tuple) and has_numbers(value)
        return original(array_of_numbers(value) if several else value, *args, **named)

    return applied


def _where_or(original: Any) -> Callable[..., Any]:
    def chosen(condition: Any, *values: Any) -> Any:
        return _where(condition, *values) if has_numbers((condition, *values)) else original(condition, *values)

    return chosen
