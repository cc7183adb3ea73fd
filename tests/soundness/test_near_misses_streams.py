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
