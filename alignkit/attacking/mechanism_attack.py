"""``attack``: how much a mechanism certainly leaks, by the best event and pair of databases that a search finds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from fractions import Fraction
from typing import Any

from alignkit.arguments import check_callable, mapping, seconds, whole
from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.attack_search import AttackSearch, Progress
from alignkit.attacking.cases import AttackCase
from alignkit.attacking.certify_snippets import certify_snippet
from alignkit.attacking.climbing import Effort
from alignkit.attacking.closed_forms.certified_losses import certified
from alignkit.attacking.known_inputs import KnownInputs
from alignkit.attacking.lower_bounds import nothing_found, weight
from alignkit.auditing.audit_arguments import executor_of
from alignkit.errors import AlignkitError, InputError, InternalError, OutOfTime
from alignkit.language.parameters import Epsilon, Eta, exact
from alignkit.limits import NEVER, Deadline
from alignkit.refuting.random_search import FIRST as TRIED
from alignkit.refuting.random_search import search_at_random
from alignkit.results import CertifiedLoss
from alignkit.running.adjacency import check_adjacent
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.mechanism_decorator import Mechanism

# How many of the best cases are certified, the best first, before a bound is settled for.
FINALISTS = 4

INTERRUPTED = "the search was interrupted"

# Seconds that an attack takes where neither a budget nor an effort is given. The share of a budget that is for the
# search, and the one after which samples are taken if no event has been found; the share of the search that a run may
# take to be found that refutes the alignment. How many seconds beyond the budget the best event may take to be
# certified, and the least that sampling is given.
DEFAULT_BUDGET = 10.0
SEARCHING, FIRST = 0.85, 0.5
REFUTING = 0.1
MORE = 1.0
LEAST_BUDGET = 0.1

# Where there is no closed form, so many runs of each side are what one evaluation of it would be.
RUNS_A_WORK = 100


def attack(
    target: Mechanism | Alignment | Callable[..., Any],
    *,
    eps: float | Fraction | int | None = None,
    claim: str | float | Fraction | None = None,
    adjacency: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    budget: float | None = None,
    effort: int | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
    **sampling: Any,
) -> CertifiedLoss:
    """Find two adjacent databases and an event that show a large privacy loss, and certify what they show.

    The loss ln P(M(D) in E) / P(M(D′) in E) of the result is a lower bound on the mechanism's own. Of a mechanism both
    probabilities are computed in closed form where its program allows it, or enclosed where a constant is irrational;
    what is not covered so is sampled, as any other callable is (see ``attack_sampler``, which takes the further
    arguments). An event that is possible on D and impossible on D′ is an infinite loss.

    ``target`` is a mechanism, an alignment (attacked under its adjacency and held against its claim), or any Python
    function that samples; its ``pairs``, where they are given without an adjacency, are taken as adjacent. ``eps`` is
    the budget that the mechanism is run with (default 1); ``parameters`` fixes other public parameters. The rest are
    searched where there is a claim, which is held to be for all their values: small values first, those of a run that
    refutes the alignment, then fractions and large ones; without a claim the simplest values are tried, and other small
    ones where these show no loss. ``budget`` is in seconds (10 where neither it nor ``effort`` is given): it is looked
    at between steps, and held within a fifth and two seconds where no single step takes long. ``effort`` bounds the
    search by its work (one is an event's evaluation over few answers): without a budget no clock cuts it, and it comes
    out the same on every machine. Climbs run on any ``executor`` of concurrent.futures. Ctrl-C ends the search with the
    best that has been found.

    >>> from alignkit.mechanisms.noisy_max import noisy_max
    >>> found = attack(noisy_max, claim="eps", effort=60)
    >>> 0.3 < found.loss < 1, str(found.method)
    (True, 'closed form')
    """
    effort = None if effort is None else whole(effort, "the effort", 1)
    if not isinstance(target, Mechanism | Alignment):
        from alignkit.auditing.sampling_attack import attack_sampler

        if isinstance(claim, str):
            raise InputError(f"the claim of a sampler is a number, not {claim!r}")
        if eps is not None:
            raise InputError("eps is for mechanisms; give a sampler parameters={…}")
        if effort is not None:
            sampling.setdefault("samples", RUNS_A_WORK * effort)
        kind = adjacency if adjacency is not None or "pairs" in sampling else "each"
        number = float(claim) if isinstance(claim, Fraction) else claim
        return attack_sampler(
            target, adjacency=kind, claim=number, parameters=parameters,
            budget=DEFAULT_BUDGET if budget is None else budget, seed=seed, executor=executor, progress=progress,
            **sampling,
        )  # fmt: skip
    if isinstance(target, Alignment):
        target.ensure_current()
    if sampling:
        raise InputError(f"attack of a mechanism takes no argument {next(iter(sampling))!r}")
    budget = None if budget is None else seconds(budget, "the budget")
    seed = whole(seed, "seed")
    executor = executor_of(executor)
    check_callable(progress, "progress", "a function of one string")
    if budget is None and effort is None:
        budget = DEFAULT_BUDGET
    # Until when a bound is certified, until when it is searched for, and until when a first event must be there.
    in_all, searching, first = (
        NEVER if budget is None else Deadline.after(part * budget) for part in (1, SEARCHING, FIRST)
    )
    aim = AttackAim.of(target, adjacency, claim)
    given = _given_parameters(aim.mechanism, {} if parameters is None else parameters, eps)
    near = _refuting_inputs(target, aim, given, seed, searching.left) if isinstance(target, Alignment) else None
    search = AttackSearch(aim, given, seed, Effort(effort or math.inf, searching), first, near=near)
    bound = pursue(search, executor, progress, in_all)
    if search.started and (bound.loss > 0 or not search.unknown or INTERRUPTED in bound.notes):
        return bound
    from alignkit.attacking.fallback import attack_as_sampler

    samples = None if effort is None else RUNS_A_WORK * effort
    return attack_as_sampler(
        aim, given, why=search.unknown or search.problem,
        budget=DEFAULT_BUDGET if budget is None else max(LEAST_BUDGET, in_all.left),
        samples=samples, seed=seed, executor=executor, progress=progress,
    )  # fmt: skip


def _refuting_inputs(
    alignment: Alignment, aim: AttackAim, given: Mapping[str, Any], seed: int, seconds: float
) -> KnownInputs | None:
    """Inputs of a run that breaks the alignment, with the given parameters and a budget of 1; None if none is met."""
    try:
        found = search_at_random(alignment, seed=seed, trials=TRIED, seconds=seconds * REFUTING).candidate
        if found is None:
            return None
        budgets = {n: Fraction(1) for n, kind in aim.mechanism.public.items() if isinstance(kind, Epsilon | Eta)}
        public = aim.mechanism.domain.on_lattices({**found.public, **budgets, **given})
        inputs = replace(found, public=public)
        check_adjacent(aim.adjacency, aim.mechanism, inputs.values, inputs.values_)
    except InternalError:
        raise
    except AlignkitError:
        return None
    return KnownInputs(inputs) if all(public[name] == given[name] for name in given) else None


def _given_parameters(mechanism: Mechanism, parameters: Mapping[str, Any], eps: Any) -> dict[str, Any]:
    """The public parameters that the user fixes, checked; ``eps``, if it is given, for every budget among the rest."""
    named = mapping(parameters, "parameters", "a dict from names to values, such as {'k': 2}")
    for name in named:
        if name not in mechanism.public:
            known = ", ".join(mechanism.public) or "none"
            raise InputError(f"{mechanism.name} has no public parameter {name!r}; it has {known}")
    given = mechanism.domain.admit_some(named)
    if eps is None:
        return given
    number = Fraction(exact(eps, "eps"))
    if number <= 0:
        raise InputError(f"eps must be above 0, not {eps!r}")
    budgets = [name for name, kind in mechanism.public.items() if isinstance(kind, Epsilon)]
    if budgets and all(name in given for name in budgets):
        raise InputError(f"the budget is given twice, as eps and as the parameter {budgets[0]}; give one of them")
    return dict.fromkeys(budgets, number) | given


def pursue(
    search: AttackSearch,
    executor: Executor | None = None,
    progress: Progress | None = None,
    deadline: Deadline = NEVER,
) -> CertifiedLoss:
    """Search, and certify the largest loss among the best cases; at least 0, which every mechanism has.

    Cases that are not certified by the deadline are left out.
    """
    notes = (INTERRUPTED,) if search.run(executor, progress) else ()
    bounds: list[CertifiedLoss] = []
    why = "the search found no event that is likelier on one database than on the other"
    try:
        for reached in search.best[:FINALISTS]:
            # The first is worth some time more: without it all was in vain.
            bound = certify_case(search.aim, reached.case, notes, deadline if bounds else deadline.later(MORE))
            bounds += [] if bound is None else [bound]
    except OutOfTime:
        why = "the time limit was reached before any event could be certified"
    # Of bounds that say as much the first has the simplest parameters.
    best = max(bounds, key=weight, default=nothing_found(*notes, why))
    if best.violates or not search.unknown:
        return best
    return replace(best, notes=(*best.notes, f"events without a closed form were left out: {search.unknown}"))


def certify_case(
    aim: AttackAim, case: AttackCase, notes: tuple[str, ...] = (), deadline: Deadline = NEVER
) -> CertifiedLoss | None:
    """What a case certainly shows; None where it cannot be certified. Raises OutOfTime after the deadline."""
    mechanism, inputs = aim.mechanism, case.inputs
    try:
        check_adjacent(aim.adjacency, mechanism, inputs.values, inputs.values_)
        bound = certified(mechanism, inputs.values, inputs.values_, case.event, deadline)
        claimed = aim.claimed(case.inputs.values, case.event)
    except InternalError:
        raise
    except AlignkitError:
        return None
    return replace(bound, claim=claimed, snippet=certify_snippet(mechanism, inputs, case.event), notes=notes)
