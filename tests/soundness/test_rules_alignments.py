"""Rules 10 to 12, 14 and 21: what a shift may depend on, and where aligned noise may lie.

Where a mechanism's output does not depend on its noise at all, every shift keeps it, and a search sees nothing:
that the shifts are not one-to-one is for the prover alone to see.
"""

# Programs under test draw noise and compute values that they do not use.
# ruff: noqa: F841

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
    Query,
    Real,
    Reals,
    alignment,
    clamp,
    largest,
    mechanism,
)
from alignkit.mechanisms.noisy_max import noisy_max, noisy_max_with_gap
from alignkit.mechanisms.sparse_vector import sparse_vector, sparse_vector_with_gap
from alignkit.results import Verdict

# Rule 10: one draw, whose shift reads itself


@mechanism
def one_unused(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return 1


@alignment(one_unused, epsilon="eps")
def sign_phi(H):
    return H.shift(eta=1 if H.eta >= 0 else -1)


@alignment(one_unused, epsilon="eps")
def sign_by_statement_phi(H):
    if H.eta >= 0:
        return H.shift(eta=1)
    return H.shift(eta=-1)


@alignment(one_unused, epsilon="eps")
def towards_zero_phi(H):
    return H.shift(eta=clamp(-H.eta, -1, 1))


@alignment(one_unused, epsilon="eps")
def largest_of_itself_phi(H):
    return H.shift(eta=min(max(H.eta, 0), 1))


@alignment(one_unused, epsilon="eps")
def absolute_value_phi(H):
    return H.shift(eta=min(abs(H.eta), 1))


@alignment(one_unused, epsilon="eps")
def argmax_of_itself_phi(H):
    (best,) = largest([H.eta, 0], 1)
    return H.shift(eta=1 if best == 0 else 0)


@alignment(one_unused, epsilon="eps")
def item_chosen_by_itself_phi(H):
    return H.shift(eta=(0, 1)[1 if H.eta > 0 else 0])


@alignment(one_unused, epsilon="eps")
def any_of_itself_phi(H):
    return H.shift(eta=1 if any(x > 0 for x in (H.eta, -5)) else 0)


def step(x):
    return 1 if x > 0 else 0


@alignment(one_unused, epsilon="eps")
def by_a_helper_phi(H):
    return H.shift(eta=step(H.eta))


@alignment(one_unused, epsilon="eps")
def reflected_phi(H):
    """One-to-one with |det J| = 1, but each shift may cost anything."""
    return H.shift(eta=-2 * H.eta)


@alignment(one_unused, epsilon="eps")
def stretched_phi(H):
    return H.shift(eta=H.eta)


@alignment(one_unused, epsilon="eps")
def over_answers_by_itself_phi(q, q_, H):
    return H.shift(eta=min(1, max(abs(q[i] - q_[i]) * (1 if H.eta > q[i] else 0) for i in range(len(q)))))


@alignment(one_unused, epsilon="eps")
def filtered_by_itself_phi(q, H):
    """The noise decides only which answers the maximum is taken over."""
    m = max(q[i] for i in range(len(q)) if i == 0 or q[i] <= H.eta)
    return H.shift(eta=clamp(m, 0, 1))


@alignment(one_unused, epsilon="eps")
def any_of_what_it_filtered_phi(q, q_, H):
    m = max(q[i] for i in range(len(q)) if i == 0 or q[i] <= H.eta)
    return H.shift(eta=1 if any(q_[i] > m for i in range(len(q))) else 0)


@alignment(one_unused, epsilon="eps")
def largest_of_what_it_filtered_phi(q, q_, H):
    m = max(q[i] for i in range(len(q)) if i == 0 or q[i] <= H.eta)
    (best,) = largest([x if x > m else m - x for x in q], 1)
    return H.shift(eta=1 if best == 0 else 0)


@alignment(one_unused, epsilon="eps")
def sum_of_what_it_filtered_phi(q, q_, H):
    m = max(q[i] for i in range(len(q)) if i == 0 or q[i] <= H.eta)
    return H.shift(eta=clamp(sum(x - m for x in q), 0, 1))


@alignment(one_unused, epsilon="eps")
def statement_on_what_it_filtered_phi(q, q_, H):
    m = max(q[i] for i in range(len(q)) if i == 0 or q[i] <= H.eta)
    if m > 3:
        return H.shift(eta=1)
    return H.shift(eta=0)


@alignment(one_unused, epsilon="eps")
def twice_filtered_phi(q, q_, H):
    m = max(q[i] for i in range(len(q)) if i == 0 or q[i] <= H.eta)
    w = max(q_[i] for i in range(len(q)) if i == 0 or q_[i] <= m)
    return H.shift(eta=clamp(w, 0, 1))


# Rule 10: several draws


@mechanism
def two_unused(q: Query, eps: Epsilon, noise: Noise):
    a = noise.laplace(2 / eps)
    b = noise.laplace(2 / eps)
    return 1


@alignment(two_unused, epsilon="eps")
def swapped_phi(H):
    return H.shift(a=clamp(H.b - H.a, -1, 1), b=clamp(H.a - H.b, -1, 1))


@alignment(two_unused, epsilon="eps")
def each_from_the_other_phi(H):
    return H.shift(a=1 if H.b > 0 else 0, b=1 if H.a > 0 else 0)


@alignment(two_unused, epsilon="eps")
def both_from_the_larger_phi(H):
    m = max(H.a, H.b)
    return H.shift(a=clamp(m, 0, 1), b=clamp(m, 0, 1))


@alignment(two_unused, epsilon="eps")
def both_by_a_condition_phi(H):
    if H.a > H.b:
        return H.shift(a=1)
    return H.shift(b=1)


@alignment(two_unused, epsilon="eps")
def third_from_first_phi(H):
    """In order: the shift of b reads a, whose own shift is fixed."""
    return H.shift(a=1, b=clamp(H.a, -1, 1))


# Rule 10: vectors


@mechanism
def many_unused(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(4 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(q, 1)
    return 1


@alignment(many_unused, epsilon="eps", adjacency="one")
def next_one_phi(q, q_, H):
    n = len(q)
    return H.shift(eta=[0 if q[i] == q_[i] else clamp(H.eta[i + 1 if i + 1 < n else 0], 0, 1) for i in range(n)])


@alignment(many_unused, epsilon="eps", adjacency="one")
def own_one_phi(q, q_, H):
    return H.shift(eta=[0 if q[i] == q_[i] else clamp(H.eta[i], 0, 1) for i in range(len(q))])


@alignment(many_unused, epsilon="eps", adjacency="one")
def maximum_with_itself_phi(q, q_, H):
    m = max(H.eta)
    return H.shift(eta=[0 if q[i] == q_[i] else clamp(m, 0, 1) for i in range(len(q))])


@alignment(many_unused, epsilon="eps", adjacency="one")
def who_is_shifted_phi(q, q_, H):
    return H.shift(eta=[0 if q[i] == q_[i] else 1 if H.eta[i] > 0 else 0 for i in range(len(q))])


@alignment(many_unused, epsilon="eps", adjacency="one")
def whether_by_statement_phi(q, q_, H):
    if H.eta[0] > 0:
        return H.shift(eta=[0 if q[i] == q_[i] else 1 for i in range(len(q))])
    return H.shift()


@alignment(many_unused, epsilon="eps", adjacency="one")
def twice_selected_phi(q, q_, H):
    """What is taken over is filtered by what noise has filtered."""
    m = max(q[i] for i in range(len(q)) if i == 0 or q[i] <= H.eta[i])
    w = max(q_[i] for i in range(len(q)) if i == 0 or q_[i] <= m)
    return H.shift(eta=[0 if q[i] == q_[i] else clamp(w, 0, 1) for i in range(len(q))])


NOT_ONE_TO_ONE = [
    towards_zero_phi, absolute_value_phi, argmax_of_itself_phi, any_of_what_it_filtered_phi,
    largest_of_what_it_filtered_phi, sum_of_what_it_filtered_phi, swapped_phi, each_from_the_other_phi, next_one_phi,
    own_one_phi, maximum_with_itself_phi,
]  # fmt: skip

# No order of the noise, and one-to-one all the same: those of one draw grow with it, by a step or by a slope of at
# least 1 (or are -2 eta, which is a reflection); both_from_the_larger and both_by_a_condition keep a > b apart from
# a <= b, as a - b does not come nearer to 0; whoever is shifted by its own sign moves away from the others.
ONE_TO_ONE_BY_PIECES = [
    sign_phi, sign_by_statement_phi, largest_of_itself_phi, item_chosen_by_itself_phi, any_of_itself_phi,
    by_a_helper_phi, reflected_phi, stretched_phi, over_answers_by_itself_phi, filtered_by_itself_phi,
    statement_on_what_it_filtered_phi, twice_filtered_phi, both_from_the_larger_phi, both_by_a_condition_phi,
    who_is_shifted_phi, whether_by_statement_phi, twice_selected_phi,
]  # fmt: skip


@pytest.mark.parametrize("phi", NOT_ONE_TO_ONE, ids=lambda phi: phi.name)
def test_a_shift_that_depends_on_its_own_noise_is_not_one_to_one(phi, never_proved):
    never_proved(phi, "one_to_one")


@pytest.mark.parametrize("phi", ONE_TO_ONE_BY_PIECES, ids=lambda phi: phi.name)
def test_a_shift_that_depends_on_its_own_noise_may_be_one_to_one_by_pieces(phi, prover_alone):
    held = prover_alone(phi).conditions["one_to_one"]
    assert held.status is Verdict.PROVED
    assert held.how.startswith("by pieces")


@pytest.mark.parametrize("phi", [reflected_phi, stretched_phi], ids=lambda phi: phi.name)
def test_noise_that_moves_as_far_as_it_likes_costs_what_it_likes(phi, never_proved):
    never_proved(phi, "cost")


def test_a_shift_that_reads_earlier_noise_is_one_to_one(proved):
    proved(third_from_first_phi)


# Rule 10: what would follow from a shift that is not one-to-one


@mechanism
def interval(q: Queries, eps: Epsilon, noise: Noise):
    """With hardly any privacy: [0, 1 + a) has twice the probability for a = 1 that it has for a = 0."""
    two = q[1]
    eta = noise.laplace(1000 / eps)
    if eta >= 0 and eta < 1 + max(0, min(q[0], 1)):
        x = 1
    else:
        x = 0
    return x


@alignment(interval, epsilon="eps / 1000")
def interval_phi(q, q_, omega, H):
    """Folds the half that sticks out over the other."""
    a = max(0, min(q[0], 1))
    b = max(0, min(q_[0], 1))
    edge = 1 + b if omega == 1 else 0
    move = min(0, b - a) if omega == 1 else max(0, b - a)
    return H.shift(eta=move if H.eta >= edge else 0)


@alignment(interval, epsilon="eps / 1000")
def interval_by_a_filter_phi(q, q_, omega, H):
    """The same, where the noise decides only which of two numbers a maximum sees."""
    a = max(0, min(q[0], 1))
    b = max(0, min(q_[0], 1))
    edge = 1 + b if omega == 1 else 0
    move = min(0, b - a) if omega == 1 else max(0, b - a)
    folded = max(
        (0 if i == 0 else 1) for i in range(len(q)) if i == 0 or (i == 1 and H.eta >= edge and q[1] <= q_[1] + 1)
    )
    return H.shift(eta=move * folded)


@alignment(interval, epsilon="eps / 1000")
def interval_by_a_statement_phi(q, q_, omega, H):
    a = max(0, min(q[0], 1))
    b = max(0, min(q_[0], 1))
    edge = 1 + b if omega == 1 else 0
    move = min(0, b - a) if omega == 1 else max(0, b - a)
    folded = max(
        (0 if i == 0 else 1) for i in range(len(q)) if i == 0 or (i == 1 and H.eta >= edge and q[1] <= q_[1] + 1)
    )
    if folded > 0:
        return H.shift(eta=move)
    return H.shift(eta=0)


@alignment(interval, epsilon="eps / 1000")
def interval_by_any_phi(q, q_, omega, H):
    a = max(0, min(q[0], 1))
    b = max(0, min(q_[0], 1))
    edge = 1 + b if omega == 1 else 0
    move = min(0, b - a) if omega == 1 else max(0, b - a)
    folded = max(
        (0 if i == 0 else 1) for i in range(len(q)) if i == 0 or (i == 1 and H.eta >= edge and q[1] <= q_[1] + 1)
    )
    return H.shift(eta=move if any(folded > 0 and q[i] <= q_[i] + 1 for i in range(len(q))) else 0)


@mechanism
def interval_of_a_vector(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    two = q[1]
    eta = [noise.laplace(1000 / eps) for q_i, T_i in zip(q, T)]
    (w,) = largest([T_i for q_i, T_i in zip(q, T)], 1)
    if eta[w] >= 0 and eta[w] < 1 + max(0, min(q[0], 1)):
        x = 1
    else:
        x = 0
    return w, x


@alignment(interval_of_a_vector, epsilon="eps / 1000")
def interval_twice_filtered_phi(q, q_, omega, H):
    w, x = omega
    a = max(0, min(q[0], 1))
    b = max(0, min(q_[0], 1))
    edge = 1 + b if x == 1 else 0
    move = min(0, b - a) if x == 1 else max(0, b - a)
    m = max(
        (0 if i == 0 else 1) for i in range(len(q)) if i == 0 or (i == 1 and H.eta[w] >= edge and q[1] <= q_[1] + 1)
    )
    folded = max((0 if i == 0 else 1) for i in range(len(q)) if i == 0 or (i == 1 and m > 0 and q[1] <= q_[1] + 1))
    return H.shift(eta=[move * folded if i == w else 0 for i in range(len(H.eta))])


@pytest.mark.parametrize(
    "phi",
    [
        interval_phi, interval_by_a_filter_phi, interval_by_a_statement_phi, interval_by_any_phi,
        interval_twice_filtered_phi,
    ],
    ids=lambda phi: phi.name,
)  # fmt: skip
def test_noise_folded_onto_itself_proves_nothing(phi, never_proved):
    never_proved(phi, "one_to_one")


# Rule 10: one order for the whole run


@mechanism
def stream_unused(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(2 * k / eps)
        yield BELOW
        count += 1
        if count >= k:
            break


@alignment(stream_unused, epsilon="eps")
def looks_ahead_phi(q, omega, H):
    return H.shift(eta=clamp(H.eta_i[0], 0, 1))


@alignment(stream_unused, epsilon="eps")
def looks_to_the_end_phi(q, omega, H):
    n = len(omega)
    return H.shift(eta_i=[clamp(H.eta_i[n - 1], 0, 1) for w in omega])


@alignment(stream_unused, epsilon="eps")
def looks_one_ahead_phi(q, omega, H):
    n = len(omega)
    return H.shift(eta_i=[clamp(H.eta_i[i + 1 if i + 1 < n else i], 0, 1) for i, w in enumerate(omega)])


@alignment(stream_unused, epsilon="eps")
def largest_in_the_stream_phi(q, omega, H):
    m = max(H.eta_i)
    return H.shift(eta=clamp(m, 0, 1))


@alignment(stream_unused, epsilon="eps")
def own_in_the_stream_phi(q, omega, H):
    return H.shift(eta_i=[1 if H.eta_i[i] > 0 else 0 for i, w in enumerate(omega)])


@alignment(stream_unused, epsilon="eps")
def filtered_in_the_stream_phi(q, omega, H):
    return H.shift(eta_i=[clamp(max(x for x in q if x >= 0 or x <= H.eta_i[i]), 0, 1) for i, w in enumerate(omega)])


@alignment(stream_unused, epsilon="eps", invariant="privacy_cost <= eps / 2 + count * eps / (2 * k)")
def threshold_in_the_stream_phi(q, omega, H):
    """In order: the shift of each iteration reads noise drawn before the loop."""
    return H.shift(eta=1, eta_i=[clamp(H.eta, 0, 1) for w in omega])


@pytest.mark.parametrize(
    "phi",
    [
        looks_ahead_phi, looks_to_the_end_phi, looks_one_ahead_phi, largest_in_the_stream_phi,
        own_in_the_stream_phi, filtered_in_the_stream_phi,
    ],
    ids=lambda phi: phi.name,
)  # fmt: skip
def test_no_shift_looks_ahead_in_the_stream(phi, never_proved):
    never_proved(phi)


def test_a_shift_reads_noise_drawn_before_the_loop(proved):
    proved(threshold_in_the_stream_phi)


# Rule 11: in an induction a shift uses its own output and what came before


@mechanism
def without_query_noise(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    for q_i in q:
        if q_i >= T + eta:
            yield ABOVE
        else:
            yield BELOW


@alignment(without_query_noise, epsilon="eps")
def any_below_phi(omega, H):
    """Right for each branch alone: up where something lies below, down where nothing does."""
    return H.shift(eta=1 if any(w is BELOW for w in omega) else -1)


@alignment(without_query_noise, epsilon="eps")
def all_above_phi(omega, H):
    return H.shift(eta=-1 if all(w is ABOVE for w in omega) else 1)


@alignment(without_query_noise, epsilon="eps")
def last_phi(omega, H):
    return H.shift(eta=1 if omega[-1] is BELOW else -1)


@alignment(without_query_noise, epsilon="eps")
def first_phi(omega, H):
    return H.shift(eta=1 if omega[0] is BELOW else -1)


@alignment(without_query_noise, epsilon="eps")
def count_phi(omega, H):
    return H.shift(eta=1 if sum(1 if w is BELOW else 0 for w in omega) > 0 else -1)


@alignment(without_query_noise, epsilon="eps")
def length_phi(omega, H):
    return H.shift(eta=1 if len(omega) > 2 else -1)


@mechanism
def stream_of_draws(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        if q_i + e >= T:
            yield ABOVE
        else:
            yield BELOW


@alignment(stream_of_draws, epsilon="eps", adjacency="one")
def of_the_next_output_phi(q, q_, omega, H):
    n = len(omega)
    return H.shift(
        e=[0 if q[i] == q_[i] else 1 if omega[i + 1 if i + 1 < n else i] is ABOVE else -1 for i, w in enumerate(omega)]
    )


@alignment(stream_of_draws, epsilon="eps", adjacency="one")
def of_its_own_output_phi(q, q_, omega, H):
    return H.shift(e=[0 if q[i] == q_[i] else 1 if w is ABOVE else -1 for i, w in enumerate(omega)])


@pytest.mark.parametrize(
    "phi",
    [any_below_phi, all_above_phi, last_phi, first_phi, count_phi, length_phi, of_the_next_output_phi],
    ids=lambda phi: phi.name,
)
def test_another_iterations_output_is_one_unknown(phi, never_proved):
    never_proved(phi, "same_output")


def test_its_own_output_is_known(proved):
    proved(of_its_own_output_phi)


# Rule 12: countable


@mechanism
def reported(q: Query, s: Count, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield q + e


@alignment(reported, epsilon="eps")
def reads_its_output_phi(q, q_, omega, s, H):
    """e + omega * (1/s_ - 1/s) looks cheap and is not."""
    return H.shift(e=omega[0] * (1 / (s + 1) - 1 / s))


@alignment(reported, epsilon="eps")
def decides_by_its_output_phi(q, q_, omega, H):
    return H.shift(e=q - q_ if omega[0] > 0 else q - q_ + 0)


@alignment(reported, epsilon="eps")
def branches_on_its_output_phi(q, q_, omega, H):
    if omega[0] > 0:
        return H.shift(e=q - q_)
    return H.shift(e=(q - q_) * 1)


@alignment(noisy_max_with_gap, epsilon="eps")
def reads_the_gap_phi(q, q_, omega, H):
    best, gap = omega
    return H.shift(eta=[1 + q[i] - q_[i] + clamp(gap, 0, 1) - clamp(gap, 0, 1) / 2 if i == best else 0
                        for i in range(len(q))])  # fmt: skip


@alignment(noisy_max_with_gap, epsilon="eps")
def small_gaps_only_phi(q, q_, omega, H):
    best, gap = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best and gap < 1 else 0 for i in range(len(q))])


@alignment(sparse_vector_with_gap, epsilon="eps")
def reads_gaps_of_the_stream_phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[0 if w is BELOW else 1 + q[i] - q_[i] if w > 1 else 2 for i, w in enumerate(omega)],
    )


@pytest.mark.parametrize(
    "phi",
    [reads_its_output_phi, reads_the_gap_phi, small_gaps_only_phi, reads_gaps_of_the_stream_phi],
    ids=lambda phi: phi.name,
)
def test_real_parts_of_the_output_are_not_read(phi, never_proved):
    never_proved(phi)


@pytest.mark.parametrize("phi", [decides_by_its_output_phi, branches_on_its_output_phi], ids=lambda phi: phi.name)
def test_real_parts_of_the_output_decide_nothing(phi, prover_alone):
    """Both ways give the same shift, so that nothing else is wrong with these."""
    proof = prover_alone(phi)
    simplified = phi is decides_by_its_output_phi
    assert proof.complete == simplified


def test_the_scope_says_which_streams_are_covered(proved_by_check):
    from alignkit.proofs.sparse_vector import gap_phi

    assert any("queries are fixed in advance, or chosen by the tags" in a for a in proved_by_check(gap_phi).assumptions)


# Rule 14: valid noise


@mechanism
def counted(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    return q + e


@alignment(counted, epsilon="eps")
def counted_phi(q, q_, H):
    return H.shift(e=q - q_)


@alignment(counted, epsilon="eps")
def half_a_step_phi(q, q_, H):
    return H.shift(e=(q - q_) / 2)


@mechanism
def counted_twice(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    a = noise.discrete_laplace(1 / eps)
    b = noise.discrete_laplace(1 / eps)
    return q + a + b


@alignment(counted_twice, epsilon="eps")
def shared_half_steps_phi(q, q_, H):
    """All is kept, and at no more cost, but for the lattice."""
    return H.shift(a=(q - q_) / 2, b=(q - q_) / 2)


@mechanism
def off_the_lattice(q: Query, eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    return q + e


@alignment(off_the_lattice, epsilon="eps")
def off_the_lattice_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def finer_than_the_lattice(q: Query(lattice=Fraction(1, 2)), eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps, 1)
    return q + e


@alignment(finer_than_the_lattice, epsilon="eps")
def finer_than_the_lattice_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def coarse_sparse_vector(q: Queries(lattice=2, sensitivity=2), T: Real, eps: Epsilon, noise: Noise):
    eta = noise.discrete_laplace(2 / eps, 2)
    for q_i in q:
        if q_i < T + eta:
            yield BELOW


@alignment(coarse_sparse_vector, epsilon="eps")
def coarse_sparse_vector_phi(H):
    """A shift of 1 off a lattice of even numbers."""
    return H.shift(eta=1)


@mechanism
def one_sided(q: Query, eps: Epsilon, noise: Noise):
    e = noise.exponential(1 / eps)
    return q + e


@alignment(one_sided, epsilon="eps")
def one_sided_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def one_sided_counts(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    e = noise.geometric(1 / eps)
    return q + e


@alignment(one_sided_counts, epsilon="eps")
def one_sided_counts_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def one_sided_test(q: Query, eps: Epsilon, noise: Noise):
    e = noise.exponential(1 / eps)
    if q + e >= 10:
        yield ABOVE
    else:
        yield BELOW


@alignment(one_sided_test, epsilon="eps")
def one_sided_test_phi(omega, H):
    return H.shift(e=1 if omega[0] is ABOVE else -1)


@alignment(one_sided_test, epsilon="eps")
def one_sided_clamped_phi(omega, H):
    """Stays at or above 0, by folding [0, 1) onto 0."""
    return H.shift(e=1 if omega[0] is ABOVE else -min(1, H.e))


@pytest.mark.parametrize(
    "phi",
    [
        half_a_step_phi, shared_half_steps_phi, off_the_lattice_phi, finer_than_the_lattice_phi,
        coarse_sparse_vector_phi, one_sided_phi, one_sided_counts_phi, one_sided_test_phi,
    ],
    ids=lambda phi: phi.name,
)  # fmt: skip
def test_aligned_noise_off_its_support(phi, never_proved):
    never_proved(phi, "valid_noise")


def test_noise_clamped_into_its_support_is_not_one_to_one(never_proved):
    never_proved(one_sided_clamped_phi, "one_to_one")


def test_whole_steps_on_the_lattice(proved_by_check):
    assert proved_by_check(counted_phi).number_model == "lattice"


# Rule 21: the general theorem needs one density and a fixed number of draws


@mechanism
def scaled_by_data(q: Query, eps: Epsilon, noise: Noise):
    if q >= 9 * 9 * 9:
        s = 1
    else:
        s = 2
    e = noise.laplace(s / eps)
    return q + e


@alignment(scaled_by_data, epsilon="eps")
def scaled_by_data_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def scaled_by_answer(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace((2 + clamp(q, 0, 1)) / eps)
    return q + e


@alignment(scaled_by_answer, epsilon="eps")
def rescaled_phi(q, q_, H):
    """The noise stretched to the other scale: |det J| is not 1, and the density another."""
    return H.shift(e=(q + H.e - q_) - H.e)


@mechanism
def drawn_by_data(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if q >= 9 * 9 * 9:
        f = noise.laplace(1 / eps)
    return q + e


@alignment(drawn_by_data, epsilon="eps")
def drawn_by_data_phi(q, q_, H):
    return H.shift(e=q - q_)


@mechanism
def scaled_by_noise(q: Query, eps: Epsilon, noise: Noise):
    b = noise.laplace(1)
    x = noise.laplace((1 + abs(b)) / eps)
    return q + x


@alignment(scaled_by_noise, epsilon="eps + 1")
def scaled_by_noise_phi(q, q_, H):
    return H.shift(b=clamp(1, 0, 1), x=q - q_)


@pytest.mark.parametrize(
    "phi",
    [scaled_by_data_phi, rescaled_phi, drawn_by_data_phi, scaled_by_noise_phi],
    ids=lambda phi: phi.name,
)
def test_scales_and_counts_do_not_depend_on_data(phi, never_proved):
    never_proved(phi, "noise_used")


# An alignment must itself be defined


@mechanism
def leaks_at_one_threshold(q: Query, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    x = q if T == -5 * 11 else q + eta
    return x


@alignment(leaks_at_one_threshold, epsilon="eps")
def undefined_there_phi(q, q_, T, H):
    return H.shift(eta=(q - q_) * (T + 55) / (T + 55))


@alignment(leaks_at_one_threshold, epsilon="eps * (T + 55) / (T + 55)")
def claim_undefined_there_phi(q, q_, T, H):
    return H.shift(eta=q - q_)


@alignment(leaks_at_one_threshold, epsilon="eps")
def no_such_item_there_phi(q, q_, T, H):
    few = [j for j in (1, 2)]
    if T == -55:
        x = few[7]
    else:
        x = 0
    return H.shift(eta=q - q_ + x)


@alignment(leaks_at_one_threshold, epsilon="eps")
def nothing_to_take_there_phi(q, q_, T, H):
    none = [y for y in (1, 2) if y > 2]
    if T == -55:
        x = max(none)
    else:
        x = 0
    return H.shift(eta=q - q_ + x)


@alignment(leaks_at_one_threshold, epsilon="eps")
def fewer_than_asked_there_phi(q, q_, T, H):
    if T == -55:
        a, b, c = largest((1, 2), 3)
    else:
        a = 0
    return H.shift(eta=q - q_ + a - a)


@pytest.mark.parametrize(
    "phi",
    [
        undefined_there_phi, claim_undefined_there_phi, no_such_item_there_phi, nothing_to_take_there_phi,
        fewer_than_asked_there_phi,
    ],
    ids=lambda phi: phi.name,
)  # fmt: skip
def test_an_alignment_that_is_undefined_proves_nothing(phi, never_proved):
    never_proved(phi, "same_output")


# Wrong shifts of right mechanisms


@alignment(noisy_max, epsilon="eps")
def winner_lowered_phi(q, q_, omega, H):
    return H.shift(eta=[q[i] - q_[i] - 1 if i == omega else 0 for i in range(len(q))])


@alignment(noisy_max, epsilon="eps")
def winner_by_one_phi(omega, q, H):
    return H.shift(eta=[1 if i == omega else 0 for i in range(len(q))])


@alignment(noisy_max, epsilon="eps")
def winner_kept_phi(q, q_, omega, H):
    return H.shift(eta=[q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(noisy_max, epsilon="eps")
def losers_lowered_phi(q, q_, omega, H):
    """Right but for its price: every loser moves."""
    return H.shift(eta=[0 if i == omega else q[i] - q_[i] for i in range(len(q))])


@alignment(noisy_max, epsilon="eps")
def all_by_their_change_phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@alignment(noisy_max, epsilon="eps / 2")
def half_the_budget_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(noisy_max, epsilon="eps / 2", adjacency="monotone")
def one_direction_only_phi(q, q_, omega, H):
    return H.shift(eta=[q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(noisy_max, epsilon="eps / 2", adjacency="monotone")
def other_direction_only_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(sparse_vector, epsilon="eps")
def winners_by_one_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 if w is ABOVE else 0 for w in omega])


@alignment(sparse_vector, epsilon="eps")
def losers_too_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[2 if w is ABOVE else -1 for w in omega])


@alignment(sparse_vector, epsilon="eps", invariant="count <= 0")
def false_invariant_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[2 if w is ABOVE else 0 for w in omega])


@pytest.mark.parametrize(
    "phi",
    [
        winner_lowered_phi, winner_by_one_phi, winner_kept_phi, losers_lowered_phi, all_by_their_change_phi,
        half_the_budget_phi, one_direction_only_phi, other_direction_only_phi, losers_too_phi,
        false_invariant_phi,
    ],
    ids=lambda phi: phi.name,
)  # fmt: skip
def test_wrong_shifts_of_right_mechanisms(phi, never_proved):
    never_proved(phi)


def test_the_least_shift_of_a_winner_is_too_little(never_proved):
    """The answer may fall by 1 while the threshold rises by 1."""
    never_proved(winners_by_one_phi, "same_output")
