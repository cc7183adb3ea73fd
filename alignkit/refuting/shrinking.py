"""Shrinking: a counterexample small enough to check by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from alignkit.errors import OutOfTime
from alignkit.limits import NEVER, Deadline
from alignkit.refuting.convicting import convicts
from alignkit.results import Witness
from alignkit.running.alignment_decorator import Alignment


def shrink(
    alignment: Alignment, candidate: Witness, rounds: int = 400, deadline: Deadline = NEVER
) -> Witness:
    """The simplest candidate that breaks the same condition: fewer queries first, then simpler numbers."""
    first = convicts(alignment, candidate)
    assert first is not None
    assert first.violation is not None
    condition = first.violation.condition
    best, left = candidate, rounds
    improved = True
    while improved and left > 0:
        improved = False
        for smaller in _simpler(alignment, best):
            left -= 1
            if left <= 0 or deadline.passed:
                return best
            if _size(smaller) >= _size(best):
                continue
            try:
                trial = convicts(alignment, smaller, deadline)
            except OutOfTime:
                return best
            if trial is not None and trial.violation is not None and trial.violation.condition == condition:
                best, improved = smaller.with_noise(trial.run.H), True
                break
    return best


def _simpler(alignment: Alignment, witness: Witness) -> Iterator[Witness]:
    vectors = [name for name, kind in alignment.mechanism.parameters.items() if kind.vector]
    size = len(witness.values[vectors[0]]) if vectors else 0
    for position in range(size - 1, -1, -1):
        if size > 1:
            yield without_query(witness, vectors, position)
    yield from _simpler_public(alignment, witness)
    yield from _simpler_answers(witness)
    yield from _simpler_noise(witness)


def without_query(witness: Witness, vectors: list[str], position: int) -> Witness:
    """The inputs without the entries of all vectors at a position, and without the noise drawn for them."""

    def cut(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: _drop(value, position) if name in vectors else value for name, value in values.items()}

    noise = {name: _drop(value, position) if isinstance(value, tuple) else value for name, value in witness.H.items()}
    return Witness(cut(witness.public), cut(witness.q), cut(witness.q_), noise)


def _drop(values: tuple[Any, ...], position: int) -> tuple[Any, ...]:
    return values[:position] + values[position + 1 :]


def _simpler_public(alignment: Alignment, witness: Witness) -> Iterator[Witness]:
    mechanism = alignment.mechanism
    for name, kind in mechanism.public.items():
        value = witness.public[name]
        replaced: list[Any]
        if kind.vector:
            replaced = [_put(value, i, x) for i in range(len(value)) for x in (Fraction(0), Fraction(1))]
        else:
            replaced = [int(x) if kind.integer else x for x in kind.sample_values()[:2]]
        for new in replaced:
            values, values_ = ({**given, name: new} for given in (witness.values, witness.values_))
            yield Witness.of(mechanism, mechanism.on_lattices(values), mechanism.on_lattices(values_), witness.H)
        if not kind.vector and not kind.positive and value:
            yield _moved_together(witness, name)


def _moved_together(witness: Witness, name: str) -> Witness:
    """A public number brought to 0 with all answers moved along."""
    by = -Fraction(witness.public[name])

    def moved(answers: Mapping[str, Any]) -> dict[str, Any]:
        return {n: tuple(x + by for x in held) if isinstance(held, tuple) else held + by for n, held in answers.items()}

    public = {**witness.public, name: Fraction(0)}
    return replace(witness, public=public, q=moved(witness.q), q_=moved(witness.q_))


def _simpler_answers(witness: Witness) -> Iterator[Witness]:
    for name, one in witness.q.items():
        other = witness.q_[name]
        if not isinstance(one, tuple):
            for x, y in _simpler_pair(one, other):
                yield replace(witness, q={**witness.q, name: x}, q_={**witness.q_, name: y})
            continue
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            for x, y in _simpler_pair(a, b):
                q, q_ = {**witness.q, name: _put(one, i, x)}, {**witness.q_, name: _put(other, i, y)}
                yield replace(witness, q=q, q_=q_)


def _simpler_pair(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    change = other - one
    for x in _simpler_numbers(one):
        yield x, x + change
        yield x, other
    yield one, one


def _simpler_noise(witness: Witness) -> Iterator[Witness]:
    for name, value in witness.H.items():
        if not isinstance(value, tuple):
            for x in _simpler_numbers(value):
                yield witness.with_noise({**witness.H, name: x})
            continue
        for i, held in enumerate(value):
            if held is None or isinstance(held, tuple):
                continue
            for x in _simpler_numbers(held):
                yield witness.with_noise({**witness.H, name: _put(value, i, x)})


def _simpler_numbers(value: Any) -> Iterator[Fraction]:
    held = Fraction(value)
    for x in (0, 1, -1, 2, -2, Fraction(1, 2), Fraction(-1, 2)):
        if _complexity(Fraction(x)) < _complexity(held):
            yield Fraction(x)
    for x in (Fraction(int(held)), Fraction(round(held * 2), 2)):
        if _complexity(x) < _complexity(held):
            yield x


def _put(values: tuple[Any, ...], position: int, value: Any) -> tuple[Any, ...]:
    return (*values[:position], value, *values[position + 1 :])


def _complexity(value: Fraction) -> tuple[int, int, bool]:
    return (value.denominator, abs(value.numerator), value < 0)


def _size(witness: Witness) -> tuple[int, int]:
    """How much there is to read: how many numbers, then how long they are."""
    numbers: list[Fraction] = []

    def add(value: Any) -> None:
        if isinstance(value, tuple):
            for part in value:
                add(part)
        elif value is not None:
            numbers.append(Fraction(value))

    for values in (witness.values, witness.values_, witness.H):
        for value in values.values():
            add(value)
    return len(numbers), sum(3 * (x.denominator - 1) + 2 * abs(x.numerator) + (x < 0) for x in numbers)
