"""Rules 35 to 40: a call that is used by a lemma is one draw, and costs the callee's claim only where that fits."""

# Programs under test compute values that they do not use: that they may be undefined is the point.
# ruff: noqa: F841

from __future__ import annotations

from typing import Annotated

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    InputError,
    LanguageError,
    Lattice,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    Reals,
    Sensitivity,
    alignment,
    check,
    largest,
    mechanism,
)

# Callees, each with its lemma


@mechanism
def one_count(x: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return x + e


@alignment(one_count, epsilon="eps")
def one_count_phi(x, x_, H):
    return H.shift(e=x - x_)


@mechanism
def winner(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    (best,) = largest([q_i + e for q_i, e in zip(q, eta)], 1)
    return best


@alignment(winner, epsilon="eps")
def winner_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(winner, epsilon="eps / 2", adjacency="monotone")
def monotone_winner_phi(q, q_, omega, H):
    up = 1 if q_[omega] >= q[omega] else 0
    return H.shift(eta=[up + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def histogram(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@alignment(histogram, epsilon="eps", adjacency="one")
def histogram_phi(q, q_, H):
    return H.shift(e=[x - y for x, y in zip(q, q_)])


@alignment(histogram, epsilon="eps", adjacency="l1")
def histogram_l1_phi(q, q_, H):
    return H.shift(e=[x - y for x, y in zip(q, q_)])


@mechanism
def above(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
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


@alignment(above, epsilon="eps")
def above_phi(q, q_, omega, H):
    return H.shift(eta=1, xi=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


Whole = Annotated[Query, Lattice(1)]


@mechanism
def whole_count(x: Whole, eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps, 1)
    return x + e


@alignment(whole_count, epsilon="eps")
def whole_count_phi(x, x_, H):
    return H.shift(e=x - x_)


Wide = Annotated[Query, Sensitivity("delta")]


@mechanism
def wide_count(x: Wide, delta: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(delta / eps)
    return x + e


@alignment(wide_count, epsilon="eps")
def wide_count_phi(x, x_, H):
    return H.shift(e=x - x_)


@mechanism
def sign(x: Query, eps: Epsilon, noise: Noise):
    c = 1 if x >= 0 else 0
    e = noise.laplace(1 / eps)
    return c + e


@alignment(sign, epsilon="eps")
def sign_phi(x, x_, H):
    return H.shift(e=(1 if x >= 0 else 0) - (1 if x_ >= 0 else 0))


# What is right is proved


@mechanism
def twice(x: Query, y: Query, eps: Epsilon, noise: Noise):
    a = one_count(x, eps / 3, noise)
    b = one_count(y, 2 * eps / 3, noise)
    return a, b


@alignment(twice, epsilon="eps", lemmas=[one_count_phi])
def twice_phi(H):
    return H.shift()


@mechanism
def every_round(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for j in range(k):
        i = winner(q, eps / (2 * k), noise)
        e = noise.laplace(2 * k / eps)
        yield i, q[i] + e


@alignment(every_round, epsilon="eps", lemmas=[winner_phi])
def every_round_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i, x in omega])


@mechanism
def parts(q: Queries, m: Count, eps: Epsilon, noise: Noise):
    a = one_count(q[0], eps, noise)
    b = one_count(q[1], eps, noise)
    return a, b


@alignment(parts, epsilon="eps", adjacency="one", lemmas=[one_count_phi])
def parts_phi(H):
    return H.shift()


@mechanism
def adaptive_threshold(q: Queries, r: Query, k: Count, eps: Epsilon, noise: Noise):
    T = one_count(r, eps / 2, noise)
    yield T
    yield from above(q, T, k, eps / 2, noise)


@alignment(adaptive_threshold, epsilon="eps", lemmas=[one_count_phi, above_phi])
def adaptive_threshold_phi(H):
    return H.shift()


@mechanism
def post_processed(x: Query, eps: Epsilon, noise: Noise):
    a = one_count(x, eps, noise)
    b = one_count(a, 5, noise)
    return b


@alignment(post_processed, epsilon="eps", lemmas=[one_count_phi])
def post_processed_phi(H):
    return H.shift()


@pytest.mark.parametrize(
    "phi", [twice_phi, every_round_phi, parts_phi, adaptive_threshold_phi, post_processed_phi], ids=lambda phi: phi.name
)
def test_what_is_right_is_proved(phi, proved):
    proved(phi)


# Rule 35: adjacent in the callee's sense


@mechanism
def doubled(x: Query, eps: Epsilon, noise: Noise):
    return one_count(2 * x, eps, noise)


@alignment(doubled, epsilon="eps", lemmas=[one_count_phi])
def doubled_phi(H):
    return H.shift()


@mechanism
def all_doubled(q: Queries, eps: Epsilon, noise: Noise):
    return winner([2 * x for x in q], eps, noise)


@alignment(all_doubled, epsilon="eps", lemmas=[winner_phi])
def all_doubled_phi(H):
    return H.shift()


@mechanism
def filtered(q: Queries, eps: Epsilon, noise: Noise):
    return winner([x for x in q if x > 0], eps, noise)


@alignment(filtered, epsilon="eps", lemmas=[winner_phi])
def filtered_phi(H):
    return H.shift()


@mechanism
def same_twice(q: Queries, eps: Epsilon, noise: Noise):
    return histogram([q[0], q[0]], eps, noise)


@alignment(same_twice, epsilon="eps", adjacency="one", lemmas=[histogram_phi])
def same_twice_phi(H):
    return H.shift()


@alignment(same_twice, epsilon="eps", adjacency="l1", lemmas=[histogram_l1_phi])
def same_twice_l1_phi(H):
    return H.shift()


@mechanism
def repeated(q: Queries, eps: Epsilon, noise: Noise):
    return histogram([q[0] for x in q], eps, noise)


@alignment(repeated, epsilon="eps", adjacency="one", lemmas=[histogram_phi])
def repeated_phi(H):
    return H.shift()


@alignment(repeated, epsilon="eps", adjacency="l1", lemmas=[histogram_l1_phi])
def repeated_l1_phi(H):
    return H.shift()


@mechanism
def whole_histogram(q: Queries, eps: Epsilon, noise: Noise):
    return histogram(q, eps, noise)


@alignment(whole_histogram, epsilon="eps", lemmas=[histogram_phi])
def each_for_one_phi(H):
    return H.shift()


@alignment(whole_histogram, epsilon="eps", adjacency="l1", lemmas=[histogram_phi])
def l1_for_one_phi(H):
    return H.shift()


@alignment(whole_histogram, epsilon="eps", lemmas=[histogram_l1_phi])
def each_for_l1_phi(H):
    return H.shift()


@mechanism
def both_ways(q: Queries, eps: Epsilon, noise: Noise):
    return winner([q[0], -q[0]], eps, noise)


@alignment(both_ways, epsilon="eps / 2", adjacency="monotone", lemmas=[monotone_winner_phi])
def both_ways_phi(H):
    return H.shift()


@mechanism
def plain_winner(q: Queries, eps: Epsilon, noise: Noise):
    return winner(q, eps, noise)


@alignment(plain_winner, epsilon="eps / 2", lemmas=[monotone_winner_phi])
def each_for_monotone_phi(H):
    return H.shift()


@mechanism
def turned(q: Queries, eps: Epsilon, noise: Noise):
    return winner([-x if i > 0 else x for i, x in enumerate(q)], eps, noise)


@alignment(turned, epsilon="eps / 2", adjacency="monotone", lemmas=[monotone_winner_phi])
def turned_phi(H):
    return H.shift()


@mechanism
def off_lattice(x: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return whole_count(x + e, eps, noise)


@alignment(off_lattice, epsilon="2 * eps", lemmas=[whole_count_phi])
def off_lattice_phi(x, x_, H):
    return H.shift(e=x - x_)


@mechanism
def undeclared_lattice(x: Query, eps: Epsilon, noise: Noise):
    return whole_count(x, eps, noise)


@alignment(undeclared_lattice, epsilon="eps", lemmas=[whole_count_phi])
def undeclared_lattice_phi(H):
    return H.shift()


@mechanism
def halved_lattice(x: Whole, eps: Epsilon, noise: Noise):
    return whole_count(x / 2, eps, noise)


@alignment(halved_lattice, epsilon="eps", lemmas=[whole_count_phi])
def halved_lattice_phi(H):
    return H.shift()


@mechanism
def wide(x: Query, delta: Positive, eps: Epsilon, noise: Noise):
    return wide_count(3 * x, delta, eps, noise)


@alignment(wide, epsilon="eps", lemmas=[wide_count_phi])
def wide_phi(H):
    return H.shift()


@mechanism
def running_total(q: Queries, eps: Epsilon, noise: Noise):
    total = 0
    for x in q:
        total += x
        y = one_count(total, eps, noise)
        yield y


@alignment(running_total, epsilon="eps", adjacency="one", lemmas=[one_count_phi])
def running_total_phi(H):
    return H.shift()


@mechanism
def product(q: Queries, eps: Epsilon, noise: Noise):
    return one_count(q[0] * q[1], eps, noise)


@alignment(product, epsilon="eps", lemmas=[one_count_phi])
def product_phi(H):
    return H.shift()


@mechanism
def difference(q: Queries, eps: Epsilon, noise: Noise):
    return one_count(q[0] - q[1], eps, noise)


@alignment(difference, epsilon="eps", lemmas=[one_count_phi])
def difference_phi(H):
    return H.shift()


@mechanism
def neighbours(q: Queries, eps: Epsilon, noise: Noise):
    return histogram([q[i] + q[0] for i in range(len(q))], eps, noise)


@alignment(neighbours, epsilon="eps", adjacency="one", lemmas=[histogram_phi])
def neighbours_phi(H):
    return H.shift()


# Rule 36: a claim does not scale with distance


@mechanism
def nearer(x: Query, eps: Epsilon, noise: Noise):
    return sign(x / 1000, eps, noise)


@alignment(nearer, epsilon="eps / 1000", lemmas=[sign_phi])
def nearer_phi(H):
    return H.shift()


@mechanism
def half_as_far(x: Query, eps: Epsilon, noise: Noise):
    a = sign(x / 2, eps, noise)
    b = sign(x / 2, eps, noise)
    return a, b


@alignment(half_as_far, epsilon="eps", lemmas=[sign_phi])
def half_as_far_phi(H):
    return H.shift()


# Rule 37: public arguments


@mechanism
def private_count(q: Queries, eps: Epsilon, noise: Noise):
    k = 1 if q[0] > 0 else 2
    yield from above(q, 0, k, eps, noise)


@alignment(private_count, epsilon="eps", lemmas=[above_phi])
def private_count_phi(H):
    return H.shift()


@mechanism
def private_threshold(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    yield from above(q, q[0], k, eps, noise)


@alignment(private_threshold, epsilon="eps", lemmas=[above_phi])
def private_threshold_phi(H):
    return H.shift()


@mechanism
def private_budget(x: Query, eps: Epsilon, noise: Noise):
    return one_count(x, eps / 2 if x > 0 else eps, noise)


@alignment(private_budget, epsilon="eps", lemmas=[one_count_phi])
def private_budget_phi(H):
    return H.shift()


@mechanism
def noisy_budget(x: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return one_count(x, 1 + abs(e), noise)


@alignment(noisy_budget, epsilon="2", lemmas=[one_count_phi])
def noisy_budget_phi(H):
    return H.shift()


@mechanism
def nothing_left(x: Query, spent: Positive, eps: Epsilon, noise: Noise):
    return one_count(x, eps - spent, noise)


@alignment(nothing_left, epsilon="eps", lemmas=[one_count_phi])
def nothing_left_phi(H):
    return H.shift()


@mechanism
def half_a_winner(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    yield from above(q, T, k - 1, eps, noise)


@alignment(half_a_winner, epsilon="eps", lemmas=[above_phi])
def half_a_winner_phi(H):
    return H.shift()


@mechanism
def called_by_answers(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        if q_i > T:
            yield from above(q, T, 1, eps, noise)


@alignment(called_by_answers, epsilon="eps", lemmas=[above_phi])
def called_by_answers_phi(H):
    return H.shift()


@mechanism
def called_by_one_answer(x: Query, eps: Epsilon, noise: Noise):
    if x > 0:
        y = one_count(x, eps, noise)
        yield ABOVE
    else:
        yield ABOVE


@alignment(called_by_one_answer, epsilon="eps", lemmas=[one_count_phi])
def called_by_one_answer_phi(H):
    return H.shift()


@mechanism
def every_round_pays(x: Query, k: Count, eps: Epsilon, noise: Noise):
    for j in range(k):
        y = one_count(x, eps, noise)
        yield y


@alignment(every_round_pays, epsilon="eps", lemmas=[one_count_phi])
def every_round_pays_phi(H):
    return H.shift()


@mechanism
def every_query_pays(q: Queries, eps: Epsilon, noise: Noise):
    for x in q:
        y = one_count(x, eps, noise)
        yield y


@alignment(every_query_pays, epsilon="eps", lemmas=[one_count_phi])
def every_query_pays_phi(H):
    return H.shift()


@alignment(every_round, epsilon="eps / 2", lemmas=[winner_phi])
def half_the_rounds_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i, x in omega])


@mechanism
def unpaid(x: Query, eps: Epsilon, noise: Noise):
    a = one_count(x, eps, noise)
    b = one_count(x, eps, noise)
    return a


@alignment(unpaid, epsilon="eps", lemmas=[one_count_phi])
def unpaid_phi(H):
    return H.shift()


@alignment(twice, epsilon="eps / 2", lemmas=[one_count_phi])
def half_phi(H):
    return H.shift()


@alignment(twice, epsilon="2 * eps / 3", lemmas=[one_count_phi])
def one_of_two_phi(H):
    return H.shift()


@alignment(parts, epsilon="eps", lemmas=[one_count_phi])
def parts_each_phi(H):
    return H.shift()


@mechanism
def same_part(q: Queries, eps: Epsilon, noise: Noise):
    a = one_count(q[0], eps, noise)
    b = one_count(q[0], eps, noise)
    return a, b


@alignment(same_part, epsilon="eps", adjacency="one", lemmas=[one_count_phi])
def same_part_phi(H):
    return H.shift()


# Rule 38: what a call gives is earlier noise, and nothing is known of it


@mechanism
def released_real(x: Query, eps: Epsilon, noise: Noise):
    z = noise.laplace(1 / eps)
    y = one_count(x + z, eps, noise)
    return y, x + z


@alignment(released_real, epsilon="2 * eps", lemmas=[one_count_phi])
def released_real_phi(x, x_, omega, H):
    return H.shift(z=x - x_ if omega[0] > 0 else 2 * (x - x_))


@mechanism
def scale_from_call(x: Query, eps: Epsilon, noise: Noise):
    y = one_count(x, eps, noise)
    e = noise.laplace(1 + abs(y))
    return x + e


@alignment(scale_from_call, epsilon="2 * eps + 1", lemmas=[one_count_phi])
def scale_from_call_phi(x, x_, H):
    return H.shift(e=x - x_)


@mechanism
def divided_by_call(x: Query, eps: Epsilon, noise: Noise):
    y = one_count(x, eps, noise)
    return 1 / y


@alignment(divided_by_call, epsilon="eps", lemmas=[one_count_phi])
def divided_by_call_phi(H):
    return H.shift()


@mechanism
def draws_by_call(x: Query, eps: Epsilon, noise: Noise):
    y = one_count(x, eps, noise)
    if y > x:
        yield ABOVE
    else:
        yield BELOW


@alignment(draws_by_call, epsilon="eps", lemmas=[one_count_phi])
def draws_by_call_phi(H):
    return H.shift()


@mechanism
def leaks_beside(x: Query, eps: Epsilon, noise: Noise):
    y = one_count(x, eps, noise)
    return x - y


@alignment(leaks_beside, epsilon="eps", lemmas=[one_count_phi])
def leaks_beside_phi(H):
    return H.shift()


@mechanism
def winner_itself(q: Queries, eps: Epsilon, noise: Noise):
    i = winner(q, eps, noise)
    return q[i]


@alignment(winner_itself, epsilon="eps", lemmas=[winner_phi])
def winner_itself_phi(H):
    return H.shift()


@mechanism
def next_to_winner(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    i = winner(q, eps, noise)
    return T[i]


@alignment(next_to_winner, epsilon="eps", lemmas=[winner_phi])
def next_to_winner_phi(H):
    return H.shift()


@mechanism
def item_of_histogram(q: Queries, eps: Epsilon, noise: Noise):
    h = histogram(q, eps, noise)
    return h[0]


@alignment(item_of_histogram, epsilon="eps", adjacency="one", lemmas=[histogram_phi])
def item_of_histogram_phi(H):
    return H.shift()


@mechanism
def tag_of_stream(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    tags = above(q, T, 1, eps, noise)
    yield ABOVE if tags[0] is BELOW else BELOW


@alignment(tag_of_stream, epsilon="eps", lemmas=[above_phi])
def tag_of_stream_phi(H):
    return H.shift()


@mechanism
def read_past_chunk(q: Queries, x: Query, T: Real, eps: Epsilon, noise: Noise):
    yield from above(q, T, 1, eps, noise)
    e = noise.laplace(1 / eps)
    yield x + e


@alignment(read_past_chunk, epsilon="2 * eps", lemmas=[above_phi])
def read_past_chunk_phi(x, x_, omega, H):
    return H.shift(e=x - x_ if omega[1] > 0 else 2 * (x - x_))


@mechanism
def echo(x: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return T, x + e


@alignment(echo, epsilon="eps")
def echo_phi(x, x_, H):
    return H.shift(e=x - x_)


@mechanism
def tied_by_call(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    y, z = echo(q[0], e, eps, noise)
    (best,) = largest([T + e, T + y], 1)
    yield BELOW if best == 0 else q[0]


@alignment(tied_by_call, epsilon="eps", lemmas=[echo_phi])
def tied_by_call_phi(H):
    return H.shift()


@mechanism
def shifted_by_what_it_gives(x: Query, eps: Epsilon, noise: Noise):
    z = noise.laplace(1 / eps)
    y, w = echo(x, z, eps, noise)
    return y


@alignment(shifted_by_what_it_gives, epsilon="2 * eps", lemmas=[echo_phi])
def shifted_by_what_it_gives_phi(x, x_, omega, H):
    return H.shift(z=x - x_)


# Rule 39: which claims serve


@mechanism
def cheap_count(x: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return x + e


@alignment(cheap_count, epsilon="eps / 2")
def wrong_lemma(x, x_, H):
    return H.shift(e=x - x_)


@mechanism
def on_sand(x: Query, eps: Epsilon, noise: Noise):
    return cheap_count(x, eps, noise)


@alignment(on_sand, epsilon="eps / 2", lemmas=[wrong_lemma])
def on_sand_phi(H):
    return H.shift()


@mechanism
def deeper_in_sand(x: Query, eps: Epsilon, noise: Noise):
    return on_sand(x, eps, noise)


@alignment(deeper_in_sand, epsilon="eps / 2", lemmas=[on_sand_phi])
def deeper_in_sand_phi(H):
    return H.shift()


@mechanism
def share_of(x: Query, s: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / ((1 - s) * eps))
    return x + e


@alignment(share_of, epsilon="eps")
def share_of_phi(x, x_, H):
    return H.shift(e=x - x_)


@mechanism
def outside_presumed(x: Query, eps: Epsilon, noise: Noise):
    return share_of(x, 2, eps, noise)


@alignment(outside_presumed, epsilon="eps", lemmas=[share_of_phi])
def outside_presumed_phi(H):
    return H.shift()


NEVER_PROVED = [
    doubled_phi,
    all_doubled_phi,
    same_twice_phi,
    same_twice_l1_phi,
    repeated_phi,
    repeated_l1_phi,
    each_for_one_phi,
    l1_for_one_phi,
    each_for_l1_phi,
    both_ways_phi,
    each_for_monotone_phi,
    turned_phi,
    off_lattice_phi,
    undeclared_lattice_phi,
    halved_lattice_phi,
    wide_phi,
    running_total_phi,
    product_phi,
    difference_phi,
    neighbours_phi,
    filtered_phi,
    nearer_phi,
    half_as_far_phi,
    private_count_phi,
    private_threshold_phi,
    private_budget_phi,
    noisy_budget_phi,
    nothing_left_phi,
    half_a_winner_phi,
    called_by_answers_phi,
    called_by_one_answer_phi,
    every_round_pays_phi,
    every_query_pays_phi,
    half_the_rounds_phi,
    unpaid_phi,
    half_phi,
    one_of_two_phi,
    parts_each_phi,
    same_part_phi,
    released_real_phi,
    scale_from_call_phi,
    divided_by_call_phi,
    draws_by_call_phi,
    leaks_beside_phi,
    winner_itself_phi,
    next_to_winner_phi,
    item_of_histogram_phi,
    tag_of_stream_phi,
    read_past_chunk_phi,
    tied_by_call_phi,
    shifted_by_what_it_gives_phi,
    on_sand_phi,
    deeper_in_sand_phi,
    outside_presumed_phi,
]


@pytest.mark.parametrize("phi", NEVER_PROVED, ids=lambda phi: phi.name)
def test_never_proved(phi, never_proved):
    never_proved(phi)


LEAKS = [
    doubled_phi,
    all_doubled_phi,
    same_twice_phi,
    same_twice_l1_phi,
    repeated_phi,
    each_for_one_phi,
    both_ways_phi,
    each_for_monotone_phi,
    halved_lattice_phi,
    wide_phi,
    running_total_phi,
    difference_phi,
    neighbours_phi,
    half_as_far_phi,
    private_budget_phi,
    called_by_answers_phi,
    every_round_pays_phi,
    every_query_pays_phi,
    one_of_two_phi,
    parts_each_phi,
    same_part_phi,
    winner_itself_phi,
    on_sand_phi,
]


@pytest.mark.parametrize("phi", LEAKS, ids=lambda phi: phi.name)
def test_a_leak_is_certified(phi):
    assert check(phi).privacy.status == "not private"


# What is refused where it is defined


def plain(x):
    return x + 1


def test_a_callee_that_is_no_mechanism():
    def caller(x: Query, eps: Epsilon, noise: Noise):
        yield from plain(x)

    with pytest.raises(LanguageError, match="`yield from` anything but the call of a mechanism"):
        mechanism(caller)


def test_a_mechanism_that_returns_is_not_yielded_from():
    def caller(x: Query, eps: Epsilon, noise: Noise):
        yield from one_count(x, eps, noise)

    with pytest.raises(LanguageError, match="one_count returns one value"):
        mechanism(caller)


def calls_itself(x: Query, eps: Epsilon, noise: Noise):
    y = calls_itself(x, eps / 2, noise)
    return y


def test_recursion():
    itself = calls_itself
    del globals()["calls_itself"]
    with pytest.raises(LanguageError, match="calls itself"):
        mechanism(itself)


def test_a_call_inside_a_larger_expression():
    def caller(x: Query, eps: Epsilon, noise: Noise):
        return 1 + one_count(x, eps, noise)

    with pytest.raises(LanguageError, match="is called inside a larger expression"):
        mechanism(caller)


@pytest.mark.parametrize("arguments", ["x, eps", "x, noise, eps", "x, eps, noise, noise"])
def test_arguments_that_do_not_fit(arguments, tmp_path, monkeypatch):
    file = tmp_path / f"caller_{abs(hash(arguments))}.py"
    file.write_text(
        "from alignkit import Epsilon, Noise, Query, mechanism\n\n\n"
        "@mechanism\ndef count(x: Query, eps: Epsilon, noise: Noise):\n"
        "    e = noise.laplace(1 / eps)\n    return x + e\n"
        f"\n\n@mechanism\ndef caller(x: Query, eps: Epsilon, noise: Noise):\n    y = count({arguments})\n    return y\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(LanguageError) as caught:
        __import__(file.stem)
    assert "count(x, eps, noise)" in caught.value.hint


def test_noise_of_a_call_is_moved_by_its_lemma_only():
    def phi(x, x_, H):
        return H.shift(one_count_e=1)

    with pytest.raises(LanguageError, match="which the lemma one_count_phi moves"):
        alignment(doubled, epsilon="eps", lemmas=[one_count_phi])(phi)


def test_an_alignment_does_not_call_a_mechanism():
    def phi(x, x_, y, y_, eps, H):
        a = one_count(x, eps, H)
        return H.shift()

    with pytest.raises(LanguageError, match="an alignment does not call the mechanism one_count"):
        alignment(twice, epsilon="eps")(phi)


@alignment(one_count, epsilon="eps / 2", expect="refuted")
def declared_wrong(x, x_, H):
    return H.shift(e=x - x_)


@alignment(above, epsilon="len(omega) * eps")
def ex_post_phi(q, q_, omega, H):
    return H.shift(eta=1, xi=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


@pytest.mark.parametrize(
    ("lemmas", "words"),
    [
        ([one_count_phi, one_count_phi], "has two lemmas"),
        ([winner_phi], "twice calls one_count"),
        ([declared_wrong], "only a proved one can be used"),
        (["one_count_phi"], "a lemma is an alignment"),
    ],
    ids=["two", "of another", "expected to be refuted", "no alignment"],
)
def test_lemmas_that_cannot_serve(lemmas, words):
    with pytest.raises(InputError, match=words):
        alignment(twice, epsilon="eps", lemmas=lemmas)


def test_an_ex_post_lemma_is_refused():
    with pytest.raises(InputError, match="ex-post"):
        alignment(adaptive_threshold, epsilon="eps", lemmas=[ex_post_phi])
