"""One run of a user's function and one of the mechanism, on the same inputs and the same tape."""

from __future__ import annotations

import contextlib
import dis
import math
import os
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.confirming.normal_forms import Comparison, Near, NotExaminedError, Number, UndefinedError, divided
from alignkit.confirming.trials import Source, decided, undefined_as_such
from alignkit.confirming.users_functions import Mark, Names
from alignkit.confirming.worlds import Functions
from alignkit.implementing.arrays import exact_number, objects
from alignkit.implementing.tapes import Tape

_OWN = os.path.dirname(os.path.dirname(__file__))


class DifferentError(Exception):
    """Two outputs that differ whatever numbers are in them."""


class FormError(NotExaminedError):
    """Two outputs that are one but for their kinds: a list and a tuple, a truth value and a tag."""


class FloatFunctions(Functions):
    """The functions of the language on floats: a comparison with floats needs no more digits."""

    def __init__(self) -> None:
        super().__init__(None)

    def sqrt(self, value: Any) -> Any:
        """The square root."""
        return math.sqrt(value)

    def _power(self, base: int, value: Any) -> Any:
        return 2.0 ** float(value) if base == 2 else math.exp(value)

    def log(self, value: Any) -> Any:
        """The natural logarithm."""
        return math.log(value)

    def power(self, base: Any, exponent: Any) -> Any:
        """A base to a power."""
        return base**exponent if isinstance(exponent, int) else float(base) ** float(exponent)


# What the functions of a mechanism are computed with where its numbers are floats.
FLOATS = FloatFunctions()


@dataclass(frozen=True)
class ComparedPair:
    """A function and a mechanism that are compared: how it is called, and what of its output is compared."""

    function: Callable[..., Any]
    mechanism: Any
    call: Callable[..., Any]
    post: Callable[[Any], Any] = field(default=lambda output: output)
    # The mechanism as it runs on floats, which is made once for all runs.
    on_floats: list[Callable[..., Any]] = field(default_factory=list, repr=False, compare=False)


def run_function(question: ComparedPair, inputs: Mapping[str, Any], recorder: Any) -> Any:
    """The output of the function, as values that can be compared.

    What this room does not follow ends the run, though the function's own code may have caught the error.
    """
    recorder.ended = None
    try:
        raw = question.post(question.call(question.function, **inputs))
        value = comparable(raw)
    finally:
        if recorder.ended is not None:
            raise recorder.ended
    symbolic = recorder.calculus is not None
    sizes = tuple(len(v) if hasattr(v, "__len__") else v if isinstance(v, int) else 0 for v in inputs.values())
    found, key = form_of_output(raw, symbolic), (symbolic, sizes, _outline(value))
    known = recorder.forms.setdefault(key, found)
    if known != found:
        raise FormError(f"one output in two forms, {known} and {found}, which may tell data apart")
    return value


def form_of_output(value: Any, symbolic: bool = False) -> str:
    """Of which kinds an output and its parts are: equal numbers in a list and in a tuple may tell data apart.

    A whole number of a symbolic run may stand for a float: these two are told apart on floats.
    """
    if isinstance(value, np.ndarray) and not value.ndim and symbolic:
        value = value.item()
    if isinstance(value, np.ndarray) and not value.ndim:
        return f"array of {value.dtype} without axes"
    if isinstance(value, list | tuple | np.ndarray):
        kind = type(value).__name__
        if isinstance(value, np.ndarray):
            kind = "array" if symbolic else f"{kind} of {value.dtype}"
        return f"{kind}({', '.join(form_of_output(part, symbolic) for part in value)})"
    if isinstance(value, dict):
        parts = (f"{key!r}: {form_of_output(part, symbolic)}" for key, part in value.items())
        return f"dict({', '.join(parts)})"
    if isinstance(value, bool | np.bool_ | Comparison):
        return "truth value"
    if symbolic and isinstance(value, int | np.integer | Number | Fraction | float | np.floating):
        return "number"
    if type(value) is int or isinstance(value, np.integer):
        return "whole number"
    return "number" if type(value) is float or isinstance(value, np.floating) else type(value).__name__


def _outline(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_outline, value))}]"
    if isinstance(value, bool):
        return "'ABOVE'" if value else "'BELOW'"
    return repr(value) if isinstance(value, int | str) or value is None else "#"


def run_mechanism(question: ComparedPair, functions: Functions, inputs: Mapping[str, Any], tape: Tape) -> Any:
    """The output of the mechanism, whose own Python function is run."""
    mechanism = question.mechanism

    def draw(source: Source, kind: str, parameters: tuple[Any, ...]) -> Any:
        name = source.prefix + (source.name or str(source.path[-1]))
        return _drawn(functions, tape, name, source.rounds, kind, parameters)

    def call(callee: Any, function: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        order = list(function.__code__.co_varnames[: function.__code__.co_argcount])
        given = dict(zip(order, arguments, strict=False)) | named
        given[callee.noise_name] = given[callee.noise_name].within(f"{callee.name}_", None)
        return _outputs(lambda: function(**given))

    names = Names(functions, call)
    try:
        function = question.on_floats[0] if question.on_floats and functions is FLOATS else None
        function = function or names.function(mechanism.python)
        if functions is FLOATS and not question.on_floats:
            question.on_floats.append(function)
        given = {name: list(v) if isinstance(v, list | tuple) else v for name, v in inputs.items()}
        return comparable(_outputs(lambda: function(**given, **{mechanism.noise_name: Source(draw)})))
    finally:
        if functions is not FLOATS:
            names.close()


def _outputs(run: Callable[[], Any]) -> Any:
    result = undefined_as_such(run)
    if not isinstance(result, Iterator):
        return decided(result)
    return decided(undefined_as_such(lambda: list(result)))


def _drawn(
    functions: Functions, tape: Tape, name: str, rounds: tuple[int, ...], kind: str, parameters: tuple[Any, ...]
) -> Any:
    if kind == "choice":
        weights = list(parameters[0])
        if not weights or any(weight < 0 for weight in weights) or not sum(weights) > 0:
            raise UndefinedError("a choice whose weights are none", *weights)
        return tape.of_mechanism(name, rounds, kind, weights)
    if kind.startswith("cut_"):
        raise NotExaminedError("noise that is cut off")
    scale, lattice = (*parameters, 1)[:2]
    for value in (scale, lattice):
        if not value > 0:
            raise UndefinedError("a scale that is not above 0", value)
    if kind in ("laplace", "exponential", "gumbel", "logistic"):
        return scale * exact_number(tape.of_mechanism(name, rounds, kind))
    ratio = functions.exp2(-scale * lattice) if kind.endswith("_base2") else functions.exp(-divided(lattice, scale))
    return lattice * exact_number(tape.of_mechanism(name, rounds, kind.removesuffix("_base2"), ratio))


def comparable(value: Any) -> Any:
    """An output as values that can be compared: lists, tags by name, numbers."""
    if isinstance(value, np.ndarray):
        value = list(objects(value)) if value.ndim else value.item()
    if isinstance(value, list | tuple):
        return [comparable(part) for part in value]
    if isinstance(value, dict):
        return [[comparable(key), comparable(part)] for key, part in sorted(value.items())]
    if isinstance(value, Mark) or (type(value).__name__ == "Tag" and hasattr(value, "name")):
        return value.name
    if isinstance(value, Comparison):
        return bool(value)
    if isinstance(value, float) and value != value:
        return "nan"
    return exact_number(value)


def differences(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """The pairs of numbers of two outputs; DifferentError where their shapes, tags or truth values differ."""
    if isinstance(one, list) or isinstance(other, list):
        if not isinstance(one, list) or not isinstance(other, list) or len(one) != len(other):
            raise DifferentError("the outputs have different lengths")
        for a, b in zip(one, other, strict=True):
            yield from differences(a, b)
    elif isinstance(one, bool) or isinstance(other, bool):
        # A truth value may stand for a tag, since it tells as much; for a number it may not.
        tags = {True: "ABOVE", False: "BELOW"}
        values = [tags[v] if isinstance(v, bool) else v for v in (one, other)]
        if values[0] != values[1]:
            raise DifferentError("the outputs differ in a truth value")
    elif _is_number(one) and _is_number(other):
        yield one, other
    elif not (type(one) is type(other) and one == other):
        raise DifferentError("the outputs differ in kind")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Fraction | Number | Near) and not isinstance(value, bool)


def line_of(error: BaseException) -> str:
    """The line of the user's code at which an error arose."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if not f.filename.startswith(_OWN) and f"{os.sep}numpy{os.sep}" not in f.filename]
    own = [f for f in own if os.path.exists(f.filename) and f.filename != contextlib.__file__]
    return f"{os.path.basename(own[-1].filename)}:{own[-1].lineno}" if own else ""


def is_deliberate(error: Exception) -> bool:
    """Whether the user's own code raises an error: by a ``raise`` or an ``assert``."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_filename.startswith(_OWN):
        return False
    return dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"
