"""A function that is held against a mechanism: how it is imported, called and read, and the verdict expected."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import alignkit.mechanisms
from alignkit.implementing import Conformity, Implementation, implements
from public_functions import mechanisms_beside
from public_functions.sources import Source


@dataclass(frozen=True)
class Case:
    """A claim about one function, with the verdict that a reading of its source expects.

    ``call`` takes the function, or the class, and parameters of the mechanism, and does no more than pass them.
    ``post`` brings the output into the form of the mechanism's. ``samplers`` and ``answers`` are what had to be named,
    ``lengths`` those of the lists to which the claim is limited.
    """

    name: str
    where: str
    source: Source
    mechanism: str
    expected: Conformity
    call: Callable[..., Any] = field(repr=False)
    post: Callable[[Any], Any] | None = field(default=None, repr=False)
    samplers: Mapping[str, Any] = field(default_factory=dict, repr=False)
    answers: Mapping[str, Any] = field(default_factory=dict, repr=False)
    lengths: tuple[int, ...] = ()
    note: str = ""

    @property
    def beside(self) -> bool:
        """Whether the mechanism stands beside the catalogue, in `mechanisms_beside`."""
        return hasattr(mechanisms_beside, self.mechanism)

    @property
    def names(self) -> tuple[str, ...]:
        """The samplers and the sources of answers that are named."""
        return (*self.samplers, *self.answers)

    def claim(self, sources: Path | None, packages: Path | None = None) -> Implementation:
        """The claim about the function that was fetched, or without ``sources`` about the one that is installed."""
        function = self.source.function(self.where, sources, packages)
        return implements(
            mechanism_named(self.mechanism), call=self.call, post=self.post, samplers=self.samplers,
            answers=self.answers, lengths=self.lengths,
        )(function)  # fmt: skip


def mechanism_named(name: str) -> Any:
    """A mechanism of `mechanisms_beside` or of the catalogue."""
    return vars(mechanisms_beside).get(name) or _catalogue()[name]


@cache
def _catalogue() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for module in pkgutil.iter_modules(alignkit.mechanisms.__path__):
        found |= vars(importlib.import_module(f"alignkit.mechanisms.{module.name}"))
    return found


def adding(cases: list[Case]) -> Callable[..., None]:
    """A function that makes a case and adds it to a list."""

    def case(name: str, where: str, source: Source, mechanism: str, expected: str, *rest: Any, **more: Any) -> None:
        cases.append(Case(name, where, source, mechanism, Conformity(expected), *rest, **more))

    return case
