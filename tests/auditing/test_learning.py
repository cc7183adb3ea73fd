"""Events learnt from outputs: near the best possible where that is known, and never beyond it by much."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from alignkit import ABOVE, BELOW
from alignkit.auditing.choosing import expected_losses, learn_events
from alignkit.auditing.outputs import Outputs
from alignkit.output_events import Event, Interval, OneOf

SAMPLES, ERROR = 10**6, 1e-6


def best(one: Any, other: Any) -> tuple[Event, float]:
    """The event learnt on the first half of the outputs that looks best on the second, and its estimate."""
    half = len(one) // 2
    learning = [Outputs.of(side[:half], name="f") for side in (one, other)]
    held = [Outputs.of(side[half:], name="f") for side in (one, other)]
    events = learn_events(learning[0], learning[1], SAMPLES, ERROR)
    estimates = expected_losses(events, held[0], held[1], SAMPLES, ERROR)
    place = int(np.argmax(estimates))
    return events[place], estimates[place]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_a_threshold_for_laplace_noise(rng: np.random.Generator) -> None:
    noise = rng.laplace(size=(2, 100_000))
    event, estimate = best(noise[0], noise[1] + 1)
    assert 0.9 < estimate < 1.02
    assert isinstance(event.pattern, Interval)
    assert event.pattern.high is not None
    assert event.pattern.high <= 0.3


def test_thresholds_for_geometric_noise(rng: np.random.Generator) -> None:
    p = 1 - math.exp(-0.05)
    noise = rng.geometric(p, (4, 100_000))
    event, estimate = best(noise[0] - noise[1] + 20, noise[2] - noise[3])
    assert 0.85 < estimate < 1.03
    assert isinstance(event.pattern, Interval)
    assert event.pattern.low is not None
    assert event.pattern.low.denominator == 1


def test_labels_and_sets_of_them(rng: np.random.Generator) -> None:
    values = np.array(["a", "b", "c", "d"])
    one = rng.choice(values, 50_000, p=[0.4, 0.4, 0.1, 0.1])
    other = rng.choice(values, 50_000, p=[0.1, 0.1, 0.4, 0.4])
    event, estimate = best(one, other)
    # Both are alike, and more hits are better; by chance one may look better still.
    assert event.pattern in (OneOf(frozenset({"a", "b"})), "a", "b")
    assert 1.3 < estimate < math.log(4)


def test_truth_values(rng: np.random.Generator) -> None:
    event, estimate = best(rng.random(20_000) < 0.75, rng.random(20_000) < 0.25)
    assert event.pattern is True
    assert 1.0 < estimate < math.log(3) + 0.03


def test_sets_of_whole_outputs(rng: np.random.Generator) -> None:
    # Only the parity of the two parts tells: no part alone does.
    x, y = rng.integers(0, 2, (2, 40_000))
    flip = rng.random(40_000) < 0.2
    one, other = np.stack([x, x ^ flip], axis=1), np.stack([y, 1 - y ^ flip], axis=1)
    event, estimate = best(one, other)
    assert event.pattern == OneOf(frozenset({(0, 0), (1, 1)}))
    assert 1.2 < estimate < math.log(4) + 0.05


def test_several_real_parts(rng: np.random.Generator) -> None:
    noise = rng.laplace(scale=2, size=(2, 60_000, 3))
    event, estimate = best(noise[0] + [1, 0, 1], noise[1])
    assert 0.8 < estimate < 1.02
    assert sum(isinstance(part, Interval) for part in event.pattern) >= 2
    assert not isinstance(event.pattern[1], Interval)


def sparse_vector(rng: np.random.Generator, answer: float) -> tuple[Any, ...]:
    """Below until one is above, then its gap and the end; the threshold lacks its noise."""
    found: list[Any] = []
    for _ in range(4):
        gap = answer + rng.laplace(scale=2)
        found.append(gap if gap >= 1.5 else BELOW)
        if gap >= 1.5:
            break
    return tuple(found)


def test_sequences_of_tags_and_gaps(rng: np.random.Generator) -> None:
    one = [sparse_vector(rng, 0) for _ in range(20_000)]
    other = [sparse_vector(rng, 1) for _ in range(20_000)]
    event, estimate = best(one, other)
    assert isinstance(event.pattern, tuple)
    assert BELOW in event.pattern
    assert 0.6 < estimate < 2


def test_the_beginning_of_a_sequence_tells(rng: np.random.Generator) -> None:
    def run(p: float) -> tuple[Any, ...]:
        return (ABOVE if rng.random() < p else BELOW, *[BELOW] * int(rng.integers(0, 12)))

    event, estimate = best([run(0.8) for _ in range(20_000)], [run(0.2) for _ in range(20_000)])
    # The length says nothing: asking for one would cost eleven in twelve of the hits.
    assert event.holds((ABOVE,)) or event.more
    assert event.holds((ABOVE, BELOW, BELOW, BELOW))
    assert estimate > 1.25


def test_atoms_among_real_numbers(rng: np.random.Generator) -> None:
    one, other = (np.maximum(0.0, rng.laplace(size=50_000) + shift) for shift in (-1.0, 0.0))
    event, estimate = best(other, one)
    assert estimate > 0.85
    event, estimate = best(one, other)
    assert event.holds(0.0)
    assert estimate > 0.2


def test_an_answer_or_none(rng: np.random.Generator) -> None:
    one, other = ([None if x > 0 else x for x in (rng.laplace(size=20_000) + shift).tolist()] for shift in (1, 0))
    event, estimate = best(one, other)
    assert event.pattern is None
    assert 0.4 < estimate < 0.55


def test_nothing_to_learn(rng: np.random.Generator) -> None:
    _, estimate = best(rng.normal(size=20_000), rng.normal(size=20_000))
    assert estimate < 0.05


def test_a_million_floats(rng: np.random.Generator) -> None:
    noise = rng.laplace(size=(2, 1_000_000))
    event, estimate = best(noise[0], noise[1] + 1)
    assert 0.97 < estimate < 1.005
    assert event.holds(-5.0)


def test_numbers_of_every_size() -> None:
    one = [10**30 + i % 3 for i in range(3000)]
    other = [10**30 + i % 2 for i in range(3000)]
    event, estimate = best(one, other)
    assert estimate > 1
    assert event.holds(10**30 + 2)
    assert not event.holds(10**30)
