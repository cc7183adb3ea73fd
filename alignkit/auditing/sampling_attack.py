"""Attacking any sampler: choose two adjacent inputs and an event from samples, then certify them by fresh ones.

Sources: StatDP (Ding, Wang, Wang, Zhang, Kifer, CCS 2018) for choosing and testing on separate samples, DP-Sniper
(Bichsel, Steffen, Bogunovic, Vechev, S&P 2021) for events by likelihood ratio and Clopper-Pearson bounds.

What to paste into Python to certify an event of a sampler again, by other samples.

The arguments of a sampled attack, checked before anything is run.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.arguments import check_callable
from alignkit.auditing.batches import Sampling, global_randomness_kept, run_batch
from alignkit.auditing.certifying import ChosenEvent, certify_by_samples, concluded
from alignkit.auditing.choosing import BestEvents, choose_events
from alignkit.auditing.sampler_inputs import Runs, check_pairs, make_pairs, read_sampler
from alignkit.errors import InputError
from alignkit.language.tags import Tag
from alignkit.markup import shown_progress
from alignkit.output_events import Anything, Event, Interval, OneOf
from alignkit.results import CertifiedLoss
from alignkit.running.adjacency import Adjacency


def check_arguments(*, claim: Any, timeout: Any, samples: Any, error: Any, seed: Any, delta: Any = None) -> None:
    """Raise InputError, naming the argument and what it may be, unless all make sense.

    >>> check_arguments(claim=1.0, timeout=10, samples=None, error=1e-6, seed=0)
    """
    if claim is not None and not (_number(claim) and 0 <= claim < math.inf):
        raise InputError(f"claim is {claim!r}; it must be a number from 0, the claimed privacy loss, such as 1.0")
    if delta is not None and (claim is None or not (_number(delta) and 0 <= delta < 1)):
        raise InputError(f"delta is {delta!r}; it must be a probability from 0, below 1, beside a claim, its epsilon")
    check_positive(timeout, "timeout", " of seconds")
    if samples is not None and (isinstance(samples, bool) or not isinstance(samples, int) or samples < 1):
        raise InputError(f"samples is {samples!r}; it must be a whole number from 1: how many samples on each side")
    if not (_number(error) and 0 < error < 1):
        raise InputError(f"error is {error!r}; it must be a probability above 0 and below 1, such as 1e-6")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed is {seed!r}; it must be a whole number from 0")


def check_positive(value: Any, name: str, what: str = "") -> None:
    """Raise InputError unless a value is a finite number above 0."""
    if not (_number(value) and 0 < value < math.inf):
        raise InputError(f"{name} is {value!r}; it must be a number{what} above 0")


def executor_of(executor: Any) -> Executor | None:
    """An executor, or None; InputError where it has no ``submit``.

    Clusters' executors need not inherit from ``concurrent.futures.Executor``: what counts is ``submit``.
    """
    if executor is None or callable(getattr(executor, "submit", None)):
        found: Executor | None = executor
        return found
    raise InputError(
        f"executor is a {type(executor).__name__}; give a concurrent.futures.Executor, such as ThreadPoolExecutor(), "
        "or client.get_executor() of dask.distributed"
    )


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_LONGEST = 4000
_IMPORTS = """from fractions import Fraction
from numpy import array
from alignkit import Tag
from alignkit.output_events import Anything, Event, Interval, OneOf
from alignkit.auditing.sampling_attack import certify_event
"""


def certify_event_snippet(
    sampler: Callable[..., Any],
    bound: CertifiedLoss,
    *,
    as_arrays: bool,
    vectorised: bool,
    parameters: Mapping[str, Any],
) -> str:
    """The call that certifies a bound's event on fresh samples; empty where an input cannot be written down."""
    name = str(getattr(sampler, "__qualname__", ""))
    module = str(getattr(sampler, "__module__", ""))
    # A method's name leads to the class, not to the object whose method it is.
    if not name.replace(".", "").isidentifier() or inspect.ismethod(sampler) or not bound.samples:
        return ""
    try:
        parts = (bound.event, bound.witness.q, bound.witness.q_, dict(parameters))
        event, one, other, given = map(python_text, parts)
    except ValueError:
        return ""
    if as_arrays:
        one, other = f"array({one})", f"array({other})"
    claim = f"claim={bound.claim!r}" + ("" if bound.claimed_delta is None else f", delta={bound.claimed_delta!r}")
    start = "" if module in ("__main__", "") else f"from {module} import {name.split('.')[0]}\n"
    text = (
        f"{_IMPORTS}{start}print(certify_event({name}, ({one}, {other}), {event},\n"
        f"    samples={bound.samples}, {claim}, parameters={given}, vectorised={vectorised}))\n"
    )
    return text if len(text) <= _LONGEST else ""


def python_text(value: Any) -> str:
    """Python that makes an equal value; ValueError where there is none.

    >>> python_text(Event((Tag("BELOW"), Interval(low=Fraction(1, 2)))))
    "Event((Tag('BELOW'), Interval(Fraction(1, 2), None)), False)"
    """
    if isinstance(value, Event):
        return f"Event({python_text(value.pattern)}, {value.more})"
    if isinstance(value, Interval):
        return f"Interval({python_text(value.low)}, {python_text(value.high)})"
    if isinstance(value, Anything):
        return "Anything()"
    if isinstance(value, OneOf):
        return f"OneOf({python_text(value.values)})"
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(sorted(map(python_text, value)))}}})" if value else "frozenset()"
    if isinstance(value, Tag):
        return f"Tag({value.name!r})"
    if isinstance(value, np.ndarray):
        return f"array({python_text(value.tolist())})"
    if type(value) is tuple:
        return f"({', '.join(map(python_text, value))}{',' if len(value) == 1 else ''})"
    if type(value) is list:
        return f"[{', '.join(map(python_text, value))}]"
    if type(value) is dict:
        return "{" + ", ".join(f"{python_text(key)}: {python_text(part)}" for key, part in value.items()) + "}"
    if type(value) is float and not math.isfinite(value):
        return f'float("{value}")'
    if value is None or type(value) in (bool, int, float, str, bytes, Fraction):
        return repr(value)
    raise ValueError(f"no source for {type(value).__name__}")


# Phases: the first number of a batch's place, so that no two draw the same samples. The search's rounds are 0, 1 and 2.
_CERTIFY, _QUICK, _PILOT, _OWN_EVENT = 10, 11, 12, 13

_SEARCH_SHARE = 1 / 3
_QUICK_SECONDS = 1.0
_LEAST_SAMPLES = 100
_MOST_SAMPLES = 10**9
_INDEPENDENT = "the runs are assumed to be independent"
_OWN_RANDOMNESS = "the sampler has no parameter `rng`: its own randomness is assumed to be fresh in every worker"
_INTERRUPTED = "interrupted: the best so far"


def attack_sampler(
    sampler: Callable[..., Any],
    *,
    adjacency: str | None = "each",
    pairs: Sequence[tuple[Any, Any]] | None = None,
    queries: int = 5,
    sensitivity: float = 1,
    claim: float | None = None,
    delta: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    vectorised: bool | None = None,
    timeout: float = 10.0,
    samples: int | None = None,
    error: float = 1e-6,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Callable[[str], None] | None = None,
) -> CertifiedLoss:
    """A certified lower bound on the privacy loss of any Python sampler.

    ``sampler(data, **parameters)`` returns one output. With a parameter ``size`` it is taken to be vectorised and to
    return that many, of independent runs, as an array or list (``vectorised`` overrules this). With a parameter ``rng``
    it is given a numpy Generator; otherwise its randomness is its own, where ``random`` and ``numpy.random`` are seeded
    from ``seed`` before each batch. An output is a number, text, a truth value, None, a tag, an enum's member, or a
    sequence of outputs; None, tags and enums may stand for "no answer" beside another type.

    The databases are vectors of query answers, ``adjacency`` and ``sensitivity`` saying which are neighbours ("each",
    "monotone", "one", "l1", "few(2)"): telling pairs of ``queries`` answers are made, as arrays of floats, or ``pairs``
    are given and checked. With ``adjacency=None`` any ``pairs`` of Python objects are taken as neighbours. Both
    directions of a pair are tried. A sampler must not change its input.

    ``claim`` is the claimed ε (a natural-log loss): ``bound.violates`` says whether the certified loss is above it.
    With a ``delta`` the claim is (ε, δ)-privacy: ``bound.delta`` is what δ is certified to be at least at this ε. The
    bound fails with probability ``error`` at most over the samples of this call; who repeats the attack must share the
    error among the calls.

    ``timeout`` is in seconds, a third of it for choosing the pair and event; some 600 runs are made in any case. With
    ``samples`` (of each side, for the certificate) the effort is fixed instead, and the result depends on ``seed``
    alone where the sampler draws from ``rng``, whatever the executor. ``executor`` is any
    ``concurrent.futures.Executor``; ``progress`` is called with a line of text. Ctrl-C returns the best bound certified
    so far; while nothing is certified yet, the best event is certified by about a second of samples, and a second
    Ctrl-C returns the trivial bound 0.

    Raises InputError for arguments that make no sense and samplers that cannot be attacked.

    >>> def twice_the_loss(data, size, rng):
    ...     return data[0] + rng.laplace(scale=0.5, size=size)
    >>> bound = attack_sampler(twice_the_loss, queries=1, claim=1.0, samples=50_000)
    >>> bound.violates, 1.0 < bound.loss < 2.0, bound.event.holds("a")
    (True, True, False)
    """
    view = read_sampler(sampler, vectorised=vectorised, parameters=parameters)
    check_arguments(claim=claim, timeout=timeout, samples=samples, error=error, seed=seed, delta=delta)
    check_callable(progress, "progress", "a function of one string")
    check_positive(sensitivity, "sensitivity")
    near = None if adjacency is None else Adjacency.read(adjacency)
    if near is not None and near.most is not None and not near.most.isdecimal():
        raise InputError(f"adjacency {near}: a sampler declares no parameter {near.most}; write a number, as in few(2)")
    if near is None or pairs is not None:
        chosen, notes = check_pairs(() if pairs is None else pairs, near, sensitivity)
    else:
        chosen, notes = make_pairs(queries, near, sensitivity, claim), ()
    if executor is not None and not isinstance(executor, ThreadPoolExecutor) and not view.passes_rng:
        notes += (_OWN_RANDOMNESS,)
    bound = attack_by_sampling(
        view,
        chosen,
        claim=claim,
        delta=delta,
        parameters=parameters,
        timeout=timeout,
        samples=samples,
        error=error,
        seed=seed,
        executor=executor,
        progress=progress,
        name=view.name,
        notes=notes,
    )
    again = certify_event_snippet(
        sampler, bound, as_arrays=pairs is None, vectorised=view.vectorised, parameters=view.parameters
    )
    return replace(bound, snippet=again)


def attack_by_sampling(
    runs: Runs,
    pairs: Sequence[tuple[Any, Any]],
    *,
    claim: float | None = None,
    delta: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    timeout: float = 10.0,
    samples: int | None = None,
    error: float = 1e-6,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Callable[[str], None] | None = None,
    name: str = "the sampler",
    notes: tuple[str, ...] = (),
) -> CertifiedLoss:
    """The same for pairs that are adjacent and ``runs(data, size, rng)``, which returns that many outputs.

    The arguments are those of `attack_sampler`, which checks them, with a name and notes for the result.

    >>> bound = attack_by_sampling(lambda x, size, rng: rng.random(size) < x, [(0.2, 0.6)], samples=20_000)
    >>> bound.witness.q, bound.witness.q_, bound.event.pattern, 0.95 < bound.loss < 1.1
    (0.6, 0.2, True, True)
    """
    epsilon = None if delta is None else claim
    with shown_progress(progress) as say, global_randomness_kept():
        sampling = Sampling(runs, name, error, seed, executor_of(executor), say, epsilon=epsilon)
        attack = _Attack(sampling, pairs, timeout, samples)
        attack.run()
    return concluded(
        attack.best,
        pair=pairs[0],
        error=error,
        claim=claim,
        parameters=parameters,
        notes=(*notes, *attack.notes, _INDEPENDENT),
        delta=delta,
    )


def certify_event(
    sampler: Callable[..., Any],
    pair: tuple[Any, Any],
    event: Event,
    *,
    samples: int,
    error: float = 1e-6,
    seed: int = 1,
    claim: float | None = None,
    delta: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    vectorised: bool | None = None,
    executor: Executor | None = None,
) -> CertifiedLoss:
    """What the loss at one event is at least, for a pair and an event chosen before, by fresh samples of each side.

    With a ``delta`` the claim is its epsilon, and it is delta that is bounded.

    >>> from alignkit.output_events import Interval
    >>> def laplace(x, size, rng):
    ...     return x + rng.laplace(size=size)
    >>> bound = certify_event(laplace, (0.0, 1.0), Event(Interval(high=0)), samples=10**5, claim=1.0)
    >>> 0.9 < bound.loss < 1.0, bound.violates
    (True, False)
    """
    view = read_sampler(sampler, vectorised=vectorised, parameters=parameters)
    check_arguments(claim=claim, timeout=1.0, samples=samples, error=error, seed=seed, delta=delta)
    ((given,), _) = check_pairs([pair], None, 1)
    epsilon = None if delta is None else claim
    sampling = Sampling(view, view.name, error, seed, executor_of(executor), epsilon=epsilon)
    with global_randomness_kept():
        bounds = certify_by_samples(sampling, [ChosenEvent(event, given)], samples, _OWN_EVENT)
        best = functools.reduce(functools.partial(_better, epsilon=epsilon), bounds)
    notes = (_INDEPENDENT,)
    return concluded(best, pair=given, error=error, claim=claim, parameters=parameters, notes=notes, delta=delta)


@dataclass
class _Attack:
    """One attack: what it knows when it ends or is interrupted."""

    sampling: Sampling
    pairs: Sequence[tuple[Any, Any]]
    timeout: float
    samples: int | None
    best: CertifiedLoss | None = None
    notes: tuple[str, ...] = ()
    chosen: BestEvents | None = None
    certifying: bool = False
    until: float = math.inf

    def run(self) -> None:
        """Search and certify; after Ctrl-C, certify the best event so far by few samples."""
        try:
            self._search_and_certify()
        except KeyboardInterrupt:
            self.notes += (_INTERRUPTED,)
            # Once certifying has begun the error is spent: another certificate would need a share of its own.
            if self.chosen is None or self.certifying:
                return
            quick = max(_LEAST_SAMPLES, int(min(_QUICK_SECONDS, self.timeout) * _speed(self.chosen) / 2))
            with contextlib.suppress(KeyboardInterrupt):
                self._certify(self.chosen, min(quick, self.samples or _MOST_SAMPLES), _QUICK)

    def _search_and_certify(self) -> None:
        started = time.monotonic()
        self.until = started + self.timeout
        if self.samples is not None:
            runs, samples, deadline = 2 * self.samples, self.samples, math.inf
        else:
            speed = self._pilot()
            runs = int(speed * self.timeout * _SEARCH_SHARE)
            samples = _clamped(speed * self.timeout * (1 - _SEARCH_SHARE) / 2)
            deadline = started + self.timeout * 1.5 * _SEARCH_SHARE
        for chosen in choose_events(self.sampling, self.pairs, runs=runs, samples=samples, deadline=deadline):
            self.chosen, self.notes = chosen, chosen.notes
        if self.chosen is None:
            return
        # Before the first fresh sample: how many there will be must not depend on them.
        left = max(0.0, self.until - time.monotonic())
        self._certify(self.chosen, self.samples or _clamped(left * _speed(self.chosen) / 2), _CERTIFY)

    def _certify(self, chosen: BestEvents, samples: int, phase: int) -> None:
        deadline = math.inf if self.samples else time.monotonic() + max(1.0, self.until - time.monotonic())
        bounds = certify_by_samples(self.sampling, chosen.choices, samples, phase)
        self.certifying = True
        for bound in bounds:
            self.best = _better(self.best, bound, self.sampling.epsilon)
            if time.monotonic() > deadline and bound.samples != samples:
                self.notes += (f"stopped after {bound.samples} of {samples} samples: the time was used up",)
                bounds.close()
                return

    def _pilot(self) -> float:
        """Runs a second, by batches of the first input, each larger than the one before."""
        for number, size in enumerate((10, 100, 1000, 10_000, 100_000)):
            batch = self.sampling.batch(self.pairs[0][0], size, _PILOT, 0, 0, number)
            started = time.monotonic()
            for result in self.sampling.results(run_batch, [(batch,)]):
                self.sampling.check_fresh(batch, result.digests)
            spent = time.monotonic() - started
            if spent > min(0.05, self.timeout / 20):
                break
        return size / max(1e-6, spent)


def _speed(chosen: BestEvents) -> float:
    """Runs a second, by the last round."""
    return chosen.runs / max(1e-6, chosen.seconds)


def _better(best: CertifiedLoss | None, bound: CertifiedLoss, epsilon: float | None = None) -> CertifiedLoss:
    def worth(one: CertifiedLoss) -> float:
        return one.loss if epsilon is None else one.delta_at(epsilon)

    return bound if best is None or worth(bound) >= worth(best) else best


def _clamped(samples: float) -> int:
    return int(np.clip(samples, _LEAST_SAMPLES, _MOST_SAMPLES))
