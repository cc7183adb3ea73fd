"""Shrinking: a counterexample small enough to check by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from alignkit.errors import OutOfTime
from alignkit.limits import NEVER, Deadline
from alignkit.refuting.convicting import convicts, coordinates
from alignkit.results import Witness
from alignkit.running.alignment_program import AlignmentProgram

# The numbers that every other one is replaced by, if it may be, the simplest first.
_SIMPLEST = tuple(Fraction(halves, 2) for halves in (0, 2, -2, 4, -4, 1, -1))


def shrink(
    alignment: AlignmentProgram, candidate: Witness, rounds: int = 400, deadline: Deadline = NEVER
) -> Witness:
    """The simplest candidate that breaks the same condition: fewer queries first, then simpler numbers."""
    first = convicts(alignment, candidate)
    assert first is not None
    assert first.violation is not None
    condition = first.violation.condition
    best, left, improved = candidate, rounds, True
    while improved:
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


def _simpler(alignment: AlignmentProgram, witness: Witness) -> Iterator[Witness]:
    vectors = [name for name, kind in alignment.mechanism.parameters.items() if kind.vector]
    size = len(witness.values[vectors[0]]) if vectors else 0
    if size > 1:
        for position in reversed(range(size)):
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


def _simpler_public(alignment: AlignmentProgram, witness: Witness) -> Iterator[Witness]:
    mechanism = alignment.mechanism
    for name, kind in mechanism.public.items():
        value = witness.public[name]
        if kind.vector:
            simpler: list[Any] = [_put(value, i, x) for i in range(len(value)) for x in (Fraction(0), Fraction(1))]
        else:
            simpler = [int(x) if kind.integer else x for x in kind.sample_values()[:2]]
        for new in simpler:
            changed = ({**given, name: new} for given in (witness.values, witness.values_))
            values, values_ = map(mechanism.domain.on_lattices, changed)
            yield Witness.of(mechanism, values, values_, witness.H)
        if not kind.vector and not kind.positive and value:
            yield _moved_together(witness, name)


def _moved_together(witness: Witness, name: str) -> Witness:
    """A public number brought to 0 with all answers moved along."""
    by = -Fraction(witness.public[name])

    def moved(answers: Mapping[str, Any]) -> dict[str, Any]:
        return {n: tuple(x + by for x in q) if isinstance(q, tuple) else q + by for n, q in answers.items()}

    public = {**witness.public, name: Fraction(0)}
    return replace(witness, public=public, q=moved(witness.q), q_=moved(witness.q_))


def _simpler_answers(witness: Witness) -> Iterator[Witness]:
    for name, one in witness.q.items():
        other = witness.q_[name]
        for (position, answer), (_, answer_) in zip(_places(one), _places(other), strict=True):
            for x, y in _simpler_pair(answer, answer_):
                q, q_ = {**witness.q, name: _put(one, position, x)}, {**witness.q_, name: _put(other, position, y)}
                yield replace(witness, q=q, q_=q_)


def _simpler_pair(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    change = other - one
    for x in _simpler_numbers(one):
        yield x, x + change
        yield x, other
    yield one, one


def _simpler_noise(witness: Witness) -> Iterator[Witness]:
    for name, value in witness.H.items():
        for position, number in _places(value):
            if number is None or isinstance(number, tuple):
                continue
            for x in _simpler_numbers(number):
                yield witness.with_noise({**witness.H, name: _put(value, position, x)})


def _simpler_numbers(value: Any) -> Iterator[Fraction]:
    given = Fraction(value)
    for x in (*_SIMPLEST, Fraction(int(given)), Fraction(round(given * 2), 2)):
        if _complexity(x) < _complexity(given):
            yield x


def _places(value: Any) -> Iterable[tuple[int | None, Any]]:
    """The items of a tuple with their positions; a number by itself has the position None."""
    return enumerate(value) if isinstance(value, tuple) else [(None, value)]


def _put(value: Any, position: int | None, item: Any) -> Any:
    """A value with another item at one of its places."""
    return item if position is None else (*value[:position], item, *value[position + 1 :])


def _complexity(value: Fraction) -> tuple[int, int, bool]:
    return (value.denominator, abs(value.numerator), value < 0)


def _size(witness: Witness) -> tuple[int, int]:
    """How much there is to read: how many numbers, then how long they are."""
    values = (*witness.values.values(), *witness.values_.values(), *witness.H.values())
    numbers = [Fraction(number) for value in values for _, number in coordinates(value)]
    return len(numbers), sum(3 * (x.denominator - 1) + 2 * abs(x.numerator) + (x < 0) for x in numbers)
