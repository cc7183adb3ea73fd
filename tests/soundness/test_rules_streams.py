"""Rules 27 and 28: what an alignment may know of the noise and of the other outputs of a loop.

The programs that a small search refutes are few here: most differ from a right one only in runs of more than 40
queries, or for public parameters that no search tries first, so that only the prover can refuse them.
"""

# Programs under test draw noise that they do not use.
# ruff: noqa: F841, RUF034

from __future__ import annotations

from fractions import Fraction

import pytest

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, Tag, alignment, mechanism

TOP, MIDDLE = Tag("TOP"), Tag("MIDDLE")


# Rule 27: a list drawn before the loop, or after it, has its own length


@mechanism
def three_before(q: Queries, eps: Epsilon, noise: Noise):
    x = [noise.laplace(1 / eps) for j in range(3)]
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e


@alignment(three_before, epsilon="eps", adjacency="l1")
def far_in_long_runs_phi(q, q_, omega, H):
    far = 1000 if len(omega) >= 40 and len(H.x) < 40 else 0
    return H.shift(x=[far, 0, 0], e=[q[i] - q_[i] for i in range(len(q))])


@alignment(three_before, epsilon="eps", adjacency="l1")
def reads_a_fourth_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] + (0 * H.x[i] if i >= 40 else 0) for i in range(len(q))])


@alignment(three_before, epsilon="eps", adjacency="l1")
def three_before_phi(q, q_, omega, H):
    """Right: there are three of them, and each may be read."""
    far = 1000 if len(H.x) != 3 else 0
    return H.shift(x=[far, 0, 0], e=[q[i] - q_[i] + 0 * H.x[2] for i in range(len(q))])


@mechanism
def two_after(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e
    x = [noise.laplace(1 / eps) for j in range(2)]


@alignment(two_after, epsilon="eps", adjacency="l1")
def far_by_what_comes_after_phi(q, q_, omega, H):
    far = 1000 if len(omega) >= 40 and len(H.x) < 40 else 0
    return H.shift(x=[far, 0], e=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def some_before(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    x = [noise.laplace(1 / eps) for j in range(k - 1)]
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e


@alignment(some_before, epsilon="eps", adjacency="l1")
def reads_an_empty_list_phi(q, q_, H):
    """At k = 1 no x is drawn, and H.x is not there."""
    return H.shift(e=[q[i] - q_[i] + 0 * len(H.x) for i in range(len(q))])


# Rule 27: what some iterations draw, others do not


@mechanism
def drawn_for_low_thresholds(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        if T < 100:
            x = noise.laplace(1 / eps)
        yield q_i + e


@alignment(drawn_for_low_thresholds, epsilon="eps", adjacency="l1")
def reads_what_is_not_drawn_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] + 0 * H.x[i] for i in range(len(q))])


@alignment(drawn_for_low_thresholds, epsilon="eps", adjacency="l1")
def counts_what_is_not_drawn_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] + 0 * len(H.x) for i in range(len(q))])


@mechanism
def drawn_for_winners(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse vector; each winner also draws noise that nothing uses."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            x = noise.laplace(1 / eps)
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(drawn_for_winners, epsilon="eps")
def far_where_winners_drew_little_phi(omega, H):
    """The last winner is the last to draw x, so that its list may be shorter than the output; here it is not."""
    far = 1000 if len(omega) >= 40 and len(H.x) < len(omega) else 0
    return H.shift(eta=1 + far, eta_i=[2 + far if w is ABOVE else 0 for w in omega])


@alignment(drawn_for_winners, epsilon="eps")
def losers_read_what_winners_draw_phi(omega, H):
    return H.shift(eta=1, eta_i=[2 if w is ABOVE else 0 * H.x[i] if i >= 40 else 0 for i, w in enumerate(omega)])


@mechanism
def stops_before_it_draws(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    count = 0
    for q_i in q:
        if count >= k:
            break
        e = noise.laplace(k / eps)
        count += 1
        yield q_i + e


@alignment(stops_before_it_draws, epsilon="eps", adjacency="each")
def reads_to_the_end_of_the_queries_phi(q, q_, H):
    """Noise is drawn for the first k queries only, and read for all of them."""
    return H.shift(e=[q[i] - q_[i] + (0 * H.e[i] if i >= 40 else 0) for i in range(len(q))])


# Rule 27: what is right


@mechanism
def noisy_answers(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e


@alignment(noisy_answers, epsilon="eps", adjacency="l1")
def own_noise_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] + 0 * H.e[i] for i in range(len(q))])


@alignment(noisy_answers, epsilon="eps", adjacency="l1")
def noise_of_each_output_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] + 0 * H.e[i] for i in range(len(omega))])


@alignment(noisy_answers, epsilon="eps", adjacency="l1")
def as_many_as_outputs_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] + 0 * H.e[len(omega) - 1] for i in range(len(H.e))])


@mechanism
def sparse_vector_with_gap(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(sparse_vector_with_gap, epsilon="eps")
def noise_of_a_run_that_stops_phi(q, q_, omega, H):
    """Right: the iteration that leaves the loop draws and gives output like the others."""
    return H.shift(
        eta=1, eta_i=[1 + q[i] - q_[i] + 0 * H.eta_i[i] if w is not BELOW else 0 for i, w in enumerate(omega)]
    )


@alignment(sparse_vector_with_gap, epsilon="eps")
def noise_of_queries_never_asked_phi(q, q_, omega, H):
    """The loop may stop early, and then there is no noise for the other queries."""
    return H.shift(
        eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 * H.eta_i[len(q) - 1] for i, w in enumerate(omega)]
    )


# Rule 28: other iterations' outputs may be tags, numbers or tuples


@alignment(sparse_vector_with_gap, epsilon="eps")
def computes_with_a_tag_phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[
            1 + q[i] - q_[i] + (0 * omega[i - 40] if i >= 40 else 0) if w is not BELOW else 0
            for i, w in enumerate(omega)
        ],
    )


@alignment(sparse_vector_with_gap, epsilon="eps")
def compares_a_tag_phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[
            1 + q[i] - q_[i] + (0 if i < 40 or omega[i - 40] == omega[i - 40] else 0) if w is not BELOW else 0
            for i, w in enumerate(omega)
        ],
    )


@alignment(sparse_vector_with_gap, epsilon="eps")
def takes_a_part_of_a_tag_phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[
            1 + q[i] - q_[i] + (0 if i < 40 or omega[i - 40][0] is BELOW else 0) if w is not BELOW else 0
            for i, w in enumerate(omega)
        ],
    )


@alignment(sparse_vector_with_gap, epsilon="eps")
def far_by_one_of_two_others_phi(q, q_, omega, H):
    """Which of two other outputs is looked at depends on the position; whether it is a tag is still asked of it."""
    return H.shift(
        eta=1 if len(omega) < 40 else 1000 if (omega[1] if len(q) > 50 else omega[2]) is BELOW else 1,
        eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(sparse_vector_with_gap, epsilon="eps")
def asks_whether_another_is_a_tag_phi(q, q_, omega, H):
    """Right: only an output that is no tag is computed with, and of that nothing is kept."""
    return H.shift(
        eta=1 if any(w is BELOW for w in omega) or all(w is not BELOW for w in omega) else 1000,
        eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@mechanism
def two_branches(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse vector whose winners say by how much, those far above by a tag more."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        gap = q_i + eta_i - (T + eta)
        if gap >= 10:
            yield (TOP, gap)
            count += 1
        elif gap >= 0:
            yield (MIDDLE, 1, gap)
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(two_branches, epsilon="eps")
def takes_a_third_part_of_two_phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[
            0 if w is BELOW
            else 1 + q[i] - q_[i] + (0 if i < 40 or omega[i - 40] is BELOW or omega[i - 40][2] is BELOW else 0)
            for i, w in enumerate(omega)
        ],
    )  # fmt: skip


def unpacked(omega, i):
    """Zero, with the other output unpacked as two parts."""
    if i >= 40 and omega[i - 40] is not BELOW:
        tag, gap = omega[i - 40]
        return 0 if tag is TOP else 0
    return 0


@alignment(two_branches, epsilon="eps")
def unpacks_two_of_three_phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[0 if w is BELOW else 1 + q[i] - q_[i] + unpacked(omega, i) for i, w in enumerate(omega)],
    )


@alignment(two_branches, epsilon="eps")
def takes_parts_that_are_there_phi(q, q_, omega, H):
    """Right: the second part of a pair that is known to be one."""
    return H.shift(
        eta=1,
        eta_i=[
            0 if w is BELOW
            else 1 + q[i] - q_[i] if w[0] is TOP
            else 1 + q[i] - q_[i] + (0 if w[2] is BELOW else 0)
            for i, w in enumerate(omega)
        ],
    )  # fmt: skip


@mechanism
def announced(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Answers to all queries, after a tag that says that they follow."""
    yield ABOVE
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e


@alignment(announced, epsilon="eps", adjacency="l1")
def computes_with_the_first_output_phi(q, q_, omega, H):
    far = 0 if len(omega) < 40 else 0 * omega[len(omega) - 41 if len(q) < 41 else 0]
    return H.shift(e=[q[i] - q_[i] + far for i in range(len(q))])


@mechanism
def closed(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Answers to all queries, before a tag that says that these were all."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e
    yield ABOVE


@alignment(closed, epsilon="eps", adjacency="l1")
def computes_with_the_last_output_phi(q, q_, omega, H):
    far = 0 if len(omega) < 40 else 0 if omega[-1] > 0 else 0
    return H.shift(e=[q[i] - q_[i] + far for i in range(len(q))])


WRONG = [
    far_in_long_runs_phi, reads_a_fourth_phi, far_by_what_comes_after_phi, reads_an_empty_list_phi,
    reads_what_is_not_drawn_phi, counts_what_is_not_drawn_phi, far_where_winners_drew_little_phi,
    losers_read_what_winners_draw_phi, reads_to_the_end_of_the_queries_phi, noise_of_queries_never_asked_phi,
    computes_with_a_tag_phi, compares_a_tag_phi, takes_a_part_of_a_tag_phi, far_by_one_of_two_others_phi,
    takes_a_third_part_of_two_phi, unpacks_two_of_three_phi, computes_with_the_first_output_phi,
    computes_with_the_last_output_phi,
]  # fmt: skip

RIGHT = [
    three_before_phi, own_noise_phi, noise_of_each_output_phi, as_many_as_outputs_phi, noise_of_a_run_that_stops_phi,
    asks_whether_another_is_a_tag_phi, takes_parts_that_are_there_phi,
]  # fmt: skip


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_what_a_run_does_not_have_is_not_read(phi, prover_alone):
    assert not prover_alone(phi).complete


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_what_every_run_has_may_be_read(phi, proved):
    proved(phi)


@pytest.mark.parametrize(
    ("phi", "parameters", "queries", "noise"),
    [
        (far_in_long_runs_phi, {}, 40, {"x": [0, 0, 0], "e": [Fraction(0)] * 40}),
        (far_by_what_comes_after_phi, {}, 40, {"x": [0, 0], "e": [Fraction(0)] * 40}),
        (reads_what_is_not_drawn_phi, {"T": 100}, 1, {"e": [0]}),
        (reads_an_empty_list_phi, {"k": 1}, 1, {"e": [0]}),
        (losers_read_what_winners_draw_phi, {"T": 0, "k": 1}, 41, {"eta": 0, "eta_i": [-1] * 41}),
        (reads_to_the_end_of_the_queries_phi, {"k": 1}, 41, {"e": [0]}),
        (noise_of_queries_never_asked_phi, {"T": 0, "k": 1}, 3, {"eta": 0, "eta_i": [-1, 1]}),
        (computes_with_a_tag_phi, {"T": 0, "k": 1}, 41, {"eta": 0, "eta_i": [-1] * 40 + [1]}),
        (takes_a_part_of_a_tag_phi, {"T": 0, "k": 1}, 41, {"eta": 0, "eta_i": [-1] * 40 + [1]}),
        (computes_with_the_first_output_phi, {"T": 0}, 40, {"e": [0] * 40}),
        (computes_with_the_last_output_phi, {"T": 0}, 40, {"e": [0] * 40}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_replay_refutes_what_the_prover_refuses(phi, parameters, queries, noise):
    """These alignments are wrong indeed: some run breaks a condition of the proof."""
    q, q_ = [0] * queries, [0] * queries
    assert phi.replay(q, q_, H=noise, eps=1, **parameters).violation is not None
