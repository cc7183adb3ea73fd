"""Shrinking: a counterexample small enough to check by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from alignkit.errors import OutOfTime
from alignkit.limits import NEVER, Deadline
from alignkit.refuting.candidates import Candidate, convicts
from alignkit.running.alignment import Alignment


def shrink(
    alignment: Alignment, candidate: Candidate, rounds: int = 400, deadline: Deadline = NEVER
) -> Candidate:
    """The simplest candidate found that breaks the same condition: fewer queries first, then simpler numbers."""
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
                best, improved = _trimmed(smaller, trial), True
                break
    return best


def _trimmed(candidate: Candidate, trial: Any) -> Candidate:
    """The candidate with the noise it draws and no more."""
    from alignkit.running.aligned import as_vector

    return Candidate(candidate.values, candidate.values_, as_vector(trial.run))


def _simpler(alignment: Alignment, candidate: Candidate) -> Iterator[Candidate]:
    vectors = [n for n, kind in alignment.mechanism.parameters.items() if kind.vector]
    size = len(candidate.values[vectors[0]]) if vectors else 0
    for position in range(size - 1, -1, -1):
        if size > 1:
            yield without(candidate, vectors, position)
    yield from _simpler_public(alignment, candidate)
    yield from _simpler_answers(alignment, candidate)
    yield from _simpler_noise(candidate)


def without(candidate: Candidate, vectors: list[str], position: int) -> Candidate:
    def cut(values: Mapping[str, Any]) -> dict[str, Any]:
        return {n: _drop(v, position) if n in vectors else v for n, v in values.items()}

    noise = {n: _drop(v, position) if isinstance(v, tuple) else v for n, v in candidate.noise.items()}
    return Candidate(cut(candidate.values), cut(candidate.values_), noise)


def _drop(values: tuple[Any, ...], position: int) -> tuple[Any, ...]:
    return values[:position] + values[position + 1 :]


def _simpler_public(alignment: Alignment, candidate: Candidate) -> Iterator[Candidate]:
    for name, kind in alignment.mechanism.public.items():
        value = candidate.values[name]
        replaced: list[Any]
        if kind.vector:
            replaced = [_put(value, i, x) for i in range(len(value)) for x in (Fraction(0), Fraction(1))]
        else:
            replaced = [int(x) if kind.integer else x for x in kind.sample_values()[:2]]
        for new in replaced:
            moved = {name: new}
            on_lattice = alignment.mechanism.on_lattices
            values, values_ = on_lattice({**candidate.values, **moved}), on_lattice({**candidate.values_, **moved})
            yield Candidate(values, values_, candidate.noise)
        if not kind.vector and not kind.positive:
            yield from _moved_together(alignment, candidate, name)


def _moved_together(alignment: Alignment, candidate: Candidate, name: str) -> Iterator[Candidate]:
    """A public number brought to 0 with all answers moved along."""
    by = -Fraction(candidate.values[name])
    if by:
        moved = {name: Fraction(0)}
        values, values_ = {**candidate.values, **moved}, {**candidate.values_, **moved}
        for private in alignment.mechanism.private:
            for side in (values, values_):
                held = side[private]
                side[private] = tuple(x + by for x in held) if isinstance(held, tuple) else held + by
        yield Candidate(values, values_, candidate.noise)


def _simpler_answers(alignment: Alignment, candidate: Candidate) -> Iterator[Candidate]:
    for name in alignment.mechanism.private:
        one, other = candidate.values[name], candidate.values_[name]
        if not isinstance(one, tuple):
            for x, y in _simpler_pair(one, other):
                yield Candidate({**candidate.values, name: x}, {**candidate.values_, name: y}, candidate.noise)
            continue
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            for x, y in _simpler_pair(a, b):
                yield Candidate(
                    {**candidate.values, name: _put(one, i, x)},
                    {**candidate.values_, name: _put(other, i, y)},
                    candidate.noise,
                )


def _simpler_pair(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    change = other - one
    for x in _simpler_numbers(one):
        yield x, x + change
        yield x, other
    yield one, one


def _simpler_noise(candidate: Candidate) -> Iterator[Candidate]:
    for name, value in candidate.noise.items():
        if not isinstance(value, tuple):
            for x in _simpler_numbers(value):
                yield Candidate(candidate.values, candidate.values_, {**candidate.noise, name: x})
            continue
        for i, held in enumerate(value):
            if held is None or isinstance(held, tuple):
                continue
            for x in _simpler_numbers(held):
                yield Candidate(candidate.values, candidate.values_, {**candidate.noise, name: _put(value, i, x)})


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


def _size(candidate: Candidate) -> tuple[int, int]:
    """How much there is to read: how many numbers, then how long they are."""
    numbers: list[Fraction] = []

    def add(value: Any) -> None:
        if isinstance(value, tuple):
            for part in value:
                add(part)
        elif value is not None:
            numbers.append(Fraction(value))

    for values in (candidate.values, candidate.values_, candidate.noise):
        for value in values.values():
            add(value)
    return len(numbers), sum(3 * (x.denominator - 1) + 2 * abs(x.numerator) + (x < 0) for x in numbers)
