"""Exact replays of a proved alignment, far from where a search looks: up to 60 queries, far-off public parameters."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice
from typing import Any

from alignkit import Alignment, InputError, LanguageError
from alignkit.refuting.candidates import Candidate, GuessingContext, convicts
from alignkit.refuting.forgetting import forgotten
from alignkit.refuting.pairs import guess, pairs
from alignkit.running.trials import as_vector, attempt

SIZES = (1, 2, 45, 3, 60, 5, 13)
FAR = {
    "T": (0, 1, 99, 100, 101, 1000, -1000, Fraction(1, 2)),
    "k": (1, 2, 3, 4, 13, 50),
    "eps": (1, Fraction(1, 1000), Fraction(1, 2), 7),
}


def broken(alignment: Alignment, seed: int, runs: int = 48) -> str | None:
    """What some run breaks of an alignment's proof, in words; None where none of so many breaks any of it."""
    source = random.Random(seed)
    passed = []
    for values, values_ in islice(pairs(alignment, source, SIZES), runs):
        values, values_ = _far(alignment, values, values_, source)

        def made_up(distribution: Any, arguments: tuple[Any, ...]) -> Any:
            return guess(source, distribution, arguments, Fraction(1))

        try:
            trial = attempt(alignment, values, values_, GuessingContext(alignment, made_up, set()))
        except InputError:
            continue
        except LanguageError as problem:
            return f"same_output: {problem.problem}"
        candidate = Candidate(values, values_, as_vector(trial.run))
        if trial.violation is None:
            passed.append((candidate, trial))
        elif convicts(alignment, candidate) is not None:
            return f"{trial.violation.condition}: {trial.violation.words}"
    if alignment.reads_noise and forgotten(alignment, passed[:12]) is not None:
        return "one_to_one: two noise vectors have one output and one image"
    return None


def _far(
    alignment: Alignment, values: dict[str, Any], values_: dict[str, Any], source: random.Random
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The pair with other public parameters, its answers moved alike: near the threshold, or below it."""
    public = {name: source.choice(FAR[name]) for name in alignment.mechanism.public if name in FAR}
    below = source.choice((0, 0, 2, 30))
    private = next(iter(alignment.mechanism.private))
    far = public["T"] - below
    moved = []
    for answers in (values[private], values_[private]):
        moved.append(tuple(a + far for a in answers) if isinstance(answers, tuple) else answers + far)
    lists = {name: tuple(x + public["T"] for x in values[name]) for name in values.keys() - {*public, private}}
    return {**public, **lists, private: moved[0]}, {**public, **lists, private: moved[1]}
