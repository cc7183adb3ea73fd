"""The work of a worker for ``alignkit new``: a proof of a mechanism that it imports, or a draft of a function."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alignkit.cli.find_worker import FindService
from alignkit.cli.worker_loop import Service
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


@dataclass(frozen=True)
class CodePlan:
    """A function of which a draft is made, with the draft's name, its private parameters and the time for it."""

    target: str
    name: str
    private: tuple[str, ...]
    timeout: float


# The text of a draft, empty where there is none; whether all runs were compared; and the verdict in words.
DraftAnswer = tuple[str, bool, str]


@dataclass
class CodeService(Service):
    """The call that a worker answers, about one function."""

    request: CodePlan

    def draft(self) -> DraftAnswer:
        """Import the function, write it as a mechanism, and compare both."""
        from alignkit.implementing.drafts import draft

        plan, function = self.request, self._function()
        words = f"the comparison was not over after {plan.timeout:g} s; --timeout allows more"
        self.started(plan.timeout, ("", False, words))
        made = draft(function, name=plan.name, private=plan.private)
        return made.text, made.conformance.implements, made.words

    def _function(self) -> Any:
        from alignkit.catalogue.failures import import_failures
        from alignkit.catalogue.modules import has_importable_name, module_of, origin_of

        target = self.request.target
        by_file = "::" in target
        place, _, name = target.partition("::" if by_file else ":")
        if not place or not name.isidentifier():
            raise TargetError(f"{target} names no function; write package.module:function, or file.py::function")
        file = place if by_file else origin_of(place)
        if file is None or not Path(file).is_file():
            raise TargetError(f"there is no module {place}" if not by_file else f"there is no file {place}")
        with import_failures(Path(file)):
            module = module_of(file) if by_file else importlib.import_module(place)
        if not has_importable_name(module.__name__, file):
            raise TargetError(f"{place} has no name by which a draft can import it; rename the file")
        function = getattr(module, name, None)
        if function is None:
            raise TargetError(f"{place} has no function {name}")
        if not callable(function):
            raise TargetError(f"{name} in {place} is no function")
        return function
