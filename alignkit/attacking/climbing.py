"""The search for a case with a large loss: from many starts, step by step upwards. Nothing here is sound by itself."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.attacking.cases import AttackCase
from alignkit.attacking.closed_forms.certified_losses import estimated
from alignkit.attacking.closed_forms.covering import opened, serving
from alignkit.attacking.closed_forms.covers import Cover
from alignkit.attacking.neighbouring_cases import CaseSpace
from alignkit.errors import AlignkitError, InternalError, OutOfTime, TooRare, Unsupported
from alignkit.limits import NEVER, Deadline

# An event of smaller probability is not looked at.
LEAST_PROBABILITY = 1e-12

# What a case is worth less for each e-fold that its event is rarer: a likely event says more to a reader, and leaves
# room to climb on.
_RARITY = 0.003

# What it is worth less for each public parameter that is not at its simplest value.
_UNUSUAL = 0.01

# The least gain for which a step is taken.
_GAIN = 1e-3


@dataclass
class Effort:
    """How much may be spent: work, in evaluations of an event over few answers, and until when."""

    work: float
    deadline: Deadline = NEVER

    @property
    def left(self) -> bool:
        return self.work > 0 and not self.deadline.passed


@dataclass
class Climb:
    """One search upwards, to a large loss as a share of the claim."""

    space: CaseSpace
    effort: Effort
    source: random.Random
    values: dict[object, float] = field(default_factory=dict)
    covers: dict[object, list[Cover]] = field(default_factory=dict)
    unknown: str = ""  # why the first event of those that have no closed form has none

    def value(self, case: AttackCase) -> float:
        """The worth of a case; -inf where the event is too rare or its probability cannot be computed."""
        if case.key not in self.values:
            self.values[case.key] = self._value(case)
        return self.values[case.key]

    def _value(self, case: AttackCase) -> float:
        try:
            low = self._probability(case, case.inputs.values)
            if low < LEAST_PROBABILITY:
                return -math.inf
            high = self._probability(case, case.inputs.values_)
            loss = math.log(low / high) if high > 0 else math.inf
            share = self.space.aim.share(loss, case.inputs.values, case.event)
            return share + _RARITY * math.log(low) - _UNUSUAL * self.space.unusual(case)
        except InternalError:
            raise
        except OutOfTime:
            return -math.inf  # the search ends
        except AlignkitError as problem:
            if isinstance(problem, Unsupported) and not isinstance(problem, TooRare) and not self.unknown:
                self.unknown = str(problem)
            self.effort.work -= 1
            return -math.inf

    def _probability(self, case: AttackCase, arguments: Mapping[str, Any]) -> float:
        covered = self._cover(case, arguments)
        self.effort.work -= covered.work / 2
        return estimated(covered, arguments, case.event, self.effort.deadline)

    def _cover(self, case: AttackCase, arguments: Mapping[str, Any]) -> Cover:
        """The paths to an event, which are the same for many answers."""
        covers = self.covers.setdefault((opened(case.event.pattern), case.private.size, *case.public.items()), [])
        return serving(covers, self.space.aim.mechanism, arguments, case.event, self.effort.deadline)

    def ways_differ(self, case: AttackCase) -> bool:
        """Whether D′ takes other ways than D at conditions on the answers alone.

        Where an event of all numbers is as likely on both, such a change of the answers still shows in narrower ones.
        """
        if self.value(case) == -math.inf:
            return False
        return not self._cover(case, case.inputs.values).serves(case.inputs.values_)

    def up(self, case: AttackCase) -> tuple[AttackCase, float, bool]:
        """The best case reached from here, what it is worth, and whether no step from it leads higher."""
        best, value = case, self.value(case)
        improved = value > -math.inf
        while improved and value < math.inf:
            improved = False
            for step in self.space.neighbours(best, self.source):
                if not self.effort.left:
                    return best, value, False
                for option in step:
                    worth = self.value(option)
                    if not worth > value + _GAIN:
                        break
                    best, value, improved = option, worth, True
                if improved:
                    break
        return best, value, True
