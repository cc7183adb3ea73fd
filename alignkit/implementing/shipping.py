"""What ships implements what is proved: what a claim breaks of a project's policy."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

from alignkit.errors import AlignkitError
from alignkit.gating.breaches import policy_breaches
from alignkit.gating.policy import Policy
from alignkit.implementing.conformance import Conformance
from alignkit.results import Result, Verdict
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.module_members import members
from alignkit.running.read_functions import ReadFunction


def shipping_breaches(
    policy: Policy | None,
    conformance: Conformance | None,
    mechanism: Any,
    decide: Callable[[Alignment], Result],
    targets: Sequence[str] = (),
) -> tuple[str, ...]:
    """List what a claim breaks of a policy with ``implementations = true``, each as a clause; nothing without it.

    The function must implement its mechanism, and an alignment of the mechanism must be proved and keep the policy;
    ``decide`` checks one. It is looked for in what is loaded, and then in the ``targets`` of the project.
    """
    if policy is None or not policy.implementations:
        return ()
    if conformance is None:
        return ("it names no mechanism, and the policy has implementations = true",)
    if not conformance.implements:
        return (f"its verdict is {conformance.verdict}, and the policy has implementations = true",)
    if not any(_is_accepted(policy, alignment, decide) for alignment in _alignments_of(mechanism, targets)):
        name = mechanism.name
        return (f"no alignment of {name} is proved and keeps the policy, which has implementations = true",)
    return ()


def _is_accepted(policy: Policy, alignment: Alignment, decide: Callable[[Alignment], Result]) -> bool:
    try:
        result = decide(alignment)
        return result.verdict is Verdict.PROVED and not policy_breaches(policy, alignment, result)
    except AlignkitError:
        return False


def _alignments_of(mechanism: Any, targets: Sequence[str]) -> Iterator[Alignment]:
    """The alignments of a mechanism that are expected to be proved: of the catalogue, or loaded, or in the targets."""
    met: set[int] = set()
    for alignment in _met(mechanism, targets):
        if alignment.mechanism is mechanism and id(alignment) not in met and alignment.expect == "proved":
            met.add(id(alignment))
            yield alignment


def _met(mechanism: Any, targets: Sequence[str]) -> Iterator[Alignment]:
    if mechanism.python.__module__.startswith("alignkit.mechanisms"):
        from alignkit.catalogue import alignments

        yield from alignments()
    else:
        modules = [module for module in list(sys.modules.values()) if isinstance(module, ModuleType)]
        holding = [m for m in modules if any(isinstance(value, ReadFunction) for value in list(vars(m).values()))]
        yield from [value for module in holding for _, value in members(vars(module)) if isinstance(value, Alignment)]
    if targets:
        from alignkit.catalogue import collect

        yield from collect(targets).alignments
