"""Rule 35 where callers or callees have several private parameters: adjacency counts all private arguments together."""

from __future__ import annotations

import pytest

from alignkit import Epsilon, Noise, Queries, Query, Real, alignment, attack, mechanism


def own(q, q_):
    """What each answer has lost on D'."""
    return [x - y for x, y in zip(q, q_)]


# Callees, each with its lemmas


@mechanism
def histogram(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for x in q]
    return [x + e_i for x, e_i in zip(q, e)]


@alignment(histogram, epsilon="eps", adjacency="one")
def histogram_one(q, q_, H):
    return H.shift(e=own(q, q_))


@alignment(histogram, epsilon="eps", adjacency="l1")
def histogram_l1(q, q_, H):
    return H.shift(e=own(q, q_))


@mechanism
def two_histograms(a: Queries, b: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for x in a]
    f = [noise.laplace(1 / eps) for x in b]
    return [x + e_i for x, e_i in zip(a, e)], [x + f_i for x, f_i in zip(b, f)]


@alignment(two_histograms, epsilon="eps", adjacency="one")
def two_one(a, a_, b, b_, H):
    return H.shift(e=own(a, a_), f=own(b, b_))


@alignment(two_histograms, epsilon="eps", adjacency="l1")
def two_l1(a, a_, b, b_, H):
    return H.shift(e=own(a, a_), f=own(b, b_))


@mechanism
def above(a: Query, b: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return (1 if a >= T else 0) + (1 if b >= T else 0) + e


@alignment(above, epsilon="eps", adjacency="one")
def above_one(a, a_, b, b_, T, H):
    one = (1 if a >= T else 0) + (1 if b >= T else 0)
    other = (1 if a_ >= T else 0) + (1 if b_ >= T else 0)
    return H.shift(e=one - other)


@mechanism
def two_answers(a: Query, b: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    return a + e, b + f


@alignment(two_answers, epsilon="eps", adjacency="one")
def answers_one(a, a_, b, b_, H):
    return H.shift(e=a - a_, f=b - b_)


@alignment(two_answers, epsilon="eps", adjacency="l1")
def answers_l1(a, a_, b, b_, H):
    return H.shift(e=a - a_, f=b - b_)


# Callers


@mechanism
def both(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    return two_histograms(q, s, eps, noise)


@mechanism
def exchanged(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    return two_histograms(s, q, eps, noise)


@mechanism
def same_list(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    return two_histograms(q, q, eps, noise)


@mechanism
def single_list(q: Queries, eps: Epsilon, noise: Noise):
    return two_histograms(q, q, eps, noise)


@mechanism
def doubled(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    return two_histograms(q, [2 * y for y in s], eps, noise)


@mechanism
def differences(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    return two_histograms([x - y for x, y in zip(q, s)], [x + y for x, y in zip(q, s)], eps, noise)


@mechanism
def one_by_one(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    first = histogram(q, eps, noise)
    second = histogram(s, eps, noise)
    return first, second


@mechanism
def one_by_one_by_one(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    first = histogram(q, eps, noise)
    second = histogram(s, eps, noise)
    third = histogram(q, eps, noise)
    return first, second, third


@mechanism
def summed(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    return histogram([x + y for x, y in zip(q, s)], eps, noise)


@mechanism
def side_by_side(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    return histogram([q[0], s[0], q[0]], eps, noise)


@mechanism
def from_two_lists(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    return histogram([q[0], s[0]], eps, noise)


@mechanism
def thresholds(q: Queries, s: Queries, T: Real, eps: Epsilon, noise: Noise):
    return above(q[0], s[0], T, eps, noise)


@mechanism
def answer_and_list(q: Queries, c: Query, eps: Epsilon, noise: Noise):
    return two_answers(q[0], c, eps, noise)


@mechanism
def answer_and_sum(q: Queries, c: Query, eps: Epsilon, noise: Noise):
    return two_answers(c, q[0] + c, eps, noise)


@mechanism
def call_and_own_noise(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    first = histogram(q, eps, noise)
    f = [noise.laplace(1 / eps) for y in s]
    return first, [y + f_i for y, f_i in zip(s, f)]


@mechanism
def call_in_every_round(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for x, y in zip(q, s):
        a, b = two_answers(x, y, eps, noise)
        yield a, b


def nothing(H):
    return H.shift()


def of_second(s, s_, H):
    return H.shift(f=own(s, s_))


PROVED = [
    (both, two_one, nothing, "eps", "one"),
    (both, two_l1, nothing, "eps", "l1"),
    (both, two_l1, nothing, "eps", "one"),
    (exchanged, two_one, nothing, "eps", "one"),
    (exchanged, two_l1, nothing, "eps", "l1"),
    (one_by_one, histogram_one, nothing, "eps", "one"),
    (one_by_one, histogram_l1, nothing, "2 * eps", "l1"),
    (one_by_one_by_one, histogram_one, nothing, "2 * eps", "one"),
    (summed, histogram_one, nothing, "eps", "one"),
    (from_two_lists, histogram_one, nothing, "eps", "one"),
    (from_two_lists, histogram_l1, nothing, "eps", "l1"),
    (thresholds, above_one, nothing, "eps", "one"),
    (answer_and_list, answers_one, nothing, "eps", "one"),
    (answer_and_list, answers_l1, nothing, "eps", "l1"),
    (call_and_own_noise, histogram_one, of_second, "eps", "one"),
    (call_in_every_round, answers_one, nothing, "eps", "one"),
]

# The last column says whether the program leaks; if not, only the rule does not show it.
NOT_PROVED = [
    (both, two_one, nothing, "eps / 2", "l1", True),
    (both, two_one, nothing, "eps", "each", True),
    (both, two_one, nothing, "eps", "l1", False),
    (both, two_l1, nothing, "eps", "monotone", True),
    (same_list, two_one, nothing, "eps", "one", True),
    (same_list, two_l1, nothing, "eps", "l1", True),
    (single_list, two_one, nothing, "eps", "one", True),
    (single_list, two_l1, nothing, "eps", "l1", True),
    (doubled, two_one, nothing, "eps", "one", True),
    (doubled, two_l1, nothing, "eps", "l1", True),
    (differences, two_one, nothing, "eps", "one", True),
    (differences, two_l1, nothing, "eps", "l1", True),
    (one_by_one, histogram_l1, nothing, "eps", "l1", False),
    (one_by_one, histogram_one, nothing, "eps / 2", "one", True),
    (one_by_one_by_one, histogram_one, nothing, "eps", "one", True),
    (summed, histogram_one, nothing, "eps", "each", True),
    (side_by_side, histogram_one, nothing, "eps", "one", True),
    (side_by_side, histogram_l1, nothing, "eps", "l1", True),
    (from_two_lists, histogram_one, nothing, "eps", "l1", False),
    (thresholds, above_one, nothing, "eps", "l1", True),
    (answer_and_sum, answers_one, nothing, "eps", "one", True),
    (answer_and_sum, answers_l1, nothing, "eps", "l1", True),
    (call_and_own_noise, histogram_l1, of_second, "eps", "l1", False),
    (call_in_every_round, answers_l1, nothing, "eps / 2", "l1", True),
]


def _names(rows):
    return [f"{row[0].name} by {row[1].name} {row[3]} {row[4]}" for row in rows]


@pytest.mark.parametrize(("program", "lemma", "phi", "claim", "adjacency"), PROVED, ids=_names(PROVED))
def test_arguments_that_are_adjacent_together_cost_the_claim(program, lemma, phi, claim, adjacency, proved):
    proved(alignment(program, epsilon=claim, adjacency=adjacency, lemmas=[lemma])(phi))


@pytest.mark.parametrize(
    ("program", "lemma", "phi", "claim", "adjacency"), [row[:5] for row in NOT_PROVED], ids=_names(NOT_PROVED)
)
def test_arguments_that_are_not_are_never_proved(program, lemma, phi, claim, adjacency, never_proved):
    never_proved(alignment(program, epsilon=claim, adjacency=adjacency, lemmas=[lemma])(phi))


LEAKS = [row for row in NOT_PROVED if row[-1]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "claim", "adjacency"), [(row[0], row[3], row[4]) for row in LEAKS], ids=_names(LEAKS)
)
def test_these_programs_leak(program, claim, adjacency):
    assert any(attack(program, claim=claim, adjacency=adjacency, effort=effort).violates for effort in (200, 1000))
