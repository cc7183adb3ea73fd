"""D′ held against D, event by event: each condition that compares the two is asked where the event happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alignkit.language.program import Place
from alignkit.noise import Distribution
from alignkit.proving.conditions import noise_used, same_outputs
from alignkit.proving.path_obligations import Obligations
from alignkit.proving.runs.aligned_run import AlignedRunContext
from alignkit.proving.runs.run_events import FamilyDraw, SymbolicDraw


class InStep:
    """Obliges D′ to draw from D's distributions and to put out what D put out."""

    def __init__(self, owed: Obligations) -> None:
        self.owed = owed

    def draw(self, of_d: SymbolicDraw, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> None:
        noise_used.same_draw(self.owed, of_d, distribution, arguments, place)

    def family(
        self,
        of_d: FamilyDraw,
        distribution: Distribution,
        arguments: Callable[[Any], tuple[Any, ...]],
        length: Any,
        place: Place,
    ) -> None:
        noise_used.same_family(self.owed, of_d, distribution, arguments, length, place)

    def output(self, context: AlignedRunContext, of_d: Any, value: Any, place: Place) -> None:
        same_outputs.match(context, of_d, value, place)
