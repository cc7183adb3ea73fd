"""Release: a run on exact noise and secure randomness, of a mechanism whose proof covers it.

Start reading in ``exact_release``, which has the order of all that is done: first it says which proofs allow a release,
the public values are looked at, and only then are private ones read. The room may import everything but the command
line; ``time_analysis`` stands by itself.
"""

from __future__ import annotations

from alignkit.releasing.exact_release import release, release_interactively, release_on
from alignkit.releasing.time_analysis import RunningTime, running_time

__all__ = ["RunningTime", "release", "release_interactively", "release_on", "running_time"]
