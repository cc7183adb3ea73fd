"""Path exploration: a function is run again and again, each time down another path of undecided conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from alignkit.symbolic.formulas import Formula, conjunction, implies


class TooManyPaths(Exception):
    """The program branches more than the exploration allows."""


class Path:
    """One path: the conditions assumed on it, in order, and the choices that lead down it."""

    def __init__(self, choices: tuple[bool, ...]) -> None:
        self.choices = list(choices)
        self.taken = 0
        self.assumed: list[Formula] = []
        self.keys: set[str] = set()
        self.guards: list[Any] = []

    def decide(self, condition: Any) -> bool:
        """Which way an undecided condition goes on this path; it is assumed from here on."""
        if isinstance(condition, bool):
            return condition
        if condition.key in self.keys:
            return True
        opposite = ~condition
        if isinstance(opposite, bool):
            return not opposite
        if opposite.key in self.keys:
            return False
        if self.taken == len(self.choices):
            self.choices.append(True)
        way = self.choices[self.taken]
        self.taken += 1
        self.assume(condition if way else opposite)
        return way

    def assume(self, condition: Any) -> None:
        """Take a condition as given from here on; under a guard, only where the guard holds."""
        guarded = implies(conjunction(tuple(self.guards)), condition) if self.guards else condition
        if isinstance(guarded, bool):
            if not guarded:
                raise Infeasible
            return
        if guarded.key not in self.keys:
            self.assumed.append(guarded)
            self.keys.add(guarded.key)

    @contextmanager
    def under(self, condition: Any) -> Iterator[None]:
        """What is assumed or required inside holds where the condition does."""
        self.guards.append(condition)
        try:
            yield
        finally:
            self.guards.pop()


class Infeasible(Exception):
    """The conditions of this path contradict one another."""


def explore(run: Callable[[Path], Any], limit: int = 4096) -> Iterator[Any]:
    """What ``run`` returns on each of its paths.

    A path may end early by Infeasible. ``run`` itself must take that and return what it has found so far: an
    obligation from before the end stands.
    """
    choices: tuple[bool, ...] = ()
    for _ in range(limit):
        path = Path(choices)
        yield run(path)
        remaining = path.choices[: path.taken]
        while remaining and not remaining[-1]:
            remaining.pop()
        if not remaining:
            return
        choices = (*remaining[:-1], False)
    raise TooManyPaths(f"more than {limit} paths")
