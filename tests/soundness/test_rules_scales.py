"""Rules 7, 43 and 45: scales that read the state of a loop or what was released, and costs that vary with them.

The wrong claims marked as leaks are false of the mechanism. The others are false of the alignment, or true by an
argument that the rules do not make.
"""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Noise,
    Positive,
    Proportion,
    Queries,
    Query,
    Real,
    Reals,
    alignment,
    attack,
    clamp,
    mechanism,
)


def each_answer(q, q_, H):
    return H.shift(e=[x - y for x, y in zip(q, q_)])


def each_output(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])


def winners(q, q_, omega, H):
    return H.shift(e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


def winners_beside_a_threshold(q, q_, omega, H):
    return H.shift(rho=1, e=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


def both(q, q_, H):
    return H.shift(e=q[0] - q_[0], x=q[1] - q_[1])


def the_first(q, q_, H):
    return H.shift(e=q[0] - q_[0])


def the_second(q, q_, H):
    return H.shift(x=q[1] - q_[1])


def one_query(q, q_, H):
    return H.shift(e=q - q_, x=q - q_)


def still(H):
    return H.shift()


# State of a loop


@mechanism
def halving(q: Queries, eps: Epsilon, noise: Noise):
    share = eps / 2
    for q_i in q:
        e = noise.laplace(1 / share)
        yield q_i + e
        share = share / 2


@mechanism
def by_a_ratio(q: Queries, r: Proportion, eps: Epsilon, noise: Noise):
    share = eps * (1 - r)
    for q_i in q:
        e = noise.laplace(1 / share)
        yield q_i + e
        share = share * r


@mechanism
def scale_that_doubles(q: Queries, eps: Epsilon, noise: Noise):
    scale = 2 / eps
    for q_i in q:
        e = noise.laplace(scale)
        yield q_i + e
        scale = scale * 2


@mechanism
def halved_by_winners(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    share = eps / 4
    for q_i in q:
        e = noise.laplace(2 / share)
        if q_i + e >= T + rho:
            yield ABOVE
            share = share / 2
        else:
            yield BELOW


@mechanism
def numbered_scales(q: Queries, eps: Epsilon, noise: Noise):
    step = 1
    for q_i in q:
        e = noise.laplace(step / eps)
        yield q_i + e
        step += 1


@mechanism
def wider_after_winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Each winner costs less than the one before it; k of them are allowed."""
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace((4 * k + count) / eps)
        if q_i + e >= T + rho:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


STATE_PROVED = [
    (halving, "eps", each_output, ()),
    (by_a_ratio, "eps", each_output, "privacy_cost * (1 - r) <= eps * (1 - r) - share"),
    (scale_that_doubles, "eps", each_output, ["scale * eps >= 2", "privacy_cost * scale <= eps * scale - 2"]),
    (halved_by_winners, "eps", winners_beside_a_threshold, ()),
    (numbered_scales, "eps * len(q)", each_output, "step == rounds + 1"),
    (wider_after_winners, "eps", winners_beside_a_threshold, ()),
]


@pytest.mark.parametrize(("program", "claim", "phi", "invariant"), STATE_PROVED, ids=lambda x: getattr(x, "name", ""))
def test_a_scale_may_read_state_that_follows_from_the_output(program, claim, phi, invariant, proved):
    proved(alignment(program, epsilon=claim, invariant=invariant)(phi))


@mechanism
def halved_by_answers(q: Queries, eps: Epsilon, noise: Noise):
    share = eps / 2
    for q_i in q:
        e = noise.laplace(1 / share)
        yield q_i + e
        if q_i > 100:
            share = share / 2


@mechanism
def state_is_an_answer(q: Queries, eps: Epsilon, noise: Noise):
    last = 1
    for q_i in q:
        e = noise.laplace((1 + abs(last)) / eps)
        yield BELOW
        last = q_i


@mechanism
def state_is_hidden_noise(q: Queries, eps: Epsilon, noise: Noise):
    last = 1
    for q_i in q:
        e = noise.laplace(last / eps)
        yield BELOW
        last = 1 + abs(q_i + e)


@mechanism
def state_by_hidden_branch(q: Queries, eps: Epsilon, noise: Noise):
    scale = 1 / eps
    for q_i in q:
        e = noise.laplace(scale)
        if e > 3:
            scale = scale * 2
        yield BELOW


@mechanism
def state_read_before_it_is_told(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Some losers double the scale too, in silence."""
    scale = 2 / eps
    for q_i in q:
        e = noise.laplace(scale)
        if q_i + e > T:
            yield ABOVE
        scale = scale * 2 if q_i + e > T - 5 else scale


@mechanism
def zero_in_the_last_round(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    left = k
    for q_i in q:
        e = noise.laplace(left / eps)
        yield q_i + e
        left -= 1
        if left < 0:
            break


@mechanism
def budget_that_runs_out(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    left = eps
    for q_i in q:
        e = noise.laplace(k / left)
        yield q_i + e
        left -= eps / k
        if left < 0:
            break


@mechanism
def scale_below_zero(q: Queries, eps: Epsilon, noise: Noise):
    scale = 3 / eps
    for q_i in q:
        e = noise.laplace(scale)
        yield q_i + e
        scale = scale - 1 / eps


@mechanism
def losers_pay_too(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    left = eps / 2
    for q_i in q:
        e = noise.laplace(1 / left)
        if q_i + e > T:
            yield ABOVE
            left = left / 2
        else:
            yield BELOW


@mechanism
def power_of_winners(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    weight = 1
    for q_i in q:
        e = noise.laplace(2 * weight / eps)
        if q_i + e > T:
            weight = 2 * weight
            yield ABOVE
        else:
            yield BELOW


@mechanism
def ratio_above_one(q: Queries, r: Positive, eps: Epsilon, noise: Noise):
    share = eps / 2
    for q_i in q:
        e = noise.laplace(1 / share)
        yield q_i + e
        share = share * r


@mechanism
def ratio_of_three_halves(q: Queries, eps: Epsilon, noise: Noise):
    share = eps / 8
    for q_i in q:
        e = noise.laplace(1 / share)
        yield q_i + e
        share = share * 3 / 2


@mechanism
def halving_too_late(q: Queries, eps: Epsilon, noise: Noise):
    share = eps / 2
    for i, q_i in enumerate(q):
        e = noise.laplace(1 / share)
        yield q_i + e
        if i >= 1:
            share = share / 2


@mechanism
def harmonic(q: Queries, eps: Epsilon, noise: Noise):
    for i, q_i in enumerate(q):
        e = noise.laplace((i + 1) / eps)
        yield q_i + e


@mechanism
def harmonic_by_state(q: Queries, eps: Epsilon, noise: Noise):
    n = 1
    for q_i in q:
        e = noise.laplace(n / eps)
        yield q_i + e
        n += 1


@mechanism
def squares_from_ten(q: Queries, eps: Epsilon, noise: Noise):
    for i, q_i in enumerate(q):
        e = noise.laplace((i + 10) * (i + 10) / (10 * eps))
        yield q_i + e


@mechanism
def reset_halfway(q: Queries, eps: Epsilon, noise: Noise):
    share = eps / 2
    for i, q_i in enumerate(q):
        e = noise.laplace(1 / share)
        yield q_i + e
        share = eps / 2 if i == 5 else share / 2


@mechanism
def two_draws_a_round(q: Queries, eps: Epsilon, noise: Noise):
    share = eps / 2
    for q_i in q:
        e = noise.laplace(1 / share)
        x = noise.laplace(1 / share)
        yield q_i + e, q_i + x
        share = share / 2


@mechanism
def larger_share_used(q: Queries, eps: Epsilon, noise: Noise):
    """The share is halved before it is booked and after it is used."""
    share = eps / 2
    for q_i in q:
        e = noise.laplace(1 / (2 * share))
        yield q_i + e
        share = share / 2


@mechanism
def state_at_different_speeds(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Both branches show the same, and halve by different factors."""
    share = eps / 2
    for q_i in q:
        e = noise.laplace(1 / share)
        if q_i + e > T:
            share = share / 2
            yield BELOW
        else:
            share = share / 4
            yield BELOW


@mechanism
def lattice_that_shrinks(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    lattice = 1
    for q_i in q:
        e = noise.discrete_laplace(1 / eps, lattice)
        yield q_i + e
        lattice = lattice / 2


def both_draws(q, q_, H):
    moved = [x - y for x, y in zip(q, q_)]
    return H.shift(e=moved, x=moved)


WRONG_BY_STATE = [
    (zero_in_the_last_round, "eps * k", each_output, ()),
    (budget_that_runs_out, "eps", each_output, ()),
    (scale_below_zero, "2 * eps", each_output, ()),
    (losers_pay_too, "eps", winners, ()),
    (power_of_winners, "eps", winners, ()),
    (ratio_above_one, "eps", each_output, "privacy_cost <= eps - 2 * share"),
    (ratio_of_three_halves, "2 * eps", each_output, "share > 0"),
    (halving_too_late, "eps", each_output, "privacy_cost <= eps - 2 * share"),
    (harmonic, "2 * eps", each_output, "privacy_cost * (rounds + 1) <= 2 * rounds * eps"),
    (harmonic_by_state, "2 * eps", each_output, "privacy_cost * n <= 2 * rounds * eps"),
    (squares_from_ten, "eps", each_output, "privacy_cost * (rounds + 10) <= rounds * eps"),
    (reset_halfway, "eps", each_output, "privacy_cost <= eps - 2 * share"),
    (two_draws_a_round, "eps", both_draws, "privacy_cost <= eps - 2 * share"),
    (larger_share_used, "eps", each_output, "privacy_cost <= eps - 2 * share"),
]


@pytest.mark.parametrize(("program", "claim", "phi", "invariant"), WRONG_BY_STATE, ids=lambda x: getattr(x, "name", ""))
def test_a_budget_that_moves_otherwise_than_the_cost_is_never_proved(program, claim, phi, invariant, never_proved):
    never_proved(alignment(program, epsilon=claim, invariant=invariant)(phi))


UNEQUAL_STATE = [
    (halved_by_answers, "eps", each_output),
    (state_is_an_answer, "eps", still),
    (state_is_hidden_noise, "eps", still),
    (state_by_hidden_branch, "eps", still),
    (state_read_before_it_is_told, "eps", still),
    (state_at_different_speeds, "eps", still),
    (lattice_that_shrinks, "eps * len(q)", each_output),
]


@pytest.mark.parametrize(("program", "claim", "phi"), UNEQUAL_STATE, ids=lambda x: getattr(x, "name", ""))
def test_state_that_the_output_does_not_tell_is_no_scale(program, claim, phi, never_proved):
    never_proved(alignment(program, epsilon=claim)(phi), "noise_used")


# Releases


@mechanism
def measured_twice(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    first = q + e
    x = noise.laplace(max(1, abs(first)) / eps)
    return first, q + x


@mechanism
def by_the_last_release(q: Queries, eps: Epsilon, noise: Noise):
    last = 0
    for q_i in q:
        e = noise.laplace((1 + abs(last)) / eps)
        last = q_i + e
        yield last


@mechanism
def by_the_side_of_a_release(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    r = q[0] + e
    yield r
    if r > 10:
        scale = 2 / eps
    else:
        scale = 1 / eps
    x = noise.laplace(scale)
    yield q[1] + x


@mechanism
def by_a_clamped_release(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    r = clamp(q[0] + e, 1, 10)
    yield r
    x = noise.laplace(r / eps)
    yield q[1] + x


@mechanism
def by_a_release_before_the_loop(q: Queries, eps: Epsilon, noise: Noise):
    first = noise.laplace(1 / eps)
    r = 1 + abs(q[0] + first)
    yield r
    for q_i in q:
        e = noise.laplace(r / eps)
        yield q_i + e


def first_and_each(q, q_, H):
    return H.shift(first=q[0] - q_[0], e=[x - y for x, y in zip(q, q_)])


@mechanism
def kept_in_silence(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The scale reads losers too, which are not put out."""
    last = 0
    for q_i in q:
        e = noise.laplace((1 + abs(last)) / eps)
        last = q_i + e
        if q_i + e > T:
            yield last
        else:
            yield BELOW


@mechanism
def reset_by_losers(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    last = 0
    for q_i in q:
        e = noise.laplace((1 + abs(last)) / eps)
        if q_i + e > T:
            last = q_i + e
            yield last
        else:
            last = 0
            yield BELOW


RELEASES_PROVED = [
    (reset_by_losers, "eps * len(q)", each_output),
    (measured_twice, "2 * eps", one_query),
    (by_the_last_release, "eps * len(q)", each_output),
    (by_the_side_of_a_release, "2 * eps", both),
    (by_a_clamped_release, "2 * eps", both),
    (by_a_release_before_the_loop, "eps * (1 + len(q))", first_and_each),
]


@pytest.mark.parametrize(("program", "claim", "phi"), RELEASES_PROVED, ids=lambda x: getattr(x, "name", ""))
def test_a_scale_may_read_a_release(program, claim, phi, proved):
    proved(alignment(program, epsilon=claim)(phi))


@mechanism
def released_on_one_branch(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    r = q[0] + e
    x = noise.laplace((1 + abs(r)) * 2 / eps)
    if q[1] + x > 0:
        yield r
    else:
        yield BELOW


@mechanism
def never_released(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    x = noise.laplace((1 + abs(q[0] + e)) / eps)
    yield q[1] + x


@mechanism
def something_else_released(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    r = q[0] + e
    yield r - q[2]
    x = noise.laplace((1 + abs(r)) / eps)
    yield q[1] + x


@mechanism
def released_in_part(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    r = q[0] + e
    yield clamp(r, 0, 1)
    x = noise.laplace((1 + abs(r)) / eps)
    yield q[1] + x


@mechanism
def sign_released(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    r = q[0] + e
    if r > 0:
        yield ABOVE
    else:
        yield BELOW
    x = noise.laplace((1 + abs(r)) / eps)
    yield q[1] + x


@mechanism
def released_of_another_round(q: Queries, eps: Epsilon, noise: Noise):
    """What is put out is the release before the one that the scale reads."""
    last = 0
    for q_i in q:
        e = noise.laplace((1 + abs(last)) / eps)
        yield last
        last = q_i + e


@mechanism
def scaled_down_by_a_release(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    r = q[0] + e
    yield r
    x = noise.laplace(1 / (eps * (1 + abs(r))))
    yield q[1] + x


@mechanism
def scale_may_be_small(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    r = q[0] + e
    yield r
    x = noise.laplace(abs(r) / eps)
    yield q[1] + x


@mechanism
def scale_may_be_zero(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    r = q[0] + e
    yield r
    x = noise.laplace(max(r, 0) / eps)
    yield q[1] + x


@mechanism
def answer_beside_a_release(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    r = q[0] + e
    yield r
    x = noise.laplace((1 + abs(r - q[0])) / eps)
    yield q[1] + x


@mechanism
def noise_beside_a_release(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield q[0] + e
    x = noise.laplace((1 + abs(e)) / eps)
    yield q[1] + x


@mechanism
def weights_from_a_release(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    r = q[0] + e
    yield r
    x = noise.choice([1 + abs(r), 1])
    yield x


@mechanism
def lattice_from_a_release(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    r = q[0] + e
    yield r
    x = noise.discrete_laplace(1 / eps, 1 + abs(r))
    yield q[1] + x


@mechanism
def vector_scaled_by_a_release(q: Queries, eps: Epsilon, noise: Noise):
    """Right at eps for the first answer and as much for each of all answers."""
    first = noise.laplace(1 / eps)
    r = q[0] + first
    e = [noise.laplace((1 + abs(r)) / eps) for q_i in q]
    return r, [q_i + e_i for q_i, e_i in zip(q, e)]


def the_second_if_told(q, q_, omega, H):
    told = omega[0] is not BELOW
    return H.shift(e=q[0] - q_[0] if told else 0, x=q[1] - q_[1])


def shift_by_earlier_noise(q, q_, H):
    return H.shift(e=q[0] - q_[0], x=q[1] - q_[1] + clamp(H.e, 0, 1))


WRONG_BY_RELEASES = [
    (released_on_one_branch, "eps", both),
    (released_on_one_branch, "eps", the_second_if_told),
    (released_on_one_branch, "eps / 2", the_second),
    (never_released, "eps", the_second),
    (never_released, "2 * eps", the_second),
    (something_else_released, "eps", the_second),
    (released_in_part, "eps", the_second),
    (sign_released, "2 * eps", both),
    (scaled_down_by_a_release, "2 * eps", both),
    (scaled_down_by_a_release, "100 * eps", both),
    (scale_may_be_small, "2 * eps", both),
    (scale_may_be_zero, "2 * eps", both),
    (answer_beside_a_release, "2 * eps", both),
    (noise_beside_a_release, "2 * eps", both),
    (by_the_side_of_a_release, "3 * eps / 2", both),
    (by_the_last_release, "eps", each_output),
    (measured_twice, "eps", one_query),
    (measured_twice, "2 * eps - eps / 100", one_query),
    (by_a_clamped_release, "2 * eps", shift_by_earlier_noise),
    (vector_scaled_by_a_release, "2 * eps", first_and_each),
]


@pytest.mark.parametrize(("program", "claim", "phi"), WRONG_BY_RELEASES, ids=lambda x: getattr(x, "name", ""))
def test_what_a_release_does_not_pay_for_is_never_proved(program, claim, phi, never_proved):
    never_proved(alignment(program, epsilon=claim)(phi))


HIDDEN_FROM_THE_OUTPUT = [
    (kept_in_silence, "100 * eps * len(q)", each_output),
    (released_on_one_branch, "100 * eps", the_second),
    (never_released, "100 * eps", the_second),
    (released_in_part, "100 * eps", both),
    (sign_released, "100 * eps", both),
    (released_of_another_round, "100 * eps", still),
    (answer_beside_a_release, "100 * eps", both),
    (noise_beside_a_release, "100 * eps", both),
    (weights_from_a_release, "100 * eps", the_first),
    (lattice_from_a_release, "100 * eps", both),
]


@pytest.mark.parametrize(("program", "claim", "phi"), HIDDEN_FROM_THE_OUTPUT, ids=lambda x: getattr(x, "name", ""))
def test_what_the_output_does_not_tell_is_no_scale(program, claim, phi, never_proved):
    never_proved(alignment(program, epsilon=claim)(phi), "noise_used")


CERTIFIED = [
    (halved_by_answers, "eps"),
    (losers_pay_too, "eps"),
    (ratio_of_three_halves, "eps"),
    (harmonic, "2 * eps"),
    (two_draws_a_round, "eps"),
    (halving_too_late, "eps"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("program", "claim"), CERTIFIED, ids=lambda x: getattr(x, "name", ""))
def test_what_these_budgets_leak_is_certified(program, claim):
    assert attack(program, claim=claim, eps=1, effort=600, timeout=60).violates


# One density: alignments by pieces


@mechanism
def fixed_scales(q: Query, eps: Epsilon, noise: Noise):
    a = noise.laplace(1 / eps)
    b = noise.laplace(1 / eps)
    x = noise.laplace(1 / eps)
    return q + a


@mechanism
def scaled_by_the_output(q: Query, eps: Epsilon, noise: Noise):
    a = noise.laplace(1 / eps)
    b = noise.laplace(1 / eps)
    x = noise.laplace((1 + abs(q + a)) / eps)
    return q + a


def without_an_order(q, q_, H):
    return H.shift(a=q - q_, b=clamp(H.x, 0, 1), x=clamp(H.b, 0, 1) / 4)


def test_a_scale_that_varies_is_no_proof_by_pieces(proved, never_proved):
    proved(alignment(fixed_scales, epsilon="3 * eps + 1")(without_an_order))
    never_proved(alignment(scaled_by_the_output, epsilon="3 * eps + 1")(without_an_order), "one_to_one")


# A scale that varies in one of several loops


@mechanism
def halved_in_two_loops(q: Queries, p: Queries, eps: Epsilon, noise: Noise):
    share = eps / 2
    for q_i in q:
        e = noise.laplace(1 / share)
        yield q_i + e
        share = share / 2
    for p_i in p:
        x = noise.laplace(1 / share)
        yield p_i + x


def first_list(q, q_, p, p_, omega, H):
    return H.shift(e=[a - b for a, b in zip(q, q_)], x=[a - b for a, b in zip(p, p_)])


def test_a_budget_that_shrinks_in_the_first_loop_alone_is_never_proved(refused_or_never_proved):
    refused_or_never_proved(lambda: alignment(halved_in_two_loops, epsilon="eps")(first_list))


# Shares of a vector


@mechanism
def equal_shares(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(len(q) / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@mechanism
def equal_shares_in_a_loop(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(len(q) / eps)
        yield q_i + e


@mechanism
def shares_of_one_less(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace((len(q) - 1) / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@mechanism
def one_share_more(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace((len(q) + 1) / eps) for q_i in q]
    first = noise.laplace((len(q) + 1) / eps)
    return q[0] + first, [q_i + e_i for q_i, e_i in zip(q, e)]


@mechanism
def shares_of_half(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(len(q) / (2 * eps)) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@mechanism
def shares_by_another_length(q: Queries, p: Reals, eps: Epsilon, noise: Noise):
    e = [noise.laplace(len(p) / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@mechanism
def shares_by_the_index(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace((i + 1) / eps) for i, q_i in enumerate(q)]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


def twice_as_far(q, q_, H):
    return H.shift(e=[2 * (x - y) for x, y in zip(q, q_)])


@pytest.mark.parametrize(
    ("program", "claim", "phi"),
    [
        (equal_shares, "eps", each_answer),
        (equal_shares_in_a_loop, "eps", each_output),
        (one_share_more, "eps", first_and_each),
        (shares_by_the_index, "eps * len(q)", each_answer),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_shares_of_a_vector_add_up(program, claim, phi, proved):
    proved(alignment(program, epsilon=claim)(phi))


@pytest.mark.parametrize(
    ("program", "claim", "phi"),
    [
        (equal_shares, "eps - eps / len(q)", each_answer),
        (equal_shares, "eps", twice_as_far),
        (shares_of_one_less, "eps", each_answer),
        (one_share_more, "eps - eps / (len(q) + 1)", first_and_each),
        (shares_of_half, "eps", each_answer),
        (shares_by_another_length, "eps", each_answer),
        (shares_by_the_index, "2 * eps", each_answer),
        (shares_by_the_index, "eps * len(q) / 2", each_answer),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_shares_that_are_too_large_are_never_proved(program, claim, phi, never_proved):
    never_proved(alignment(program, epsilon=claim)(phi))
