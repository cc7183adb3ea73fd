"""Rules 5 to 10 and 18 for a loop inside a loop: what an inner loop costs in every round, and what it leaves behind."""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


def every_round(q, q_, k):
    """The change of each answer, in each of k rounds."""
    return [[q[i] - q_[i] for i in range(len(q))] for j in range(k)]


def every_query(q, q_, k):
    """The change of each answer, k times."""
    return [[q[i] - q_[i] for j in range(k)] for i in range(len(q))]


@mechanism
def rounds_of_answers(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Every answer in each of k rounds, at eps / k each."""
    for j in range(k):
        for q_i in q:
            e = noise.laplace(k / eps)
            yield q_i + e


@alignment(rounds_of_answers, epsilon="eps", adjacency="l1")
def rounds_of_answers_phi(q, q_, k, H):
    return H.shift(e=every_round(q, q_, k))


@alignment(rounds_of_answers, epsilon="eps", adjacency="one")
def rounds_of_one_answer_phi(q, q_, k, H):
    return H.shift(e=every_round(q, q_, k))


@mechanism
def answers_at_thresholds(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Every answer is held against k thresholds, with fresh noise each time."""
    for q_i in q:
        for t in range(k):
            e = noise.laplace(k / eps)
            if q_i + e >= t:
                yield ABOVE
            else:
                yield BELOW


@alignment(answers_at_thresholds, epsilon="eps", adjacency="one")
def answers_at_thresholds_phi(q, q_, k, H):
    return H.shift(e=every_query(q, q_, k))


@mechanism
def a_draw_around_and_after(q: Queries, s: Queries, k: Count, eps: Epsilon, noise: Noise):
    """In every round a draw before the inner loop and one after it, which are paid for in every round."""
    for j in range(k):
        b = noise.laplace(2 * k / eps)
        yield s[0] + b
        for t in range(j):
            yield BELOW
        c = noise.laplace(2 * k / eps)
        yield s[0] + c


@alignment(a_draw_around_and_after, epsilon="eps")
def a_draw_around_and_after_phi(s, s_, k, H):
    change = [s[0] - s_[0] for j in range(k)]
    return H.shift(b=change, c=change)


@mechanism
def rounds_then_answers(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Nested loops at eps / 2, then one more loop at eps / 2."""
    for j in range(k):
        for q_i in q:
            e = noise.laplace(2 * k / eps)
            yield q_i + e
    for q_i in q:
        f = noise.laplace(2 / eps)
        yield q_i + f


@alignment(rounds_then_answers, epsilon="eps", adjacency="l1")
def rounds_then_answers_phi(q, q_, k, H):
    return H.shift(e=every_round(q, q_, k), f=[q[i] - q_[i] for i in range(len(q))])


RIGHT = [
    rounds_of_answers_phi,
    rounds_of_one_answer_phi,
    answers_at_thresholds_phi,
    a_draw_around_and_after_phi,
    rounds_then_answers_phi,
]


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_what_is_right_is_proved(phi, proved):
    proved(phi)


# Rule 18: every round pays


@alignment(rounds_of_answers, epsilon="eps / k", adjacency="l1")
def one_round_paid(q, q_, k, H):
    return H.shift(e=every_round(q, q_, k))


@alignment(rounds_of_answers, epsilon="eps")
def one_answer_of_each_round_paid(q, q_, k, H):
    return H.shift(e=every_round(q, q_, k))


@alignment(answers_at_thresholds, epsilon="eps / k", adjacency="one")
def one_threshold_paid(q, q_, k, H):
    return H.shift(e=every_query(q, q_, k))


@alignment(answers_at_thresholds, epsilon="eps")
def one_answer_paid(q, q_, k, H):
    return H.shift(e=every_query(q, q_, k))


@alignment(rounds_then_answers, epsilon="eps / 2", adjacency="l1")
def the_loop_after_unpaid(q, q_, k, H):
    return H.shift(e=every_round(q, q_, k), f=[q[i] - q_[i] for i in range(len(q))])


@alignment(a_draw_around_and_after, epsilon="eps / 2")
def the_draw_after_the_inner_loop_unpaid(s, s_, k, H):
    change = [s[0] - s_[0] for j in range(k)]
    return H.shift(b=change, c=change)


@mechanism
def noise_that_does_not_grow(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for j in range(k):
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield q_i + e


@alignment(noise_that_does_not_grow, epsilon="eps", adjacency="l1")
def noise_that_does_not_grow_phi(q, q_, k, H):
    return H.shift(e=every_round(q, q_, k))


@mechanism
def two_inner_loops(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for j in range(k):
        for q_i in q:
            e = noise.laplace(k / eps)
            yield q_i + e
        for q_i in q:
            f = noise.laplace(k / eps)
            yield q_i + f


@alignment(two_inner_loops, epsilon="eps", adjacency="l1")
def one_of_two_inner_loops_paid(q, q_, k, H):
    return H.shift(e=every_round(q, q_, k), f=every_round(q, q_, k))


@mechanism
def winners_of_every_round(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The winner that ends the inner loop is paid for in every round."""
    for j in range(k):
        for q_i in q:
            e = noise.laplace(1 / eps)
            if q_i + e >= T:
                yield ABOVE
                break
            yield BELOW


@alignment(winners_of_every_round, epsilon="2 * eps")
def winners_of_every_round_phi(q, q_, k, H):
    return H.shift(e=every_round(q, q_, k))


@alignment(winners_of_every_round, epsilon="0")
def winners_unmoved(H):
    return H.shift()


@mechanism
def every_round_pays_more(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """The j-th round asks j times."""
    for j in range(k):
        for t in range(j + 1):
            e = noise.laplace(k / eps)
            yield q[0] + e


@alignment(every_round_pays_more, epsilon="eps")
def every_round_pays_more_phi(q, q_, k, H):
    return H.shift(e=[[q[0] - q_[0] for t in range(j + 1)] for j in range(k)])


# Rule 10: one order


@alignment(rounds_of_answers, epsilon="eps", adjacency="l1")
def reads_noise_of_the_inner_loop(q, q_, k, H):
    return H.shift(e=[[q[i] - q_[i] + 0 * H.e[j][i] for i in range(len(q))] for j in range(k)])


@alignment(a_draw_around_and_after, epsilon="eps")
def reads_noise_of_the_last_round(s, s_, k, H):
    change = [s[0] - s_[0] for j in range(k)]
    return H.shift(b=[s[0] - s_[0] + (H.c[k - 1] - H.c[j]) for j in range(k)], c=change)


# Rules 7, 8 and 9: what an inner loop leaves


@mechanism
def an_inner_break_in_silence(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    for j in range(k):
        seen = 0
        for q_i in q:
            if q_i > T:
                seen = 1
                break
        if seen >= 1:
            yield ABOVE
        else:
            yield BELOW


@mechanism
def an_inner_counter_is_put_out(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    for j in range(k):
        seen = 0
        for q_i in q:
            if q_i > T:
                seen += 1
        yield seen


@mechanism
def an_inner_counter_ends_the_outer_loop(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    for j in range(k):
        seen = 0
        for q_i in q:
            if q_i > T:
                seen = 1
        yield BELOW
        if seen >= 1:
            break


@mechanism
def a_total_across_rounds(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    total = 0
    for j in range(k):
        for q_i in q:
            total = total + q_i
        yield total


@mechanism
def how_often_the_inner_loop_runs(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    count = 0
    for q_i in q:
        if q_i > T:
            count += 1
        for t in range(count):
            yield BELOW


@mechanism
def an_inner_loop_over_what_is_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        n = 1
        if q_i > T:
            n = 2
        for t in range(n):
            yield BELOW


@mechanism
def a_scale_from_an_inner_loop(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    far = 1
    for j in range(k):
        for q_i in q:
            if q_i > T:
                far = 2
        e = noise.laplace(far / eps)
        yield e


@mechanism
def a_draw_that_an_inner_loop_decides(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    for j in range(k):
        far = 0
        for q_i in q:
            if q_i > T:
                far = 1
        if far >= 1:
            e = noise.laplace(1 / eps)
        yield BELOW


@mechanism
def noise_of_one_round_in_the_next(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """The noise of the first round hides the answers of later rounds only once."""
    left = 0
    for j in range(k):
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield q_i + left
            left = e


@mechanism
def returns_from_an_inner_loop(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    for j in range(k):
        for q_i in q:
            if q_i > T:
                return
        yield BELOW


@mechanism
def plain_answers_inside(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for j in range(k):
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield q_i


SILENT = [
    an_inner_break_in_silence,
    an_inner_counter_is_put_out,
    an_inner_counter_ends_the_outer_loop,
    a_total_across_rounds,
    how_often_the_inner_loop_runs,
    an_inner_loop_over_what_is_above,
    a_scale_from_an_inner_loop,
    a_draw_that_an_inner_loop_decides,
    noise_of_one_round_in_the_next,
    returns_from_an_inner_loop,
    plain_answers_inside,
]


@pytest.mark.parametrize("program", SILENT, ids=lambda program: program.name)
def test_what_an_inner_loop_leaves_is_compared(program, never_proved):
    @alignment(program, epsilon="eps")
    def phi(H):
        return H.shift()

    never_proved(phi)


WRONG = [
    one_round_paid,
    one_answer_of_each_round_paid,
    one_threshold_paid,
    one_answer_paid,
    the_loop_after_unpaid,
    the_draw_after_the_inner_loop_unpaid,
    noise_that_does_not_grow_phi,
    one_of_two_inner_loops_paid,
    winners_of_every_round_phi,
    winners_unmoved,
    every_round_pays_more_phi,
    reads_noise_of_the_inner_loop,
    reads_noise_of_the_last_round,
]


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_what_is_wrong_is_never_proved(phi, never_proved):
    never_proved(phi)
