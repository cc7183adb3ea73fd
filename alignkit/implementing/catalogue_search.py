"""Which mechanism of the catalogue is it? Functions without a claim, or with one that does not hold.

The catalogue's mechanisms whose parameters fit the call are tried: a few float runs first, then the check. Nothing is
said of mechanisms whose parameters do not fit.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from alignkit.errors import InputError
from alignkit.implementing.conformance import EFFORT, Conformance, Implementation
from alignkit.implementing.patches import NamedSource

# Names that libraries give to the same thing. The first of a line is the catalogue's own name.
_SYNONYMS = (
    ("q", "u", "x", "queries", "query", "answers", "answer", "scores", "values", "value", "counts", "utilities",
     "utility", "data", "a", "histogram", "qs"),
    ("eps", "epsilon", "privacy_budget", "budget"),
    ("T", "t", "threshold", "thresh"),
    ("k", "c", "cutoff", "count", "max_answers", "max_above", "n_answers"),
    ("delta", "sensitivity", "sens"),
    ("gamma", "granularity", "resolution"),
)  # fmt: skip
_ROLES = {name: names[0] for names in _SYNONYMS for name in names}
_PRIVATE = "q"
_KINDS = {"eps": "above 0", "T": "number", "k": "count", "delta": "above 0", "gamma": "above 0"}


@dataclass(frozen=True)
class CallSlot:
    """A value that a call takes: its name, the kind where it is known, and whether the call works without it."""

    name: str
    kind: str | None = None
    optional: bool = False


@dataclass(frozen=True)
class CatalogueAnswer:
    """What the catalogue was asked about a function, and what it answers.

    ``fitting`` mechanisms have parameters that fit the call, ``agreeing`` ones gave equal outputs in a few float runs,
    and were checked. ``implemented`` are the checks with the verdict "implements", each with its call: a parameter of
    the mechanism for each name of the call.
    """

    fitting: tuple[str, ...] = ()
    agreeing: tuple[str, ...] = ()
    implemented: tuple[tuple[Conformance, Mapping[str, str]], ...] = ()
    complete: bool = True


def other_mechanisms(
    claim: Implementation,
    *,
    n: int = 3,
    k: int = 2,
    effort: int = EFFORT,
    progress: Callable[[str], None] | None = None,
) -> CatalogueAnswer:
    """Which mechanisms of the catalogue, other than the one that is claimed, a function implements."""
    slots = [CallSlot(name, _kind(parameter)) for name, parameter in claim.mechanism.parameters.items()]
    return _searched(claim, slots, {claim.mechanism.name}, (n, k, effort), progress)


def mechanisms_implemented(
    function: Callable[..., Any],
    *,
    call: Callable[..., Any] | None = None,
    post: Callable[[Any], Any] | None = None,
    samplers: Mapping[str, Any] | None = None,
    answers: Mapping[str, str] | None = None,
    n: int = 3,
    k: int = 2,
    effort: int = EFFORT,
    progress: Callable[[str], None] | None = None,
) -> CatalogueAnswer:
    """Which mechanisms of the catalogue a function implements; the arguments are those of ``implements``.

    The names of the call's parameters are matched with those of each mechanism: by name, by what else libraries call
    the same thing, and otherwise in their order. ``answers`` names parameters of the call.

    >>> import numpy as np
    >>> from alignkit.implementing import mechanisms_implemented
    >>> def report(scores, epsilon):
    ...     return np.argmax(scores + np.random.laplace(scale=2 / epsilon, size=len(scores)))
    >>> answer = mechanisms_implemented(report, n=2)
    >>> [(found.mechanism, dict(names)) for found, names in answer.implemented]
    [('noisy_max', {'scores': 'q', 'epsilon': 'eps'})]
    """
    slots = _slots(function if call is None else call, called=call is not None)
    base = call or (lambda f, **values: f(**values))
    named = [NamedSource(target, draws) for target, draws in (samplers or {}).items()]
    named += [NamedSource(target, answers=name) for target, name in (answers or {}).items()]
    unknown = [one.answers for one in named if one.answers and one.answers not in {slot.name for slot in slots}]
    if unknown:
        raise InputError(f"answers: the call has no parameter `{unknown[0]}`")
    claim = Implementation(function, None, base, post, tuple(named))
    return _searched(claim, slots, set(), (n, k, effort), progress)


def _slots(call: Callable[..., Any], *, called: bool) -> list[CallSlot]:
    try:
        parameters = list(inspect.signature(call).parameters.values())[called:]
    except (TypeError, ValueError):
        raise InputError("the parameters of the function are not known: say how it is called") from None
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    taken = [p for p in parameters if p.kind not in several]
    if any(p.kind is inspect.Parameter.POSITIONAL_ONLY for p in taken):
        raise InputError("the function takes parameters by position only: say how it is called")
    return [CallSlot(p.name, optional=p.default is not inspect.Parameter.empty) for p in taken]


def _searched(
    claim: Implementation,
    slots: Sequence[CallSlot],
    left_out: set[str],
    sizes: tuple[int, int, int],
    progress: Callable[[str], None] | None,
) -> CatalogueAnswer:
    from alignkit.catalogue import mechanisms

    n, k, effort = sizes
    fitting, agreeing, implemented = [], [], []
    for mechanism in mechanisms():
        names = None if mechanism.name in left_out else parameters_for(slots, mechanism)
        if names is None:
            continue
        fitting.append(mechanism.name)
        if progress is not None:
            progress(f"trying {mechanism.name}")
        other = _claim_of(claim, mechanism, names)
        if not other.agrees_on_floats():
            continue
        agreeing.append(mechanism.name)
        found = other.check(n=n, k=k, effort=effort)
        if found.implements:
            implemented.append((found, names))
    return CatalogueAnswer(tuple(fitting), tuple(agreeing), tuple(implemented))


def _claim_of(claim: Implementation, mechanism: Any, names: Mapping[str, str]) -> Implementation:
    """The same call with the parameters of another mechanism."""
    call = claim.call
    named = tuple(replace(one, answers=names[one.answers]) if one.answers else one for one in claim.named)
    return replace(
        claim,
        mechanism=mechanism,
        call=lambda f, **values: call(f, **{name: values[parameter] for name, parameter in names.items()}),
        named=named,
    )


def parameters_for(slots: Sequence[CallSlot], mechanism: Any) -> Mapping[str, str] | None:
    """A parameter of a mechanism for each value that a call takes; None where they do not fit one to one.

    Equal names come first, then names for the same thing, then, in their order, values of the same kind, and last
    those of which nothing is known. A value that the call works without is given by its name only.
    """
    left = dict(mechanism.parameters)
    found: dict[str, str] = {}

    def give(slot: CallSlot, name: str) -> None:
        found[slot.name] = name
        del left[name]

    for slot in slots:
        if slot.name in left and slot.kind in (None, _kind(left[slot.name])):
            give(slot, slot.name)
    for slot in slots:
        same = [name for name, kind in left.items() if slot.name not in found and _means(slot, name, kind)]
        if len(same) == 1:
            give(slot, same[0])
    for slot in slots:
        if slot.name in found or slot.optional or slot.kind is None:
            continue
        name = next((name for name, kind in left.items() if _kind(kind) == slot.kind), None)
        if name is None:
            return None
        give(slot, name)
    open_slots = [slot for slot in slots if slot.name not in found and not slot.optional]
    if len(open_slots) != len(left):
        return None
    for slot, name in zip(open_slots, list(left), strict=True):
        role = _role(slot)
        if role is not None and _kind(left[name]) != _KINDS.get(role) and not (role == _PRIVATE and left[name].private):
            return None
        give(slot, name)
    return {slot.name: found[slot.name] for slot in slots if slot.name in found}


def _means(slot: CallSlot, name: str, kind: Any) -> bool:
    """Whether a parameter of a mechanism may be called as a value of the call is."""
    if slot.kind is not None:
        return False  # the kinds decide, in their order
    role = _role(slot)
    if role is None:
        return False
    return bool(kind.private) if role == _PRIVATE else not kind.private and _ROLES.get(name) == role


def _role(slot: CallSlot) -> str | None:
    return _ROLES.get(slot.name, _ROLES.get(slot.name.lower()))


def _kind(parameter: Any) -> str:
    """What a parameter stands for: private answers, a public count, number or list, or something above 0."""
    if parameter.private:
        return "private list" if parameter.vector else "private number"
    if parameter.vector:
        return "public list"
    return "count" if parameter.integer else "above 0" if parameter.bounds else "number"
