"""Streams next to the right ones: loops over queries or a range, what an alignment reads of them, and how they end.

The prover is asked alone: most of these programs differ from a right one only in long runs, for public parameters far
from the usual, or in what is undefined, where a random search hardly looks.
"""

# Programs under test draw noise and compute values that they do not use.
# ruff: noqa: F841, RUF034

from __future__ import annotations

from fractions import Fraction

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Noise,
    Queries,
    Real,
    Reals,
    Tag,
    alignment,
    largest,
    log,
    mechanism,
    power,
    sqrt,
)
from alignkit.errors import LanguageError

END, TOP = Tag("END"), Tag("TOP")


def by_pairs(q, q_):
    """The change of each answer, as noise must make up for it."""
    return [q[i] - q_[i] for i in range(len(q))]


# An item that is never looked at: a condition that never holds says nothing of the rest of the path


@mechanism
def raw_for_high_thresholds(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Above T = 100 an answer is given as it is. There is no item 5 + k, and k < 1 for no k."""
    e = noise.laplace(1 / eps)
    if T > 100:
        pair = [1, 2]
        x = pair[k + 5] if k < 1 else 0
        yield q[0]
    else:
        yield q[0] + e


@alignment(raw_for_high_thresholds, epsilon="eps")
def raw_for_high_thresholds_phi(q, q_, H):
    """Wrong: for T = 1000 the output differs."""
    return H.shift(e=q[0] - q_[0])


@mechanism
def raw_in_the_loop(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        if T <= 100:
            yield q_i + e
        elif k < 1 and [0, 0][k + 5] == 1:
            yield END
        else:
            yield q_i


@alignment(raw_in_the_loop, epsilon="eps", adjacency="l1")
def raw_in_the_loop_phi(q, q_, H):
    """Wrong: for T = 1000 all answers are given as they are."""
    return H.shift(e=by_pairs(q, q_))


@mechanism
def raw_after_the_loop(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e
    if T > 100:
        x = [1, 2][k + 5] if k < 1 else 0
        yield q[0]


@alignment(raw_after_the_loop, epsilon="eps", adjacency="l1")
def raw_after_the_loop_phi(q, q_, H):
    """Wrong: for T = 1000 an answer is given as it is."""
    return H.shift(e=by_pairs(q, q_))


@mechanism
def over_before_the_loop(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    if T > 100:
        e = noise.laplace(1 / eps)
        return
    for q_i in q:
        f = noise.laplace(1 / eps)
        yield q_i + f


@alignment(over_before_the_loop, epsilon="eps", adjacency="l1")
def far_where_nothing_is_given_phi(q, q_, omega, H):
    """Wrong: for T = 1000 the output is empty, no item of it is looked at, and the shift costs 1000 eps."""
    return H.shift(e=1000, f=[q[i] - q_[i] + (0 if i < len(omega) and omega[i] is ABOVE else 0) for i in range(len(q))])


@mechanism
def item_of_two(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    pair = [1, 2]
    x = pair[k + 5] if k < 1 else pair[k] if k < 2 else 0
    e = noise.laplace(1 / eps)
    yield q[0] + e + x


@alignment(item_of_two, epsilon="eps")
def item_of_two_phi(q, q_, H):
    """Right: what is looked at is there."""
    return H.shift(e=q[0] - q_[0])


@pytest.mark.parametrize(
    ("phi", "noise", "parameters"),
    [
        (raw_for_high_thresholds_phi, {"e": 0}, {"T": 1000, "k": 1}),
        (raw_in_the_loop_phi, {"e": [0]}, {"T": 1000, "k": 1}),
        (raw_after_the_loop_phi, {"e": [0]}, {"T": 1000, "k": 1}),
        (far_where_nothing_is_given_phi, {"e": 0, "f": []}, {"T": 1000}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_condition_that_never_holds_hides_nothing(phi, noise, parameters, prover_alone):
    assert not prover_alone(phi).complete
    assert phi.replay([0], [1], H=noise, eps=1, **parameters).violation is not None


def test_an_item_under_a_condition_that_never_holds(proved):
    proved(item_of_two_phi)


# What must be a whole number: in an alignment, what an output holds may be another one


@mechanism
def tells_the_threshold(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Sparse vector for one winner, which tells the threshold, a number that need not be whole."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        e = noise.laplace(4 / eps)
        if q_i + e >= T + eta:
            yield (ABOVE, T)
            return
        yield (BELOW, TOP)


@alignment(tells_the_threshold, epsilon="eps")
def limit_of_range_phi(q, omega, H):
    """Wrong: at T = 1/2 there is no range(T)."""
    return H.shift(
        eta=1,
        e=[
            2 + (0 * len([j for j in range(x)]) if 0 <= x and x < len(q) else 0) if w is ABOVE else 0
            for i, (w, x) in enumerate(omega)
        ],
    )


@mechanism
def answer_and_threshold(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield q[0] + e
    yield (ABOVE, T) if T > 5 else (BELOW, TOP)


@alignment(answer_and_threshold, epsilon="eps")
def index_that_is_a_threshold_phi(q, q_, omega, H):
    """Wrong: at T = 11/2, and with more queries, there is no q[T]."""
    w, x = omega[1]
    return H.shift(e=q[0] - q_[0] + (0 * q[x] if w is ABOVE and x < len(q) else 0))


@alignment(answer_and_threshold, epsilon="eps")
def range_to_a_threshold_phi(q, q_, omega, H):
    """Wrong: at T = 11/2 there is no range(T)."""
    w, x = omega[1]
    return H.shift(e=q[0] - q_[0] + (0 * sum([1 for j in range(x)]) if w is ABOVE and x < len(q) else 0))


@alignment(answer_and_threshold, epsilon="eps")
def item_of_a_short_list_phi(q, q_, omega, H):
    """Wrong: at T = 11/2 there is no item T of seven."""
    w, x = omega[1]
    return H.shift(e=q[0] - q_[0] + (0 * [0, 0, 0, 0, 0, 0, 0][x] if w is ABOVE and x < 7 else 0))


@alignment(answer_and_threshold, epsilon="eps")
def reads_the_threshold_phi(q, q_, omega, H):
    """Right: computing with it needs no whole number."""
    w, x = omega[1]
    return H.shift(e=q[0] - q_[0] + (0 * x if w is ABOVE and x < len(q) else 0))


WHOLE = [limit_of_range_phi, index_that_is_a_threshold_phi, range_to_a_threshold_phi, item_of_a_short_list_phi]


@pytest.mark.parametrize("phi", WHOLE, ids=lambda phi: phi.name)
def test_an_index_or_a_limit_must_be_whole(phi, prover_alone):
    assert not prover_alone(phi).complete
    noise = {"eta": 0, "e": [9] * 9} if phi is limit_of_range_phi else {"e": 0}
    threshold = Fraction(1, 2) if phi is limit_of_range_phi else Fraction(11, 2)
    with pytest.raises(LanguageError, match=r"not whole|not a whole number"):
        phi.replay([0] * 9, [1] * 9, H=noise, T=threshold, eps=1)


def test_a_number_that_is_not_whole_may_be_computed_with(proved):
    proved(reads_the_threshold_phi)


# Division by what is plainly 0, under a condition


@mechanism
def divides_by_zero_at_large_answers(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        x = 1 / 0 if q_i > 10 * 10 * 10 else 2
        yield q_i + e


@alignment(divides_by_zero_at_large_answers, epsilon="eps", adjacency="l1")
def divides_by_zero_at_large_answers_phi(q, q_, H):
    """Wrong: whether there is an output at all tells of the answers."""
    return H.shift(e=by_pairs(q, q_))


@mechanism
def divides_by_a_difference(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        x = 1 / (k - k) if q_i > 10 * 10 * 10 else 2
        yield q_i + e


@alignment(divides_by_a_difference, epsilon="eps", adjacency="l1")
def divides_by_a_difference_phi(q, q_, H):
    """Wrong in the same way."""
    return H.shift(e=by_pairs(q, q_))


@mechanism
def noisy_stream(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e


@alignment(noisy_stream, epsilon="eps", adjacency="l1")
def divides_from_the_41st_on_phi(q, q_, H):
    """Wrong: undefined for more than 40 queries."""
    return H.shift(e=[q[i] - q_[i] + (1 / 0 if i >= 40 else 0) for i in range(len(q))])


@alignment(noisy_stream, epsilon="eps", adjacency="l1")
def divides_by_the_distance_to_itself_phi(q, q_, H):
    """Wrong: undefined everywhere."""
    return H.shift(e=[q[i] - q_[i] + 0 / (i - i) for i in range(len(q))])


ZERO = [
    divides_by_zero_at_large_answers_phi,
    divides_by_a_difference_phi,
    divides_from_the_41st_on_phi,
    divides_by_the_distance_to_itself_phi,
]


@pytest.mark.parametrize("phi", ZERO, ids=lambda phi: phi.name)
def test_division_by_zero_is_undefined(phi, prover_alone):
    assert not prover_alone(phi).complete


def test_division_by_zero_that_is_rarely_reached_is_no_error_of_a_check(never_proved):
    never_proved(divides_by_zero_at_large_answers_phi, "termination")
    never_proved(divides_from_the_41st_on_phi, "same_output")


# What is plainly undefined, where it never comes about: the prover may pass it over, and must not break down


@alignment(noisy_stream, epsilon="eps", adjacency="l1")
def none_of_the_largest_phi(q, q_, H):
    j = largest(q, 0)[0] if len(q) < 1 else 0
    return H.shift(e=by_pairs(q, q_))


@alignment(noisy_stream, epsilon="eps", adjacency="l1")
def root_of_less_than_nothing_phi(q, q_, H):
    x = sqrt(0 - 1) if len(q) < 1 else 0
    return H.shift(e=by_pairs(q, q_))


@alignment(noisy_stream, epsilon="eps", adjacency="l1")
def logarithm_of_nothing_phi(q, q_, H):
    x = log(0) if len(q) < 1 else 0
    return H.shift(e=by_pairs(q, q_))


@alignment(noisy_stream, epsilon="eps", adjacency="l1")
def power_of_nothing_phi(q, q_, H):
    x = power(0, -1) if len(q) < 1 else 0
    return H.shift(e=by_pairs(q, q_))


@alignment(noisy_stream, epsilon="eps", adjacency="l1")
def item_beyond_the_list_phi(q, q_, H):
    x = (1, 2)[5] if len(q) < 1 else 0
    return H.shift(e=by_pairs(q, q_))


@alignment(noisy_stream, epsilon="eps", adjacency="l1")
def greatest_of_none_phi(q, q_, H):
    x = max([]) if len(q) < 1 else 0
    return H.shift(e=by_pairs(q, q_))


NEVER_REACHED = [
    none_of_the_largest_phi,
    root_of_less_than_nothing_phi,
    logarithm_of_nothing_phi,
    power_of_nothing_phi,
    item_beyond_the_list_phi,
    greatest_of_none_phi,
]


@pytest.mark.parametrize("phi", NEVER_REACHED, ids=lambda phi: phi.name)
def test_what_never_comes_about_is_no_error(phi, prover_alone):
    # All of them are right: there is at least one query.
    prover_alone(phi)
    assert phi.replay([0], [1], H={"e": [0]}, eps=1).violation is None


# Loops of possibly no iteration


@mechanism
def k_minus_one_times(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """No output at all where k = 1."""
    for i in range(k - 1):
        e = noise.laplace(k / eps)
        yield q[0] + e


@alignment(k_minus_one_times, epsilon="eps")
def as_long_as_the_output_phi(q, q_, omega, H):
    """Right."""
    return H.shift(e=[q[0] - q_[0] for w in omega])


@alignment(k_minus_one_times, epsilon="eps")
def first_noise_for_each_output_phi(q, q_, omega, H):
    """Right: where there is an output, there is noise."""
    return H.shift(e=[q[0] - q_[0] + 0 * H.e[0] for w in omega])


@alignment(k_minus_one_times, epsilon="eps")
def divides_by_the_length_phi(q, q_, omega, H):
    """Wrong: there may be no output."""
    far = 0 / len(omega)
    return H.shift(e=[q[0] - q_[0] + far for w in omega])


@alignment(k_minus_one_times, epsilon="eps")
def divides_but_for_one_output_phi(q, q_, omega, H):
    """Wrong in the same way."""
    far = 0 / len(omega) if len(omega) != 1 else 0
    return H.shift(e=[q[0] - q_[0] + far for w in omega])


@alignment(k_minus_one_times, epsilon="eps")
def counts_noise_of_no_iteration_phi(q, q_, omega, H):
    """Wrong: at k = 1 there is no H.e."""
    far = 1000 if len(H.e) < 1 else 0
    return H.shift(e=[q[0] - q_[0] + far for w in omega])


@mechanism
def announced_k_minus_one_times(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """One output ahead of the loop."""
    yield BELOW
    for i in range(k - 1):
        e = noise.laplace(k / eps)
        yield q[0] + e


@alignment(announced_k_minus_one_times, epsilon="eps")
def divides_by_a_length_above_zero_phi(q, q_, omega, H):
    """Right: there is always one output."""
    far = 0 / len(omega)
    return H.shift(e=[q[0] - q_[0] + far for w in omega])


@alignment(announced_k_minus_one_times, epsilon="eps")
def noise_of_all_but_one_output_phi(q, q_, omega, H):
    """Right: each output but the first has noise."""
    return H.shift(e=[q[0] - q_[0] + 0 * H.e[i] for i in range(len(omega) - 1)])


@alignment(announced_k_minus_one_times, epsilon="eps")
def divides_by_the_outputs_of_the_loop_phi(q, q_, omega, H):
    """Wrong: the loop may give none."""
    far = 0 / (len(omega) - 1)
    return H.shift(e=[q[0] - q_[0] + far for w in omega])


@alignment(announced_k_minus_one_times, epsilon="eps")
def one_shift_too_few_phi(q, q_, omega, H):
    """Wrong: the last iteration's draw has no shift."""
    return H.shift(e=[q[0] - q_[0] for i in range(len(omega) - 2)])


@alignment(announced_k_minus_one_times, epsilon="eps")
def noise_of_every_output_phi(q, q_, omega, H):
    """Wrong: there is one output more than there is noise."""
    return H.shift(e=[q[0] - q_[0] + 0 * H.e[i] for i in range(len(omega))])


EMPTY_RIGHT = [
    as_long_as_the_output_phi,
    first_noise_for_each_output_phi,
    divides_by_a_length_above_zero_phi,
    noise_of_all_but_one_output_phi,
]

EMPTY_WRONG = [
    divides_by_the_length_phi,
    divides_but_for_one_output_phi,
    counts_noise_of_no_iteration_phi,
    divides_by_the_outputs_of_the_loop_phi,
    one_shift_too_few_phi,
    noise_of_every_output_phi,
]


# Loops that are left early, after a draw and without an output


@mechanism
def draws_once_more(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """The first k answers; the loop is left after one more draw."""
    count = 0
    for q_i in q:
        e = noise.laplace(k / eps)
        if count >= k:
            break
        count += 1
        yield q_i + e


@alignment(draws_once_more, epsilon="2 * eps")
def shifts_the_last_too_phi(q, q_, H):
    """Right: k + 1 shifts cost at most 2 eps."""
    return H.shift(e=by_pairs(q, q_))


@alignment(draws_once_more, epsilon="eps")
def last_shift_is_not_paid_phi(q, q_, H):
    """Wrong: k + 1 shifts at eps / k each."""
    return H.shift(e=by_pairs(q, q_))


@alignment(draws_once_more, epsilon="2 * eps")
def far_where_each_draw_gave_output_phi(q, q_, omega, H):
    """Wrong: so it is wherever the queries end before the loop is left."""
    far = 1000 if len(omega) >= 40 and len(omega) == len(H.e) else 0
    return H.shift(e=[q[i] - q_[i] + far for i in range(len(q))])


@alignment(draws_once_more, epsilon="2 * eps")
def far_where_a_draw_gave_none_phi(q, q_, omega, H):
    """Wrong: so it is wherever the loop is left."""
    far = 1000 if len(omega) >= 40 and len(omega) < len(H.e) else 0
    return H.shift(e=[q[i] - q_[i] + far for i in range(len(q))])


@alignment(draws_once_more, epsilon="2 * eps")
def far_where_all_queries_were_asked_phi(q, q_, H):
    """Wrong: the loop need not be left."""
    far = 1000 if len(H.e) >= 40 and len(H.e) == len(q) else 0
    return H.shift(e=[q[i] - q_[i] + far for i in range(len(q))])


@alignment(draws_once_more, epsilon="2 * eps")
def far_where_not_all_were_asked_phi(q, q_, H):
    """Wrong: the loop may be left."""
    far = 1000 if len(H.e) >= 40 and len(H.e) < len(q) else 0
    return H.shift(e=[q[i] - q_[i] + far for i in range(len(q))])


@alignment(draws_once_more, epsilon="2 * eps")
def far_where_k_draws_were_made_phi(q, q_, k, H):
    """Wrong: with k queries or with more."""
    far = 1000 if len(H.e) == k + 1 and k > 40 else 0
    return H.shift(e=[q[i] - q_[i] + far for i in range(len(q))])


@alignment(draws_once_more, epsilon="2 * eps")
def noise_without_output_phi(q, q_, omega, H):
    """Wrong: where the loop is not left, each draw gave an output."""
    none = 0 * H.e[len(omega)] if len(omega) >= 40 else 0
    return H.shift(e=[q[i] - q_[i] + none for i in range(len(q))])


@alignment(draws_once_more, epsilon="2 * eps")
def noise_without_output_where_there_is_some_phi(q, q_, omega, H):
    """Right: it is asked whether there is such a draw."""
    none = 0 * H.e[len(omega)] if len(omega) < len(H.e) else 0
    return H.shift(e=[q[i] - q_[i] + none for i in range(len(q))])


@alignment(draws_once_more, epsilon="2 * eps")
def noise_of_the_last_output_phi(q, q_, omega, H):
    """Right: each output has noise."""
    none = 0 * H.e[len(omega) - 1] if len(omega) >= 40 else 0
    return H.shift(e=[q[i] - q_[i] + none for i in range(len(q))])


@alignment(draws_once_more, epsilon="2 * eps")
def one_shift_for_each_output_phi(q, q_, omega, H):
    """Wrong: the draw that gave none has no shift."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])


@alignment(draws_once_more, epsilon="2 * eps")
def one_shift_for_each_draw_phi(q, q_, H):
    """Right."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(H.e))])


@alignment(draws_once_more, epsilon="2 * eps")
def one_shift_less_than_draws_phi(q, q_, H):
    """Wrong: where the loop is not left, the last draw matters too."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(H.e) - 1)])


LEFT_RIGHT = [
    shifts_the_last_too_phi,
    noise_without_output_where_there_is_some_phi,
    noise_of_the_last_output_phi,
    one_shift_for_each_draw_phi,
]

LEFT_WRONG = [
    last_shift_is_not_paid_phi,
    far_where_each_draw_gave_output_phi,
    far_where_a_draw_gave_none_phi,
    far_where_all_queries_were_asked_phi,
    far_where_not_all_were_asked_phi,
    far_where_k_draws_were_made_phi,
    noise_without_output_phi,
    one_shift_for_each_output_phi,
    one_shift_less_than_draws_phi,
]


@mechanism
def stops_in_silence(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """How many are below, till the first that is not; nothing is given for that one."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        e = noise.laplace(4 / eps)
        if q_i + e >= T + eta:
            return
        yield BELOW


@alignment(stops_in_silence, epsilon="eps")
def iteration_after_the_last_output_phi(q, omega, H):
    """Right: the iteration after the last output is the one that left the loop, or there is none."""
    return H.shift(eta=1, e=[2 if i == len(omega) else 0 for i in range(len(q))])


@alignment(stops_in_silence, epsilon="eps")
def last_draw_that_gave_none_phi(q, omega, H):
    """Right: the last iteration, where it gave no output."""
    return H.shift(eta=1, e=[2 if i + 1 == len(H.e) and len(H.e) > len(omega) else 0 for i in range(len(q))])


@alignment(stops_in_silence, epsilon="eps")
def last_draw_phi(q, omega, H):
    """Wrong: the last iteration may have given BELOW, and would not where it moves up."""
    return H.shift(eta=1, e=[2 if i + 1 == len(H.e) else 0 for i in range(len(q))])


@alignment(stops_in_silence, epsilon="eps")
def as_many_shifts_as_outputs_phi(q, omega, H):
    """Wrong: the iteration that leaves the loop has no shift."""
    return H.shift(eta=1, e=[2 if i == len(omega) else 0 for i in range(len(omega))])


@mechanism
def stops_with_a_word(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The same, with END after the loop in any case."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        e = noise.laplace(4 / eps)
        if q_i + e >= T + eta:
            break
        yield BELOW
    yield END


@alignment(stops_with_a_word, epsilon="eps")
def as_many_shifts_as_loop_outputs_phi(omega, H):
    """Wrong: the iteration that leaves the loop has no shift."""
    return H.shift(eta=1, e=[2 if i == len(omega) - 1 else 0 for i in range(len(omega) - 1)])


@alignment(stops_with_a_word, epsilon="eps")
def shift_where_the_end_is_told_phi(omega, H):
    """Wrong: of the loop's own last output nothing says that it is END; D' gives END one earlier, or one later."""
    return H.shift(eta=1, e=[2 if w is not END else 0 for w in omega])


@alignment(stops_with_a_word, epsilon="eps")
def far_where_the_loop_was_left_phi(q, omega, H):
    """Wrong: there may be as many draws as outputs, END among them."""
    far = 1000 if len(omega) >= 40 and len(H.e) == len(omega) else 0
    return H.shift(eta=1, e=[2 + far if i == len(omega) - 1 else 0 for i in range(len(q))])


@mechanism
def first_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Sparse vector for one winner; END where there is none."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        e = noise.laplace(4 / eps)
        if q_i + e >= T + eta:
            yield ABOVE
            return
        yield BELOW
    yield END


@alignment(first_above, epsilon="eps")
def winner_moves_phi(omega, H):
    """Right."""
    return H.shift(eta=1, e=[2 if w is ABOVE else 0 for w in omega])


@alignment(first_above, epsilon="eps")
def last_output_moves_phi(omega, H):
    """Wrong: the last iteration's output may be BELOW; END comes after it."""
    return H.shift(eta=1, e=[2 if i + 2 >= len(omega) else 0 for i, w in enumerate(omega)])


@alignment(first_above, epsilon="eps")
def last_iteration_moves_phi(q, omega, H):
    """Wrong in the same way."""
    return H.shift(eta=1, e=[2 if i + 1 == len(H.e) else 0 for i in range(len(q))])


@alignment(first_above, epsilon="eps")
def threshold_moves_for_a_winner_phi(omega, H):
    """Wrong: where there is none, the threshold has to move as well."""
    return H.shift(eta=1 if any(w is ABOVE for w in omega) else 0, e=[2 if w is ABOVE else 0 for w in omega])


LEFT_RIGHT += [iteration_after_the_last_output_phi, last_draw_that_gave_none_phi, winner_moves_phi]

LEFT_WRONG += [
    last_draw_phi,
    as_many_shifts_as_outputs_phi,
    as_many_shifts_as_loop_outputs_phi,
    shift_where_the_end_is_told_phi,
    far_where_the_loop_was_left_phi,
    last_output_moves_phi,
    last_iteration_moves_phi,
    threshold_moves_for_a_winner_phi,
]


# What adjacency allows, spent out of step with the loop


@mechanism
def twice_around(q: Queries, eps: Epsilon, noise: Noise):
    """Each answer twice, the second time in a second round of the same loop."""
    for i in range(2 * len(q)):
        e = noise.laplace(1 / eps)
        x = q[i] if i < len(q) else q[i - len(q)]
        yield x + e


def twice_around_shifts(q, q_):
    """The change of each answer, twice."""
    return [q[i] - q_[i] if i < len(q) else q[i - len(q)] - q_[i - len(q)] for i in range(2 * len(q))]


@alignment(twice_around, epsilon="eps", adjacency="l1")
def twice_around_phi(q, q_, H):
    """Wrong: each change is paid twice."""
    return H.shift(e=twice_around_shifts(q, q_))


@alignment(twice_around, epsilon="eps", adjacency="one")
def twice_around_one_phi(q, q_, H):
    """Wrong in the same way."""
    return H.shift(e=twice_around_shifts(q, q_))


@mechanism
def windows_of_two(q: Queries, eps: Epsilon, noise: Noise):
    for i in range(len(q) - 1):
        e = noise.laplace(1 / eps)
        yield q[i] + q[i + 1] + e


@alignment(windows_of_two, epsilon="eps", adjacency="l1")
def windows_of_two_phi(q, q_, H):
    """Wrong: a change is in two windows."""
    return H.shift(e=[q[i] - q_[i] + q[i + 1] - q_[i + 1] for i in range(len(q) - 1)])


@mechanism
def first_before_all(q: Queries, eps: Epsilon, noise: Noise):
    f = noise.laplace(1 / eps)
    yield q[0] + f
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e


@alignment(first_before_all, epsilon="eps", adjacency="l1")
def first_before_all_phi(q, q_, H):
    """Wrong: the first answer's change is paid before the loop and in it."""
    return H.shift(f=q[0] - q_[0], e=by_pairs(q, q_))


@alignment(first_before_all, epsilon="2 * eps", adjacency="l1")
def first_before_all_paid_phi(q, q_, H):
    """Right."""
    return H.shift(f=q[0] - q_[0], e=by_pairs(q, q_))


@mechanism
def first_after_all(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e
    f = noise.laplace(1 / eps)
    yield q[0] + f


@alignment(first_after_all, epsilon="eps", adjacency="l1")
def first_after_all_phi(q, q_, H):
    """Wrong: it is paid in the loop and after it."""
    return H.shift(f=q[0] - q_[0], e=by_pairs(q, q_))


@alignment(first_after_all, epsilon="eps", adjacency="one")
def first_after_all_one_phi(q, q_, H):
    """Wrong in the same way."""
    return H.shift(f=q[0] - q_[0], e=by_pairs(q, q_))


@mechanism
def total_without_noise_in_the_loop(q: Queries, eps: Epsilon, noise: Noise):
    total = 0
    for q_i in q:
        total = total + q_i
        yield BELOW
    e = noise.laplace(1 / eps)
    yield total + e


@alignment(
    total_without_noise_in_the_loop,
    epsilon="eps",
    adjacency="each",
    invariant="total - total_ <= 1 and total_ - total <= 1",
)
def total_within_one_phi(q, q_, H):
    """Wrong: each answer changes the total."""
    return H.shift(e=q[0] - q_[0])


@mechanism
def doubled_stream(q: Queries, eps: Epsilon, noise: Noise):
    twice = [2 * x for x in q]
    for x in twice:
        e = noise.laplace(1 / eps)
        yield x + e


@alignment(doubled_stream, epsilon="eps", adjacency="l1")
def doubled_stream_phi(q, q_, H):
    """Wrong: the change is twice that of the answers."""
    return H.shift(e=[2 * (q[i] - q_[i]) for i in range(len(q))])


@alignment(doubled_stream, epsilon="2 * eps", adjacency="l1")
def doubled_stream_paid_phi(q, q_, H):
    """Right."""
    return H.shift(e=[2 * (q[i] - q_[i]) for i in range(len(q))])


SPENT_WRONG = [
    twice_around_phi,
    twice_around_one_phi,
    windows_of_two_phi,
    first_before_all_phi,
    first_after_all_phi,
    first_after_all_one_phi,
    total_within_one_phi,
    doubled_stream_phi,
]

SPENT_RIGHT = [first_before_all_paid_phi, doubled_stream_paid_phi]


# Names that are given anew


@mechanism
def doubles_its_budget(q: Queries, eps: Epsilon, noise: Noise):
    eps = 2 * eps
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e


@alignment(doubles_its_budget, epsilon="eps", adjacency="l1")
def doubles_its_budget_phi(q, q_, H):
    """Wrong: the claim speaks of the parameter as it was given."""
    return H.shift(e=by_pairs(q, q_))


@mechanism
def sets_its_count(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    k = 5
    for q_i in q:
        e = noise.laplace(k / eps)
        yield q_i + e


@alignment(sets_its_count, epsilon="eps / k", adjacency="l1")
def sets_its_count_phi(q, q_, H):
    """Wrong for every k above 5."""
    return H.shift(e=by_pairs(q, q_))


@alignment(sets_its_count, epsilon="eps / 5", adjacency="l1")
def sets_its_count_to_five_phi(q, q_, H):
    """Right."""
    return H.shift(e=by_pairs(q, q_))


@mechanism
def item_named_like_a_parameter(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for T in q:
        e = noise.laplace(1 / eps)
        yield T + e


@alignment(item_named_like_a_parameter, epsilon="eps", adjacency="l1")
def item_named_like_a_parameter_phi(q, q_, H):
    """Right."""
    return H.shift(e=by_pairs(q, q_))


@alignment(item_named_like_a_parameter, epsilon="eps", adjacency="l1")
def parameter_is_not_the_item_phi(q, q_, T, H):
    """Wrong: for the alignment T is the parameter still."""
    return H.shift(e=[q[i] - q_[i] + (1000 if T == 500 else 0) for i in range(len(q))])


@mechanism
def index_named_like_a_count(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for k, q_i in enumerate(q):
        e = noise.laplace((k + 1) / eps)
        yield q_i + e


@alignment(index_named_like_a_count, epsilon="2 * eps / k", adjacency="l1")
def index_named_like_a_count_phi(q, q_, H):
    """Wrong for every k above 2: the first answer costs eps."""
    return H.shift(e=by_pairs(q, q_))


NAMES_WRONG = [
    doubles_its_budget_phi,
    sets_its_count_phi,
    parameter_is_not_the_item_phi,
    index_named_like_a_count_phi,
]

NAMES_RIGHT = [sets_its_count_to_five_phi, item_named_like_a_parameter_phi]


# Claims that depend on the length of the output


@mechanism
def first_k_answers(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    count = 0
    for q_i in q:
        e = noise.laplace(k / eps)
        yield q_i + e
        count += 1
        if count >= k:
            break


@alignment(first_k_answers, epsilon="len(omega) * eps / k")
def each_output_pays_phi(q, q_, H):
    """Right."""
    return H.shift(e=by_pairs(q, q_))


@alignment(first_k_answers, epsilon="(len(omega) - 1) * eps / k")
def one_output_is_free_phi(q, q_, H):
    """Wrong."""
    return H.shift(e=by_pairs(q, q_))


@mechanism
def between_two_words(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    yield BELOW
    count = 0
    for q_i in q:
        e = noise.laplace(k / eps)
        yield q_i + e
        count += 1
        if count >= k:
            break
    yield END


@alignment(between_two_words, epsilon="(len(omega) - 2) * eps / k")
def words_are_free_phi(q, q_, H):
    """Right."""
    return H.shift(e=by_pairs(q, q_))


@alignment(between_two_words, epsilon="(len(omega) - 3) * eps / k")
def one_answer_is_free_phi(q, q_, H):
    """Wrong."""
    return H.shift(e=by_pairs(q, q_))


@mechanism
def answers_below(q: Queries, k: Count, T: Real, eps: Epsilon, noise: Noise):
    """The first that is not below ends it, and is not told."""
    for q_i in q:
        e = noise.laplace(k / eps)
        if q_i + e > T:
            return
        yield q_i + e


@alignment(answers_below, epsilon="(len(omega) + 1) * eps / k")
def the_silent_one_pays_phi(q, q_, H):
    """Right."""
    return H.shift(e=by_pairs(q, q_))


@alignment(answers_below, epsilon="len(omega) * eps / k")
def the_silent_one_is_free_phi(q, q_, H):
    """Wrong: with no output at all, one shift was paid."""
    return H.shift(e=by_pairs(q, q_))


@mechanism
def each_answer_given_twice(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(k / eps)
        yield q_i + e
        yield q_i + e


@alignment(each_answer_given_twice, epsilon="len(omega) * eps / (2 * k)")
def half_for_each_output_phi(q, q_, H):
    """Right."""
    return H.shift(e=by_pairs(q, q_))


@alignment(each_answer_given_twice, epsilon="len(omega) * eps / (3 * k)")
def a_third_for_each_output_phi(q, q_, H):
    """Wrong."""
    return H.shift(e=by_pairs(q, q_))


LENGTH_RIGHT = [each_output_pays_phi, words_are_free_phi, the_silent_one_pays_phi, half_for_each_output_phi]

LENGTH_WRONG = [
    one_output_is_free_phi,
    one_answer_is_free_phi,
    the_silent_one_is_free_phi,
    a_third_for_each_output_phi,
]


# Invariants that a user states


@mechanism
def sparse_vector(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
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


def with_invariant(text, claim="eps"):
    """The right alignment of sparse vector, with something stated of its loop."""

    @alignment(sparse_vector, epsilon=claim, invariant=text)
    def phi(omega, H):
        return H.shift(eta=1, e=[2 if w is ABOVE else 0 for w in omega])

    return phi


STATED_WRONG = [
    ("count < k and count > k", "eps / 1000"),
    ("privacy_cost <= eps / 2 - count", "eps / 2"),
    ("privacy_cost <= 0", "0"),
    ("count != count_", "0"),
    ("eta_ == eta", "eps"),
    ("k <= 1", "eps"),
    ("eps >= 1/1000", "eps"),
    ("len(q) <= 40", "eps"),
    ("count <= 40", "eps"),
    ("1 / (k - 3) > 0 - 5", "eps"),
    ("1 / (k - k) > 0", "eps"),
]

STATED_RIGHT = [
    ("eta_ == eta + 1", "eps"),
    ("T_ == T", "eps"),
    ("privacy_cost <= eps / 2 + count * eps / (2 * k)", "eps"),
]


# Other outputs that are tuples, and lists that are joined


@mechanism
def gaps_beside_tags(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(4 * k / eps)
        if q_i + e >= T + eta:
            yield (ABOVE, q_i + e - T - eta)
            count += 1
        else:
            yield (BELOW, 0)
        if count >= k:
            break


def winners(q, q_, omega, i):
    """The shift of an iteration's noise."""
    return 1 + q[i] - q_[i] if omega[i][0] is ABOVE else 0


@alignment(gaps_beside_tags, epsilon="eps")
def winners_phi(q, q_, omega, H):
    """Right."""
    return H.shift(eta=1, e=[winners(q, q_, omega, i) for i in range(len(omega))])


@alignment(gaps_beside_tags, epsilon="eps")
def winners_listed_phi(q, q_, omega, H):
    """Right: a list of tags, made of the output."""
    tags = [w[0] is ABOVE for w in omega]
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if tags[i] else 0 for i in range(len(omega))])


@alignment(gaps_beside_tags, epsilon="eps")
def winners_after_this_one_phi(q, q_, omega, H):
    """Wrong: the next output's tag, and one shift too few."""
    tags = [w[0] is ABOVE for w in omega]
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if tags[i + 1] else 0 for i in range(len(omega) - 1)])


@alignment(gaps_beside_tags, epsilon="eps")
def part_of_a_pair_phi(q, q_, omega, H):
    """Right: every output has two parts."""
    none = 0 * omega[0][1]
    return H.shift(eta=1 + none, e=[winners(q, q_, omega, i) for i in range(len(omega))])


@alignment(gaps_beside_tags, epsilon="eps")
def third_part_of_a_pair_phi(q, q_, omega, H):
    """Wrong: no output has three."""
    none = 0 * omega[-1][2] if len(omega) >= 40 else 0
    return H.shift(eta=1 + none, e=[winners(q, q_, omega, i) for i in range(len(omega))])


@alignment(gaps_beside_tags, epsilon="eps")
def divides_by_a_gap_phi(q, q_, omega, H):
    """Wrong: beside BELOW stands 0."""
    none = 0 / omega[40][1] if len(omega) >= 41 else 0
    return H.shift(eta=1 + none, e=[winners(q, q_, omega, i) for i in range(len(omega))])


@alignment(gaps_beside_tags, epsilon="eps")
def far_with_many_winners_phi(q, q_, omega, H):
    """Wrong for k above 40."""
    many = sum(1 if w is ABOVE else 0 for w, x in omega)
    far = 1000 if many > 40 else 0
    return H.shift(eta=1 + far, e=[winners(q, q_, omega, i) for i in range(len(omega))])


@alignment(gaps_beside_tags, epsilon="eps")
def noise_and_one_more_phi(q, q_, omega, H):
    """Right: the list is one longer than the noise."""
    longer = [*H.e, 0]
    none = [0 * longer[i + 1] for i in range(len(omega))]
    return H.shift(eta=1, e=[winners(q, q_, omega, i) + none[i] for i in range(len(omega))])


@alignment(gaps_beside_tags, epsilon="eps")
def noise_and_two_more_phi(q, q_, omega, H):
    """Wrong: it is one longer, not two."""
    longer = [*H.e, 0]
    none = [0 * longer[i + 2] if i > 40 else 0 for i in range(len(omega))]
    return H.shift(eta=1, e=[winners(q, q_, omega, i) + none[i] for i in range(len(omega))])


@alignment(gaps_beside_tags, epsilon="eps")
def by_the_greatest_noise_phi(q, q_, omega, H):
    """Wrong: which noise is the greatest depends on noise that is drawn later."""
    most = max(H.e)
    far = [1000 if len(omega) > 40 and H.e[i] < most and H.e[i] > most - 1 else 0 for i in range(len(omega))]
    return H.shift(eta=1, e=[winners(q, q_, omega, i) + far[i] for i in range(len(omega))])


PARTS_RIGHT = [winners_phi, winners_listed_phi, part_of_a_pair_phi, noise_and_one_more_phi]

PARTS_WRONG = [
    winners_after_this_one_phi,
    third_part_of_a_pair_phi,
    divides_by_a_gap_phi,
    far_with_many_winners_phi,
    noise_and_two_more_phi,
    by_the_greatest_noise_phi,
]


# Loops over what was selected


@mechanism
def selected_while_high(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The k largest in order, with their distance to a noisy threshold, as long as they are above it."""
    rho = noise.laplace(2 / eps)
    eta = [noise.laplace(4 * k / eps) for q_i in q]
    noisy = [a + b for a, b in zip(q, eta)]
    for j in largest(noisy, k):
        if noisy[j] < T + rho:
            break
        yield (j, noisy[j] - T - rho)


@alignment(selected_while_high, epsilon="eps")
def selected_move_phi(q, q_, omega, H):
    """Right."""
    return H.shift(rho=1, eta=[1 + q[i] - q_[i] if i in {j for j, gap in omega} else 0 for i in range(len(q))])


@alignment(selected_while_high, epsilon="eps")
def selected_move_if_two_phi(q, q_, omega, H):
    """Wrong where one alone was selected."""
    many = len(omega) > 1
    return H.shift(rho=1, eta=[1 + q[i] - q_[i] if many and i in {j for j, gap in omega} else 0 for i in range(len(q))])


@alignment(selected_while_high, epsilon="eps")
def first_selected_is_read_phi(q, q_, omega, H):
    """Wrong: perhaps none was."""
    first = omega[0][0]
    return H.shift(
        rho=1, eta=[1 + q[i] - q_[i] + 0 * first if i in {j for j, gap in omega} else 0 for i in range(len(q))]
    )


@alignment(selected_while_high, epsilon="eps")
def as_many_shifts_as_selected_phi(q, q_, omega, H):
    """Wrong: each noise needs a shift, be it 0."""
    return H.shift(rho=1, eta=[1 + q[i] - q_[i] for i in range(len(omega))])


@alignment(selected_while_high, epsilon="3 * eps / 4")
def selected_cost_less_phi(q, q_, omega, H):
    """Wrong: all k may be selected, at 2 each."""
    return H.shift(rho=1, eta=[1 + q[i] - q_[i] if i in {j for j, gap in omega} else 0 for i in range(len(q))])


@mechanism
def selected_by_the_answers(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Whether it goes on depends on an answer without noise."""
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    noisy = [a + b for a, b in zip(q, eta)]
    for j in largest(noisy, k):
        if q[j] > T:
            break
        yield j


@alignment(selected_by_the_answers, epsilon="eps")
def selected_by_the_answers_phi(q, q_, omega, H):
    """Wrong."""
    return H.shift(eta=[1 + q[i] - q_[i] if i in {j for j in omega} else 0 for i in range(len(q))])


SELECTED_WRONG = [
    selected_move_if_two_phi,
    first_selected_is_read_phi,
    as_many_shifts_as_selected_phi,
    selected_cost_less_phi,
    selected_by_the_answers_phi,
]


# Loops that are there on some ways only


@mechanism
def one_of_two_loops(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """One of the loops runs over all queries, the other over two; which is public."""
    first = q if T > 0 else [q[0], q[0]]
    second = [q[0], q[0]] if T > 0 else q
    for a in first:
        e = noise.laplace(1 / eps)
        yield a + e
    for b in second:
        f = noise.laplace(1 / eps)
        yield b + f


def one_of_two_shifts(q, q_, whole):
    """The change of what one of the loops runs over."""
    return by_pairs(q, q_) if whole else [q[0] - q_[0], q[0] - q_[0]]


@alignment(one_of_two_loops, epsilon="3 * eps", adjacency="l1")
def one_of_two_loops_phi(q, q_, T, H):
    """Right."""
    return H.shift(e=one_of_two_shifts(q, q_, T > 0), f=one_of_two_shifts(q, q_, T <= 0))


@alignment(one_of_two_loops, epsilon="2 * eps", adjacency="l1")
def one_of_two_loops_unpaid_phi(q, q_, T, H):
    """Wrong: the first answer is given three times."""
    return H.shift(e=one_of_two_shifts(q, q_, T > 0), f=one_of_two_shifts(q, q_, T <= 0))


@alignment(one_of_two_loops, epsilon="3 * eps", adjacency="l1")
def the_other_of_two_loops_phi(q, q_, T, H):
    """Wrong: the loops are taken for one another."""
    return H.shift(e=one_of_two_shifts(q, q_, T <= 0), f=one_of_two_shifts(q, q_, T > 0))


@mechanism
def thresholds_for_some(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    """Sparse vector for one winner; there may be no threshold at all."""
    eta = noise.laplace(2 / eps)
    for q_i, T_i in zip(q, T):
        e = noise.laplace(4 / eps)
        if q_i + e >= T_i + eta:
            yield ABOVE
            break
        yield BELOW


@alignment(thresholds_for_some, epsilon="eps")
def thresholds_for_some_phi(omega, H):
    """Right."""
    return H.shift(eta=1, e=[2 if w is ABOVE else 0 for w in omega])


@alignment(thresholds_for_some, epsilon="eps")
def noise_where_there_are_thresholds_phi(T, omega, H):
    """Right: with a threshold, and a query, there is noise."""
    return H.shift(eta=1 + (0 * H.e[0] if len(T) > 0 else 0), e=[2 if w is ABOVE else 0 for w in omega])


@alignment(thresholds_for_some, epsilon="eps")
def noise_without_thresholds_phi(omega, H):
    """Wrong: without thresholds there is no noise."""
    return H.shift(eta=1 + 0 * H.e[0], e=[2 if w is ABOVE else 0 for w in omega])


@alignment(thresholds_for_some, epsilon="eps")
def a_threshold_for_each_query_phi(q, T, omega, H):
    """Wrong: there may be fewer."""
    return H.shift(eta=1, e=[2 if w is ABOVE else 0 * T[len(q) - 1] for w in omega])


@mechanism
def draws_for_large_answers(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        if q_i > T:
            x = noise.laplace(1 / eps)
        yield BELOW


@alignment(draws_for_large_answers, epsilon="eps")
def draws_for_large_answers_phi(H):
    """Wrong: whether noise is drawn depends on an answer."""
    return H.shift()


@mechanism
def doubles_its_budget_each_time(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e
        eps = 2 * eps


@alignment(doubles_its_budget_each_time, epsilon="eps", adjacency="l1")
def doubles_its_budget_each_time_phi(q, q_, H):
    """Wrong: later answers cost more."""
    return H.shift(e=by_pairs(q, q_))


@mechanism
def equal_to_what_was_told(q: Queries, eps: Epsilon, noise: Noise):
    """A tie with noise that was told has probability 0 where the queries are fixed in advance, and none to a proof."""
    rho = noise.laplace(1 / eps)
    yield rho
    for q_i in q:
        if q_i == rho:
            yield ABOVE
        else:
            yield BELOW


@alignment(equal_to_what_was_told, epsilon="0")
def equal_to_what_was_told_phi(H):
    """Wrong for an analyst who asks what he was told."""
    return H.shift()


WAYS_RIGHT = [one_of_two_loops_phi, thresholds_for_some_phi, noise_where_there_are_thresholds_phi]

WAYS_WRONG = [
    one_of_two_loops_unpaid_phi,
    the_other_of_two_loops_phi,
    noise_without_thresholds_phi,
    a_threshold_for_each_query_phi,
    draws_for_large_answers_phi,
    doubles_its_budget_each_time_phi,
    equal_to_what_was_told_phi,
]


# All of them

WRONG = [
    *EMPTY_WRONG,
    *LEFT_WRONG,
    *SPENT_WRONG,
    *NAMES_WRONG,
    *LENGTH_WRONG,
    *PARTS_WRONG,
    *SELECTED_WRONG,
    *WAYS_WRONG,
]

RIGHT = [
    *EMPTY_RIGHT,
    *LEFT_RIGHT,
    *SPENT_RIGHT,
    *NAMES_RIGHT,
    *LENGTH_RIGHT,
    *PARTS_RIGHT,
    selected_move_phi,
    *WAYS_RIGHT,
]


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_near_misses_are_not_proved(phi, prover_alone):
    assert not prover_alone(phi).complete


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_what_they_are_next_to_is_proved(phi, prover_alone):
    assert prover_alone(phi).complete


@pytest.mark.parametrize(("text", "claim"), STATED_WRONG)
def test_what_is_stated_of_a_loop_is_not_believed(text, claim, prover_alone):
    assert not prover_alone(with_invariant(text, claim)).complete


@pytest.mark.parametrize(("text", "claim"), STATED_RIGHT)
def test_what_holds_may_be_stated(text, claim, prover_alone):
    assert prover_alone(with_invariant(text, claim)).complete
