"""``attack``: how much a mechanism certainly leaks, by the best event and pair of databases that a search finds.

A mechanism that has no closed form is attacked as the sampler that it also is.

Python that computes a certified loss again when pasted.
"""

from __future__ import annotations

import math
import os
import random
import re
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from timeit import timeit
from typing import Any

import numpy as np

from alignkit.arguments import check_callable, mapping, seconds, whole
from alignkit.arithmetic.enclosures import float_above
from alignkit.attacking.attack_aim import AttackAim, nothing_found, weight
from alignkit.attacking.attack_search import AttackSearch, Progress
from alignkit.attacking.cases import AttackCase, KnownInputs, cases_without_event, settings
from alignkit.attacking.climbing import Effort
from alignkit.attacking.closed_forms.certified_losses import certified
from alignkit.attacking.excess import Excess
from alignkit.auditing.sampling_attack import attack_by_sampling, executor_of
from alignkit.errors import AlignkitError, InputError, InternalError, OutOfTime
from alignkit.language.parameters import Epsilon, Eta, exact
from alignkit.language.tags import ABOVE, BELOW, Tag
from alignkit.limits import NEVER, Deadline
from alignkit.markup import shown_progress
from alignkit.output_events import ANY_OUTPUT, Anything, Either, Event, Interval, OneOf
from alignkit.public_names import public
from alignkit.refuting.random_search import FIRST as TRIED
from alignkit.refuting.random_search import search_at_random
from alignkit.results import CertifiedLoss, Witness
from alignkit.running.adjacency import check_adjacent
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.defined_functions import python_source
from alignkit.running.many_runs import sample_runs
from alignkit.running.mechanism_decorator import Mechanism

_MOST_PAIRS = 12

# Fewer runs than this show nothing; sampling makes about as many in any case.
_LEAST_RUNS = 2000
# Runs that are made on trial: enough that a batch's own cost does not count.
_FEW_RUNS = 64

OF_THE_SAMPLER = (
    "certified for the floating-point sampler; the difference between its noise and ideal noise is not covered"
)

MORE_SAMPLES = "a longer timeout takes more samples; attack_sampler takes pairs of databases of your choice"


def sampled_outputs(
    mechanism: Mechanism, public: Mapping[str, Any], data: Mapping[str, Any], size: int, rng: np.random.Generator
) -> list[Any]:
    """The outputs of so many runs of a mechanism; ``data`` are the private answers, by name."""
    values = mechanism.read((), {**data, **public})
    return list(sample_runs(mechanism, values, size, rng).outputs())


def attack_as_sampler(
    aim: AttackAim,
    given: Mapping[str, Any],
    *,
    why: str,
    timeout: float,
    samples: int | None,
    seed: int,
    executor: Executor | None,
    progress: Callable[[str], None] | None,
) -> CertifiedLoss:
    """What samples of a mechanism certify; ``why`` says what stands in the way of more."""
    cases = _cases(aim, given, random.Random(seed))[:_MOST_PAIRS]
    if not cases:
        words = "fix public parameters at which it is (parameters={…}, or --set NAME=VALUE)"
        raise InputError(f"{aim.mechanism.name} is not defined on any input that was tried; {words}")
    public = cases[0].public
    try:
        claim, claimed_delta = aim.claimed(public, ANY_OUTPUT), aim.claimed_delta(public)
    except AlignkitError:
        claim = claimed_delta = None  # a claim that depends on the output, or on how many answers there are
    if samples is None and _takes_too_long(aim.mechanism, cases[0], timeout):
        return nothing_found(f"no closed form: {why}", "a run takes too long for samples within the time limit")
    bound = attack_by_sampling(
        partial(sampled_outputs, aim.mechanism, public),
        [(case.inputs.q, case.inputs.q_) for case in cases],
        claim=claim,
        delta=claimed_delta,
        parameters=public,
        timeout=timeout,
        samples=samples,
        seed=seed,
        executor=executor,
        progress=progress,
        name=aim.mechanism.name,
        notes=(f"no closed form: {why}", OF_THE_SAMPLER, *(() if samples is not None else (BY_THE_CLOCK,))),
    )
    return replace(bound, notes=(*bound.notes, MORE_SAMPLES)) if bound.empty else bound


def _cases(aim: AttackAim, given: Mapping[str, Any], source: random.Random) -> list[AttackCase]:
    """Inputs on which the mechanism runs, all with the same public parameters and number of answers."""
    for private in settings(aim.mechanism, given):
        cases = [case for case in cases_without_event(aim, private) if _is_adjacent(aim, case)]
        if cases and _runs(aim.mechanism, cases[0]):
            source.shuffle(cases)
            return cases
    return []


def _is_adjacent(aim: AttackAim, case: AttackCase) -> bool:
    with suppress(InputError):
        check_adjacent(aim.adjacency, aim.mechanism, case.inputs.values, case.inputs.values_)
        return True
    return False


def _takes_too_long(mechanism: Mechanism, case: AttackCase, timeout: float) -> bool:
    """Whether so many runs take longer than the time limit, made one by one and made together."""
    seconds = timeit(lambda: _runs(mechanism, case), number=1)
    if _LEAST_RUNS * seconds <= timeout:
        return False
    if _FEW_RUNS * seconds > timeout / 4:
        return True
    generator, data = np.random.default_rng(0), case.inputs.q
    together = timeit(lambda: sampled_outputs(mechanism, case.public, data, _FEW_RUNS, generator), number=1)
    return _LEAST_RUNS / _FEW_RUNS * together > timeout


def _runs(mechanism: Mechanism, case: AttackCase) -> bool:
    """Whether the mechanism is defined on these inputs."""
    try:
        mechanism.sample(**case.inputs.values, seed=0)
    except InputError:
        return False
    return True


def certify_snippet(mechanism: Mechanism, inputs: Witness, event: Event, epsilon: float | None = None) -> str:
    """The program's import, the event, and the call of ``certify``; with ``epsilon``, for what delta is there."""
    arguments = [f"event={event_text(event)}"]
    for name in mechanism.private:
        arguments += [f"{name}={_python(inputs.q[name])}", f"{name}_={_python(inputs.q_[name])}"]
    arguments += [f"{name}={_python(inputs.public[name])}" for name in mechanism.public]
    call = f"certify({mechanism.name}, {', '.join(arguments)})"
    call = f"print({call})" if epsilon is None else f"print({call}.delta_at({epsilon!r}))"
    module = mechanism.python.__module__
    known = module.startswith("alignkit.mechanisms")
    # A notebook's cell is no file to load from, and its names are at hand.
    loaded = not known and os.path.isfile(mechanism.file)
    tags = sorted(set(re.findall(r"\b(ABOVE|BELOW|Tag)\b", call)))
    own = [*tags, *(["load"] if loaded else [])]
    kinds = ("ANYTHING", "Either", "Event", "Interval", "OneOf", "certify")
    events = [n for n in kinds if re.search(rf"\b{n}\b", call)]
    lines = ["from fractions import Fraction"] if "Fraction(" in call else []
    lines += [f"from alignkit import {', '.join(own)}"] if own else []
    lines.append(f"from alignkit.attacking import {', '.join(events)}")
    if known:
        lines.append(f"from {module} import {mechanism.name}")
    elif loaded:
        lines.append(f'{mechanism.name} = load("{mechanism.file}::{mechanism.name}")')
    return "\n".join([*lines, call])


def event_text(event: Event) -> str:
    """An event as Python source."""
    more = ", more=True" if event.more else ""
    return f"Event({_pattern(event.pattern)}{more})"


def _pattern(pattern: Any) -> str:
    if isinstance(pattern, tuple):
        inside = ", ".join(map(_pattern, pattern))
        return f"({inside},)" if len(pattern) == 1 else f"({inside})"
    if isinstance(pattern, Anything):
        return "ANYTHING"
    if isinstance(pattern, Either):
        return f"Either({_pattern(pattern.patterns)}{', none=True' if pattern.none else ''})"
    if isinstance(pattern, Interval):
        ends = [f"{n}={_python(v)}" for n, v in (("low", pattern.low), ("high", pattern.high)) if v is not None]
        return f"Interval({', '.join(ends)})"
    if isinstance(pattern, OneOf):
        return f"OneOf(frozenset({{{', '.join(sorted(map(_python, pattern.values)))}}}))"
    return _python(pattern)


def _python(value: Any) -> str:
    if isinstance(value, Tag) and value not in (ABOVE, BELOW):
        return f"Tag({value.name!r})"
    return python_source(value)


# How many of the best cases are certified, the best first, before a bound is settled for.
FINALISTS = 4

INTERRUPTED = "the search was interrupted"
BY_THE_CLOCK = "the search ended by the clock: a rerun may find more or less; with an effort in its place it does not"

# Seconds that an attack takes where neither a timeout nor an effort is given. The share of a timeout that is for the
# search, and the one after which samples are taken if no event has been found; the share of the search that a run may
# take to be found that refutes the alignment. How many seconds beyond the timeout the best event may take to be
# certified, and the least that sampling is given.
DEFAULT_TIMEOUT = 10.0
SEARCHING, FIRST = 0.85, 0.5
REFUTING = 0.1
MORE = 1.0
LEAST_TIMEOUT = 0.1

# Where there is no closed form, so many runs of each side are what one evaluation of it would be.
RUNS_A_WORK = 100


@public
def attack(
    target: Mechanism | Alignment | Callable[..., Any],
    *,
    eps: float | Fraction | int | None = None,
    claim: str | float | Fraction | None = None,
    delta: str | float | Fraction | None = None,
    adjacency: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    timeout: float | None = None,
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

    Where the claim has a ``delta``, given or the alignment's own, ``claim`` is its epsilon, and what is certified is
    P(M(D) in E) - e^epsilon P(M(D′) in E), a lower bound on the delta that the mechanism has at that epsilon: E is then
    the set of all outputs that are more than e^epsilon times as likely on D. ``delta=0`` asks for that bound alone.

    ``target`` is a mechanism, an alignment (attacked under its adjacency and held against its claim), or any Python
    function that samples; its ``pairs``, where they are given without an adjacency, are taken as adjacent. ``eps`` is
    the budget that the mechanism is run with (default 1); ``parameters`` fixes other public parameters. The rest are
    searched where there is a claim, which is held to be for all their values: small values first, those of a run that
    refutes the alignment, then fractions and large ones; without a claim the simplest values are tried, and other small
    ones where these show no loss. ``timeout`` is in seconds (10 where neither it nor ``effort`` is given): it is looked
    at between steps, and held within a fifth and two seconds where no single step takes long. ``effort`` bounds the
    search by its work (one is an event's evaluation over few answers): without a timeout no clock cuts it, and it comes
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

        if isinstance(claim, str) or isinstance(delta, str):
            text = claim if isinstance(claim, str) else delta
            raise InputError(f"the claim of a sampler is a number, not {text!r}")
        if eps is not None:
            raise InputError("eps is for mechanisms; give a sampler parameters={…}")
        if effort is not None:
            sampling.setdefault("samples", RUNS_A_WORK * effort)
        kind = adjacency if adjacency is not None or "pairs" in sampling else "each"
        number, delta_ = (float_above(x) if isinstance(x, Fraction) else x for x in (claim, delta))
        return attack_sampler(
            target, adjacency=kind, claim=number, delta=delta_, parameters=parameters,
            timeout=DEFAULT_TIMEOUT if timeout is None else timeout, seed=seed, executor=executor, progress=progress,
            **sampling,
        )  # fmt: skip
    if isinstance(target, Alignment):
        target.ensure_current()
    if sampling:
        raise InputError(f"attack of a mechanism takes no argument {next(iter(sampling))!r}")
    timeout = None if timeout is None else seconds(timeout, "the timeout")
    seed = whole(seed, "seed")
    executor = executor_of(executor)
    check_callable(progress, "progress", "a function of one string")
    if timeout is None and effort is None:
        timeout = DEFAULT_TIMEOUT
    # Until when a bound is certified, until when it is searched for, and until when a first event must be there.
    in_all, searching, first = (
        NEVER if timeout is None else Deadline.after(part * timeout) for part in (1, SEARCHING, FIRST)
    )
    aim = AttackAim.of(target, adjacency, claim, delta)
    given = _given_parameters(aim.mechanism, {} if parameters is None else parameters, eps)
    near = _refuting_inputs(target, aim, given, seed, searching.left) if isinstance(target, Alignment) else None
    search = AttackSearch(aim, given, seed, Effort(effort or math.inf, searching), first, near=near)
    with shown_progress(progress) as say:
        bound = pursue(search, executor, say, in_all)
    if search.effort.deadline.passed and INTERRUPTED not in bound.notes:
        bound = replace(bound, notes=(*bound.notes, BY_THE_CLOCK))
    if search.started and (not bound.empty or not search.unknown or INTERRUPTED in bound.notes):
        return bound
    from alignkit.attacking.mechanism_attack import attack_as_sampler

    samples = None if effort is None else RUNS_A_WORK * effort
    return attack_as_sampler(
        aim, given, why=search.unknown or search.problem,
        timeout=DEFAULT_TIMEOUT if timeout is None else max(LEAST_TIMEOUT, in_all.left),
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
    if search.aim.delta is not None:
        why = "the search found no output that is more than e^epsilon times as likely on one database as on the other"
    try:
        for reached in search.best[:FINALISTS]:
            case = reached.case if reached.event is None else replace(reached.case, event=reached.event)
            # The first is worth some time more: without it all was in vain.
            bound = certify_case(search.aim, case, notes, deadline if bounds else deadline.later(MORE))
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
        event: Event | None = case.event
        if aim.delta is not None and case.event == ANY_OUTPUT:
            event = Excess(aim, deadline).worst_event(case, closely=True)
        if event is None:
            return None
        bound = certified(mechanism, inputs.values, inputs.values_, event, deadline)
        claimed = aim.claimed(case.inputs.values, event)
        bound = replace(bound, claim=claimed, claimed_delta=aim.claimed_delta(inputs.values), notes=notes)
    except InternalError:
        raise
    except AlignkitError:
        return None
    if bound.delta == 0:
        return None
    return replace(bound, snippet=certify_snippet(mechanism, inputs, event, None if bound.delta is None else claimed))
