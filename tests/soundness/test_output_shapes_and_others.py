"""Shapes of output together with a second loop, with calls, with sums, with choices and with adaptive queries.

Where a program's name begins with `leaks`, it is not private at its claim, or not at any; of the others, only the
alignment is wrong. None may be proved. What is proved stands in `RIGHT`, with the argument why it is private.
"""

# Programs under test compute values and draw noise that they do not use.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Query, Real, Tag, alignment, mechanism

NOTHING = Tag("NOTHING")

# A second loop


@mechanism
def leaks_two_searches(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Each search costs eps, and both are told."""
    rho = noise.laplace(2 / eps)
    first = -1
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            first = i
            break
    tau = noise.laplace(2 / eps)
    for j, q_j in enumerate(q):
        xi = noise.laplace(4 / eps)
        if q_j + xi >= T + tau:
            return first, j
    return first, -1


@alignment(leaks_two_searches, epsilon="eps")
def second_search_is_not_paid(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega[0] else 0 for i in range(len(q))], tau=0, xi=[0 for q_i in q])


@mechanism
def leaks_list_of_two_loops(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The indices of the second loop stand behind those of the first, in one list."""
    rho = noise.laplace(2 / eps)
    out = []
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            out = [*out, i]
            break
    for j, q_j in enumerate(q):
        if q_j >= T:
            out = [*out, j]
    return out


@alignment(leaks_list_of_two_loops, epsilon="eps")
def indices_of_the_second_loop(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i in omega else 0 for i in range(len(q))])


@mechanism
def winners_twice(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            yield i
            count += 1
            if count >= k:
                break
    tau = noise.laplace(2 / eps)
    found = 0
    for j, q_j in enumerate(q):
        xi = noise.laplace(4 * k / eps)
        if q_j + xi >= T + tau:
            yield j
            found += 1
            if found >= k:
                break


@alignment(winners_twice, epsilon="2 * eps")
def an_index_of_the_other_loop(q, q_, omega, H):
    """An index that the second loop alone gives is not that of a winner of the first."""
    paid = [2 if i in omega else 0 for i in range(len(q))]
    return H.shift(rho=1, nu=paid, tau=1, xi=paid)


@mechanism
def two_outputs_then_one(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        a = noise.laplace(4 / eps)
        yield BELOW
        yield q_i + a
    for q_i in q:
        b = noise.laplace(4 / eps)
        yield q_i + b


@alignment(two_outputs_then_one, epsilon="eps", adjacency="l1")
def positions_of_the_other_loop(q, q_, omega, H):
    """At 2 * i there is a tag in the first loop only."""
    return H.shift(
        a=[q[i] - q_[i] for i in range(len(q))],
        b=[0 if omega[2 * i] is BELOW else q[i] - q_[i] for i in range(len(q))],
    )


@mechanism
def leaks_kept_then_changed(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The second loop changes, by private data, what the first has kept until it was left."""
    rho = noise.laplace(2 / eps)
    found = -1
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            found = i
            break
    for q_i in q:
        if q_i >= T:
            found += 1
    return found


@alignment(leaks_kept_then_changed, epsilon="eps")
def changed_in_the_second_loop(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega else 0 for i in range(len(q))])


@mechanism
def leaks_inner_return(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """An inner loop returns the index of the outer one, by private data."""
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        for q_j in q:
            if q_i + q_j >= T:
                return i
    return -1


@alignment(leaks_inner_return, epsilon="eps")
def returned_from_an_inner_loop(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega else 0 for i in range(len(q))])


# Calls


@mechanism
def noisy(x: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return x + e


@alignment(noisy, epsilon="eps")
def right_noisy(x, x_, H):
    return H.shift(e=x - x_)


@mechanism
def as_it_is(y: Query, x: Real, noise: Noise):
    return x


@alignment(as_it_is, epsilon="0")
def right_as_it_is(H):
    return H.shift()


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


@mechanism
def called_twice(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    one = first_above(q, T, eps, noise)
    other = first_above(q, T, eps, noise)
    return one, other


@alignment(called_twice, epsilon="2 * eps", lemmas=[right_first_above])
def right_called_twice(H):
    """Two calls of a lemma at eps each, with the caller's own queries."""
    return H.shift()


@alignment(called_twice, epsilon="eps", lemmas=[right_first_above])
def leaks_by_one_of_two_calls(H):
    return H.shift()


@mechanism
def leaks_by_an_index(q: Queries, s: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The index that the call gives picks a private answer."""
    i = first_above(q, T, eps, noise)
    if i >= 0:
        return q[i]
    return 0


@alignment(leaks_by_an_index, epsilon="eps", lemmas=[right_first_above])
def answer_at_the_called_index(H):
    return H.shift()


@mechanism
def leaks_list_of_calls(q: Queries, eps: Epsilon, noise: Noise):
    """Every round pays, under an adjacency by which every answer changes."""
    out = []
    for q_i in q:
        s = noisy(q_i, eps, noise)
        out = [*out, s]
    return out


@alignment(leaks_list_of_calls, epsilon="eps", lemmas=[right_noisy])
def list_of_calls(H):
    return H.shift()


@mechanism
def leaks_index_by_calls(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Each answer is compared with a public threshold, and every round pays."""
    for i, q_i in enumerate(q):
        s = noisy(q_i, eps, noise)
        if s >= T:
            return i
    return -1


@alignment(leaks_index_by_calls, epsilon="eps", lemmas=[right_noisy])
def index_by_calls(H):
    return H.shift()


@mechanism
def cancelled(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """A winner's number is 0 always: the call gives back the very noise from which it is taken."""
    rho = noise.laplace(3 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(6 * k / eps)
        if q_i + nu >= T + rho:
            upsilon = noise.laplace(3 * k / eps)
            s = as_it_is(q_i, upsilon, noise)
            yield upsilon - s
            count += 1
            if count >= k:
                break
        else:
            yield 0


@alignment(cancelled, epsilon="eps", lemmas=[right_as_it_is])
def zero_of_a_winner_by_lemma(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)])


@alignment(cancelled, epsilon="eps")
def zero_of_a_winner_inlined(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)])


@alignment(cancelled, epsilon="eps", lemmas=[right_as_it_is])
def only_the_threshold_moves(H):
    return H.shift(rho=1)


# Sums


@mechanism
def leaks_first_total(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Where every answer changes, the total changes by more than what is paid."""
    rho = noise.laplace(2 / eps)
    total = 0
    for i, q_i in enumerate(q):
        total += q_i
        nu = noise.laplace(4 / eps)
        if total + nu >= T + rho:
            return i
    return -1


@alignment(leaks_first_total, epsilon="eps")
def totals_of_all_that_change(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega else 0 for i in range(len(q))])


@alignment(leaks_first_total, epsilon="eps", adjacency="one")
def paid_by_the_last_answer(q, q_, omega, H):
    """Under "one" it is private, but the last answer's change is not the total's."""
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def leaks_list_of_totals(q: Queries, eps: Epsilon, noise: Noise):
    """One answer changes all later totals."""
    total = 0
    out = []
    for q_i in q:
        total += q_i
        nu = noise.laplace(1 / eps)
        out = [*out, total + nu]
    return out


@alignment(leaks_list_of_totals, epsilon="eps", adjacency="one")
def one_answer_in_all_totals(q, q_, H):
    return H.shift(nu=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def leaks_total_beside_the_index(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    total = 0
    for i, q_i in enumerate(q):
        total += q_i
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            return i, total
    return -1, 0


@alignment(leaks_total_beside_the_index, epsilon="eps", adjacency="one")
def total_in_the_clear(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega[0] else 0 for i in range(len(q))])


@mechanism
def leaks_list_as_long_as_the_data_say(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The list grows where the total is above: its length tells how often, without noise."""
    total = 0
    out = []
    for q_i in q:
        total += q_i
        nu = noise.laplace(1 / eps)
        if total >= T:
            out = [*out, nu]
    return out


@alignment(leaks_list_as_long_as_the_data_say, epsilon="eps", adjacency="one")
def length_by_totals(H):
    return H.shift()


# Choices


@mechanism
def coin_hides_the_winner(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Where the coin falls on 0, a winner ends the run without its index."""
    r = noise.choice([1, 1])
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            if r == 1:
                return i
            return -2
    return -1


@alignment(coin_hides_the_winner, epsilon="eps")
def hidden_winner_is_not_paid(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega else 0 for i in range(len(q))])


@mechanism
def coin_times_number(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """A winner's number is 0 where the coin falls on 0, so that 0 does not say that it lost."""
    r = noise.choice([1, 1])
    rho = noise.laplace(3 / eps)
    for q_i in q:
        nu = noise.laplace(6 / eps)
        if q_i + nu >= T + rho:
            upsilon = noise.laplace(3 / eps)
            yield r * upsilon
            break
        else:
            yield 0


@alignment(coin_times_number, epsilon="eps")
def zero_by_the_coin(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)])


@mechanism
def leaks_list_of_coins(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """A coin of even weights that is told with an answer's bit, exclusive or nothing."""
    out = []
    for q_i in q:
        r = noise.choice([1, 1])
        if q_i >= T:
            out = [*out, r]
    return out


@alignment(leaks_list_of_coins, epsilon="eps")
def coins_of_those_above(H):
    return H.shift()


@mechanism
def leaks_weights_by_found(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The coin after the loop is weighted by private data."""
    rho = noise.laplace(2 / eps)
    found = -1
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            found = i
            break
    r = noise.choice([1, 1 + abs(q[0])])
    return found, r


@alignment(leaks_weights_by_found, epsilon="eps")
def private_weights(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i == omega[0] else 0 for i in range(len(q))])


@mechanism
def coin_beside_the_index(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    r = noise.choice([1, 1])
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            return i, r
    return -1, r


@alignment(coin_beside_the_index, epsilon="eps")
def right_coin_beside_the_index(q, q_, omega, H):
    """The coin is independent of the data, and the same on D and D'; the rest is a search for the first above."""
    return H.shift(rho=1, nu=[2 if i == omega[0] else 0 for i in range(len(q))])


# Adaptive queries


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


@alignment(winners, epsilon="eps", queries="adaptive")
def adaptive_next_is_a_winner(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if i + 1 in omega else 0 for i in range(len(q))])


@alignment(winners, epsilon="eps / 2", queries="adaptive")
def leaks_adaptive_half(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(winners, epsilon="eps", queries="adaptive")
def adaptive_next_answer(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i + 1] - q_[i + 1] if i in omega else 0 for i in range(len(q) - 1)])


@mechanism
def leaks_null_set_by_the_analyst(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The analyst sees rho and asks the query that is worth it, whose difference is 0 then."""
    rho = noise.laplace(3 / eps)
    yield rho
    count = 0
    for q_i in q:
        nu = noise.laplace(6 * k / eps)
        if q_i + nu >= T:
            yield q_i - rho
            count += 1
            if count >= k:
                break
        else:
            yield 0


@alignment(leaks_null_set_by_the_analyst, epsilon="eps", queries="adaptive")
def asked_worth_the_noise(q, q_, omega, H):
    return H.shift(rho=0, nu=[1 if omega[i + 1] != 0 else -1 for i in range(len(q))])


@mechanism
def leaks_two_outputs_adaptive(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """The tag of each answer is told without noise beside its noisy number."""
    for q_i in q:
        nu = noise.laplace(1 / eps)
        if q_i >= T:
            yield ABOVE
        else:
            yield BELOW
        yield q_i + nu


@alignment(leaks_two_outputs_adaptive, epsilon="len(q) * eps", queries="adaptive")
def tag_and_number(q, q_, H):
    return H.shift(nu=[q[i] - q_[i] for i in range(len(q))])


@alignment(leaks_two_outputs_adaptive, epsilon="eps", queries="adaptive", adjacency="l1")
def tag_and_number_of_one(q, q_, omega, H):
    return H.shift(nu=[q[i] - q_[i] if omega[2 * i] is BELOW else 0 for i in range(len(q))])


def adaptive_index():
    @alignment(first_above, epsilon="eps", queries="adaptive")
    def returned_after_all_queries(q, q_, omega, H):
        return H.shift(rho=1, nu=[2 if i + 1 == omega else 0 for i in range(len(q))])

    return returned_after_all_queries


def adaptive_list():
    @mechanism
    def leaks_grown(q: Queries, eps: Epsilon, noise: Noise):
        out = []
        for q_i in q:
            nu = noise.laplace(1 / eps)
            out = [*out, q_i + nu]
        return out

    @alignment(leaks_grown, epsilon="eps", queries="adaptive")
    def each_answer_at_eps(q, q_, H):
        return H.shift(nu=[q[i] - q_[i] for i in range(len(q))])

    return each_answer_at_eps


ALIGNMENTS = {
    name: value
    for name, value in sorted(globals().items())
    if hasattr(value, "adjacency") and hasattr(value, "mechanism")
}
RIGHT = [value for name, value in ALIGNMENTS.items() if name.startswith("right_")]
WRONG = [value for name, value in ALIGNMENTS.items() if not name.startswith("right_")]


def test_how_many_programs_there_are():
    assert len(WRONG) >= 28
    assert len(RIGHT) >= 5


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_never_proved(phi, never_proved):
    never_proved(phi)


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_proved(phi, proved):
    proved(phi)


@pytest.mark.parametrize("make", [adaptive_index, adaptive_list])
def test_what_is_returned_in_the_end_is_not_adaptive(make, refused_or_never_proved):
    refused_or_never_proved(make)
