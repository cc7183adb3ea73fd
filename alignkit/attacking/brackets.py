"""The bracket of a check: a certified lower bound on the loss beside the proved upper bound; both must agree."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from alignkit.attacking.attack_aim import AttackAim, weight
from alignkit.attacking.attack_search import AttackSearch
from alignkit.attacking.cases import KnownInputs
from alignkit.attacking.climbing import Effort
from alignkit.attacking.mechanism_attack import INTERRUPTED, certify_snippet, pursue
from alignkit.errors import AlignkitError, InternalError
from alignkit.limits import Deadline, StepLimit
from alignkit.output_events import ANY_OUTPUT
from alignkit.results import CertifiedLoss, Privacy, Result, Verdict
from alignkit.running.adjacency import check_adjacent
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.mechanism_decorator import Mechanism

# The work of an attack where the claim is proved, and where it is not: there it is worth while to look further.
PROVED, UNPROVED = 40, 150

# How many steps of runs a search may take, where little is spent on evaluations and much on listing paths. A clock
# would make the bound depend on what else the machine does.
MOST_STEPS = 30_000

# A loss so far above the claim is enough to convict.
ENOUGH = 1.05


def attacked(
    alignment: Alignment, result: Result, effort: int | None, seed: int, seconds: float = math.inf
) -> Result:
    """The result with a certified lower bound on the mechanism's loss.

    The attack runs with the budget 1 and small public parameters; where the proof is refuted it starts from the
    counterexample's own parameters and databases. It is bounded by the work ``effort``, and comes out the same on every
    machine where ``seconds``, those that the check has left, do not end it. Raises InternalError where the bound is
    above one that was proved: then either the proof or the attack is wrong.
    """
    proved = result.verdict is Verdict.PROVED
    work = effort if effort is not None else PROVED if proved else UNPROVED
    if work == 0 or seconds <= 0:
        return result
    aim = AttackAim.of(alignment, None, None)
    end = Deadline.after(seconds)
    bounds: list[CertifiedLoss] = []
    for near in _starting_points(result):
        bounds += _certified_losses(aim, near, work, seed, end)
        if bounds and bounds[-1].violates:
            break
    if not bounds:
        return result
    best = max(bounds, key=weight)
    if proved and best.violates:
        raise _disagreement(alignment.mechanism.name, best, best.claim_shown)
    return with_bound(alignment, result, best)


def attacked_when_asked(
    alignment: Alignment, result: Result, effort: int | None, seed: int, seconds: float = math.inf
) -> Result:
    """The result whose mechanism is attacked, as by ``attacked``, when its privacy is first asked for a lower bound.

    A mechanism that has been redefined by then is not attacked.
    """

    @functools.cache
    def sought() -> CertifiedLoss | None:
        return None if result.stale else attacked(alignment, result, effort, seed, seconds).privacy.leak

    return replace(result, privacy=replace(result.privacy, sought=sought))


def _starting_points(result: Result) -> Iterator[KnownInputs | None]:
    """The inputs of a counterexample, and None for a search without any."""
    if result.counterexample is not None:
        yield KnownInputs(result.counterexample.witness, result.counterexample.omega)
    yield None


def _certified_losses(
    aim: AttackAim, near: KnownInputs | None, work: int, seed: int, end: Deadline
) -> list[CertifiedLoss]:
    """The bound that one search ends with; none where it finds nothing that can be certified."""
    deadline = StepLimit.of(MOST_STEPS, end)
    given = {} if near is None else near.witness.public  # the search stays with their public parameters
    search = AttackSearch(aim, given, seed, Effort(work, deadline), deadline, ENOUGH, near)
    try:
        bound = pursue(search, deadline=end)
    except InternalError:
        raise
    except (AlignkitError, RecursionError):
        return []  # it has no closed form, say
    if INTERRUPTED in bound.notes:
        raise KeyboardInterrupt  # an attack by itself gives what it has; a check is not decided
    return [] if bound.empty else [bound]  # that it is at least 0 says nothing


def with_bound(alignment: Alignment, result: Result, bound: CertifiedLoss) -> Result:
    """The result with a certified bound, which convicts the mechanism where it is above the claim."""
    privacy = replace(result.privacy, sought=bound)
    check_bracket(alignment.mechanism, privacy)
    return replace(result, privacy=privacy)


def with_violation(alignment: Alignment, result: Result, leaks: Iterable[CertifiedLoss]) -> Result:
    """The result with the largest of certified losses of the same mechanism that are above its own claim, if any is.

    They may come from alignments with other claims and adjacencies: each is held against this claim at its own public
    parameters, where its databases are adjacent here too. Raises InternalError where the claim is proved.
    """
    found = [held for leak in leaks if (held := held_against(alignment, leak)) is not None and held.violates]
    if not found:
        return result
    best = max(found, key=weight)
    if result.verdict is Verdict.PROVED:
        raise _disagreement(alignment.mechanism.name, best, best.claim_shown)
    return with_bound(alignment, result, best)


def held_against(alignment: Alignment, leak: CertifiedLoss) -> CertifiedLoss | None:
    """A certified loss beside the claim of another alignment of its mechanism; None where that says nothing of it."""
    aim, inputs = AttackAim.of(alignment, None, None), leak.witness
    try:
        check_adjacent(aim.adjacency, aim.mechanism, inputs.values, inputs.values_)
        claim, delta = aim.claimed(inputs.values, leak.event), aim.claimed_delta(inputs.values)
    except InternalError:
        raise
    except AlignkitError:
        return None
    snippet = certify_snippet(alignment.mechanism, inputs, leak.event, None if delta is None else claim)
    return replace(leak, claim=claim, claimed_delta=delta, snippet=snippet)


def check_bracket(mechanism: Mechanism, privacy: Privacy) -> None:
    """Raise InternalError where the certified loss is above the proved one.

    One that is held against a claim with delta is compared with that claim where the claim is proved, not here.
    """
    leak = privacy.leak
    if leak is None or privacy.upper is None or leak.delta is not None:
        return
    try:
        upper = AttackAim.of(mechanism, None, privacy.upper).claimed(leak.witness.values, ANY_OUTPUT)
    except AlignkitError:
        return  # a bound that depends on the number of answers, say
    if upper is not None and leak.loss > upper:
        raise _disagreement(mechanism.name, leak, privacy.upper)


def _disagreement(mechanism: str, found: CertifiedLoss, proved: str) -> InternalError:
    """The error where the two engines contradict one another."""
    at = ", ".join(f"{name} = {value}" for name, value in found.witness.public.items())
    if found.delta is None:
        return InternalError(
            f"{mechanism} is certified to lose at least {found.loss} at {at}, but proved to lose at most {proved}"
        )
    certified = f"to have at least delta {found.delta} at epsilon {found.claim}"
    return InternalError(f"{mechanism} is certified {certified} at {at}, but proved to have at most {proved}")
