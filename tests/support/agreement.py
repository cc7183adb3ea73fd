"""One program, run by Python and by the evaluator on the same inputs and noise."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit import InputError, Mechanism, Noise
from alignkit.errors import AlignkitError, Undefined
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import NOISE, Returned
from alignkit.noise import Distribution, Support
from alignkit.running.replaying import UNDEFINED, DrawnNoise, RecordingContext, alike, run_program

Drawn = list[tuple[str, tuple[Any, ...]]]


@dataclass
class Result:
    """What a run gave and drew; ``error`` where it was not defined."""

    output: Any
    drawn: Drawn
    error: Exception | None


def value(distribution: Distribution, arguments: tuple[Any, ...], number: int, seed: int, exact: bool) -> Any:
    """The noise of the draw of that number: any value of the support."""
    source = random.Random(f"{seed} {number}")
    x = Fraction(source.randint(-12, 12), source.choice((1, 2, 3, 4)))
    if not distribution.support.continuous:
        x = Fraction(arguments[-1]) * source.randint(-6, 6)
    if distribution.support in (Support.NONNEGATIVE, Support.NONNEGATIVE_LATTICE):
        x = abs(x)
    return x if exact else float(x)


class MadeUpContext(RecordingContext):
    """The evaluator's side."""

    def __init__(self, mechanism: Mechanism, seed: int, exact: bool) -> None:
        super().__init__(mechanism)
        self.seed, self.exact = seed, exact

    def draw(self, where, distribution, arguments, place):
        made = value(distribution, arguments, len(self.drawn), self.seed, self.exact)
        self.drawn.append(DrawnNoise(where, distribution, arguments, made, place))
        return made


class MadeUpNoise(Noise):
    """Python's side."""

    def __init__(self, seed: int, exact: bool) -> None:
        self.seed, self.exact = seed, exact
        self.drawn: Drawn = []

    def draw(self, distribution, *parameters):
        arguments = distribution.bind(*parameters)
        if not all(a > 0 for a in arguments):
            raise InputError("a scale is not above 0")
        self.drawn.append((distribution.name, arguments))
        return value(distribution, arguments, len(self.drawn) - 1, self.seed, self.exact)


def by_python(function: Any, values: dict[str, Any], seed: int, exact: bool) -> Result:
    """The function run by Python, noise made up from the seed."""
    noise = MadeUpNoise(seed, exact)
    arguments = {n: list(v) if isinstance(v, tuple) else v for n, v in values.items()}
    outputs: list[Any] = []
    try:
        given = function(**arguments, noise=noise)
        if hasattr(given, "__next__"):
            for each in given:
                outputs.append(each)
            given = outputs
        return Result(given, noise.drawn, None)
    except UNDEFINED as problem:
        return Result(outputs, noise.drawn, problem)


def by_evaluator(mechanism: Mechanism, values: dict[str, Any], seed: int, exact: bool) -> Result:
    """The program run by the evaluator, noise made up from the seed."""
    context = MadeUpContext(mechanism, seed, exact)
    if exact:
        run = run_program(mechanism, values, context)
        error: Exception | None = None if run.defined else AlignkitError(run.problem)
        output = run.output
    else:
        evaluator, output, error = Evaluator(context, exact=False), None, None
        try:
            signal = evaluator.block(mechanism.program.body, {**values, "noise": NOISE})
            output = signal.value if isinstance(signal, Returned) else None
        except Undefined as problem:
            error = problem
        if mechanism.program.is_generator:
            output = tuple(evaluator.outputs)
    assert len({d.where for d in context.drawn}) == len(context.drawn), "two draws have one coordinate"
    drawn = [(d.distribution.name, d.arguments) for d in context.drawn]
    if error is not None and not mechanism.program.is_generator:
        output = ()
    return Result(output, drawn, error)


def assert_agree(python: Result, evaluator: Result, text: str) -> None:
    """Python and the evaluator gave the same and drew the same, or both failed at the same point."""
    shown = f"{text}\nPython: {python}\nevaluator: {evaluator}"
    assert (python.error is None) == (evaluator.error is None), shown
    assert alike(python.output, evaluator.output), shown
    assert len(python.drawn) == len(evaluator.drawn), shown
    for one, other in zip(python.drawn, evaluator.drawn):
        assert one[0] == other[0], shown
        assert alike(one[1], other[1]), shown
