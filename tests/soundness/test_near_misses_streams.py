"""Streams next to the right ones: loops over queries or a range, what an alignment reads of them, and how they end.

The prover is asked alone: most of these programs differ from a right one only in long runs, for public parameters far
from the usual, or in what is undefined, where a random search hardly looks.
"""

# Programs under test draw noise and compute values that they do not use.
# ruff: noqa: F841, RUF034

from __future__ import annotations

from fractions import Fraction

import pytest
from support.near_misses import Table, right, wrong

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


table = Table(
    """
    END, TOP = Tag("END"), Tag("TOP")

    def by_pairs(q, q_):
        return [q[i] - q_[i] for i in range(len(q))]

    def twice_around_shifts(q, q_):
        return [q[i] - q_[i] if i < len(q) else q[i - len(q)] - q_[i - len(q)] for i in range(2 * len(q))]

    def winners(q, q_, omega, i):
        return 1 + q[i] - q_[i] if omega[i][0] is ABOVE else 0

    def one_of_two_shifts(q, q_, whole):
        return by_pairs(q, q_) if whole else [q[0] - q_[0], q[0] - q_[0]]
    """
)

table.base(
    """
    @mechanism
    def item_of_two(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        pair = [1, 2]
        x = pair[k + 5] if k < 1 else pair[k] if k < 2 else 0
        e = noise.laplace(1 / eps)
        yield q[0] + e + x

    @alignment(item_of_two, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q[0] - q_[0])
    """,
    right("item_of_two_phi", "what is looked at is there", checked=True),
)


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

table.base(
    """
    @mechanism
    def answer_and_threshold(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        yield q[0] + e
        yield (ABOVE, T) if T > 5 else (BELOW, TOP)

    @alignment(answer_and_threshold, epsilon="eps")
    def phi(q, q_, omega, H):
        w, x = omega[1]
        return H.shift(e=q[0] - q_[0] + (0 * x if w is ABOVE and x < len(q) else 0))
    """,
    right("reads_the_threshold_phi", "computing with it needs no whole number", checked=True),
)


WHOLE = [limit_of_range_phi, index_that_is_a_threshold_phi, range_to_a_threshold_phi, item_of_a_short_list_phi]


@pytest.mark.parametrize("phi", WHOLE, ids=lambda phi: phi.name)
def test_an_index_or_a_limit_must_be_whole(phi, prover_alone):
    assert not prover_alone(phi).complete
    noise = {"eta": 0, "e": [9] * 9} if phi is limit_of_range_phi else {"e": 0}
    threshold = Fraction(1, 2) if phi is limit_of_range_phi else Fraction(11, 2)
    with pytest.raises(LanguageError, match=r"not whole|not a whole number"):
        phi.replay([0] * 9, [1] * 9, H=noise, T=threshold, eps=1)


# Division by what is plainly 0, under a condition

table.base(
    """
    @mechanism
    def divides_by_zero_at_large_answers(q: Queries, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.laplace(1 / eps)
            x = 1 / 0 if q_i > 10 * 10 * 10 else 2
            yield q_i + e

    @alignment(divides_by_zero_at_large_answers, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(e=by_pairs(q, q_))
    """,
    wrong(
        "divides_by_zero_at_large_answers_phi", "whether there is an output at all tells of the answers",
        fails="termination",
    ),
    wrong(
        "divides_by_a_difference_phi", "so it does where the divisor is a difference that is 0",
        {"Queries, eps": "Queries, k: Count, eps", "0 if": "(k - k) if"},
    ),
    wrong(
        "divides_from_the_41st_on_phi", "undefined for more than 40 queries",
        {
            "x = 1 / 0 if q_i > 10 * 10 * 10 else 2": "",
            "e=by_pairs(q, q_)": "e=[q[i] - q_[i] + (1 / 0 if i >= 40 else 0) for i in range(len(q))]",
        },
        fails="same_output",
    ),
    wrong(
        "divides_by_the_distance_to_itself_phi", "undefined everywhere",
        {
            "x = 1 / 0 if q_i > 10 * 10 * 10 else 2": "",
            "e=by_pairs(q, q_)": "e=[q[i] - q_[i] + 0 / (i - i) for i in range(len(q))]",
        },
    ),
)


@mechanism
def noisy_stream(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e


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

table.base(
    """
    @mechanism
    def announced_k_minus_one_times(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        # One output ahead of the loop.
        yield BELOW
        for i in range(k - 1):
            e = noise.laplace(k / eps)
            yield q[0] + e

    @alignment(announced_k_minus_one_times, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=[q[0] - q_[0] + 0 * H.e[i] for i in range(len(omega) - 1)])
    """,
    right("noise_of_all_but_one_output_phi", "each output but the first has noise"),
    right(
        "as_long_as_the_output_phi", "No output at all where k = 1",
        {"yield BELOW": "", "q_[0] + 0 * H.e[i] for i in range(len(omega) - 1)": "q_[0] for w in omega"},
    ),
    right(
        "first_noise_for_each_output_phi", "No output at all where k = 1. Where there is an output, there is noise",
        {"yield BELOW": "", "H.e[i] for i in range(len(omega) - 1)": "H.e[0] for w in omega"},
    ),
    wrong(
        "one_shift_too_few_phi", "the last iteration's draw has no shift",
        {"q_[0] + 0 * H.e[i] for i in range(len(omega) - 1)": "q_[0] for i in range(len(omega) - 2)"},
    ),
    wrong(
        "noise_of_every_output_phi", "there is one output more than there is noise",
        {"len(omega) - 1": "len(omega)"},
    ),
)

table.base(
    """
    @mechanism
    def announced_k_minus_one_times(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        # One output ahead of the loop.
        yield BELOW
        for i in range(k - 1):
            e = noise.laplace(k / eps)
            yield q[0] + e

    @alignment(announced_k_minus_one_times, epsilon="eps")
    def phi(q, q_, omega, H):
        far = 0 / len(omega)
        return H.shift(e=[q[0] - q_[0] + far for w in omega])
    """,
    right("divides_by_a_length_above_zero_phi", "there is always one output"),
    wrong("divides_by_the_length_phi", "No output at all where k = 1. There may be no output", {"yield BELOW": ""}),
    wrong(
        "divides_but_for_one_output_phi", "No output at all where k = 1, and then it divides by 0",
        {"yield BELOW": "", "len(omega)": "len(omega) if len(omega) != 1 else 0"},
    ),
    wrong(
        "counts_noise_of_no_iteration_phi", "No output at all where k = 1. At k = 1 there is no H.e",
        {"yield BELOW": "", "far = 0 / len(omega)": "far = 1000 if len(H.e) < 1 else 0"},
    ),
    wrong("divides_by_the_outputs_of_the_loop_phi", "the loop may give none", {"len(omega)": "(len(omega) - 1)"}),
)


# Loops that are left early, after a draw and without an output

table.base(
    """
    @mechanism
    def draws_once_more(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        # The first k answers; the loop is left after one more draw.
        count = 0
        for q_i in q:
            e = noise.laplace(k / eps)
            if count >= k:
                break
            count += 1
            yield q_i + e

    @alignment(draws_once_more, epsilon="2 * eps")
    def phi(q, q_, omega, k, H):
        return H.shift(e=by_pairs(q, q_))
    """,
    right("shifts_the_last_too_phi", "k + 1 shifts cost at most 2 eps"),
    wrong("last_shift_is_not_paid_phi", "k + 1 shifts at eps / k each", {'epsilon="2 * eps"': 'epsilon="eps"'}),
    wrong(
        "one_shift_for_each_output_phi", "the draw that gave none has no shift",
        {"e=by_pairs(q, q_)": "e=[q[i] - q_[i] for i in range(len(omega))]"},
    ),
    right("one_shift_for_each_draw_phi", changes={"e=by_pairs(q, q_)": "e=[q[i] - q_[i] for i in range(len(H.e))]"}),
    wrong(
        "one_shift_less_than_draws_phi", "where the loop is not left, the last draw matters too",
        {"e=by_pairs(q, q_)": "e=[q[i] - q_[i] for i in range(len(H.e) - 1)]"},
    ),
)

table.base(
    """
    @mechanism
    def draws_once_more(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        # The first k answers; the loop is left after one more draw.
        count = 0
        for q_i in q:
            e = noise.laplace(k / eps)
            if count >= k:
                break
            count += 1
            yield q_i + e

    @alignment(draws_once_more, epsilon="2 * eps")
    def phi(q, q_, omega, k, H):
        far = 1000 if len(omega) >= 40 and len(omega) < len(H.e) else 0
        return H.shift(e=[q[i] - q_[i] + far for i in range(len(q))])
    """,
    wrong("far_where_a_draw_gave_none_phi", "so it is wherever the loop is left"),
    wrong(
        "far_where_each_draw_gave_output_phi", "so it is wherever the queries end before the loop is left",
        {"len(omega) < len(H.e)": "len(omega) == len(H.e)"},
    ),
    wrong(
        "far_where_all_queries_were_asked_phi", "the loop need not be left",
        {"len(omega) >= 40 and len(omega) < len(H.e)": "len(H.e) >= 40 and len(H.e) == len(q)"},
    ),
    wrong(
        "far_where_not_all_were_asked_phi", "the loop may be left",
        {"len(omega) >= 40 and len(omega) < len(H.e)": "len(H.e) >= 40 and len(H.e) < len(q)"},
    ),
    wrong(
        "far_where_k_draws_were_made_phi", "with k queries or with more",
        {"len(omega) >= 40 and len(omega) < len(H.e)": "len(H.e) == k + 1 and k > 40"},
    ),
    wrong(
        "noise_without_output_phi", "where the loop is not left, each draw gave an output",
        {
            "far = 1000 if len(omega) >= 40 and len(omega) < len(H.e) else 0":
                "none = 0 * H.e[len(omega)] if len(omega) >= 40 else 0",
            "far for": "none for",
        },
    ),
    right(
        "noise_without_output_where_there_is_some_phi", "it is asked whether there is such a draw",
        {"far = 1000 if len(omega) >= 40 and": "none = 0 * H.e[len(omega)] if", "far for": "none for"},
    ),
    right(
        "noise_of_the_last_output_phi", "each output has noise",
        {
            "far = 1000 if len(omega) >= 40 and len(omega) < len(H.e) else 0":
                "none = 0 * H.e[len(omega) - 1] if len(omega) >= 40 else 0",
            "far for": "none for",
        },
    ),
)

table.base(
    """
    @mechanism
    def stops_in_silence(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # How many are below, till the first that is not; nothing is given for that one.
        eta = noise.laplace(2 / eps)
        for q_i in q:
            e = noise.laplace(4 / eps)
            if q_i + e >= T + eta:
                return
            yield BELOW

    @alignment(stops_in_silence, epsilon="eps")
    def phi(q, omega, H):
        return H.shift(eta=1, e=[2 if i == len(omega) else 0 for i in range(len(q))])
    """,
    right(
        "iteration_after_the_last_output_phi",
        "the iteration after the last output is the one that left the loop, or there is none",
    ),
    right(
        "last_draw_that_gave_none_phi", "the last iteration, where it gave no output",
        {"i == len(omega)": "i + 1 == len(H.e) and len(H.e) > len(omega)"},
    ),
    wrong(
        "last_draw_phi", "the last iteration may have given BELOW, and would not where it moves up",
        {"i == len(omega)": "i + 1 == len(H.e)"},
    ),
    wrong("as_many_shifts_as_outputs_phi", "the iteration that leaves the loop has no shift", {"len(q)": "len(omega)"}),
)

table.base(
    """
    @mechanism
    def first_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # Sparse vector for one winner; END where there is none.
        eta = noise.laplace(2 / eps)
        for q_i in q:
            e = noise.laplace(4 / eps)
            if q_i + e >= T + eta:
                yield ABOVE
                return
            yield BELOW
        yield END

    @alignment(first_above, epsilon="eps")
    def phi(q, omega, H):
        return H.shift(eta=1, e=[2 if w is ABOVE else 0 for w in omega])
    """,
    right("winner_moves_phi"),
    wrong(
        "as_many_shifts_as_loop_outputs_phi",
        "The same, with END after the loop in any case. The iteration that leaves the loop has no shift",
        {
            "yield ABOVE\nreturn": "break",
            "w is ABOVE else 0 for w in omega": "i == len(omega) - 1 else 0 for i in range(len(omega) - 1)",
        },
    ),
    wrong(
        "shift_where_the_end_is_told_phi",
        "The same, with END after the loop in any case. Of the loop's own last output nothing says that it is "
        "END; D' gives END one earlier, or one later",
        {"yield ABOVE\nreturn": "break", "is ABOVE": "is not END"},
    ),
    wrong(
        "far_where_the_loop_was_left_phi",
        "The same, with END after the loop in any case. There may be as many draws as outputs, END among them",
        {
            "yield ABOVE\nreturn": "break",
            "return H.shift(eta=1, e=[2 if w is ABOVE else 0 for w in omega])": (
                "far = 1000 if len(omega) >= 40 and len(H.e) == len(omega) else 0\n"
                "return H.shift(eta=1, e=[2 + far if i == len(omega) - 1 else 0 for i in range(len(q))])"
            ),
        },
    ),
    wrong(
        "last_output_moves_phi", "the last iteration's output may be BELOW; END comes after it",
        {"w is ABOVE else 0 for w in omega": "i + 2 >= len(omega) else 0 for i, w in enumerate(omega)"},
    ),
    wrong(
        "last_iteration_moves_phi", "the last iteration may have given BELOW",
        {"w is ABOVE else 0 for w in omega": "i + 1 == len(H.e) else 0 for i in range(len(q))"},
    ),
    wrong(
        "threshold_moves_for_a_winner_phi", "where there is none, the threshold has to move as well",
        {"eta=1": "eta=1 if any(w is ABOVE for w in omega) else 0"},
    ),
)


# What adjacency allows, spent out of step with the loop

table.base(
    """
    @mechanism
    def twice_around(q: Queries, eps: Epsilon, noise: Noise):
        # Each answer twice, the second time in a second round of the same loop.
        for i in range(2 * len(q)):
            e = noise.laplace(1 / eps)
            x = q[i] if i < len(q) else q[i - len(q)]
            yield x + e

    @alignment(twice_around, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(e=twice_around_shifts(q, q_))
    """,
    wrong("twice_around_phi", "each change is paid twice"),
    wrong("twice_around_one_phi", "the one change is paid twice", {'adjacency="l1"': 'adjacency="one"'}),
    wrong(
        "windows_of_two_phi", "a change is in two windows",
        {
            "2 * len(q)": "len(q) - 1",
            "x = q[i] if i < len(q) else q[i - len(q)]\nyield x + e": "yield q[i] + q[i + 1] + e",
            "e=twice_around_shifts(q, q_)": "e=[q[i] - q_[i] + q[i + 1] - q_[i + 1] for i in range(len(q) - 1)]",
        },
    ),
)

table.base(
    """
    @mechanism
    def first_after_all(q: Queries, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield q_i + e
        f = noise.laplace(1 / eps)
        yield q[0] + f

    @alignment(first_after_all, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(f=q[0] - q_[0], e=by_pairs(q, q_))
    """,
    wrong("first_after_all_phi", "it is paid in the loop and after it"),
    wrong(
        "first_before_all_phi", "the first answer's change is paid before the loop and in it",
        {
            "def first_after_all(q: Queries, eps: Epsilon, noise: Noise):": (
                "def first_after_all(q: Queries, eps: Epsilon, noise: Noise):\n"
                "    f = noise.laplace(1 / eps)\n"
                "    yield q[0] + f"
            ),
            "f = noise.laplace(1 / eps)\nyield q[0] + f": "",
        },
    ),
    wrong(
        "first_after_all_one_phi", "it is paid in the loop and after it, also where it alone changes",
        {'adjacency="l1"': 'adjacency="one"'},
    ),
)

table.base(
    """
    @mechanism
    def doubled_stream(q: Queries, eps: Epsilon, noise: Noise):
        twice = [2 * x for x in q]
        for x in twice:
            e = noise.laplace(1 / eps)
            yield x + e

    @alignment(doubled_stream, epsilon="2 * eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(e=[2 * (q[i] - q_[i]) for i in range(len(q))])
    """,
    right("doubled_stream_paid_phi"),
    right(
        "first_before_all_paid_phi",
        changes={
            "twice = [2 * x for x in q]\nfor x in twice:": "f = noise.laplace(1 / eps)\nyield q[0] + f\nfor q_i in q:",
            "yield x": "yield q_i",
            "e=[2 * (q[i] - q_[i]) for i in range(len(q))]": "f=q[0] - q_[0], e=by_pairs(q, q_)",
        },
    ),
    wrong("doubled_stream_phi", "the change is twice that of the answers", {'epsilon="2 * eps"': 'epsilon="eps"'}),
)

table.base(
    """
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
    def phi(q, q_, H):
        return H.shift(e=q[0] - q_[0])
    """,
    wrong("total_within_one_phi", "each answer changes the total"),
)


# Names that are given anew

table.base(
    """
    @mechanism
    def sets_its_count(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        k = 5
        for q_i in q:
            e = noise.laplace(k / eps)
            yield q_i + e

    @alignment(sets_its_count, epsilon="eps / 5", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(e=by_pairs(q, q_))
    """,
    right("sets_its_count_to_five_phi"),
    wrong(
        "doubles_its_budget_phi", "the claim speaks of the parameter as it was given",
        {"k: Count, eps": "eps", "k = 5": "eps = 2 * eps", "k / eps": "1 / eps", 'epsilon="eps / 5"': 'epsilon="eps"'},
    ),
    wrong("sets_its_count_phi", "for every k above 5", {'epsilon="eps / 5"': 'epsilon="eps / k"'}),
    wrong(
        "index_named_like_a_count_phi", "for every k above 2: the first answer costs eps",
        {
            "k = 5\nfor q_i in q:\n    e = noise.laplace(k / eps)":
                "for k, q_i in enumerate(q):\n    e = noise.laplace((k + 1) / eps)",
            'epsilon="eps / 5"': 'epsilon="2 * eps / k"',
        },
    ),
)

table.base(
    """
    @mechanism
    def item_named_like_a_parameter(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        for T in q:
            e = noise.laplace(1 / eps)
            yield T + e

    @alignment(item_named_like_a_parameter, epsilon="eps", adjacency="l1")
    def phi(q, q_, T, H):
        return H.shift(e=by_pairs(q, q_))
    """,
    right("item_named_like_a_parameter_phi"),
    wrong(
        "parameter_is_not_the_item_phi", "for the alignment T is the parameter still",
        {"e=by_pairs(q, q_)": "e=[q[i] - q_[i] + (1000 if T == 500 else 0) for i in range(len(q))]"},
    ),
)


# Claims that depend on the length of the output

table.base(
    """
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
    def phi(q, q_, H):
        return H.shift(e=by_pairs(q, q_))
    """,
    right("each_output_pays_phi"),
    wrong("one_output_is_free_phi", changes={'epsilon="len(omega) * eps / k"': 'epsilon="(len(omega) - 1) * eps / k"'}),
)

table.base(
    """
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
    def phi(q, q_, H):
        return H.shift(e=by_pairs(q, q_))
    """,
    right("words_are_free_phi"),
    wrong(
        "one_answer_is_free_phi",
        changes={'epsilon="(len(omega) - 2) * eps / k"': 'epsilon="(len(omega) - 3) * eps / k"'},
    ),
)

table.base(
    """
    @mechanism
    def each_answer_given_twice(q: Queries, k: Count, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.laplace(k / eps)
            yield q_i + e
            yield q_i + e

    @alignment(each_answer_given_twice, epsilon="len(omega) * eps / (2 * k)")
    def phi(q, q_, H):
        return H.shift(e=by_pairs(q, q_))
    """,
    right("half_for_each_output_phi"),
    right(
        "the_silent_one_pays_phi", "The first that is not below ends it, and is not told",
        {
            "Count, eps": "Count, T: Real, eps",
            "e = noise.laplace(k / eps)\nyield q_i + e": "e = noise.laplace(k / eps)\nif q_i + e > T:\n    return",
            'epsilon="len(omega) * eps / (2 * k)"': 'epsilon="(len(omega) + 1) * eps / k"',
        },
    ),
    wrong(
        "the_silent_one_is_free_phi",
        "The first that is not below ends it, and is not told. With no output at all, one shift was paid",
        {
            "Count, eps": "Count, T: Real, eps",
            "e = noise.laplace(k / eps)\nyield q_i + e": "e = noise.laplace(k / eps)\nif q_i + e > T:\n    return",
            'epsilon="len(omega) * eps / (2 * k)"': 'epsilon="len(omega) * eps / k"',
        },
    ),
    wrong(
        "a_third_for_each_output_phi",
        changes={'epsilon="len(omega) * eps / (2 * k)"': 'epsilon="len(omega) * eps / (3 * k)"'},
    ),
)


# Invariants that a user states

table.base(
    """
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

    @alignment(sparse_vector, epsilon="eps", invariant="T_ == T")
    def phi(omega, H):
        return H.shift(eta=1, e=[2 if w is ABOVE else 0 for w in omega])
    """,
    right("T_ == T-eps"),
    wrong("1 / (k - 3) > 0 - 5-eps", changes={'invariant="T_ == T"': 'invariant="1 / (k - 3) > 0 - 5"'}),
    wrong("1 / (k - k) > 0-eps", changes={'invariant="T_ == T"': 'invariant="1 / (k - k) > 0"'}),
    wrong(
        "count != count_-0",
        changes={'epsilon="eps", invariant="T_ == T"': 'epsilon="0", invariant="count != count_"'},
    ),
    wrong(
        "count < k and count > k-eps / 1000",
        changes={'epsilon="eps", invariant="T_ == T"': 'epsilon="eps / 1000", invariant="count < k and count > k"'},
    ),
    wrong("count <= 40-eps", changes={'invariant="T_ == T"': 'invariant="count <= 40"'}),
    wrong("eps >= 1/1000-eps", changes={'invariant="T_ == T"': 'invariant="eps >= 1/1000"'}),
    right("eta_ == eta + 1-eps", changes={'invariant="T_ == T"': 'invariant="eta_ == eta + 1"'}),
    wrong("eta_ == eta-eps", changes={'invariant="T_ == T"': 'invariant="eta_ == eta"'}),
    wrong("k <= 1-eps", changes={'invariant="T_ == T"': 'invariant="k <= 1"'}),
    wrong("len(q) <= 40-eps", changes={'invariant="T_ == T"': 'invariant="len(q) <= 40"'}),
    wrong(
        "privacy_cost <= 0-0",
        changes={'epsilon="eps", invariant="T_ == T"': 'epsilon="0", invariant="privacy_cost <= 0"'},
    ),
    right(
        "privacy_cost <= eps / 2 + count * eps / (2 * k)-eps",
        changes={'invariant="T_ == T"': 'invariant="privacy_cost <= eps / 2 + count * eps / (2 * k)"'},
    ),
    wrong(
        "privacy_cost <= eps / 2 - count-eps / 2",
        changes={
            'epsilon="eps", invariant="T_ == T"': 'epsilon="eps / 2", invariant="privacy_cost <= eps / 2 - count"',
        },
    ),
)


# Other outputs that are tuples, and lists that are joined

table.base(
    """
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

    @alignment(gaps_beside_tags, epsilon="eps")
    def phi(q, q_, omega, H):
        none = 0 * omega[0][1]
        return H.shift(eta=1 + none, e=[winners(q, q_, omega, i) for i in range(len(omega))])
    """,
    right("part_of_a_pair_phi", "every output has two parts"),
    right(
        "winners_phi",
        changes={
            "none = 0 * omega[0][1]\n"
            "return H.shift(eta=1 + none, e=[winners(q, q_, omega, i) for i in range(len(omega))])":
                "return H.shift(eta=1, e=[winners(q, q_, omega, i) for i in range(len(omega))])",
        },
    ),
    right(
        "winners_listed_phi", "a list of tags, made of the output",
        {
            "none = 0 * omega[0][1]": "tags = [w[0] is ABOVE for w in omega]",
            "return H.shift(eta=1 + none, e=[winners(q, q_, omega, i) for i in range(len(omega))])":
                "return H.shift(eta=1, e=[1 + q[i] - q_[i] if tags[i] else 0 for i in range(len(omega))])",
        },
    ),
    wrong(
        "winners_after_this_one_phi", "the next output's tag, and one shift too few",
        {
            "none = 0 * omega[0][1]": "tags = [w[0] is ABOVE for w in omega]",
            "return H.shift(eta=1 + none, e=[winners(q, q_, omega, i) for i in range(len(omega))])":
                "return H.shift(eta=1, e=[1 + q[i] - q_[i] if tags[i + 1] else 0 for i in range(len(omega) - 1)])",
        },
    ),
    wrong(
        "third_part_of_a_pair_phi", "no output has three",
        {"omega[0][1]": "omega[-1][2] if len(omega) >= 40 else 0"},
    ),
    wrong(
        "divides_by_a_gap_phi", "beside BELOW stands 0",
        {"none = 0 * omega[0][1]": "none = 0 / omega[40][1] if len(omega) >= 41 else 0"},
    ),
    wrong(
        "far_with_many_winners_phi", "for k above 40",
        {
            "none = 0 * omega[0][1]\n"
            "return H.shift(eta=1 + none, e=[winners(q, q_, omega, i) for i in range(len(omega))])": (
                "many = sum(1 if w is ABOVE else 0 for w, x in omega)\n"
                "far = 1000 if many > 40 else 0\n"
                "return H.shift(eta=1 + far, e=[winners(q, q_, omega, i) for i in range(len(omega))])"
            ),
        },
    ),
    right(
        "noise_and_one_more_phi", "the list is one longer than the noise",
        {
            "none = 0 * omega[0][1]\n"
            "return H.shift(eta=1 + none, e=[winners(q, q_, omega, i) for i in range(len(omega))])": (
                "longer = [*H.e, 0]\n"
                "none = [0 * longer[i + 1] for i in range(len(omega))]\n"
                "return H.shift(eta=1, e=[winners(q, q_, omega, i) + none[i] for i in range(len(omega))])"
            ),
        },
    ),
    wrong(
        "noise_and_two_more_phi", "it is one longer, not two",
        {
            "none = 0 * omega[0][1]\n"
            "return H.shift(eta=1 + none, e=[winners(q, q_, omega, i) for i in range(len(omega))])": (
                "longer = [*H.e, 0]\n"
                "none = [0 * longer[i + 2] if i > 40 else 0 for i in range(len(omega))]\n"
                "return H.shift(eta=1, e=[winners(q, q_, omega, i) + none[i] for i in range(len(omega))])"
            ),
        },
    ),
    wrong(
        "by_the_greatest_noise_phi", "which noise is the greatest depends on noise that is drawn later",
        {
            "none = 0 * omega[0][1]\n"
            "return H.shift(eta=1 + none, e=[winners(q, q_, omega, i) for i in range(len(omega))])": (
                "most = max(H.e)\n"
                "far = [1000 if len(omega) > 40 and H.e[i] < most and H.e[i] > most - 1 else 0 for i in "
                "range(len(omega))]\n"
                "return H.shift(eta=1, e=[winners(q, q_, omega, i) + far[i] for i in range(len(omega))])"
            ),
        },
    ),
)


# Loops over what was selected

table.base(
    """
    @mechanism
    def selected_while_high(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        # The k largest in order, with their distance to a noisy threshold, as long as they are above it.
        rho = noise.laplace(2 / eps)
        eta = [noise.laplace(4 * k / eps) for q_i in q]
        noisy = [a + b for a, b in zip(q, eta)]
        for j in largest(noisy, k):
            if noisy[j] < T + rho:
                break
            yield (j, noisy[j] - T - rho)

    @alignment(selected_while_high, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(rho=1, eta=[1 + q[i] - q_[i] if i in {j for j, gap in omega} else 0 for i in range(len(q))])
    """,
    right("selected_move_phi"),
    wrong(
        "selected_move_if_two_phi", "where one alone was selected",
        {
            "return H.shift(rho=1, eta=[1 + q[i] - q_[i] if i in {j for j, gap in omega} else 0 for i in "
            "range(len(q))])": (
                "many = len(omega) > 1\n"
                "return H.shift(\n"
                "    rho=1, eta=[1 + q[i] - q_[i] if many and i in {j for j, gap in omega} else 0 for i in "
                "range(len(q))]\n"
                ")"
            ),
        },
    ),
    wrong(
        "first_selected_is_read_phi", "perhaps none was",
        {
            "return H.shift(rho=1, eta=[1 + q[i] - q_[i] if i in {j for j, gap in omega} else 0 for i in "
            "range(len(q))])": (
                "first = omega[0][0]\n"
                "return H.shift(\n"
                "    rho=1, eta=[1 + q[i] - q_[i] + 0 * first if i in {j for j, gap in omega} else 0 for i "
                "in range(len(q))]\n"
                ")"
            ),
        },
    ),
    wrong(
        "as_many_shifts_as_selected_phi", "each noise needs a shift, be it 0",
        {"if i in {j for j, gap in omega} else 0 for i in range(len(q))": "for i in range(len(omega))"},
    ),
    wrong("selected_cost_less_phi", "all k may be selected, at 2 each", {'epsilon="eps"': 'epsilon="3 * eps / 4"'}),
    wrong(
        "selected_by_the_answers_phi", "Whether it goes on depends on an answer without noise",
        {
            "rho = noise.laplace(2 / eps)\neta = [noise.laplace(4 * k / eps) for q_i in q]":
                "eta = [noise.laplace(2 * k / eps) for q_i in q]",
            "if noisy[j] < T + rho:": "if q[j] > T:",
            "(j, noisy[j] - T - rho)": "j",
            "return H.shift(rho=1, eta=[1 + q[i] - q_[i] if i in {j for j, gap in omega} else 0 for i in "
            "range(len(q))])":
                "return H.shift(eta=[1 + q[i] - q_[i] if i in {j for j in omega} else 0 for i in range(len(q))])",
        },
    ),
)


# Loops that are there on some ways only

table.base(
    """
    @mechanism
    def one_of_two_loops(q: Queries, T: Real, eps: Epsilon, noise: Noise):
        # One of the loops runs over all queries, the other over two; which is public.
        first = q if T > 0 else [q[0], q[0]]
        second = [q[0], q[0]] if T > 0 else q
        for a in first:
            e = noise.laplace(1 / eps)
            yield a + e
        for b in second:
            f = noise.laplace(1 / eps)
            yield b + f

    @alignment(one_of_two_loops, epsilon="3 * eps", adjacency="l1")
    def phi(q, q_, T, H):
        return H.shift(e=one_of_two_shifts(q, q_, T > 0), f=one_of_two_shifts(q, q_, T <= 0))
    """,
    right("one_of_two_loops_phi"),
    wrong(
        "one_of_two_loops_unpaid_phi", "the first answer is given three times",
        {'epsilon="3 * eps"': 'epsilon="2 * eps"'},
    ),
    wrong(
        "the_other_of_two_loops_phi", "the loops are taken for one another",
        {
            "return H.shift(e=one_of_two_shifts(q, q_, T > 0), f=one_of_two_shifts(q, q_, T <= 0))":
                "return H.shift(e=one_of_two_shifts(q, q_, T <= 0), f=one_of_two_shifts(q, q_, T > 0))",
        },
    ),
)

table.base(
    """
    @mechanism
    def thresholds_for_some(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
        # Sparse vector for one winner; there may be no threshold at all.
        eta = noise.laplace(2 / eps)
        for q_i, T_i in zip(q, T):
            e = noise.laplace(4 / eps)
            if q_i + e >= T_i + eta:
                yield ABOVE
                break
            yield BELOW

    @alignment(thresholds_for_some, epsilon="eps")
    def phi(q, T, omega, H):
        return H.shift(eta=1, e=[2 if w is ABOVE else 0 for w in omega])
    """,
    right("thresholds_for_some_phi"),
    right(
        "noise_where_there_are_thresholds_phi", "with a threshold, and a query, there is noise",
        {"eta=1": "eta=1 + (0 * H.e[0] if len(T) > 0 else 0)"},
    ),
    wrong("noise_without_thresholds_phi", "without thresholds there is no noise", {"eta=1": "eta=1 + 0 * H.e[0]"}),
    wrong("a_threshold_for_each_query_phi", "there may be fewer", {"else 0": "else 0 * T[len(q) - 1]"}),
)

table.base(
    """
    @mechanism
    def equal_to_what_was_told(q: Queries, eps: Epsilon, noise: Noise):
        # A tie with noise that was told has probability 0 where the queries are fixed in advance, and none to a proof.
        rho = noise.laplace(1 / eps)
        yield rho
        for q_i in q:
            if q_i == rho:
                yield ABOVE
            else:
                yield BELOW

    @alignment(equal_to_what_was_told, epsilon="0")
    def phi(H):
        return H.shift()
    """,
    wrong("equal_to_what_was_told_phi", "for an analyst who asks what he was told"),
    wrong(
        "draws_for_large_answers_phi", "whether noise is drawn depends on an answer",
        {
            "Queries, eps": "Queries, T: Real, eps",
            "rho = noise.laplace(1 / eps)\nyield rho": "",
            "if q_i == rho:\n    yield ABOVE\nelse:\n    yield BELOW":
                "if q_i > T:\n    x = noise.laplace(1 / eps)\nyield BELOW",
            'epsilon="0"': 'epsilon="eps"',
        },
    ),
)

table.base(
    """
    @mechanism
    def doubles_its_budget_each_time(q: Queries, eps: Epsilon, noise: Noise):
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield q_i + e
            eps = 2 * eps

    @alignment(doubles_its_budget_each_time, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(e=by_pairs(q, q_))
    """,
    wrong("doubles_its_budget_each_time_phi", "later answers cost more"),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
