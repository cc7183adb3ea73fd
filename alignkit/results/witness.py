"""Witnesses: adjacent inputs with noise, and what a run on them shows of a proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol


class ParameterNames(Protocol):
    """The names of a mechanism's parameters; see ``Mechanism``."""

    @property
    def public(self) -> Mapping[str, Any]: ...
    @property
    def private(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class Witness:
    """Adjacent inputs of a mechanism and, for a run on them, the noise that it draws.

    ``public`` maps each public parameter to its value; ``q`` maps each private parameter to its answers on D, and
    ``q_`` to those on D′. ``H`` maps each draw to its value, or to its values over iterations (None where none is
    drawn). ``H_`` is the noise that the alignment moves ``H`` to, None where there is none. Numbers are exact. Of a
    sampler that is no mechanism, ``q`` and ``q_`` are its two inputs as they were given.
    """

    public: Mapping[str, Any]
    q: Any
    q_: Any
    H: Mapping[str, Any] = field(default_factory=dict)
    H_: Mapping[str, Any] | None = None

    @classmethod
    def of(
        cls,
        mechanism: ParameterNames,
        values: Mapping[str, Any],
        values_: Mapping[str, Any],
        H: Mapping[str, Any] | None = None,
        H_: Mapping[str, Any] | None = None,
    ) -> Witness:
        """Make a witness from a mechanism's arguments on D and on D′, whose public ones are the same."""
        return cls(
            public={name: values[name] for name in mechanism.public},
            q={name: values[name] for name in mechanism.private},
            q_={name: values_[name] for name in mechanism.private},
            H=H or {},
            H_=H_,
        )

    def with_noise(self, H: Mapping[str, Any]) -> Witness:
        """The same inputs with other noise."""
        return replace(self, H=H, H_=None)

    @property
    def values(self) -> dict[str, Any]:
        """The mechanism's arguments on D, without the noise."""
        return {**self.public, **self.q}

    @property
    def values_(self) -> dict[str, Any]:
        """The mechanism's arguments on D′, without the noise."""
        return {**self.public, **self.q_}


@dataclass(frozen=True)
class Counterexample:
    """A concrete trial that breaks the proof, replayed exactly through the user's own functions.

    ``witness`` holds both inputs with their noise; ``omega`` and ``omega_`` are the outputs there. ``H_`` and
    ``omega_`` are None where the run on D′ does not come about. ``condition`` is the one that fails, ``words`` says
    how, and ``line`` of ``file`` where; ``snippet`` reproduces it when pasted into Python; ``shrunk_from`` is the
    number of queries that the search started from. Where the alignment is not one-to-one, ``H_other`` is another
    noise vector with the same output, which it moves to the same ``H_``. The shifts cost ``cost``, or with
    ``at_least`` that or more.
    """

    condition: str
    words: str
    file: str
    line: int
    witness: Witness
    omega: Any
    omega_: Any
    cost: Any
    claim: Any
    snippet: str
    shrunk_from: int
    H_other: Mapping[str, Any] | None = None
    at_least: bool = False


@dataclass(frozen=True)
class Attained:
    """A run that costs exactly the worst case; ``snippet`` replays it when pasted into Python."""

    witness: Witness
    cost: Any
    snippet: str
