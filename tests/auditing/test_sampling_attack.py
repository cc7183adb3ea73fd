"""The attack as a whole: never above the true loss, above the claim of what is broken, and what it refuses."""

from __future__ import annotations

import enum
import math
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from alignkit import ABOVE, BELOW, InputError
from alignkit.auditing.sampling_attack import attack_by_sampling, attack_sampler, certify_event
from alignkit.output_events import ANYTHING, Event, Interval
from alignkit.results import CertifiedLoss, Method

Rng = np.random.Generator


def laplace(data: Any, size: int, rng: Rng, scale: float = 1.0) -> Any:
    return data[0] + rng.laplace(scale=scale, size=size)


def randomised_response(data: bool, size: int, rng: Rng) -> Any:
    return data ^ (rng.random(size) >= 0.75)


def geometric(data: Any, size: int, rng: Rng) -> Any:
    p = 1 - math.exp(-0.5)
    return int(data[0]) + rng.geometric(p, size) - rng.geometric(p, size)


def histogram(data: Any, size: int, rng: Rng, scale: float = 1.0) -> Any:
    return data + rng.laplace(scale=scale, size=(size, len(data)))


def sparse_vector(data: Any, rng: Rng) -> Any:
    """Sparse vector that releases the answer behind the first gap as well, by the noise it was compared with."""
    threshold = rng.laplace(scale=2)
    found: list[Any] = []
    for answer in data:
        noisy = answer + rng.laplace(scale=4)
        if noisy >= threshold:
            return [*found, ABOVE]
        found.append(BELOW)
    return found


def endless_sparse_vector(data: Any, size: int, rng: Rng) -> Any:
    """Sparse vector without a bound on how many answers are above, and no noise on the answers."""
    return data >= rng.laplace(scale=1, size=(size, 1))


def noisy_max_value(data: Any, size: int, rng: Rng) -> Any:
    """Releases the noisy maximum, not only its place."""
    return (data + rng.laplace(scale=2, size=(size, len(data)))).max(axis=1)


RIGHT = [
    (laplace, {"queries": 1}, 1.0),
    (geometric, {"queries": 1}, 0.5),
    (randomised_response, {"pairs": [(True, False)], "adjacency": None}, math.log(3)),
    (histogram, {"adjacency": "one", "queries": 2}, 1.0),
]


@pytest.mark.parametrize(("sampler", "arguments", "loss"), RIGHT)
def test_never_above_the_true_loss(sampler: Any, arguments: Any, loss: float) -> None:
    # Each run fails with probability 10^-8 at most, so all of them with 10^-6 at most.
    for seed in range(4):
        bound = attack_sampler(sampler, **arguments, claim=loss, samples=8000, error=1e-8, seed=seed)
        assert 0.5 * loss < bound.loss <= loss
        assert not bound.violates


def test_a_looser_error_holds_too() -> None:
    # At error 0.05 about 1 in 20 of 30 attacks may fail; 13 or more would have probability below 10^-7.
    failed = sum(
        attack_sampler(
            randomised_response, pairs=[(True, False)], adjacency=None, samples=2000, error=0.05, seed=seed
        ).loss
        > math.log(3)
        for seed in range(30)
    )
    assert failed < 13


BROKEN = [
    (histogram, {"adjacency": "one", "parameters": {"scale": 0.5}, "queries": 3}, 1.0, 20_000),
    (histogram, {"adjacency": "each", "queries": 3}, 1.0, 20_000),
    (endless_sparse_vector, {}, 1.0, 20_000),
    (noisy_max_value, {}, 1.0, 30_000),
]


@pytest.mark.parametrize(("sampler", "arguments", "claim", "samples"), BROKEN)
def test_what_is_broken_is_found(sampler: Any, arguments: Any, claim: float, samples: int) -> None:
    bound = attack_sampler(sampler, **arguments, claim=claim, samples=samples, seed=3)
    assert bound.violates
    assert bound.method is Method.SAMPLED
    assert bound.error == 1e-6
    assert bound.samples is not None
    assert bound.samples <= samples
    assert bound.loss <= math.log(bound.low / bound.high)
    assert bound.claim == claim


def test_a_one_run_sampler_of_tags() -> None:
    bound = attack_sampler(sparse_vector, claim=1.0, samples=4000, queries=3, seed=1)
    assert 0 <= bound.loss <= 1.0


def lengths(data: Any, rng: Rng) -> Any:
    return [1.0] * int(rng.integers(0, 3) + (data[0] > 0))


def fractions(data: Any, rng: Rng) -> Any:
    return Fraction(int(data[0]) + int(rng.geometric(0.5)), 3)


def infinities(data: Any, rng: Rng) -> Any:
    noisy = data[0] + rng.laplace(scale=0.5)
    return math.inf if noisy > 1 else noisy


def far_integers(data: Any, rng: Rng) -> Any:
    return 10**400 + int(data[0]) + int(rng.geometric(0.5))


def sets(data: Any, rng: Rng) -> Any:
    return frozenset(np.flatnonzero(data + rng.laplace(scale=0.2, size=len(data)) > 0.5).tolist())


@pytest.mark.parametrize("sampler", [lengths, fractions, infinities, far_integers, sets])
def test_outputs_of_many_kinds(sampler: Any) -> None:
    bound = attack_sampler(sampler, queries=2, claim=0.5, samples=2000)
    assert bound.violates
    assert len(str(bound.event)) < 1000


def test_the_time_budget() -> None:
    """What is found within it depends on the machine; that it ends, shows its progress and claims no more does not."""
    lines: list[str] = []
    started = time.process_time()
    bound = attack_sampler(
        histogram, adjacency="one", parameters={"scale": 0.5}, claim=1.0, timeout=0.1, progress=lines.append
    )
    assert time.process_time() - started < 5  # ten without a budget, whatever else runs on the machine
    assert 0 <= bound.loss <= 2.0
    assert lines[0].startswith("round 1 of 3")


def test_progress_says_what_is_certified_so_far() -> None:
    lines: list[str] = []
    bound = attack_sampler(
        histogram, adjacency="one", parameters={"scale": 0.5}, claim=1.0, samples=20_000, progress=lines.append
    )
    assert bound.violates
    assert f"samples of each side: the loss is at least {bound.loss:.4g}" in lines[-1]


def test_the_snippet_certifies_again() -> None:
    bound = attack_sampler(laplace, queries=1, claim=0.5, samples=20_000)
    text = bound.snippet.replace("print(", "again = (", 1)
    # The tests are no package to import from.
    text = "\n".join(line for line in text.splitlines() if not line.startswith(f"from {laplace.__module__}"))
    names: dict[str, Any] = {"laplace": laplace}
    exec(text, names)
    assert isinstance(names["again"], CertifiedLoss)
    assert names["again"].violates
    assert names["again"].event == bound.event


def test_the_same_seed_gives_the_same_bound() -> None:
    first, second, third = (attack_sampler(geometric, queries=2, samples=5000, seed=s) for s in (1, 1, 2))
    assert first == second
    assert first != third


def own_randomness(data: Any) -> float:
    return float(data[0] + np.random.laplace())


def test_global_randomness_is_seeded_and_given_back() -> None:
    np.random.seed(5)
    before = np.random.get_state()[1].tolist()  # type: ignore[index, union-attr]
    bounds = [attack_sampler(own_randomness, queries=1, samples=3000) for _ in (1, 2)]
    assert bounds[0] == bounds[1]
    assert bounds[0].loss <= 1
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index, union-attr]


def test_pairs_of_databases_of_any_kind() -> None:
    def count(data: dict[str, list[int]], rng: Rng) -> float:
        return len(data["rows"]) + float(rng.laplace(scale=0.25))

    pair = ({"rows": [1, 2, 3]}, {"rows": [1, 2]})
    bound = attack_sampler(count, pairs=[pair], adjacency=None, claim=1.0, samples=5000)
    assert bound.violates
    assert {str(bound.witness.q), str(bound.witness.q_)} == set(map(str, pair))


def test_what_never_happens_bounds_the_loss_all_the_same() -> None:
    def exact(data: Any, size: int) -> Any:
        return [str(data)] * size

    bound = attack_sampler(exact, pairs=[(0, 1)], claim=1.0, samples=10_000)
    assert bound.violates
    assert math.isfinite(bound.loss)
    assert any("does not look random" in note for note in bound.notes)


def test_no_loss_gives_the_trivial_bound() -> None:
    bound = attack_sampler(lambda data, size, rng: rng.random(size), queries=1, claim=0.0, samples=2000)
    assert bound.loss == 0.0
    assert bound.event == Event(ANYTHING)
    assert not bound.violates


def test_an_event_that_the_user_gives() -> None:
    bound = certify_event(laplace, ([0.0], [1.0]), Event(Interval(high=0)), samples=10**5, claim=0.9)
    assert bound.violates
    assert bound.loss <= 1.0
    assert certify_event(laplace, ([1.0], [0.0]), Event(Interval(high=0)), samples=1000).loss == 0.0


class Interrupting:
    """Progress that presses Ctrl-C at the first line with a word in it."""

    def __init__(self, word: str, times: int = 1) -> None:
        self.word, self.times = word, times

    def __call__(self, line: str) -> None:
        if self.word in line and self.times:
            self.times -= 1
            raise KeyboardInterrupt


def test_interrupted_before_anything_is_found() -> None:
    def sampler(data: Any) -> float:
        raise KeyboardInterrupt

    bound = attack_sampler(sampler, claim=1.0)
    assert bound.loss == 0.0
    assert "interrupted: the best so far" in bound.notes


def test_interrupted_during_the_search() -> None:
    arguments: dict[str, Any] = {"adjacency": "one", "parameters": {"scale": 0.5}, "claim": 1.0, "samples": 50_000}
    bound = attack_sampler(histogram, **arguments, progress=Interrupting("round 2"))
    assert bound.violates
    assert "interrupted: the best so far" in bound.notes
    # The second Ctrl-C, while that is being certified.
    bound = attack_sampler(histogram, **arguments, progress=Interrupting("", times=10**9))
    assert bound.loss == 0.0


def test_interrupted_while_certifying() -> None:
    arguments: dict[str, Any] = {"adjacency": "one", "parameters": {"scale": 0.5}, "claim": 1.0, "samples": 64_000}
    bound = attack_sampler(histogram, **arguments, progress=Interrupting("16000 of 64000"))
    assert bound.samples == 4000
    assert bound.loss > 0.5
    assert bound.error == 1e-6
    assert "interrupted: the best so far" in bound.notes


class Colour(enum.Enum):
    RED = 1


def constant(data: Any) -> int:
    return 3


def raising(data: Any) -> int:
    raise ZeroDivisionError("no noise")


def not_a_number(data: Any, size: int, rng: Rng) -> Any:
    return np.where(rng.random(size) < 0.5, np.nan, 1.0)


def shared_draw(data: Any, size: int, rng: Rng) -> Any:
    return (data[0] + rng.laplace() + 0 * rng.random(size)) > 0


def own_generator(data: Any, size: int) -> Any:
    return data[0] + np.random.default_rng(3).laplace(size=size)


REFUSED = [
    (constant, {}, r"constant returned the same output, 3, in \d+ runs"),
    (raising, {}, r"raising raised ZeroDivisionError: no noise; the input was \[0.0"),
    (not_a_number, {}, "returned NaN"),
    (lambda data: {"a": 1}, {}, "dict"),
    (lambda data: [object()], {}, "object"),
    (lambda data, rng: 1.0 if rng.random() < 0.5 else "a", {}, "changes its output type from run to run"),
    (lambda data, rng: 1.0 if rng.random() < 0.5 else [1.0], {}, "changes its output type from run to run"),
    (lambda data: 1 if data[0] else "a", {"queries": 1}, "changes its output type from run to run"),
    (lambda data, size: [1] * (size - 1), {}, r"returned \d+ outputs where \d+ were asked for"),
    (shared_draw, {"samples": 20_000, "queries": 1}, "not independent"),
    (own_generator, {}, "repeats its random numbers"),
    (laplace, {"pairs": [([0], [3])]}, "no pair is adjacent.*answer 0 changes by 3"),
    (laplace, {"pairs": []}, "pairs is empty"),
    (laplace, {"adjacency": None}, "pairs is empty"),
    (laplace, {"adjacency": "both"}, "adjacency must be one of each"),
    (laplace, {"timeout": 0}, "timeout is 0"),
    (laplace, {"timeout": -1.0}, "timeout is -1.0"),
    (laplace, {"timeout": math.nan}, "timeout is nan"),
    (laplace, {"claim": math.nan}, "claim is nan"),
    (laplace, {"claim": -1}, "claim is -1"),
    (laplace, {"error": 0}, "error is 0"),
    (laplace, {"error": 1.0}, "error is 1.0"),
    (laplace, {"samples": 0}, "samples is 0"),
    (laplace, {"seed": -1}, "seed is -1"),
    (laplace, {"sensitivity": 0}, "sensitivity is 0"),
    (laplace, {"queries": 0}, "queries is 0"),
    (laplace, {"executor": 4}, "executor is a int"),
]


@pytest.mark.parametrize(("sampler", "arguments", "message"), REFUSED)
def test_refusals(sampler: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        attack_sampler(sampler, **{"samples": 1000, **arguments})


def test_a_batch_function_of_another_kind() -> None:
    bound = attack_by_sampling(
        lambda scale, size, rng: [Colour.RED if x < scale else None for x in rng.random(size)],
        [(0.3, 0.6)],
        samples=5000,
        parameters={"eps": 1},
        notes=("a note",),
    )
    assert bound.loss > 0.4
    assert bound.witness.public == {"eps": 1}
    assert bound.notes[0] == "a note"
