"""Release: a run on exact noise and secure randomness, of a mechanism whose proof covers it."""

from __future__ import annotations

from alignkit.releasing.running import release, run
from alignkit.releasing.running_time import RunningTime, running_time

__all__ = ["RunningTime", "release", "run", "running_time"]
