"""Samplers of the exponential mechanism with its gap against the law of Theorem 7, with a stated error rate.

Outcome s with gap g is written as the number s + g / (1 + g): a distribution function then says all of their joint law,
and by Dvoretzky, Kiefer, Wolfowitz and Massart that of n runs leaves the band of sqrt(ln(2/p) / 2n) around it with
probability at most p. Each comparison has p = 1e-6 over the choice of seed; the seeds are fixed.
"""

import math

import numpy as np
import pytest
from support.examples import examples

from alignkit.errors import InputError
from alignkit.mechanisms.black_box_gap import (
    black_box_gap,
    gap_without_loop,
    location,
    location_as_printed,
    select_outcome,
)
from alignkit.mechanisms.exponential_mechanism import exponential_mechanism, exponential_mechanism_with_gap

ERROR_RATE = 1e-6
RUNS = examples(5_000, 20_000)
# Enough of them to tell a wrong law apart.
MANY = 20_000

UTILITIES = (3.0, 1.0, 2.5, -1.0)
DELTA = 0.5
SETTINGS = [(UTILITIES, 0.4), (UTILITIES, 2), ((0.0, 0.0), 1)]


def band(n):
    return math.sqrt(math.log(2 / ERROR_RATE) / (2 * n))


def weights(u, eps):
    return [math.exp(eps * each / (2 * DELTA)) for each in u]


def law(number, u, eps):
    """P(s' + g'/(1 + g') <= number), by Theorem 7."""
    w = weights(u, eps)
    s = min(int(number), len(w) - 1)
    below = sum(w[:s]) / sum(w)
    part = number - s
    lead = part / (1 - part) if part < 1 else math.inf
    ahead = w[s] * math.exp(-lead)
    return below + w[s] / sum(w) - ahead / (ahead + sum(w) - w[s])


def distance(outputs, u, eps):
    coded = np.sort([s + gap / (1 + gap) for s, gap in outputs])
    exact = np.array([law(x, u, eps) for x in coded])
    steps = np.arange(len(coded) + 1) / len(coded)
    return max(np.max(steps[1:] - exact), np.max(exact - steps[:-1]))


def naive(u, eps, rng):
    return exponential_mechanism_with_gap.sample(list(u), delta=DELTA, eps=eps, seed=rng)


def black_box(u, eps, rng):
    found = black_box_gap(u, DELTA, eps, rng)
    return found.outcome, found.gap


def as_printed(u, eps, rng):
    found = black_box_gap(u, DELTA, eps, rng, at=location_as_printed)
    return found.outcome, found.gap


def without_loop(u, eps, rng):
    found = gap_without_loop(u, DELTA, eps, rng)
    return found.outcome, found.gap


def runs(sampler, u, eps, seed, count=RUNS):
    rng = np.random.default_rng(seed)
    return [sampler(u, eps, rng) for _ in range(count)]


@pytest.mark.parametrize("sampler", [naive, black_box, without_loop], ids=lambda f: f.__name__)
@pytest.mark.parametrize(("u", "eps"), SETTINGS, ids=["small budget", "large budget", "two equals"])
def test_outcome_and_gap_follow_theorem_7(sampler, u, eps):
    assert distance(runs(sampler, u, eps, 2023), u, eps) <= band(RUNS)


@pytest.mark.parametrize("eps", [0.4, 2])
def test_algorithm_8_as_printed_does_not(eps):
    assert distance(runs(as_printed, UTILITIES, eps, 2023, MANY), UTILITIES, eps) > band(MANY)


def test_algorithm_8_as_printed_does_for_budget_1():
    assert distance(runs(as_printed, UTILITIES, 1, 2023), UTILITIES, 1) <= band(RUNS)


def gumbel_max(u, eps, rng):
    return exponential_mechanism.sample(list(u), delta=DELTA, eps=eps, seed=rng)


def by_its_chances(u, eps, rng):
    return select_outcome(u, DELTA, eps, rng)


@pytest.mark.parametrize("sampler", [gumbel_max, by_its_chances], ids=lambda f: f.__name__)
def test_the_outcome_follows_theorem_5(sampler):
    found = np.bincount(runs(sampler, UTILITIES, 2, 5), minlength=4) / RUNS
    chances = np.array(weights(UTILITIES, 2)) / sum(weights(UTILITIES, 2))
    assert np.max(np.abs(np.cumsum(found) - np.cumsum(chances))) <= band(RUNS)


def test_the_largest_noisy_value_follows_theorem_6():
    rng = np.random.default_rng(7)
    x = np.array([each / (2 * DELTA) for each in UTILITIES])
    largest = np.sort((x + rng.gumbel(size=(RUNS, len(x)))).max(axis=1))
    exact = np.exp(-np.exp(-(largest - math.log(sum(np.exp(x))))))
    steps = np.arange(RUNS + 1) / RUNS
    assert max(np.max(steps[1:] - exact), np.max(exact - steps[:-1])) <= band(RUNS)


def test_rounds_follow_the_geometric_distribution_of_the_outcomes_chance():
    """P(rounds <= r) is the sum of p (1 - (1 - p)^r) over the outcomes, which depends on the utilities."""
    rng = np.random.default_rng(11)
    found = np.array([black_box_gap(UTILITIES, DELTA, 1, rng).rounds for _ in range(RUNS)])
    chances = np.array(weights(UTILITIES, 1)) / sum(weights(UTILITIES, 1))
    for r in (1, 2, 3, 5, 10, 30):
        exact = float(np.sum(chances * (1 - (1 - chances) ** r)))
        assert abs(np.mean(found <= r) - exact) <= band(RUNS)


def test_locations():
    assert location([3, 1, 1], 0, 1, 1) == pytest.approx(1 - math.log(2))
    assert location([4000, 0], 1, 1, 1) == -2000.0
    assert location_as_printed([3, 1], 0, 1, 7) == location([3, 1], 0, 1, 1)


def test_an_outcome_far_behind_comes_with_an_exponential_gap():
    """No overflow where a gap is hardly possible: there the loop would run for ever, and the other way does not."""
    rng = np.random.default_rng(3)
    gaps = np.sort([gap_without_loop([4000, 0], 1, 1, rng, select=lambda *_: 1).gap for _ in range(RUNS)])
    steps = np.arange(RUNS + 1) / RUNS
    exact = 1 - np.exp(-gaps)
    assert max(np.max(steps[1:] - exact), np.max(exact - steps[:-1])) <= band(RUNS)


@pytest.mark.parametrize("sampler", [black_box_gap, gap_without_loop], ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    ("u", "delta", "eps", "words"),
    [
        ([1], 1, 1, "at least two utilities"),
        ([1, math.inf], 1, 1, "finite numbers"),
        ([1, 2], 0, 1, "delta is 0; write a number above 0"),
        ([1, 2], 1, -1, "eps is -1; write a number above 0"),
    ],
    ids=["one", "infinite", "delta", "eps"],
)
def test_bad_input_says_what_to_write(sampler, u, delta, eps, words):
    with pytest.raises(InputError, match=words):
        sampler(u, delta, eps, np.random.default_rng(1))
