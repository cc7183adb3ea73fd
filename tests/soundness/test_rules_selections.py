"""Rules 15 (ties), 17 and 20: ties, what has probability 0, and selections with every pattern of equal indices."""

# Programs under test compute values that they do not use.
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
    Queries,
    Query,
    Real,
    alignment,
    check,
    clamp,
    largest,
    mechanism,
)
from alignkit.results import Verdict


def best_of_losers(q, eta, best):
    return max(q[i] + eta[i] for i in range(len(q)) if i != best)


def change_of_losers(q, q_, eta, best):
    return best_of_losers(q_, eta, best) - best_of_losers(q, eta, best)


# Rule 15: ties go to the lowest index, in every engine


@mechanism
def which_of_equals(q: Query, eps: Epsilon, noise: Noise):
    """No noise enters: the winner is decided by the rule for ties alone where q is 729."""
    eta = noise.laplace(1 / eps)
    (best,) = largest([9 * 9 * 9, q], 1)
    return best


@alignment(which_of_equals, epsilon="eps")
def which_of_equals_phi(H):
    return H.shift()


def test_a_tie_that_is_no_matter_of_noise(never_proved):
    never_proved(which_of_equals_phi, "same_output")


def test_ties_go_to_the_lowest_index_in_replay():
    assert which_of_equals.replay(729, H={"eta": 0}, eps=1) == 0


@mechanism
def lowest_or_highest(q: Queries, eps: Epsilon, noise: Noise):
    """Two rules for ties, chosen by the data; for noise without a density they differ."""
    eta = [noise.laplace(1 / eps) for q_i in q]
    n = len(q)
    (low,) = largest(eta, 1)
    (high,) = largest([eta[n - 1 - i] for i in range(n)], 1)
    if q[0] >= 9 * 9 * 9:
        best = low
    else:
        best = n - 1 - high
    return best


@alignment(lowest_or_highest, epsilon="eps / 1000")
def lowest_or_highest_phi(H):
    return H.shift()


@mechanism
def lowest_or_highest_count(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    eta = [noise.discrete_laplace(1 / eps) for q_i in q]
    n = len(q)
    (low,) = largest(eta, 1)
    (high,) = largest([eta[n - 1 - i] for i in range(n)], 1)
    if q[0] >= 9 * 9 * 9:
        best = low
    else:
        best = n - 1 - high
    return best


@alignment(lowest_or_highest_count, epsilon="eps / 1000")
def lowest_or_highest_count_phi(H):
    return H.shift()


@mechanism
def lowest_or_highest_geometric(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    eta = [noise.geometric(1 / eps) for q_i in q]
    n = len(q)
    (low,) = largest(eta, 1)
    (high,) = largest([eta[n - 1 - i] for i in range(n)], 1)
    if q[0] >= 9 * 9 * 9:
        best = low
    else:
        best = n - 1 - high
    return best


@alignment(lowest_or_highest_geometric, epsilon="eps / 1000")
def lowest_or_highest_geometric_phi(H):
    return H.shift()


@mechanism
def lowest_or_highest_clamped(q: Queries, eps: Epsilon, noise: Noise):
    """Clamped noise has atoms at both ends."""
    eta = [noise.laplace(1 / eps) for q_i in q]
    cut = [clamp(e, 0, 1) for e in eta]
    n = len(q)
    (low,) = largest(cut, 1)
    (high,) = largest([cut[n - 1 - i] for i in range(n)], 1)
    if q[0] >= 9 * 9 * 9:
        best = low
    else:
        best = n - 1 - high
    return best


@alignment(lowest_or_highest_clamped, epsilon="eps / 1000")
def lowest_or_highest_clamped_phi(H):
    return H.shift()


@mechanism
def lowest_or_highest_shared(q: Queries, eps: Epsilon, noise: Noise):
    """Every candidate has the same noise, so that only the answers decide, and these may be equal."""
    eta = [noise.laplace(1 / eps) for q_i in q]
    n = len(q)
    shared = [eta[0] + clamp(q_i, 0, 0) for q_i in q]
    (low,) = largest(shared, 1)
    (high,) = largest([shared[n - 1 - i] for i in range(n)], 1)
    if q[0] >= 9 * 9 * 9:
        best = low
    else:
        best = n - 1 - high
    return best


@alignment(lowest_or_highest_shared, epsilon="eps / 1000")
def lowest_or_highest_shared_phi(H):
    return H.shift()


@mechanism
def lowest_or_highest_symmetric(q: Queries, eps: Epsilon, noise: Noise):
    """Candidate i and candidate n - 1 - i have one value: two indices that differ are no two coordinates."""
    eta = [noise.laplace(1 / eps) for q_i in q]
    n = len(q)
    folded = [eta[i] + eta[n - 1 - i] for i in range(n)]
    (low,) = largest(folded, 1)
    (high,) = largest([folded[n - 1 - i] for i in range(n)], 1)
    if q[0] >= 9 * 9 * 9:
        best = low
    else:
        best = n - 1 - high
    return best


@alignment(lowest_or_highest_symmetric, epsilon="eps / 1000")
def lowest_or_highest_symmetric_phi(H):
    return H.shift()


@mechanism
def lowest_or_highest_times(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """For T = 0 there is no noise."""
    eta = [noise.laplace(1 / eps) for q_i in q]
    n = len(q)
    scaled = [T * e for e in eta]
    (low,) = largest(scaled, 1)
    (high,) = largest([scaled[n - 1 - i] for i in range(n)], 1)
    if q[0] >= 9 * 9 * 9:
        best = low
    else:
        best = n - 1 - high
    return best


@alignment(lowest_or_highest_times, epsilon="eps / 1000")
def lowest_or_highest_times_phi(H):
    return H.shift()


@pytest.mark.parametrize(
    "phi",
    [
        lowest_or_highest_count_phi, lowest_or_highest_geometric_phi, lowest_or_highest_clamped_phi,
        lowest_or_highest_shared_phi, lowest_or_highest_symmetric_phi, lowest_or_highest_times_phi,
    ],
    ids=lambda phi: phi.name,
)  # fmt: skip
def test_ties_of_positive_probability_count(phi, never_proved):
    never_proved(phi, "same_output")


# Rule 17: measure zero


@mechanism
def at_least_or_above(q: Query, eps: Epsilon, noise: Noise):
    """The rule is chosen by the data; clamped noise lies on the boundary with positive probability."""
    eta = noise.laplace(1 / eps)
    x = clamp(q - q + eta, 0, 10)
    if q >= 9 * 9 * 9:
        hit = x >= 10
    else:
        hit = x > 10
    return hit


@alignment(at_least_or_above, epsilon="eps / 1000")
def at_least_or_above_phi(H):
    return H.shift()


@mechanism
def vanishing(q: Queries, eps: Epsilon, noise: Noise):
    """(q1 - q2) * eta may vanish."""
    eta = noise.laplace(1 / eps)
    x = (q[0] - q[1]) * eta
    if q[0] >= 9 * 9 * 9:
        hit = x >= 0
    else:
        hit = x > 0
    return hit


@alignment(vanishing, epsilon="eps / 1000")
def vanishing_phi(H):
    return H.shift()


@mechanism
def at_least_or_above_count(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    eta = noise.discrete_laplace(1 / eps)
    if q >= 9 * 9 * 9:
        hit = eta >= 0
    else:
        hit = eta > 0
    return hit


@alignment(at_least_or_above_count, epsilon="eps / 1000")
def at_least_or_above_count_phi(H):
    return H.shift()


@mechanism
def clamped_output(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if clamp(q + eta, 0, 10) >= 10:
        yield ABOVE
    else:
        yield BELOW


@alignment(clamped_output, epsilon="eps")
def clamped_output_phi(omega, H):
    return H.shift(eta=1 if omega[0] is ABOVE else -1)


@alignment(clamped_output, epsilon="eps")
def clamped_output_unmoved_phi(omega, H):
    return H.shift(eta=0 if omega[0] is ABOVE else -1)


@pytest.mark.parametrize(
    "phi",
    [at_least_or_above_phi, vanishing_phi, at_least_or_above_count_phi, clamped_output_unmoved_phi],
    ids=lambda phi: phi.name,
)
def test_boundaries_of_positive_probability_count(phi, never_proved):
    never_proved(phi, "same_output")


def test_a_clamped_output_moves_like_what_it_clamps(proved):
    proved(clamped_output_phi)


# Rule 20: noisy maxima that are wrong


@mechanism
def noisy_max(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@mechanism
def with_gap(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best, noisy[best] - noisy[runner_up]


@alignment(with_gap, epsilon="eps")
def gap_phi(q, q_, omega, H):
    best, gap = omega
    change = change_of_losers(q, q_, H.eta, best)
    return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])


@alignment(with_gap, epsilon="eps")
def max_of_all_phi(q, q_, omega, H):
    """The maximum over all, the winner included, is not the loser's."""
    best, gap = omega
    before = max(q[i] + H.eta[i] for i in range(len(q)))
    after = max(q_[i] + H.eta[i] for i in range(len(q)))
    return H.shift(eta=[q[i] - q_[i] + after - before if i == best else 0 for i in range(len(q))])


@alignment(with_gap, epsilon="eps")
def runner_up_of_d_phi(q, q_, omega, H):
    """The best loser of D need not be that of D'."""
    best, gap = omega
    (second,) = largest([q[i] if i != best else -1000 for i in range(len(q))], 1)
    return H.shift(eta=[q[i] - q_[i] + q_[second] - q[second] if i == best else 0 for i in range(len(q))])


@alignment(with_gap, epsilon="eps")
def change_turned_round_phi(q, q_, omega, H):
    best, gap = omega
    change = change_of_losers(q, q_, H.eta, best)
    return H.shift(eta=[q[i] - q_[i] - change if i == best else 0 for i in range(len(q))])


@alignment(with_gap, epsilon="eps")
def without_noise_phi(q, q_, omega, H):
    best, gap = omega
    change = max(q_[i] for i in range(len(q)) if i != best) - max(q[i] for i in range(len(q)) if i != best)
    return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])


@alignment(with_gap, epsilon="eps")
def winner_by_one_more_phi(q, q_, omega, H):
    best, gap = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])


@alignment(with_gap, epsilon="eps / 2")
def half_phi(q, q_, omega, H):
    best, gap = omega
    change = change_of_losers(q, q_, H.eta, best)
    return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])


@alignment(with_gap, epsilon="eps")
def losers_moved_phi(q, q_, omega, H):
    best, gap = omega
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@alignment(with_gap, epsilon="eps", adjacency="l1")
def all_moved_under_l1_phi(q, q_, omega, H):
    """Right, and cheap: under l1 every shift pays for its own change."""
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def and_the_runner_up(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best, runner_up


@alignment(and_the_runner_up, epsilon="eps")
def and_the_runner_up_phi(q, q_, omega, H):
    best, runner_up = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])


@alignment(and_the_runner_up, epsilon="eps")
def both_moved_phi(q, q_, omega, H):
    """Keeps the two, at twice the price."""
    best, runner_up = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best or i == runner_up else 0 for i in range(len(q))])


@alignment(and_the_runner_up, epsilon="2 * eps")
def both_moved_and_paid_phi(q, q_, omega, H):
    best, runner_up = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best or i == runner_up else 0 for i in range(len(q))])


@alignment(and_the_runner_up, epsilon="2 * eps")
def the_order_is_lost_phi(q, q_, omega, H):
    """The second rises above the first."""
    best, runner_up = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best else 2 if i == runner_up else 0 for i in range(len(q))])


@mechanism
def runner_up_only(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return runner_up


@alignment(runner_up_only, epsilon="eps")
def runner_up_only_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(runner_up_only, epsilon="eps")
def runner_up_kept_phi(q, q_, omega, H):
    return H.shift(eta=[q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def gap_to_the_third(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    first, second, third = largest(noisy, 3)
    return first, noisy[first] - noisy[third]


@alignment(gap_to_the_third, epsilon="eps")
def gap_to_the_third_phi(q, q_, omega, H):
    best, gap = omega
    change = change_of_losers(q, q_, H.eta, best)
    return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])


@mechanism
def two_gaps(q: Queries, eps: Epsilon, noise: Noise):
    """Too little noise for two winners: 4 / eps would do."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    first, second, third = largest(noisy, 3)
    return first, second, noisy[first] - noisy[second], noisy[second] - noisy[third]


def best_below(q, eta, first, second):
    return max(q[i] + eta[i] for i in range(len(q)) if i != first and i != second)


@alignment(two_gaps, epsilon="eps")
def two_gaps_phi(q, q_, omega, H):
    first, second, gap, gap_ = omega
    change = best_below(q_, H.eta, first, second) - best_below(q, H.eta, first, second)
    return H.shift(eta=[q[i] - q_[i] + change if i == first or i == second else 0 for i in range(len(q))])


@mechanism
def two_gaps_with_enough_noise(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(4 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    first, second, third = largest(noisy, 3)
    return first, second, noisy[first] - noisy[second], noisy[second] - noisy[third]


@alignment(two_gaps_with_enough_noise, epsilon="eps")
def two_gaps_with_enough_noise_phi(q, q_, omega, H):
    first, second, gap, gap_ = omega
    change = best_below(q_, H.eta, first, second) - best_below(q, H.eta, first, second)
    return H.shift(eta=[q[i] - q_[i] + change if i == first or i == second else 0 for i in range(len(q))])


@alignment(two_gaps_with_enough_noise, epsilon="eps")
def only_the_first_phi(q, q_, omega, H):
    first, second, gap, gap_ = omega
    change = best_below(q_, H.eta, first, second) - best_below(q, H.eta, first, second)
    return H.shift(eta=[q[i] - q_[i] + change if i == first else 0 for i in range(len(q))])


@alignment(two_gaps_with_enough_noise, epsilon="eps")
def each_by_the_losers_of_its_own_phi(q, q_, omega, H):
    first, second, gap, gap_ = omega
    below = best_below(q_, H.eta, first, second) - best_below(q, H.eta, first, second)
    behind = change_of_losers(q, q_, H.eta, first)
    return H.shift(
        eta=[q[i] - q_[i] + (behind if i == first else below if i == second else q_[i] - q[i]) for i in range(len(q))]
    )


@mechanism
def private_sum_too(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best, q[0] + q[best]


@alignment(private_sum_too, epsilon="eps")
def private_sum_too_phi(q, q_, omega, H):
    best, total = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])


@mechanism
def the_answer_too(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best, q[best]


@alignment(the_answer_too, epsilon="eps")
def the_answer_too_phi(q, q_, omega, H):
    best, answer = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])


@mechanism
def which_side_of_zero(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best, noisy[best] >= 0


@alignment(which_side_of_zero, epsilon="eps")
def which_side_of_zero_phi(q, q_, omega, H):
    best, above = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])


@mechanism
def one_noise_for_all(q: Queries, eps: Epsilon, noise: Noise):
    """One coordinate reused for every answer hides nothing."""
    e = noise.laplace(2 / eps)
    noisy = [q_i + e for q_i in q]
    (best,) = largest(noisy, 1)
    return best


@alignment(one_noise_for_all, epsilon="eps")
def one_noise_for_all_phi(H):
    return H.shift(e=1)


@mechanism
def noise_used_twice(q: Queries, p: Queries, eps: Epsilon, noise: Noise):
    """Two vectors with one noise: what is released of both is not covered by one shift."""
    eta = [noise.laplace(2 / eps) for q_i, p_i in zip(q, p)]
    (best,) = largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], 1)
    (worst,) = largest([p_i - eta_i for p_i, eta_i in zip(p, eta)], 1)
    return best, worst


@alignment(noise_used_twice, epsilon="eps")
def noise_used_twice_phi(q, q_, omega, H):
    best, worst = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(H.eta))])


@mechanism
def shared_neighbour(q: Queries, eps: Epsilon, noise: Noise):
    """Every candidate has the noise of its neighbour as well."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    n = len(q)
    noisy = [q[i] + eta[i] + eta[i + 1 if i + 1 < n else 0] for i in range(n)]
    (best,) = largest(noisy, 1)
    return best


@alignment(shared_neighbour, epsilon="eps")
def shared_neighbour_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def only_the_positive(q: Queries, eps: Epsilon, noise: Noise):
    """Which are compared depends on the data: the maximum is over the positive answers."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    m = max(eta[i] for i in range(len(q)) if i == 0 or q[i] >= 9 * 9 * 9)
    return m


@alignment(only_the_positive, epsilon="eps")
def only_the_positive_phi(H):
    return H.shift()


@mechanism
def noise_for_n(q: Queries, eps: Epsilon, noise: Noise):
    """A scale made from n is public; that it grows with n does not pay for one answer's change here."""
    n = len(q)
    eta = [noise.laplace(1 / (n * eps)) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@alignment(noise_for_n, epsilon="eps")
def noise_for_n_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def noise_for_each(q: Queries, eps: Epsilon, noise: Noise):
    """Fit for vectors of at most five answers."""
    eta = [noise.laplace(5 / eps) for q_i in q]
    return [q_i + eta_i for q_i, eta_i in zip(q, eta)]


@alignment(noise_for_each, epsilon="eps")
def noise_for_each_phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def noise_for_all(q: Queries, eps: Epsilon, noise: Noise):
    n = len(q)
    eta = [noise.laplace(n / eps) for q_i in q]
    return [q_i + eta_i for q_i, eta_i in zip(q, eta)]


@alignment(noise_for_all, epsilon="eps / 2", adjacency="one")
def half_of_noise_for_all_phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def clamped_list(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(1 / eps) for q_i in q]
    return [clamp(q_i, 0, 1) + clamp(eta_i, 0, 1) for q_i, eta_i in zip(q, eta)]


@alignment(clamped_list, epsilon="eps", adjacency="l1")
def clamped_list_phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def list_in_another_order(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(1 / eps) for q_i in q]
    n = len(q)
    return [q[i] + eta[n - 1 - i] for i in range(n)]


@alignment(list_in_another_order, epsilon="eps", adjacency="l1")
def list_in_another_order_phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def list_with_one_bare(q: Queries, eps: Epsilon, noise: Noise):
    """The answer at the seventh place goes out as it is."""
    eta = [noise.laplace(1 / eps) for q_i in q]
    return [q[i] if i == 6 else q[i] + eta[i] for i in range(len(q))]


@alignment(list_with_one_bare, epsilon="eps", adjacency="l1")
def list_with_one_bare_phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def exponential_max(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.exponential(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@alignment(exponential_max, epsilon="eps")
def exponential_max_phi(q, q_, omega, H):
    """Up only, by 1 + q - q' >= 0: it stays in the support."""
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(exponential_max, epsilon="eps")
def exponential_max_down_phi(q, q_, omega, H):
    return H.shift(eta=[0 if i == omega else -(1 + q_[i] - q[i]) for i in range(len(q))])


@alignment(exponential_max, epsilon="eps / 2")
def exponential_max_half_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def exponential_gap(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.exponential(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best, noisy[best] - noisy[runner_up]


@alignment(exponential_gap, epsilon="eps")
def exponential_gap_phi(q, q_, omega, H):
    """The winner may have to fall below 0."""
    best, gap = omega
    change = change_of_losers(q, q_, H.eta, best)
    return H.shift(eta=[q[i] - q_[i] + change if i == best else 0 for i in range(len(q))])


@mechanism
def noisy_min(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [-(q_i + eta_i) for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@alignment(noisy_min, epsilon="eps")
def noisy_min_up_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(noisy_min, epsilon="eps")
def noisy_min_phi(q, q_, omega, H):
    return H.shift(eta=[q[i] - q_[i] - 1 if i == omega else 0 for i in range(len(q))])


@mechanism
def two_maxima(q: Queries, eps: Epsilon, noise: Noise):
    """Two selections, each with the noise of one."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    mu = [noise.laplace(2 / eps) for q_i in q]
    (one,) = largest([q_i + e for q_i, e in zip(q, eta)], 1)
    (other,) = largest([q_i + e for q_i, e in zip(q, mu)], 1)
    return one, other


@alignment(two_maxima, epsilon="eps")
def two_maxima_phi(q, q_, omega, H):
    one, other = omega
    return H.shift(
        eta=[1 + q[i] - q_[i] if i == one else 0 for i in range(len(q))],
        mu=[1 + q[i] - q_[i] if i == other else 0 for i in range(len(q))],
    )


@alignment(two_maxima, epsilon="2 * eps")
def two_maxima_paid_phi(q, q_, omega, H):
    one, other = omega
    return H.shift(
        eta=[1 + q[i] - q_[i] if i == one else 0 for i in range(len(q))],
        mu=[1 + q[i] - q_[i] if i == other else 0 for i in range(len(q))],
    )


@alignment(two_maxima, epsilon="eps")
def one_of_two_maxima_phi(q, q_, omega, H):
    one, other = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == one else 0 for i in range(len(q))])


@mechanism
def max_of_two_vectors(q: Queries, p: Queries, eps: Epsilon, noise: Noise):
    """Two private vectors, each with a sensitivity of 1: their sum may change by 2."""
    eta = [noise.laplace(2 / eps) for q_i, p_i in zip(q, p)]
    noisy = [q_i + p_i + eta_i for q_i, p_i, eta_i in zip(q, p, eta)]
    (best,) = largest(noisy, 1)
    return best


@alignment(max_of_two_vectors, epsilon="eps")
def max_of_two_vectors_phi(q, q_, p, p_, omega, H):
    return H.shift(eta=[2 + q[i] - q_[i] + p[i] - p_[i] if i == omega else 0 for i in range(len(H.eta))])


@alignment(max_of_two_vectors, epsilon="2 * eps")
def max_of_two_vectors_paid_phi(q, q_, p, p_, omega, H):
    return H.shift(eta=[2 + q[i] - q_[i] + p[i] - p_[i] if i == omega else 0 for i in range(len(H.eta))])


@alignment(max_of_two_vectors, epsilon="2 * eps")
def max_of_two_vectors_by_one_phi(q, q_, p, p_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] + p[i] - p_[i] if i == omega else 0 for i in range(len(H.eta))])


@mechanism
def largest_change(q: Queries, eps: Epsilon, noise: Noise):
    """Selected without noise, released with it."""
    (best,) = largest(q, 1)
    eta = [noise.laplace(1 / eps) for q_i in q]
    return best, q[best] + eta[best]


@alignment(largest_change, epsilon="eps")
def largest_change_phi(q, q_, omega, H):
    best, x = omega
    return H.shift(eta=[q[i] - q_[i] if i == best else 0 for i in range(len(q))])


@mechanism
def noisy_maximum(q: Queries, eps: Epsilon, noise: Noise):
    """The largest answer has the sensitivity of one answer."""
    e = noise.laplace(1 / eps)
    return max(q) + e


@alignment(noisy_maximum, epsilon="eps")
def noisy_maximum_phi(q, q_, H):
    return H.shift(e=max(q) - max(q_))


@alignment(noisy_maximum, epsilon="eps / 2")
def noisy_maximum_half_phi(q, q_, H):
    return H.shift(e=max(q) - max(q_))


@alignment(noisy_maximum, epsilon="eps")
def noisy_maximum_of_first_phi(q, q_, H):
    return H.shift(e=q[0] - q_[0])


@mechanism
def range_of_answers(q: Queries, eps: Epsilon, noise: Noise):
    """max - min may change by 2."""
    e = noise.laplace(1 / eps)
    return max(q) - min(q) + e


@alignment(range_of_answers, epsilon="eps")
def range_of_answers_phi(q, q_, H):
    return H.shift(e=max(q) - min(q) - max(q_) + min(q_))


@alignment(range_of_answers, epsilon="2 * eps")
def range_of_answers_paid_phi(q, q_, H):
    return H.shift(e=max(q) - min(q) - max(q_) + min(q_))


@mechanism
def three_indices(q: Queries, eps: Epsilon, noise: Noise):
    """The same index named three times in the output must not make three shifts cheaper."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    first, second, third = largest(noisy, 3)
    return first, second, third


@alignment(three_indices, epsilon="2 * eps")
def three_indices_phi(q, q_, omega, H):
    first, second, third = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == first or i == second or i == third else 0 for i in range(len(q))])


@mechanism
def weighted_max(q: Queries, w: Positive, eps: Epsilon, noise: Noise):
    """The weight enlarges the answers and not the noise."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [w * q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@alignment(weighted_max, epsilon="eps")
def weighted_max_phi(q, q_, omega, H, w):
    return H.shift(eta=[w + w * q[i] - w * q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(weighted_max, epsilon="w * eps")
def weighted_max_paid_phi(q, q_, omega, H, w):
    return H.shift(eta=[w + w * q[i] - w * q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def k_th(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """The winner and the k-th answer, released as it is where there is one beyond the search's reach."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    x = q[k] if k > 30 and k < len(q) else 0
    return best, x


@alignment(k_th, epsilon="eps")
def k_th_phi(q, q_, omega, H):
    best, x = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])


@mechanism
def last_wins_nothing(q: Queries, eps: Epsilon, noise: Noise):
    """Leaks only where the winner is the last of more than seven."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    x = 1 if best + 1 >= len(q) and len(q) > 7 and q[0] >= 0 else 0
    return best, x


@alignment(last_wins_nothing, epsilon="eps")
def last_wins_nothing_phi(q, q_, omega, H):
    best, x = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])


@mechanism
def maximum_of_maxima(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """An inner maximum is of something for every i in range, and of nothing past the range, as for i = k >= n."""
    eta = noise.laplace(1 / eps)
    n = len(q)
    m = max([max(j for j in range(n) if j + i <= n - 1) for i in range(n)])
    z = 0
    if k < n and q[k] >= 9 * 9 * 9:
        z = 1
    return 1 if k >= n and q[0] >= 9 * 9 * 9 else 0


@alignment(maximum_of_maxima, epsilon="eps")
def maximum_of_maxima_phi(H):
    return H.shift()


WRONG = [
    maximum_of_maxima_phi,
    max_of_all_phi, runner_up_of_d_phi, change_turned_round_phi, without_noise_phi, winner_by_one_more_phi, half_phi,
    losers_moved_phi, and_the_runner_up_phi, both_moved_phi, the_order_is_lost_phi, runner_up_only_phi,
    runner_up_kept_phi, gap_to_the_third_phi, two_gaps_phi, only_the_first_phi, each_by_the_losers_of_its_own_phi,
    private_sum_too_phi, the_answer_too_phi, which_side_of_zero_phi, one_noise_for_all_phi, noise_used_twice_phi,
    shared_neighbour_phi, only_the_positive_phi, noise_for_n_phi, noise_for_each_phi, half_of_noise_for_all_phi,
    clamped_list_phi, list_in_another_order_phi, list_with_one_bare_phi, exponential_max_down_phi,
    exponential_max_half_phi, exponential_gap_phi, noisy_min_up_phi, two_maxima_phi, one_of_two_maxima_phi,
    max_of_two_vectors_phi, max_of_two_vectors_by_one_phi, largest_change_phi, noisy_maximum_half_phi,
    noisy_maximum_of_first_phi, range_of_answers_phi, three_indices_phi, weighted_max_phi, k_th_phi,
    last_wins_nothing_phi,
]  # fmt: skip


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_wrong_selections(phi, never_proved):
    never_proved(phi)


# What is private by the argument in its docstring, or by that of the catalogue, and must not be lost
RIGHT = [
    gap_phi, all_moved_under_l1_phi, two_gaps_with_enough_noise_phi, exponential_max_phi, noisy_min_phi,
    max_of_two_vectors_paid_phi, both_moved_and_paid_phi, noisy_maximum_phi,
    range_of_answers_paid_phi, weighted_max_paid_phi,
]  # fmt: skip


@pytest.mark.parametrize("phi", RIGHT, ids=lambda phi: phi.name)
def test_right_selections_outside_the_catalogue(phi, proved):
    proved(phi)


def test_what_is_right_is_not_refuted():
    """Each vector's cost is bounded over both indices of the output, and twice where they are one."""
    assert check(two_maxima_paid_phi).verdict is not Verdict.REFUTED


# The maximum of nothing, and items that are not there: undefined on one side is an output of its own


@mechanism
def maximum_asked_twice(q: Queries, eps: Epsilon, noise: Noise):
    """The second maximum is of nothing where the first is not asked for."""
    eta = noise.laplace(1 / eps)
    a = max(x for x in q if x <= -9 * 9 * 9) if q[0] <= -9 * 9 * 9 else 0
    many = 1 if len(q) >= 7 else 0
    b = max(x for x in q if x <= -9 * 9 * 9) if many == 1 else 0
    return eta


@mechanism
def maximum_of_none(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q >= 9 * 9 * 9:
        x = max([y for y in (1, 2) if y > 5])
    return eta


@mechanism
def more_than_there_are(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q >= 9 * 9 * 9:
        a, b, c = largest([q, eta], 3)
    return eta


@mechanism
def no_such_item(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    few = [j for j in (1, 2)]
    if q >= 9 * 9 * 9:
        x = few[7]
    return eta


@mechanism
def too_many_names(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    few = [j for j in (1, 2)]
    if q >= 9 * 9 * 9:
        a, b, c = few
    return eta


@mechanism
def undefined_further_on(q: Query, eps: Epsilon, noise: Noise):
    """Where q is between the two bounds the run goes on, and leaks."""
    eta = noise.laplace(1 / eps)
    few = [j for j in (1, 2)]
    x = 1
    if q >= 9 * 9 * 9:
        x = few[7] if q >= 9 * 9 * 9 * 9 else 0
    return q + eta * x


@mechanism
def undefined_item_in_a_list(q: Queries, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    few = [j for j in (1, 2)]
    x = max(few[7] if q_i >= 9 * 9 * 9 else 0 for q_i in q)
    return eta


@mechanism
def divided_by_zero(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q >= 9 * 9 * 9:
        x = 1 / 0
    return eta


@mechanism
def past_the_end(q: Queries, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q[0] >= 9 * 9 * 9:
        x = q[len(q)]
    return eta


UNDEFINED = [
    maximum_asked_twice, maximum_of_none, more_than_there_are, no_such_item, too_many_names, undefined_further_on,
    undefined_item_in_a_list, divided_by_zero, past_the_end,
]  # fmt: skip


@pytest.mark.parametrize("program", UNDEFINED, ids=lambda program: program.name)
def test_a_run_that_has_no_output_is_not_kept(program, never_proved):
    if program is undefined_further_on:

        @alignment(program, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(eta=q - q_)

    else:

        @alignment(program, epsilon="eps")
        def phi(H):
            return H.shift()

    never_proved(phi)
