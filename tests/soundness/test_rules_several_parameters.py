"""Rules 13, 35, 41 and 42 where several private parameters share one change: ``one`` and ``l1`` count them together."""

from __future__ import annotations

from typing import Annotated

import pytest

from alignkit import (
    Epsilon,
    Noise,
    Queries,
    Query,
    Real,
    Sensitivity,
    alignment,
    attack,
    largest,
    mechanism,
)

Wide = Annotated[Queries, Sensitivity(2)]


def own(q, q_):
    """What each answer has lost on D'."""
    return [q[i] - q_[i] for i in range(len(q))]


# Lists of noise


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


# Single answers


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
def answer_and_list(c: Query, q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield c + e
    for x in q:
        f = noise.laplace(1 / eps)
        yield x + f


@mechanism
def answer_after_list(q: Queries, c: Query, eps: Epsilon, noise: Noise):
    for x in q:
        f = noise.laplace(1 / eps)
        yield x + f
    e = noise.laplace(1 / eps)
    yield c + e


def of_answer_and_list(c, c_, q, q_, H):
    return H.shift(e=c - c_, f=own(q, q_))


@mechanism
def answer_in_every_round(c: Query, q: Queries, eps: Epsilon, noise: Noise):
    for x in q:
        f = noise.laplace(1 / eps)
        yield x + c + f


def of_answer_in_every_round(c, c_, q, q_, H):
    return H.shift(f=[q[i] - q_[i] + c - c_ for i in range(len(q))])


@mechanism
def answer_twice_beside_list(c: Query, q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield c + e
    for x in q:
        f = noise.laplace(1 / eps)
        yield x + f
    g = noise.laplace(1 / eps)
    yield c + g


def of_answer_twice_beside_list(c, c_, q, q_, H):
    return H.shift(e=c - c_, f=own(q, q_), g=c - c_)


# Loops


@mechanism
def one_loop_each(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for x in q:
        e = noise.laplace(1 / eps)
        yield x + e
    for y in s:
        f = noise.laplace(1 / eps)
        yield y + f


@mechanism
def first_list_again(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for x in q:
        e = noise.laplace(1 / eps)
        yield x + e
    for y in s:
        f = noise.laplace(1 / eps)
        yield y + f
    for x in q:
        g = noise.laplace(1 / eps)
        yield x + g


def of_first_list_again(q, q_, s, s_, H):
    return H.shift(e=own(q, q_), f=own(s, s_), g=own(q, q_))


@mechanism
def in_one_loop(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for x, y in zip(q, s):
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        yield x + e, y + f


@mechanism
def summed_in_one_loop(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for x, y in zip(q, s):
        e = noise.laplace(1 / eps)
        yield x + y + e


@mechanism
def list_with_itself(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for x, y in zip(s, s):
        e = noise.laplace(1 / eps)
        yield x + y + e


@mechanism
def compared_in_one_loop(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for x, y in zip(q, s):
        e = noise.laplace(1 / eps)
        yield 1 if x + e >= y else 0


def of_compared(q, q_, s, s_, H):
    return H.shift(e=[q[i] - q_[i] - s[i] + s_[i] for i in range(min(len(q), len(s)))])


@mechanism
def first_answer_in_every_round(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for y in s:
        f = noise.laplace(1 / eps)
        yield y + q[0] + f


@mechanism
def noise_of_first_loop_only(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for x in q:
        e = noise.laplace(1 / eps)
        yield x + e
    for y in s:
        yield y + 1


@mechanism
def loop_in_loop(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for x in q:
        for y in s:
            e = noise.laplace(1 / eps)
            yield y + e


@mechanism
def list_then_loop(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for x in q]
    best = largest([x + e_i for x, e_i in zip(q, e)], 1)[0]
    yield best
    for y in s:
        f = noise.laplace(1 / eps)
        yield y + f


# Sums


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
def total_that_counts_one_twice(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    total = 0
    for x in q:
        total += x
    for y in s:
        total += 2 * y
    e = noise.laplace(1 / eps)
    return total + e


@mechanism
def sum_in_every_round(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for y in s:
        f = noise.laplace(1 / eps)
        yield y + sum(q) + f


@mechanism
def running_total_of_pairs(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    total = 0
    for x, y in zip(q, s):
        total += x + y
        f = noise.laplace(1 / eps)
        yield total + f


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


def of_loop_in_loop(q, s, s_, H):
    return H.shift(e=[own(s, s_) for x in q])


def of_sum_of_both(q, q_, s, s_, H):
    return H.shift(e=sum(q) - sum(q_) + sum(s) - sum(s_))


def of_weighted_sum(q, q_, s, s_, H):
    return H.shift(e=sum(q) - sum(q_) + 2 * (sum(s) - sum(s_)))


def of_sums_of_both(q, q_, s, s_, H):
    return H.shift(e=sum(q) - sum(q_), f=sum(s) - sum(s_))


def of_sum_with_answer(q, q_, c, c_, H):
    return H.shift(e=sum(q) - sum(q_) + c - c_, f=c - c_)


def of_list_with_itself(q, q_, s, s_, H):
    return H.shift(e=[2 * (s[i] - s_[i]) for i in range(len(s))])


def of_list_read_twice(q, q_, H):
    return H.shift(e=own(q, q_), f=own(q, q_))


def of_first_answer(q, q_, s, s_, H):
    return H.shift(f=[s[i] - s_[i] + q[0] - q_[0] for i in range(len(s))])


def of_sum_in_every_round(q, q_, s, s_, H):
    return H.shift(f=[s[i] - s_[i] + sum(q) - sum(q_) for i in range(len(s))])


def of_running_total(q, q_, s, s_, H):
    n = min(len(q), len(s))
    return H.shift(f=[sum(q[j] - q_[j] + s[j] - s_[j] for j in range(i + 1)) for i in range(n)])


def of_first_list(q, q_, H):
    return H.shift(e=own(q, q_))


# Proved at twice the noise or half the claim, and so on: what is claimed here is what a proof would say that bounds
# each parameter by itself, forgets one, or counts one change where there are two.
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
    (answer_in_every_round, of_answer_in_every_round, "eps", "one"),
    (answer_in_every_round, of_answer_in_every_round, "2 * eps", "l1"),
    (answer_twice_beside_list, of_answer_twice_beside_list, "eps", "one"),
    (answer_twice_beside_list, of_answer_twice_beside_list, "eps", "l1"),
    (one_loop_each, of_two_lists, "eps / 2", "l1"),
    (first_list_again, of_first_list_again, "eps", "one"),
    (first_list_again, of_first_list_again, "eps", "l1"),
    (in_one_loop, of_two_lists, "eps / 2", "one"),
    (list_with_itself, of_list_with_itself, "eps", "one"),
    (list_with_itself, of_list_with_itself, "eps", "l1"),
    (compared_in_one_loop, of_compared, "eps / 2", "one"),
    (first_answer_in_every_round, of_first_answer, "eps", "one"),
    (first_answer_in_every_round, of_first_answer, "eps", "l1"),
    (noise_of_first_loop_only, of_first_list, "eps", "one"),
    (noise_of_first_loop_only, of_first_list, "eps", "l1"),
    (loop_in_loop, of_loop_in_loop, "eps", "one"),
    (loop_in_loop, of_loop_in_loop, "eps", "l1"),
    (weighted_sum, of_weighted_sum, "eps", "one"),
    (weighted_sum, of_weighted_sum, "3 * eps / 2", "l1"),
    (sum_with_answer, of_sum_with_answer, "eps", "one"),
    (sum_with_answer, of_sum_with_answer, "eps", "l1"),
    (total_that_counts_one_twice, of_weighted_sum, "eps", "one"),
    (total_that_counts_one_twice, of_weighted_sum, "3 * eps / 2", "l1"),
    (sum_in_every_round, of_sum_in_every_round, "eps", "one"),
    (sum_in_every_round, of_sum_in_every_round, "eps", "l1"),
    (running_total_of_pairs, of_running_total, "eps", "one"),
    (running_total_of_pairs, of_running_total, "eps", "l1"),
    (counts_of_both, of_counts, "eps", "l1"),
    (widest_of_both, of_widest, "eps / 2", "one"),
]

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
    (answer_and_list, of_answer_and_list, "eps", "one"),
    (answer_and_list, of_answer_and_list, "eps", "l1"),
    (answer_after_list, of_answer_and_list, "eps", "one"),
    (answer_after_list, of_answer_and_list, "eps", "l1"),
    (answer_twice_beside_list, of_answer_twice_beside_list, "2 * eps", "one"),
    (answer_twice_beside_list, of_answer_twice_beside_list, "2 * eps", "l1"),
    (one_loop_each, of_two_lists, "eps", "one"),
    (one_loop_each, of_two_lists, "eps", "l1"),
    (first_list_again, of_first_list_again, "2 * eps", "one"),
    (first_list_again, of_first_list_again, "2 * eps", "l1"),
    (in_one_loop, of_two_lists, "eps", "one"),
    (in_one_loop, of_two_lists, "eps", "l1"),
    (summed_in_one_loop, pairwise, "eps", "one"),
    (summed_in_one_loop, pairwise, "eps", "l1"),
    (compared_in_one_loop, of_compared, "eps", "one"),
    (compared_in_one_loop, of_compared, "eps", "l1"),
    (answer_in_every_round, of_answer_in_every_round, "len(q) * eps", "one"),
    (answer_in_every_round, of_answer_in_every_round, "len(q) * eps", "l1"),
    (loop_in_loop, of_loop_in_loop, "len(q) * eps", "one"),
    (loop_in_loop, of_loop_in_loop, "len(q) * eps", "l1"),
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


@pytest.mark.parametrize(
    ("program", "phi", "claim", "adjacency"), PROVED, ids=[f"{p.name} {claim} {near}" for p, _, claim, near in PROVED]
)
def test_what_is_counted_once_in_all_parameters_is_proved(program, phi, claim, adjacency, proved):
    result = proved(alignment(program, epsilon=claim, adjacency=adjacency)(phi))
    assert set(result.scope.values()) == {"all"}


@pytest.mark.parametrize(
    ("program", "phi", "claim", "adjacency"), LEAKS, ids=[f"{p.name} {claim} {near}" for p, _, claim, near in LEAKS]
)
def test_a_change_that_is_paid_for_twice_is_not_proved_once(program, phi, claim, adjacency, refuted):
    refuted(alignment(program, epsilon=claim, adjacency=adjacency)(phi))


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
