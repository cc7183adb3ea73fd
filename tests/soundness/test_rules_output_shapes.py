"""Shapes of output: what a returned index, a yielded index, a growing or filtered list, or a constant may give away.

Each program breaks one rule that a careless extension to these shapes would forget; none may be proved. The programs
of `RIGHT` stand next to them, so that the rules do not forbid too much.
"""

# Programs under test draw noise that they do not use.
# ruff: noqa: F841

from __future__ import annotations

from typing import Annotated

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Lattice,
    Noise,
    Queries,
    Query,
    Real,
    Reals,
    Tag,
    alignment,
    largest,
    mechanism,
)

NOTHING = Tag("NOTHING")

# A value that is returned from a loop, or after it


@mechanism
def first_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            return i
    return -1


@alignment(first_above, epsilon="eps")
def right_first_above(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(first_above, epsilon="eps")
def right_asks_before(q, q_, omega, H):
    """Whether the run ends in the first iteration is one answer for the whole run."""
    first = 1 + q[0] - q_[0]
    return H.shift(
        rho=1, nu=[first if i == 0 and omega == 0 else 2 if i == omega else 0 for i in range(len(q))]
    )


@alignment(first_above, epsilon="eps")
def looks_ahead(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i + 1 == omega else 0 for i in range(len(q))])


@alignment(first_above, epsilon="eps")
def pays_up_to_the_end(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i <= omega else 0 for i in range(len(q))])


@alignment(first_above, epsilon="eps")
def pays_where_nothing_is_found(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i >= omega else 0 for i in range(len(q))])


@alignment(first_above, epsilon="eps / 2")
def claims_half(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega else 0 for i in range(len(q))])


@alignment(first_above, epsilon="eps")
def threshold_follows_the_ending(q, q_, omega, H):
    return H.shift(rho=1 if omega == -1 else -1, nu=[0 for i in range(len(q))])


@alignment(first_above, epsilon="eps")
def far_if_late(q, q_, omega, H):
    return H.shift(rho=1000 if omega > 40 else 1, nu=[2 if i == omega else 0 for i in range(len(q))])


@alignment(first_above, epsilon="eps")
def reads_an_answer_that_need_not_be(q, q_, omega, H):
    return H.shift(rho=1 + 0 * q[omega + 1], nu=[2 if i == omega else 0 for i in range(len(q))])


@mechanism
def no_noise(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        if q_i >= T:
            return i, rho
    return -1, rho


@alignment(no_noise, epsilon="eps")
def ends_by_private_data(q, q_, omega, H):
    return H.shift(rho=0)


@mechanism
def collides(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            return i - 1
    return -1


@alignment(collides, epsilon="eps")
def first_and_nothing_look_alike(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i - 1 == omega else 0 for i in range(len(q))])


@mechanism
def with_gap(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        gap = q_i + nu - (T + rho)
        if gap >= 0:
            return i, gap
    return NOTHING


@alignment(with_gap, epsilon="eps")
def right_with_gap(q, q_, omega, H):
    return H.shift(
        rho=1, nu=[1 + q[i] - q_[i] if omega is not NOTHING and i == omega[0] else 0 for i in range(len(q))]
    )


@alignment(with_gap, epsilon="eps")
def gap_moves(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if omega is not NOTHING and i == omega[0] else 0 for i in range(len(q))])


@alignment(with_gap, epsilon="eps")
def part_of_nothing(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))])


@alignment(with_gap, epsilon="2 * eps")
def reads_the_gap(q, q_, omega, H):
    wide = 2 if omega is not NOTHING and omega[1] > 1 else 1
    nu = [wide + q[i] - q_[i] if omega is not NOTHING and i == omega[0] else 0 for i in range(len(q))]
    return H.shift(rho=wide, nu=nu)


@mechanism
def gives_the_answer(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            return i, q_i
    return -1, 0


@alignment(gives_the_answer, epsilon="eps")
def answer_beside_the_index(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega[0] else 0 for i in range(len(q))])


@mechanism
def tag_by_data(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            if q_i >= T:
                return ABOVE, i
            return BELOW, i
    return NOTHING, -1


@alignment(tag_by_data, epsilon="eps")
def tag_from_private_data(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega[1] else 0 for i in range(len(q))])


@mechanism
def found_then_break(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    found = -1
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            found = i
            break
    return found


@alignment(found_then_break, epsilon="eps")
def right_found_then_break(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega else 0 for i in range(len(q))])


@mechanism
def starts_at_zero(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    found = 0
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            found = i
            break
    return found


@alignment(starts_at_zero, epsilon="eps")
def zero_may_mean_nothing(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega else 0 for i in range(len(q))])


@mechanism
def counts_answers(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    count = 0
    for q_i in q:
        nu = noise.laplace(1 / eps)
        if q_i >= T:
            count += 1
    return count


@alignment(counts_answers, epsilon="eps")
def count_of_private_data(q, q_, omega, H):
    return H.shift(nu=[0 for i in range(len(q))])


@mechanism
def extra_draw(q: Queries, s: Query, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            if s >= T:
                more = noise.laplace(1 / eps)
                return i, more
            return i, nu - rho
    return -1, 0


@alignment(extra_draw, epsilon="eps")
def drawn_by_private_data(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 if i == omega[0] else 0 for i in range(len(q))])


@mechanism
def whichever_is_largest(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    top = largest(q, 1)
    for q_i in q:
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            return top[0]
    return -1


@alignment(whichever_is_largest, epsilon="eps")
def private_index(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega else 0 for i in range(len(q))])


# Yielded indices


@mechanism
def winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            yield i
            count += 1
            if count >= k:
                break


@alignment(winners, epsilon="eps")
def right_winners(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(winners, epsilon="eps")
def next_is_a_winner(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i + 1 in omega else 0 for i in range(len(q))])


@alignment(winners, epsilon="eps")
def losers_pay(q, q_, omega, H):
    return H.shift(rho=1, nu=[0 if i in omega else -2 for i in range(len(q))])


@alignment(winners, epsilon="eps")
def position_for_index(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i < len(omega) else 0 for i in range(len(q))])


@alignment(winners, epsilon="eps")
def far_if_seven_wins(q, q_, omega, H):
    return H.shift(rho=1000 if 7 in omega else 1, nu=[2 if i in omega else 0 for i in range(len(q))])


@mechanism
def winners_of_several(q: Queries, T: Reals, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= rho:
            yield i
            count += 1
            if count >= k:
                break


@alignment(winners_of_several, epsilon="eps")
def only_part_of_the_output(q, q_, T, omega, H):
    """Where there are fewer thresholds than winners, some winners are not looked at."""
    return H.shift(rho=1, nu=[2 if i in [w for w, t in zip(omega, T)] else 0 for i in range(len(q))])


@mechanism
def no_limit(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            yield i


@alignment(no_limit, epsilon="eps")
def any_number_of_winners(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])


@mechanism
def one_more_after(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            yield i
            count += 1
            if count >= k:
                break
    yield 0


@alignment(one_more_after, epsilon="eps")
def named_by_another_line(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])


@mechanism
def one_more_before(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    yield 3
    rho = noise.laplace(2 / eps)
    count = 0
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            yield i
            count += 1
            if count >= k:
                break


@alignment(one_more_before, epsilon="eps")
def named_before_the_loop(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])


@mechanism
def numbered_winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            yield count
            count += 1
            if count >= k:
                break


@alignment(numbered_winners, epsilon="eps")
def numbers_are_no_indices(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])


@mechanism
def two_kinds_of_index(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            yield i
            count += 1
            if count >= k:
                break
        else:
            yield i + 1


@alignment(two_kinds_of_index, epsilon="eps")
def index_of_a_neighbour(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])


# Several outputs for each iteration, and Booleans


@mechanism
def pairs(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(4 * k / eps)
        gap = q_i + nu - (T + rho)
        if gap >= 0:
            yield ABOVE
            yield gap
            count += 1
            if count >= k:
                break
        else:
            yield BELOW
            yield BELOW


@alignment(pairs, epsilon="eps")
def right_pairs(q, q_, omega, H):
    return H.shift(
        rho=1, nu=[1 + q[i] - q_[i] if 2 * i < len(omega) and omega[2 * i] is ABOVE else 0 for i in range(len(q))]
    )


@alignment(pairs, epsilon="eps")
def wrong_position(q, q_, omega, H):
    return H.shift(
        rho=1, nu=[1 + q[i] - q_[i] if i < len(omega) and omega[i] is ABOVE else 0 for i in range(len(q))]
    )


@alignment(pairs, epsilon="eps")
def gap_of_the_next(q, q_, omega, H):
    return H.shift(
        rho=1, nu=[2 if 2 * i + 2 < len(omega) and omega[2 * i + 2] is ABOVE else 0 for i in range(len(q))]
    )


@alignment(pairs, epsilon="2 * eps")
def reads_a_yielded_gap(q, q_, omega, H):
    return H.shift(
        rho=1,
        nu=[
            1 + q[i] - q_[i] + 0 * omega[2 * i + 1] if 2 * i < len(omega) and omega[2 * i] is ABOVE else 0
            for i in range(len(q))
        ],
    )


@mechanism
def two_for_winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(4 * k / eps)
        gap = q_i + nu - (T + rho)
        if gap >= 0:
            yield ABOVE
            yield gap
            count += 1
            if count >= k:
                break
        else:
            yield BELOW


@alignment(two_for_winners, epsilon="eps")
def positions_shift(q, q_, omega, H):
    return H.shift(
        rho=1, nu=[1 + q[i] - q_[i] if 2 * i < len(omega) and omega[2 * i] is ABOVE else 0 for i in range(len(q))]
    )


@mechanism
def booleans(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(4 * k / eps)
        above = q_i + nu >= T + rho
        yield above
        if above:
            count += 1
            if count >= k:
                break


@alignment(booleans, epsilon="eps")
def right_booleans(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if w else 0 for w in omega])


@alignment(booleans, epsilon="eps")
def wrong_way_round(q, q_, omega, H):
    return H.shift(rho=1, nu=[0 if w else 2 for w in omega])


@mechanism
def plain_booleans(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for q_i in q:
        yield q_i >= T
    yield rho


@alignment(plain_booleans, epsilon="eps")
def boolean_of_private_data(q, q_, H):
    return H.shift(rho=0)


# Lists that a loop makes longer


@mechanism
def list_of_winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    out = []
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            out = [*out, i]
            if len(out) >= k:
                break
    return out


@alignment(list_of_winners, epsilon="eps")
def right_list_of_winners(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(list_of_winners, epsilon="eps")
def list_without_payment(q, q_, omega, H):
    return H.shift(rho=1)


@alignment(list_of_winners, epsilon="eps")
def list_read_by_position(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i < len(omega) and omega[i] == i else 0 for i in range(len(q))])


@alignment(list_of_winners, epsilon="len(omega) / k * eps / 2")
def threshold_is_not_paid(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])


@mechanism
def twice_as_many(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    out = []
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            out = [*out, i, i]
            if len(out) >= 4 * k:
                break
    return out


@alignment(twice_as_many, epsilon="eps")
def more_winners_than_paid(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])


@mechanism
def list_of_answers(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(1 / eps)
    out = [rho]
    for q_i in q:
        out = [*out, q_i]
    return out


@alignment(list_of_answers, epsilon="eps")
def answers_in_a_list(q, q_, H):
    return H.shift(rho=0)


@mechanism
def list_by_data(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(1 / eps)
    out = [rho]
    for i, q_i in enumerate(q):
        if q_i >= T:
            out = [*out, i]
    return out


@alignment(list_by_data, epsilon="eps")
def appended_by_private_data(q, q_, H):
    return H.shift(rho=0)


@mechanism
def length_by_data(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(1 / eps)
    out = []
    for q_i in q:
        if q_i >= T:
            out = [*out, 0]
    return rho, len(out)


@alignment(length_by_data, epsilon="eps")
def length_of_a_hidden_list(q, q_, H):
    return H.shift(rho=0)


@mechanism
def hidden_list_decides(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(1 / eps)
    out = []
    for q_i in q:
        if q_i >= T:
            out = [*out, 0]
        if len(out) >= k:
            return ABOVE
    return BELOW


@alignment(hidden_list_decides, epsilon="eps")
def hidden_list_ends_the_loop(q, q_, H):
    return H.shift(rho=0)


@mechanism
def starts_private(q: Queries, s: Query, T: Real, eps: Epsilon, noise: Noise):
    out = [s]
    for q_i in q:
        nu = noise.laplace(1 / eps)
        out = [*out, nu]
    return out


@alignment(starts_private, epsilon="eps")
def private_first_item(q, q_, H):
    return H.shift(nu=[0 for x in q])


@mechanism
def one_private_item_at_the_end(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    out = []
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            out = [*out, i]
            if len(out) >= k:
                return [*out, q_i]
    return out


@alignment(one_private_item_at_the_end, epsilon="eps")
def private_last_item(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])


@mechanism
def two_lists_by_turns(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    high = []
    low = []
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            high = [*high, i]
            if len(high) >= k:
                return low
        else:
            low = [*low, i]
    return high


@alignment(two_lists_by_turns, epsilon="eps")
def which_list_is_it(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])


@mechanism
def scale_by_length(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    out = []
    for q_i in q:
        nu = noise.laplace((1 + len(out)) / eps)
        out = [*out, q_i + nu]
    return out


@alignment(scale_by_length, epsilon="2 * eps")
def cheap_items_later(q, q_, H):
    return H.shift(nu=[x - x_ for x, x_ in zip(q, q_)])


@mechanism
def forgets(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    out = []
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            out = [*out, i]
            if len(out) >= k:
                break
        else:
            out = []
    return out


@alignment(forgets, epsilon="eps")
def forgotten_winners(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])


# Filtered lists


@mechanism
def filtered(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e) if q_i + e_i > T]


@alignment(filtered, epsilon="eps", adjacency="l1")
def right_filtered(q, q_, H):
    return H.shift(e=[x - x_ for x, x_ in zip(q, q_)])


@alignment(filtered, epsilon="eps")
def filtered_but_all_may_change(q, q_, H):
    return H.shift(e=[x - x_ for x, x_ in zip(q, q_)])


@alignment(filtered, epsilon="eps", adjacency="l1")
def filtered_by_position(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] if i < len(omega) else 0 for i in range(len(q))])


@mechanism
def filtered_by_data(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e) if q_i > T]


@alignment(filtered_by_data, epsilon="eps", adjacency="l1")
def filter_on_private_data(q, q_, H):
    return H.shift(e=[x - x_ for x, x_ in zip(q, q_)])


@mechanism
def filtered_answers(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for q_i in q]
    return [q_i for q_i, e_i in zip(q, e) if q_i + e_i > T]


@alignment(filtered_answers, epsilon="eps", adjacency="l1")
def private_items_pass(q, q_, H):
    return H.shift(e=[x - x_ for x, x_ in zip(q, q_)])


@mechanism
def filtered_draws(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for q_i in q if q_i > T]
    return e


@alignment(filtered_draws, epsilon="eps", adjacency="l1")
def drawn_for_some_answers(q, q_, H):
    return H.shift()


@mechanism
def length_of_filtered(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return e, len([q_i for q_i in q if q_i > T])


@alignment(length_of_filtered, epsilon="eps", adjacency="l1")
def how_many_pass(q, q_, H):
    return H.shift(e=0)


# Constants among real outputs


@mechanism
def numeric(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(3 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(6 * k / eps)
        if q_i + nu >= T + rho:
            ups = noise.laplace(3 * k / eps)
            yield q_i + ups
            count += 1
            if count >= k:
                break
        else:
            yield 0


@alignment(numeric, epsilon="eps")
def right_numeric(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if w != 0 else 0 for w in omega], ups=[x - x_ for x, x_ in zip(q, q_)])


@alignment(numeric, epsilon="eps")
def reads_the_number(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if w > 0 else 0 for w in omega], ups=[x - x_ for x, x_ in zip(q, q_)])


@alignment(numeric, epsilon="eps")
def asks_for_a_private_number(q, q_, omega, H):
    nu = [2 if w != q_i else 0 for w, q_i in zip(omega, q)]
    return H.shift(rho=1, nu=nu, ups=[x - x_ for x, x_ in zip(q, q_)])


@mechanism
def numeric_with_an_atom(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(3 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(6 * k / eps)
        if q_i + nu >= T + rho:
            ups = noise.laplace(3 * k / eps)
            yield max(q_i + ups, 0)
            count += 1
            if count >= k:
                break
        else:
            yield 0


@alignment(numeric_with_an_atom, epsilon="eps")
def zero_of_a_winner(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if w != 0 else 0 for w in omega], ups=[x - x_ for x, x_ in zip(q, q_)])


@mechanism
def numeric_on_a_lattice(
    q: Annotated[Queries, Lattice(1)], T: Annotated[Real, Lattice(1)], k: Count, eps: Epsilon, noise: Noise
):
    rho = noise.discrete_laplace(3 / eps, 1)
    count = 0
    for q_i in q:
        nu = noise.discrete_laplace(6 * k / eps, 1)
        if q_i + nu >= T + rho:
            ups = noise.discrete_laplace(3 * k / eps, 1)
            yield q_i + ups
            count += 1
            if count >= k:
                break
        else:
            yield 0


@alignment(numeric_on_a_lattice, epsilon="eps")
def zero_has_a_probability(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if w != 0 else 0 for w in omega], ups=[x - x_ for x, x_ in zip(q, q_)])


@mechanism
def noise_without_effect(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(3 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(6 * k / eps)
        if q_i + nu >= T + rho:
            ups = noise.laplace(3 * k / eps)
            yield (T - T) * ups
            count += 1
            if count >= k:
                break
        else:
            yield 0


@alignment(noise_without_effect, epsilon="eps")
def zero_times_noise(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if w != 0 else 0 for w in omega])


@mechanism
def stretched_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(3 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(6 * k / eps)
        if q_i + nu >= T + rho:
            ups = noise.laplace(3 * k / eps)
            yield T * ups
            count += 1
            if count >= k:
                break
        else:
            yield 0


@alignment(stretched_noise, epsilon="eps")
def public_zero_times_noise(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if w != 0 else 0 for w in omega])


@mechanism
def threshold_for_winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(3 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(6 * k / eps)
        if q_i + nu >= T:
            yield rho
            count += 1
            if count >= k:
                break
        else:
            yield 0


@alignment(threshold_for_winners, epsilon="eps")
def null_by_earlier_noise(q, q_, omega, H):
    return H.shift(rho=0, nu=[1 if w != 0 else -1 for w in omega])


RIGHT = [value for name, value in sorted(globals().items()) if name.startswith("right_")]
WRONG = [
    value
    for name, value in sorted(globals().items())
    if hasattr(value, "adjacency") and hasattr(value, "mechanism") and not name.startswith("right_")
]


def test_how_many_programs_there_are():
    assert len(WRONG) >= 50
    assert len(RIGHT) >= 9


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_never_proved(phi, never_proved):
    never_proved(phi)


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_proved(phi, proved):
    proved(phi)
