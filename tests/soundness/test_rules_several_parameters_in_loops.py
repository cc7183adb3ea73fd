"""Rules 13 and 41 where several private parameters share one change, and loops pay for it: ``one`` and ``l1``."""

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Query, Real, alignment, attack, mechanism


def own(q, q_):
    """What each answer has lost on D'."""
    return [q[i] - q_[i] for i in range(len(q))]


def of_two_lists(q, q_, s, s_, H):
    return H.shift(e=own(q, q_), f=own(s, s_))


def pairwise(q, q_, s, s_, H):
    return H.shift(e=[q[i] - q_[i] + s[i] - s_[i] for i in range(min(len(q), len(s)))])


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


def of_loop_in_loop(q, s, s_, H):
    return H.shift(e=[own(s, s_) for x in q])


def of_weighted_sum(q, q_, s, s_, H):
    return H.shift(e=sum(q) - sum(q_) + 2 * (sum(s) - sum(s_)))


def of_list_with_itself(q, q_, s, s_, H):
    return H.shift(e=[2 * (s[i] - s_[i]) for i in range(len(s))])


def of_first_answer(q, q_, s, s_, H):
    return H.shift(f=[s[i] - s_[i] + q[0] - q_[0] for i in range(len(s))])


def of_sum_in_every_round(q, q_, s, s_, H):
    return H.shift(f=[s[i] - s_[i] + sum(q) - sum(q_) for i in range(len(s))])


def of_running_total(q, q_, s, s_, H):
    n = min(len(q), len(s))
    return H.shift(f=[sum(q[j] - q_[j] + s[j] - s_[j] for j in range(i + 1)) for i in range(n)])


def of_first_list(q, q_, H):
    return H.shift(e=own(q, q_))


@mechanism
def window_of_second(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    last = 0
    for y in s:
        e = noise.laplace(1 / eps)
        yield y + last + e
        last = y


def of_window(s, s_, H):
    return H.shift(e=[sum(s[j] - s_[j] for j in range(max(0, i - 1), i + 1)) for i in range(len(s))])


@mechanism
def window_over_both(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    last = 0
    for x, y in zip(q, s):
        e = noise.laplace(1 / eps)
        yield x + y + last + e
        last = y


def of_window_over_both(q, q_, s, s_, H):
    n = min(len(q), len(s))
    return H.shift(e=[q[i] - q_[i] + sum(s[j] - s_[j] for j in range(max(0, i - 1), i + 1)) for i in range(n)])


@mechanism
def left_early(q: Queries, s: Queries, k: Count, eps: Epsilon, noise: Noise):
    count = 0
    for x in q:
        e = noise.laplace(1 / eps)
        yield x + e
        if x + e >= 0:
            count += 1
            if count >= k:
                break
    for y in s:
        f = noise.laplace(1 / eps)
        yield y + f


@mechanism
def left_early_and_again(q: Queries, s: Queries, k: Count, eps: Epsilon, noise: Noise):
    count = 0
    for x in q:
        e = noise.laplace(1 / eps)
        yield x + e
        if x + e >= 0:
            count += 1
            if count >= k:
                break
    for y in s:
        f = noise.laplace(1 / eps)
        yield y + f
    for x in q:
        g = noise.laplace(1 / eps)
        yield x + g


@mechanism
def sums_above(q: Queries, s: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    for x, y in zip(q, s):
        e = noise.laplace(4 / eps)
        if x + y + e >= T + eta:
            yield ABOVE
            break
        else:
            yield BELOW


def of_sums_above(q, q_, s, s_, omega, H):
    up = [1 + q[i] - q_[i] + s[i] - s_[i] if w is ABOVE else 0 for i, w in enumerate(omega)]
    return H.shift(eta=1, e=up)


PROVED = [
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
    (window_of_second, of_window, "2 * eps", "one"),
    (window_of_second, of_window, "2 * eps", "l1"),
    (left_early, of_two_lists, "eps", "one"),
    (left_early, of_two_lists, "eps", "l1"),
    (left_early_and_again, of_first_list_again, "2 * eps", "one"),
    (left_early_and_again, of_first_list_again, "2 * eps", "l1"),
    (sums_above, of_sums_above, "eps", "one"),
    (sums_above, of_sums_above, "eps", "l1"),
]

# A proof would say this that bounds each parameter by itself, forgets one, or counts one change where there are two.
LEAKS = [
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
    (total_that_counts_one_twice, of_weighted_sum, "eps", "one"),
    (total_that_counts_one_twice, of_weighted_sum, "3 * eps / 2", "l1"),
    (sum_in_every_round, of_sum_in_every_round, "eps", "one"),
    (sum_in_every_round, of_sum_in_every_round, "eps", "l1"),
    (running_total_of_pairs, of_running_total, "eps", "one"),
    (running_total_of_pairs, of_running_total, "eps", "l1"),
    (window_of_second, of_window, "eps", "one"),
    (window_of_second, of_window, "eps", "l1"),
    (window_over_both, of_window_over_both, "eps", "one"),
    (window_over_both, of_window_over_both, "eps", "l1"),
    (left_early, of_two_lists, "eps / 2", "one"),
    (left_early_and_again, of_first_list_again, "eps", "one"),
    (left_early_and_again, of_first_list_again, "eps", "l1"),
]


SLOW = {window_of_second, window_over_both, left_early_and_again}


def cases(listed):
    def case(program, phi, claim, near):
        marks = [pytest.mark.slow] if program in SLOW else []
        return pytest.param(program, phi, claim, near, id=f"{program.name} {claim} {near}", marks=marks)

    return [case(*each) for each in listed]


@pytest.mark.parametrize(("program", "phi", "claim", "adjacency"), cases(PROVED))
def test_what_is_counted_once_in_all_parameters_is_proved(program, phi, claim, adjacency, proved):
    proved(alignment(program, epsilon=claim, adjacency=adjacency)(phi))


def test_what_is_proved_holds_for_all_sizes(proved_by_check):
    program, phi, claim, adjacency = PROVED[0]
    result = proved_by_check(alignment(program, epsilon=claim, adjacency=adjacency)(phi))
    assert set(result.scope.values()) == {"all"}


@pytest.mark.parametrize(("program", "phi", "claim", "adjacency"), cases(LEAKS))
def test_a_change_that_is_paid_for_twice_is_not_proved_once(program, phi, claim, adjacency, refuted):
    refuted(alignment(program, epsilon=claim, adjacency=adjacency)(phi))


@pytest.mark.slow
@pytest.mark.parametrize(("program", "phi", "claim", "adjacency"), cases(LEAKS))
def test_these_programs_leak(program, phi, claim, adjacency):
    budgets = {"eps1": 1, "eps2": 2} if claim == "eps1" else {"eps1": 2, "eps2": 1}
    given = {name: value for name, value in budgets.items() if name in program.public}
    found = (attack(program, claim=claim, adjacency=adjacency, parameters=given, effort=e) for e in (200, 1000))
    assert any(each.violates for each in found)
