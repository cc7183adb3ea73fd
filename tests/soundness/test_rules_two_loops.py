"""Rules 5 to 12 and 18 for programs with loops one after the other: what one loop may know of another, and owes it."""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, alignment, largest, mechanism


@mechanism
def twice_above(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Each sparse vector costs eps / 2."""
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        xi = noise.laplace(8 * k / eps)
        if q_i + xi >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break
    rho = noise.laplace(4 / eps)
    found = 0
    for q_i in q:
        nu = noise.laplace(8 * k / eps)
        if q_i + nu >= T + rho:
            yield ABOVE
            found += 1
        else:
            yield BELOW
        if found >= k:
            break


def of_winners(q, q_, omega, start, length):
    """Equation (2) of the VLDB 2020 paper, for outputs from a position on."""
    return [1 + q[j] - q_[j] if omega[start + j] is ABOVE else 0 for j in range(length)]


def changes(q, q_):
    """The change of each answer, as noise must make up for it."""
    return [q[i] - q_[i] for i in range(len(q))]


@alignment(twice_above, epsilon="eps")
def twice_above_phi(q, q_, omega, H):
    first = len(H.xi)
    second = min(len(q), len(omega) - first)
    return H.shift(
        eta=1, rho=1, xi=of_winners(q, q_, omega, 0, first), nu=of_winners(q, q_, omega, first, second)
    )


@mechanism
def two_histograms(q: Queries, eps: Epsilon, noise: Noise):
    """The same answers, measured twice at eps / 2."""
    for q_i in q:
        a = noise.laplace(2 / eps)
        yield q_i + a
    for q_i in q:
        b = noise.laplace(2 / eps)
        yield q_i + b


@alignment(two_histograms, epsilon="eps", adjacency="l1")
def two_histograms_phi(q, q_, H):
    return H.shift(a=changes(q, q_), b=changes(q, q_))


@alignment(two_histograms, epsilon="len(omega) * eps / 2")
def two_histograms_by_length(q, q_, H):
    return H.shift(a=changes(q, q_), b=changes(q, q_))


@mechanism
def vector_then_above(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """A vector of draws at eps / 2, then a sparse vector at eps / 2."""
    e = [noise.laplace(2 / eps) for x in q]
    yield [x + e_i for x, e_i in zip(q, e)]
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        xi = noise.laplace(8 * k / eps)
        if q_i + xi >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(vector_then_above, epsilon="eps", adjacency="l1")
def vector_then_above_phi(q, q_, omega, H):
    return H.shift(e=changes(q, q_), eta=1, xi=of_winners(q, q_, omega, 1, len(omega) - 1))


@mechanism
def select_then_measure(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """The k largest at eps / 2, each with fresh noise at eps / (2k)."""
    v = [noise.laplace(4 * k / eps) for x in q]
    for i in largest([x + v_i for x, v_i in zip(q, v)], k):
        e = noise.laplace(2 * k / eps)
        yield i, q[i] + e


@alignment(select_then_measure, epsilon="eps")
def select_then_measure_phi(q, q_, omega, H):
    chosen = {i for i, x in omega}
    up = [1 + q[i] - q_[i] if i in chosen else 0 for i in range(len(q))]
    return H.shift(v=up, e=[q[i] - q_[i] for i, x in omega])


@mechanism
def one_threshold_for_both(q: Queries, r: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The noisy threshold serves both loops, and is paid for once; each loop ends with its first winner."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        xi = noise.laplace(8 / eps)
        if q_i + xi >= T + eta:
            yield ABOVE
            break
        yield BELOW
    for r_j in r:
        nu = noise.laplace(8 / eps)
        if r_j + nu >= T + eta:
            yield ABOVE
            break
        yield BELOW


@alignment(one_threshold_for_both, epsilon="eps")
def one_threshold_for_both_phi(q, q_, r, r_, omega, H):
    first = len(H.xi)
    second = min(len(r), len(omega) - first)
    return H.shift(eta=1, xi=of_winners(q, q_, omega, 0, first), nu=of_winners(r, r_, omega, first, second))


# Rule 18: what the loops cost together


@alignment(twice_above, epsilon="3 * eps / 4")
def one_threshold_unpaid(q, q_, omega, H):
    first = len(H.xi)
    second = min(len(q), len(omega) - first)
    return H.shift(
        eta=1, rho=1, xi=of_winners(q, q_, omega, 0, first), nu=of_winners(q, q_, omega, first, second)
    )


@alignment(two_histograms, epsilon="eps / 2", adjacency="l1")
def the_same_change_paid_once(q, q_, H):
    return H.shift(a=changes(q, q_), b=changes(q, q_))


@alignment(two_histograms, epsilon="eps / 2", adjacency="one")
def the_same_answer_paid_once(q, q_, H):
    return H.shift(a=changes(q, q_), b=changes(q, q_))


@alignment(two_histograms, epsilon="eps", adjacency="each")
def every_answer_paid_once(q, q_, H):
    return H.shift(a=changes(q, q_), b=changes(q, q_))


@alignment(two_histograms, epsilon="len(omega) * eps / 4")
def only_one_loop_counted_by_length(q, q_, H):
    return H.shift(a=changes(q, q_), b=changes(q, q_))


@mechanism
def three_histograms(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        a = noise.laplace(3 / eps)
        yield q_i + a
    for q_i in q:
        b = noise.laplace(3 / eps)
        yield q_i + b
    for q_i in q:
        c = noise.laplace(3 / eps)
        yield q_i + c


@alignment(three_histograms, epsilon="2 * eps / 3", adjacency="one")
def a_loop_in_the_middle_unpaid(q, q_, H):
    return H.shift(a=changes(q, q_), b=changes(q, q_), c=changes(q, q_))


@alignment(one_threshold_for_both, epsilon="3 * eps / 4")
def the_winner_that_ends_the_first_loop_unpaid(q, q_, r, r_, omega, H):
    first = len(H.xi)
    second = min(len(r), len(omega) - first)
    return H.shift(eta=1, xi=of_winners(q, q_, omega, 0, first), nu=of_winners(r, r_, omega, first, second))


@alignment(vector_then_above, epsilon="eps / 2", adjacency="l1")
def the_vector_unpaid(q, q_, omega, H):
    return H.shift(e=changes(q, q_), eta=1, xi=of_winners(q, q_, omega, 1, len(omega) - 1))


@alignment(select_then_measure, epsilon="eps / 2")
def the_measurements_unpaid(q, q_, omega, H):
    chosen = {i for i, x in omega}
    up = [1 + q[i] - q_[i] if i in chosen else 0 for i in range(len(q))]
    return H.shift(v=up, e=[q[i] - q_[i] for i, x in omega])


@mechanism
def each_measurement_at_eps(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    v = [noise.laplace(4 * k / eps) for x in q]
    for i in largest([x + v_i for x, v_i in zip(q, v)], k):
        e = noise.laplace(2 / eps)
        yield i, q[i] + e


@alignment(each_measurement_at_eps, epsilon="eps")
def each_measurement_at_eps_phi(q, q_, omega, H):
    chosen = {i for i, x in omega}
    up = [1 + q[i] - q_[i] if i in chosen else 0 for i in range(len(q))]
    return H.shift(v=up, e=[q[i] - q_[i] for i, x in omega])


@mechanism
def winners_counted_on(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The second loop goes on with the counter of the first, which may be k already."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        xi = noise.laplace(4 * k / eps)
        if q_i + xi >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break
    for q_i in q:
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(winners_counted_on, epsilon="eps")
def winners_counted_on_phi(q, q_, omega, H):
    first = len(H.xi)
    second = min(len(q), len(omega) - first)
    return H.shift(eta=1, xi=of_winners(q, q_, omega, 0, first), nu=of_winners(q, q_, omega, first, second))


@mechanism
def winners_counted_again(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The counter starts at 0 again, so that there may be 2k winners."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        xi = noise.laplace(4 * k / eps)
        if q_i + xi >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break
    count = 0
    for q_i in q:
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(winners_counted_again, epsilon="eps")
def winners_counted_again_phi(q, q_, omega, H):
    first = len(H.xi)
    second = min(len(q), len(omega) - first)
    return H.shift(eta=1, xi=of_winners(q, q_, omega, 0, first), nu=of_winners(q, q_, omega, first, second))


@mechanism
def a_draw_between(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        yield BELOW
    b = noise.laplace(1 / eps)
    yield s[0] + b
    for q_i in q:
        yield BELOW


@alignment(a_draw_between, epsilon="0")
def a_draw_between_unpaid(s, s_, H):
    return H.shift(b=s[0] - s_[0])


@mechanism
def above_then_vector(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        xi = noise.laplace(8 * k / eps)
        if q_i + xi >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break
    e = [noise.laplace(2 / eps) for x in q]
    yield [x + e_i for x, e_i in zip(q, e)]


@alignment(above_then_vector, epsilon="eps", adjacency="l1")
def above_then_vector_phi(q, q_, omega, H):
    return H.shift(e=changes(q, q_), eta=1, xi=of_winners(q, q_, omega, 0, len(H.xi)))


@alignment(above_then_vector, epsilon="eps / 2", adjacency="l1")
def the_vector_after_the_loop_unpaid(q, q_, omega, H):
    return H.shift(e=changes(q, q_), eta=1, xi=of_winners(q, q_, omega, 0, len(H.xi)))


@alignment(above_then_vector, epsilon="eps")
def the_vector_after_the_loop_under_each(q, q_, omega, H):
    return H.shift(e=changes(q, q_), eta=1, xi=of_winners(q, q_, omega, 0, len(H.xi)))


@alignment(above_then_vector, epsilon="eps", adjacency="l1")
def the_loop_reads_the_vector_after_it(q, q_, omega, H):
    up = 1 if H.e[0] > 0 else 2
    return H.shift(e=changes(q, q_), eta=up, xi=of_winners(q, q_, omega, 0, len(H.xi)))


@mechanism
def a_vector_between(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        a = noise.laplace(2 / eps)
        yield q_i + a
    e = [noise.laplace(2 / eps) for x in q]
    yield BELOW
    for x, e_i in zip(q, e):
        yield x + e_i


@alignment(a_vector_between, epsilon="eps", adjacency="l1")
def a_vector_between_phi(q, q_, H):
    return H.shift(a=changes(q, q_), e=changes(q, q_))


@alignment(a_vector_between, epsilon="eps / 2", adjacency="l1")
def a_vector_between_unpaid(q, q_, H):
    return H.shift(a=changes(q, q_), e=changes(q, q_))


@mechanism
def a_vector_in_every_round(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Every round draws a vector at eps, so that k rounds cost k eps."""
    for j in range(k):
        e = [noise.laplace(1 / eps) for x in q]
        yield [x + e_i for x, e_i in zip(q, e)]


@alignment(a_vector_in_every_round, epsilon="eps", adjacency="l1")
def a_vector_in_every_round_phi(q, q_, k, H):
    return H.shift(e=[changes(q, q_) for j in range(k)])


@mechanism
def as_long_a_vector_as_the_first_loop_ran(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rounds = 1
    for q_i in q:
        if q_i > T:
            break
        rounds += 1
    e = [noise.laplace(1 / eps) for j in range(rounds)]
    yield e


@alignment(as_long_a_vector_as_the_first_loop_ran, epsilon="eps")
def as_long_a_vector_as_the_first_loop_ran_phi(H):
    return H.shift()


# Rule 12 and the positions of outputs


@alignment(twice_above, epsilon="eps")
def winners_of_the_first_loop_move_in_the_second(q, q_, omega, H):
    first = len(H.xi)
    second = min(len(q), len(omega) - first, first)
    return H.shift(eta=1, rho=1, xi=of_winners(q, q_, omega, 0, first), nu=of_winners(q, q_, omega, 0, second))


@alignment(twice_above, epsilon="eps")
def the_first_loop_taken_to_run_to_its_end(q, q_, omega, H):
    first = len(H.xi)
    second = max(0, len(omega) - len(q))
    return H.shift(
        eta=1, rho=1, xi=of_winners(q, q_, omega, 0, first), nu=of_winners(q, q_, omega, len(q), second)
    )


@alignment(twice_above, epsilon="eps")
def one_position_too_early(q, q_, omega, H):
    first = len(H.xi)
    second = min(len(q), len(omega) - first)
    return H.shift(
        eta=1, rho=1, xi=of_winners(q, q_, omega, 0, first), nu=of_winners(q, q_, omega, first - 1, second)
    )


@alignment(twice_above, epsilon="eps")
def the_first_loop_looks_at_the_second(q, q_, omega, H):
    first = len(H.xi)
    second = len(omega) - first
    return H.shift(
        eta=1,
        rho=1,
        xi=of_winners(q, q_, omega, first, min(first, second)),
        nu=of_winners(q, q_, omega, first, min(len(q), second)),
    )


@mechanism
def two_outputs_for_a_winner(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Positions in the output are not iterations: a winner gives two outputs."""
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        xi = noise.laplace(8 * k / eps)
        if q_i + xi >= T + eta:
            yield ABOVE
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break
    for q_i in q:
        yield BELOW


@alignment(two_outputs_for_a_winner, epsilon="eps / 2")
def two_outputs_for_a_winner_phi(q, q_, omega, H):
    return H.shift(eta=1, xi=of_winners(q, q_, omega, 0, len(H.xi)))


@mechanism
def the_winner_is_silent(q: Queries, r: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The iteration that ends the first loop gives no output, so that the second starts one position earlier."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        xi = noise.laplace(8 / eps)
        if q_i + xi >= T + eta:
            break
        yield BELOW
    for r_j in r:
        nu = noise.laplace(8 / eps)
        if r_j + nu >= T + eta:
            yield ABOVE
            break
        yield BELOW


@alignment(the_winner_is_silent, epsilon="eps")
def the_winner_is_silent_phi(q, q_, r, r_, omega, H):
    first = len(H.xi)
    last = [1 + q[i] - q_[i] if i == first - 1 else 0 for i in range(first)]
    return H.shift(eta=1, xi=last, nu=of_winners(r, r_, omega, first, min(len(r), len(omega) - first)))


# Rule 10: one order for the whole run


@alignment(two_histograms, epsilon="eps", adjacency="l1")
def the_first_loop_reads_noise_of_the_second(q, q_, H):
    return H.shift(a=[q[i] - q_[i] + 0 * H.b[i] for i in range(len(q))], b=changes(q, q_))


@mechanism
def difference_of_two(q: Queries, eps: Epsilon, noise: Noise):
    """Neither loop is private by itself: nothing is hidden of an answer."""
    for q_i in q:
        a = noise.laplace(2 / eps)
        yield a
    for q_i in q:
        b = noise.laplace(2 / eps)
        yield q_i


@alignment(difference_of_two, epsilon="eps", adjacency="l1")
def difference_of_two_phi(q, q_, H):
    return H.shift(b=changes(q, q_))


@alignment(vector_then_above, epsilon="eps", adjacency="l1")
def the_vector_reads_noise_of_the_loop(q, q_, omega, H):
    e = [q[i] - q_[i] + (1 if H.xi[0] > 1000 else 0) for i in range(len(q))]
    return H.shift(e=e, eta=1, xi=of_winners(q, q_, omega, 1, len(omega) - 1))


@mechanism
def threshold_then_two(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    for q_i in q:
        xi = noise.laplace(1 / eps)
        yield xi
    for q_i in q:
        yield BELOW


@alignment(threshold_then_two, epsilon="eps")
def noise_before_reads_noise_of_the_first_loop(H):
    return H.shift(eta=1 if H.xi[0] > 0 else -1)


@alignment(two_histograms, epsilon="eps", adjacency="l1")
def by_what_the_first_loop_drew(q, q_, H):
    """Noise of the second loop undoes that of the first: in order, at a cost without bound."""
    return H.shift(a=changes(q, q_), b=[q[i] - q_[i] + H.a[i] - H.a[i] * 2 for i in range(len(q))])


# Rule 11: what an alignment asks of the whole output has one answer for all loops


@mechanism
def threshold_without_noise_on_answers(q: Queries, r: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    for q_i in q:
        if q_i >= T + eta:
            yield ABOVE
        else:
            yield BELOW
    for r_j in r:
        if r_j >= T + eta:
            yield ABOVE
        else:
            yield BELOW


@alignment(threshold_without_noise_on_answers, epsilon="eps")
def threshold_by_any(omega, H):
    return H.shift(eta=1 if any(w is BELOW for w in omega) else -1)


@alignment(threshold_without_noise_on_answers, epsilon="eps")
def threshold_by_the_output_of_each_loop(q, omega, H):
    return H.shift(eta=1 if omega[len(q)] is BELOW else -1)


# Rules 7, 8 and 9: what of the first loop the second may see


@mechanism
def where_the_first_stopped_is_how_often_the_second_runs(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    count = 0
    for q_i in q:
        if q_i > T:
            break
        count += 1
    for j in range(count):
        yield BELOW


@mechanism
def noise_hides_little_of_where_the_first_stopped(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    count = 0
    for q_i in q:
        xi = noise.laplace(1 / eps)
        if q_i + xi > T:
            break
        count += 1
    for j in range(count):
        yield BELOW


@mechanism
def how_the_first_ended_is_put_out_by_the_second(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    left = 0
    for q_i in q:
        if q_i > T:
            left = 1
            break
    for q_i in q:
        if left >= 1:
            yield ABOVE
        else:
            yield BELOW


@mechanism
def how_the_first_ended_is_put_out_between(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    left = 0
    for q_i in q:
        if q_i > T:
            left = 1
            break
    if left >= 1:
        yield ABOVE
    for q_i in q:
        yield BELOW


@mechanism
def how_the_first_ended_decides_whether_there_is_a_second(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    left = 0
    for q_i in q:
        if q_i > T:
            left = 1
            break
    if left >= 1:
        return
    for q_i in q:
        yield BELOW


@mechanism
def returns_from_the_first(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        if q_i > T:
            return
    for q_i in q:
        yield BELOW


@mechanism
def the_largest_answer_is_carried_over(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    best = T
    for q_i in q:
        if q_i > best:
            best = q_i
    for q_i in q:
        if best > T:
            yield ABOVE
        else:
            yield BELOW


@mechanism
def the_last_answer_is_carried_over(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    last = T
    for q_i in q:
        last = q_i
        xi = noise.laplace(1 / eps)
        if xi > T:
            break
    for q_i in q:
        yield last


@mechanism
def whether_noise_is_drawn_is_carried_over(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    far = 0
    for q_i in q:
        if q_i > T:
            far = 1
    for q_i in q:
        if far >= 1:
            nu = noise.laplace(1 / eps)
        yield BELOW


@mechanism
def the_scale_is_carried_over(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    far = 1
    for q_i in q:
        if q_i > T:
            far = 2
    for q_i in q:
        nu = noise.laplace(far / eps)
        yield nu


@mechanism
def the_rounds_are_carried_over(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """How many iterations the first loop made is no parameter, even where both runs make as many."""
    rounds = 1
    for q_i in q:
        rounds += 1
        if q_i > T:
            break
    for q_i in q:
        nu = noise.laplace(rounds / eps)
        yield nu


@mechanism
def one_answer_decides_which_queries_come_next(q: Queries, r: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        yield BELOW
    for x in [*r, *[y for y in q if y > T]]:
        yield ABOVE


SILENT = [
    where_the_first_stopped_is_how_often_the_second_runs,
    noise_hides_little_of_where_the_first_stopped,
    how_the_first_ended_is_put_out_by_the_second,
    how_the_first_ended_is_put_out_between,
    how_the_first_ended_decides_whether_there_is_a_second,
    returns_from_the_first,
    the_largest_answer_is_carried_over,
    the_last_answer_is_carried_over,
    whether_noise_is_drawn_is_carried_over,
    the_scale_is_carried_over,
    the_rounds_are_carried_over,
    one_answer_decides_which_queries_come_next,
]


@pytest.mark.parametrize("program", SILENT, ids=lambda program: program.name)
def test_what_the_first_loop_leaves_is_compared(program, never_proved):
    @alignment(program, epsilon="eps")
    def phi(H):
        return H.shift()

    never_proved(phi)


def test_a_name_of_the_first_loop_is_dead_in_the_second(refused_or_never_proved):
    def make():
        @mechanism
        def reads_a_dead_name(q: Queries, eps: Epsilon, noise: Noise):
            for q_i in q:
                kept = q_i
                yield BELOW
            for x in q:
                yield kept

        @alignment(reads_a_dead_name, epsilon="eps")
        def phi(H):
            return H.shift()

        return phi

    refused_or_never_proved(make)


@mechanism
def one_name_in_both_loops(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """``x`` belongs to each loop's body alone; the second gives it a value on one way only after reading q."""
    for q_i in q:
        x = q_i
        a = noise.laplace(1 / eps)
        if x + a > T:
            yield ABOVE
            break
        yield BELOW
    for q_i in q:
        x = q_i - T
        yield x


@alignment(one_name_in_both_loops, epsilon="2 * eps")
def one_name_in_both_loops_phi(q, q_, omega, H):
    return H.shift(a=changes(q, q_))


# Stated invariants


@alignment(twice_above, epsilon="eps", invariant="found <= k - 1")
def a_wrong_invariant_of_the_second_loop(q, q_, omega, H):
    first = len(H.xi)
    second = min(len(q), len(omega) - first)
    shifts = of_winners(q, q_, omega, first, second)
    return H.shift(eta=2, rho=1, xi=of_winners(q, q_, omega, 0, first), nu=shifts)


@alignment(twice_above, epsilon="eps / 2", invariant="privacy_cost <= eps / 2")
def a_bound_that_only_the_first_loop_keeps(q, q_, omega, H):
    first = len(H.xi)
    second = min(len(q), len(omega) - first)
    return H.shift(
        eta=1, rho=1, xi=of_winners(q, q_, omega, 0, first), nu=of_winners(q, q_, omega, first, second)
    )


RIGHT = [
    twice_above_phi,
    two_histograms_phi,
    two_histograms_by_length,
    vector_then_above_phi,
    select_then_measure_phi,
    one_threshold_for_both_phi,
    above_then_vector_phi,
    a_vector_between_phi,
]


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_what_is_right_is_proved(phi, proved):
    proved(phi)


WRONG = [
    one_threshold_unpaid,
    the_same_change_paid_once,
    the_same_answer_paid_once,
    every_answer_paid_once,
    only_one_loop_counted_by_length,
    a_loop_in_the_middle_unpaid,
    the_winner_that_ends_the_first_loop_unpaid,
    the_vector_unpaid,
    the_measurements_unpaid,
    each_measurement_at_eps_phi,
    winners_counted_on_phi,
    winners_counted_again_phi,
    a_draw_between_unpaid,
    the_vector_after_the_loop_unpaid,
    the_vector_after_the_loop_under_each,
    the_loop_reads_the_vector_after_it,
    a_vector_between_unpaid,
    a_vector_in_every_round_phi,
    as_long_a_vector_as_the_first_loop_ran_phi,
    winners_of_the_first_loop_move_in_the_second,
    the_first_loop_taken_to_run_to_its_end,
    one_position_too_early,
    the_first_loop_looks_at_the_second,
    two_outputs_for_a_winner_phi,
    the_winner_is_silent_phi,
    the_first_loop_reads_noise_of_the_second,
    difference_of_two_phi,
    the_vector_reads_noise_of_the_loop,
    noise_before_reads_noise_of_the_first_loop,
    by_what_the_first_loop_drew,
    threshold_by_any,
    threshold_by_the_output_of_each_loop,
    one_name_in_both_loops_phi,
    a_wrong_invariant_of_the_second_loop,
    a_bound_that_only_the_first_loop_keeps,
]


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_what_is_wrong_is_never_proved(phi, never_proved):
    never_proved(phi)
