"""Path exploration: a program is run again and again, each time down another path of undecided choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from alignkit.errors import TooManyPaths

Result = TypeVar("Result")


class Choices:
    """The numbered choices that lead down one path: the first ones are given, each later one takes its way 0.

    ``repeated`` is the number of choices up to which an earlier path was the same.

    >>> choices = Choices([(2, 3)])
    >>> choices.choose(3), choices.choose(2), choices.made
    (2, 0, [(2, 3), (0, 2)])
    """

    def __init__(self, given: list[tuple[int, int]] | None = None, repeated: int = 0) -> None:
        self._choices = given or []
        self._repeated = repeated
        self._count = 0

    @property
    def made(self) -> list[tuple[int, int]]:
        """The choices that the run has met so far, in order: which way was taken, and of how many."""
        return self._choices[: self._count]

    @property
    def repeats(self) -> bool:
        """Whether an earlier path has come to this point by the same choices."""
        return self._count < self._repeated

    def choose(self, ways: int) -> int:
        """The way that this path takes where there are ``ways`` of them, numbered from 0."""
        if self._count == len(self._choices):
            self._choices.append((0, ways))
        way, _ = self._choices[self._count]
        self._count += 1
        return way


def explore(
    run: Callable[[Choices], Result], limit: int = 4096, tick: Callable[[], object] = lambda: None
) -> Iterator[Result]:
    """Yields what ``run`` returns on each of its paths; of the choices made, the last takes its next way first.

    ``tick`` is called before every path, and what it raises ends the exploration. So does an Infeasible that ``run``
    lets through: the caller decides what a path that ends early still says. Raises TooManyPaths after ``limit`` paths.

    >>> list(explore(lambda choices: (choices.choose(2), choices.choose(2))))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    given: list[tuple[int, int]] = []
    for _ in range(limit):
        tick()
        choices = Choices(given, repeated=len(given))  # up to its last choice, an earlier path was the same
        yield run(choices)
        made = choices.made
        while made and made[-1][0] + 1 == made[-1][1]:
            made.pop()
        if not made:
            return
        way, ways = made[-1]
        given = [*made[:-1], (way + 1, ways)]
    raise TooManyPaths(f"more than {limit} paths")
