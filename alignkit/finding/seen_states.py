"""What the variables of a loop are at its head, in runs of an alignment that break nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Environment, Signal
from alignkit.language.program import For
from alignkit.refuting.random_search import search_at_random
from alignkit.results import Witness
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_program import PRIVACY_COST
from alignkit.running.binding import evaluator_arguments, exact_arguments
from alignkit.running.both_runs import AlignedRun
from alignkit.running.replaying import ReplayContext
from alignkit.running.shift_costs import costs_of_shifts

# Adjacent pairs to run, and the seconds that this may take.
_PAIRS, _SECONDS = 120, 5.0


@dataclass(frozen=True)
class SeenState:
    """The two runs at the head of a loop, where ``rounds`` iterations are over; what the shifts so far have cost."""

    public: Mapping[str, Any]
    names: Mapping[str, Any]
    names_: Mapping[str, Any]
    cost: Fraction
    rounds: int

    @property
    def environment(self) -> dict[str, Any]:
        """The values of the names that an invariant may use."""
        primed = {f"{name}_": value for name, value in self.names_.items()}
        return {**self.public, **self.names, **primed, PRIVACY_COST: self.cost}


def states_in_runs(alignment: Alignment, loop: For, changed: tuple[str, ...]) -> list[SeenState]:
    """The states of the variables that a loop changes, at its head, in random runs of an alignment."""
    search = search_at_random(alignment, trials=_PAIRS, seconds=_SECONDS)
    return [state for witness, trial in search.passed for state in _states(alignment, witness, trial, loop, changed)]


def _states(
    alignment: Alignment, witness: Witness, trial: AlignedRun, loop: For, changed: tuple[str, ...]
) -> Iterator[SeenState]:
    if trial.run_ is None or trial.close:
        return
    costs = [Fraction(cost) for _, cost in costs_of_shifts(trial.run, trial.shifts)]
    spent = [Fraction(0), *accumulate(costs)]
    one = _heads(alignment, witness.values, trial.run.H, loop, changed)
    other = _heads(alignment, witness.values_, trial.run_.H, loop, changed)
    public = {name: witness.public[name] for name, kind in alignment.mechanism.public.items() if not kind.vector}
    for rounds, ((names, drawn), (names_, _)) in enumerate(zip(one, other, strict=False)):
        yield SeenState(public, names, names_, spent[drawn], rounds)


def _heads(
    alignment: Alignment, values: Mapping[str, Any], noise: Mapping[str, Any], loop: For, changed: tuple[str, ...]
) -> list[tuple[dict[str, Any], int]]:
    """The variables each time that a run is at the head of the loop, and how many draws it had made by then."""
    context = ReplayContext(alignment.mechanism, noise)
    watcher = _Watcher(context, loop, changed)
    arguments = exact_arguments(alignment.mechanism, values)
    watcher.block(alignment.mechanism.program.body, evaluator_arguments(alignment.mechanism, arguments))
    return watcher.heads


class _Watcher(Evaluator):
    """Runs a program and notes the variables at the head of one loop."""

    def __init__(self, context: ReplayContext, loop: For, changed: tuple[str, ...]) -> None:
        super().__init__(context)
        self.replay = context
        self.watched = loop
        self.changed = changed
        self.heads: list[tuple[dict[str, Any], int]] = []

    def iterate(self, node: For, index: Any, item: Any, names: Environment) -> Signal:
        if node is self.watched and index == 0:
            self._note(names)
        signal = super().iterate(node, index, item, names)
        if node is self.watched and signal is None:
            self._note(names)
        return signal

    def _note(self, names: Environment) -> None:
        self.heads.append(({name: names[name] for name in self.changed}, len(self.replay.drawn)))
