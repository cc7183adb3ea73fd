"""The bounded search: few queries and small counts, all else symbolic; the solver's models become candidates.

Every model describes a run that can be reached, so that it must replay. It seeds the counterexample; a tie, or
an irrational number that was rounded, is moved off by trying noise close by.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from alignkit.attacking.candidates import Candidate, convicts, replayed
from alignkit.errors import InputError, LanguageError
from alignkit.proving.deciding import Decider, OutOfTime
from alignkit.proving.inputs import Inputs, bounded, primed
from alignkit.proving.trial import Part
from alignkit.proving.unbounded import explore_all
from alignkit.running.alignment import Alignment
from alignkit.running.values import Unsupported
from alignkit.symbolic.paths import TooManyPaths
from alignkit.symbolic.solver import Outcome

SIZES = (1, 2, 3)
COUNTS = (1, 2)


def bounded_search(alignment: Alignment, decider: Decider) -> tuple[Candidate | None, str]:
    """A candidate that convicts, and up to where the search got, in words."""
    reached = "nothing"
    counts = [name for name, kind in alignment.mechanism.public.items() if kind.integer]
    vectors = any(kind.vector for kind in alignment.mechanism.parameters.values())
    try:
        for size, given in product(SIZES if vectors else (1,), product(COUNTS, repeat=len(counts))):
            inputs = bounded(alignment.mechanism, alignment.adjacency, size, dict(zip(counts, given, strict=True)))
            holds = True
            for candidate in _candidates(alignment, inputs, decider):
                holds = False
                if candidate is not None and convicts(alignment, candidate):
                    return candidate, reached
            if holds:
                shown = [f"n = {size}" if vectors else "", *(f"{n} = {v}" for n, v in zip(counts, given, strict=True))]
                reached = ", ".join(x for x in shown if x) or "all inputs"
            else:
                return None, reached
    except (Unsupported, TooManyPaths, OutOfTime, LanguageError, InputError) as problem:
        return None, f"{reached} (then: {problem})"
    return None, reached


def _candidates(alignment: Alignment, inputs: Inputs, decider: Decider) -> Iterator[Candidate | None]:
    """A candidate for each obligation that fails; None for one that fails without a usable model."""
    seen: set[Any] = set()
    for record in explore_all(alignment, inputs, None, Part.ITERATION, decider):
        for obligation in record.obligations:
            if obligation.key in seen:
                continue
            seen.add(obligation.key)
            decided = decider.decide(obligation)
            if decided.holds:
                continue
            if decided.answer.outcome is not Outcome.INVALID:
                yield None
                continue
            yield from _near(alignment, _read(alignment, inputs, decided.answer.model))


def _read(alignment: Alignment, inputs: Inputs, model: Mapping[str, Fraction]) -> Candidate:
    """The arguments and noise that a model describes; what it leaves open is 0."""
    values: dict[str, Any] = {}
    values_: dict[str, Any] = {}
    for name, kind in alignment.mechanism.parameters.items():
        held = inputs.values[name]
        if kind.vector:
            size = len(held)
            values[name] = tuple(model.get(f"{name}[{i}]", Fraction(0)) for i in range(size))
            answers_ = tuple(model.get(f"{primed(name)}[{i}]", values[name][i]) for i in range(size))
            values_[name] = answers_ if kind.private else values[name]
        elif kind.private:
            values[name] = model.get(name, Fraction(0))
            values_[name] = model.get(primed(name), values[name])
        elif isinstance(held, int):
            values[name] = values_[name] = held
        else:
            public = alignment.mechanism.public[name]
            values[name] = values_[name] = model.get(name, Fraction(public.sample_values()[0]))
    return Candidate(values, values_, _noise(alignment, model))


def _noise(alignment: Alignment, model: Mapping[str, Fraction]) -> dict[str, Any]:
    noise: dict[str, Any] = {}
    for draw in alignment.mechanism.draws:
        if draw.depth == 0:
            noise[draw.key] = model.get(f"H.{draw.key}", Fraction(0))
        elif draw.depth == 1:
            noise[draw.key] = tuple(model.get(f"H.{draw.key}[{i}]", Fraction(0)) for i in range(max(SIZES)))
    return noise


def _near(alignment: Alignment, candidate: Candidate) -> Iterator[Candidate]:
    """The candidate itself, then some with the noise a little off."""
    yield candidate
    source = random.Random(0)
    if replayed(alignment, candidate) is None:
        return
    for scale in (Fraction(1, 10), Fraction(1, 2)):
        for _ in range(6):
            yield Candidate(candidate.values, candidate.values_, {n: _off(v, scale, source)
                                                                  for n, v in candidate.noise.items()})  # fmt: skip


def _off(value: Any, scale: Fraction, source: random.Random) -> Any:
    if isinstance(value, tuple):
        return tuple(_off(x, scale, source) for x in value)
    return value + scale * Fraction(source.randint(-10, 10), 10)
