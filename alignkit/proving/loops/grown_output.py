"""A list that a loop makes longer and the program returns, as the alignment reads it: its items are like outputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from alignkit.errors import Unsupported
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.loops.output_stream import OutputStream
from alignkit.proving.runs.grown_lists import GrownList, lists_within
from alignkit.proving.symbolic_trial import AtLoop, SymbolicTrial
from alignkit.symbolic.terms import Term


class GrownOutput(OutputStream):
    """The items of a list: those before the loop, those of the iteration at hand, and unknown others.

    ``place_in_output`` is where the returned value has the list.
    """

    def __init__(
        self, trial: SymbolicTrial, at: AtLoop, plan: LoopPlan, place_in_output: tuple[int, ...], list_name: str
    ) -> None:
        self.name = "omega" + "".join(f"[{index}]" for index in place_in_output)
        self.list_name = list_name
        self.place_in_output = place_in_output
        self.start: tuple[Any, ...] = at.names[list_name]
        of_list = plan.lists.get(list_name)
        if of_list is None:
            raise Unsupported(f"the alignment reads {list_name}, and no iteration comes to its end", at.node.place)
        own = replace(
            plan,
            each=of_list.each,
            told=of_list.told,
            shapes=of_list.shapes,
            names=of_list.names,
            steady=False,
            silent=False,
            last=True,
        )
        super().__init__(trial, at, own)

    def given(self) -> tuple[Any, ...]:
        return (*self.start, *(item for grown in self._returned() for item in grown.items))

    def read_items(self, names: Any, iteration: Term, *, goes_on: bool) -> None:
        """Take note of what the iteration at hand has appended."""
        lists = [names[self.list_name]] if goes_on else list(self._returned())
        for grown in lists:
            self.has_shape(grown.items)
            self.items_of(grown.items, iteration, goes_on=goes_on)

    def is_over(self, rounds: Term, *, ended: bool = True) -> None:
        for grown in self._returned():
            self.foreseen.define(self.length.compare("==", grown.length))
        super().is_over(rounds, ended=ended)

    def _returned(self) -> Iterator[GrownList]:
        for output in self.run.emitted[-1:]:
            yield from (grown for path, grown in lists_within(output.value) if path == self.place_in_output)
