"""Exact replays of a proved alignment, far from where a search looks: up to 60 queries, far-off public parameters."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice
from typing import Any

from alignkit import Alignment, InputError, LanguageError
from alignkit.refuting.collisions import forgotten
from alignkit.refuting.convicting import GuessingContext, convicts
from alignkit.refuting.random_search import small_noise
from alignkit.results import Witness
from alignkit.running.adjacent_pairs import random_pairs
from alignkit.running.both_runs import run_both
from alignkit.symbolic.substitution import holds
from alignkit.verdicts import Presumed

SIZES = (1, 2, 45, 3, 60, 5, 13)
FAR = {
    "T": (0, 1, 99, 100, 101, 1000, -1000, Fraction(1, 2)),
    "k": (1, 2, 3, 4, 13, 50),
    "eps": (1, Fraction(1, 1000), Fraction(1, 2), 7),
}


def broken(
    alignment: Alignment,
    seed: int,
    runs: int = 48,
    sizes: tuple[int, ...] = SIZES,
    most: int = 50,
    presumed: tuple[Presumed, ...] = (),
) -> str | None:
    """What some run breaks of an alignment's proof, in words; None where none of so many breaks any of it.

    Lists of answers have one of the ``sizes``, counts are at most ``most``. Public values of which what is
    ``presumed`` does not hold are passed over.
    """
    source = random.Random(seed)
    passed = []
    for pair in islice(random_pairs(alignment.mechanism, alignment.adjacency, source, sizes), runs):
        inputs = _far(alignment, pair, source, most)
        if not _hold(presumed, inputs):
            continue

        def made_up(distribution: Any, arguments: tuple[Any, ...]) -> Any:
            return small_noise(source, Fraction(1), distribution, arguments)

        try:
            trial = run_both(alignment, inputs, GuessingContext(alignment, made_up, set()))
        except InputError:
            continue
        except LanguageError as problem:
            return f"same_output: {problem.problem}"
        candidate = inputs.with_noise(trial.run.H)
        if trial.violation is None:
            passed.append((candidate, trial))
        elif convicts(alignment, candidate) is not None:
            return f"{trial.violation.condition}: {trial.violation.words}"
    if alignment.reads_noise and forgotten(alignment, passed[:12]) is not None:
        return "one_to_one: two noise vectors have one output and one image"
    return None


def _far(alignment: Alignment, pair: Witness, source: random.Random, most: int) -> Witness:
    """The pair with other public parameters, its answers moved alike: near the threshold, or below it."""
    mechanism = alignment.mechanism
    far = FAR | {"k": [k for k in FAR["k"] if k <= most]}
    public = {name: source.choice(far[name]) for name in mechanism.public if name in far}
    below = source.choice((0, 0, 2, 30))
    private = next(iter(mechanism.private))
    distance = public["T"] - below
    moved = []
    for answers in (pair.q[private], pair.q_[private]):
        moved.append(tuple(a + distance for a in answers) if isinstance(answers, tuple) else answers + distance)
    lists = {}
    for name, value in pair.public.items():
        if isinstance(value, tuple):
            longer = value * source.choice((1, 1, 1, 2)) + value[: source.choice((0, 0, 0, 1))]
            lists[name] = tuple(x + public["T"] for x in longer)
    return Witness(
        {**pair.public, **public, **lists}, {**pair.q, private: moved[0]}, {**pair.q_, private: moved[1]}
    )


def _hold(presumed: tuple[Presumed, ...], inputs: Witness) -> bool:
    """Whether what is presumed of public values, and of how long lists are, is true of some inputs."""
    lengths = {f"len({name})": len(v) for name, v in inputs.values.items() if isinstance(v, tuple)}
    return all(holds(each.formula, lambda atom: Fraction((inputs.values | lengths)[atom.name])) for each in presumed)
