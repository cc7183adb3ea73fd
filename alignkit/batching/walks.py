"""What expressions and loops ask of the walk over a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from alignkit.batching.batch_noise import BatchNoise
from alignkit.batching.columns import Array
from alignkit.batching.frames import Frame
from alignkit.errors import Undefined
from alignkit.language.program import Function, Place, Statement, Target


class Walk(Protocol):
    """A walk over the program; ``path`` is the stack of calls."""

    keys: Mapping[tuple[tuple[int, ...], int], str]
    noise: BatchNoise
    path: tuple[int, ...]

    def value(self, node: Any, frame: Frame) -> Any:
        """The value of an expression."""

    def condition(self, node: Any, frame: Frame) -> Any:
        """A Boolean, or an array of them."""

    def block(self, statements: tuple[Statement, ...], frame: Frame) -> Array | None:
        """Run statements; gives back which runs have left them, and how."""

    def bind(self, target: Target, value: Any, frame: Frame, names: dict[str, Any], place: Place) -> None:
        """Give the names of a target their values."""

    def call(self, function: Function, arguments: list[Any], site: int, frame: Frame) -> Any:
        """What a function returns."""

    def undefined(self, problem: str, place: Place, frame: Frame, where: Array | None = None) -> Undefined:
        """The error where some run is not defined."""
