"""Events over outputs: a pattern of tags, indices, and intervals for real parts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Interval:
    """The numbers x with low <= x < high; None where there is no end.

    >>> Fraction(3) in Interval(Fraction(0), Fraction(3)), 7 in Interval(low=Fraction(0))
    (False, True)
    """

    low: Fraction | None = None
    high: Fraction | None = None

    def __contains__(self, x: Any) -> bool:
        if isinstance(x, bool) or not isinstance(x, int | float | Fraction):
            return False
        return (self.low is None or x >= self.low) and (self.high is None or x < self.high)

    def __str__(self) -> str:
        if self.low is None:
            return "any number" if self.high is None else f"< {self.high}"
        return f">= {self.low}" if self.high is None else f"in [{self.low}, {self.high})"


@dataclass(frozen=True)
class OneOf:
    """One of some discrete values: tags, whole numbers, text.

    >>> 3 in OneOf(frozenset({1, 3}))
    True
    """

    values: frozenset[Hashable]

    def __contains__(self, value: Any) -> bool:
        return isinstance(value, Hashable) and value in self.values

    def __str__(self) -> str:
        return " or ".join(sorted(str(value) for value in self.values))


@dataclass(frozen=True)
class Anything:
    """Every output."""

    def __contains__(self, value: Any) -> bool:
        return True

    def __str__(self) -> str:
        return "anything"


ANYTHING = Anything()

# So many of the patterns of a union are shown.
_MOST_SHOWN = 6


@dataclass(frozen=True)
class Either:
    """As the pattern of a whole output: it fits one of some patterns, or with ``none`` no one of them.

    >>> 3 in Either((3, Interval(high=Fraction(0)))), 3 in Either((3, 4), none=True)
    (True, False)
    """

    patterns: tuple[Any, ...]
    none: bool = False

    def __contains__(self, value: Any) -> bool:
        return any(fits(pattern, value) for pattern in self.patterns) is not self.none

    def __str__(self) -> str:
        listed = [_shown(pattern) for pattern in self.patterns[:_MOST_SHOWN]]
        if len(self.patterns) > _MOST_SHOWN:
            listed.append(f"one of {len(self.patterns) - _MOST_SHOWN} more")
        if not self.none:
            return " or ".join(listed)
        return f"neither {' nor '.join(listed)}" if len(listed) > 1 else f"not {listed[0]}"


@dataclass(frozen=True)
class Event:
    """A set of outputs: those that fit a pattern.

    A pattern is a value that the output must equal (a tag, a whole number, None), an ``Interval``, a ``OneOf``,
    ``ANYTHING``, or a tuple of patterns, one for each part of a tuple; or ``Either`` of several of these. With ``more``
    further outputs may follow those of the pattern.

    >>> from alignkit import ABOVE, BELOW
    >>> event = Event((BELOW, Interval(low=Fraction(0))))
    >>> event.holds((BELOW, Fraction(1, 2))), event.holds((BELOW, ABOVE)), event.holds((BELOW,))
    (True, False, False)
    >>> print(event)
    (BELOW, >= 0)
    """

    pattern: Any
    more: bool = False

    def holds(self, output: Any) -> bool:
        """Whether an output, with tuples for its sequences, lies in the event."""
        if self.more and isinstance(self.pattern, tuple) and isinstance(output, tuple):
            output = output[: len(self.pattern)]
        return fits(self.pattern, output)

    @property
    def patterns(self) -> tuple[Any, ...]:
        """The patterns that the event is made of: several for ``Either``, otherwise its own."""
        return self.pattern.patterns if isinstance(self.pattern, Either) else (self.pattern,)

    def __str__(self) -> str:
        shown = _shown(self.pattern)
        return f"{shown[:-1].rstrip(',')}, …)" if self.more and shown.endswith(")") else shown


ANY_OUTPUT = Event(ANYTHING)


def fits(pattern: Any, value: Any) -> bool:
    """Whether a value fits a pattern."""
    if isinstance(pattern, tuple):
        return (
            isinstance(value, tuple)
            and len(value) == len(pattern)
            and all(fits(p, v) for p, v in zip(pattern, value, strict=True))
        )
    if isinstance(pattern, Interval | OneOf | Anything | Either):
        return value in pattern
    return type(value) is not tuple and bool(pattern == value) and isinstance(pattern, bool) == isinstance(value, bool)


def apart(one: Any, other: Any) -> bool:
    """Whether it is certain that no value fits both patterns.

    >>> apart((1, Interval(high=Fraction(0))), (1, Interval(low=Fraction(0)))), apart((1, ANYTHING), (1, 2))
    (True, False)
    """
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) != len(other) or any(map(apart, one, other))
    if isinstance(one, Interval) and isinstance(other, Interval):
        pairs = ((one.high, other.low), (other.high, one.low))
        return any(high is not None and low is not None and high <= low for high, low in pairs)
    if any(isinstance(pattern, Anything | OneOf | Either) for pattern in (one, other)):
        return False
    if isinstance(other, Interval):
        one, other = other, one
    return not fits(one, other)


def flattened(output: Any) -> Iterator[Any]:
    """Yield the parts of an output or a pattern that are not tuples, from left to right.

    >>> list(flattened((1, ("a", ()), None)))
    [1, 'a', None]
    """
    if isinstance(output, tuple):
        for part in output:
            yield from flattened(part)
    else:
        yield output


def mapped(function: Callable[[Any], Any], output: Any) -> Any:
    """Replace each part of an output or a pattern that is no tuple by the function's value there.

    >>> mapped(abs, (-1, (2, -3)))
    (1, (2, 3))
    """
    return tuple(mapped(function, part) for part in output) if isinstance(output, tuple) else function(output)


def with_parts(output: Any, parts: Iterable[Any]) -> Any:
    """Replace the parts of an output or a pattern that are no tuples by others, from left to right.

    >>> with_parts((None, (None, None)), "abc")
    ('a', ('b', 'c'))
    """
    source = iter(parts)
    return mapped(lambda _: next(source), output)


def equal_outputs(output: Any) -> Any:
    """The pattern of the outputs that Python holds equal to one: in a ``OneOf``, as in any set, True and 1 are alike.

    >>> fits(equal_outputs((1, "a")), (True, "a"))
    True
    """
    return mapped(lambda part: OneOf(frozenset({part})), output)


def _shown(pattern: Any) -> str:
    if isinstance(pattern, tuple):
        inside = ", ".join(_shown(part) for part in pattern)
        return f"({inside},)" if len(pattern) == 1 else f"({inside})"
    return str(pattern)
