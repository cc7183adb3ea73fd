"""Rules 13 and 42 where several private parameters share one change: ``one`` and ``l1`` count them together."""

from __future__ import annotations

from typing import Annotated

import pytest

from alignkit import Epsilon, Noise, Queries, Query, Real, Sensitivity, alignment, attack, mechanism

Wide = Annotated[Queries, Sensitivity(2)]


def own(q, q_):
    """What each answer has lost on D'."""
    return [q[i] - q_[i] for i in range(len(q))]


@mechanism
def two_lists(q: Queries, s: Queries, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps1) for x in q]
    f = [noise.laplace(1 / eps2) for x in s]
    return [x + e_i for x, e_i in zip(q, e)], [x + f_i for x, f_i in zip(s, f)]


def of_two_lists(q, q_, s, s_, H):
    return H.shift(e=own(q, q_), f=own(s, s_))


@mechanism
def of_two_widths(q: Queries, s: Wide, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for x in q]
    f = [noise.laplace(1 / eps) for x in s]
    return [x + e_i for x, e_i in zip(q, e)], [x + f_i for x, f_i in zip(s, f)]


@mechanism
def list_read_twice(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for x in q]
    f = [noise.laplace(1 / eps) for x in q]
    return [x + e_i for x, e_i in zip(q, e)], [x + f_i for x, f_i in zip(q, f)]


@mechanism
def pairwise_sums(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for x, y in zip(q, s)]
    return [x + y + e_i for x, y, e_i in zip(q, s, e)]


@mechanism
def weighted_sums(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for x, y in zip(q, s)]
    return [x + 2 * y + e_i for x, y, e_i in zip(q, s, e)]


def pairwise(q, q_, s, s_, H):
    return H.shift(e=[q[i] - q_[i] + s[i] - s_[i] for i in range(min(len(q), len(s)))])


def weighted(q, q_, s, s_, H):
    return H.shift(e=[q[i] - q_[i] + 2 * (s[i] - s_[i]) for i in range(min(len(q), len(s)))])


@mechanism
def two_answers(a: Query, b: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    return a + e, b + f


def of_two_answers(a, a_, b, b_, H):
    return H.shift(e=a - a_, f=b - b_)


@mechanism
def answer_twice(a: Query, b: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    return a + e, a + b + f


def of_answer_twice(a, a_, b, b_, H):
    return H.shift(e=a - a_, f=a - a_ + b - b_)


@mechanism
def sum_of_both(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(q) + sum(s) + e


@mechanism
def sums_of_both(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    return sum(q) + e, sum(s) + f


@mechanism
def weighted_sum(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(q) + 2 * sum(s) + e


@mechanism
def sum_with_answer(q: Queries, c: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    return sum(q) + c + e, c + f


@mechanism
def counts_of_both(q: Queries, s: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    return sum(1 for x in q if x >= T) + e, sum(1 for y in s if y >= T) + f


def of_counts(q, q_, s, s_, T, H):
    return H.shift(
        e=sum(1 for x in q if x >= T) - sum(1 for x in q_ if x >= T),
        f=sum(1 for y in s if y >= T) - sum(1 for y in s_ if y >= T),
    )


@mechanism
def widest_of_both(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return max(q) + max(s) + e


def of_widest(q, q_, s, s_, H):
    return H.shift(e=max(q) - max(q_) + max(s) - max(s_))


def of_sum_of_both(q, q_, s, s_, H):
    return H.shift(e=sum(q) - sum(q_) + sum(s) - sum(s_))


def of_weighted_sum(q, q_, s, s_, H):
    return H.shift(e=sum(q) - sum(q_) + 2 * (sum(s) - sum(s_)))


def of_sums_of_both(q, q_, s, s_, H):
    return H.shift(e=sum(q) - sum(q_), f=sum(s) - sum(s_))


def of_sum_with_answer(q, q_, c, c_, H):
    return H.shift(e=sum(q) - sum(q_) + c - c_, f=c - c_)


def of_list_read_twice(q, q_, H):
    return H.shift(e=own(q, q_), f=own(q, q_))


PROVED = [
    (two_lists, of_two_lists, "max(eps1, eps2)", "one"),
    (two_lists, of_two_lists, "max(eps1, eps2)", "l1"),
    (of_two_widths, of_two_lists, "2 * eps", "one"),
    (pairwise_sums, pairwise, "eps", "one"),
    (pairwise_sums, pairwise, "eps", "l1"),
    (weighted_sums, weighted, "2 * eps", "one"),
    (weighted_sums, weighted, "2 * eps", "l1"),
    (two_answers, of_two_answers, "eps", "one"),
    (two_answers, of_two_answers, "eps", "l1"),
    (answer_twice, of_answer_twice, "2 * eps", "one"),
    (answer_twice, of_answer_twice, "2 * eps", "l1"),
    (sum_of_both, of_sum_of_both, "eps", "one"),
    (sum_of_both, of_sum_of_both, "eps", "l1"),
    (sums_of_both, of_sums_of_both, "eps", "one"),
    (sums_of_both, of_sums_of_both, "eps", "l1"),
    (weighted_sum, of_weighted_sum, "2 * eps", "one"),
    (weighted_sum, of_weighted_sum, "2 * eps", "l1"),
    (sum_with_answer, of_sum_with_answer, "2 * eps", "one"),
    (sum_with_answer, of_sum_with_answer, "2 * eps", "l1"),
    (counts_of_both, of_counts, "eps", "one"),
    (widest_of_both, of_widest, "eps", "one"),
    (widest_of_both, of_widest, "eps", "l1"),
]

# A proof would say this that bounds each parameter by itself, forgets one, or counts one change where there are two.
LEAKS = [
    (two_lists, of_two_lists, "min(eps1, eps2)", "one"),
    (two_lists, of_two_lists, "min(eps1, eps2)", "l1"),
    (two_lists, of_two_lists, "eps1", "one"),
    (two_lists, of_two_lists, "eps2", "l1"),
    (two_lists, of_two_lists, "max(eps1, eps2)", "each"),
    (two_lists, of_two_lists, "max(eps1, eps2)", "monotone"),
    (of_two_widths, of_two_lists, "eps", "one"),
    (list_read_twice, of_list_read_twice, "eps", "one"),
    (list_read_twice, of_list_read_twice, "eps", "l1"),
    (weighted_sums, weighted, "eps", "one"),
    (weighted_sums, weighted, "3 * eps / 2", "l1"),
    (answer_twice, of_answer_twice, "eps", "one"),
    (answer_twice, of_answer_twice, "eps", "l1"),
    (weighted_sum, of_weighted_sum, "eps", "one"),
    (weighted_sum, of_weighted_sum, "3 * eps / 2", "l1"),
    (sum_with_answer, of_sum_with_answer, "eps", "one"),
    (sum_with_answer, of_sum_with_answer, "eps", "l1"),
    (counts_of_both, of_counts, "eps", "l1"),
    (widest_of_both, of_widest, "eps / 2", "one"),
]


@pytest.mark.parametrize(
    ("program", "phi", "claim", "adjacency"), PROVED, ids=[f"{p.name} {claim} {near}" for p, _, claim, near in PROVED]
)
def test_what_is_counted_once_in_all_parameters_is_proved(program, phi, claim, adjacency, proved):
    proved(alignment(program, epsilon=claim, adjacency=adjacency)(phi))


def test_what_is_proved_holds_for_all_sizes(proved_by_check):
    program, phi, claim, adjacency = PROVED[0]
    result = proved_by_check(alignment(program, epsilon=claim, adjacency=adjacency)(phi))
    assert set(result.scope.values()) == {"all"}


@pytest.mark.parametrize(
    ("program", "phi", "claim", "adjacency"), LEAKS, ids=[f"{p.name} {claim} {near}" for p, _, claim, near in LEAKS]
)
def test_a_change_that_is_paid_for_twice_is_not_proved_once(program, phi, claim, adjacency, refuted):
    refuted(alignment(program, epsilon=claim, adjacency=adjacency)(phi))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "claim", "adjacency"),
    [(p, claim, near) for p, _, claim, near in LEAKS],
    ids=[f"{p.name} {claim} {near}" for p, _, claim, near in LEAKS],
)
def test_these_programs_leak(program, claim, adjacency):
    budgets = {"eps1": 1, "eps2": 2} if claim == "eps1" else {"eps1": 2, "eps2": 1}
    given = {name: value for name, value in budgets.items() if name in program.public}
    found = (attack(program, claim=claim, adjacency=adjacency, parameters=given, effort=e) for e in (200, 1000))
    assert any(each.violates for each in found)
