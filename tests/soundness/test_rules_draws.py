"""Rules 5 to 7, 14 and 19: which noise is drawn, from what, where it may move and what that costs."""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    InputError,
    LanguageError,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    Reals,
    Tag,
    alignment,
    largest,
    mechanism,
)

SECOND = Tag("SECOND")


# Rule 5: a coordinate is a place, not a name


@mechanism
def drawn_twice(q: Queries, s: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(s)
    yield q[0] + e
    e = noise.laplace(s)
    yield q[0] + e


def one_draw(noise, s):
    e = noise.laplace(s)
    return e


@mechanism
def helper_twice(q: Query, s: Positive, eps: Epsilon, noise: Noise):
    a = one_draw(noise, s)
    b = one_draw(noise, s)
    return q + a, q + b


@mechanism
def drawn_in_two_branches(q: Query, T: Real, eps: Epsilon, noise: Noise):
    if T > 0:
        e = noise.laplace(1 / eps)
    else:
        e = noise.laplace(2 / eps)
    return q + e


@pytest.mark.parametrize(
    "program", [drawn_twice, helper_twice, drawn_in_two_branches], ids=lambda program: program.name
)
def test_an_ambiguous_name_is_an_error(program):
    with pytest.raises(LanguageError, match="ambiguous"):

        @alignment(program, epsilon="eps")
        def phi(H):
            return H.shift(e=1)


@alignment(drawn_twice, epsilon="1 / s")
def drawn_twice_phi(H):
    return H.shift()


@alignment(helper_twice, epsilon="1 / s")
def helper_twice_phi(H):
    return H.shift()


@pytest.mark.parametrize("phi", [drawn_twice_phi, helper_twice_phi], ids=lambda phi: phi.name)
def test_two_draws_of_one_name_are_two_coordinates(phi, refuted):
    refuted(phi, "same_output")


@mechanism
def reused(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield q[0] + e
    yield q[0] + 2 * e


@alignment(reused, epsilon="eps")
def reused_phi(q, q_, H):
    return H.shift(e=q[0] - q_[0])


def test_noise_that_is_reused_hides_once(refuted):
    refuted(reused_phi, "same_output")


def test_an_unknown_name_is_an_error():
    with pytest.raises(LanguageError, match="draws no"):

        @alignment(reused, epsilon="eps")
        def phi(H):
            return H.shift(f=1)


def _draw_under_or():
    @mechanism
    def program(q: Query, eps: Epsilon, noise: Noise):
        y = q > 0 or one_draw(noise, 1 / eps) > 0
        yield BELOW

    @alignment(program, epsilon="eps")
    def phi(H):
        return H.shift()

    return phi


def _draw_in_choice():
    @mechanism
    def program(q: Query, eps: Epsilon, noise: Noise):
        y = noise.laplace(1 / eps) if q > 0 else 0
        yield BELOW

    @alignment(program, epsilon="eps")
    def phi(H):
        return H.shift()

    return phi


def _helper_in_choice():
    @mechanism
    def program(q: Query, eps: Epsilon, noise: Noise):
        y = one_draw(noise, 1 / eps) if q > 10 * 10 * 10 * 10 else 0
        yield BELOW

    @alignment(program, epsilon="eps")
    def phi(H):
        return H.shift()

    return phi


def _draw_in_a_sum():
    @mechanism
    def program(q: Query, eps: Epsilon, noise: Noise):
        y = q + noise.laplace(1 / eps)
        yield y

    @alignment(program, epsilon="eps")
    def phi(H):
        return H.shift()

    return phi


def _draw_in_a_filter():
    @mechanism
    def program(q: Queries, eps: Epsilon, noise: Noise):
        y = [noise.laplace(1 / eps) for x in q if x > 10 * 10 * 10 * 10]
        yield BELOW

    @alignment(program, epsilon="eps")
    def phi(H):
        return H.shift()

    return phi


def _helper_in_a_list():
    @mechanism
    def program(q: Queries, eps: Epsilon, noise: Noise):
        y = [one_draw(noise, 1 / eps) for x in q]
        return [a + b for a, b in zip(q, y)]

    @alignment(program, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=[q[i] - q_[i] for i in range(len(q))])

    return phi


@pytest.mark.parametrize(
    "make",
    [_draw_under_or, _draw_in_choice, _helper_in_choice, _draw_in_a_sum, _draw_in_a_filter, _helper_in_a_list],
    ids=lambda make: make.__name__,
)
def test_a_draw_that_does_not_stand_alone_is_refused(make, refused_or_never_proved):
    refused_or_never_proved(make)


# Names that stand for two things


@mechanism
def draw_named_like_the_answers(q: Queries, eps: Epsilon, noise: Noise):
    p = q
    q = [noise.laplace(2 / eps) for x in p]
    noisy = [a + b for a, b in zip(p, q)]
    (best,) = largest(noisy, 1)
    leak = 0
    if best == 0:
        if q[best] < p[0] - 10 * 10 * 10 * 10:
            leak = p[0]
    return best, leak


@alignment(draw_named_like_the_answers, epsilon="eps")
def draw_named_like_the_answers_phi(q, q_, omega, H):
    best, leak = omega
    return H.shift(q=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])


@mechanism
def draw_named_like_the_thresholds(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    U = T
    T = [noise.laplace(2 / eps) for x in q]
    noisy = [a + b for a, b in zip(q, T)]
    (best,) = largest(noisy, 1)
    leak = 0
    if best == 0 and len(U) > 0:
        if T[best] < U[0] - 10 * 10 * 10 * 10:
            leak = q[0]
    return best, leak


@alignment(draw_named_like_the_thresholds, epsilon="eps")
def draw_named_like_the_thresholds_phi(q, q_, omega, H):
    best, leak = omega
    return H.shift(T=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])


@mechanism
def draw_named_like_a_parameter(q: Query, T: Real, eps: Epsilon, noise: Noise):
    U = T
    T = noise.laplace(1 / eps)
    x = q + T
    if T < U - 10 * 10 * 10 * 10:
        x = q
    return x


@alignment(draw_named_like_a_parameter, epsilon="eps")
def draw_named_like_a_parameter_phi(q, q_, H):
    return H.shift(T=q - q_)


@mechanism
def count_named_n(q: Queries, n: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    x = q[0] + eta
    if len(q) == n + 50:
        x = q[0]
    return x


@alignment(count_named_n, epsilon="eps")
def count_named_n_phi(q, q_, H):
    return H.shift(eta=q[0] - q_[0])


@pytest.mark.parametrize(
    "phi",
    [
        draw_named_like_the_answers_phi,
        draw_named_like_the_thresholds_phi,
        draw_named_like_a_parameter_phi,
        count_named_n_phi,
    ],
    ids=lambda phi: phi.name,
)
def test_what_has_one_name_is_not_one_thing(phi, never_proved):
    never_proved(phi, "same_output")


def test_a_parameter_named_like_the_other_database_is_not_taken_for_it(refused_or_never_proved):
    def make():
        @mechanism
        def program(q: Query, q_: Real, eps: Epsilon, noise: Noise):
            eta = noise.laplace(1 / eps)
            x = q + eta
            if q - q_ > 10 * 10 * 10 * 10:
                x = q
            return x

        @alignment(program, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(eta=q - q_)

        return phi

    refused_or_never_proved(make)


def test_two_private_vectors_named_like_one_and_its_other(refused_or_never_proved):
    def make():
        @mechanism
        def program(q: Queries, q_: Queries, eps: Epsilon, noise: Noise):
            eta = noise.laplace(1 / eps)
            x = q[0] + eta
            if q[0] - q_[0] > 10 * 10 * 10 * 10:
                x = q[0]
            return x

        @alignment(program, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(eta=q[0] - q_[0])

        return phi

    refused_or_never_proved(make)


# Rule 6: families are indexed by iteration


@mechanism
def noise_for_some(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    count = 0
    for q_i, T_i in zip(q, T):
        if T_i > 0:
            e = noise.laplace(1 / eps)
            yield q_i + e
            count += 1
        if count >= 1:
            break


@alignment(noise_for_some, epsilon="eps")
def by_output_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])


@alignment(noise_for_some, epsilon="eps")
def by_iteration_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


def test_a_shift_by_position_among_the_outputs_is_refuted(refuted):
    refuted(by_output_phi)


def test_a_shift_by_iteration_is_proved(proved):
    # One answer is released in all; which one is public.
    proved(by_iteration_phi)


@mechanism
def two_outputs_an_iteration(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            yield SECOND
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(two_outputs_an_iteration, epsilon="eps")
def positions_phi(q, q_, omega, H):
    n = min(len(q), len(omega))
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if omega[i] is ABOVE else 0 for i in range(n)])


def test_positions_are_iterations_only_where_each_gives_one_output(never_proved):
    never_proved(positions_phi)


@mechanism
def output_before_the_loop(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    yield SECOND
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(output_before_the_loop, epsilon="eps")
def unshifted_positions_phi(q, q_, omega, H):
    n = min(len(q), len(omega))
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if omega[i] is ABOVE else 0 for i in range(n)])


@alignment(output_before_the_loop, epsilon="eps")
def shifted_positions_phi(q, q_, omega, H):
    n = len(omega) - 1
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if omega[i + 1] is ABOVE else 0 for i in range(n)])


def test_an_output_before_the_loop_moves_the_positions(refuted):
    refuted(unshifted_positions_phi)


def test_positions_that_reckon_with_it_are_proved(proved):
    proved(shifted_positions_phi)


@mechanism
def list_in_a_loop(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        x = 0
        if T == 987 * 654:
            e = [noise.laplace(1 / eps) for y in q]
            x = q[0] + e[0]
        yield x


def test_lists_of_draws_in_a_loop_are_counted_each_time(refused_or_never_proved):
    def flat():
        @alignment(list_in_a_loop, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(e=[q[i] - q_[i] for i in range(len(q))])

        return phi

    def nested():
        @alignment(list_in_a_loop, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(e=[[q[0] - q_[0] for i in range(len(q))] for j in range(len(q))])

        return phi

    refused_or_never_proved(flat)
    refused_or_never_proved(nested)


def test_replay_takes_exactly_the_noise_that_is_drawn():
    with pytest.raises(InputError, match="too short"):
        by_iteration_phi.mechanism.replay([1, 2], T=[0, 1], eps=1, H={"e": [0]})
    with pytest.raises(InputError):
        by_iteration_phi.mechanism.replay([1, 2], T=[1, 1], eps=1, H={})


# Rule 7: whether, from what and at which scale is equal and public


@mechanism
def scale_by_other_noise(q: Query, eps: Epsilon, noise: Noise):
    b = noise.laplace(1 / eps)
    x = noise.laplace(1 + abs(b))
    return q + b


@alignment(scale_by_other_noise, epsilon="eps")
def scale_by_other_noise_phi(q, q_, H):
    return H.shift(b=q - q_)


@mechanism
def scale_by_the_answer(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace((1 + abs(q)) / eps)
    return q + e


@alignment(scale_by_the_answer, epsilon="eps")
def scale_by_the_answer_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def scale_by_a_private_choice(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps if q > 10 * 10 * 10 * 10 else 2 / eps)
    return q + e


@alignment(scale_by_a_private_choice, epsilon="eps")
def scale_by_a_private_choice_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def scale_by_a_private_counter(q: Queries, eps: Epsilon, noise: Noise):
    count = 1
    spent = 0
    for q_i in q:
        e = noise.laplace(count / eps)
        if q_i > 10 * 10 * 10 * 10:
            count += 1
        yield BELOW


@alignment(scale_by_a_private_counter, epsilon="eps")
def scale_by_a_private_counter_phi(H):
    return H.shift()


@mechanism
def scale_by_the_last_noise(q: Queries, eps: Epsilon, noise: Noise):
    last = 1
    for q_i in q:
        e = noise.laplace(last / eps)
        last = 1 + abs(e)
        yield BELOW


@alignment(scale_by_the_last_noise, epsilon="eps")
def scale_by_the_last_noise_phi(H):
    return H.shift()


@mechanism
def counter_named_iteration(q: Queries, eps: Epsilon, noise: Noise):
    iteration = 0
    for q_i in q:
        e = noise.laplace((1 + iteration) / eps)
        if q_i > 10 * 10 * 10 * 10:
            iteration += 2
        yield BELOW


@alignment(counter_named_iteration, epsilon="eps")
def counter_named_iteration_phi(H):
    return H.shift()


@mechanism
def drawn_for_large_answers(q: Query, eps: Epsilon, noise: Noise):
    if q > 10 * 10 * 10 * 10:
        e = noise.laplace(1 / eps)
    yield BELOW


@alignment(drawn_for_large_answers, epsilon="eps")
def drawn_for_large_answers_phi(H):
    return H.shift()


@mechanism
def family_by_the_answers(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace((1 + abs(q_i)) / eps) for q_i in q]
    return [a + b for a, b in zip(q, e)]


@alignment(family_by_the_answers, epsilon="eps", adjacency="l1")
def family_by_the_answers_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def distribution_by_the_answer(q: Query, eps: Epsilon, noise: Noise):
    if q > 10 * 10 * 10 * 10:
        a = noise.exponential(1 / eps)
    else:
        b = noise.laplace(1 / eps)
    yield BELOW


@alignment(distribution_by_the_answer, epsilon="eps")
def distribution_by_the_answer_phi(H):
    return H.shift()


@pytest.mark.parametrize(
    "phi",
    [
        scale_by_other_noise_phi,
        scale_by_the_answer_phi,
        scale_by_a_private_choice_phi,
        scale_by_a_private_counter_phi,
        scale_by_the_last_noise_phi,
        counter_named_iteration_phi,
        drawn_for_large_answers_phi,
        family_by_the_answers_phi,
        distribution_by_the_answer_phi,
    ],
    ids=lambda phi: phi.name,
)
def test_draws_depend_on_public_values_and_the_discrete_output_only(phi, never_proved):
    never_proved(phi, "noise_used")


# Rule 14, where it concerns one draw


@mechanism
def one_sided(q: Query, eps: Epsilon, noise: Noise):
    e = noise.exponential(1 / eps)
    return q + e


@alignment(one_sided, epsilon="eps")
def one_sided_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_one_sided_noise_does_not_go_below_zero(refuted):
    refuted(one_sided_phi, "valid_noise")


@mechanism
def lattice_test(q: Query(lattice=1), T: Real, eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    if q + e >= T:
        yield ABOVE
    else:
        yield BELOW


@alignment(lattice_test, epsilon="eps")
def half_step_phi(q, q_, H):
    return H.shift(e=(q - q_) / 2)


@alignment(lattice_test, epsilon="eps")
def whole_step_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_half_a_step_is_off_the_lattice(refuted):
    refuted(half_step_phi)


def test_a_whole_step_is_on_it(proved):
    proved(whole_step_phi)


@mechanism
def off_lattice(q: Query, eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    return q + e


@alignment(off_lattice, epsilon="eps")
def off_lattice_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def coarse_lattice(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps, 2)
    return q + e


@alignment(coarse_lattice, epsilon="eps")
def coarse_lattice_phi(q, q_, H):
    return H.shift(e=q - q_)


@pytest.mark.parametrize("phi", [off_lattice_phi, coarse_lattice_phi], ids=lambda phi: phi.name)
def test_answers_off_the_lattice_are_refused(phi, never_proved):
    never_proved(phi, "valid_noise")


# Rule 19: the cost is the distribution's, up and down apart


@mechanism
def exponential_test(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.exponential(1 / eps)
    f = noise.exponential(1 / eps)
    if q + e >= T + f:
        yield ABOVE
    else:
        yield BELOW


@alignment(exponential_test, epsilon="eps")
def both_up_phi(omega, H):
    # A loser's two shifts of 1 cost 2 eps.
    return H.shift(e=1, f=0 if omega[0] is ABOVE else 1)


@alignment(exponential_test, epsilon="eps")
def up_by_need_phi(omega, H):
    return H.shift(e=1 if omega[0] is ABOVE else 0, f=0 if omega[0] is ABOVE else 1)


@alignment(exponential_test, epsilon="0")
def down_phi(omega, H):
    return H.shift(e=0 if omega[0] is ABOVE else -1, f=-1 if omega[0] is ABOVE else 0)


def test_shifts_up_cost_each(refuted):
    refuted(both_up_phi)


def test_shifts_down_are_not_valid(refuted):
    refuted(down_phi, "valid_noise")


def test_one_shift_up_is_paid_for(proved):
    proved(up_by_need_phi)


@mechanism
def two_parts(q: Query, eps: Epsilon, noise: Noise):
    a = noise.laplace(2 / eps)
    b = noise.laplace(1 / eps)
    return q + a, q + b


@alignment(two_parts, epsilon="eps")
def two_parts_phi(q, q_, H):
    return H.shift(a=q - q_, b=q - q_)


@alignment(two_parts, epsilon="3 * eps / 2")
def two_parts_paid_phi(q, q_, H):
    return H.shift(a=q - q_, b=q - q_)


def test_costs_of_parts_add(refuted):
    refuted(two_parts_phi, "cost")


def test_their_sum_is_proved(proved):
    proved(two_parts_paid_phi)
