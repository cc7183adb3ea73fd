"""A function and a mechanism compared on floats: many inputs, long lists, extreme parameters, the same noise."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.confirming.normal_forms import Near, NotExaminedError, UndefinedError
from alignkit.implementing.arrays import exact_number
from alignkit.implementing.compared_runs import (
    FLOATS,
    ComparedPair,
    DifferentError,
    differences,
    is_deliberate,
    line_of,
    run_function,
    run_mechanism,
)
from alignkit.implementing.patches import Patches
from alignkit.implementing.tapes import CutError, DrawPlace, FloatNumbers, Rule, Tape

# How far numbers may differ, relatively to the largest of the run, and by how much noise is moved where rounding may
# have decided.
TOLERANCE = 1e-9
NUDGE = 1e-6
STATE = "two runs on the same input and the same noise differ"
# Python's generator, which stands under another name while a function runs.
_RANDOM = random.Random
LENGTHS = (1, 2, 3, 3, 2, 4, 5, 8, 13, 40, 200)


@dataclass(frozen=True)
class FloatCase:
    """Inputs of a mechanism, exact, and the seed of the noise, or the noise itself."""

    inputs: Mapping[str, Any]
    seed: int
    noise: Mapping[Any, Any] | None = None


@dataclass(frozen=True)
class OutputDifference:
    """A case in which they differ: both outputs, and the noise that was read."""

    words: str
    case: FloatCase
    of_function: Any
    of_mechanism: Any
    noise: Mapping[Any, Any]
    line: str = ""


class UndefinedCaseError(Exception):
    """A case that the mechanism does not take."""


class RefusedCaseError(UndefinedCaseError):
    """A case that the function refuses, whatever the private answers and the noise are."""


def float_cases(mechanism: Any, count: int, lengths: Sequence[int] = (), *, small: bool = False) -> Iterator[FloatCase]:
    """Inputs of all kinds: small and long lists, equal answers, whole ones, budgets from small to large.

    Lists have only these ``lengths``, if there are any. Where they are to be ``small``, numbers are near 1.
    """
    lengths = lengths or ((1, 2, 3) if small else LENGTHS)
    for number in range(count):
        draw = _RANDOM(number)
        length = lengths[number % len(lengths)]
        exactly = number % 4 == 3 and not small
        yield FloatCase(_inputs(mechanism, length, draw, small or number < 3, exactly), number)


def _inputs(mechanism: Any, length: int, draw: Any, small: bool, all_digits: bool) -> dict[str, Any]:
    spread = draw.choice([1, 3] if small else [1, 3, 10, 100, 5000])
    whole, equal = draw.random() < 0.4, draw.random() < 0.1


    def answer() -> Fraction:
        value = draw.uniform(-spread, spread)
        if all_digits:
            return Fraction(value)
        return Fraction(round(value)) if whole else exact_number(round(value, 3)) * Fraction(1)

    values: dict[str, Any] = {}
    for name, kind in mechanism.parameters.items():

        def one(kind: Any = kind) -> Any:
            if kind.integer:
                return draw.choice([1, 2, 3, 1, 2, max(1, length // 2)])
            if not kind.bounds:
                return answer()
            candidates = [Fraction(x) for x in ("1", "1/2", "2", "1/10", "10", "1/3", "1/50", "50", "3/4", "1/1000")]
            candidates = [c for c in candidates if all(_fulfils(c, *bound) for bound in kind.bounds)]
            return draw.choice((candidates[:2] if small else candidates) or [Fraction(1, 2)])

        values[name] = [one() for _ in range(length)] if kind.vector else one()
        if kind.vector and equal:
            values[name] = [values[name][0]] * length
    for name, kind in mechanism.parameters.items():
        spacing = values.get(kind.lattice) if isinstance(kind.lattice, str) else kind.lattice
        if spacing is not None:
            parts = values[name] if kind.vector else [values[name]]
            on = [spacing * round(Fraction(v) / Fraction(spacing)) for v in parts]
            values[name] = on if kind.vector else on[0] or spacing
    return values


def _fulfils(value: Fraction, relation: str, limit: Any) -> bool:
    return bool({">": value > limit, ">=": value >= limit, "<": value < limit, "<=": value <= limit}[relation])


def as_floats(question: ComparedPair, inputs: Mapping[str, Any], injected: bool = False) -> dict[str, Any]:
    """Inputs as a library's function takes them: arrays of floats, floats, ints for counts.

    Where a function of the library gives them, whole answers are an array of ints.
    """
    found: dict[str, Any] = {}
    for name, value in inputs.items():
        kind = question.mechanism.parameters[name]
        if isinstance(value, list):
            whole = injected and all(Fraction(v).denominator == 1 for v in value)
            found[name] = np.array([int(v) if whole else float(v) for v in value])
        else:
            found[name] = int(value) if kind.integer else float(value)
    return found


def function_on_floats(
    question: ComparedPair, rule: Rule, places: list[DrawPlace], patches: Patches, case: FloatCase
) -> str:
    """The function's output in one case, or its error, as text, with how often it drew where."""
    tape = patches.recorder.tape = Tape(FloatNumbers(case.seed), rule, places, most=10**4)
    patches.answers = as_floats(question, case.inputs, injected=True)
    try:
        with np.errstate(all="ignore"):
            told = repr(run_function(question, as_floats(question, case.inputs), patches.recorder))
    except (CutError, NotExaminedError):
        raise
    except Exception as problem:
        told = f"{type(problem).__name__}: {problem}"
    return f"{told} {tape.met}"


def compare_on_floats(
    question: ComparedPair, rule: Rule, places: list[DrawPlace], patches: Patches, case: FloatCase
) -> OutputDifference | None:
    """What differs in one case, None where nothing does; what rounding alone decides is no difference."""
    found = _compare(question, rule, places, patches, case, 0)
    if found is None or case.noise is not None or found.words == STATE:
        return found
    for nudge in (NUDGE, -NUDGE):
        try:
            if _compare(question, rule, places, patches, case, nudge) is None:
                patches.excused += 1
                return None
        except UndefinedCaseError:
            continue
    return found


def agrees(question: ComparedPair, rule: Rule, places: list[DrawPlace], patches: Patches, case: FloatCase) -> bool:
    """Whether nothing differs in one case, not even by rounding: cheaper than ``compare_on_floats``."""
    return _compare(question, rule, places, patches, case, 0) is None


def _compare(
    question: ComparedPair, rule: Rule, places: list[DrawPlace], patches: Patches, case: FloatCase, nudge: float
) -> OutputDifference | None:
    numbers = _Nudged(case.seed, dict(case.noise or {}), nudge=nudge)
    size = max((len(v) for v in case.inputs.values() if isinstance(v, list)), default=1)
    tape = Tape(numbers, rule, places, most=1000 + 20 * size)
    try:
        expected = run_mechanism(question, FLOATS, case.inputs, tape)
    except (UndefinedError, NotExaminedError, OverflowError) as problem:
        raise UndefinedCaseError(str(problem)) from None
    outputs, drawn = [], []
    given = as_floats(question, case.inputs)
    for _ in range(2):
        tape.begin()
        patches.recorder.tape = tape
        patches.answers = as_floats(question, case.inputs, injected=True)
        arguments = {name: v.copy() if isinstance(v, np.ndarray) else v for name, v in given.items()}
        try:
            with np.errstate(all="ignore"):
                outputs.append(run_function(question, arguments, patches.recorder))
            drawn.append(dict(tape.met))
        except (CutError, NotExaminedError):
            raise
        except Exception as problem:
            words = f"the function raises {type(problem).__name__}: {problem}"
            if is_deliberate(problem):
                if _refuses_all(question, rule, places, patches, case):
                    raise RefusedCaseError(f"{type(problem).__name__}: {problem}") from None
                words += ", and for other answers or other noise it does not"
            return OutputDifference(words, case, None, expected, dict(numbers.held), line_of(problem))
    if drawn[0] != drawn[1]:
        return OutputDifference(STATE, case, outputs[0], outputs[1], dict(numbers.held))
    largest = _largest([*case.inputs.values(), expected, *outputs])
    for a, b, words in ((*outputs, STATE), (outputs[0], expected, "")):
        problem_ = _apart(a, b, largest)
        if problem_:
            return OutputDifference(words or problem_, case, a, b, dict(numbers.held))
    return None


def _refuses_all(
    question: ComparedPair, rule: Rule, places: list[DrawPlace], patches: Patches, case: FloatCase
) -> bool:
    """Whether the function refuses the public inputs of a case, with other answers and other noise too."""
    for number, factor in enumerate((1, 1, 1, 1, -1, 0, 3, -3, 100, -100)):
        patches.recorder.tape = Tape(FloatNumbers(case.seed + 1000 * number), rule, places, most=10**4)
        inputs = dict(case.inputs)
        for name in question.mechanism.private:
            value = inputs[name]
            inputs[name] = [factor * v for v in value] if isinstance(value, list) else factor * value
        patches.answers = as_floats(question, inputs, injected=True)
        try:
            with np.errstate(all="ignore"):
                run_function(question, as_floats(question, inputs), patches.recorder)
        except (CutError, NotExaminedError):
            raise
        except Exception as problem:
            if is_deliberate(problem):
                continue
        return False
    return True


@dataclass
class _Nudged(FloatNumbers):
    nudge: float = 0

    def uniform(self, family: str, cell: Any) -> float:
        u = super().uniform(family, cell)
        if not self.nudge:
            return u
        return min(max(u * (1 + self.nudge * (1 + FloatNumbers(7).uniform(family, cell))), 1e-15), 1 - 1e-15)


def _largest(values: Any) -> float:
    if isinstance(values, list | tuple):
        return max((_largest(v) for v in values), default=0.0)
    if isinstance(values, Near):
        return abs(float(values.high))
    return abs(float(values)) if isinstance(values, int | float | Fraction) else 0.0


def _apart(one: Any, other: Any, largest: float) -> str:
    """How two outputs differ by more than rounding, "" where they do not."""
    try:
        for a, b in differences(one, other):
            a, b = (Fraction(v.low + v.high) / 2 if isinstance(v, Near) else v for v in (a, b))
            if abs(float(a) - float(b)) <= TOLERANCE * (1 + largest) or a == b:
                continue
            return "the outputs differ in a number"
    except DifferentError as problem:
        return str(problem)
    return ""
