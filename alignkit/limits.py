"""Time limits: a deadline is passed to whatever may take long, which checks it between its steps."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from alignkit.errors import OutOfTime


@dataclass(frozen=True)
class Deadline:
    """A time limit: a point in time of this process's monotonic clock, or no limit at all.

    >>> Deadline().passed, Deadline.after(0).passed
    (False, True)
    """

    until: float = math.inf

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """Set the limit so many seconds from now."""
        return cls(time.monotonic() + seconds)

    def sooner(self, seconds: float) -> Deadline:
        """Return the limit, but no later than so many seconds from now."""
        return Deadline(min(self.until, time.monotonic() + seconds))

    def later(self, seconds: float) -> Deadline:
        """Return the limit that is so many seconds after this one."""
        return Deadline(self.until + seconds)

    @property
    def left(self) -> float:
        """The seconds that are left; 0 where none are."""
        return math.inf if math.isinf(self.until) else max(0.0, self.until - time.monotonic())

    @property
    def passed(self) -> bool:
        """Whether no time is left."""
        return self.left <= 0

    def left_to_use(self) -> float:
        """The seconds that are left, above 0; raises OutOfTime where none are."""
        left = self.left
        if left <= 0:
            raise OutOfTime("the time limit was reached")
        return left

    def check(self) -> None:
        """Raise OutOfTime where no time is left."""
        if self.passed:
            raise OutOfTime("the time limit was reached")


NEVER = Deadline()


@dataclass
class Steps:
    """How many steps are left of some work."""

    left: int


@dataclass(frozen=True)
class StepLimit(Deadline):
    """A deadline that so many checks reach too: where the time suffices, work ends at one step on every machine.

    >>> limit = StepLimit.of(1, NEVER)
    >>> limit.check(), limit.passed
    (None, True)
    """

    steps: Steps = field(default_factory=lambda: Steps(0))

    @classmethod
    def of(cls, steps: int, end: Deadline) -> StepLimit:
        """Set a limit of so many checks before a deadline."""
        return cls(end.until, Steps(steps))

    @property
    def passed(self) -> bool:
        """Whether no step or no time is left."""
        return self.steps.left <= 0 or super().passed

    def check(self) -> None:
        """Take a step; raise OutOfTime where none is left, or no time."""
        if self.passed:
            raise OutOfTime("the limit of steps, or of time, was reached")
        self.steps.left -= 1
