"""The work of a worker for ``alignkit new --from``: it imports one mechanism and searches for an alignment of it."""

from __future__ import annotations

from dataclasses import dataclass

from alignkit.cli.find_worker import FindService
from alignkit.errors import TargetError
from alignkit.finding.proposing import Skeleton, skeleton
from alignkit.running.adjacency import Adjacency


@dataclass
class NewService(FindService):
    """The calls that a worker answers, about one mechanism."""

    def target(self) -> None:
        """Import the target; raise TargetError where it has no mechanism, or several."""
        target, names = self.request.target, self.targets()
        if len(names) > 1:
            raise TargetError(f"{target} has {len(names)} mechanisms; name one of them, as in {target}::{names[0]}")

    def skeleton(self) -> Skeleton:
        """Make a skeleton of an alignment of the mechanism."""
        return skeleton(self.mechanisms[0], Adjacency.read(self.request.adjacency))
