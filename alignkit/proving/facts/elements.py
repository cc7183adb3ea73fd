"""How elements of a sequence are evaluated: once in full, for an arbitrary index, and quietly wherever else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Elements:
    """What holds for the evaluation of elements at this moment; each state lasts as long as its context manager.

    A sequence of symbolic length is evaluated in full at one arbitrary index, where it is made: what an element needs
    to be defined is obliged there. At every other index it is evaluated quietly, and must be one term for all indices.
    """

    def __init__(self) -> None:
        self._looking = False
        self._within = False
        self._quiet = False
        self._in_full = False

    @property
    def revisiting(self) -> bool:
        """Whether an element is looked at again, after what it needs and selects was settled where it was made."""
        return self._looking or self._quiet

    @property
    def uniform(self) -> bool:
        """Whether what is evaluated must be one term for all indices, so that no branch may be taken."""
        return self._looking or self._within

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Elements are looked at; what they need to be defined was required when their sequence was made."""
        outer, self._looking = self._looking, True
        try:
            yield
        finally:
            self._looking = outer

    @contextmanager
    def in_full(self) -> Iterator[None]:
        """The element that is evaluated next is evaluated in full; those that it looks at in its turn are not."""
        outer, self._in_full = self._in_full, True
        try:
            yield
        finally:
            self._in_full = outer

    @contextmanager
    def inside_one(self) -> Iterator[None]:
        """An element is evaluated: quietly, unless it is the one to be evaluated in full."""
        outer = self._within, self._quiet, self._in_full
        self._within, self._quiet, self._in_full = True, not self._in_full, False
        try:
            yield
        finally:
            self._within, self._quiet, self._in_full = outer

    @contextmanager
    def unbranched(self) -> Iterator[None]:
        """What is evaluated must be one term for all indices."""
        outer, self._within = self._within, True
        try:
            yield
        finally:
            self._within = outer
