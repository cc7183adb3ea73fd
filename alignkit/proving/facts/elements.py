"""How elements of a sequence are evaluated: once in full, for an arbitrary index, and quietly everywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class _State:
    looking: bool = False
    within: bool = False
    quiet: bool = False
    in_full: bool = False


class Elements:
    """What holds for the evaluation of elements at this moment; each state lasts as long as its context manager.

    A sequence of symbolic length is evaluated in full at one arbitrary index, where it is made: what an element needs
    to be defined is obliged there. At every other index it is evaluated quietly, and must be one term for all indices.
    """

    def __init__(self) -> None:
        self._now = _State()

    @property
    def revisiting(self) -> bool:
        """Whether an element is evaluated again that was evaluated in full where its sequence was made."""
        return self._now.looking or self._now.quiet

    @property
    def uniform(self) -> bool:
        """Whether what is evaluated must be one term for all indices, so that no branch may be taken."""
        return self._now.looking or self._now.within

    def looking(self) -> AbstractContextManager[None]:
        """Elements are looked at; what they need to be defined was required when their sequence was made."""
        return self._with(looking=True)

    def in_full(self) -> AbstractContextManager[None]:
        """The element that is evaluated next is evaluated in full; those that it looks at in its turn are not."""
        return self._with(in_full=True)

    def inside_one(self) -> AbstractContextManager[None]:
        """An element is evaluated: quietly, unless it is the one to be evaluated in full."""
        return self._with(within=True, quiet=not self._now.in_full, in_full=False)

    def unbranched(self) -> AbstractContextManager[None]:
        """What is evaluated must be one term for all indices."""
        return self._with(within=True)

    @contextmanager
    def _with(self, **changes: bool) -> Iterator[None]:
        outer, self._now = self._now, replace(self._now, **changes)
        try:
            yield
        finally:
            self._now = outer
